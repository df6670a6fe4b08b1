"""Whether a log has records: those that one leader epoch wrote stand in it side by side. Spans of offsets or calls."""

from mypy_extensions import i64

from simengine.kafka.log import Log

Spans = list[tuple[int, int]]  # of offsets or calls: first .. end-1


def present_range(log: Log, epoch: i64) -> tuple[i64, i64]:
    """Offsets start .. end-1 of a log that carry an epoch, (0, 0) if none does."""
    epochs = log.cache.epochs
    i = len(epochs) - 1
    while i >= 0:
        if epochs[i] == epoch:
            end: i64 = log.cache.starts[i + 1] if i + 1 < len(epochs) else log.leo
            return log.cache.starts[i], end
        i -= 1
    return 0, 0


def holds(log: Log, offset: i64, epoch: i64) -> bool:
    """Whether a log has the record that ``epoch`` wrote at ``offset``."""
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
    cache = log.cache
    found: list[tuple[int, int, int]] = []
    for i in range(len(cache.epochs)):
        start: i64 = cache.starts[i]
        last: i64 = cache.starts[i + 1] if i + 1 < len(cache.epochs) else log.leo
        last = min(last, end)
        if last > start:
            found.append((int(cache.epochs[i]), int(start), int(last)))
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
    """The parts of spans inside start .. end-1."""
    return [(max(a, start), min(b, end)) for a, b in spans if max(a, start) < min(b, end)]


def length(spans: Spans) -> int:
    """Offsets in spans; an empty or turned span has none."""
    return sum(max(0, end - start) for start, end in spans)
