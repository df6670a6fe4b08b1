"""The readiness of a queue's first batch: linger, full batches, back-offs, order (PC-1, PC-2, PC-4, IDEM-6)."""

from typing import final

from mypy_extensions import i64

from simengine.clients.network.metadata import ClientMetadata
from simengine.clients.network.settings import ProducerSettings
from simengine.clients.producer.accumulator import PartitionQueue
from simengine.clients.producer.buffer_pool import BufferPool
from simengine.clients.producer.sequences import Sequences
from simengine.kernel.sim import Sim


@final
class Readiness:
    """Judges the heads of one sender's queues; the queues given must not be empty."""

    __slots__ = ("_buffer_pool", "_metadata", "_sequences", "_settings", "_sim", "is_closing")

    def __init__(self, sim: Sim, metadata: ClientMetadata, sequences: Sequences, buffer_pool: BufferPool) -> None:
        self._sim = sim
        self._metadata = metadata
        self._sequences = sequences
        self._buffer_pool = buffer_pool
        self._settings: ProducerSettings = ProducerSettings()
        self.is_closing: bool = False

    def start(self, settings: ProducerSettings) -> None:
        """A new producer."""
        self._settings = settings
        self.is_closing = False

    def at(self, queue: PartitionQueue) -> i64:
        """Time from which the head is ready: after its back-off (PC-4), or after lingering (PC-1)."""
        head = queue.waiting[0]
        if head.attempts > 0:
            if self._metadata.epochs[queue.p] > head.leader_epoch:
                return 0  # a newer leader is known: no back-off
            return head.retry_at
        if len(queue.waiting) > 1 or head.count >= self._settings.batch_records:
            return 0
        if self.is_closing or self._buffer_pool.is_exhausted:
            return 0
        return head.created_at + self._settings.linger_us

    def any(self, queues: list[PartitionQueue]) -> bool:
        """True if some head is ready."""
        now = self._sim.now
        for queue in queues:
            if self.at(queue) <= now:
                return True
        return False

    def may_go_along(self, queue: PartitionQueue) -> bool:
        """True if the head may go along with another ready head: linger does not hold it back, a back-off does."""
        head = queue.waiting[0]
        if head.attempts > 0 and self.at(queue) > self._sim.now:
            return False
        if self._settings.max_in_flight == 1 and len(queue.on_wire) > 0:
            return False
        return not self._sequences.holds_back(queue, head)
