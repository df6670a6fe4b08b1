"""The origins of the copies of one source partition: for each ``send()`` of the mirror, the source record.

The engine knows a record's content by its producer and the number of its call. Calls of a mirror follow the source log,
so runs of consecutive offsets are kept, not single records. They outlive the MirrorMaker process, as contents do.
"""

from typing import final

from mypy_extensions import i64


@final
class CopiedRun:
    """Calls ``n`` and on copy the records at ``upstream`` and on: calls ``origin_n`` and on of client ``origin``."""

    __slots__ = ("count", "n", "origin", "origin_n", "upstream")

    def __init__(self, n: i64, upstream: i64, origin: i64, origin_n: i64, count: i64) -> None:
        self.n: i64 = n
        self.upstream: i64 = upstream
        self.origin: i64 = origin
        self.origin_n: i64 = origin_n
        self.count: i64 = count

    def goes_on_with(self, upstream: i64, origin: i64, origin_n: i64) -> bool:
        """True if this source record is the next one of the run."""
        return (
            upstream == self.upstream + self.count and origin == self.origin and origin_n == self.origin_n + self.count
        )


@final
class CopiedRecords:
    """All copies that a mirror has made of one source partition, in the order of its calls."""

    __slots__ = ("before", "made", "runs")

    def __init__(self) -> None:
        self.before: CopiedRun | None = None  # copies from before the run; its ``n`` are remote offsets
        self.made: i64 = 0  # calls so far; the next one has this number
        self.runs: list[CopiedRun] = []

    def add(self, upstream: i64, origin: i64, origin_n: i64, count: i64) -> None:
        """The next ``count`` calls copy these source records."""
        last = self.runs[-1] if self.runs else None
        if last is not None and last.goes_on_with(upstream, origin, origin_n):
            last.count += count
        else:
            self.runs.append(CopiedRun(self.made, upstream, origin, origin_n, count))
        self.made += count

    def run_of(self, n: i64) -> CopiedRun:
        """The run that holds call n."""
        low, high = 0, len(self.runs) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.runs[middle].n <= n:
                low = middle
            else:
                high = middle - 1
        return self.runs[low]

    def upstream_of(self, n: i64) -> i64:
        """The source offset of the record that call n copies."""
        run = self.run_of(n)
        return run.upstream + (n - run.n)
