"""Where acknowledged records may stand in one AZ only: now, by the ISR, and at any time, by min.insync.replicas.

A record of acks=all is on every member of the ISR when it is acknowledged, and the ISR has at least M members (PROD-3,
HW-3). So it may stand in one AZ only where an AZ holds M replicas of its partition.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from simengine.questions.az.partition_states import PartitionState, at_start
from simengine.scenario import Document
from simengine.verdict.sentence import listed, plural

NAMED_MAX: Final = 3
AZS_MIN: Final = 2  # in a cluster of one AZ every record is in it


@dataclass(frozen=True, slots=True)
class TopicInOneAz:
    """A topic with partitions whose acknowledged records may stand in one AZ only."""

    name: str
    count: int  # of its partitions
    partitions: int
    least: tuple[int, ...]  # M of these partitions, ascending


def now(doc: Document) -> list[tuple[PartitionState, str]]:
    """The partitions whose in-sync copies all stand in one AZ now, with that AZ."""
    homes = {broker.id: broker.rack for broker in doc.brokers}
    found = []
    for at in at_start(doc):
        racks = list(dict.fromkeys(homes[broker] for broker in at.isr))
        if len(racks) == 1 and racks[0] is not None:
            found.append((at, racks[0]))
    return found


def sentence(doc: Document) -> str:
    """How many partitions have all their in-sync copies in one AZ; "" for a cluster of fewer than two AZs."""
    if not _has_azs(doc):
        return ""
    found, total = now(doc), sum(1 for _ in at_start(doc))
    if not found:
        return "Every partition has in-sync copies in two AZs or more."
    named = [f"{at.topic}-{at.number} in {rack}" for at, rack in found]
    where = f": {listed(named)}" if len(named) <= NAMED_MAX else f", such as {named[0]}"
    return f"The in-sync copies of {len(found):,} of {plural(total, 'partition', 'partitions')} stand in one AZ{where}."


def at_any_time(doc: Document) -> list[TopicInOneAz]:
    """The topics that people make of which an acknowledged record may stand in one AZ only, most partitions first."""
    if not _has_azs(doc):
        return []
    weak: dict[str, list[int]] = {}
    for at in _made(doc):
        if _may_be_in_one(doc, at):
            weak.setdefault(at.topic, []).append(at.min_isr)
    sizes = {topic.name: len(topic.assignment) for topic in doc.topics}
    found = [TopicInOneAz(name, len(of), sizes[name], tuple(sorted(dict.fromkeys(of)))) for name, of in weak.items()]
    return sorted(found, key=lambda one: (-one.count, one.name))


def _made(doc: Document) -> Iterator[PartitionState]:
    return (at for at in at_start(doc) if not at.topic.startswith("__"))


def _may_be_in_one(doc: Document, at: PartitionState) -> bool:
    homes = {broker.id: broker.rack for broker in doc.brokers}
    observers = next(topic.observers for topic in doc.topics if topic.name == at.topic)
    racks = Counter(homes[broker] for broker in at.replicas if broker not in observers)
    del racks[None]
    return max(racks.values(), default=0) >= at.min_isr


def _has_azs(doc: Document) -> bool:
    return len(dict.fromkeys(broker.rack for broker in doc.brokers if broker.rack is not None)) >= AZS_MIN
