"""The sending half of a producer: which batch goes to which broker when, and what an answer means (PC-1..11, PC-15).

All batches of one broker that may be sent go into one request, at most one per partition, as soon as any of them is
ready and fewer than ``max.in.flight`` requests wait on the connection. Answers are acted on per batch. A request is
cut into no smaller pieces (``max.request.size`` is left out). One sender serves one producer id: after a restart, or a
change of acks, another one takes over while this one drains.
"""

from typing import Final, final

from librt.vecs import append
from mypy_extensions import i64

from simengine.clients.network.network_client import Connection, NetworkClient, Pending
from simengine.clients.network.settings import ProducerSettings
from simengine.clients.producer.accumulator import LeaderConnection, PartitionQueue
from simengine.clients.producer.buffer_pool import BufferPool
from simengine.clients.producer.completion import PartitionCompletion
from simengine.clients.producer.interception import take_rule
from simengine.clients.producer.produce_errors import asks_for_metadata, leaves_doubt
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.clients.producer.readiness import Readiness
from simengine.clients.producer.retries import Retries
from simengine.clients.producer.sender_connection import (
    ExpiryTimer,
    HeadTimer,
    MemoryTimer,
    PendingProduce,
    SenderConnection,
)
from simengine.clients.producer.sending_client import SendingClient
from simengine.clients.producer.sequences import Sequences
from simengine.facts.errors import (
    ERR_DELIVERY_TIMEOUT,
    ERR_NETWORK_EXCEPTION,
    ERR_NONE,
    ERR_REQUEST_TIMED_OUT,
)
from simengine.kafka.wire.api import ClientServer, MetadataAnswer, ProduceAnswer, ProduceBatch, ProduceRequest
from simengine.kernel.connecting import UP
from simengine.kernel.network import Network
from simengine.kernel.random import Stream

NEVER: Final = 1 << 62
EARLY_US: Final = 1000
"""PC-15: a clock of whole milliseconds may reach the timeout this much too early."""
LATE_US: Final = 2000
"""PC-15: the sending thread usually looks no later than this after the timeout."""


@final
class Sender(NetworkClient):
    """Queues, connections and sequences of one producer id."""

    __slots__ = (
        "_expiry",
        "_lateness",
        "_memory_timer",
        "_queue_of",
        "_request_id",
        "buffer_pool",
        "client",
        "is_held",
        "queues",
        "readiness",
        "retries",
        "sequences",
        "settings",
    )

    def __init__(
        self,
        net: Network,
        client: SendingClient,
        brokers: list[ClientServer],
        bootstrap: list[int],
        settings: ProducerSettings,
    ) -> None:
        super().__init__(net, client, brokers, bootstrap, settings.request_timeout_us)
        self.client = client
        self.settings = settings
        self.is_held: bool = False  # its thread hangs in the callback of a record: no request leaves
        self.buffer_pool: BufferPool = BufferPool(self.sim)
        self.sequences: Sequences = Sequences()
        self.readiness: Readiness = Readiness(self.sim, self.metadata, self.sequences, self.buffer_pool)
        self.retries: Retries = Retries(self.sim, self.sequences, self.sim.stream(client.name, "retry back-off"))
        self.queues: list[PartitionQueue] = []
        self._queue_of: list[int] = []
        self._request_id: i64 = 0
        self._expiry: ExpiryTimer | None = None
        self._lateness: Stream = self.sim.stream(client.name, "expiry of batches")
        self._memory_timer: MemoryTimer | None = None
        for broker in brokers:
            self.connections.append(SenderConnection(self, broker))

    def start(self, settings: ProducerSettings, pid: i64) -> None:
        """Begin with nothing, under a producer id of its own."""
        self.hang_up()
        self.is_held = False
        self.settings = settings
        self.request_timeout_us = settings.request_timeout_us
        self.notice_us = settings.notice_us
        self.metadata.pace(settings.metadata_max_age_us, settings.retry_backoff_us, settings.retry_backoff_max_us)
        self.sequences.start(settings.is_idempotent(), pid)
        self.readiness.start(settings)
        self.retries.start(settings)
        self.queues = []
        self._queue_of = []
        self.buffer_pool.start(settings)
        self._memory_timer = None
        self._expiry = None
        for connection in self.connections:
            assert isinstance(connection, LeaderConnection)
            connection.queues = []
        self.metadata.request_update()

    # -- records in

    def queue_for(self, completion: PartitionCompletion) -> PartitionQueue:
        """The queue of a partition; made at its first record."""
        p = completion.p
        while len(self._queue_of) <= p:
            self._queue_of.append(-1)
        i = self._queue_of[p]
        if i >= 0:
            return self.queues[i]
        self._queue_of[p] = len(self.queues)
        queue = PartitionQueue(p, completion)
        self.queues.append(queue)
        self.metadata.want([p])
        self._attach(queue)
        return queue

    def add(self, completion: PartitionCompletion, n: i64, count: i64) -> None:
        """The application has called ``send`` for records n .. n+count-1."""
        queue = self.queue_for(completion)
        was_empty = len(queue.waiting) == 0
        self.buffer_pool.batches += queue.append(n, count, self.settings.batch_records, self.sim.now)
        if was_empty:
            queue.list_up()
        if self._expiry is None:
            self._arm_expiry(self.sim.now)
        if queue.timer is None or len(queue.waiting) > 1 or queue.waiting[0].count >= self.settings.batch_records:
            self.look_at(queue)

    def close(self) -> None:
        """Send what is there without lingering, wait for every answer, then tell the client."""
        self.readiness.is_closing = True
        self.look_around()
        self._finish()

    def abandon(self) -> None:
        """The process died: nobody will tell the application how its calls ended."""
        for queue in self.queues:
            for batch in queue.on_wire:
                if not batch.is_done:
                    queue.completion.abandoned(batch, self.settings.acks, True)
            for batch in queue.waiting:
                queue.completion.abandoned(batch, self.settings.acks, batch.may_be_written)
        self.queues = []
        self.buffer_pool.clear()
        self._memory_timer = None

    def force_close(self) -> None:
        """``close(Duration.ZERO)``: nothing is sent again, no record ends; what is on the wire may be written."""
        for queue in self.queues:
            for batch in queue.on_wire:
                batch.is_done = True
        closed = self.queues
        self.abandon()
        self._queue_of = []
        for queue in closed:
            queue.unlist()
            queue.drop_waiting()

    # -- memory

    def wait_for_memory(self) -> None:
        """The application's thread waits; this one notices at the end of its longest sleep at the latest."""
        self.buffer_pool.is_exhausted = True
        if self._memory_timer is None:
            self._memory_timer = MemoryTimer(self)
            self.sim.at(max(self.buffer_pool.sleeps_until(), self.sim.now), self._memory_timer)

    def woke(self, timer: MemoryTimer) -> None:
        """The sender's thread may have slept for as long as it ever does."""
        if timer is not self._memory_timer:
            return
        self._memory_timer = None
        if not self.buffer_pool.is_exhausted:
            return
        if self.buffer_pool.sleeps_until() <= self.sim.now:
            self.look_around()
        else:
            self.wait_for_memory()

    # -- when a batch is ready

    def look_around(self) -> None:
        """Send what is ready in any queue."""
        for queue in self.queues:
            self.look_at(queue)

    def head_due(self, queue: PartitionQueue) -> None:
        """The head of a queue may be ready now; while somebody waits for memory, all are."""
        if self.buffer_pool.is_exhausted:
            self.look_around()
        else:
            self.look_at(queue)

    def look_at(self, queue: PartitionQueue) -> None:
        """Send the head of a queue if it is ready; else see to it that this happens then."""
        self.buffer_pool.looked()
        if len(queue.waiting) == 0:
            return
        connection = queue.connection
        if connection is None:
            self.metadata.request_update()  # PC-8: it waits for a leader
            return
        at = self.readiness.at(queue)
        if at > self.sim.now:
            self._arm_head(queue, at)
        else:
            self.drain(connection)

    def _arm_head(self, queue: PartitionQueue, at: i64) -> None:
        if queue.timer is None or queue.timer.time > at:
            queue.timer = HeadTimer(self, queue)
            self.sim.at(at, queue.timer)

    # -- requests out

    def drain(self, connection: LeaderConnection) -> None:
        """Send to one broker what may be sent. A metadata refresh that is due goes first (PC-5)."""
        self.sequences.settle()
        if connection.state != UP:
            if self.readiness.any(connection.queues):
                connection.want()
            return
        if self.metadata.is_due():
            self.metadata.try_refresh()
            if self.metadata.is_due():
                return
        while self.can_take(connection) and self.readiness.any(connection.queues):
            if not self._send_one(connection):
                return

    def can_take(self, connection: Connection) -> bool:
        return not self.is_held and len(connection.pending) < self.settings.max_in_flight

    def _send_one(self, connection: LeaderConnection) -> bool:
        """Send one request with the first batch of every queue that has one to send; false if there is none."""
        queues: list[PartitionQueue] = []
        batches: list[ProducerBatch] = []
        listed = connection.queues
        kept = 0
        for queue in listed:
            if self.readiness.may_go_along(queue):
                queues.append(queue)
                batches.append(self._take_head(queue))
            if len(queue.waiting) > 0:
                listed[kept] = queue
                kept += 1
            else:
                queue.is_listed = False
        while len(listed) > kept:
            listed.pop()
        if not queues:
            return False
        self._transmit(connection, queues, batches)
        for queue in queues:
            if len(queue.waiting) > 0:
                at = self.readiness.at(queue)
                if at > self.sim.now:
                    self._arm_head(queue, at)
        return True

    def _take_head(self, queue: PartitionQueue) -> ProducerBatch:
        batch = queue.take_head()
        batch.is_open = False
        batch.leader_epoch = self.metadata.epochs[queue.p]
        self.sequences.assign(queue, batch)
        queue.on_wire = append(queue.on_wire, batch)
        queue.completion.moved(-batch.count, batch.count)
        return batch

    def _transmit(
        self, connection: LeaderConnection, queues: list[PartitionQueue], batches: list[ProducerBatch]
    ) -> None:
        sequences = self.sequences
        sent: list[ProduceBatch] = []
        for i in range(len(batches)):
            batch = batches[i]
            epoch = queues[i].epoch if sequences.is_on else -1
            sent.append(
                ProduceBatch(queues[i].p, self.client.number, batch.n, batch.count, sequences.pid, epoch, batch.seq)
            )
        self._request_id += 1
        settings = self.settings
        request = ProduceRequest(self._request_id, settings.acks, settings.request_timeout_us, sent)
        if settings.acks == 0:
            connection.send(request)
            for i in range(len(batches)):  # PC-9: handed over is all the application learns
                self._complete(queues[i], batches[i], ERR_NONE, -1, -1)
        else:
            pending = PendingProduce(self.sim.now, queues, batches)
            if self.client.interceptions:
                assert isinstance(connection, SenderConnection)
                connection.intercept(pending, take_rule(self.client.interceptions, queues, batches))
            connection.request(request, pending)

    def release(self, name: str) -> None:
        """Let through what a rule holds."""
        for connection in self.connections:
            assert isinstance(connection, SenderConnection)
            holder = connection.holder
            if holder is not None and holder.name == name:
                connection.release()

    # -- answers

    def produce_answered(self, connection: SenderConnection, request: PendingProduce, answer: ProduceAnswer) -> None:
        """Act on each result of an answer, then send what that made possible."""
        for i in range(len(request.batches)):
            result = answer.results[i]
            queue = request.queues[i]
            if result.error != ERR_NONE:
                if self.metadata.learn(queue.p, result.leader, result.leader_epoch):
                    self._attach(queue)
                if asks_for_metadata(result.error):
                    self.metadata.request_update()
            self._complete(queue, request.batches[i], result.error, result.offset, result.epoch)
        if self.metadata.is_due():
            self.metadata.try_refresh()
        if self.buffer_pool.is_exhausted:
            self.look_around()
        for queue in request.queues:
            self.look_at(queue)
        if connection.queues:
            self.drain(connection)
        self._finish()

    def on_lost(self, connection: Connection, request: Pending, timed_out: bool) -> None:
        assert isinstance(request, PendingProduce)
        error: i64 = ERR_REQUEST_TIMED_OUT if timed_out else ERR_NETWORK_EXCEPTION
        for i in range(len(request.batches)):
            self._complete(request.queues[i], request.batches[i], error, -1, -1)

    def _complete(self, queue: PartitionQueue, batch: ProducerBatch, error: i64, offset: i64, epoch: i64) -> None:
        """One attempt of a batch ended."""
        queue.off_wire(batch)
        if batch.is_done:
            return  # it had expired meanwhile
        if error == ERR_NONE:
            self.sequences.acknowledged(queue, batch)
            self._settle(queue, batch, ERR_NONE, offset, epoch)
            queue.completion.moved(0, -batch.count)
            return
        if leaves_doubt(error):
            batch.may_be_written = True
        if self.retries.may_retry(queue, batch, error):
            queue.completion.retried(error)
            self._retry(queue, batch)
        else:
            self.sequences.failed(queue, batch, error, batch.attempts < self.settings.retries)
            self._settle(queue, batch, error, -1, -1)
            queue.completion.moved(0, -batch.count)

    def _retry(self, queue: PartitionQueue, batch: ProducerBatch) -> None:
        self.client.rebooked(batch, queue.p, self.settings.acks)
        self.retries.put_back(queue, batch)
        queue.completion.moved(batch.count, -batch.count)
        if queue.waiting[0] is batch:
            self._arm_head(queue, batch.retry_at)

    def _settle(self, queue: PartitionQueue, batch: ProducerBatch, error: i64, offset: i64, epoch: i64) -> None:
        batch.is_done = True
        self.buffer_pool.free()
        queue.completion.settled(batch, self.settings.acks, error, offset, epoch)

    # -- time and change

    def expire(self, timer: ExpiryTimer) -> None:
        """Fail what has reached its delivery timeout, and look again when the next batch may have."""
        if timer is not self._expiry:
            return
        self._expiry = None
        before = max(timer.oldest, self.sim.now - self.settings.delivery_timeout_us)
        oldest: i64 = NEVER
        for queue in self.queues:
            for batch in queue.expire(before):
                self._expire_batch(queue, batch)
            left = queue.oldest()
            if 0 <= left < oldest:
                oldest = left
        if oldest < NEVER:
            self._arm_expiry(oldest)
        self.look_around()
        self._finish()

    def _expire_batch(self, queue: PartitionQueue, batch: ProducerBatch) -> None:
        is_sent = queue.is_on_wire(batch)
        if is_sent:
            batch.may_be_written = True
        self.sequences.expired(queue, batch)
        self._settle(queue, batch, ERR_DELIVERY_TIMEOUT, -1, -1)
        if is_sent:
            queue.completion.moved(0, -batch.count)
        else:
            queue.completion.moved(-batch.count, 0)
        if len(queue.waiting) == 0:
            queue.unlist()

    def _arm_expiry(self, oldest: i64) -> None:
        """PC-15: look when the oldest batch is as old as its delivery timeout, by a clock that counts milliseconds."""
        self._expiry = ExpiryTimer(self, oldest)
        due = oldest + self.settings.delivery_timeout_us + self._lateness.between(-EARLY_US, LATE_US)
        self.sim.at(max(self.sim.now, due), self._expiry)

    def on_up(self, connection: Connection) -> None:
        assert isinstance(connection, LeaderConnection)
        if self.buffer_pool.is_exhausted:
            self.look_around()
        self.drain(connection)

    def on_free(self, connection: Connection) -> None:
        self.on_up(connection)

    def on_down(self, connection: Connection) -> None:
        self.look_around()  # what was lost may have held back what goes to another leader by now (PC-2)
        self._finish()

    def on_topics(self, answer: MetadataAnswer) -> bool:
        return self.client.topics_changed(self, answer)

    def move(self, old_p: i64, completion: PartitionCompletion) -> None:
        """Move the queued batches of a deleted topic's partition to its replacement; sent batches stay booked there.

        A response to those may yet come: the old leader may have appended them before it learnt of the deletion.
        """
        if old_p >= len(self._queue_of) or self._queue_of[old_p] < 0:
            return
        new_p = completion.p
        i = self._queue_of[old_p]
        self._queue_of[old_p] = -1
        while len(self._queue_of) <= new_p:
            self._queue_of.append(-1)
        self._queue_of[new_p] = i
        queue = self.queues[i]
        queue.unlist()
        queue.connection = None
        queue.p = new_p
        queued, in_flight = queue.unended()
        queue.completion.moved(-queued, -in_flight)
        completion.moved(queued, in_flight)
        queue.completion = completion
        for batch in queue.waiting:
            self.client.rebooked(batch, new_p, self.settings.acks)
        self._attach(queue)

    def on_metadata(self) -> None:
        for queue in self.queues:
            self._attach(queue)
        self.look_around()
        self.client.metadata_came(self)

    def on_rebootstrap(self) -> None:
        for queue in self.queues:
            self._attach(queue)

    def _attach(self, queue: PartitionQueue) -> None:
        """Point a queue to its leader as known now."""
        found = self.connection_to(self.metadata.leaders[queue.p])
        if found is queue.connection:
            return
        queue.unlist()
        if found is None:
            queue.connection = None
            return
        assert isinstance(found, LeaderConnection)
        queue.connection = found
        if len(queue.waiting) > 0:
            queue.list_up()

    def _finish(self) -> None:
        """Once closing and empty, hang up and say so."""
        if self.readiness.is_closing and self.buffer_pool.batches == 0:
            self.readiness.is_closing = False
            self.hang_up()
            self.client.drained(self)
