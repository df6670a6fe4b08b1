"""The incidents of a run, as alerts should see them: times in which a cluster was not whole.

A cluster is whole while every process runs, every partition has a leader and its full ISR, and no link, disk or
response is cut or slowed. Records that are lost belong to the incident of that moment, or to the last one before it.
"""

from dataclasses import dataclass, field
from typing import Final

from simengine.facts.decisive import (
    ActionDone,
    LinkChanged,
    MirrorProcessChanged,
    PartitionChanged,
    ProcessChanged,
    RecordsBack,
    RecordsLost,
    ServingChanged,
    SlowChanged,
    TopicDeleted,
)
from simengine.facts.kinds import PROCESS_RUNNING
from simengine.facts.trace import Decisive
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.scenario.verb import FAULT
from simengine.scenario.verbs import with_trait

NEVER: Final = -1
TEXTS_MAX: Final = 4  # faults that name an incident
FAULTS: Final = with_trait(FAULT)

Broken = tuple[str, int, int]


@dataclass(slots=True)
class ClusterIncident:
    """A time in which the cluster was not whole, us; ``texts``: what was done in it, as the timeline has it."""

    from_us: int
    to_us: int = NEVER
    texts: list[str] = field(default_factory=list)
    lost: int = 0

    def overlaps(self, from_us: int, to_us: int) -> bool:
        """True if it has a moment in common with a span; ``to_us`` `NEVER`: without an end."""
        return (to_us == NEVER or self.from_us <= to_us) and (self.to_us == NEVER or self.to_us >= from_us)


class IncidentLog:
    """Reads a run's facts as they come.

    ``broken``: what is not whole at the start; ``partition_names``: (topic, number) of each partition, as it grows.
    """

    def __init__(self, broken: set[Broken], partition_names: list[tuple[int, int]]) -> None:
        self.incidents: list[ClusterIncident] = []
        self.lost = 0  # acknowledged records that are gone, so far
        self.first_lost_us = NEVER  # when the first of them was lost
        self._broken = broken
        self._partition_names = partition_names
        self._read = 0
        self._fault = ""  # the newest one that names no incident yet
        if broken:
            self.incidents.append(ClusterIncident(0))

    def read(self, facts: list[Decisive]) -> None:
        """Take in the facts that have come since the last time."""
        for k in range(self._read, len(facts)):
            self._take(facts[k])
        self._read = len(facts)

    def _take(self, fact: Decisive) -> None:
        if isinstance(fact, ActionDone):
            self._fault = fact.text if fact.verb in FAULTS else self._fault
            if self._broken:
                self._name(self.incidents[-1])
        elif isinstance(fact, RecordsLost):
            self._lose(int(fact.count), int(fact.t))
        elif isinstance(fact, RecordsBack):
            self._lose(-int(fact.count), int(fact.t))
        elif isinstance(fact, TopicDeleted):
            gone = [p for p in self._partitions() if self._partition_names[p][0] == fact.topic]
            self._mend([("partition", p, 0) for p in gone], int(fact.t))
        else:
            for one, is_broken in changes_in(fact):
                self._change(one, is_broken, int(fact.t))

    def _change(self, one: Broken, is_broken: bool, at_us: int) -> None:
        if not is_broken:
            self._mend([one], at_us)
            return
        if not self._broken:
            last = self.incidents[-1] if self.incidents else None
            if last is None or last.to_us != at_us:
                self.incidents.append(ClusterIncident(at_us))
            self.incidents[-1].to_us = NEVER
            self._name(self.incidents[-1])
        self._broken.add(one)

    def _mend(self, ones: list[Broken], at_us: int) -> None:
        if self._broken and not self._broken.difference(ones):
            self.incidents[-1].to_us = at_us
        self._broken.difference_update(ones)

    def _partitions(self) -> list[int]:
        return [number for kind, number, _ in self._broken if kind == "partition"]

    def _name(self, incident: ClusterIncident) -> None:
        if self._fault and self._fault not in incident.texts and len(incident.texts) < TEXTS_MAX:
            incident.texts.append(self._fault)
        self._fault = ""

    def _lose(self, count: int, at_us: int) -> None:
        self.first_lost_us = at_us if self.lost == 0 else self.first_lost_us
        self.lost += count
        if not self.incidents:
            self.incidents.append(ClusterIncident(at_us, at_us))
            self._name(self.incidents[-1])
        self.incidents[-1].lost += count


def is_whole(partition: PartitionChanged | PartitionRegistration) -> bool:
    """True if a partition has a leader and its ISR as many members as replicas; those that are added do not count.

    UnderReplicatedPartitions counts so (MET-1).
    """
    return partition.leader >= 0 and len(partition.isr) >= len(partition.replicas) - len(partition.adding)


def changes_in(fact: Decisive) -> list[tuple[Broken, bool]]:
    """The parts of the cluster that a fact says are broken (True) or whole."""
    if isinstance(fact, ProcessChanged):
        return [(("process", int(fact.node), 0), fact.state != PROCESS_RUNNING)]
    if isinstance(fact, MirrorProcessChanged):
        return [(("mirror", int(fact.process), 0), fact.state != PROCESS_RUNNING)]
    if isinstance(fact, SlowChanged):
        return [(("copying", int(fact.broker), 0), fact.per_s >= 0)]
    if isinstance(fact, ServingChanged):
        return [(("serving", int(fact.broker), 0), fact.per_s >= 0)]
    if isinstance(fact, LinkChanged):
        return [(("link", int(fact.src), int(fact.dst)), bool(fact.cut or fact.slow_us))]
    if isinstance(fact, PartitionChanged):
        return [(("partition", int(fact.p), 0), not is_whole(fact))]
    return []
