"""Requests that wait for the high watermark, until it has come or time is up (PROD-6, PROD-8, PROD-9)."""

from mypy_extensions import i64

from simengine.kafka.shared.metadata import MetadataImage
from simengine.kafka.wire.api import ClientChannel, ProduceAnswer, ProduceResult


class DelayedProduce:
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

    def result_of(self, p: i64) -> ProduceResult:
        """The result of the batch for a partition."""
        for result in self.results:
            if result.p == p:
                return result
        raise AssertionError("the request wrote nothing to this partition")

    def end_of(self, p: i64) -> i64:
        """The offset that the high watermark of a partition must reach."""
        return self.result_of(p).waits_for

    def decided(self) -> None:
        """The outcome for one more partition is known."""
        self.open -= 1
        if self.open == 0:
            self.send_answer()

    def send_answer(self) -> None:
        """Tell the client, if its connection is still the same."""
        if self.conn == self.channel.conn:
            self.channel.answer(ProduceAnswer(self.request_id, self.results))


def hint_leader(image: MetadataImage, result: ProduceResult) -> None:
    """Name the leader that a broker knows (KIP-951)."""
    registration = image.partition(result.p)
    if registration is not None:
        result.leader = registration.leader
        result.leader_epoch = registration.epoch
