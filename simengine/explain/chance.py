"""A moment near a fault at which the same fault would have lost records, where it lost none by luck.

Found by trying: the document runs again with the same action a little sooner and everything else as it was; the fault's
own entry stays and changes nothing, as what it breaks is broken already. So a fork at that moment, with what came
after, shows the same run.
"""

from typing import Any, Final

from simengine.explain.decide import lost_in, sooner
from simengine.explain.fact_index import FactIndex
from simengine.facts.decisive import PartitionChanged, Truncated
from simengine.facts.kinds import ELECTION_NONE
from simengine.facts.trace import Decisive
from simengine.scenario.action_words import NodeName, inside
from simengine.scenario.actions import is_emptied
from simengine.scenario.model import Document, TimelineEntry
from simengine.scenario.verbs import POWER_LOSS
from simengine.words.phrases import listed, plural
from simengine.world.world import World

SOONER_MS: Final = (5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1000)
UNCLEAN: Final = "unclean.leader.election.enable"
OFFERS_MAX: Final = 3  # faults for which a moment is looked for, the newest first
GONE: Final = ("lost", "lost_before", "vanished", "groups_lost")  # figures of a topic that has lost something

Json = dict[str, Any]


def unlucky_moments(world: World, past: FactIndex, verdict: Json, incidents: list[Json], name: NodeName) -> list[Json]:
    """For each fault that lost nothing by luck: the nearest moment before it at which it would have, if one is found.

    ``do`` at ``at_us`` is the action to fork with, ``instead_of_us`` when it was done; ``lost``: records by topic.
    """
    if not _may_lose(world):
        return []
    doc, until_us = world.doc, int(world.now_us)
    kept = [topic["topic"] for topic in verdict["topics"] if topic["acked"] and not topic["lost"]]
    moved = _moved_logs(past)
    tried = {one["at_us"]: True for one in incidents if one["at_us"] in moved and not any(_harm(one["rpo"]))}
    is_whole = not any(topic[key] for topic in verdict["topics"] for key in GONE)
    entries = [entry for entry in doc.timeline if entry.at_us in tried and entry.at_us <= until_us]
    offers = [_offer(doc, until_us, entry, kept, is_whole, name) for entry in entries[::-1][:OFFERS_MAX]]
    return [offer for offer in offers if offer is not None]


def _may_lose(world: World) -> bool:
    """False if the rules exclude a loss at any moment: acks=all, clean elections, and no log loses its end.

    With acks=1 a leader answers after its own write (PROD-4). An unclean election takes a replica outside the ISR
    (UNC-1). A power loss (LOG-8), an empty disk and the truncation of old versions (LEG-1) take the end of a log.
    """
    image = world.cluster.quorum.image
    known = [image.partition(account.p) for account in world.book.accounts]
    return bool(
        world.doc.version.legacy
        or any(run.acks >= 0 for account in world.book.accounts for run in account.losses.acked)
        or any(one is not None and image.unclean(one.topic) for one in known)
        or any(_takes_records(entry) for entry in world.doc.timeline)
    )


def _takes_records(entry: TimelineEntry) -> bool:
    """True if an action may take acknowledged records though all elections of the settings are clean."""
    verb, args = entry.action.verb, entry.action.args
    is_unclean = (verb == "elect" and args[0] == "unclean") or (verb == "config" and UNCLEAN in args)
    return verb == POWER_LOSS or is_unclean or is_emptied(*entry.action)


def _moved_logs(past: FactIndex) -> dict[int, bool]:
    """The moments of the actions by which a partition got another leader or none, or a log lost its end."""
    elections = [fact for fact in past.of(PartitionChanged) if fact.election != ELECTION_NONE]
    facts: list[Decisive] = [*elections, *past.of(Truncated)]
    return {done.t: True for done in map(past.action, facts) if done is not None}


def _harm(rpo: Json) -> list[Any]:
    """All that an incident lost, or may have lost."""
    return [rpo["all"], rpo["1"], rpo["groups"], rpo["undetermined"], rpo["elsewhere"]["count"]]


def _offer(
    doc: Document, until_us: int, entry: TimelineEntry, kept: list[str], is_whole: bool, name: NodeName
) -> Json | None:
    """The first sooner moment at which the action loses records of topics that have lost none; None without one.

    ``is_whole``: the run has lost nothing of any topic; else the sentence names the topics that it is about.
    """
    before = max((other.at_us for other in doc.timeline if other.at_us < entry.at_us), default=0)
    for at_us in (entry.at_us - ms * 1000 for ms in SOONER_MS):
        if at_us <= before:
            return None
        found = lost_in(sooner(doc, entry, at_us), until_us)
        lost = {topic: found[topic] for topic in kept if found.get(topic)}
        if lost:
            do = str(entry.action)
            of = " and ".join(f"{plural(count, 'record', 'records')} of {topic}" for topic, count in lost.items())
            when = f"{inside(do, name)} at {at_us / 1e6:.3f} s instead of {entry.at_us / 1e6:.3f} s"
            are = "is" if sum(lost.values()) == 1 else "are"
            what = "nothing" if is_whole else f"no acknowledged record of {listed(list(lost))}"
            words = f"By luck {what} was lost: if {when}, {of} {are} lost (checked)."
            return {"at_us": at_us, "do": do, "instead_of_us": entry.at_us, "lost": lost, "words": words}
    return None
