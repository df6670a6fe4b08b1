"""time_total_order: event times never fall, and ties go by a number that the calendar has stored."""

from typing import Final, final

from mypy_extensions import i64

from simengine.kernel.calendar import ACTION_CLASS_BIT
from simengine.kernel.sim import Witness
from tests.invariants.violation import demand

NAME: Final = "time_total_order"


@final
class TimeChecks(Witness):
    """Sees each event as it comes, by its time and its number.

    Actions and other events are numbered apart; an action that becomes known in its own microsecond comes after what
    has happened in it. So of each class alone the numbers must rise within a microsecond.
    """

    __slots__ = ("_last_action", "_last_event", "_time")

    def __init__(self) -> None:
        self._time: i64 = 0
        self._last_action: i64 = 0
        self._last_event: i64 = 0

    def comes(self, time: i64, order: i64) -> None:
        """An event happens now."""
        if time != self._time:
            if time < self._time:
                demand(False, NAME, "the run", f"{int(time)} us after {int(self._time)} us")
            self._time = time
            self._last_action = 0
            self._last_event = 0
        if order < ACTION_CLASS_BIT:
            if order <= self._last_action:
                demand(False, NAME, "the run", told("action", time, order, self._last_action))
            self._last_action = order
        else:
            if order <= self._last_event:
                demand(False, NAME, "the run", told("event", time, order, self._last_event))
            self._last_event = order


def told(what: str, time: i64, order: i64, before: i64) -> str:
    """Two things of one moment in the wrong order."""
    return f"{what} {int(order)} came after {int(before)} at {int(time)} us"
