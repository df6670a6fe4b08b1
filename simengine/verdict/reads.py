"""The reading side of the verdict, per consumer group and partition (FATE-7, STOP-4).

A record is *seen* when it was delivered and stands in the leader's log at that offset in that epoch, a *phantom* when
it was delivered and does not (*overwritten*: another record stands there now). What nobody was handed is *lagging* from
the group's position on, *skipped* below it. Deliveries of the same record again are *reread*.
"""

from simengine.kafka.log.log import Log
from simengine.verdict.deliveries import ReaderPosition
from simengine.verdict.outage import NEVER
from simengine.verdict.presence import Spans, cut_out, epochs_of, joined, length, present_range, within

Counts = dict[str, int]

READ_FATES = ("delivered", "seen", "lagging", "skipped", "phantoms", "overwritten", "reread", "reads_undetermined")


def read_fates(readers: list[ReaderPosition], log: Log | None, hw: int) -> Counts:
    """The fates of one group's reads of one partition. Nobody can tell what was seen without a leader.

    ``log``: the leader's, with what retention has removed before it begins; ``hw``: its high watermark.
    """
    counts: Counts = dict.fromkeys(READ_FATES, 0)
    by_epoch = delivered_spans(readers)
    distinct = sum(length(spans) for spans in by_epoch.values())
    counts["delivered"] = sum(int(reader.total) for reader in readers)
    counts["reread"] = counts["delivered"] - distinct
    if log is None:
        counts["reads_undetermined"] = distinct
        return counts
    present = {epoch: (start, end) for epoch, start, end in epochs_of(log, NEVER)}
    for epoch, spans in by_epoch.items():
        start, end = present.get(epoch, (0, 0))
        seen = within(spans, start, end)
        counts["seen"] += length(seen)
        counts["phantoms"] += length(spans) - length(seen)
        counts["overwritten"] += length(within(spans, 0, hw)) - length(within(seen, 0, hw))
    placed = [reader for reader in readers if reader.start >= 0]
    if not placed:
        return counts  # nobody of the group ever had a position: it has passed nothing and waits for nothing
    newest = max(placed, key=stamp_of)
    first = min(int(reader.start) for reader in placed)
    for epoch, start, end in epochs_of(log, hw):
        unread = length([(max(start, first), end)]) - length(within(by_epoch.get(epoch, []), max(start, first), end))
        ahead = max(start, first, int(newest.position))
        lagging = length([(ahead, end)]) - length(within(by_epoch.get(epoch, []), ahead, end))
        counts["lagging"] += lagging
        counts["skipped"] += unread - lagging
    return counts


def skipped_records(readers: list[ReaderPosition], log: Log, hw: int) -> list[tuple[int, int, int]]:
    """Client, kind of the reset (or REMOVED), and how many skipped records it jumped over, each counted once.

    ``readers``: of one group; ``log`` and ``hw``: of the leader, as in `read_fates`.
    """
    found: list[tuple[int, int, int]] = []
    known = delivered_spans(readers)
    passed = min(hw, int(max(readers, key=stamp_of).position))
    for reader in readers:
        for run in reader.skipped:
            low, high = present_range(log, run.epoch)
            left = [(int(max(run.start, low)), int(min(run.end, high, passed)))]
            for start, end in known.setdefault(int(run.epoch), []):
                left = cut_out(left, start, end)
            known[int(run.epoch)].append((int(run.start), int(run.end)))
            if length(left):
                found.append((int(reader.client), int(run.why), length(left)))
    return found


def stamp_of(reader: ReaderPosition) -> int:
    """Order of readers by their newest position."""
    return int(reader.stamp)


def delivered_spans(readers: list[ReaderPosition]) -> dict[int, Spans]:
    """The delivered records, each once: spans of offsets by leader epoch."""
    found: dict[int, Spans] = {}
    for reader in readers:
        for run in reader.runs:
            found.setdefault(int(run.epoch), []).append((int(run.offset), int(run.offset + run.count)))
    return {epoch: joined(spans) for epoch, spans in found.items()}
