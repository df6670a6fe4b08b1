"""The follower's side of the fetch loop: one fetcher per (follower, leader) pair.

Implements LOG-7, FET-1..3, FET-9, FET-11..14, FET-16, FET-18, FET-19, TRUNC-3.

A partition remembers that it backed off until it has appended something. If the leader's first answer after the
back-off is a divergence, the truncated partition backs off once more (FET-12): Kafka's state of the partition carries
the back-off's length over, and counts it from the moment of the copy. Seen in f007, f031, f041, f047, f061, f095.
"""

from typing import Final, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from simengine.facts.errors import ERR_FENCED_LEADER_EPOCH, ERR_NONE, ERR_OFFSET_OUT_OF_RANGE
from simengine.kafka.log.log import BEFORE_RUN, NO_EPOCH, Batch
from simengine.kafka.replica.fetcher_tasks import FetchBackoffOver, FetchTimeout, SlowIntake
from simengine.kafka.replica.replica import FOLLOWER, NOBODY, Partition
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.shared.metadata import beginning
from simengine.kafka.wire.fetch_api import (
    NO_BATCHES,
    NO_PARTITIONS,
    FetchAnswer,
    FetchChannel,
    FetchClient,
    FetchPart,
    FetchPosition,
    FetchRequest,
    FetchServer,
)
from simengine.kernel.connecting import CONNECTING, UP
from simengine.kernel.random import Stream

NOT_FETCHING: Final = 0
READY: Final = 1
DELAYED: Final = 2

# FET-16: from a step-down to the first answer to a fetch, in a process that had only led so far: 1.5 s in f093, 0.8 s
# in s28, 0.5 and 0.4 s in s28-cycles, where the second time took 0.15 s. Class loading; it counts only once. The mean
# leaves room for the connection and the fetch itself.
COLD_FETCH_MEAN_US: Final = 600_000
COLD_FETCH_MAX_US: Final = 1_500_000


@final
class Fetcher(FetchClient):
    """Copies the partitions that one broker leads to one follower."""

    __slots__ = (
        "_backoff_at",
        "_began_at",
        "_cold_stream",
        "_deadline",
        "_delayed",
        "_dirty",
        "_forgotten",
        "_in_flight",
        "_intake",
        "_is_full",
        "_number",
        "_ready",
        "_request",
        "_rests_until",
        "_timer_is_set",
        "broker",
        "channel",
        "leader",
    )

    def __init__(self, broker: ReplicaHost, leader: FetchServer) -> None:
        self.broker = broker
        self.leader = leader
        self.channel: FetchChannel = FetchChannel(broker.net, broker, leader, self, broker.config.fetch_connect_us)
        self._request: FetchRequest = FetchRequest(broker.id, broker.config.fetch_wait_us)
        self._ready: i64 = 0
        self._dirty: vec[Partition] = vec[Partition]()
        self._delayed: list[Partition] = []
        self._forgotten: list[int] = []
        self._is_full: bool = True
        self._number: i64 = 0
        self._in_flight: bool = False
        self._intake: SlowIntake | None = None  # of an answer that has come and is being taken in slowly
        self._deadline: i64 = 0
        self._timer_is_set: bool = False
        self._backoff_at: i64 = 0  # the newest end of a back-off for which an event is set
        self._rests_until: i64 = 0  # the end of a cold start (FET-16)
        self._began_at: i64 = 0  # when it last tried to connect
        self._cold_stream: Stream = broker.sim.stream(broker.name, "first fetch")

    # -- partitions

    def add(self, replica: Partition) -> None:
        """Start copying a partition (FET-3: from its LEO)."""
        replica.fetched_from = self.leader.id
        replica.fetch_state = READY
        replica.fetch_failed = False
        replica.leader_hw = -1
        self._ready += 1
        self._mark_dirty(replica)
        self.kick()

    def remove(self, replica: Partition) -> None:
        """Stop copying a partition."""
        if replica.fetch_state == READY:
            self._ready -= 1
            self._forgotten.append(int(replica.p))
        replica.fetch_state = NOT_FETCHING
        replica.fetched_from = NOBODY
        replica.fetch_dirty = False

    def _copies(self, replica: Partition) -> bool:
        """True if this fetcher copies the partition; a broker has one fetcher for each leader."""
        return replica.fetched_from == self.leader.id

    def replicas(self) -> list[Partition]:
        """The replicas that it copies."""
        return [replica for replica in self.broker.hosted if self._copies(replica)]

    def _mark_dirty(self, replica: Partition) -> None:
        if not replica.fetch_dirty:
            replica.fetch_dirty = True
            self._dirty = append(self._dirty, replica)

    def _delay(self, replica: Partition) -> None:
        """FET-12: leave a partition alone for ``B``."""
        if replica.fetch_state != READY:
            return
        self._forgotten.append(int(replica.p))
        replica.fetch_failed = True
        self._wait(replica, self.broker.sim.now + self.broker.config.fetch_backoff_us)

    def _wait(self, replica: Partition, until: i64) -> None:
        """Fetch a partition again at a time."""
        self._ready -= 1
        replica.fetch_state = DELAYED
        replica.fetch_dirty = False
        replica.fetch_until = until
        self._delayed.append(replica)
        if replica.fetch_until != self._backoff_at:
            self._backoff_at = replica.fetch_until
            self.broker.sim.at(self._backoff_at, FetchBackoffOver(self))

    def backoff_over(self) -> None:
        """Some partitions may have waited long enough."""
        now = self.broker.sim.now
        still: list[Partition] = []
        for replica in self._delayed:
            if not self._copies(replica) or replica.fetch_state != DELAYED:
                continue
            if replica.fetch_until > now:
                still.append(replica)
                continue
            replica.fetch_state = READY
            self._ready += 1
            self._mark_dirty(replica)
        self._delayed = still
        self.kick()

    # -- the loop

    def kick(self) -> None:
        """Send a fetch if there is one to send and nothing under way (FET-1)."""
        if self._in_flight or self._ready == 0:
            return
        broker = self.broker
        if broker.sim.now < self._rests_until:
            return
        if self.channel.state == UP:
            self._send()
        elif self.channel.state != CONNECTING:
            self._began_at = broker.sim.now
            self.channel.connect()

    def _send(self) -> None:
        broker = self.broker
        positions: list[FetchPosition] = []
        while len(self._dirty) > 0:
            self._dirty, replica = pop(self._dirty, 0)
            if replica.fetch_dirty and self._copies(replica) and replica.fetch_state == READY:
                replica.fetch_dirty = False
                log = replica.log
                last_epoch = NO_EPOCH if broker.config.legacy else log.cache.last()  # LEG-1
                positions.append(FetchPosition(replica.p, log.leo, last_epoch, replica.epoch, log.start))
        if self._request.held or not self._request.is_free:
            self._request = FetchRequest(
                broker.id, broker.config.fetch_wait_us
            )  # the old one was lost with its connection, or a hand is on it
        forgotten = NO_PARTITIONS
        if self._forgotten:
            forgotten = self._forgotten
            self._forgotten = []
        self._request.ask(broker.be, self._is_full, positions, forgotten)
        self._is_full = False
        self._in_flight = True
        self._number += 1
        self._request.number = self._number
        broker.observer.fetch_sent(broker.id, self.leader.id, self._number)
        sim = broker.sim
        self._deadline = sim.now + broker.config.fetch_timeout_us
        if not self._timer_is_set:
            self._timer_is_set = True
            sim.at(self._deadline, FetchTimeout(self))
        self.channel.send(self._request)

    def on_connected(self) -> None:
        """The connection stands: a new session begins with all partitions."""
        self._is_full = True
        self._forgotten = []
        for replica in self.replicas():
            if replica.fetch_state == READY:
                self._mark_dirty(replica)
        if not self.broker.has_fetched:
            self._warm_up()
        self.kick()

    def _warm_up(self) -> None:
        """A process that fetches for the first time is slow to begin, unless the run itself begins (FET-16)."""
        broker = self.broker
        broker.has_fetched = True
        if self._began_at == 0:
            return
        delay = self._cold_stream.exponential(COLD_FETCH_MEAN_US)
        self._rests_until = broker.sim.now + min(delay, COLD_FETCH_MAX_US)
        broker.sim.at(self._rests_until, FetchBackoffOver(self))

    def on_broken(self) -> None:
        """FET-12: a transport error makes all partitions wait ``B``; one that comes later is asked for at once."""
        self._give_up()
        for replica in self.replicas():
            self._delay(replica)

    def timed_out(self, timer: FetchTimeout) -> None:
        """FET-14: a fetch that nobody answers is given up."""
        now = self.broker.sim.now
        if self._in_flight and now < self._deadline:
            self.broker.sim.at(self._deadline, timer)
            return
        self._timer_is_set = False
        if self._in_flight:
            self.channel.close()
            self.on_broken()

    def _give_up(self) -> None:
        self._in_flight = False
        self._intake = None
        self.broker.observer.fetch_given_up(self.broker.id, self.leader.id)

    def stop(self) -> None:
        """The follower stops fetching from this leader (SHUT-5)."""
        self.channel.close()
        self._give_up()
        self._ready = 0
        self._dirty = vec[Partition]()
        self._delayed = []

    def reset(self) -> None:
        """The follower's process ended; the next one begins from nothing."""
        self.stop()
        self._forgotten = []
        self._backoff_at = 0
        self._rests_until = 0
        self._timer_is_set = False

    # -- answers

    def on_answer(self, answer: FetchAnswer) -> None:
        """Take in an answer at once, or when the limited intake allows (``slow``)."""
        if self.broker.intake_per_s > 0 and answer.count > 0:
            self._take_slowly(answer, answer.count * 1_000_000)
        else:
            self.process(answer)

    def _take_slowly(self, answer: FetchAnswer, left: i64) -> None:
        """Take in what is left of an answer, in millionths of a record, at the pace of now."""
        intake = SlowIntake(self, answer, left)
        self._intake = intake
        self.broker.sim.at(intake.due, intake)

    def pace_changed(self) -> None:
        """The intake is limited otherwise, or no longer: what is left of an answer under way is taken in so."""
        intake = self._intake
        if intake is not None and self.broker.sim.now < intake.due:
            self._take_slowly(intake.answer, intake.left())

    def taken_in(self, intake: SlowIntake) -> None:
        """An intake is over, unless the fetch was given up meanwhile or the pace has changed."""
        if self._intake is intake:
            self._intake = None
            self.process(intake.answer)

    def process(self, answer: FetchAnswer) -> None:
        """Append, set high watermarks, truncate; then fetch again."""
        self._in_flight = False
        broker = self.broker
        broker.observer.fetch_answered(broker.id, self.leader.id, answer.number)
        for part in answer.parts:
            replica = broker.replica(part.p)
            if replica is None or not self._copies(replica) or replica.fetch_state != READY:
                continue
            if replica.role != FOLLOWER or replica.epoch != part.epoch or replica.log.leo != part.offset:
                self._mark_dirty(replica)  # FET-11
                continue
            broker.observer.answer_taken(replica, part.epoch, part.offset)
            self._take(replica, part)
        answer.is_free = True
        broker.flush()
        self.kick()

    def _take(self, replica: Partition, part: FetchPart) -> None:
        if part.error != ERR_NONE:
            self._take_error(replica, part)
            return
        if part.diverging_epoch >= 0:
            self._reconcile(replica, part.diverging_epoch, part.diverging_end)
            if replica.fetch_failed:
                self._delay(replica)  # FET-12: the state after a truncation begins the back-off that it takes over anew
            else:
                self._mark_dirty(replica)
            return
        batches = self._arrived(replica, part.batches)
        if part.batches and not batches:
            return
        for batch in batches:
            if batch.epoch > part.epoch and self.broker.config.epoch_filter:
                break  # LOG-9
            if batch.base != replica.log.leo:  # no epoch was cached by which to find the fork (FET-3, TRUNC-1)
                self.remove(replica)  # UnexpectedAppendOffsetException: failed, until newer metadata arrives
                return
            replica.append_fetched(batch)
            replica.fetch_failed = False
        replica.leader_hw = part.hw
        hw = min(max(part.hw, replica.log.start), replica.log.leo)  # FET-9
        if hw != replica.hw:
            replica.set_hw(hw)
            if replica.readers:
                self.broker.release_readers(replica)
        if part.start > replica.log.start:
            replica.adopt_start(part.start)
            self._mark_dirty(replica)  # the leader is to know (FET-2)
        elif part.batches:
            self._mark_dirty(replica)

    def _arrived(self, replica: Partition, batches: list[Batch]) -> list[Batch]:
        """FET-18: the batches whose bytes have arrived. Those of an old log are booked, and fetched again when due."""
        copy = replica.old_copy
        if copy is None or not batches:
            return batches
        if batches[0].client != BEFORE_RUN:
            replica.old_copy = None  # it has the old log, or its leader has none
            return batches
        if replica.log.leo >= copy.until:
            leader = self.leader
            assert isinstance(leader, ReplicaHost), "followers copy from brokers"
            self.broker.book(copy, replica, leader)
        if copy.due > self.broker.sim.now:
            self._wait(replica, copy.due)
            return NO_BATCHES
        return copy.arrived(batches)

    def _take_error(self, replica: Partition, part: FetchPart) -> None:
        if part.error == ERR_FENCED_LEADER_EPOCH:
            self.remove(replica)  # FET-12: until newer metadata arrives
            return
        if part.error == ERR_OFFSET_OUT_OF_RANGE:
            self._out_of_range(replica, part.hw, part.start)
            self._mark_dirty(replica)
            return
        self._delay(replica)

    def _out_of_range(self, replica: Partition, leader_leo: i64, leader_start: i64) -> None:
        """FET-13."""
        replica.fetch_failed = False
        log = replica.log
        if leader_leo < log.leo:
            replica.truncate(leader_leo, 0)
        elif leader_start > log.leo:
            old = log.leo
            log.reset(leader_start)
            replica.restarted_at(old)

    def _reconcile(self, replica: Partition, epoch: i64, end: i64) -> None:
        """TRUNC-3."""
        log = replica.log
        own_epoch, own_end = log.end_offset_for(epoch)
        if own_epoch == NO_EPOCH:
            target = end
        elif own_epoch == epoch:
            target = min(own_end, end)
        else:
            target = own_end
        replica.truncate(min(target, log.leo), beginning(replica.registration))
