"""Records that retention removed from leaders' logs. They are not lost, and reads of them were correct."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from simengine.kafka.log.log import Batch, Log
from simengine.verdict.presence import cut_out, first_of, present_range


@mypyc_attr(acyclic=True)
@final
class ExpiredRecords:
    """The removed records in order of epochs and offsets; ``end``: one past the highest offset."""

    __slots__ = ("_spans", "batches", "end")

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self._spans: list[tuple[int, int, int]] = []  # of the batches: epoch, first .. end-1
        self.end: i64 = 0

    def take(self, log: Log) -> None:
        """Retention has moved the start of a leader's log: keep what stands below it and was not kept before."""
        epoch, _, taken = self._spans[-1] if self._spans else (-1, 0, 0)
        at = first_of(log, epoch)
        while at < len(log.batches) and log.batches[at].base < log.start:
            batch = log.batches[at]
            base = max(batch.base, taken) if batch.epoch == epoch else batch.base
            end = min(batch.end, log.start)
            if base < end:
                self._keep(batch if end - base == batch.count else batch.part(base, end - base))
            at += 1
        self.end = max(self.end, log.start)

    def _keep(self, batch: Batch) -> None:
        self.batches.append(batch)
        if self._spans and self._spans[-1][0] == batch.epoch and self._spans[-1][2] == batch.base:
            self._spans[-1] = (int(batch.epoch), self._spans[-1][1], int(batch.end))
        else:
            self._spans.append((int(batch.epoch), int(batch.base), int(batch.end)))

    def with_all(self, log: Log) -> Log:
        """A log with the removed records that it never had, in order of epochs; the log itself where it had all.

        A new replica begins where its leader's log does. One with an empty disk begins at 0 once more, so offsets may
        begin anew with an epoch.
        """
        for epoch, start, end in self._spans:
            if missing_of(log, epoch, start, end):
                whole = Log()
                whole.start, whole.leo = log.start, log.leo
                whole.batches = sorted(self._lacking(log) + log.batches, key=place)
                return whole
        return log

    def _lacking(self, log: Log) -> list[Batch]:
        """The removed records that a log never had."""
        found: list[Batch] = []
        for batch in self.batches:
            for base, end in missing_of(log, batch.epoch, batch.base, batch.end):
                found.append(batch.part(base, end - base))
        return found


def missing_of(log: Log, epoch: i64, start: i64, end: i64) -> list[tuple[int, int]]:
    """Of the offsets start .. end-1 of an epoch those that do not stand in a log."""
    low, high = present_range(log, epoch)
    return cut_out([(int(start), int(end))], int(low), int(high))


def place(batch: Batch) -> tuple[int, int]:
    """Order of batches in logs."""
    return int(batch.epoch), int(batch.base)
