"""The state that every part of a run shares: the time, the calendar, the trace and the seed."""

from typing import final

from mypy_extensions import i64

from simengine.facts.trace import Trace
from simengine.kernel.calendar import Calendar, Event
from simengine.kernel.random import Stream


class Witness:
    """An observer of each event as it comes; for checks."""

    __slots__ = ()

    def comes(self, time: i64, order: i64) -> None:
        """An event happens at a time (us); ``order``: its class and serial in the calendar."""


@final
class Sim:
    """The clockwork of one run. Times are integer microseconds since the start of the run."""

    __slots__ = ("calendar", "events", "now", "seed", "trace", "witness")

    def __init__(self, seed: int) -> None:
        self.now: i64 = 0
        self.events: i64 = 0
        self.seed: int = seed
        self.calendar: Calendar = Calendar()
        self.trace: Trace = Trace()
        self.witness: Witness | None = None

    def stream(self, entity: str, purpose: str) -> Stream:
        """The random stream of an entity for a purpose; ask once and keep it."""
        return Stream(self.seed, entity, purpose)

    def at(self, time: i64, event: Event) -> None:
        """Let an event happen at a time, but not before now."""
        self.calendar.push(event, time if time > self.now else self.now)

    def after(self, delay: i64, event: Event) -> None:
        """Let an event happen after a delay."""
        self.calendar.push(event, self.now + delay)

    def run(self, until: i64, budget: i64) -> i64:
        """Execute the events up to ``until`` (included), at most ``budget`` of them (0: no limit); the time reached."""
        calendar = self.calendar
        trace = self.trace
        witness = self.witness
        left = budget
        while True:
            time = calendar.next_at()
            if time < 0 or time > until:
                break
            if budget > 0:
                if left == 0:
                    return self.now
                left -= 1
            event = calendar.pop()
            self.now = time
            trace.now = time
            self.events += 1
            if witness is not None:
                witness.comes(time, calendar.taken)
            event.fire()
        self.now = until
        trace.now = until
        return until
