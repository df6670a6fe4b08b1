"""The deliveries to each consumer, kept as runs, and its first and last position: the reading side of the verdict."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.kafka.log.log import Log
from simengine.verdict.outage import THETA_US, Closing, Outage
from simengine.verdict.presence import epochs_of, present_range

UNCOMMITTED: Final = -1  # the kind of a reset to the end: the group had no committed offset ...
OFFSET_GONE: Final = -2  # ... or had one, and it is gone
REMOVED: Final = -3  # retention had removed what a reset jumped over


@mypyc_attr(acyclic=True)
@final
class DeliveredRun:
    """Records offset .. offset+count-1 of one leader epoch, handed to one consumer in one go."""

    __slots__ = ("count", "epoch", "offset")

    def __init__(self, offset: i64, count: i64, epoch: i64) -> None:
        self.offset: i64 = offset
        self.count: i64 = count
        self.epoch: i64 = epoch


@mypyc_attr(acyclic=True)
@final
class SkippedRun:
    """Records start .. end-1 of one leader epoch that a reset jumped over; ``why``: its kind, or REMOVED."""

    __slots__ = ("end", "epoch", "start", "why")

    def __init__(self, epoch: i64, start: i64, end: i64, why: i64) -> None:
        self.epoch: i64 = epoch
        self.start: i64 = start
        self.end: i64 = end
        self.why: i64 = why


@final
class ReaderPosition:
    """One consumer of one partition: its deliveries, its lowest position and its newest one (-1: it never had one).

    ``skipped``: what its resets jumped over, and what came before it noticed a new partition.

    ``reads``: it was not closed since, and the partition was not taken from it.

    ``out``: records stand in the leader's log, and the consumer gets none. Or its fetch has no response, and records
    stood there before another leader's log ended lower, or calls of producers have none either (STOP-4).

    ``longest_us``: the longest time from the append of a record, or from when it began to read there, to its delivery;
    what is not longer than theta need not be noted.
    """

    __slots__ = (
        "_mark",
        "_marked_at",
        "_marked_before",
        "_stood_since",
        "_stood_until",
        "again",
        "client",
        "closing",
        "handed_at",
        "longest_us",
        "out",
        "position",
        "reads",
        "reset_by",
        "runs",
        "since",
        "skipped",
        "stamp",
        "start",
        "total",
    )

    def __init__(self, client: i64, closing: Closing) -> None:
        self.client: i64 = client
        self.runs: list[DeliveredRun] = []
        self.total: i64 = 0
        self.start: i64 = -1
        self.position: i64 = -1
        self.reads: bool = False
        self.skipped: tuple[SkippedRun, ...] = ()
        self.reset_by: i64 = 0  # the kind of its last reset
        self.again: i64 = 0  # records below the position of its group to which a reset went back
        self.stamp: i64 = 0  # order of its newest position among the partition's readers
        self.closing = closing
        self.out: Outage = Outage(closing)
        self.since: i64 = 0  # when it began to read at its position, or jumped back to it
        self.handed_at: i64 = 0  # when it was handed records last
        self.longest_us: i64 = 0
        self._mark: i64 = -1  # where the log ended at a moment ...
        self._marked_at: i64 = 0  # ... which was this; its position has passed the mark before ...
        self._marked_before: i64 = 0  # ... which was made then: what it is handed now was written later
        self._stood_since: i64 = -1  # records stood that it did not get, from here ...
        self._stood_until: i64 = -1  # ... until another leader's log ended lower

    def may_be_late(self, now: i64) -> bool:
        """True if a record delivered now can have waited longer than any before, and longer than theta."""
        return now - self._marked_before > max(self.longest_us, THETA_US)

    def passes(self, end: i64, now: i64) -> None:
        """It stands at its position now, and the log ends at ``end``."""
        if self.position >= self._mark:
            self._marked_before = self._marked_at
            self._mark, self._marked_at = end, now

    def waited(self, written_at: i64, now: i64) -> i64:
        """The time (µs) for which a record written at ``written_at`` has waited for this reader."""
        return max(0, min(now, self.closing.us) - max(written_at, self.since))

    def delivered(self, offset: i64, count: i64, epoch: i64) -> None:
        """Records were handed over."""
        if self.start < 0 or offset < self.start:
            self.start = offset
        self.position = offset + count
        self.reads = True
        self.total += count
        if self.runs:
            last = self.runs[-1]
            if last.epoch == epoch and last.offset + last.count == offset:
                last.count += count
                return
        self.runs.append(DeliveredRun(offset, count, epoch))

    def differs_from(self, log: Log, position: i64) -> i64:
        """The lowest offset from which up to ``position`` a log now has other records than this reader got."""
        first = position
        for run in reversed(self.runs):
            if run.offset + run.count != first:
                break
            _, end = present_range(log, run.epoch)
            if end >= first:
                break
            first = max(run.offset, end)
        return first

    def missed(self, first: i64, log: Log, end: i64, why: i64) -> None:
        """A reset of this kind (or REMOVED) jumped over the records ``first`` .. ``end``-1 of a leader's log."""
        if first < self.start:
            self.start = first
        for epoch, start, stop in epochs_of(log, end):
            if stop > first:
                self.skipped += (SkippedRun(epoch, max(start, first), stop, why),)

    def stand(self, position: i64, now: i64) -> None:
        """A position was found, or jumped."""
        if not self.reads or position < self.position:
            self.since = now
        if self.start < 0 or position < self.start:
            self.start = position
        self.position = position
        self.reads = True

    def sinks(self, now: i64) -> None:
        """The log ends at its position or lower: nothing is left to read."""
        if self.out.since >= 0:
            self._stood_since, self._stood_until = self.out.since, now
        self.out.set(False, now, 0)

    def waits_since(self, since: i64, called_at: i64) -> None:
        """Its fetch has had no response since then. It is idle as long as no record stands and no call waits.

        ``called_at``: when a call of a producer began that has no response either; -1: none waits.
        """
        if self._stood_until > since:
            self.out.goes_on_since(max(since, self._stood_since))
        if called_at >= 0:
            self.out.goes_on_since(max(since, called_at))

    def look(self, end: i64, now: i64) -> None:
        """Records below ``end`` are there now."""
        if self.reads and self.position < end:
            self.out.set(True, now, 0)

    def misses(self, written_at: i64) -> None:
        """The record at its position was written then, by a leader that the controller had replaced already."""
        if self.out.since >= 0 and written_at >= 0:
            self.out.goes_on_since(max(written_at, max(self.since, self.handed_at)))
