"""The records of a leader epoch in a log: they stand side by side. Spans are of offsets or of calls."""

from mypy_extensions import i64

from simengine.kafka.log.log import Log

Spans = list[tuple[int, int]]  # of offsets or calls: first .. end-1


def present_range(log: Log, epoch: i64) -> tuple[i64, i64]:
    """Offsets start .. end-1 of a log that carry an epoch, (0, 0) if none does.

    Told by the batches: the epoch cache may lack an epoch whose records came in two parts, the second after the log had
    been cut below an epoch that was led in vain (LOG-2).
    """
    batches = log.batches
    first = first_of(log, epoch)
    if first == len(batches) or batches[first].epoch != epoch:
        return 0, 0
    after = first_of(log, epoch + 1)
    return batches[first].base, batches[after - 1].end


def first_of(log: Log, epoch: i64) -> int:
    """Index of the first batch of an epoch or a later one; epochs never fall along a log."""
    batches = log.batches
    low, high = 0, len(batches)
    while low < high:
        middle = (low + high) // 2
        if batches[middle].epoch < epoch:
            low = middle + 1
        else:
            high = middle
    return low


def holds(log: Log, offset: i64, epoch: i64) -> bool:
    """True if the log has the record that ``epoch`` wrote at ``offset``."""
    start, end = present_range(log, epoch)
    return start <= offset < end


def cut_out(gaps: Spans, start: int, end: int) -> Spans:
    """The parts of intervals that lie outside start .. end-1."""
    left: Spans = []
    for low, high in gaps:
        if end <= low or high <= start or end <= start:
            left.append((low, high))
            continue
        if low < start:
            left.append((low, start))
        if end < high:
            left.append((end, high))
    return left


def epochs_of(log: Log, end: i64) -> list[tuple[int, int, int]]:
    """(epoch, start, end) of what stands in a log below an offset."""
    found: list[tuple[int, int, int]] = []
    i = 0
    while i < len(log.batches):
        epoch = log.batches[i].epoch
        start, last = present_range(log, epoch)
        if start < end:
            found.append((int(epoch), int(start), int(min(last, end))))
        i = first_of(log, epoch + 1)
    return found


def joined(spans: Spans) -> Spans:
    """Spans in order, those that touch made one."""
    found: Spans = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def within(spans: Spans, start: int, end: int) -> Spans:
    """The parts inside start .. end-1 of spans that are in order and apart."""
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle][1] <= start:
            low = middle + 1
        else:
            high = middle
    found: Spans = []
    while low < len(spans) and max(spans[low][0], start) < min(spans[low][1], end):
        found.append((max(spans[low][0], start), min(spans[low][1], end)))
        low += 1
    return found


def length(spans: Spans) -> int:
    """Offsets in spans; an empty or turned span has none."""
    return sum(max(0, end - start) for start, end in spans)
