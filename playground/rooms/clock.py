"""The clock of a room: wall time, simulated time, speed. Pure: it is told the wall time and never asks for it."""

from dataclasses import dataclass, field

from playground.rooms.limits import SPEED_NORMAL_US, STALL_MAX_S

TRUE_SPEED_WINDOW_S = 1.0


@dataclass
class Clock:
    """Says which microsecond a run should have reached; what the engine cannot keep up with slows it.

    ``speed_us`` is simulated microseconds a second of wall time. ``wall`` is any monotonic time in seconds.
    """

    t_us: int = 0
    speed_us: int = SPEED_NORMAL_US
    playing: bool = False
    _anchor_t: int = 0
    _anchor_wall: float = 0.0
    _last_wall: float = 0.0
    _window: tuple[float, int] = field(default=(0.0, 0))
    true_speed_us: int = 0

    def play(self, wall: float) -> None:
        """Let time run from ``wall`` on."""
        self.playing = True
        self._set_anchor(wall)
        self._window = (wall, self.t_us)

    def pause(self) -> None:
        """Stop time where it stands."""
        self.playing = False
        self.true_speed_us = 0

    def set_speed(self, speed_us: int, wall: float) -> None:
        """Change the speed; time does not jump."""
        if speed_us == self.speed_us:
            return
        self.speed_us = speed_us
        self._set_anchor(wall)
        self._window = (wall, self.t_us)

    def due(self, wall: float) -> int:
        """The microsecond that the run should have reached at ``wall``."""
        if not self.playing:
            return self.t_us
        if wall - self._last_wall > STALL_MAX_S:  # the process slept: time did too
            self._anchor_t = self.t_us
            self._anchor_wall = wall - STALL_MAX_S
        self._last_wall = wall
        return max(self.t_us, self._anchor_t + round((wall - self._anchor_wall) * self.speed_us))

    def reached(self, t_us: int, due_us: int, wall: float) -> None:
        """The run reached ``t_us`` when ``due_us`` was asked for; falling short slows the clock."""
        self.t_us = t_us
        if t_us != due_us:
            self._set_anchor(wall)
        begin, from_us = self._window
        if wall - begin >= TRUE_SPEED_WINDOW_S:
            self.true_speed_us = int((t_us - from_us) / (wall - begin))
            self._window = (wall, t_us)

    def jump(self, t_us: int, wall: float) -> None:
        """Time is now ``t_us`` (a step, an action, a way back)."""
        self.t_us = t_us
        self._set_anchor(wall)
        self._window = (wall, t_us)

    def _set_anchor(self, wall: float) -> None:
        self._anchor_t = self.t_us
        self._anchor_wall = wall
        self._last_wall = wall
