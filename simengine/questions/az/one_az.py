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
Back = dict[tuple[str, int], list[int]]
AZS_MIN: Final = 2  # in a cluster of one AZ every record is in it


@dataclass(frozen=True, slots=True)
class TopicInOneAz:
    """A topic with partitions whose acknowledged records may stand in one AZ only."""

    name: str
    count: int  # of its partitions
    partitions: int
    least: tuple[int, ...]  # M of these partitions, ascending


def _racks_in_sync(doc: Document, back: Back) -> Iterator[tuple[PartitionState, list[str | None]]]:
    """Every partition with the AZs of its in-sync copies; None for brokers without an AZ."""
    homes = {broker.id: broker.rack for broker in doc.brokers}
    for at in at_start(doc):
        in_sync = (*at.isr, *back.get((at.topic, at.number), ()))
        yield at, list(dict.fromkeys(homes[broker] for broker in in_sync))


def sentence(doc: Document, back: Back) -> str:
    """How many partitions have all their in-sync copies in one AZ; "" for a cluster of fewer than two AZs.

    ``back``: followers that have come back into the ISR, by topic and number. Partitions without an in-sync copy, or
    with copies of which no AZ is known, are told apart.
    """
    if not _has_azs(doc):
        return ""
    every = list(_racks_in_sync(doc, back))
    found = [(at, racks[0]) for at, racks in every if len(racks) == 1 and racks[0] is not None]
    total = plural(len(every), "partition", "partitions")
    none = sum(not racks for _, racks in every)
    unknown = sum(None in racks and len(racks) < AZS_MIN + 1 for _, racks in every)
    if found:
        named = [f"{at.topic}-{at.number} in {rack}" for at, rack in found]
        where = f": {listed(named)}" if len(named) <= NAMED_MAX else f", such as {named[0]}"
        said = [f"The in-sync copies of {len(found):,} of {total} stand in one AZ{where}."]
    else:
        said = [] if none or unknown else ["Every partition has in-sync copies in two AZs or more."]
    said += [f"{none:,} of {total} {'has' if none == 1 else 'have'} no copy in sync."] if none else []
    said += [f"Of {unknown:,} of {total} the AZ of some in-sync copies is not known."] if unknown else []
    return " ".join(said)


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
    unknown = racks.pop(None, 0)  # they may all stand in the AZ with most copies
    return max(racks.values(), default=0) + unknown >= at.min_isr


def _has_azs(doc: Document) -> bool:
    return len(dict.fromkeys(broker.rack for broker in doc.brokers if broker.rack is not None)) >= AZS_MIN
