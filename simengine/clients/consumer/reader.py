"""The network half of a consumer: positions, fetches, resets and validations (CON-1..CON-5, FFR-3, HW-7).

One fetch at a time is under way to each broker, for all partitions read there; a parked one holds up every other
request on its connection, metadata included (PROD-12). Left out: ``max.poll.records`` (a poll returns all that a fetch
brought) and fetch sizes other than the broker's.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.clients.consumer.commits import CommitJob, Commits, CoordinatorConnection
from simengine.clients.consumer.finder import OffsetFetcher, PendingOffset
from simengine.clients.consumer.membership import ConsumerCoordinator, PendingGroup
from simengine.clients.consumer.position import FETCHING, NO_EPOCH, NO_OFFSET, REVOKED, Assignment, Position
from simengine.clients.consumer.reader_connection import NextPoll, PendingFetch, ReaderConnection, ReaderTimer
from simengine.clients.consumer.reading_client import ReadingClient
from simengine.clients.consumer.topic_news import TopicNews
from simengine.clients.network.network_client import Connection, NetworkClient, Pending
from simengine.clients.network.settings import SUBSCRIBED, ConsumerSettings
from simengine.facts.errors import (
    ERR_NONE,
    ERR_OFFSET_OUT_OF_RANGE,
    ERR_UNKNOWN_LEADER_EPOCH,
)
from simengine.kafka.wire.api import (
    ClientServer,
    CommitAnswer,
    ConsumerAnswer,
    ConsumerFetch,
    ConsumerPart,
    ConsumerPosition,
    MetadataAnswer,
    OffsetAnswer,
)
from simengine.kernel.connecting import UP
from simengine.kernel.network import Network

NEXT_POLL_US: Final = 50_000  # the application calls poll() so much later, half of the 0.1 s that one may take
LATE_US: Final = 500_000  # a fetch without a response for so long beyond fetch.max.wait.ms is not merely parked
FETCH_AGAIN_US: Final = 100_000  # after an error of a partition; by then the metadata it asks for have mostly come


@final
class Reader(NetworkClient):
    """Positions and connections of one consumer."""

    __slots__ = (
        "_is_stopped",
        "_timer",
        "assignment",
        "commits",
        "consumer",
        "finder",
        "membership",
        "settings",
        "topics",
    )

    def __init__(
        self,
        net: Network,
        consumer: ReadingClient,
        brokers: list[ClientServer],
        bootstrap: list[int],
        settings: ConsumerSettings,
        partitions: list[int],
        offsets_p: i64,
    ) -> None:
        super().__init__(net, consumer, brokers, bootstrap, settings.request_timeout_us)
        self.metadata.pace(settings.metadata_max_age_us, settings.retry_backoff_us, settings.retry_backoff_max_us)
        self.consumer = consumer
        self.settings = settings
        self.assignment: Assignment = Assignment(partitions)
        self._is_stopped: bool = False
        self._timer: ReaderTimer | None = None
        for broker in brokers:
            self.connections.append(ReaderConnection(self, broker))
        self.commits: Commits = Commits(self, settings, offsets_p)
        self.membership: ConsumerCoordinator = ConsumerCoordinator(self, settings)
        self.finder: OffsetFetcher = OffsetFetcher(self, consumer, self.assignment, settings, offsets_p >= 0)
        self.metadata.wants_racks = settings.rack != "" and settings.mode == SUBSCRIBED
        self.topics: TopicNews = TopicNews(self.metadata, consumer, self.assignment, settings)

    # -- what the consumer does

    def start(self) -> None:
        """A new process: all positions are to be found."""
        self.hang_up()
        self._timer = None
        self._is_stopped = False
        for connection in self.connections:
            assert isinstance(connection, ReaderConnection)
            connection.is_fetching = False
            connection.is_listed = False
        for position in self.assignment.positions:
            position.forget()
            position.is_late = False
            if self.settings.mode == SUBSCRIBED or position.is_ended:
                position.state = REVOKED
        self.metadata.want(self.assignment.partitions())
        self.metadata.request_update()
        self.commits.start()
        if self.settings.mode == SUBSCRIBED:
            self.membership.start()
        self.work()

    def assign(self, partitions: list[int]) -> None:
        """Read these partitions and no others, from the next ``start`` on (``KafkaConsumer.assign``)."""
        self.assignment.assign(partitions)
        self.metadata.want_only(partitions)

    def given(self, partitions: list[int]) -> None:
        """The group's coordinator has given this consumer these partitions, and no others."""
        for p in partitions:
            if not self.assignment.has(p):  # another member had noticed it first
                self.topics.add(p)
                self.metadata.want([p])
        for position in self.assignment.positions:
            if position.p in partitions:
                position.forget()
        self.work()

    def give_up(self, is_still_owner: bool) -> None:
        """All partitions go back to the group, with a last commit if they are still this consumer's."""
        if is_still_owner and self.settings.auto_commit_us > 0:
            self.commit_positions(True)
        for position in self.assignment.positions:
            if position.state != REVOKED:
                position.forget()
                position.state = REVOKED
                self.consumer.moved(position.p, NO_OFFSET)
        self.work()

    def commit_positions(self, is_auto: bool) -> None:
        """Commit where this consumer stands."""
        owned = self.assignment.owned()
        if owned:
            offsets = [int(position.offset) for position in owned]
            epochs = [int(position.epoch) for position in owned]
            self.commits.commit([int(position.p) for position in owned], offsets, epochs, is_auto)

    def seek(self, p: i64, offset: i64) -> None:
        """Go on at an offset, whatever is known or asked so far."""
        position = self.assignment.of(p)
        position.seek(offset, NO_EPOCH)
        position.validate()
        self.work()

    def stop(self) -> None:
        """Fetch and hand on nothing more; group requests may still be under way."""
        self._is_stopped = True

    # -- steps of a position

    def work(self) -> None:
        """Do for every position what can be done now, then fetch."""
        if self._is_stopped:
            return
        unknown: list[int] = []
        for position in self.assignment.positions:
            asked_on = position.asked_on
            if position.follow_leader(self.metadata.leaders[position.p], self.metadata.epochs[position.p]):
                self._left(position, asked_on)
            self.finder.step(position, unknown)
        if unknown:
            self.commits.look_up(unknown)
        for connection in self.connections:
            assert isinstance(connection, ReaderConnection)
            connection.is_listed = False
        for connection in self.connections:
            assert isinstance(connection, ReaderConnection)
            self._fetch(connection)
        self._arm()

    def found_committed(self, answer: CommitAnswer) -> None:
        """Committed offsets of positions to be initialized."""
        self.finder.found_committed(answer)
        self.work()

    def offset_answered(self, request: PendingOffset, answer: OffsetAnswer) -> None:
        """A reset or a validation may be complete."""
        if self.finder.offset_answered(request, answer):
            self.work()

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
        positions, settings = connection.fetch_list, self.settings
        connection.request(
            ConsumerFetch(
                positions, settings.max_wait_us, settings.rack, settings.partition_bytes, settings.fetch_bytes
            ),
            PendingFetch(self.sim.now),
        )

    def _list(self, connection: ReaderConnection) -> None:
        """Make the list of positions to fetch from one broker."""
        now = self.sim.now
        connection.is_listed = True
        found: list[ConsumerPosition] = []
        for position in self.assignment.positions:
            if position.state == FETCHING and position.retry_at <= now and position.source(now) == connection.broker.id:
                position.asked_on = connection.broker.id
                found.append(position.wire)
        connection.fetch_list = found

    def waited(self, connection: ReaderConnection, sent_at: i64, has_response: bool) -> None:
        """A fetch is over, by its response or without one: tell the consumer where it took longer than it may."""
        since = self._counts_from(sent_at)
        for one in connection.fetch_list:
            position = self.assignment.of(one.p)
            if position.asked_on == connection.broker.id:
                self._unserved(position, since, has_response)

    def _unserved(self, position: Position, since: i64, has_response: bool) -> None:
        """A position had no response since then (-1: it has not waited too long): it goes on until it has one."""
        if position.unserved_at >= 0:
            since = position.unserved_at
        position.unserved_at = -1 if has_response else since
        if since >= 0:
            self.consumer.unserved(position.p, since, has_response)

    def _left(self, position: Position, broker: i64) -> None:
        """A position has another leader: it does not wait for the fetch that is under way to the last one."""
        self._unserved(position, self._waits_on(broker), False)

    def unserved_since(self, p: i64) -> i64:
        """Since when fetches of a partition have had no response, longer than one may take; -1: they had one."""
        if not self.assignment.has(p):
            return -1
        position = self.assignment.of(p)
        return position.unserved_at if position.unserved_at >= 0 else self._waits_on(position.asked_on)

    def _waits_on(self, broker: i64) -> i64:
        for connection in self.connections:
            if connection.broker.id == broker and isinstance(connection, ReaderConnection) and connection.is_fetching:
                for request in connection.pending:
                    if isinstance(request, PendingFetch):
                        return self._counts_from(request.sent_at)
        return -1

    def _counts_from(self, sent_at: i64) -> i64:
        """From when on the wait of a fetch counts; -1: it has not taken longer than it may."""
        if self.sim.now - sent_at <= self.settings.max_wait_us + LATE_US:
            return -1
        return sent_at + max(0, self.settings.max_wait_us - LATE_US)

    def fetched(self, connection: ReaderConnection, answer: ConsumerAnswer) -> None:
        """Hand records to the application; act on errors; fetch again."""
        if self._is_stopped:
            return
        is_changed = False
        for part in answer.parts:
            position = self.assignment.of(part.p)
            if position.state != FETCHING or position.asked_on != connection.broker.id:
                continue  # the position moved meanwhile: what came is dropped
            if part.error != ERR_NONE:
                self._fetch_failed(connection, position, part)
                is_changed = True
            elif part.preferred >= 0:
                position.preferred = part.preferred
                position.preferred_until = self.sim.now + self.metadata.max_age_us
                is_changed = True
            else:
                self._deliver(position, part)
        if is_changed:
            self.work()
        else:
            self._fetch(connection)

    def _deliver(self, position: Position, part: ConsumerPart) -> None:
        """Hand the records on, as one delivery per run of one epoch."""
        if position.is_late:  # it kept its offset of a deleted topic, and reads the new one for the first time
            self.finder.count_missed(position, NO_OFFSET)
        base = position.offset
        end = base
        epoch = position.epoch
        self.consumer.polled(position.p, base, part.batches, part.hw)
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
        position.passed(end, epoch if self.settings.sees_epochs else NO_EPOCH)
        self.consumer.moved(position.p, end)

    def _fetch_failed(self, connection: ReaderConnection, position: Position, part: ConsumerPart) -> None:
        error = part.error
        position.retry_at = self.sim.now + FETCH_AGAIN_US
        if error == ERR_OFFSET_OUT_OF_RANGE:
            if position.preferred == connection.broker.id and position.leader != connection.broker.id:
                position.preferred = -1  # CON-5: a follower's word is not taken for it
                position.retry_at = 0
            else:
                self.finder.reset(position)
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
                request.position.retry_at = self.sim.now + self.settings.retry_backoff_us
        else:
            assert isinstance(connection, ReaderConnection), "fetches go over reader connections"
            connection.is_fetching = False
            self.waited(connection, request.sent_at, False)

    def on_down(self, connection: Connection) -> None:
        """FFR-3: a broken connection ends a preference; then try again."""
        if isinstance(connection, CoordinatorConnection):
            self.commits.lose_coordinator()
            self._push()
            return
        for position in self.assignment.positions:
            if position.preferred == connection.broker.id:
                position.preferred = -1
        self.work()

    def on_topics(self, answer: MetadataAnswer) -> bool:
        if self._is_stopped:
            return False
        seen = self.topics.seen
        is_news = self.topics.take_note(answer)
        if self.topics.seen > seen and self.settings.mode == SUBSCRIBED:
            self.membership.topics_changed()
        return is_news

    def on_rebootstrap(self) -> None:
        """The client has forgotten all topics, until it reaches a broker again."""
        if self.settings.mode == SUBSCRIBED:
            self.sim.after(NEXT_POLL_US, NextPoll(self))

    def look_at_topics(self) -> None:
        """CON-11: a leader that knows no topics, and has its coordinator still, finds that the topics have changed."""
        if not self.metadata.nodes and self.commits.coordinator() is not None:
            self.topics.seen += 1
            self.membership.topics_changed()

    def on_refreshed(self) -> None:
        """The coordinator may be known again."""
        if self.commits.find_coordinator():
            self.membership.coordinator_found()
            self._push()

    def on_metadata(self) -> None:
        """Leaders changed: validate, fetch elsewhere."""
        self._push()
        self.work()

    def _arm(self) -> None:
        """One timer for the position that may go on first."""
        now = self.sim.now
        at: i64 = 0
        for position in self.assignment.positions:
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
            if self.assignment.has(partitions[i]):
                self.assignment.of(partitions[i]).committed = offsets[i]
            self.consumer.committed(partitions[i], offsets[i])

    def commit_failed(self, partitions: list[int], error: i64) -> None:
        """A commit was given up."""
        self.consumer.threw(partitions[0], error)
