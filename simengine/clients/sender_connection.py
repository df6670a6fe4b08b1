"""A sender's connection to one broker, what waits for an answer on it, and the sender's timers."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.clients.accumulator import PartitionQueue, ProducerBatch
from simengine.clients.network_client import Connection, Pending
from simengine.kafka.api import ProduceAnswer
from simengine.kernel.network import Task

if TYPE_CHECKING:
    from simengine.clients.sender import Sender
    from simengine.kafka.broker import Broker


@final
class PendingProduce(Pending):
    """A ProduceRequest without answer; batch i belongs to queue i."""

    __slots__ = ("batches", "queues")

    def __init__(self, sent_at: i64, queues: list[PartitionQueue], batches: list[ProducerBatch]) -> None:
        super().__init__(sent_at)
        self.queues = queues
        self.batches = batches


@final
class SenderConnection(Connection):
    """A producer's connection to one broker, with the queues that have something for it."""

    __slots__ = ("queues", "sender")

    def __init__(self, sender: "Sender", broker: "Broker") -> None:
        super().__init__(sender, broker)
        self.sender = sender
        self.queues: list[PartitionQueue] = []

    def on_produce_answer(self, answer: ProduceAnswer) -> None:
        request = self.answered()
        assert isinstance(request, PendingProduce)
        self.sender.produce_answered(self, request, answer)


@final
class HeadTimer(Task):
    """The first batch of a queue may be ready now (linger or back-off over); at most one per queue is believed."""

    __slots__ = ("queue", "sender")

    def __init__(self, sender: "Sender", queue: PartitionQueue) -> None:
        super().__init__(sender.node)
        self.sender = sender
        self.queue = queue

    def run(self) -> None:
        if self.queue.timer is self:
            self.queue.timer = None
            self.sender.look_at(self.queue)


@final
class ExpiryTimer(Task):
    """Some batch may have reached its delivery timeout."""

    __slots__ = ("sender",)

    def __init__(self, sender: "Sender") -> None:
        super().__init__(sender.node)
        self.sender = sender

    def run(self) -> None:
        self.sender.expire(self)
