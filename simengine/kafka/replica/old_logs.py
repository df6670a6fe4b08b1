"""The bytes of the logs from before the run, which a replica that starts from nothing copies (FET-18).

A run's logs are small: some hundred records stand for what a real log holds. Where a document tells the size of a log
and the rate at which a broker copies (``basis``), a replica without a log takes size ÷ rate for those records. It
copies them in ``PARTS`` parts. Each is booked on the broker that takes it, and under Kafka's throttle (KIP-73) on both
brokers once more, one part after another: so replicas share a rate evenly. A change of a rate counts from the next part
on. Records of the run itself have no such weight, and followers in sync do not wait for the copying.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.kafka.log.log import Batch

PARTS: Final = 100
IDLE_US: Final = 1_000_000
WAIT_MS_MAX: Final = 10**12  # 31 years


@final
class OldLog:
    """One partition's log from before the run: its offsets, and the size of each record in bytes."""

    __slots__ = ("bytes_each", "end", "start", "step")

    def __init__(self, start: i64, end: i64, size: i64) -> None:
        self.start: i64 = start
        self.end: i64 = end
        self.step: i64 = max(1, (end - start) // PARTS)
        self.bytes_each: i64 = size // (end - start)

    def part_end(self, leo: i64) -> i64:
        """The end of the part that a copy with this log end needs next. Parts of all copies end at the same offsets."""
        return min(self.end, self.start + ((leo - self.start) // self.step + 1) * self.step)


@final
class OldCopy:
    """A replica's copy of an old log, as far as it is booked: ``due`` is when all below ``until`` has come."""

    __slots__ = ("due", "log", "until")

    def __init__(self, log: OldLog) -> None:
        self.log = log
        self.until: i64 = log.start
        self.due: i64 = 0

    def next_part(self, leo: i64) -> i64:
        """Take up the part after ``leo``; its size in bytes."""
        self.until = self.log.part_end(leo)
        return (self.until - leo) * self.log.bytes_each

    def arrived(self, batches: list[Batch]) -> list[Batch]:
        """The records below ``until``; the last batch may be cut."""
        found: list[Batch] = []
        for batch in batches:
            if batch.base >= self.until:
                break
            found.append(batch if batch.end <= self.until else batch.part(batch.base, self.until - batch.base))
        return found

    def interrupted(self) -> None:
        """The process ended: the part under way is copied anew."""
        self.until = self.log.start


@final
class Transfers:
    """The transfers of one broker that share a rate: each begins where the one before ended.

    Also a little after that: a parked fetch (FET-8) keeps a follower from asking for more, not a stream of them.
    """

    __slots__ = ("free_at",)

    def __init__(self) -> None:
        self.free_at: i64 = 0

    def book(self, now: i64, size: i64, bytes_per_s: i64) -> i64:
        """The time (us) at which so many bytes have passed."""
        begun = self.free_at if now - self.free_at <= IDLE_US else now
        self.free_at = begun + min(size * 1_000 // max(1, bytes_per_s), WAIT_MS_MAX) * 1_000
        return self.free_at


@final
class OldLogs:
    """The old logs of a cluster by partition; none where the document tells no sizes."""

    __slots__ = ("_of", "bytes_per_s", "size")

    def __init__(self, size: i64 = 0, bytes_per_s: i64 = 0) -> None:
        self._of: dict[int, OldLog] = {}
        self.size: i64 = size  # of each log, in bytes; 0: not told
        self.bytes_per_s: i64 = bytes_per_s  # that a broker copies

    def add(self, p: i64, start: i64, end: i64) -> None:
        """Count the records of a partition that stand in its longest log at the start of the run."""
        if self.size > 0 and end > start:
            self._of[int(p)] = OldLog(start, end, self.size)

    def holds(self, p: i64, offset: i64) -> bool:
        """True if a record stood in the log of a partition before the run."""
        if self.size == 0:
            return False
        log = self._of.get(int(p))
        return log is not None and offset < log.end

    def copy_of(self, p: i64) -> OldCopy | None:
        """The copy that a replica without a log has to make."""
        log = self._of.get(int(p))
        return None if log is None else OldCopy(log)
