"""What consumers were handed, kept as runs, and where each stood first and last: the reading side of the verdict."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from simengine.verdict.outage import THETA_US, Closing, Outage


@mypyc_attr(acyclic=True)
@final
class DeliveredRun:
    """Records offset .. offset+count-1 of one leader epoch, handed to one consumer in one go."""

    __slots__ = ("count", "epoch", "offset")

    def __init__(self, offset: i64, count: i64, epoch: i64) -> None:
        self.offset: i64 = offset
        self.count: i64 = count
        self.epoch: i64 = epoch


@final
class Reader:
    """One consumer of one partition: its deliveries, its lowest position and its newest one (-1: it never had one).

    ``reads``: it was not closed since, and the partition was not taken from it.

    ``out``: as the consumer sees it, records stand in the leader's log, and it gets none; or its fetch has no response.

    ``longest_us``: the longest time from the append of a record, or from when it began to read there, to its delivery;
    what is not longer than theta need not be noted.
    """

    __slots__ = (
        "_mark",
        "_marked_at",
        "_marked_before",
        "client",
        "closing",
        "longest_us",
        "out",
        "position",
        "reads",
        "runs",
        "since",
        "skipped",
        "skipped_expired",
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
        self.skipped: i64 = 0  # records that a reset jumped over, or that came before it noticed a new partition
        self.skipped_expired: i64 = 0  # of them those that retention had removed
        self.stamp: i64 = 0  # order of its newest position among the partition's readers
        self.closing = closing
        self.out: Outage = Outage(closing)
        self.since: i64 = 0  # when it began to read at its position, or jumped back to it
        self.longest_us: i64 = 0
        self._mark: i64 = -1  # where the log ended at a moment ...
        self._marked_at: i64 = 0  # ... which was this; its position has passed the mark before ...
        self._marked_before: i64 = 0  # ... which was made then: what it is handed now was written later

    def may_be_late(self, now: i64) -> bool:
        """Whether what it is handed now can have waited longer than anything before, and longer than theta."""
        return now - self._marked_before > max(self.longest_us, THETA_US)

    def passes(self, end: i64, now: i64) -> None:
        """It stands at its position now, and the log ends at ``end``."""
        if self.position >= self._mark:
            self._marked_before = self._marked_at
            self._mark, self._marked_at = end, now

    def waited(self, written_at: i64, now: i64) -> i64:
        """How long a record that was written then has waited for this reader."""
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

    def stand(self, position: i64, now: i64) -> None:
        """A position was found, or jumped."""
        if not self.reads or position < self.position:
            self.since = now
        if self.start < 0 or position < self.start:
            self.start = position
        self.position = position
        self.reads = True

    def waits_since(self, since: i64) -> None:
        """Its fetch has had no response since then."""
        if self.out.intervals:
            since = max(since, self.out.intervals[-1][1])
        if self.out.since < 0 or since < self.out.since:
            self.out.since = since

    def look(self, end: i64, now: i64) -> None:
        """Records below ``end`` are there now."""
        if self.reads and self.position < end:
            self.out.set(True, now, 0)
