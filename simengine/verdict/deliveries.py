"""What consumers were handed, kept as runs, and where each stood first and last: the reading side of the verdict."""

from typing import final

from mypy_extensions import i64, mypyc_attr


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
    """One consumer of one partition: its deliveries, its lowest position and its newest one (-1: none yet)."""

    __slots__ = ("client", "position", "runs", "stamp", "start", "total")

    def __init__(self, client: i64) -> None:
        self.client: i64 = client
        self.runs: list[DeliveredRun] = []
        self.total: i64 = 0
        self.start: i64 = -1
        self.position: i64 = -1
        self.stamp: i64 = 0  # order of its newest position among all readers'

    def stand(self, position: i64, stamp: i64) -> None:
        """The consumer will read this offset next."""
        if self.start < 0 or position < self.start:
            self.start = position
        self.position = position
        self.stamp = stamp


@final
class Deliveries:
    """All deliveries of a run, by partition and consumer."""

    __slots__ = ("_by_reader", "_stamp", "by_partition")

    def __init__(self) -> None:
        self.by_partition: dict[int, list[Reader]] = {}
        self._by_reader: dict[tuple[int, int], Reader] = {}
        self._stamp: i64 = 0

    def _reader(self, client: i64, p: i64) -> Reader:
        self._stamp += 1
        key = (int(client), int(p))
        reader = self._by_reader.get(key)
        if reader is None:
            reader = Reader(client)
            self._by_reader[key] = reader
            self.by_partition.setdefault(int(p), []).append(reader)
        return reader

    def add(self, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        """Records were handed over."""
        reader = self._reader(client, p)
        if reader.start < 0:
            reader.start = offset
        reader.stand(offset + count, self._stamp)
        reader.total += count
        if reader.runs:
            last = reader.runs[-1]
            if last.epoch == epoch and last.offset + last.count == offset:
                last.count += count
                return
        reader.runs.append(DeliveredRun(offset, count, epoch))

    def moved(self, client: i64, p: i64, old: i64, new: i64) -> None:
        """A position was found or jumped."""
        self._reader(client, p).stand(new, self._stamp)
