"""A topic's own traffic, so that losses can be told in its users' units.

The rate is that of the calls between the first and the last: silence before and after is no traffic. A topic whose
calls were all made at one moment has no rate.
"""

from typing import final

from mypy_extensions import i64


@final
class CallRate:
    """The number of calls that sent a record first, and the time over which they were made."""

    __slots__ = ("calls", "first_us", "last_us")

    def __init__(self) -> None:
        self.calls: i64 = 0
        self.first_us: i64 = 0
        self.last_us: i64 = 0

    def called(self, count: i64, now: i64) -> None:
        """Calls were made now."""
        if self.calls == 0:
            self.first_us = now
        self.calls += count
        self.last_us = now

    def sent_again(self, count: i64) -> None:
        """Of the calls made, so many sent a record again."""
        self.calls -= count

    def us_of(self, records: i64) -> i64:
        """The time in which the topic makes so many calls; 0 without a rate."""
        if self.calls <= 0:
            return 0
        return records * (self.last_us - self.first_us) // self.calls
