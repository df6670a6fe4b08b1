"""What consumers were handed, kept as runs, and where each stood first and last: the reading side of the verdict."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from simengine.verdict.outage import Outage


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

    ``out``: as the consumer sees it, records are there to be read and none comes.
    """

    __slots__ = ("client", "out", "position", "reads", "runs", "stamp", "start", "total")

    def __init__(self, client: i64, until: i64) -> None:
        self.client: i64 = client
        self.runs: list[DeliveredRun] = []
        self.total: i64 = 0
        self.start: i64 = -1
        self.position: i64 = -1
        self.reads: bool = False
        self.stamp: i64 = 0  # order of its newest position among the partition's readers
        self.out: Outage = Outage(until)

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

    def stand(self, position: i64) -> None:
        """A position was found, or jumped."""
        if self.start < 0 or position < self.start:
            self.start = position
        self.position = position
        self.reads = True

    def look(self, end: i64, now: i64) -> None:
        """Records below ``end`` can be read now."""
        if self.reads and self.position < end:
            self.out.set(True, now, 0)
