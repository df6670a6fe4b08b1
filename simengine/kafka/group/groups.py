"""Consumer groups at their coordinator: members, sessions, rebalances (classic protocol, CON-6).

A new or leaving member, or one whose session ran out, starts a rebalance: the others learn of it with their next
heartbeat and join again; it completes when all have, or when the slowest had ``max.poll.interval.ms``. A crashed member
holds it up until its session is over. An empty group waits for further members (CON-13). Partitions are shared out
by range, topic by topic. The outcome is written to ``__consumer_offsets`` before the members hear of it, so that the
next coordinator knows them. Each completed rebalance begins a generation; a commit of another generation, or of a
member that the group does not know, is refused (CON-9). Left out: static members, the protocol of KIP-848, and that the
coordinator of 3.7 answers ILLEGAL_GENERATION for a group that it does not know.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.facts.errors import (
    ERR_COORDINATOR_NOT_AVAILABLE,
    ERR_GROUP_ID_NOT_FOUND,
    ERR_ILLEGAL_GENERATION,
    ERR_NONE,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_REBALANCE_IN_PROGRESS,
    ERR_UNKNOWN_MEMBER_ID,
)
from simengine.kafka.group.member import Member
from simengine.kafka.group.range_assignor import share_out
from simengine.kafka.replica.observer import GROUP_MEMBER_DROPPED, GROUP_REBALANCED, GROUP_TAKEN_OVER
from simengine.kafka.replica.produce_wait import DelayedProduce
from simengine.kafka.wire.api import NO_GENERATION, NO_MEMBER, ClientChannel, CommitRequest, ProduceResult
from simengine.kafka.wire.group_api import HEARTBEAT, JOIN, GroupAnswer, GroupRequest
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.kafka.group.coordinator import GroupCoordinator

EMPTY: Final = 0
PREPARING: Final = 1
COMPLETING: Final = 2
STABLE: Final = 3


@final
class Group:
    """One consumer group, or what a record says of it."""

    __slots__ = ("deadline", "empty_at", "generation", "members", "name", "state", "timer", "waits_for_more")

    def __init__(self, name: str) -> None:
        self.name = name
        self.members: list[Member] = []
        self.generation: i64 = 0
        self.state: i64 = EMPTY
        self.empty_at: i64 = -1  # since when its last member is gone; -1: it had none here
        self.deadline: i64 = 0  # of the rebalance under way
        self.waits_for_more: bool = False  # it lasts up to its deadline, whoever has joined
        self.timer: GroupTimer | None = None

    def member(self, member_id: i64) -> Member | None:
        """The member of this id."""
        for member in self.members:
            if member.id == member_id:
                return member
        return None

    def member_without_id(self, client: i64, membership: i64) -> Member | None:
        """The member that this client became without hearing of it (KIP-394)."""
        for member in self.members:
            if member.client == client and member.membership == membership:
                return member
        return None

    def snapshot(self) -> "Group":
        """A record of the members and what they have."""
        record = Group(self.name)
        record.members = [member.copy(0) for member in self.members]
        record.state = STABLE
        record.generation = self.generation
        return record

    def old_since(self, p: i64, committed_at: i64) -> i64:
        """CON-10: since when a committed offset grows old, -1 while it does not (``ClassicGroup``)."""
        if self.state == EMPTY:
            return committed_at if self.empty_at < 0 else self.empty_at
        is_read = any(p in member.wanted for member in self.members)
        return committed_at if self.state == STABLE and not is_read else -1

    def check_commit(self, member_id: i64, generation: i64) -> i64:
        """CON-9: the error with which a commit is refused, or none (``ClassicGroup.validateOffsetCommit``)."""
        if generation == NO_GENERATION and self.state == EMPTY:
            return ERR_NONE
        if self.member(member_id) is None:
            return ERR_UNKNOWN_MEMBER_ID
        if generation != self.generation:
            return ERR_ILLEGAL_GENERATION
        return ERR_REBALANCE_IN_PROGRESS if self.state == COMPLETING else ERR_NONE


@final
class GroupWait(DelayedProduce):
    """The outcome of a rebalance waits to be replicated."""

    __slots__ = ("group", "groups")

    def __init__(
        self, groups: "Groups", group: Group, channel: ClientChannel, result: ProduceResult, deadline: i64
    ) -> None:
        super().__init__(channel, 0, [result], deadline)
        self.groups = groups
        self.group = group

    def send_answer(self) -> None:
        """The outcome is written, or not."""
        self.groups.completed(self.group, self.results[0].error)


@final
class GroupTimer(Task):
    """A session or a rebalance of a group may be over."""

    __slots__ = ("group", "groups")

    def __init__(self, groups: "Groups", group: Group) -> None:
        super().__init__(groups.coordinator.broker)
        self.groups = groups
        self.group = group

    def run(self) -> None:
        """Look."""
        if self.group.timer is self:
            self.group.timer = None
            self.groups.look_at(self.group)


@final
class Groups:
    """The groups that one broker coordinates."""

    __slots__ = ("_groups", "coordinator")

    def __init__(self, coordinator: "GroupCoordinator") -> None:
        self.coordinator = coordinator
        self._groups: list[Group] = []

    def are_stable(self) -> bool:
        """True if no group rebalances."""
        for group in self._groups:
            if group.state != STABLE and group.state != EMPTY:
                return False
        return True

    def forget(self) -> None:
        """The broker is no longer coordinator, or not the same process."""
        groups = self._groups
        self._groups = []  # before anybody is answered: that may let another request in (PROD-12)
        for group in groups:
            group.timer = None
            for member in group.members:
                member.answer(JOIN, ERR_NOT_LEADER_OR_FOLLOWER)

    def load(self, record: Group) -> None:
        """Take up a group from the log; its sessions begin anew."""
        group = self._of(record.name)
        now = self.coordinator.broker.sim.now
        group.generation = record.generation
        group.members = [member.copy(now) for member in record.members]
        group.state = STABLE if group.members else EMPTY
        if group.members:
            self.coordinator.broker.observer.group_changed(GROUP_TAKEN_OVER)
        self._arm(group)

    def _of(self, name: str) -> Group:
        known = self._find(name)
        if known is not None:
            return known
        group = Group(name)
        self._groups.append(group)
        return group

    def _find(self, name: str) -> Group | None:
        for group in self._groups:
            if group.name == name:
                return group
        return None

    def all(self) -> list[Group]:
        """The groups that are known."""
        return list(self._groups)

    def load_offsets(self, name: str) -> None:
        """The log holds offsets of a group: it is known, members or not."""
        self._of(name)

    # -- requests

    def check_commit(self, request: CommitRequest) -> i64:
        """CON-9: the error with which a commit is refused, or none. A commit that is accepted keeps the session."""
        if request.generation == NO_GENERATION:
            return self._of(request.group).check_commit(request.member, request.generation)
        group = self._find(request.group)
        if group is None:
            return ERR_GROUP_ID_NOT_FOUND
        error = group.check_commit(request.member, request.generation)
        member = group.member(request.member)
        if error == ERR_NONE and member is not None:
            member.seen_at = self.coordinator.broker.sim.now
        return error

    def handle(self, channel: ClientChannel, request: GroupRequest) -> None:
        """A member, or one to be, asks for something."""
        if self.coordinator.lead() is None:
            channel.answer(GroupAnswer(request.what, ERR_NOT_LEADER_OR_FOLLOWER, request.member, []))
            return
        if request.what == JOIN:
            self._join(channel, request, self._of(request.group))
            return
        group = self._find(request.group)
        member = None if group is None else group.member(request.member)
        error: i64 = ERR_NONE
        if group is None or member is None:
            error = ERR_UNKNOWN_MEMBER_ID
        elif request.what == HEARTBEAT:
            member.seen_at = self.coordinator.broker.sim.now
            if group.state == PREPARING:
                error = ERR_REBALANCE_IN_PROGRESS
        else:
            self._remove(group, member)
        channel.answer(GroupAnswer(request.what, error, request.member, []))

    def _join(self, channel: ClientChannel, request: GroupRequest, group: Group) -> None:
        member = group.member(request.member)
        if member is None and request.member != NO_MEMBER:
            channel.answer(GroupAnswer(JOIN, ERR_UNKNOWN_MEMBER_ID, request.member, []))
            return
        now = self.coordinator.broker.sim.now
        if member is None:
            member = group.member_without_id(request.client, request.membership)
        if member is None:
            member = Member(self.coordinator.next_member(), request)
            group.members.append(member)
        member.wanted = request.wanted
        member.seen_at = now
        member.channel = channel
        member.conn = channel.conn
        if group.state != PREPARING:
            self._prepare(group)
        self.look_at(group)

    def _remove(self, group: Group, member: Member) -> None:
        group.members = [other for other in group.members if other is not member]
        if group.state != PREPARING:
            self._prepare(group)
        self.look_at(group)

    # -- rebalances

    def _prepare(self, group: Group) -> None:
        """A rebalance begins; an empty group waits for further members (CON-13)."""
        group.waits_for_more = group.state == EMPTY
        group.state = PREPARING
        limit: i64 = 0
        for member in group.members:
            limit = max(limit, member.rebalance_us)
        broker = self.coordinator.broker
        group.deadline = broker.sim.now + (
            min(limit, broker.config.groups.first_join_us) if group.waits_for_more else limit
        )

    def look_at(self, group: Group) -> None:
        """Drop members whose session is over; complete a rebalance that need not wait any longer."""
        if self.coordinator.lead() is None:
            return
        now = self.coordinator.broker.sim.now
        kept = [member for member in group.members if member.joined() or now < member.seen_at + member.session_us]
        if len(kept) < len(group.members):
            group.members = kept
            self.coordinator.broker.observer.group_changed(GROUP_MEMBER_DROPPED)
            if group.state != PREPARING:
                self._prepare(group)
        if group.state == PREPARING and self._is_over(group, now):
            self._complete(group)
        self._arm(group)

    def _is_over(self, group: Group, now: i64) -> bool:
        if now >= group.deadline:
            return True
        if group.waits_for_more:
            return False
        for member in group.members:
            if not member.joined():
                return False
        return True

    def _complete(self, group: Group) -> None:
        """Share the partitions out among those who joined, and write that down."""
        group.members = [member for member in group.members if member.joined()]
        if not group.members:
            group.state = EMPTY
            group.empty_at = self.coordinator.broker.sim.now
            return
        group.state = COMPLETING
        group.generation += 1
        group.members.sort(key=client_of)
        share_out(group.members, self.coordinator)
        self.coordinator.broker.observer.group_changed(GROUP_REBALANCED)
        channel = group.members[0].channel
        assert channel is not None, "a member that joined waits on a channel"
        self.coordinator.write_group(self, group, channel)

    def completed(self, group: Group, error: i64) -> None:
        """The outcome is written: tell the members; or it could not be, and they must try again."""
        if error not in (ERR_NONE, ERR_NOT_LEADER_OR_FOLLOWER):
            error = ERR_COORDINATOR_NOT_AVAILABLE
        now = self.coordinator.broker.sim.now
        if group.state == COMPLETING:
            group.state = STABLE
        leader = min([int(member.id) for member in group.members], default=NO_MEMBER)
        for member in list(group.members):
            member.seen_at = now
            member.answer(JOIN, error, group.generation, member.id == leader)
        self._arm(group)

    def _arm(self, group: Group) -> None:
        at: i64 = group.deadline if group.state == PREPARING else 0
        for member in group.members:
            over = member.seen_at + member.session_us
            if not member.joined() and (at == 0 or over < at):
                at = over
        if at > 0 and (group.timer is None or group.timer.time > at):
            group.timer = GroupTimer(self, group)
            self.coordinator.broker.sim.at(at, group.timer)


def client_of(member: Member) -> int:
    """The order of members; a real group's is that of random ids."""
    return int(member.client)
