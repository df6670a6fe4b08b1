"""The leader's side of the follower fetch loop (FET-4..10, TRUNC-2, ISR-5).

One session per follower. A fetch lists only what changed; for every other partition of the session the follower is
caught up, and the fetch counts for it as well: its figures are worked out when the leader appends (``data_arrived``).
So a partition at rest costs nothing, however many there are.
"""

from typing import final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from simengine.facts.errors import (
    ERR_FENCED_LEADER_EPOCH,
    ERR_NONE,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_OFFSET_OUT_OF_RANGE,
    ERR_UNKNOWN_LEADER_EPOCH,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)
from simengine.kafka.log.log import NO_EPOCH
from simengine.kafka.replica.isr_changes import maybe_expand
from simengine.kafka.replica.legacy import from_offset
from simengine.kafka.replica.remote import FetchSessionHooks, FollowerState
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.wire.fetch_api import NO_BATCHES, FetchAnswer, FetchChannel, FetchPart, FetchPosition, FetchRequest
from simengine.kernel.node import Task


@final
class FetchSession(FetchSessionHooks):
    """The fetch session of one follower broker at a leader broker."""

    __slots__ = (
        "_answer",
        "_be",
        "_channel",
        "_conn",
        "_deadline",
        "_hw_news",
        "_is_parked",
        "_members",
        "_number",
        "_outside",
        "_parts",
        "_ready",
        "_timer_is_set",
        "follower",
        "is_due",
        "leader",
    )

    def __init__(self, leader: ReplicaHost, follower: i64) -> None:
        super().__init__()
        self.leader = leader
        self.follower: i64 = follower
        self.is_due: bool = False  # on the broker's list of sessions to answer after the current request
        self._members: list[FollowerState] = []
        self._ready: vec[FollowerState] = vec[FollowerState]()
        self._hw_news: vec[FollowerState] = vec[FollowerState]()
        self._outside: list[FollowerState] = []  # of partitions whose ISR the follower is not in
        self._parts: list[FetchPart] = []  # of the next answer: errors and divergences
        self._answer: FetchAnswer = FetchAnswer()
        self._be: i64 = -2
        self._channel: FetchChannel | None = None
        self._conn: i64 = 0
        self._number: i64 = 0  # of the fetch in hand
        self._is_parked: bool = False
        self._deadline: i64 = 0
        self._timer_is_set: bool = False

    # -- a fetch arrives

    def receive(self, channel: FetchChannel, request: FetchRequest) -> None:
        """Handle a fetch at its arrival: record progress, then answer or park (FET-5, FET-7, FET-8)."""
        leader = self.leader
        now = leader.sim.now
        self._channel = channel
        self._conn = channel.conn
        self._number = request.number
        if request.is_full:
            self._clear()
        self._forget(request.forgotten)
        previous = self.last_arrival
        self.last_arrival = now
        self._tell_be(request.be)
        if self._outside:
            self._try_to_join()
        for position in request.positions:
            part = self._take_position(position, request.be, previous)
            if part is not None:
                self._parts.append(part)
        self._record_ready()
        if self._parts or len(self._ready) > 0:
            self._reply()
        else:
            self._park(now + request.max_wait_us)
        leader.flush()

    def _take_position(self, position: FetchPosition, be: i64, previous: i64) -> FetchPart | None:
        """One listed partition: its error or divergence, or None when it was recorded."""
        replica = self.leader.replica(position.p)
        error = self._check(replica, position)
        if error != ERR_NONE or replica is None:
            return self._refused(position, error)
        log = replica.log
        if position.last_epoch != NO_EPOCH:
            epoch, end = log.end_offset_for(position.last_epoch)
            if epoch == NO_EPOCH:
                return self._out_of_range(replica, position)
            if position.offset >= log.start and (epoch < position.last_epoch or end < position.offset):
                part = FetchPart(
                    position.p, ERR_NONE, position.epoch, position.offset, replica.hw, log.start, NO_BATCHES
                )
                part.diverging_epoch = epoch
                part.diverging_end = end
                return part
        if position.offset < log.start or position.offset > log.leo:
            return self._out_of_range(replica, position)
        if self._is_outdated(be):
            return self._refused(position, ERR_NOT_LEADER_OR_FOLLOWER)
        remote = replica.remote(self.follower)
        assert remote is not None, "a fetch was admitted from a broker without a replica"
        remote.start = position.start
        self._record(replica, remote, position.offset, be, previous)
        return None

    def _refused(self, position: FetchPosition, error: i64) -> FetchPart:
        self.leader.observer.fetch_refused(self.leader.id, position.p, error)
        return FetchPart(position.p, error, position.epoch, position.offset, 0, 0, NO_BATCHES)

    def _out_of_range(self, replica: Partition, position: FetchPosition) -> FetchPart:
        log = replica.log
        return FetchPart(
            position.p, ERR_OFFSET_OUT_OF_RANGE, position.epoch, position.offset, log.leo, log.start, NO_BATCHES
        )

    def _check(self, replica: Partition | None, position: FetchPosition) -> i64:
        """FET-4."""
        if replica is None:
            known = self.leader.image.partition(position.p)
            return ERR_UNKNOWN_TOPIC_OR_PARTITION if known is None else ERR_NOT_LEADER_OR_FOLLOWER
        if position.epoch < replica.epoch:
            return ERR_FENCED_LEADER_EPOCH
        if position.epoch > replica.epoch:
            return ERR_UNKNOWN_LEADER_EPOCH
        if replica.role != LEADER:
            return ERR_NOT_LEADER_OR_FOLLOWER
        if replica.remote(self.follower) is None:
            return ERR_UNKNOWN_LEADER_EPOCH
        return ERR_NONE

    def _is_outdated(self, be: i64) -> bool:
        """FET-6: a later incarnation of the follower is alive in this broker's metadata."""
        image = self.leader.image
        return be >= 0 and image.is_unfenced(self.follower) and be < image.broker_epoch(self.follower)

    def _record(self, replica: Partition, remote: FollowerState, offset: i64, be: i64, previous: i64) -> None:
        """FET-5, FET-7: the follower has everything below ``offset``."""
        now = self.leader.sim.now
        leo = replica.log.leo
        if remote.covered and remote.clean:
            remote.last_fetch_at = previous
            remote.last_leader_leo = remote.leo
        if offset >= leo:
            remote.caught_up_at = now
        elif remote.last_leader_leo >= 0 and offset >= remote.last_leader_leo:
            if remote.last_fetch_at > remote.caught_up_at:
                remote.caught_up_at = remote.last_fetch_at
        remote.last_fetch_at = now
        remote.last_leader_leo = leo
        moved = remote.leo != offset
        remote.leo = offset
        remote.be = be
        self._cover(remote)
        self.leader.observer.fetched(replica, remote)
        maybe_expand(replica, remote)
        if moved:
            replica.advance_hw()
        if not remote.in_maximal_isr and self.leader.old_logs.holds(replica.p, offset):
            if not replica.is_out_of_sync(remote):
                self.leader.sim.at(remote.caught_up_at + self.leader.config.lag_us + 1, FellBehind(replica))
        if offset < replica.log.leo:
            remote.clean = False
            self._make_ready(remote)
        else:
            remote.clean = True

    def _record_ready(self) -> None:
        """FET-5: a partition that was at rest until an append is fetched by this request too, at the offset it had."""
        for i in range(len(self._ready)):
            remote = self._ready[i]
            if remote.session is self and remote.covered and not remote.clean and remote.replica.role == LEADER:
                remote.last_fetch_at = self.last_arrival
                remote.last_leader_leo = remote.replica.log.leo

    def _tell_be(self, be: i64) -> None:
        """The fetch counts for every partition of the session: so does its broker epoch (ISR-6)."""
        if be != self._be:
            self._be = be
            for remote in self._members:
                if remote.covered and remote.session is self:
                    remote.be = be

    def _try_to_join(self) -> None:
        """ISR-5 is tried at each fetch of the session, also for partitions at rest."""
        outside = self._outside
        self._outside = []
        for remote in outside:
            remote.is_outside = False
            replica = remote.replica
            if remote.session is not self or not remote.covered or replica.role != LEADER:
                continue
            if not replica.is_in_isr(self.follower):
                self.left_isr(remote)
                maybe_expand(replica, remote)

    def left_isr(self, remote: FollowerState) -> None:
        """A partition of the session whose ISR the follower is not in."""
        if not remote.is_outside:
            remote.is_outside = True
            self._outside.append(remote)

    def _cover(self, remote: FollowerState) -> None:
        if remote.covered:
            return
        remote.covered = True
        if remote.session is not self:
            remote.session = self
            remote.hw_sent = -1
            self._members.append(remote)
        if not remote.replica.is_in_isr(self.follower):
            self.left_isr(remote)
        self.hw_moved(remote)

    def hw_moved(self, remote: FollowerState) -> None:
        """The leader's high watermark moved: the next answer tells, but none is sent for it (FET-8)."""
        if not remote.hw_is_news and remote.hw_sent != remote.replica.hw:
            remote.hw_is_news = True
            self._hw_news = append(self._hw_news, remote)

    def _clear(self) -> None:
        for remote in self._members:
            if remote.session is self:
                self._settle(remote)
                remote.uncover()
                remote.session = None
            remote.is_ready = False
            remote.hw_is_news = False
            remote.is_outside = False
        self._members = []
        self._ready = vec[FollowerState]()
        self._hw_news = vec[FollowerState]()
        self._outside = []

    def _forget(self, partitions: list[int]) -> None:
        for p in partitions:
            replica = self.leader.replica(p)
            if replica is None:
                continue
            remote = replica.remote(self.follower)
            if remote is not None:
                self._settle(remote)
                remote.start_over()

    def _settle(self, remote: FollowerState) -> None:
        """Write down what the session's fetches meant for a partition at rest."""
        if remote.covered and remote.clean:
            if self.last_arrival > remote.caught_up_at:
                remote.caught_up_at = self.last_arrival
            remote.last_fetch_at = self.last_arrival
            remote.last_leader_leo = remote.leo

    # -- the leader has news

    def data_arrived(self, remote: FollowerState, old_leo: i64) -> None:
        """The leader appended to a partition that this follower was level with."""
        self._settle(remote)
        remote.clean = False
        self._make_ready(remote)
        if self._is_parked and not self.is_due:
            self.is_due = True
            self.leader.due_sessions.append(self)

    def _make_ready(self, remote: FollowerState) -> None:
        if not remote.is_ready:
            remote.is_ready = True
            self._ready = append(self._ready, remote)

    def leader_gone(self) -> None:
        """A partition of this session is led here no longer: a parked fetch is released (FET-8)."""
        if self._is_parked and not self.is_due:
            self.is_due = True
            self.leader.due_sessions.append(self)

    def release(self) -> None:
        """Answer a parked fetch after the event that released it."""
        is_due = self.is_due
        self.is_due = False
        if is_due and self._is_parked:
            self._reply()

    # -- answering

    def _park(self, deadline: i64) -> None:
        self._is_parked = True
        self._deadline = deadline
        if not self._timer_is_set:
            self._timer_is_set = True
            self.leader.sim.at(self._deadline, FetchWaitOver(self))

    def wait_over(self, timer: "FetchWaitOver") -> None:
        """``W`` may have passed for the parked fetch."""
        now = self.leader.sim.now
        if self._is_parked and now < self._deadline:
            self.leader.sim.at(self._deadline, timer)
            return
        self._timer_is_set = False
        if self._is_parked:
            self._reply()

    def _reply(self) -> None:
        self._is_parked = False
        parts = self._parts
        self._parts = []
        channel = self._channel
        if channel is None or self._conn != channel.conn:
            return
        while len(self._ready) > 0:
            self._ready, remote = pop(self._ready, 0)
            remote.is_ready = False
            if remote.session is self and remote.covered and not remote.clean:
                parts.append(self._read(remote))
        while len(self._hw_news) > 0:
            self._hw_news, remote = pop(self._hw_news, 0)
            remote.hw_is_news = False
            replica = remote.replica
            if remote.session is self and remote.covered and remote.hw_sent != replica.hw and replica.role == LEADER:
                remote.hw_sent = replica.hw
                parts.append(
                    FetchPart(replica.p, ERR_NONE, replica.epoch, remote.leo, replica.hw, replica.log.start, NO_BATCHES)
                )
        if self._answer.held or not self._answer.is_free:
            self._answer = FetchAnswer()  # the old one was lost with its connection, or a hand is on it
        self._answer.tell(parts)
        self._answer.number = self._number
        self.leader.answer_fetch(channel, self._answer)

    def _read(self, remote: FollowerState) -> FetchPart:
        """Records for a partition; it is outside the session until the follower names it again."""
        replica = remote.replica
        log = replica.log
        limit = self.leader.config.fetch_max_records
        batches = log.read(remote.leo, log.leo, limit)
        if self.leader.config.legacy or self.leader.old_logs.holds(replica.p, remote.leo):
            batches = from_offset(batches, remote.leo)
        remote.uncover()
        remote.hw_sent = replica.hw
        return FetchPart(replica.p, ERR_NONE, replica.epoch, remote.leo, replica.hw, log.start, batches)


@final
class FetchWaitOver(Task):
    """``replica.fetch.wait.max.ms`` of a parked fetch; one pending event per session."""

    __slots__ = ("_session",)

    def __init__(self, session: FetchSession) -> None:
        super().__init__(session.leader)
        self._session = session

    def run(self) -> None:
        self._session.wait_over(self)


@final
class FellBehind(Task):
    """A follower that copies an old log counts no longer as caught up: it holds back no high watermark (HW-1).

    A real follower fetches many times a second, and each fetch has the leader try (HW-4); here a part is one fetch.
    """

    __slots__ = ("_replica",)

    def __init__(self, replica: Partition) -> None:
        super().__init__(replica.broker)
        self._replica = replica

    def run(self) -> None:
        if self._replica.role == LEADER:
            self._replica.advance_hw()
            self._replica.broker.flush()
