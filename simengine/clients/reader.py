"""The network half of a consumer: positions, fetches, resets and validations (CON-1..CON-5, FFR-3, HW-7).

One fetch at a time is under way to each broker, for all partitions read there; a parked one holds up every other
request on its connection, metadata included (PROD-12). Left out: ``max.poll.records`` (a poll returns all that a fetch
brought) and fetch sizes other than the broker's.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.clients.commits import CommitJob, Commits, CoordinatorConnection
from simengine.clients.membership import Membership, PendingGroup
from simengine.clients.network_client import Connection, NetworkClient, Pending
from simengine.clients.position import (
    FETCHING,
    INITIALIZING,
    NO_EPOCH,
    NO_OFFSET,
    RESETTING,
    REVOKED,
    VALIDATING,
    Position,
)
from simengine.clients.reader_connection import PendingFetch, PendingOffset, ReaderConnection, ReaderTimer
from simengine.clients.settings import SUBSCRIBED, ConsumerSettings
from simengine.kafka.api import (
    NO_RESET,
    CommitAnswer,
    ConsumerAnswer,
    ConsumerFetch,
    ConsumerPart,
    ConsumerPosition,
    OffsetAnswer,
    OffsetRequest,
)
from simengine.kernel.errors import (
    ERR_LOG_TRUNCATION,
    ERR_NO_OFFSET_FOR_PARTITION,
    ERR_NONE,
    ERR_OFFSET_OUT_OF_RANGE,
    ERR_OFFSET_OUT_OF_RANGE_CLIENT,
    ERR_UNKNOWN_LEADER_EPOCH,
)
from simengine.kernel.facts import RESET_COMMITTED, RESET_EARLIEST, RESET_LATEST, RESET_TRUNCATION
from simengine.kernel.network import UP, Network

if TYPE_CHECKING:
    from simengine.clients.consumer import Consumer
    from simengine.kafka.broker import Broker

RETRY_US: Final = 100_000  # retry.backoff.ms
THROWN_RETRY_US: Final = 1_000_000  # an exception out of poll() is thrown once; the question behind it is repeated


@final
class Reader(NetworkClient):
    """Positions and connections of one consumer."""

    __slots__ = ("_index", "_timer", "assigned", "commits", "consumer", "membership", "settings")

    def __init__(
        self,
        net: Network,
        consumer: "Consumer",
        brokers: "list[Broker]",
        bootstrap: list[int],
        settings: ConsumerSettings,
        offsets_p: i64,
    ) -> None:
        super().__init__(net, consumer, brokers, bootstrap, settings.request_timeout_us, settings.metadata_max_age_us)
        self.consumer = consumer
        self.settings = settings
        self.assigned: list[Position] = []
        self._index: list[int] = []
        self._timer: ReaderTimer | None = None
        for broker in brokers:
            self.connections.append(ReaderConnection(self, broker))
        self.commits: Commits = Commits(self, settings, offsets_p)
        self.membership: Membership = Membership(self, settings)

    # -- what the consumer does

    def start(self) -> None:
        """A new process: all positions are to be found."""
        self.hang_up()
        self._timer = None
        for connection in self.connections:
            assert isinstance(connection, ReaderConnection)
            connection.is_fetching = False
            connection.is_listed = False
        for position in self.assigned:
            position.forget()
            if self.settings.mode == SUBSCRIBED:
                position.state = REVOKED
        self.metadata.want(self.partitions())
        self.metadata.request_update()
        self.commits.start()
        if self.settings.mode == SUBSCRIBED:
            self.membership.start()
        self.work()

    def partitions(self) -> list[int]:
        """All partitions that this consumer reads or would like to read."""
        return [int(position.p) for position in self.assigned]

    def given(self, partitions: list[int]) -> None:
        """The group's coordinator has given this consumer these partitions, and no others."""
        for position in self.assigned:
            if position.p in partitions:
                position.forget()
        self.work()

    def give_up(self, is_still_owner: bool) -> None:
        """All partitions go back to the group, with a last commit if they are still this consumer's."""
        if is_still_owner and self.settings.auto_commit_us > 0:
            self.commit_positions(True)
        for position in self.assigned:
            if position.state != REVOKED:
                position.forget()
                position.state = REVOKED
                self.consumer.moved(position.p, NO_OFFSET)
        self.work()

    def assign(self, partitions: list[int]) -> None:
        """Add partitions; once, before the start."""
        for p in partitions:
            while len(self._index) <= p:
                self._index.append(-1)
            if self._index[p] < 0:
                self._index[p] = len(self.assigned)
                self.assigned.append(Position(p))

    def has(self, p: i64) -> bool:
        """Whether this consumer names a partition, owned or not."""
        return p < len(self._index) and self._index[p] >= 0

    def position_of(self, p: i64) -> Position:
        """The position in an assigned partition."""
        return self.assigned[self._index[p]]

    def commit_positions(self, is_auto: bool) -> None:
        """Commit where this consumer stands."""
        partitions: list[int] = []
        offsets: list[int] = []
        epochs: list[int] = []
        for position in self.assigned:
            if position.offset >= 0 and position.state != REVOKED:
                partitions.append(int(position.p))
                offsets.append(int(position.offset))
                epochs.append(int(position.epoch))
        if partitions:
            self.commits.commit(partitions, offsets, epochs, is_auto)

    # -- steps of a position

    def work(self) -> None:
        """Do for every position what can be done now, then fetch."""
        unknown: list[int] = []
        for position in self.assigned:
            position.follow_leader(self.metadata.leaders[position.p], self.metadata.epochs[position.p])
            if position.state == INITIALIZING:
                self._initialize(position, unknown)
            if position.state == RESETTING or position.state == VALIDATING:
                self._ask(position)
        if unknown:
            self.commits.look_up(unknown)
        for connection in self.connections:
            assert isinstance(connection, ReaderConnection)
            connection.is_listed = False
        for connection in self.connections:
            assert isinstance(connection, ReaderConnection)
            self._fetch(connection)
        self._arm()

    def _initialize(self, position: Position, unknown: list[int]) -> None:
        if position.is_asking or position.retry_at > self.sim.now:
            return
        if self.commits.offsets_p >= 0:
            position.is_asking = True
            unknown.append(int(position.p))
        else:
            self._reset(position)

    def _reset(self, position: Position) -> None:
        """No position: take the reset policy, or throw (CON-5)."""
        position.is_asking = False
        if self.settings.reset == NO_RESET:
            self._throw(
                position, ERR_NO_OFFSET_FOR_PARTITION if position.offset < 0 else ERR_OFFSET_OUT_OF_RANGE_CLIENT
            )
            position.retry_at = self.sim.now + THROWN_RETRY_US
            return
        position.state = RESETTING
        position.reset = self.settings.reset
        position.retry_at = 0

    def _throw(self, position: Position, error: i64) -> None:
        if not position.has_thrown:
            position.has_thrown = True
            self.consumer.threw(position.p, error)

    def _ask(self, position: Position) -> None:
        """Send the question that a position waits for, to the leader."""
        now = self.sim.now
        if position.retry_at > now:
            return
        connection = self.connection_to(position.leader)
        if connection is None:
            self.metadata.request_update()
            return
        if connection.state != UP:
            connection.want()
            return
        # asked again after the request timeout, answered or not, unless the answer settles it (CON-4 as measured)
        position.retry_at = now + self.request_timeout_us
        position.is_asking = True
        what = position.reset if position.state == RESETTING else position.epoch
        connection.request(OffsetRequest(position.p, what, position.leader_epoch), PendingOffset(now, position))

    def found_committed(self, answer: CommitAnswer) -> None:
        """Committed offsets of positions to be initialized (CON-6, CON-7)."""
        for i in range(len(answer.partitions)):
            position = self.position_of(answer.partitions[i])
            if position.state != INITIALIZING:
                continue
            position.is_asking = False
            if answer.offsets[i] < 0:
                self._reset(position)
                continue
            position.committed = answer.offsets[i]
            position.seek(answer.offsets[i], answer.epochs[i])
            self.consumer.repositioned(position.p, NO_OFFSET, position.offset, RESET_COMMITTED)
            position.validate()
        self.work()

    def offset_answered(self, request: PendingOffset, answer: OffsetAnswer) -> None:
        """A reset or a validation may be complete."""
        position = request.position
        is_reset = answer.what < 0
        if not position.is_asking or request.offset != position.offset:
            return
        if position.state != (RESETTING if is_reset else VALIDATING) or (
            not is_reset and answer.what != position.epoch
        ):
            return
        position.is_asking = False
        if answer.error != ERR_NONE:
            position.retry_at = self.sim.now + RETRY_US
            self.metadata.request_update()
        elif is_reset:
            old = position.offset
            self._go_on(position)
            position.seek(answer.offset, NO_EPOCH)
            why = RESET_LATEST if answer.what == -1 else RESET_EARLIEST
            self.consumer.repositioned(position.p, old, position.offset, why)
        else:
            self._validated(position, answer)
        self.work()

    def _validated(self, position: Position, answer: OffsetAnswer) -> None:
        """CON-4."""
        if answer.offset >= position.offset:
            self._go_on(position)
            return
        if self.settings.reset == NO_RESET:
            self.consumer.threw(position.p, ERR_LOG_TRUNCATION)
            return  # the position stays, unvalidated; asked again when retry_at has come
        if answer.offset < 0:
            self._reset(position)
            return
        old = position.offset
        self._go_on(position)
        position.seek(answer.offset, answer.epoch)
        self.consumer.repositioned(position.p, old, position.offset, RESET_TRUNCATION)

    def _go_on(self, position: Position) -> None:
        position.state = FETCHING
        position.retry_at = 0

    # -- fetching

    def _fetch(self, connection: ReaderConnection) -> None:
        """Send a fetch for all partitions read from one broker, if none is under way."""
        if connection.is_fetching:
            return
        if not connection.is_listed:
            self._list(connection)
        if not connection.fetch_list:
            return
        if connection.state != UP:
            connection.want()
            return
        connection.is_fetching = True
        positions = connection.fetch_list
        connection.request(
            ConsumerFetch(positions, self.settings.max_wait_us, self.settings.rack),
            PendingFetch(self.sim.now),
        )

    def _list(self, connection: ReaderConnection) -> None:
        """Make the list of positions to fetch from one broker."""
        now = self.sim.now
        connection.is_listed = True
        found: list[ConsumerPosition] = []
        for position in self.assigned:
            if position.state == FETCHING and position.retry_at <= now and position.source(now) == connection.broker.id:
                position.asked_on = connection.broker.id
                found.append(position.wire)
        connection.fetch_list = found

    def fetched(self, connection: ReaderConnection, answer: ConsumerAnswer) -> None:
        """Hand records to the application; act on errors; fetch again."""
        again = connection.is_listed
        for part in answer.parts:
            position = self.position_of(part.p)
            if position.state != FETCHING or position.asked_on != connection.broker.id:
                continue  # the position moved meanwhile: what came is dropped
            if part.error != ERR_NONE:
                self._fetch_failed(connection, position, part)
                again = False
            elif part.preferred >= 0:
                position.preferred = part.preferred
                position.preferred_until = self.sim.now + self.metadata.max_age_us
                again = False
            else:
                self._deliver(position, part)
        if again:
            self._fetch(connection)
        else:
            self.work()

    def _deliver(self, position: Position, part: ConsumerPart) -> None:
        """Hand the records on, as one delivery per run of one epoch."""
        base = position.offset
        end = base
        epoch = position.epoch
        for batch in part.batches:
            if batch.end <= end:
                continue
            if batch.epoch != epoch and end > base:
                self.consumer.delivered(position.p, base, end - base, epoch)
                base = end
            epoch = batch.epoch
            end = batch.end
        if end > base:
            self.consumer.delivered(position.p, base, end - base, epoch)
        position.passed(end, epoch)
        self.consumer.moved(position.p, end)

    def _fetch_failed(self, connection: ReaderConnection, position: Position, part: ConsumerPart) -> None:
        error = part.error
        position.retry_at = self.sim.now + RETRY_US
        if error == ERR_OFFSET_OUT_OF_RANGE:
            if position.preferred == connection.broker.id and position.leader != connection.broker.id:
                position.preferred = -1  # CON-5: a follower's word is not taken for it
                position.retry_at = 0
            else:
                self._reset(position)
            return
        if error == ERR_UNKNOWN_LEADER_EPOCH:
            return  # the broker is behind: ask again
        position.preferred = -1
        self.metadata.learn(position.p, part.leader, part.leader_epoch)
        self.metadata.request_update()

    # -- connections, time

    def on_up(self, connection: Connection) -> None:
        """Send what waited for this connection."""
        if isinstance(connection, CoordinatorConnection):
            self._push()
        else:
            self.work()

    def _push(self) -> None:
        """Send the group requests that wait."""
        self.commits.push()
        if self.settings.mode == SUBSCRIBED:
            self.membership.push()

    def on_lost(self, connection: Connection, request: Pending, timed_out: bool) -> None:
        """A request was lost with its connection."""
        if isinstance(request, CommitJob):
            self.commits.lost(request)
        elif isinstance(request, PendingGroup):
            self.membership.lost(request.what)
        elif isinstance(request, PendingOffset):
            if request.position.is_asking:
                request.position.is_asking = False
                request.position.retry_at = self.sim.now + RETRY_US
        else:
            assert isinstance(connection, ReaderConnection), "fetches go over reader connections"
            connection.is_fetching = False

    def on_down(self, connection: Connection) -> None:
        """FFR-3: a broken connection ends a preference; then try again."""
        if isinstance(connection, CoordinatorConnection):
            self._push()
            return
        for position in self.assigned:
            if position.preferred == connection.broker.id:
                position.preferred = -1
        self.work()

    def on_metadata(self) -> None:
        """Leaders changed: validate, fetch elsewhere, find the coordinator."""
        self._push()
        self.work()

    def _arm(self) -> None:
        """One timer for the position that may go on first."""
        now = self.sim.now
        at: i64 = 0
        for position in self.assigned:
            next_at = position.retry_at
            if position.preferred >= 0 and (next_at <= now or position.preferred_until < next_at):
                next_at = position.preferred_until
            if position.state != REVOKED and next_at > now and (at == 0 or next_at < at):
                at = next_at
        if at == 0 or (self._timer is not None and self._timer.time <= at):
            return
        self._timer = ReaderTimer(self)
        self.sim.at(at, self._timer)

    def timer_fired(self, timer: ReaderTimer) -> None:
        """Some back-off is over."""
        if timer is self._timer:
            self._timer = None
            self.work()

    def committed(self, partitions: list[int], offsets: list[int]) -> None:
        """The coordinator has stored these offsets."""
        for i in range(len(partitions)):
            if self.has(partitions[i]):
                self.position_of(partitions[i]).committed = offsets[i]
            self.consumer.committed(partitions[i], offsets[i])

    def commit_failed(self, partitions: list[int], error: i64) -> None:
        """A commit was given up."""
        self.consumer.threw(partitions[0], error)
