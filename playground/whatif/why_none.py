"""Why a configuration cannot lose an acknowledged record, whatever the seed: read off its document, without a run.

It cannot when every producer uses acks=all (a record is acknowledged when every member of the ISR has it, PROD-6), no
replica outside ISR and ELR may lead (UNC-1), every copy stays on its disk, and followers truncate by leader epoch.
Left out, so nothing is claimed: documents that move replicas, and version profiles without leader epochs.
"""

from collections.abc import Container
from typing import Final

from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.plan import Plan
from simengine.questions.az.partition_states import allows_unclean
from simengine.scenario import Document, load
from simengine.scenario.parts import written_parts

KEEPS_COPIES: Final = (
    *("kill", "stop", "pause", "resume", "kill-rack", "start-rack", "kill-site", "start-site"),
    *("cut", "heal", "slow", "slow-link"),
)
"""Actions after which every copy is where it was; `start` keeps it too unless the disk is empty."""

NEUTRAL: Final = ("rate", "open", "close", "acks", "config", "elect", "crash", "move", "send", "commit")

REASON: Final = (
    "with acks=all a record is acknowledged only when every member of the ISR has it, only a member of the ISR or ELR "
    "becomes leader (unclean.leader.election.enable is false), and every broker keeps its disk"
)


def why_none_lost(plan: Plan, losing: Container[str] = ()) -> str:
    """A sentence on the configurations that cannot lose an acknowledged record; "" where that is true of none.

    `losing`: letters of those of which a run did lose some; only of the others more seeds may show more.
    """
    safe = [v.letter for v in plan.variants if is_lossless(load(document_of(plan, v, plan.first_seed)), plan.topics)]
    if not safe:
        return ""
    if len(safe) == len(plan.variants):
        return f"No run of these could lose one: {REASON}. More seeds show the same."
    rest = [v.letter for v in plan.variants if v.letter not in safe and v.letter not in losing]
    could = f" Other moments or more seeds may show a loss with {' or '.join(rest)}." if rest else ""
    return f"{' and '.join(safe)} could not lose one: {REASON}.{could}"


def is_lossless(doc: Document, topics: tuple[str, ...]) -> bool:
    """Whether no run of a document can lose an acknowledged record of these topics, by rule."""
    if doc.clusters:
        parts = written_parts(doc)
        own = {
            name: tuple(one.removeprefix(f"{name}/") for one in topics if one.startswith(f"{name}/")) for name in parts
        }
        return all(is_lossless(part, own[name]) for name, part in parts.items()) and _keeps_all(doc)
    if doc.version.legacy or (doc.faults is not None and doc.faults.kind == "power-loss"):
        return False
    if any(producer.acks != "all" for producer in doc.producers if producer.topic in topics):
        return False
    if any(allows_unclean(doc, topic) for topic in doc.topics if topic.name in topics):
        return False
    return _keeps_all(doc)


def _keeps_all(doc: Document) -> bool:
    return all(_keeps(entry.action.verb, entry.action.args) for entry in doc.timeline)


def _keeps(verb: str, args: tuple[str, ...]) -> bool:
    """Whether an action leaves every copy, acks=all and clean elections as they are."""
    if verb == "start":
        return "empty" not in args and "wiped" not in args
    if verb == "acks":
        return args[-1] == "all"
    if verb == "elect":
        return "unclean" not in args
    if verb == "config":
        return "unclean.leader.election.enable" not in args
    return verb in KEEPS_COPIES or verb in NEUTRAL
