"""The log of one replica: batches, offsets, and the leader-epoch cache (LOG-1..5, LOG-10, LOG-11).

A batch is immutable once appended and shared by all replicas that hold it. A log is a list of batches in offset
order. Old ones are folded: neighbours whose calls, sequences and epoch go on become one *run*, which looks like a large
batch and is given out in parts, so that hours of simulated time do not grow the memory. What
retention removes stays in the list, below the log's start, where only the verdict looks.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.kafka.log.segments import Segment, Segments

NO_EPOCH: Final = -1
BEFORE_RUN: Final = -2  # the client of records that stood there before the run: nobody knows what they say
FOLD_STEP: Final = 1_024  # so many more batches make it worth while to fold


@mypyc_attr(acyclic=True)
@final
class Batch:
    """Records ``base`` .. ``base + count - 1`` as appended by a leader in ``epoch``.

    ``client`` is the producer's index (-1: not a client's), ``n`` the number of the first call among that producer's
    calls to this partition; ``pid``, ``pid_epoch``, ``seq`` are -1 without idempotence (IDEM-2). ``time``, ``until``:
    when that leader appended the first and the last record (us); in a folded run the others are taken as evenly spread.
    """

    __slots__ = ("base", "client", "count", "end", "epoch", "n", "pid", "pid_epoch", "seq", "time", "until")

    def __init__(
        self,
        base: i64,
        count: i64,
        epoch: i64,
        client: i64,
        n: i64,
        pid: i64,
        pid_epoch: i64,
        seq: i64,
        time: i64,
    ) -> None:
        self.base: i64 = base
        self.count: i64 = count
        self.end: i64 = base + count
        self.epoch: i64 = epoch
        self.client: i64 = client
        self.n: i64 = n
        self.pid: i64 = pid
        self.pid_epoch: i64 = pid_epoch
        self.seq: i64 = seq
        self.time: i64 = time
        self.until: i64 = time

    def part(self, base: i64, count: i64) -> "Batch":
        """Records ``base`` .. ``base + count - 1`` of this batch."""
        skip = base - self.base
        seq = self.seq + skip if self.seq >= 0 else self.seq
        at = self.time_of(base)
        part = Batch(base, count, self.epoch, self.client, self.n + skip, self.pid, self.pid_epoch, seq, at)
        part.until = self.time_of(part.end - 1)
        return part

    def time_of(self, offset: i64) -> i64:
        """The time at which a record was appended."""
        if self.until == self.time:
            return self.time
        return self.time + (self.until - self.time) * (offset - self.base) // (self.count - 1)

    def since(self, time: i64) -> i64:
        """The first offset that was appended at ``time`` or later, which the last one was."""
        if time <= self.time:
            return self.base
        span = self.until - self.time
        return self.base + ((time - self.time) * (self.count - 1) + span - 1) // span

    def joined(self, other: "Batch") -> "Batch":
        """One run of this and the batch that goes on with it."""
        run = self.part(self.base, self.count)
        run.count += other.count
        run.end = other.end
        run.until = other.until
        return run

    def goes_on_with(self, other: "Batch") -> bool:
        """True if the other batch continues this one: same producer, same epoch, next sequence number."""
        return (
            self.client >= 0
            and self.client == other.client
            and self.epoch == other.epoch
            and self.n + self.count == other.n
            and self.pid == other.pid
            and self.pid_epoch == other.pid_epoch
            and (self.seq < 0 or self.seq + self.count == other.seq)
        )


@mypyc_attr(acyclic=True)
@final
class EpochCache:
    """The list of (epoch, start offset), both strictly increasing (LOG-2)."""

    __slots__ = ("epochs", "starts")

    def __init__(self) -> None:
        self.epochs: list[int] = []
        self.starts: list[int] = []

    def last(self) -> i64:
        """The newest cached epoch, or NO_EPOCH."""
        return self.epochs[-1] if self.epochs else NO_EPOCH

    def assign(self, epoch: i64, start: i64) -> bool:
        """Insert an entry (LOG-3); whether the cache changed."""
        if self.epochs and self.epochs[-1] == epoch and self.starts[-1] <= start:
            return False
        while self.epochs and (self.epochs[-1] >= epoch or self.starts[-1] >= start):
            self.epochs.pop()
            self.starts.pop()
        self.epochs.append(epoch)
        self.starts.append(start)
        return True

    def find(self, epoch: i64) -> int:
        """Index of the largest cached epoch <= epoch, or -1."""
        i = len(self.epochs) - 1
        while i >= 0 and self.epochs[i] > epoch:
            i -= 1
        return i

    def truncate(self, end: i64) -> None:
        """Remove entries that start at or after ``end`` (LOG-5, also when nothing else is cut)."""
        while self.starts and self.starts[-1] >= end:
            self.epochs.pop()
            self.starts.pop()

    def start_at(self, start: i64) -> None:
        """Collapse the entries below a new log start into one that starts there (LOG-7)."""
        kept = 0
        while kept + 1 < len(self.starts) and self.starts[kept + 1] <= start:
            kept += 1
        if kept > 0:
            del self.starts[:kept]
            del self.epochs[:kept]
        if self.starts and self.starts[0] < start:
            self.starts[0] = start

    def copy(self) -> "EpochCache":
        """An independent copy."""
        other = EpochCache()
        other.epochs = list(self.epochs)
        other.starts = list(self.starts)
        return other


@mypyc_attr(acyclic=True)
@final
class Log:
    """Offsets ``start`` .. ``leo - 1`` of one replica."""

    __slots__ = ("_fold_at", "_folded", "batches", "cache", "flushed", "leo", "segments", "start")

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self._folded: i64 = 0  # the first so many batches may be runs
        self._fold_at: i64 = FOLD_STEP
        self.start: i64 = 0
        self.leo: i64 = 0
        self.flushed: i64 = 0  # the end that a clean stop wrote to disk (SHUT-3), or a power failure left on it (LOG-8)
        self.cache: EpochCache = EpochCache()
        self.segments: Segments | None = None  # where the topic or its brokers have settings of retention

    def append(self, batch: Batch) -> bool:
        """Append at the log end (LOG-1); whether the epoch cache changed (LOG-2; LOG-3 after an epoch led in vain)."""
        assert batch.base == self.leo, "append_at_leo: a batch must start at the log end"
        self.batches.append(batch)
        self.leo = batch.end
        if self.segments is not None:
            self.segments.appended(batch)
        epochs = self.cache.epochs
        if epochs and epochs[-1] == batch.epoch:
            return False
        return self.cache.assign(batch.epoch, batch.base)

    def end_offset_for(self, epoch: i64) -> tuple[i64, i64]:
        """(epoch, end offset) for a leader epoch (LOG-4); (NO_EPOCH, -1) when undefined."""
        cache = self.cache
        if not cache.epochs:
            return NO_EPOCH, -1
        if cache.epochs[-1] == epoch:
            return epoch, self.leo
        if cache.epochs[-1] < epoch:
            return NO_EPOCH, -1
        i = cache.find(epoch)
        if i < 0:
            return epoch, cache.starts[0]
        return cache.epochs[i], cache.starts[i + 1]

    def truncate(self, end: i64) -> i64:
        """Remove records at and above ``end`` and cache entries that start there (LOG-5); the number of records cut.

        An ``end`` before the log's start takes the start down to it (`UnifiedLog.truncateTo`).
        """
        cut: i64 = 0
        batches = self.batches
        while batches and batches[-1].end > end:
            last = batches.pop()
            if last.base < end:
                # a folded run; or wrong epochs (REG-5 d, LOG-3) or a mark of another branch (LOG-6) end within a batch,
                # where Kafka would drop all of it and leave a hole below the new end
                batches.append(last.part(last.base, end - last.base))
        if end < self.leo:
            cut = self.leo - end
            self.leo = end
            self.start = min(self.start, end)
            self.flushed = min(self.flushed, end)
            self._folded = min(self._folded, len(batches))
            if self.segments is not None:
                self.segments.truncated(end, batches[-1].until if batches else -1)
        self.cache.truncate(end)
        return cut

    def recover_epochs(self, saved: i64) -> list[Batch]:
        """Enter the epochs above the newest cached one, and above ``saved``; the batches that did so (LOG-10).

        ``saved``: the newest epoch in the file of the cache, which may name epochs whose records were lost. Records of
        segments that retention has deleted are not on the disk. Entries below the log's start collapse (LOG-7).
        """
        last = max(saved, self.cache.last())
        on_disk = self.start if self.segments is None else self.segments.segments[0].base
        found: list[Batch] = []
        for batch in self.batches:
            if batch.epoch > last and batch.end > on_disk:
                last = batch.epoch
                self.cache.assign(last, batch.base)
                found.append(batch)
        if found:
            self.cache.start_at(self.start)
        return found

    def raise_start(self, start: i64) -> None:
        """Records below ``start`` count no longer (LOG-7); their segments may lie on the disk for a while."""
        self.start = start
        self.cache.start_at(start)
        if self.segments is not None:
            self.segments.raised(start)

    def reset(self, start: i64) -> None:
        """Drop the whole log and begin anew at ``start`` (FET-13)."""
        self.batches = []
        self._folded = 0
        self.flushed = 0
        self.start = start
        self.leo = start
        self.cache.truncate(0)
        if self.segments is not None:
            self.segments.segments = [Segment(start)]

    def index_of(self, offset: i64) -> int:
        """Index of the batch that holds ``offset`` (number of batches if offset is at the log end)."""
        batches = self.batches
        high = len(batches)
        low = high - 1
        step = 1
        while low >= 0 and batches[low].base > offset:  # gallop from the tail: readers are mostly near it
            high = low
            low -= step
            step *= 2
        if low < 0:
            low = 0
        while low < high:
            middle = (low + high) // 2
            if batches[middle].end <= offset:
                low = middle + 1
            else:
                high = middle
        return low

    def read(self, offset: i64, end: i64, max_records: i64) -> list[Batch]:
        """The batches from ``offset`` up to ``end`` (exclusive, whole batches), at most about ``max_records``."""
        batches = self.batches
        n = len(batches)
        if n == 0 or offset >= end:
            return []
        if batches[n - 1].base == offset and self._folded < n:  # the one newest batch: nearly every read of a live log
            last = batches[n - 1]
            return [last] if last.end <= end else []
        found: list[Batch] = []
        total: i64 = 0
        for i in range(self.index_of(offset), n):
            batch = batches[i]
            if i < self._folded:
                base = max(batch.base, offset)
                batch = batch.part(base, min(batch.end - base, max_records - total))
            if batch.end > end or total >= max_records or (total > 0 and total + batch.count > max_records):
                break
            found.append(batch)
            total += batch.count
        return found

    def offset_at(self, time: i64, end: i64) -> i64:
        """The first offset below ``end`` whose record was appended at ``time`` or later, or -1."""
        for batch in self.batches:
            if batch.until < time or batch.end <= self.start:
                continue
            offset = max(batch.since(time), self.start)
            return offset if offset < end else -1
        return -1

    def epoch_at(self, offset: i64) -> i64:
        """The epoch of the record at ``offset`` (by the cache), or NO_EPOCH."""
        i = len(self.cache.starts) - 1
        while i >= 0 and self.cache.starts[i] > offset:
            i -= 1
        return self.cache.epochs[i] if i >= 0 else NO_EPOCH

    def disagrees_with_its_cache(self) -> bool:
        """True if some batch has another epoch than the cache names for its offset (LOG-3, REG-5)."""
        cache = self.cache
        i: i64 = -1
        for batch in self.batches:
            while i + 1 < len(cache.starts) and cache.starts[i + 1] <= batch.base:
                i += 1
            if batch.epoch != (cache.epochs[i] if i >= 0 else NO_EPOCH):
                return True
        return False

    def wants_folding(self) -> bool:
        """True if enough batches have come since the last ``fold``."""
        return len(self.batches) >= self._fold_at

    def fold(self, end: i64, before: i64) -> None:
        """Join neighbours below offset ``end`` that were appended before a time into runs."""
        batches = self.batches
        at: i64 = max(self._folded - 1, 0)
        last = at
        runs: list[Batch] = []
        while last < len(batches) and batches[last].end <= end and batches[last].time < before:
            batch = batches[last]
            last += 1
            if runs and runs[-1].goes_on_with(batch):
                runs[-1] = runs[-1].joined(batch)
            else:
                runs.append(batch)
        if runs:
            batches[at:last] = runs
            self._folded = at + len(runs)
        self._fold_at = len(batches) + FOLD_STEP
