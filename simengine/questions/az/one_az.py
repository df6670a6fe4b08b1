"""Acknowledged records that may be in one AZ only: now, by the ISR, and at any time, by min.insync.replicas.

A record of acks=all is on every member of the ISR when it is acknowledged, and the ISR has at least M members (PROD-3,
HW-3). So it may stand in one AZ only where an AZ holds M replicas of its partition.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from simengine.questions.az.partition_states import PartitionState, at_start, min_isr
from simengine.scenario import Document
from simengine.words.phrases import listed, plural

NAMED_MAX: Final = 3
Back = dict[tuple[str, int], list[int]]
AZS_MIN: Final = 2  # in a cluster of one AZ every record is in it


@dataclass(frozen=True, slots=True)
class TopicInOneAz:
    """A topic with partitions whose acknowledged records may stand in one AZ only."""

    name: str
    count: int  # of its partitions
    partitions: int
    least: tuple[int, ...]  # M of these partitions, ascending
    set_to: int  # M as it is set: with fewer replicas it counts as their number

    @property
    def why(self) -> str:
        """``min ISR 2``, ``min ISR 2 counts as 1``."""
        told = listed([str(least) for least in self.least])
        return f"min ISR {told}" if self.set_to in self.least else f"min ISR {self.set_to} counts as {told}"


def _racks_in_sync(doc: Document, back: Back) -> Iterator[tuple[PartitionState, list[str | None]]]:
    """Every partition with the AZs of its in-sync copies on brokers that run; None for brokers without an AZ."""
    homes = {broker.id: broker.rack for broker in doc.brokers}
    runs = {broker.id: True for broker in doc.brokers if broker.state != "down"}
    for at in at_start(doc):
        in_sync = [broker for broker in (*at.isr, *back.get((at.topic, at.number), ())) if broker in runs]
        yield at, list(dict.fromkeys(homes[broker] for broker in in_sync))


def sentence(doc: Document, back: Back) -> str:
    """A sentence on partitions with all in-sync copies in one AZ; "" for a cluster of fewer than two AZs.

    ``back``: followers that have come back into the ISR, by topic and number. Partitions without an in-sync copy, or
    with copies of which no AZ is known, are told apart.
    """
    if not has_azs(doc):
        return ""
    every = list(_racks_in_sync(doc, back))
    total = plural(len(every), "partition", "partitions")
    none = sum(not racks for _, racks in every)
    unknown = sum(None in racks and len(racks) < AZS_MIN + 1 for _, racks in every)
    said = [_in_one_words(every, total)]
    if not any(said) and not none and not unknown:
        said = ["Every partition has in-sync copies in two AZs or more."]
    said += [f"{none:,} of {total} {'has' if none == 1 else 'have'} no running copy in sync."] if none else []
    said += [f"Of {unknown:,} of {total} the AZ of some in-sync copies is not known."] if unknown else []
    return " ".join(said).strip()


def _in_one_words(every: list[tuple[PartitionState, list[str | None]]], total: str) -> str:
    """The count of partitions with all in-sync copies in one AZ, few of them by name; "" if there is none."""
    named = [f"{at.topic}-{at.number} in {racks[0]}" for at, racks in every if len(racks) == 1 and racks[0] is not None]
    if not named:
        return ""
    where = f": {listed(named)}" if len(named) <= NAMED_MAX else f", such as {named[0]}"
    return f"The in-sync copies of {len(named):,} of {total} stand in one AZ{where}."


def at_any_time(doc: Document) -> list[TopicInOneAz]:
    """The topics that people make of which an acknowledged record may stand in one AZ only, most partitions first."""
    if not has_azs(doc):
        return []
    weak: dict[str, list[int]] = {}
    for at in _made(doc):
        if _may_be_in_one(doc, at):
            weak.setdefault(at.topic, []).append(at.min_isr)
    topics = [topic for topic in doc.topics if topic.name in weak]
    found = [
        TopicInOneAz(one.name, len(of), len(one.assignment), tuple(sorted(dict.fromkeys(of))), min_isr(doc, one))
        for one in topics
        for of in (weak[one.name],)
    ]
    return sorted(found, key=lambda one: (-one.count, one.name))


def _made(doc: Document) -> Iterator[PartitionState]:
    return (at for at in at_start(doc) if not at.topic.startswith("__"))


def _may_be_in_one(doc: Document, at: PartitionState) -> bool:
    homes = {broker.id: broker.rack for broker in doc.brokers}
    racks = Counter(homes[broker] for broker in at.electable)
    unknown = racks.pop(None, 0)  # they may all stand in the AZ with most copies
    return max(racks.values(), default=0) + unknown >= at.min_isr


def has_azs(doc: Document) -> bool:
    """True if the brokers stand in two AZs or more."""
    return len(dict.fromkeys(broker.rack for broker in doc.brokers if broker.rack is not None)) >= AZS_MIN
