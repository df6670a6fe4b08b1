"""Outages: intervals longer than theta, and the open one."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

THETA_US: Final = 1_000_000  # interruptions that are not longer are latency
NEVER: Final = 1 << 62


@mypyc_attr(acyclic=True)
@final
class Closing:
    """The moment (us) after which a run counts no time, shared by all its counters; NEVER if the run is not closed."""

    __slots__ = ("us",)

    def __init__(self, us: i64 = NEVER) -> None:
        self.us: i64 = us


@mypyc_attr(acyclic=True)
@final
class Outage:
    """The outages of one kind of a partition: finished intervals longer than theta, and the open one.

    No time counts after ``closing``.
    """

    __slots__ = (
        "_held",
        "_held_now",
        "cause",
        "closing",
        "intervals",
        "longest_cause",
        "longest_us",
        "since",
        "total_us",
    )

    def __init__(self, closing: Closing) -> None:
        self.closing = closing
        self.since: i64 = -1
        self.cause: i64 = 0
        self.total_us: i64 = 0
        self.longest_cause: i64 = 0
        self.longest_us: i64 = 0
        self.intervals: tuple[tuple[int, int], ...] = ()
        self._held: i64 = 0  # calls made in finished intervals ...
        self._held_now: i64 = 0  # ... and in the one that is going on

    def set(self, is_out: bool, now: i64, cause: i64) -> None:
        """Begin an outage now, or end the open one."""
        if is_out:
            if self.since < 0:
                self.since = now
                self.cause = cause
        elif self.since >= 0:
            end = min(now, self.closing.us)
            length = end - self.since
            if length > THETA_US:
                self.total_us += length
                self.intervals += ((int(self.since), int(end)),)
                self._held += self._held_now
                if length > self.longest_us:
                    self.longest_us = length
                    self.longest_cause = self.cause
            self.since = -1
            self._held_now = 0

    def goes_on_since(self, since: i64) -> None:
        """The open outage began then: intervals that end later become part of it."""
        while self.intervals and self.intervals[-1][1] > since:
            start, end = self.intervals[-1]
            self.intervals = self.intervals[:-1]
            self.total_us -= end - start
            since = min(since, start)
        self.longest_us = max([end - start for start, end in self.intervals], default=0)
        if self.since < 0 or since < self.since:
            self.since = since

    def call(self, count: i64, now: i64) -> None:
        """Count calls that are made now."""
        if self.since >= 0 and now < self.closing.us:
            self._held_now += count

    def held(self, now: i64) -> i64:
        """Calls made while it was out."""
        return self._held + self._held_now if self.open_us(now) > 0 else self._held

    def open_us(self, now: i64) -> i64:
        """Microseconds of the open outage; 0 while it is no longer than theta."""
        lasted: i64 = min(now, self.closing.us) - self.since if self.since >= 0 else 0
        return lasted if lasted > THETA_US else 0

    def us(self, now: i64) -> i64:
        """The time out so far, the open interval included once it is longer than theta."""
        return self.total_us + self.open_us(now)

    def spans(self, now: i64) -> list[tuple[int, int]]:
        """Its intervals in order, the one that is going on included once it is longer than theta."""
        found = list(self.intervals)
        if self.open_us(now) > 0:
            found.append((int(self.since), int(min(now, self.closing.us))))
        return found

    def longest_since(self, now: i64) -> i64:
        """The moment at which the longest outage began, the one that is going on included; -1 if there is none."""
        since: i64 = -1
        longest: i64 = 0
        if self.open_us(now) > 0:
            since, longest = self.since, self.open_us(now)
        for start, end in self.intervals:
            if end - start > longest:
                since, longest = start, end - start
        return since

    def stretch_us(self, now: i64) -> i64:
        """The length (µs) of the longest outage, the one that is going on included; 0 if there is none."""
        return max(self.longest_us, self.open_us(now))

    def deciding(self, now: i64) -> i64:
        """The fact that began the longest outage, the one that is going on included."""
        return self.cause if self.open_us(now) > self.longest_us else self.longest_cause


def common_us(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> i64:
    """Microseconds that two lists of intervals share; each list is in order and without overlaps."""
    total: i64 = 0
    for start, end in one:
        for first, last in other:
            if first >= end:
                break
            total += max(0, min(end, last) - max(start, first))
    return total
