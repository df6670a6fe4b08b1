"""The time without a response to an application: one producer's calls to one partition, in one mode of acks (STOP-3).

The time begins with a ``send()`` and ends with the next success, whichever broker responds. A call that failed is no
success. Where no call waits any more, the time ends with the last failure, unless the application makes its next call
within theta. Stretches longer than theta count. ``vain`` is another time: from the first to the last of the responses
in a row whose records were lost already, as a replaced leader sends them. A single call's wait is in ``latency.Waits``.
"""

from typing import final

from mypy_extensions import i64, mypyc_attr

from simengine.verdict.outage import THETA_US, Closing, Outage


@mypyc_attr(acyclic=True)
@final
class NoResponse:
    """The time without a response, and the calls that wait."""

    __slots__ = ("_ended_at", "_vain_at", "acks", "out", "vain", "waiting")

    def __init__(self, acks: i64, closing: Closing) -> None:
        self.acks: i64 = acks
        self.out: Outage = Outage(closing)
        self.vain: Outage = Outage(closing)
        self.waiting: i64 = 0  # calls that have not ended
        self._ended_at: i64 = 0  # when the last call ended, where none waits
        self._vain_at: i64 = 0  # when the last response came whose record was lost already

    def called(self, count: i64, now: i64) -> None:
        """The application made calls."""
        if self.waiting == 0:
            if self.out.since >= 0 and now - self._ended_at > THETA_US:
                self.out.set(False, self._ended_at, 0)
            self.out.set(True, now, 0)
        self.out.call(count, now)
        self.waiting += count

    def ended(self, count: i64, is_success: bool, now: i64) -> None:
        """Calls ended."""
        self.waiting -= count
        if is_success:
            is_counted = self.out.open_us(now) > 0
            self.out.set(False, now, 0)
            if self.waiting > 0:
                self.out.set(True, now, 0)
                self.out.call(0 if is_counted else self.waiting, now)  # each call is held back once
        elif self.waiting == 0:
            self._ended_at = now

    def responded(self, is_lost: bool, now: i64) -> None:
        """A response came; ``is_lost``: it acknowledges a record that was lost already."""
        if is_lost:
            self.vain.set(True, now, 0)
            self._vain_at = now
        else:
            self.vain.set(False, self._vain_at, 0)

    def vain_us(self) -> i64:
        """The time in which every response was in vain."""
        return self.vain.us(self._vain_at)

    def us(self, now: i64) -> i64:
        """The time so far."""
        return self.out.us(self._until(now))

    def held(self, now: i64) -> i64:
        """Calls made in that time."""
        return self.out.held(self._until(now))

    def open_us(self, now: i64) -> i64:
        """The length (µs) of the stretch that is going on; 0 while that is only latency."""
        return self.out.open_us(self._until(now))

    def past_us(self, now: i64) -> i64:
        """The length (µs) of the longest stretch that is over; 0 if there is none."""
        return self.out.longest_us if self.is_waiting(now) else self.stretch_us(now)

    def is_waiting(self, now: i64) -> bool:
        """True if a call waits, or the last one failed and the next may come."""
        return self.waiting > 0 or (self.out.since >= 0 and now - self._ended_at <= THETA_US)

    def spans(self, now: i64) -> list[tuple[int, int]]:
        """The stretches that count."""
        return self.out.spans(self._until(now))

    def longest_since(self, now: i64) -> i64:
        """The moment at which the longest stretch began; -1 if there is none."""
        return self.out.longest_since(self._until(now))

    def stretch_us(self, now: i64) -> i64:
        """The length (µs) of the longest stretch; 0 if there is none."""
        return self.out.stretch_us(self._until(now))

    def _until(self, now: i64) -> i64:
        return now if self.waiting > 0 else min(now, self._ended_at)
