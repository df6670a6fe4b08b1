"""The spans after a ``heal`` or a ``start`` in which the real world may be later than a model (rules 1, 2, 5, 6)."""

from typing import Final, NamedTuple

from simengine.recordings.model import Recording

HEAL_SPAN_S: Final = 35.0  # a step this soon after a heal may have waited for a TCP connection
HEAL_LATE_S: Final = 31.0  # a real TCP connection may need 30 s to notice (TCP-1)
START_SPAN_S: Final = 25.0  # a step this soon after a start may have waited for a busy machine
START_LATE_S: Final = 3.0
STEP_WIDER_S: Final = 1.5  # rule 2, on both sides
WAIT_WIDER_S: Final = 3.0  # rules 5 and 6, on both sides


class Windows(NamedTuple):
    """When the script healed cuts and started processes, in seconds."""

    heals: tuple[float, ...]
    starts: tuple[float, ...]

    @classmethod
    def of(cls, recording: Recording) -> "Windows":
        """The windows of a recording's script."""
        return cls(tuple(recording.times_of("heal")), tuple(recording.times_of("start")))

    def healing(self, t: float) -> bool:
        """Whether t lies within HEAL_SPAN_S after a heal."""
        return any(heal <= t <= heal + HEAL_SPAN_S for heal in self.heals)

    def healing_both(self, earlier: float, later: float) -> bool:
        """Whether both times lie within HEAL_SPAN_S after one heal."""
        return any(heal <= earlier and later <= heal + HEAL_SPAN_S for heal in self.heals)

    def starting(self, t: float) -> bool:
        """Whether t lies within START_SPAN_S after a start."""
        return any(start <= t <= start + START_SPAN_S for start in self.starts)

    def step_range(self, t: float, first: float, last: float) -> tuple[float, float]:
        """Where a real step at t must lie when the runs have it from first to last (rule 2)."""
        late = STEP_WIDER_S
        late += HEAL_LATE_S if self.healing(t) else 0.0
        late += START_LATE_S if self.starting(t) else 0.0
        return first - STEP_WIDER_S, last + late

    def wait_range(self, shortest: float, longest: float) -> tuple[float, float]:
        """Where a real wait must lie when the runs wait from shortest to longest (rules 5 and 6)."""
        late = HEAL_LATE_S if self.heals else 0.0
        return shortest - WAIT_WIDER_S, longest + WAIT_WIDER_S + late
