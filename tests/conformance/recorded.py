"""A real run prepared for comparison."""

from dataclasses import dataclass

from simengine.recordings.model import Recording
from tests.conformance.summary import Summary, summarise
from tests.conformance.windows import Windows


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording with what the rules look at in it."""

    recording: Recording
    summary: Summary
    windows: Windows

    @classmethod
    def of(cls, recording: Recording) -> "Recorded":
        """Prepare a recording."""
        summary = summarise(recording, recording.end())
        return cls(recording, summary, Windows.of(recording))
