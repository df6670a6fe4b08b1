"""Where acks=all requests wait until they are decided or time out (PROD-8)."""

from typing import TYPE_CHECKING, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from simengine.kafka.broker_task import BrokerTask
from simengine.kafka.produce_wait import ProduceWait

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker


@final
class ProducePurgatory:
    """The requests that wait at one broker, and one pending event for the earliest of their deadlines."""

    __slots__ = ("_timer", "_waits", "broker")

    def __init__(self, broker: "Broker") -> None:
        self.broker = broker
        self._waits: vec[ProduceWait] = vec[ProduceWait]()
        self._timer: ProduceExpiry | None = None

    def add(self, wait: ProduceWait) -> None:
        """Keep a request until it is decided or times out."""
        while len(self._waits) > 0 and self._waits[0].open == 0:
            self._waits, _ = pop(self._waits, 0)  # they are decided mostly in their order
        self._waits = append(self._waits, wait)
        if self._timer is None or wait.deadline < self._timer.time:
            self._set_timer(wait.deadline)

    def _set_timer(self, deadline: i64) -> None:
        self._timer = ProduceExpiry(self.broker)
        self.broker.sim.at(deadline, self._timer)

    def expire(self, timer: "ProduceExpiry") -> None:
        """Time out the requests whose deadline has come; a timer that was replaced does nothing."""
        if timer is not self._timer:
            return
        self._timer = None
        now = self.broker.sim.now
        for wait in list(self._waits):
            if wait.open > 0 and wait.deadline <= now:
                wait.expire(self.broker)
        earliest: i64 = -1
        kept = vec[ProduceWait]()
        for wait in self._waits:
            if wait.open == 0:
                continue
            kept = append(kept, wait)
            if earliest < 0 or wait.deadline < earliest:
                earliest = wait.deadline
        self._waits = kept
        if earliest >= 0:
            self._set_timer(earliest)

    def reset(self) -> None:
        """The process ended."""
        self._waits = vec[ProduceWait]()
        self._timer = None


@final
class ProduceExpiry(BrokerTask):
    """Lets produce requests time out; one pending event for all of a broker's waits."""

    __slots__ = ()

    def run(self) -> None:
        self.broker.produce_purgatory.expire(self)
