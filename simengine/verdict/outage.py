"""For how long something was out: intervals longer than theta, and the one that is going on."""

from typing import Final, final

from mypy_extensions import i64

THETA_US: Final = 1_000_000  # interruptions that are not longer are latency
NEVER: Final = 1 << 62


@final
class Outage:
    """Time during which a partition was out in one sense: finished intervals longer than theta, and the open one.

    Nothing counts after ``until``, the moment at which a run is closed (NEVER: it is not).
    """

    __slots__ = (
        "_taken",
        "_taken_now",
        "cause",
        "intervals",
        "longest_cause",
        "longest_us",
        "since",
        "total_us",
        "until",
    )

    def __init__(self, until: i64 = NEVER) -> None:
        self.until: i64 = until
        self.since: i64 = -1
        self.cause: i64 = 0
        self.total_us: i64 = 0
        self.longest_cause: i64 = 0
        self.longest_us: i64 = 0
        self.intervals: list[tuple[int, int]] = []
        self._taken: i64 = 0  # calls that a leader without an office acknowledged in finished intervals ...
        self._taken_now: i64 = 0  # ... and in the one that is going on

    def set(self, is_out: bool, now: i64, cause: i64) -> None:
        """The partition is out from now on, or it is not."""
        if is_out:
            if self.since < 0:
                self.since = now
                self.cause = cause
        elif self.since >= 0:
            end = min(now, self.until)
            length = end - self.since
            if length > THETA_US:
                self.total_us += length
                self.intervals.append((int(self.since), int(end)))
                self._taken += self._taken_now
                if length > self.longest_us:
                    self.longest_us = length
                    self.longest_cause = self.cause
            self.since = -1
            self._taken_now = 0

    def take(self, count: i64) -> None:
        """A leader that has been replaced acknowledged calls."""
        if self.since >= 0:
            self._taken_now += count

    def taken(self, now: i64) -> i64:
        """How many calls were acknowledged all the same while the partition was out."""
        is_long = self.since >= 0 and min(now, self.until) - self.since > THETA_US
        return self._taken + self._taken_now if is_long else self._taken

    def us(self, now: i64) -> i64:
        """The time out so far, the open interval included once it is longer than theta."""
        end = min(now, self.until)
        if self.since >= 0 and end - self.since > THETA_US:
            return self.total_us + end - self.since
        return self.total_us

    def deciding(self, now: i64) -> i64:
        """The fact that began the longest outage, the one that is going on included."""
        if self.since >= 0 and min(now, self.until) - self.since > max(THETA_US, self.longest_us):
            return self.cause
        return self.longest_cause
