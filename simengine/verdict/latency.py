"""Produce latency: from the application's ``send`` to the acknowledgement, as a histogram of one topic.

Only acknowledged records count: what failed or was handed over (acks=0) has an outcome, but no latency. Buckets are
one microsecond wide up to 64, then 64 to each doubling, so a percentile is off by less than 1.6 %.
"""

from typing import Final, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from simengine.verdict.outage import Closing

FINE: Final = 64  # buckets to a doubling


def bucket_of(us: i64) -> i64:
    """The bucket of a latency in microseconds (0 or more)."""
    shift: i64 = 0
    while us >= 2 * FINE:
        us >>= 1
        shift += 1
    return shift * FINE + us


def middle_of(bucket: i64) -> i64:
    """The latency in the middle of a bucket."""
    if bucket < 2 * FINE:
        return bucket
    shift: i64 = bucket // FINE - 1
    low: i64 = (bucket - shift * FINE) << shift
    return low + ((1 << shift) >> 1)


@mypyc_attr(acyclic=True)
@final
class OpenCalls:
    """Calls n .. n+count-1, made at ``t``, of which nobody knows the end yet."""

    __slots__ = ("count", "n", "t")

    def __init__(self, n: i64, count: i64, t: i64) -> None:
        self.n: i64 = n
        self.count: i64 = count
        self.t: i64 = t


@mypyc_attr(acyclic=True)
@final
class Histogram:
    """Counts of records by latency."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts: vec[i64] = vec[i64]()  # by bucket
        self.total: i64 = 0

    def add(self, us: i64, records: i64) -> None:
        """Note records that were acknowledged after ``us``."""
        bucket = bucket_of(us)
        while len(self.counts) <= bucket:
            self.counts = append(self.counts, 0)
        self.counts[bucket] += records
        self.total += records

    def percentile(self, per_thousand: i64) -> i64:
        """The latency that ``per_thousand`` of 1000 records do not exceed, microseconds; -1 without records."""
        if self.total == 0:
            return -1
        rank: i64 = (self.total * per_thousand + 999) // 1000
        seen: i64 = 0
        bucket: i64 = -1
        while seen < rank:
            bucket += 1
            seen += self.counts[bucket]
        return middle_of(bucket)


@mypyc_attr(acyclic=True)
@final
class Waits:
    """The calls of one producer to one partition that have not ended, oldest first."""

    __slots__ = ("_closing", "_longest_since", "_longest_us", "_waits")

    def __init__(self, closing: Closing) -> None:
        self._closing = closing
        self._waits: vec[OpenCalls] = vec[OpenCalls]()
        self._longest_us: i64 = 0  # of those that have ended ...
        self._longest_since: i64 = 0  # ... and when that call was made

    def called(self, n: i64, count: i64, t: i64) -> None:
        """Calls were made."""
        self._waits = append(self._waits, OpenCalls(n, count, t))

    def give(self, n: i64, count: i64, other: "Waits") -> None:
        """Calls n .. n+count-1 wait in ``other`` as well, since they were made: for another topic of the name."""
        for wait in self._waits:
            first: i64 = max(wait.n, n)
            last: i64 = min(wait.n + wait.count, n + count)
            if first < last:
                other.insert(OpenCalls(first, last - first, wait.t))

    def insert(self, wait: "OpenCalls") -> None:
        """Calls that wait, in the order of their numbers."""
        waits = append(self._waits, wait)
        k: i64 = len(waits) - 1
        while k > 0 and waits[k - 1].n > wait.n:
            waits[k] = waits[k - 1]
            k -= 1
        waits[k] = wait
        self._waits = waits

    def open(self) -> list[tuple[int, int]]:
        """(first call, calls) that have not ended."""
        return [(int(wait.n), int(wait.count)) for wait in self._waits]

    def are_open(self) -> bool:
        """True if some call has not ended."""
        return len(self._waits) > 0

    def oldest_us(self, now: i64) -> i64:
        """The waiting time (µs) of the call that has waited longest, up to the end of the run; 0 if none waits."""
        return max(0, min(now, self._closing.us) - self._waits[0].t) if len(self._waits) else 0

    def longest_since(self, now: i64) -> i64:
        """The moment (us) at which the call that has waited longest so far was made; 0 if there is none."""
        return self._waits[0].t if self.oldest_us(now) > self._longest_us else self._longest_since

    def longest_us(self, now: i64) -> i64:
        """The longest that any call has waited so far, from ``send()`` to its end."""
        return max(self._longest_us, self.oldest_us(now))

    def ended(self, n: i64, count: i64, now: i64, into: Histogram | None) -> None:
        """Calls n .. n+count-1 ended; their latencies go ``into`` a histogram, or nowhere."""
        until = min(now, self._closing.us)
        end: i64 = n + count
        i: i64 = 0
        while i < len(self._waits):
            wait = self._waits[i]
            first: i64 = max(wait.n, n)
            last: i64 = min(wait.n + wait.count, end)
            if first < last:
                if until - wait.t > self._longest_us:
                    self._longest_us, self._longest_since = until - wait.t, wait.t
                if into is not None:
                    into.add(now - wait.t, last - first)
            if first >= last:
                if wait.n >= end:
                    return
                i += 1
            elif first == wait.n and last == wait.n + wait.count:
                self._waits, _ = pop(self._waits, i)
            else:
                i += self._keep_rest(i, first, last)

    def _keep_rest(self, i: i64, first: i64, last: i64) -> i64:
        """Take calls first .. last-1 out of a wait; how many waits stand in its place."""
        wait = self._waits[i]
        after: i64 = wait.n + wait.count - last
        if first == wait.n:
            wait.n = last
            wait.count = after
            return 1
        wait.count = first - wait.n
        if after == 0:
            return 1
        waits = append(self._waits, wait)
        k: i64 = len(waits) - 1
        while k > i + 1:
            waits[k] = waits[k - 1]
            k -= 1
        waits[k] = OpenCalls(last, after, wait.t)
        self._waits = waits
        return 2
