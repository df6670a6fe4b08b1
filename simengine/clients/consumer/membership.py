"""A consumer's membership of a group: joining, heartbeats, leaving (classic protocol, eager; see kafka.groups).

Whoever subscribes owns no partition until the group's coordinator says so. A rebalance is learnt of by heartbeat:
the consumer commits (with auto commit on), gives all partitions up and joins again. A consumer that cannot reach the
coordinator reads on: it learns only later that others have its partitions. ``session.timeout.ms`` after the last
response its heartbeat thread gives the connection up and looks for the coordinator anew.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.clients.network.network_client import Pending
from simengine.clients.network.settings import ConsumerSettings, doubled
from simengine.facts.errors import (
    ERR_ILLEGAL_GENERATION,
    ERR_NONE,
    ERR_REBALANCE_IN_PROGRESS,
    ERR_UNKNOWN_MEMBER_ID,
)
from simengine.kafka.wire.api import NO_GENERATION, NO_MEMBER, CommitRequest
from simengine.kafka.wire.group_api import HEARTBEAT, JOIN, LEAVE, GroupAnswer, GroupRequest
from simengine.kernel.connecting import UP
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.clients.consumer.reader import Reader

JOIN_MARGIN_US: Final = 5_000_000  # a join may take the rebalance timeout and this


@final
class PendingGroup(Pending):
    """A group request without answer."""

    __slots__ = ("what",)

    def __init__(self, sent_at: i64, what: i64) -> None:
        super().__init__(sent_at)
        self.what: i64 = what


@final
class MembershipTimer(Task):
    """Time for a heartbeat, or for another attempt to join."""

    __slots__ = ("membership",)

    def __init__(self, membership: "ConsumerCoordinator") -> None:
        super().__init__(membership.reader.node)
        self.membership = membership

    def run(self) -> None:
        """Do it."""
        self.membership.timer_fired(self)


@final
class ConsumerCoordinator:
    """One consumer in its group."""

    __slots__ = (
        "_attempts",
        "_generation",
        "_heard_at",
        "_is_asking",
        "_is_closed",
        "_is_in",
        "_is_leader",
        "_is_leaving",
        "_member",
        "_memberships",
        "_rejoins",
        "_timer",
        "_topics_asked",
        "reader",
        "settings",
    )

    def __init__(self, reader: "Reader", settings: ConsumerSettings) -> None:
        self.reader = reader
        self.settings = settings
        self._member: i64 = NO_MEMBER
        self._memberships: i64 = 0  # it has asked for, in all processes
        self._generation: i64 = NO_GENERATION
        self._heard_at: i64 = 0  # when the coordinator last answered a heartbeat or let it in, or was found
        self._is_in: bool = False
        self._is_asking: bool = False
        self._is_leaving: bool = False
        self._is_closed: bool = False
        self._is_leader: bool = False  # of the generation: it watches the topics for all members
        self._rejoins: bool = False  # as topics changed, if an answer to something else is awaited
        self._topics_asked: i64 = 0  # `TopicNews.seen` when it asked to join
        self._attempts: i64 = 0
        self._timer: MembershipTimer | None = None

    def start(self) -> None:
        """A new process: join."""
        self._forget_member()
        self._generation = NO_GENERATION
        self._is_in = False
        self._is_asking = False
        self._is_leaving = False
        self._is_closed = False
        self._is_leader = False
        self._rejoins = False
        self._attempts = 0
        self._timer = None
        self.push()

    def _forget_member(self) -> None:
        """It joins under a new id next time."""
        self._member = NO_MEMBER
        self._memberships += 1

    def leave(self) -> None:
        """The consumer closes in good order: the others need not wait for the session to run out, and it is done."""
        self._timer = None
        self._is_closed = True
        connection = self.reader.commits.coordinator()
        if self._is_in and connection is not None and connection.state == UP:
            self._is_leaving = True
            self._ask(LEAVE)

    def is_idle(self) -> bool:
        """True if no LeaveGroup request is under way."""
        return not self._is_leaving

    # -- commits

    def sign(self, request: CommitRequest) -> i64:
        """Put the member and its generation into a commit; the error of a consumer that is in no generation.

        Kafka's clients throw RebalanceInProgressException while they join, CommitFailedException otherwise.
        """
        request.member = self._member
        request.generation = self._generation
        if self._generation != NO_GENERATION:
            return ERR_NONE
        return ERR_REBALANCE_IN_PROGRESS if self._is_asking else ERR_UNKNOWN_MEMBER_ID

    def commit_refused(self, generation: i64, error: i64) -> None:
        """The coordinator does not know the member, or the generation: the partitions are lost; join anew.

        With GROUP_ID_NOT_FOUND the member goes on and learns of it by its next heartbeat (measured on 4.2.1).
        """
        if generation != self._generation or not self._is_in:
            return
        if error == ERR_UNKNOWN_MEMBER_ID or error == ERR_ILLEGAL_GENERATION:
            self._timer = None
            self._reset_generation(error)

    def topics_changed(self) -> None:
        """The leader joins anew, so that the partitions are shared out as the topics are now."""
        if self._is_leader and self._is_in and self._topics_asked != self.reader.topics.seen:
            self._timer = None
            self._rejoins = True
            self._rejoin(True)

    # -- asking

    def push(self) -> None:
        """Join, if that is due and the coordinator can be reached."""
        if self._is_in or self._is_asking or self._is_closed or self._timer is not None:
            return
        connection = self.reader.commits.coordinator()
        if connection is None:
            self.reader.metadata.request_update()
        elif connection.state == UP:
            self._ask(JOIN)
        else:
            connection.want()

    def _ask(self, what: i64) -> None:
        connection = self.reader.commits.coordinator()
        assert connection is not None, "the coordinator is known here"
        settings = self.settings
        request = GroupRequest(what, settings.group, self.reader.consumer.number, self._member)
        request.membership = self._memberships
        request.wanted = self.reader.assignment.partitions()
        request.rack = settings.rack
        request.session_us = settings.session_timeout_us
        request.rebalance_us = settings.max_poll_us
        pending = PendingGroup(self.reader.sim.now, what)
        if what == JOIN:
            self._generation = NO_GENERATION
            self._topics_asked = self.reader.topics.seen
            self._rejoins = False
            pending.limit_us = settings.max_poll_us + JOIN_MARGIN_US
        elif what == HEARTBEAT:
            session_left = self._heard_at + settings.session_timeout_us - self.reader.sim.now
            pending.limit_us = max(min(session_left, settings.request_timeout_us), 1)
        self._is_asking = True
        connection.request(request, pending)

    def _arm(self, delay: i64) -> None:
        self._timer = MembershipTimer(self)
        self.reader.sim.after(delay, self._timer)

    def timer_fired(self, timer: MembershipTimer) -> None:
        """Send a heartbeat, or try to join."""
        if timer is not self._timer:
            return
        self._timer = None
        if not self._is_in:
            self.push()
            return
        connection = self.reader.commits.coordinator()
        if connection is not None and connection.state == UP:
            self._ask(HEARTBEAT)
            return
        if connection is not None:
            connection.want()
        else:
            self.reader.metadata.request_update()
        self._arm(self._backoff())

    def _backoff(self) -> i64:
        self._attempts += 1
        return doubled(self.settings.retry_backoff_us, self._attempts, self.settings.retry_backoff_max_us)

    # -- answers

    def coordinator_found(self) -> None:
        """The session counts anew."""
        self._heard_at = self.reader.sim.now

    def answered(self, answer: GroupAnswer) -> None:
        """Take in what the coordinator says."""
        self._is_asking = False
        if answer.what == LEAVE:
            self._has_left()
        elif self._is_closed:
            return
        elif answer.error == ERR_UNKNOWN_MEMBER_ID:
            self._reset_generation(answer.error)
        elif answer.error == ERR_REBALANCE_IN_PROGRESS:
            self._rejoin(True)
        elif answer.error != ERR_NONE:
            self.reader.commits.lose_coordinator()
            self._arm(self._backoff())
        else:
            self._attempts = 0
            self._heard_at = self.reader.sim.now
            if answer.what == JOIN:
                self._member = answer.member
                self._generation = answer.generation
                self._is_in = True
                self._is_leader = answer.is_leader
                self.reader.given(answer.assigned)
                self.topics_changed()
            if self._is_in or not self._rejoins:
                self._arm(self.settings.heartbeat_us)
            else:
                self.push()

    def _reset_generation(self, error: i64) -> None:
        """The coordinator does not know the member or its generation: others may have the partitions. Join anew."""
        if error == ERR_UNKNOWN_MEMBER_ID:
            self._forget_member()
        self._generation = NO_GENERATION
        self._rejoin(False)

    def _rejoin(self, is_still_owner: bool) -> None:
        if self._is_in:
            self._is_in = False
            self.reader.give_up(is_still_owner)
        self.push()

    def lost(self, what: i64) -> None:
        """A request was lost with its connection."""
        self._is_asking = False
        if what == LEAVE:
            self._has_left()
        elif not self._is_closed:
            self._arm(self._backoff())

    def _has_left(self) -> None:
        self._is_leaving = False
        self.reader.consumer.commits_changed()
