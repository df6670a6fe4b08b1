"""A real run prepared for comparison."""

from dataclasses import dataclass

from simengine.recordings.matching import placed_by_cluster
from simengine.recordings.model import Recording
from simengine.recordings.summary import Summary, summarise
from simengine.recordings.windows import Windows


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording with what the rules look at in it."""

    recording: Recording
    summary: Summary
    windows: Windows
    placed: tuple[str, ...]  # topics that the cluster placed itself

    @classmethod
    def of(cls, recording: Recording) -> "Recorded":
        """Prepare a recording."""
        summary = summarise(recording, recording.end())
        return cls(recording, summary, Windows.of(recording), tuple(placed_by_cluster(recording)))

    def is_compared(self, partition: str) -> bool:
        """Whether rules 1 and 2 look at this partition's steps."""
        return partition.rpartition("-")[0] not in self.placed
