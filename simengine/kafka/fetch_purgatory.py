"""Where consumer fetches wait for a record below the high watermark, or for the end of their time (CON-1)."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.api import ClientChannel, ConsumerAnswer, ConsumerFetch
from simengine.kafka.broker_task import BrokerTask
from simengine.kafka.consumer_fetch import read_parts

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker
    from simengine.kafka.replica import Replica


@final
class ParkedRead:
    """A consumer fetch that waits for a record below the high watermark."""

    __slots__ = ("channel", "conn", "deadline", "is_open", "request")

    def __init__(self, channel: ClientChannel, request: ConsumerFetch, deadline: i64) -> None:
        self.channel = channel
        self.conn: i64 = channel.conn
        self.request = request
        self.deadline: i64 = deadline
        self.is_open: bool = True


@final
class FetchPurgatory:
    """The consumer fetches that wait at one broker; each stands also on the lists of the replicas it reads."""

    __slots__ = ("_parked", "_timer_is_set", "broker")

    def __init__(self, broker: "Broker") -> None:
        self.broker = broker
        self._parked: list[ParkedRead] = []
        self._timer_is_set: bool = False

    def park(self, channel: ClientChannel, request: ConsumerFetch) -> None:
        """Keep a consumer fetch until it has records or its time is over."""
        broker = self.broker
        parked = ParkedRead(channel, request, broker.sim.now + request.max_wait_us)
        for position in request.positions:
            replica = broker.replica(position.p)
            if replica is not None:
                replica.readers.append(parked)
        self._parked.append(parked)
        if not self._timer_is_set:
            self._set_timer(parked.deadline)

    def _set_timer(self, deadline: i64) -> None:
        self._timer_is_set = True
        self.broker.sim.at(deadline, ReadExpiry(self.broker))

    def release_readers(self, replica: "Replica") -> None:
        """The high watermark or the role of a replica changed: look at the consumers that wait for it."""
        for parked in list(replica.readers):
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

    def _release(self, parked: ParkedRead, is_over: bool) -> None:
        """Answer a parked fetch if it has something now, or if its time is over."""
        if not parked.is_open:
            return
        if parked.conn != parked.channel.conn:
            self._close(parked)
            return
        parts = read_parts(self.broker, parked.request)
        if parts or is_over:
            self._close(parked)
            self.broker.serving.answer(parked.channel, ConsumerAnswer(parts))

    def _close(self, parked: ParkedRead) -> None:
        """Take a parked fetch off every partition's list."""
        parked.is_open = False
        for position in parked.request.positions:
            replica = self.broker.replica(position.p)
            if replica is not None and parked in replica.readers:
                replica.readers.remove(parked)
        if parked in self._parked:
            self._parked.remove(parked)

    def reset(self) -> None:
        """The process ended."""
        self._parked = []
        self._timer_is_set = False


@final
class ReadExpiry(BrokerTask):
    """``fetch.max.wait.ms`` of parked consumer fetches; one pending event per broker."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.fetch_purgatory.expire()
