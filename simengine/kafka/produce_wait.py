"""Requests that wait for the high watermark, until it has come or time is up (PROD-6, PROD-8, PROD-9)."""

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE, ERR_NOT_LEADER_OR_FOLLOWER, ERR_REQUEST_TIMED_OUT
from simengine.kafka.api import ACKS_ALL, ClientChannel, ProduceAnswer, ProduceResult

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker
    from simengine.kafka.replica import Replica


class ProduceWait:
    """An acks=all request that waits for the high watermark. The group coordinator's commits wait the same way."""

    __slots__ = ("channel", "conn", "deadline", "open", "request_id", "results")

    def __init__(self, channel: ClientChannel, request_id: i64, results: list[ProduceResult], deadline: i64) -> None:
        self.channel = channel
        self.conn: i64 = channel.conn
        self.request_id: i64 = request_id
        self.results = results
        self.deadline: i64 = deadline
        self.open: i64 = 0  # partitions that are not decided

    def add(self, result: ProduceResult, end: i64) -> None:
        """Wait for the high watermark of one result's partition to reach ``end``."""
        result.waits_for = end
        self.open += 1

    def end_of(self, replica: "Replica") -> i64:
        """The offset that the high watermark of this replica must reach."""
        p = replica.p
        for result in self.results:
            if result.p == p:
                return result.waits_for
        raise AssertionError("a request waits where it wrote nothing")

    def decided(self, replica: "Replica", error: i64) -> None:
        """The outcome for one partition is known."""
        for result in self.results:
            if result.p == replica.p and result.error == ERR_NONE:
                result.error = error
                if error == ERR_NONE:
                    count = result.waits_for - result.offset
                    replica.broker.observer.answered(replica, result.offset, count, ACKS_ALL)
                elif error == ERR_NOT_LEADER_OR_FOLLOWER:
                    hint_leader(replica.broker, result)
        self.open -= 1
        if self.open == 0:
            self.send_answer()

    def send_answer(self) -> None:
        """Tell the client, if its connection is still the same."""
        if self.conn == self.channel.conn:
            self.channel.answer(ProduceAnswer(self.request_id, self.results))

    def expire(self, broker: "Broker") -> None:
        """PROD-8: time is up; the records stay in the log."""
        for result in self.results:
            replica = broker.replica(result.p)
            if replica is not None and result.waits_for >= 0 and replica.forget_waiter(self):
                broker.metrics.expired_produces += 1
                if result.error == ERR_NONE:
                    result.error = ERR_REQUEST_TIMED_OUT
        self.open = 0
        self.send_answer()


def hint_leader(broker: "Broker", result: ProduceResult) -> None:
    """Name the leader this broker knows (KIP-951)."""
    registration = broker.image.partition(result.p)
    if registration is not None:
        result.leader = registration.leader
        result.leader_epoch = registration.epoch
