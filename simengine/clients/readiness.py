"""When the first batch of a queue may be sent: lingering, full batches, back-offs, order (PC-1, PC-2, PC-4, IDEM-6)."""

from typing import final

from mypy_extensions import i64

from simengine.clients.accumulator import PartitionQueue
from simengine.clients.memory import Memory
from simengine.clients.metadata import ClientMetadata
from simengine.clients.sequences import Sequences
from simengine.clients.settings import ProducerSettings
from simengine.kernel.sim import Sim


@final
class Readiness:
    """Judges the heads of one sender's queues; the queues given must not be empty."""

    __slots__ = ("_memory", "_metadata", "_sequences", "_settings", "_sim", "is_closing")

    def __init__(self, sim: Sim, metadata: ClientMetadata, sequences: Sequences, memory: Memory) -> None:
        self._sim = sim
        self._metadata = metadata
        self._sequences = sequences
        self._memory = memory
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
        if self.is_closing or self._memory.is_exhausted:
            return 0
        return head.created_at + self._settings.linger_us

    def any(self, queues: list[PartitionQueue]) -> bool:
        """Whether some head is ready."""
        now = self._sim.now
        for queue in queues:
            if self.at(queue) <= now:
                return True
        return False

    def may_go_along(self, queue: PartitionQueue) -> bool:
        """Whether the head may go when another one is ready: lingering keeps nothing behind, a back-off does."""
        head = queue.waiting[0]
        if head.attempts > 0 and self.at(queue) > self._sim.now:
            return False
        if self._settings.max_in_flight == 1 and len(queue.on_wire) > 0:
            return False
        return not self._sequences.holds_back(queue, head)
