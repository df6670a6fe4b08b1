"""Records that wait in a producer, per partition: batches and their queue (PC-1, PC-4, PC-10).

A call of the application is a record, known by its number only; a batch is a run of consecutive numbers. The last batch
of a queue takes further records until it is full or was sent once.
"""

from typing import final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from simengine.clients.network.network_client import Connection, NetworkClient
from simengine.clients.producer.completion import PartitionCompletion
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.kafka.wire.api import ClientServer
from simengine.kernel.node import Task


class LeaderConnection(Connection):
    """A producer's connection to one broker, with the queues that have something for it."""

    __slots__ = ("queues",)

    def __init__(self, owner: NetworkClient, broker: ClientServer) -> None:
        super().__init__(owner, broker)
        self.queues: list[PartitionQueue] = []


@final
class PartitionQueue:
    """The batches of a producer for one partition."""

    __slots__ = (
        "completion",
        "connection",
        "epoch",
        "in_order",
        "is_listed",
        "last_acked",
        "next_seq",
        "on_wire",
        "p",
        "timer",
        "unresolved",
        "waiting",
    )

    def __init__(self, p: i64, completion: PartitionCompletion) -> None:
        self.p: i64 = p
        self.completion = completion
        self.connection: LeaderConnection | None = None  # to the leader, as far as known
        self.is_listed: bool = False  # in the connection's list of queues with something to send
        self.waiting: vec[ProducerBatch] = vec[ProducerBatch]()  # to be sent, or sent again
        self.on_wire: vec[ProducerBatch] = vec[ProducerBatch]()  # sent without answer
        self.timer: Task | None = None  # of its head
        # idempotence
        self.in_order: vec[ProducerBatch] = vec[ProducerBatch]()  # all with a sequence that have not ended, by sequence
        self.next_seq: i64 = 0
        self.last_acked: i64 = -1  # last sequence of the last acknowledged batch
        self.epoch: i64 = 0  # producer epoch that the sequences belong to
        self.unresolved: bool = False  # a batch that was retried expired (IDEM-7)

    def append(self, n: i64, count: i64, limit: i64, now: i64) -> i64:
        """Add calls n .. n+count-1 in batches of at most ``limit``; the number of batches begun."""
        begun: i64 = 0
        while count > 0:
            batch = self._open_batch(n, limit)
            if batch is None:
                batch = ProducerBatch(self.p, n, now)
                self.waiting = append(self.waiting, batch)
                begun += 1
            part = min(count, limit - batch.count)
            batch.count += part
            n += part
            count -= part
        return begun

    def _open_batch(self, n: i64, limit: i64) -> ProducerBatch | None:
        """The last batch, if it takes call n; its calls follow one another (a call that blocked may have failed)."""
        waiting = self.waiting
        k = len(waiting)
        if k == 0 or not waiting[k - 1].is_open or waiting[k - 1].count >= limit:
            return None
        return waiting[k - 1] if waiting[k - 1].n + waiting[k - 1].count == n else None

    def take_head(self) -> ProducerBatch:
        """Take out the first batch that waits."""
        self.waiting, head = pop(self.waiting, 0)
        return head

    def drop_waiting(self) -> None:
        """Forget the batches that wait."""
        self.waiting = vec[ProducerBatch]()

    def put_back(self, batch: ProducerBatch) -> None:
        """Queue a batch for another attempt: in sequence order if it has a sequence, else at the head (PC-10)."""
        waiting = append(self.waiting, batch)
        i: i64 = len(waiting) - 1
        while i > 0 and not (batch.seq >= 0 and 0 <= waiting[i - 1].seq < batch.seq):
            waiting[i] = waiting[i - 1]
            i -= 1
        waiting[i] = batch
        self.waiting = waiting

    def off_wire(self, batch: ProducerBatch) -> None:
        """A sent batch was answered, or its connection broke."""
        on_wire = self.on_wire
        i: i64 = 0
        while i < len(on_wire):
            if on_wire[i] is batch:
                self.on_wire, _ = pop(on_wire, i)
                return
            i += 1

    def is_on_wire(self, batch: ProducerBatch) -> bool:
        """True if the batch was sent and has no response yet."""
        for other in self.on_wire:
            if other is batch:
                return True
        return False

    def unended(self) -> tuple[i64, i64]:
        """Calls that wait, and calls that were sent and have not ended."""
        queued: i64 = 0
        in_flight: i64 = 0
        for batch in self.waiting:
            queued += batch.count
        for batch in self.on_wire:
            if not batch.is_done:
                in_flight += batch.count
        return queued, in_flight

    def list_up(self) -> None:
        """Let the leader's connection know that there is something to send."""
        connection = self.connection
        if connection is not None and not self.is_listed:
            self.is_listed = True
            connection.queues.append(self)

    def unlist(self) -> None:
        """There is nothing to send to the leader known so far."""
        connection = self.connection
        if connection is None or not self.is_listed:
            return
        self.is_listed = False
        listed = connection.queues
        for i in range(len(listed)):
            if listed[i] is self:
                listed.pop(i)
                return

    def expire(self, before: i64) -> list[ProducerBatch]:
        """Take out the batches created at or before a time: those sent, and those at the head of the queue."""
        expired: list[ProducerBatch] = []
        for batch in self.on_wire:
            if batch.created_at <= before and not batch.is_done:
                expired.append(batch)
        while len(self.waiting) > 0 and self.waiting[0].created_at <= before:
            expired.append(self.take_head())
        return expired

    def oldest(self) -> i64:
        """Creation time of the oldest batch that has not ended, or -1."""
        oldest: i64 = -1
        for batch in self.on_wire:
            if not batch.is_done and (oldest < 0 or batch.created_at < oldest):
                oldest = batch.created_at
        if len(self.waiting) > 0 and (oldest < 0 or self.waiting[0].created_at < oldest):
            oldest = self.waiting[0].created_at
        return oldest
