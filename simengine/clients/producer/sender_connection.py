"""A sender's connection to one broker, what waits for an answer on it, and the sender's timers."""

from typing import TYPE_CHECKING, final

from librt.vecs import append, vec
from mypy_extensions import i64

from simengine.clients.network.network_client import Pending
from simengine.clients.producer.accumulator import LeaderConnection, PartitionQueue
from simengine.clients.producer.interception import DROP_RESPONSE, HOLD_REQUEST, Interception
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.kafka.wire.api import ClientServer, MetadataAnswer, ProduceAnswer
from simengine.kernel.connecting import UP
from simengine.kernel.message import Message
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.clients.producer.sender import Sender


@final
class PendingProduce(Pending):
    """A ProduceRequest without answer; batch i belongs to queue i."""

    __slots__ = ("batches", "queues", "rule")

    def __init__(self, sent_at: i64, queues: list[PartitionQueue], batches: list[ProducerBatch]) -> None:
        super().__init__(sent_at)
        self.queues = queues
        self.batches = batches
        self.rule: Interception | None = None  # what a proxy does to the answer


@final
class SenderConnection(LeaderConnection):
    """A connection on which a proxy may meddle with single requests."""

    __slots__ = ("_delayed", "_proxied", "holder", "sender")

    def __init__(self, sender: "Sender", broker: ClientServer) -> None:
        super().__init__(sender, broker)
        self.sender = sender
        self.holder: Interception | None = None  # a proxy lets nothing through until this is released
        self._proxied: vec[Message] = vec[Message]()
        self._delayed: vec[Message] = vec[Message]()  # answers that a proxy hands on later

    def dispatch(self, message: Message) -> None:
        """Put a request on the wire, unless a proxy holds it."""
        if self.holder is None:
            self.send(message)
        else:
            self._proxied = append(self._proxied, message)

    def intercept(self, pending: PendingProduce, rule: Interception | None) -> None:
        """Let a rule take effect on a request about to be sent."""
        if rule is None:
            return
        if rule.what == HOLD_REQUEST:
            self.holder = rule
        else:
            pending.rule = rule

    def release(self) -> None:
        """The proxy lets everything through that it held."""
        held = self._proxied
        self._proxied = vec[Message]()
        self.holder = None
        for message in held:
            if self.state == UP:
                self.send(message)

    def reset(self) -> None:
        """Hang up and forget everything."""
        self._forget_proxied()
        super().reset()

    def broke(self, timed_out: bool) -> None:
        """The connection broke: the messages that a proxy held are lost."""
        self._forget_proxied()
        super().broke(timed_out)

    def _forget_proxied(self) -> None:
        self.holder = None
        self._proxied = vec[Message]()
        self._delayed = vec[Message]()

    def on_produce_answer(self, answer: ProduceAnswer) -> None:
        """The oldest request was answered."""
        if len(self._delayed) > 0:
            self._delayed = append(self._delayed, answer)
            return
        request = self.pending[0]
        assert isinstance(request, PendingProduce), "answers come in the order of the requests"
        rule = request.rule
        if rule is None:
            self.answered()
            self.sender.produce_answered(self, request, answer)
            return
        request.rule = None
        if rule.what == DROP_RESPONSE:
            self.close()
            self.broke(False)
        else:
            self._delayed = append(self._delayed, answer)
            self.sim.after(rule.delay_us, DelayOver(self))

    def on_metadata(self, answer: MetadataAnswer) -> None:
        """A refresh was answered."""
        if len(self._delayed) > 0:
            self._delayed = append(self._delayed, answer)
        else:
            super().on_metadata(answer)

    def hand_on(self) -> None:
        """A delayed answer, and those that came behind it, go on to the client."""
        delayed = self._delayed
        self._delayed = vec[Message]()
        for message in delayed:
            if isinstance(message, ProduceAnswer):
                self.on_produce_answer(message)
            elif isinstance(message, MetadataAnswer):
                self.on_metadata(message)


@final
class DelayOver(Task):
    """A proxy hands a delayed answer on."""

    __slots__ = ("conn", "connection")

    def __init__(self, connection: SenderConnection) -> None:
        super().__init__(connection.client)
        self.connection = connection
        self.conn: i64 = connection.conn

    def run(self) -> None:
        """Hand it on, if the connection is still the same."""
        if self.conn == self.connection.conn:
            self.connection.hand_on()


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
            self.sender.head_due(self.queue)


@final
class ExpiryTimer(Task):
    """The oldest batch, created at ``oldest``, may have reached its delivery timeout."""

    __slots__ = ("oldest", "sender")

    def __init__(self, sender: "Sender", oldest: i64) -> None:
        super().__init__(sender.node)
        self.sender = sender
        self.oldest: i64 = oldest

    def run(self) -> None:
        self.sender.expire(self)


@final
class MemoryTimer(Task):
    """The end of the longest sleep of the sender's thread."""

    __slots__ = ("sender",)

    def __init__(self, sender: "Sender") -> None:
        super().__init__(sender.node)
        self.sender = sender

    def run(self) -> None:
        self.sender.woke(self)
