"""A scripted broker for tests of the clients alone: it answers what the test tells it to, and notes what it got.

The real broker is used in the end-to-end tests; this one makes answers that a real cluster gives rarely.
"""

from typing import Any, cast

from simengine.clients.network.ledger import ClientListener
from simengine.clients.network.settings import ProducerSettings
from simengine.clients.producer.producer import Producer
from simengine.facts.errors import (
    ERR_NONE,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
)
from simengine.facts.kinds import CALLS_SETTLED
from simengine.facts.traffic import CallsSettled
from simengine.kafka.wire.api import (
    ClientChannel,
    MetadataAnswer,
    MetadataRequest,
    ProduceAnswer,
    ProduceBatch,
    ProduceRequest,
    ProduceResult,
)
from simengine.kernel.network import Network
from simengine.kernel.node import Node
from simengine.kernel.sim import Sim

SECOND = 1_000_000


class FakeBroker(Node):
    """A broker that appends to lists, refuses by script, or stays silent."""

    def __init__(self, world: "FakeWorld", broker_id: int) -> None:
        super().__init__(world.sim, broker_id, f"broker {broker_id}", "")
        self.world = world
        self.log: dict[int, list[int]] = {}  # call numbers in the order of writing, by partition
        self.last_seq: dict[tuple[int, int], tuple[int, int]] = {}  # (pid, p) -> (epoch, last sequence)
        self.script: list[int] = []  # errors for the next batches; ERR_NONE: handle normally
        self.silent = False
        self.requests: list[tuple[int, ProduceRequest]] = []
        self.metadata_requests: list[int] = []
        self.held: list[tuple[ClientChannel, ProduceRequest]] = []

    def handle_metadata(self, channel: ClientChannel, request: MetadataRequest) -> None:
        self.metadata_requests.append(self.sim.now)
        world = self.world
        leaders = [world.leaders.get(p, -1) for p in request.partitions]
        epochs = [world.epochs.get(p, 0) for p in request.partitions]
        alive = [broker.id for broker in world.brokers if broker.up]
        channel.answer(MetadataAnswer(request.partitions, leaders, epochs, alive))

    def handle_produce(self, channel: ClientChannel, request: ProduceRequest) -> None:
        self.requests.append((self.sim.now, request))
        if self.silent:
            self.held.append((channel, request))
            return
        self.answer(channel, request)

    def answer(self, channel: ClientChannel, request: ProduceRequest) -> None:
        results = [self.append(batch) for batch in request.batches]
        if request.acks != 0:
            channel.answer(ProduceAnswer(request.request_id, results))
        elif any(result.error for result in results):
            channel.hang_up()
        else:
            channel.next_request()

    def append(self, batch: ProduceBatch) -> ProduceResult:
        p = batch.p
        if self.world.leaders.get(p) != self.id:
            return ProduceResult(p, ERR_NOT_LEADER_OR_FOLLOWER, -1, -1)
        if self.script:
            error = self.script.pop(0)
            if error != ERR_NONE:
                return ProduceResult(p, error, -1, -1)
        if batch.pid >= 0 and not self.in_sequence(batch):
            return ProduceResult(p, ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, -1, -1)
        log = self.log.setdefault(p, [])
        base = len(log)
        log.extend(range(batch.n, batch.n + batch.count))
        return ProduceResult(p, ERR_NONE, base, self.world.epochs.get(p, 0))

    def in_sequence(self, batch: ProduceBatch) -> bool:
        key = (batch.pid, batch.p)
        known = self.last_seq.get(key)
        if known is not None:
            epoch, last = known
            expected = last + 1 if epoch == batch.pid_epoch else 0
            if batch.seq != expected:
                return False
        self.last_seq[key] = (batch.pid_epoch, batch.seq + batch.count - 1)
        return True


class Book(ClientListener):
    """A ledger that remembers."""

    def __init__(self) -> None:
        self.ended: list[tuple[int, int, int, int, int, bool]] = []  # p, n, count, offset, error, may_be_written
        self.abandoned_calls: list[tuple[int, int, int, bool]] = []
        self.made = 0

    def called(self, client: int, p: int, n: int, count: int, acks: int) -> None:
        self.made += count

    def settled(
        self,
        client: int,
        p: int,
        n: int,
        count: int,
        acks: int,
        offset: int,
        epoch: int,
        error: int,
        may_be_written: bool,
    ) -> None:
        self.ended.append((p, n, count, offset, error, may_be_written))

    def abandoned(self, client: int, p: int, n: int, count: int, acks: int, may_be_written: bool) -> None:
        self.abandoned_calls.append((p, n, count, may_be_written))


class FakeWorld:
    """Some fake brokers and one producer."""

    def __init__(
        self, settings: ProducerSettings | None = None, brokers: int = 2, bootstrap: list[int] | None = None
    ) -> None:
        self.sim = Sim(7)
        self.sim.trace.keep_traffic = True
        self.leaders: dict[int, int] = {0: 0}
        self.epochs: dict[int, int] = {}
        self.brokers = [FakeBroker(self, i) for i in range(brokers)]
        self.book = Book()
        nodes: list[Node] = list(self.brokers)
        self.net = Network(self.sim, nodes, 1_000, 0)
        self.producer = Producer(self.net, "P", "", settings or ProducerSettings(), self.book)
        nodes.append(self.producer)
        self.net = Network(self.sim, nodes, 1_000, 0)
        self.producer._net = self.net  # the producer stands among the network's nodes
        self.producer.attach(cast("Any", self.brokers), bootstrap or [])
        self.producer.open(0)

    def run(self, seconds: float) -> None:
        """Run up to a time."""
        self.sim.run(int(seconds * SECOND), 0)

    def heal(self, a: Node, b: Node) -> None:
        self.net.heal(a, b)
        self.net.heal(b, a)
        self.net.healed()

    def cut(self, a: Node, b: Node) -> None:
        self.net.cut(a, b)
        self.net.cut(b, a)

    def settled(self) -> list[tuple[int, int, int]]:
        """(n, offset, error) of every call that ended, in the order of ending."""
        ended = [CallsSettled.read(row) for row in self.sim.trace.take().rows() if row[2] == CALLS_SETTLED]
        return [
            (fact.n + k, fact.offset + k if fact.offset >= 0 else -1, fact.error)
            for fact in ended
            for k in range(fact.count)
        ]
