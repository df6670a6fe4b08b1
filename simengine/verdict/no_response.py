"""How long an application got no response: one producer's calls to one partition, in one mode of acks (section 5).

The time begins with a ``send()`` and ends with the next success. A call that failed is no success, nor is one that a
replaced leader acknowledged and whose records the newest leader has not. Where no call waits any more, the time ends
with the last failure, unless the application makes its next call within theta. Stretches longer than theta count.
``longest_us`` is that of a single call, from ``send()`` to its end, whatever became of the others.
"""

from typing import final

from mypy_extensions import i64, mypyc_attr

from simengine.verdict.outage import THETA_US, Closing, Outage


@mypyc_attr(acyclic=True)
@final
class NoResponse:
    """The time without a response, and the calls that wait."""

    __slots__ = ("_ended_at", "acks", "out", "waiting")

    def __init__(self, acks: i64, closing: Closing) -> None:
        self.acks: i64 = acks
        self.out: Outage = Outage(closing)
        self.waiting: i64 = 0  # calls that have not ended
        self._ended_at: i64 = 0  # when the last call ended, where none waits

    def called(self, count: i64, now: i64) -> None:
        """The application made calls."""
        if self.waiting == 0:
            if self.out.since >= 0 and now - self._ended_at > THETA_US:
                self.out.set(False, self._ended_at, 0)
            self.out.set(True, now, 0)
        self.waiting += count

    def ended(self, count: i64, is_success: bool, now: i64) -> None:
        """Calls ended."""
        self.waiting -= count
        if is_success:
            self.out.set(False, now, 0)
            if self.waiting > 0:
                self.out.set(True, now, 0)
        elif self.waiting == 0:
            self._ended_at = now

    def us(self, now: i64) -> i64:
        """The time so far."""
        return self.out.us(self._until(now))

    def open_us(self, now: i64) -> i64:
        """How long the stretch has lasted that is going on; 0 as long as that is latency."""
        return self.out.open_us(self._until(now))

    def longest_since(self, now: i64) -> i64:
        """When the longest stretch began; -1 without any."""
        return self.out.longest_since(self._until(now))

    def _until(self, now: i64) -> i64:
        return now if self.waiting > 0 else min(now, self._ended_at)
