"""Produce requests at a broker: answered at once, or when every partition in them is decided (PROD-1, PROD-4..10)."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.api import ACKS_ALL, ClientChannel, ProduceAnswer, ProduceRequest, ProduceResult
from simengine.kafka.replica import LEADER
from simengine.kernel.errors import (
    ERR_NONE,
    ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_REQUEST_TIMED_OUT,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)
from simengine.kernel.network import Task

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker
    from simengine.kafka.replica import Replica


class ProduceWait:
    """An acks=all request that waits for the high watermark. The group coordinator's commits wait the same way."""

    __slots__ = ("channel", "conn", "deadline", "ends", "open", "partitions", "request_id", "results")

    def __init__(self, channel: ClientChannel, request_id: i64, results: list[ProduceResult], deadline: i64) -> None:
        self.channel = channel
        self.conn: i64 = channel.conn
        self.request_id: i64 = request_id
        self.results = results
        self.deadline: i64 = deadline
        self.partitions: list[int] = []
        self.ends: list[int] = []
        self.open: i64 = 0

    def add(self, p: i64, end: i64) -> None:
        """Wait for a partition's high watermark to reach ``end``."""
        self.partitions.append(p)
        self.ends.append(end)
        self.open += 1

    def end_of(self, replica: "Replica") -> i64:
        """The offset that the high watermark of this replica must reach."""
        partitions = self.partitions
        if partitions[0] == replica.p:
            return self.ends[0]
        return self.ends[partitions.index(int(replica.p))]

    def decided(self, replica: "Replica", error: i64) -> None:
        """The outcome for one partition is known."""
        for result in self.results:
            if result.p == replica.p and result.error == ERR_NONE:
                result.error = error
                if error == ERR_NONE:
                    replica.broker.observe_answer(replica, result.offset, self.end_of(replica), ACKS_ALL)
                elif error == ERR_NOT_LEADER_OR_FOLLOWER:
                    hint_leader(replica.broker, result)
        self.open -= 1
        if self.open == 0:
            self._answer(replica.broker)

    def _answer(self, broker: "Broker") -> None:
        waits = broker.produce_waits
        if self in waits:
            waits.remove(self)
        self.send_answer()

    def send_answer(self) -> None:
        """Tell the client, if its connection is still the same."""
        if self.conn == self.channel.conn:
            self.channel.answer(ProduceAnswer(self.request_id, self.results))

    def expire(self, broker: "Broker") -> None:
        """PROD-8: time is up; the records stay in the log."""
        for i in range(len(self.partitions)):
            replica = broker.replica(self.partitions[i])
            if replica is not None and self in replica.waiters:
                replica.waiters.remove(self)
                broker.metrics.expired_produces += 1
                for result in self.results:
                    if result.p == self.partitions[i] and result.error == ERR_NONE:
                        result.error = ERR_REQUEST_TIMED_OUT
        self.open = 0
        self._answer(broker)


def handle_produce(broker: "Broker", channel: ClientChannel, request: ProduceRequest) -> None:
    """Append what may be appended; answer now, later (acks=all) or never (acks=0)."""
    results: list[ProduceResult] = []
    wait: ProduceWait | None = None
    failed = False
    for sent in request.batches:
        replica = broker.replica(sent.p)
        if replica is None or replica.role != LEADER:
            result = ProduceResult(sent.p, not_leading(broker, sent.p), -1, -1)
            hint_leader(broker, result)
        else:
            result = replica.append(sent, request.acks)
            end = result.offset + sent.count
            if result.error == ERR_NONE and request.acks == ACKS_ALL and replica.hw < end:
                if wait is None:
                    wait = ProduceWait(channel, request.request_id, results, broker.sim.now + request.timeout_us)
                wait.add(sent.p, end)
                replica.wait_for_hw(wait, end)
            elif result.error == ERR_NONE:
                if request.acks == ACKS_ALL and replica.maximal_count < replica.min_isr:
                    result.error = ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND
                elif request.acks != 0:
                    broker.observe_answer(replica, result.offset, end, request.acks)
        if result.error != ERR_NONE:
            failed = True
        results.append(result)
    if wait is not None:
        broker.add_produce_wait(wait)
    elif request.acks != 0:
        channel.answer(ProduceAnswer(request.request_id, results))
    elif failed:
        channel.hang_up()  # PROD-10
    else:
        channel.next_request()
    broker.flush()


def not_leading(broker: "Broker", p: i64) -> i64:
    """The error of a request for a partition that this broker does not lead (PROD-1)."""
    if broker.image.partition(p) is None:
        return ERR_UNKNOWN_TOPIC_OR_PARTITION
    return ERR_NOT_LEADER_OR_FOLLOWER


def hint_leader(broker: "Broker", result: ProduceResult) -> None:
    """Name the leader this broker knows (KIP-951)."""
    registration = broker.image.partition(result.p)
    if registration is not None:
        result.leader = registration.leader
        result.leader_epoch = registration.epoch


@final
class ProduceExpiry(Task):
    """Lets produce requests time out; one pending event for all of a broker's waits."""

    __slots__ = ("_broker",)

    def __init__(self, broker: "Broker") -> None:
        super().__init__(broker)
        self._broker = broker

    def run(self) -> None:
        self._broker.expire_produces(self)
