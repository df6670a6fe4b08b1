"""Producer id, epoch and sequences: the client's half of idempotence (IDEM-2, IDEM-5, IDEM-6, IDEM-7).

A batch gets its sequence when it is first sent. Left out: asking for the producer id (it is there when the producer
opens), transactions, and the wrap-around of epochs and sequences.
"""

from typing import final

from librt.vecs import append, pop
from mypy_extensions import i64

from simengine.clients.producer.accumulator import PartitionQueue
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.facts.errors import ERR_OUT_OF_ORDER_SEQUENCE_NUMBER


@final
class Sequences:
    """Sequence numbers of one producer."""

    __slots__ = ("_to_bump", "_unresolved", "epoch", "is_on", "pid")

    def __init__(self) -> None:
        self.is_on: bool = False
        self.pid: i64 = -1
        self.epoch: i64 = 0
        self._to_bump: list[PartitionQueue] = []
        self._unresolved: list[PartitionQueue] = []

    def start(self, is_on: bool, pid: i64) -> None:
        """A new producer id, or none."""
        self.is_on = is_on
        self.pid = pid if is_on else -1
        self.epoch = 0
        self._to_bump = []
        self._unresolved = []

    def holds_back(self, queue: PartitionQueue, head: ProducerBatch) -> bool:
        """True if the head of a queue must not be sent yet (IDEM-6, IDEM-7)."""
        if not self.is_on:
            return False
        if head.seq < 0:
            return queue.unresolved or (queue.epoch != self.epoch and len(queue.in_order) > 0)
        return queue.in_order[0] is not head

    def assign(self, queue: PartitionQueue, batch: ProducerBatch) -> None:
        """Give a batch its sequence, when it is first sent (IDEM-2)."""
        if not self.is_on or batch.seq >= 0:
            return
        if queue.epoch != self.epoch:
            queue.epoch = self.epoch
            queue.next_seq = 0
            queue.last_acked = -1
        batch.seq = queue.next_seq
        queue.next_seq += batch.count
        queue.in_order = append(queue.in_order, batch)

    def acknowledged(self, queue: PartitionQueue, batch: ProducerBatch) -> None:
        """A batch was written."""
        if self.is_on and batch.seq >= 0:
            queue.last_acked = max(queue.last_acked, batch.seq + batch.count - 1)
            self._drop(queue, batch)

    def failed(self, queue: PartitionQueue, batch: ProducerBatch, error: i64, attempts_left: bool) -> None:
        """A batch was given up after an answer: its sequence is missing from now on, so the epoch is bumped."""
        if self.is_on and batch.seq >= 0:
            self._drop(queue, batch)
            if attempts_left or error == ERR_OUT_OF_ORDER_SEQUENCE_NUMBER:
                self._bump_for(queue)

    def expired(self, queue: PartitionQueue, batch: ProducerBatch) -> None:
        """A batch reached its delivery timeout; if it was retried, nobody knows whether it is in the log (IDEM-7)."""
        if not self.is_on or batch.seq < 0:
            return
        self._drop(queue, batch)
        if batch.attempts > 0 and not queue.unresolved:
            queue.unresolved = True
            self._unresolved.append(queue)

    def retries_out_of_order(self, queue: PartitionQueue, batch: ProducerBatch) -> None:
        """OUT_OF_ORDER_SEQUENCE_NUMBER is always retried; if the batch was the next one, with a new epoch (IDEM-5)."""
        is_next = queue.last_acked + 1 == batch.seq
        if queue.unresolved or (is_next and not batch.is_renumbered):
            self._bump_for(queue)

    def is_stuck_out_of_order(self, queues: list[PartitionQueue]) -> bool:
        """True if the head of some queue, now or later, does not have the next sequence: an earlier batch expired."""
        for queue in queues:
            if len(queue.in_order) > 0:
                if queue.in_order[0].seq != queue.last_acked + 1:
                    return self.is_on
            elif queue.epoch == self.epoch and not queue.unresolved and queue.next_seq != queue.last_acked + 1:
                return self.is_on
        return False

    def settle(self) -> None:
        """Resolve what can be resolved, then bump the epoch if that is due; called before anything is sent."""
        if self._unresolved:
            self._resolve()
        if self._to_bump:
            self._bump()

    def _resolve(self) -> None:
        still: list[PartitionQueue] = []
        for queue in self._unresolved:
            if not queue.unresolved:
                continue
            if len(queue.in_order) > 0:
                still.append(queue)
            elif queue.last_acked + 1 == queue.next_seq:
                queue.unresolved = False  # a later batch was acknowledged: the sequence just goes on
            else:
                self._bump_for(queue)
        self._unresolved = still

    def _bump_for(self, queue: PartitionQueue) -> None:
        for other in self._to_bump:
            if other is queue:
                return
        self._to_bump.append(queue)

    def _bump(self) -> None:
        self.epoch += 1
        for queue in self._to_bump:
            seq: i64 = 0
            for batch in queue.in_order:
                batch.seq = seq
                batch.is_renumbered = True
                seq += batch.count
            queue.epoch = self.epoch
            queue.next_seq = seq
            queue.last_acked = -1
            queue.unresolved = False
        self._to_bump = []

    def _drop(self, queue: PartitionQueue, batch: ProducerBatch) -> None:
        in_order = queue.in_order
        i: i64 = 0
        while i < len(in_order):
            if in_order[i] is batch:
                queue.in_order, _ = pop(in_order, i)
                return
            i += 1
