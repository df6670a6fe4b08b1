"""The spans after a ``heal`` or a ``start`` in which the real world may be later than a model (rules 1, 2, 5, 6)."""

from typing import NamedTuple

from simengine.recordings.model import Recording
from simengine.recordings.tolerances import (
    HEAL_LATE_S,
    HEAL_SPAN_S,
    START_LATE_S,
    START_SPAN_S,
    STEP_WIDER_S,
    WAIT_WIDER_S,
)


class Windows(NamedTuple):
    """The times at which the script healed cuts and started processes, in seconds."""

    heals: tuple[float, ...]
    starts: tuple[float, ...]

    @classmethod
    def of(cls, recording: Recording) -> "Windows":
        """The windows of a recording's script."""
        return cls(tuple(recording.times_of("heal")), tuple(recording.times_of("start")))

    def healing(self, t: float) -> bool:
        """True if t lies within HEAL_SPAN_S after a heal."""
        return any(heal <= t <= heal + HEAL_SPAN_S for heal in self.heals)

    def healing_both(self, earlier: float, later: float) -> bool:
        """True if both times lie within HEAL_SPAN_S after one heal."""
        return any(heal <= earlier and later <= heal + HEAL_SPAN_S for heal in self.heals)

    def starting(self, t: float) -> bool:
        """True if t lies within START_SPAN_S after a start."""
        return any(start <= t <= start + START_SPAN_S for start in self.starts)

    def step_range(self, t: float, first: float, last: float) -> tuple[float, float]:
        """The range in which a real step at t must lie when the runs have it from first to last (rule 2)."""
        late = STEP_WIDER_S
        late += HEAL_LATE_S if self.healing(t) else 0.0
        late += START_LATE_S if self.starting(t) else 0.0
        return first - STEP_WIDER_S, last + late

    def wait_range(self, shortest: float, longest: float) -> tuple[float, float]:
        """The range in which a real wait must lie when the runs wait from shortest to longest (rules 5 and 6)."""
        late = HEAL_LATE_S if self.heals else 0.0
        return shortest - WAIT_WIDER_S, longest + WAIT_WIDER_S + late
