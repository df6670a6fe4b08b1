"""The state of every partition at one moment: as a document starts, or as a run has brought it there.

The two differ: a running replica outside the ISR catches up within a few fetches and is back in it (ISR-5), and a
partition without leader gets one where a member of its ISR or ELR runs (ELEC-3, ELR-4).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import required_isr
from simengine.scenario import Document
from simengine.scenario.model import InitialPartition, TopicEntry
from simengine.world.world import World

NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class PartitionState:
    """One partition: who leads it (-1: nobody), who may, and what its topic asks for (M as in HW-3)."""

    topic: str
    number: int
    replicas: tuple[int, ...]
    leader: int
    isr: tuple[int, ...]
    elr: tuple[int, ...]  # without brokers that are no replicas any more (ELR-2)
    last_known: tuple[int, ...]  # the last-known leader (ELR-6), unless the ELR holds a removed broker (ELR-2)
    observers: tuple[int, ...]  # never elected (OBS-1)
    min_isr: int
    unclean: bool

    @property
    def electable(self) -> tuple[int, ...]:
        """The replicas that an unclean election may find (UNC-4)."""
        return tuple(broker for broker in self.replicas if broker not in self.observers)


def at_start(doc: Document) -> Iterator[PartitionState]:
    """The partitions as the document states them."""
    down = {broker.id: True for broker in doc.brokers if broker.state != "running"}
    for topic in doc.topics:
        for number, replicas in zip(topic.numbers, topic.assignment, strict=True):
            isr = [broker for broker in replicas if broker not in down]
            state = topic.initial.get(number) or InitialPartition(leader=isr[0] if isr else NOBODY, isr=isr)
            lists = tuple(replicas), state.leader, tuple(state.isr), *_eligible(state, replicas), tuple(topic.observers)
            synced = [broker for broker in replicas if broker not in topic.observers]  # OBS-1
            least = int(required_isr(min_isr(doc, topic), len(synced)))
            yield PartitionState(topic.name, number, *lists, least, allows_unclean(doc, topic))


def at_moment(world: World) -> Iterator[PartitionState]:
    """The partitions as the controllers have them now, those of a topic that the cluster has made itself too."""
    image = world.cluster.quorum.image
    for p, (topic, number) in enumerate(world.cluster.partition_names):
        state = image.partition(p)
        if state is not None:
            eligible = *_eligible(state, state.replicas), tuple(state.observers)
            lists = tuple(state.replicas), int(state.leader), tuple(state.isr), *eligible
            least = int(required_isr(image.min_insync(topic), len(state.synced())))
            name = str(world.cluster.topics[topic].name)
            yield PartitionState(name, int(number), *lists, least, bool(image.unclean(topic)))


def _eligible(
    state: InitialPartition | PartitionRegistration, replicas: list[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The members of the ELR that can lead, and the last-known leader if it can ever lead."""
    elr = tuple(broker for broker in state.elr if broker in replicas)
    return elr, tuple(state.last_known) if len(elr) == len(state.elr) else ()


def min_isr(doc: Document, topic: TopicEntry) -> int:
    """min.insync.replicas of a topic: its own, else the cluster's, else 1."""
    value = topic.config.get("min.insync.replicas", doc.config.get("min.insync.replicas", 1))
    return int(value)


def allows_unclean(doc: Document, topic: TopicEntry) -> bool:
    """unclean.leader.election.enable of a topic: its own, else the cluster's, else false."""
    key = "unclean.leader.election.enable"
    return topic.config.get(key, doc.config.get(key, False)) is True
