"""The application's side of a producer: calls to ``send`` at a constant rate, or so many at once.

The k-th call of a rate comes exactly k/rate after the first; at high rates several calls share a moment, at most
``TICK_MIN_US`` late. While the producer's buffer is full, ``send`` blocks and the application makes no further calls
(what ``max.block.ms`` would do to them is left out). While ``send`` blocks for want of metadata (PC-14) none of the
producer's calls is made, for one thread makes them all; it catches up afterwards. Calls to a partition are numbered
from 0 and keep counting through pauses and restarts.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.clients.producer.completion import PartitionCompletion
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.clients.producer.resends import BLOCKED_US, Resends
from simengine.facts.errors import ERR_CLIENT_CLOSED, ERR_DELIVERY_TIMEOUT
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.clients.producer.producer import Producer

TICK_MIN_US: Final = 1_000
MILLI_PERIOD_US: Final = 1_000_000_000  # a rate of r milli-records a second is r calls in this time


@final
class SendCalls(PartitionCompletion):
    """Calls of one producer to one partition."""

    __slots__ = (
        "_done",
        "_is_behind",
        "_since",
        "_tick",
        "has_failed",
        "in_flight",
        "is_over",
        "is_retried",
        "made",
        "producer",
        "queued",
        "queued_said",
        "rate_milli",
        "resends",
    )

    def __init__(self, producer: "Producer", p: i64) -> None:
        super().__init__(p)
        self.producer = producer
        self.made: i64 = 0
        self.queued: i64 = 0
        self.queued_said: i64 = 0  # as the last fact has it
        self.in_flight: i64 = 0
        self.is_retried: bool = False  # an attempt failed since a write succeeded ...
        self.has_failed: bool = False  # ... or calls did
        self.is_over: bool = False  # the topic was created again: calls are made to its new partition
        self.rate_milli: i64 = 0
        self.resends: Resends = Resends(self)
        self._since: i64 = 0
        self._done: i64 = 0
        self._is_behind: bool = False  # calls are due that a blocked thread could not make
        self._tick: CallTick | None = None

    def start(self, rate_milli: i64, first_at: i64) -> None:
        """Call at this rate (records per 1000 s; 0: no more), the first time at ``first_at`` (us)."""
        self.rate_milli = rate_milli
        self._since = first_at
        self._done = 0
        self._is_behind = False
        self._tick = None
        if rate_milli > 0:
            self._tick = CallTick(self)
            self.producer.sim.at(first_at, self._tick)

    def stop(self) -> None:
        """The application has gone; its rate is kept for the next one."""
        self._tick = None

    def tick(self, tick: "CallTick") -> None:
        """Make the calls that are due."""
        if tick is not self._tick:
            return
        sim = self.producer.sim
        if self.producer.blocked is not None:
            self._is_behind = True
            return
        if not self.producer.has_room():
            self.start(self.rate_milli, sim.now + BLOCKED_US)
            return
        due = (sim.now - self._since) * self.rate_milli // MILLI_PERIOD_US + 1
        blocks = not self.producer.knows(self.p)
        count: i64 = 1 if blocks else due - self._done
        self._done += count
        while self._done >= self.rate_milli:  # 1000 s are over: begin anew, so that numbers stay small
            self._done -= self.rate_milli
            self._since += MILLI_PERIOD_US
        next_at = self._since + (self._done * MILLI_PERIOD_US + self.rate_milli - 1) // self.rate_milli
        sim.calendar.push(tick, max(next_at, sim.now + TICK_MIN_US))
        if blocks:
            self.producer.block(self)
        else:
            self.producer.call(self, count)

    def due_until(self, until: i64) -> i64:
        """The number of calls at this rate from now to ``until``, as the ticks fall."""
        rate = self.rate_milli
        if self._tick is None or rate <= 0:
            return 0
        at: i64 = self._tick.time
        done: i64 = self._done
        count: i64 = 0
        while at <= until:
            due = (at - self._since) * rate // MILLI_PERIOD_US + 1
            count += due - done
            done = due
            at = max(self._since + (done * MILLI_PERIOD_US + rate - 1) // rate, at + TICK_MIN_US)
        return count

    def catch_up(self) -> None:
        """The application's thread goes on: make the calls that fell due meanwhile."""
        if self._is_behind and self._tick is not None:
            self._is_behind = False
            self.producer.sim.at(self.producer.sim.now, self._tick)

    def moved(self, queued: i64, in_flight: i64) -> None:
        self.queued += queued
        self.in_flight += in_flight
        self.producer.say_queue(self)

    def retried(self, error: i64) -> None:
        if not self.is_retried:
            self.is_retried = True
            self.producer.say_failed(self.p, error, False)

    def settled(self, batch: ProducerBatch, acks: i64, error: i64, offset: i64, epoch: i64) -> None:
        calls = self if batch.p == self.p else self.producer.calls_to(batch.p)
        self.producer.settle(calls, batch, acks, error, offset, epoch)

    def abandoned(self, batch: ProducerBatch, acks: i64, may_be_written: bool) -> None:
        self.producer.abandoned(batch.p, batch, acks, may_be_written)


@final
class BlockedCall(Task):
    """A call of ``send`` that waits for metadata of its topic; fires after ``max.block.ms`` (PC-14)."""

    __slots__ = ("calls", "n")

    def __init__(self, calls: SendCalls, n: i64) -> None:
        super().__init__(calls.producer)
        self.calls = calls
        self.n: i64 = n

    def run(self) -> None:
        producer = self.calls.producer
        if producer.blocked is self:
            self.fail(ERR_DELIVERY_TIMEOUT)  # "Topic t not present in metadata": a TimeoutException like that other one
            producer.go_on()

    def fail(self, error: i64) -> None:
        """The call ends without a record having gone anywhere."""
        producer = self.calls.producer
        producer.blocked = None
        self.calls.moved(-1, 0)
        self.calls.settled(self._record(), producer.settings.acks, error, -1, -1)

    def close(self) -> None:
        """The client is closed under the call."""
        self.fail(ERR_CLIENT_CLOSED)

    def abandon(self) -> None:
        """The process died: nobody will tell the application how the call ended."""
        producer = self.calls.producer
        producer.blocked = None
        self.calls.abandoned(self._record(), producer.settings.acks, False)

    def _record(self) -> ProducerBatch:
        record = ProducerBatch(self.calls.p, self.n, self.node.sim.now)
        record.count = 1
        return record


@final
class CallTick(Task):
    """The next call is due."""

    __slots__ = ("calls",)

    def __init__(self, calls: SendCalls) -> None:
        super().__init__(calls.producer)
        self.calls = calls

    def run(self) -> None:
        self.calls.tick(self)
