"""The copies that stand on the disks of a loss: which logs are gone with them, and which are fetched again."""

from collections.abc import Callable
from dataclasses import dataclass

from simengine.questions.az.cell import AzLoss
from simengine.questions.az.partition_states import PartitionState, at_start
from simengine.scenario import Document
from simengine.scenario.model import TopicEntry


@dataclass(frozen=True, slots=True)
class OnDisks:
    """A partition with at least one copy on these disks. ``there``: the brokers of these copies.

    ``elsewhere``: the copies on other disks that are in sync, or come back into the ISR before the loss.
    """

    at: PartitionState
    there: tuple[int, ...]
    elsewhere: tuple[int, ...]

    @property
    def is_gone(self) -> bool:
        """True if every copy is on these disks."""
        return len(self.there) == len(self.at.replicas)

    @property
    def loses_newest(self) -> bool:
        """True if copies are left, but all of them lack the newest records."""
        return not self.is_gone and not self.elsewhere


def on_disks(doc: Document, loss: AzLoss) -> list[OnDisks]:
    """The partitions with a copy on the disks of a loss, those without another copy first."""
    disks = dict.fromkeys(loss.disks, True)
    able = {(topic.name, number): _able(doc, topic, number) for topic in doc.topics for number in topic.numbers}
    found = [
        OnDisks(
            at,
            there=tuple(one for one in at.replicas if one in disks),
            elsewhere=tuple(one for one in at.replicas if one not in disks and able[at.topic, at.number](one)),
        )
        for at in at_start(doc)
    ]
    return sorted((one for one in found if one.there), key=lambda one: (not one.is_gone, not one.loses_newest))


def _able(doc: Document, topic: TopicEntry, number: int) -> Callable[[int], bool]:
    """Tells of a replica whether it is in sync when the loss comes."""
    runs = [broker.id for broker in doc.brokers if broker.state == "running"]
    state = topic.initial.get(number)
    if state is None:
        return lambda broker: broker in runs
    return lambda broker: broker in state.isr or broker in runs and broker not in state.failed
