"""The copies that stand on the disks of a loss: which logs are gone with them, and which are fetched again."""

from dataclasses import dataclass

from simengine.questions.az.cell import Loss
from simengine.questions.az.partition_states import PartitionState, at_start
from simengine.scenario import Document


@dataclass(frozen=True, slots=True)
class OnDisks:
    """A partition with at least one copy on these disks. ``there``: the brokers of these copies."""

    at: PartitionState
    there: tuple[int, ...]

    @property
    def is_gone(self) -> bool:
        """Whether every copy is on these disks."""
        return len(self.there) == len(self.at.replicas)


def on_disks(doc: Document, loss: Loss) -> list[OnDisks]:
    """The partitions with a copy on the disks of a loss, those without another copy first."""
    disks = dict.fromkeys(loss.disks, True)
    found = [OnDisks(at, tuple(one for one in at.replicas if one in disks)) for at in at_start(doc)]
    return sorted((one for one in found if one.there), key=lambda one: not one.is_gone)
