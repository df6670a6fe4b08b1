"""Consumer fetches wait here for a record below the high watermark, or until ``fetch.max.wait.ms`` is over (CON-1)."""

from typing import final

from mypy_extensions import i64

from simengine.kafka.broker.consumer_fetch import read_parts
from simengine.kafka.replica.parked_read import DelayedFetch
from simengine.kafka.replica.replica import Partition
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.wire.api import ClientChannel, ConsumerAnswer, ConsumerFetch
from simengine.kernel.node import Task


@final
class FetchPurgatory:
    """The consumer fetches that wait at one broker; each stands also on the lists of the replicas it reads."""

    __slots__ = ("_parked", "_timer_is_set", "broker")

    def __init__(self, broker: ReplicaHost) -> None:
        self.broker = broker
        self._parked: list[DelayedFetch] = []
        self._timer_is_set: bool = False

    def take(self, channel: ClientChannel, request: ConsumerFetch) -> None:
        """Answer with records, errors or a redirection; else park (CON-1)."""
        parts = read_parts(self.broker, request)
        if parts or request.max_wait_us <= 0 or not request.positions:
            self.broker.answer_fetch(channel, ConsumerAnswer(parts))
        else:
            self.park(channel, request)

    def park(self, channel: ClientChannel, request: ConsumerFetch) -> None:
        """Keep a consumer fetch until it has records or its time is over."""
        broker = self.broker
        parked = DelayedFetch(channel, request, broker.sim.now + request.max_wait_us)
        for position in request.positions:
            replica = broker.replica(position.p)
            if replica is not None:
                replica.readers = [*replica.readers, parked]
        self._parked.append(parked)
        if not self._timer_is_set:
            self._set_timer(parked.deadline)

    def _set_timer(self, deadline: i64) -> None:
        self._timer_is_set = True
        self.broker.sim.at(deadline, ReadExpiry(self))

    def release_readers(self, replica: Partition) -> None:
        """The high watermark or the role of a replica changed: look at the consumers that wait for it."""
        for parked in replica.readers:
            self._release(parked, False)

    def expire(self) -> None:
        """Answer the consumer fetches whose time is over."""
        self._timer_is_set = False
        now = self.broker.sim.now
        for parked in list(self._parked):
            if parked.deadline <= now:
                self._release(parked, True)
        earliest: i64 = -1
        for parked in self._parked:
            if earliest < 0 or parked.deadline < earliest:
                earliest = parked.deadline
        if earliest >= 0:
            self._set_timer(earliest)

    def _release(self, parked: DelayedFetch, is_over: bool) -> None:
        """Answer a parked fetch if it has something now, or if its time is over."""
        if not parked.is_open:
            return
        if parked.conn != parked.channel.conn:
            self._close(parked)
            return
        parts = read_parts(self.broker, parked.request)
        if parts or is_over:
            self._close(parked)
            self.broker.answer_fetch(parked.channel, ConsumerAnswer(parts))

    def _close(self, parked: DelayedFetch) -> None:
        """Take a parked fetch off every partition's list."""
        parked.is_open = False
        for position in parked.request.positions:
            replica = self.broker.replica(position.p)
            if replica is not None and parked in replica.readers:
                replica.readers = [other for other in replica.readers if other is not parked]
        if parked in self._parked:
            self._parked.remove(parked)

    def reset(self) -> None:
        """The process ended."""
        self._parked = []
        self._timer_is_set = False


@final
class ReadExpiry(Task):
    """``fetch.max.wait.ms`` of parked consumer fetches; one pending event per broker."""

    __slots__ = ("_purgatory",)

    def __init__(self, purgatory: FetchPurgatory) -> None:
        super().__init__(purgatory.broker)
        self._purgatory = purgatory

    def run(self) -> None:
        self._purgatory.expire()
