"""Finds configurations that cannot lose an acknowledged record under any seed, from the document, without a run.

Nothing is lost when every producer uses acks=all (a record is acknowledged when the whole ISR has it, PROD-6), no
replica outside ISR and ELR may lead (UNC-1), every copy stays on its disk, and followers truncate by leader epoch.
Nothing is claimed of documents that move replicas, or of version profiles without leader epochs.
"""

from collections.abc import Container, Sequence
from typing import Final

from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.plan import ExperimentPlan
from simengine.questions.az.partition_states import allows_unclean
from simengine.scenario import Document, load
from simengine.scenario.actions import is_emptied
from simengine.scenario.parts import written_parts
from simengine.scenario.verb import KEEPS
from simengine.scenario.verbs import VERBS
from simengine.words.phrases import listed

REASON: Final = (
    "with acks=all a record is acknowledged only when every member of the ISR has it, only a member of the ISR or ELR "
    "becomes leader (unclean.leader.election.enable is false), and every broker keeps its disk"
)


def lossless(plan: ExperimentPlan) -> tuple[str, ...]:
    """Letters of the configurations that cannot lose an acknowledged record, by rule."""
    documents = ((v.letter, load(document_of(plan, v, plan.first_seed))) for v in plan.variants)
    return tuple(letter for letter, document in documents if is_lossless(document, plan.topics))


def why_none_lost(plan: ExperimentPlan, safe: Sequence[str], losing: Container[str] = ()) -> str:
    """A sentence on the configurations that cannot lose an acknowledged record (`lossless`); "" without such.

    `losing`: letters of those of which a run did lose some; only of the others more seeds may show more.
    """
    if not safe:
        return ""
    if len(safe) == len(plan.variants):
        return f"No run of these could lose one: {REASON}. More seeds show the same."
    rest = [v.letter for v in plan.variants if v.letter not in safe and v.letter not in losing]
    could = f" Other moments or more seeds may show a loss with {listed(rest, 'or')}." if rest else ""
    return f"{listed(list(safe))} could not lose one: {REASON}.{could}"


def is_lossless(doc: Document, topics: tuple[str, ...]) -> bool:
    """True if no run of a document can lose an acknowledged record of these topics, by rule."""
    if doc.clusters:
        parts = written_parts(doc)
        own = {
            name: tuple(one.removeprefix(f"{name}/") for one in topics if one.startswith(f"{name}/")) for name in parts
        }
        return all(is_lossless(part, own[name]) for name, part in parts.items()) and _keeps_all(doc)
    if doc.version.legacy or (doc.faults is not None and KEEPS not in VERBS[doc.faults.kind].traits):
        return False
    if any(producer.acks != "all" for producer in doc.producers if producer.topic in topics):
        return False
    if any(allows_unclean(doc, topic) for topic in doc.topics if topic.name in topics):
        return False
    return _keeps_all(doc)


def _keeps_all(doc: Document) -> bool:
    return all(_keeps(entry.action.verb, entry.action.args) for entry in doc.timeline)


def _keeps(verb: str, args: tuple[str, ...]) -> bool:
    """True if an action leaves every copy, acks=all and clean elections as they are."""
    if verb == "start":
        return not is_emptied(verb, args)
    if verb == "acks":
        return args[-1] == "all"
    if verb == "elect":
        return "unclean" not in args
    if verb == "config":
        return "unclean.leader.election.enable" not in args
    return KEEPS in VERBS[verb].traits
