"""What a replica knows of idempotent producers: the last five batches of each (IDEM-3, IDEM-4, IDEM-8)."""

from typing import Final, final

from mypy_extensions import i64

from simengine.kafka.log import Batch, Log
from simengine.kernel.errors import ERR_INVALID_PRODUCER_EPOCH, ERR_NONE, ERR_OUT_OF_ORDER_SEQUENCE_NUMBER

BATCHES_KEPT: Final = 5


@final
class ProducerEntry:
    """One producer's epoch, and its newest batches, oldest first."""

    __slots__ = ("batches", "epoch")

    def __init__(self, epoch: i64) -> None:
        self.epoch: i64 = epoch
        self.batches: list[Batch] = []


@final
class ProducerStates:
    """The producers of one partition, as one replica knows them."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: dict[int, ProducerEntry] = {}

    def find_duplicate(self, pid: i64, epoch: i64, seq: i64, count: i64) -> Batch | None:
        """The batch with the same epoch and exactly the same sequence range, if it is among the last five."""
        entry = self.entries.get(int(pid))
        if entry is None or entry.epoch != epoch:
            return None
        for batch in entry.batches:
            if batch.seq == seq and batch.count == count:
                return batch
        return None

    def check(self, pid: i64, epoch: i64, seq: i64) -> i64:
        """Whether a batch that is no duplicate may be appended (IDEM-4)."""
        entry = self.entries.get(int(pid))
        if entry is None:
            return ERR_NONE
        if epoch < entry.epoch:
            return ERR_INVALID_PRODUCER_EPOCH
        if epoch > entry.epoch:
            return ERR_NONE if seq == 0 else ERR_OUT_OF_ORDER_SEQUENCE_NUMBER
        last = entry.batches[-1]
        return ERR_NONE if seq == last.seq + last.count else ERR_OUT_OF_ORDER_SEQUENCE_NUMBER

    def update(self, batch: Batch) -> None:
        """Take in an appended batch."""
        if batch.pid < 0:
            return
        entry = self.entries.get(int(batch.pid))
        if entry is None or entry.epoch != batch.pid_epoch:
            entry = ProducerEntry(batch.pid_epoch)
            self.entries[int(batch.pid)] = entry
        entry.batches.append(batch)
        if len(entry.batches) > BATCHES_KEPT:
            del entry.batches[0]

    def rebuild(self, log: Log) -> None:
        """Forget what is not in the log (truncation, restart). What was folded away keeps its entries."""
        kept: dict[int, ProducerEntry] = {}
        for pid, entry in self.entries.items():
            old = [batch for batch in entry.batches if batch.end <= log.base]
            if old:
                settled = ProducerEntry(entry.epoch)
                settled.batches = old
                kept[pid] = settled
        self.entries = kept
        for batch in log.batches:
            self.update(batch)
