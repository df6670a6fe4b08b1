"""A source log held against the remote log: which records the copies are of, and which records have no copy."""

from bisect import bisect_right
from typing import final

from simengine.kafka.log.log import BEFORE_RUN, Batch, Log
from simengine.mirror.copies import CopiedRecords, CopiedRun
from simengine.verdict.presence import joined, length

Span = tuple[int, int]  # from, to (exclusive)


@final
class RemoteRun:
    """Remote records ``downstream`` and on: copies of ``upstream`` and on, calls ``n`` and on of ``client``."""

    __slots__ = ("client", "count", "downstream", "n", "upstream")

    def __init__(self, downstream: int, upstream: int, client: int, n: int, count: int) -> None:
        self.downstream = downstream
        self.upstream = upstream
        self.client = client
        self.n = n
        self.count = count


@final
class Comparison:
    """A remote log compared with a source log, in records.

    ``mirrored``: source records that have a copy; ``doubled``: copies beyond the first of a record; ``disagree``:
    copies of what the source's log does not hold, or holds otherwise, ``disagree_at`` their offsets in the remote log;
    ``skipped``: records that the flow has passed over, or that are gone; ``not_mirrored``: records still to be copied,
    and the time between the first and last (us). ``left``: records without a copy that the source still has. Records
    that retention had removed before the flow began are none of these. ``again``: records that have a copy and are
    ahead of the flow, which has gone back.
    """

    __slots__ = (
        "again",
        "disagree",
        "disagree_at",
        "doubled",
        "left",
        "mirrored",
        "not_mirrored",
        "not_mirrored_us",
        "skipped",
    )

    def __init__(self) -> None:
        self.again = 0
        self.mirrored = 0
        self.doubled = 0
        self.disagree = 0
        self.disagree_at: list[Span] = []
        self.skipped = 0
        self.left = 0
        self.not_mirrored = 0
        self.not_mirrored_us = 0


def remote_runs(log: Log, clients: list[int], copied: CopiedRecords) -> list[RemoteRun]:
    """The copies that a flow's producers ``clients`` have in a remote log, in its order; expired ones included."""
    found: list[RemoteRun] = []
    for batch in log.batches:
        if batch.client == BEFORE_RUN and copied.before is not None:
            found += _before_run(batch, copied.before)
        n, base, left = int(batch.n), int(batch.base), int(batch.count) if batch.client in clients else 0
        while left > 0:
            run = copied.run_of(n)
            inside = n - int(run.n)
            count = min(left, int(run.count) - inside)
            upstream, origin_n = int(run.upstream) + inside, int(run.origin_n) + inside
            found.append(RemoteRun(base, upstream, int(run.origin), origin_n, count))
            n, base, left = n + count, base + count, left - count
    return found


def _before_run(batch: Batch, run: CopiedRun) -> list[RemoteRun]:
    """The copies among records from before the run."""
    first, end = max(int(batch.base), int(run.n)), min(int(batch.end), int(run.n + run.count))
    inside = first - int(run.n)
    if first >= end:
        return []
    return [RemoteRun(first, int(run.upstream) + inside, BEFORE_RUN, int(run.origin_n) + inside, end - first)]


def position_in(runs: list[RemoteRun], upstream: int, end: int) -> int:
    """The remote offset of the first copy of ``upstream`` or of a later record, else that behind the last copy.

    ``end``: of a log without any copy. Behind the copies applications may write too.
    """
    for run in runs:
        if run.upstream + run.count > upstream:
            return run.downstream + max(0, upstream - run.upstream)
    return max((run.downstream + run.count for run in runs), default=end)


def compared(source: Log, end: int, position: int, runs: list[RemoteRun], began: int = 0) -> Comparison:
    """Hold the source's records below ``end`` against the copies; the flow goes on at source offset ``position``.

    ``began``: the oldest record that the source had when the flow began.
    """
    found = Comparison()
    matched: list[Span] = []
    bases = [int(batch.base) for batch in source.batches]
    wrong = [span for run in runs for span in _match(run, source.batches, bases, matched)]
    found.disagree = length(wrong)
    found.disagree_at = joined(wrong)
    matched.sort()
    first = min(max(bases[0], began), end) if bases else end
    missing = _complement(matched, first, end)
    distinct = end - first - sum(high - low for low, high in missing) if end > first else 0
    gone_below = max(position, int(source.start))
    for low, high in missing:
        skipped = max(0, min(high, gone_below) - low)
        found.skipped += skipped
        found.left += max(0, high - max(low, int(source.start)))
        found.not_mirrored += high - low - skipped
    found.mirrored = distinct
    reached = max((_end(run) for run in runs), default=0)
    if runs and _end(runs[-1]) < reached:
        ahead = max(gone_below, first), min(reached, end)
        found.again = length([ahead]) - length([(max(low, ahead[0]), min(high, ahead[1])) for low, high in missing])
    found.doubled = _doubled(matched)
    if found.not_mirrored:
        oldest = next(max(low, gone_below) for low, high in missing if high > gone_below)
        found.not_mirrored_us = _time_of(source, bases, end - 1) - _time_of(source, bases, oldest)
    return found


def _end(run: RemoteRun) -> int:
    """The source offset after the last record of a run."""
    return run.upstream + run.count


def _match(run: RemoteRun, batches: list[Batch], bases: list[int], matched: list[Span]) -> list[Span]:
    """Add the parts of a run that the source holds alike; returns the remote offsets of what it does not hold so."""
    low, high = run.upstream, run.upstream + run.count
    to_remote = run.downstream - run.upstream
    wrong: list[Span] = []
    if not bases or low < bases[0]:  # the log began later: nobody knows what it held
        until = min(high, bases[0]) if bases else low
        low = max(low, until)
    k = max(0, bisect_right(bases, low) - 1)
    while low < high:
        if k >= len(batches) or int(batches[k].end) <= low:
            if k + 1 >= len(batches):
                wrong.append((low + to_remote, high + to_remote))  # beyond the end of the log
                return wrong
            k += 1
            continue
        batch = batches[k]
        until = min(high, int(batch.end))
        is_same = batch.client == run.client and batch.n + (low - batch.base) == run.n + (low - run.upstream)
        if is_same:
            matched.append((low, until))
        else:
            wrong.append((low + to_remote, until + to_remote))
        low = until
        k += 1
    return wrong


def _complement(spans: list[Span], first: int, end: int) -> list[Span]:
    """The gaps between sorted spans, from one offset up to another."""
    found: list[Span] = []
    at = first
    for low, high in spans:
        if low >= end:
            break
        if low > at:
            found.append((at, low))
        at = max(at, high)
    if at < end:
        found.append((at, end))
    return found


def _doubled(spans: list[Span]) -> int:
    """Records of sorted spans beyond the first of each offset."""
    doubled = 0
    at = -1
    for low, high in spans:
        doubled += max(0, min(high, at) - low)
        at = max(at, high)
    return doubled


def _time_of(log: Log, bases: list[int], offset: int) -> int:
    """The time (us) at which a record of the log was appended."""
    k = bisect_right(bases, offset) - 1
    return int(log.batches[k].time_of(offset))
