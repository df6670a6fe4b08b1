"""A replica's state of idempotent producers: the last five batches of each (IDEM-3, IDEM-4, IDEM-8)."""

from typing import Final, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from simengine.facts.errors import ERR_INVALID_PRODUCER_EPOCH, ERR_NONE, ERR_OUT_OF_ORDER_SEQUENCE_NUMBER
from simengine.kafka.log.log import Batch, Log

BATCHES_KEPT: Final = 5


@mypyc_attr(acyclic=True)
@final
class ProducerStateEntry:
    """One producer's epoch, and its newest batches, oldest first."""

    __slots__ = ("batches", "epoch")

    def __init__(self, epoch: i64) -> None:
        self.epoch: i64 = epoch
        self.batches: vec[Batch] = vec[Batch]()

    def newest(self) -> Batch:
        """The last batch; there is one as long as there is an entry."""
        return self.batches[len(self.batches) - 1]


@mypyc_attr(acyclic=True)
@final
class ProducerStates:
    """The producers of one partition, as one replica knows them."""

    __slots__ = ("_last", "_last_pid", "entries")

    def __init__(self) -> None:
        self.entries: dict[int, ProducerStateEntry] = {}
        self._last_pid: i64 = -1  # who was asked for last: mostly the next one too
        self._last: ProducerStateEntry | None = None

    def entry(self, pid: i64) -> ProducerStateEntry | None:
        """The entry of a producer, None if it is unknown."""
        if pid != self._last_pid or self._last is None:
            self._last = self.entries.get(pid)
            self._last_pid = pid
        return self._last

    def find_duplicate(self, pid: i64, epoch: i64, seq: i64, count: i64) -> Batch | None:
        """The batch with the same epoch and exactly the same sequence range, if it is among the last five."""
        entry = self.entry(pid)
        if entry is None or entry.epoch != epoch:
            return None
        for batch in entry.batches:
            if batch.seq == seq and batch.count == count:
                return batch
        return None

    def sequence_error(self, pid: i64, epoch: i64, seq: i64) -> i64:
        """The error for a batch that is no duplicate; ERR_NONE if it may be appended (IDEM-4)."""
        entry = self.entry(pid)
        if entry is None:
            return ERR_NONE
        if epoch < entry.epoch:
            return ERR_INVALID_PRODUCER_EPOCH
        if epoch > entry.epoch:
            return ERR_NONE if seq == 0 else ERR_OUT_OF_ORDER_SEQUENCE_NUMBER
        last = entry.newest()
        return ERR_NONE if seq == last.seq + last.count else ERR_OUT_OF_ORDER_SEQUENCE_NUMBER

    def update(self, batch: Batch) -> None:
        """Take in an appended batch."""
        if batch.pid < 0:
            return
        entry = self.entry(batch.pid)
        if entry is None or entry.epoch != batch.pid_epoch:
            entry = ProducerStateEntry(batch.pid_epoch)
            self.entries[batch.pid] = entry
            self._last = entry
        batches = append(entry.batches, batch)
        if len(batches) > BATCHES_KEPT:
            batches, _ = pop(batches, 0)
        entry.batches = batches

    def truncated(self, log: Log) -> None:
        """The log was cut: who lost a batch has the newest that the log still holds."""
        kept: dict[int, ProducerStateEntry] = {}
        for pid, entry in self.entries.items():
            if entry.newest().end <= log.leo:
                kept[pid] = entry
            else:
                found = read_back(log, pid)
                if found is not None:
                    kept[pid] = found
        self.entries = kept
        self._last = None


def read_back(log: Log, pid: i64) -> ProducerStateEntry | None:
    """The entry of a producer by the batches of a log, None if it has none there."""
    batches = log.batches
    newest: list[Batch] = []
    entry: ProducerStateEntry | None = None
    for i in range(len(batches) - 1, -1, -1):
        batch = batches[i]
        if batch.pid != pid:
            continue
        if entry is None:
            entry = ProducerStateEntry(batch.pid_epoch)
        elif entry.epoch != batch.pid_epoch:
            break
        newest.append(batch)
        if len(newest) == BATCHES_KEPT:
            break
    if entry is not None:
        entry.batches = vec[Batch](reversed(newest))
    return entry
