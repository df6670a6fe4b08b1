"""Produce requests with acks=all wait here until they are decided or time out (PROD-8).

The reaper of a broker takes some milliseconds; the client's own limit for the request passes at about the same time,
and which of the two is first is a race (open point 4).
"""

from typing import Final, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE, ERR_REQUEST_TIMED_OUT
from simengine.kafka.replica.produce_wait import DelayedProduce
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kernel.node import Task
from simengine.kernel.random import Stream

REAPED_AFTER_MAX_US: Final = 10_000


@final
class ProducePurgatory:
    """The requests that wait at one broker, and one pending event for the earliest of their deadlines."""

    __slots__ = ("_reaper", "_timer", "_waits", "broker")

    def __init__(self, broker: ReplicaHost) -> None:
        self.broker = broker
        self._waits: vec[DelayedProduce] = vec[DelayedProduce]()
        self._timer: ProduceExpiry | None = None
        self._reaper: Stream = broker.sim.stream(broker.name, "produce expiry")

    def add(self, wait: DelayedProduce) -> None:
        """Keep a request until it is decided or times out."""
        while len(self._waits) > 0 and self._waits[0].open == 0:
            self._waits, _ = pop(self._waits, 0)  # they are decided mostly in their order
        self._waits = append(self._waits, wait)
        if self._timer is None or wait.deadline < self._timer.time:
            self._set_timer(wait.deadline, False)

    def _set_timer(self, at: i64, is_reaping: bool) -> None:
        self._timer = ProduceExpiry(self, is_reaping)
        self.broker.sim.at(at, self._timer)

    def expire(self, timer: "ProduceExpiry") -> None:
        """Time out the requests whose deadline has come; a timer that was replaced does nothing."""
        if timer is not self._timer:
            return
        self._timer = None
        now = self.broker.sim.now
        if not timer.is_reaping:
            self._set_timer(now + self._reaper.between(0, REAPED_AFTER_MAX_US), True)
            return
        for wait in list(self._waits):
            if wait.open > 0 and wait.deadline <= now:
                self._time_out(wait)
        earliest: i64 = -1
        kept = vec[DelayedProduce]()
        for wait in self._waits:
            if wait.open == 0:
                continue
            kept = append(kept, wait)
            if earliest < 0 or wait.deadline < earliest:
                earliest = wait.deadline
        self._waits = kept
        if earliest >= 0:
            self._set_timer(earliest, False)

    def _time_out(self, wait: DelayedProduce) -> None:
        """PROD-8: time is up; the records stay in the log."""
        for result in wait.results:
            replica = self.broker.replica(result.p)
            if replica is not None and result.waits_for >= 0 and replica.forget_waiter(wait):
                self.broker.metrics.expired_produces += 1
                if result.error == ERR_NONE:
                    result.error = ERR_REQUEST_TIMED_OUT
        wait.open = 0
        wait.send_answer()

    def reset(self) -> None:
        """The process ended."""
        self._waits = vec[DelayedProduce]()
        self._timer = None


@final
class ProduceExpiry(Task):
    """Lets produce requests time out; one pending event for all of a broker's waits.

    It comes at the earliest deadline, and once more when the reaper has come to it (``is_reaping``).
    """

    __slots__ = ("_purgatory", "is_reaping")

    def __init__(self, purgatory: ProducePurgatory, is_reaping: bool) -> None:
        super().__init__(purgatory.broker)
        self._purgatory = purgatory
        self.is_reaping: bool = is_reaping

    def run(self) -> None:
        self._purgatory.expire(self)
