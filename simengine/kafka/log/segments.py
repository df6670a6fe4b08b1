"""The segments of one log, for retention: where each begins, how much it holds, and how old that is."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64, mypyc_attr

if TYPE_CHECKING:
    from simengine.kafka.log.log import Batch


@mypyc_attr(acyclic=True)
@final
class Segment:
    """Records from ``base`` on, up to where the next segment begins; times in us, -1 while it is empty."""

    __slots__ = ("base", "count", "first_at", "newest_at")

    def __init__(self, base: i64) -> None:
        self.base: i64 = base
        self.count: i64 = 0
        self.first_at: i64 = -1
        self.newest_at: i64 = -1


@mypyc_attr(acyclic=True)
@final
class Segments:
    """All segments of a log, oldest first, one at least, and the limits of the topic in records and microseconds."""

    __slots__ = ("is_compacted", "retention_records", "retention_us", "roll_records", "roll_us", "segments")

    def __init__(self, start: i64) -> None:
        self.segments: list[Segment] = [Segment(start)]
        self.retention_us: i64 = -1  # -1: for ever
        self.retention_records: i64 = -1  # -1: any number
        self.roll_us: i64 = 0
        self.roll_records: i64 = 0
        self.is_compacted: bool = False

    def appended(self, batch: "Batch") -> None:
        """Records were appended: they begin a segment if the last one is full, or old."""
        last = self.segments[-1]
        if last.count > 0 and self._is_over(last, batch):
            last = Segment(batch.base)
            self.segments.append(last)
        if last.count == 0:
            last.first_at = batch.time
        last.count += batch.count
        last.newest_at = batch.until

    def _is_over(self, last: Segment, batch: "Batch") -> bool:
        """`LogSegment.shouldRoll`."""
        if self.roll_records == 0:
            return False
        return last.count + batch.count > self.roll_records or batch.time - last.first_at > self.roll_us

    def truncated(self, end: i64, newest_at: i64) -> None:
        """The log ends at ``end`` now, with a record of ``newest_at``."""
        while len(self.segments) > 1 and self.segments[-1].base >= end:
            self.segments.pop()
        last = self.segments[-1]
        if last.base > end:
            last.base = end
        last.count = end - last.base
        if last.count == 0:
            last.first_at = -1
        last.newest_at = newest_at if last.count > 0 else -1

    def raised(self, start: i64) -> None:
        """The log begins at ``start`` now: segments before it go."""
        while len(self.segments) > 1 and self.segments[1].base <= start:
            self.segments.pop(0)
        if len(self.segments) == 1 and self.segments[0].base + self.segments[0].count <= start:
            self.segments[0] = Segment(start)

    def first_kept(self, leo: i64, hw: i64, now: i64) -> i64:
        """The first offset that retention by time and size keeps."""
        if self.is_compacted:
            return self.segments[0].base
        gone = self._gone_by_time(leo, hw, now)
        gone = self._gone_by_size(gone, leo, hw)
        return self.segments[gone].base if gone < len(self.segments) else leo

    def _end_of(self, i: int, leo: i64) -> i64:
        return self.segments[i + 1].base if i + 1 < len(self.segments) else leo

    def _gone_by_time(self, leo: i64, hw: i64, now: i64) -> int:
        """The number of segments whose newest record is too old. The last segment counts too, unless it is empty."""
        gone = 0
        if self.retention_us < 0:
            return 0
        while gone < len(self.segments):
            segment = self.segments[gone]
            if segment.count == 0 or self._end_of(gone, leo) > hw or now - segment.newest_at <= self.retention_us:
                break
            gone += 1
        return gone

    def _gone_by_size(self, gone: int, leo: i64, hw: i64) -> int:
        """The number of segments to remove by time and by size; at least ``retention.bytes`` are left."""
        if self.retention_records < 0:
            return gone
        size: i64 = 0
        for i in range(gone, len(self.segments)):
            size += self.segments[i].count
        over = size - self.retention_records
        while gone < len(self.segments):
            segment = self.segments[gone]
            if segment.count == 0 or over < segment.count or self._end_of(gone, leo) > hw:
                break
            over -= segment.count
            gone += 1
        return gone
