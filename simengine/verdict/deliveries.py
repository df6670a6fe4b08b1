"""What consumers were handed, kept as runs: for phantoms and repeated reads."""

from typing import final

from mypy_extensions import i64


@final
class DeliveredRun:
    """Records offset .. offset+count-1 of one leader epoch, handed to one consumer in one go."""

    __slots__ = ("count", "epoch", "offset")

    def __init__(self, offset: i64, count: i64, epoch: i64) -> None:
        self.offset: i64 = offset
        self.count: i64 = count
        self.epoch: i64 = epoch


@final
class Deliveries:
    """All deliveries of a run, by consumer and partition."""

    __slots__ = ("by_reader",)

    def __init__(self) -> None:
        self.by_reader: dict[tuple[int, int], list[DeliveredRun]] = {}

    def add(self, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        """Records were handed over."""
        key = (int(client), int(p))
        runs = self.by_reader.get(key)
        if runs is None:
            runs = []
            self.by_reader[key] = runs
        if runs:
            last = runs[-1]
            if last.epoch == epoch and last.offset + last.count == offset:
                last.count += count
                return
        runs.append(DeliveredRun(offset, count, epoch))
