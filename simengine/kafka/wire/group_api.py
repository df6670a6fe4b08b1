"""The protocol between members of a consumer group and its coordinator (classic protocol).

JoinGroup and SyncGroup are one request here: the coordinator itself shares the partitions out. So is the first round
trip of a new member, in which the coordinator gives it an id (MEMBER_ID_REQUIRED, KIP-394): a request names the client
and its ``membership`` instead, and a client that asks again before it heard its id is known by them.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.kinds import MSG_GROUP, MSG_GROUP_ANSWER
from simengine.kafka.wire.api import NO_GENERATION, ClientChannel
from simengine.kernel.message import Message

JOIN: Final = 1
HEARTBEAT: Final = 2
LEAVE: Final = 3


@final
class GroupRequest(Message):
    """JoinGroup, GroupHeartbeat or LeaveGroup of ``member`` (NO_MEMBER: it joins for the first time).

    ``client`` is the consumer's index, ``membership`` the count of the ids that it has asked for in this run;
    ``wanted`` are the partitions of the topics that it subscribes to, ``rack`` is its ``client.rack``, or "".
    """

    __slots__ = ("client", "group", "member", "membership", "rack", "rebalance_us", "session_us", "wanted", "what")

    def __init__(self, what: i64, group: str, client: i64, member: i64) -> None:
        super().__init__(MSG_GROUP, -1, 0, what)
        self.what: i64 = what
        self.group = group
        self.client: i64 = client
        self.member: i64 = member
        self.membership: i64 = 0
        self.wanted: list[int] = []
        self.rack = ""
        self.session_us: i64 = 0
        self.rebalance_us: i64 = 0

    def arrive(self) -> None:
        """The broker's coordinator takes it."""
        channel = self.channel
        assert isinstance(channel, ClientChannel), "group requests come from clients"
        channel.broker.handle_group(channel, self)


@final
class GroupAnswer(Message):
    """The answer to a GroupRequest; to JOIN: the member's id, its partitions, and the generation of the group."""

    __slots__ = ("assigned", "error", "generation", "is_leader", "member", "what")

    def __init__(
        self, what: i64, error: i64, member: i64, assigned: list[int], generation: i64 = NO_GENERATION
    ) -> None:
        super().__init__(MSG_GROUP_ANSWER, -1, len(assigned), error)
        self.what: i64 = what
        self.error: i64 = error
        self.member: i64 = member
        self.assigned = assigned
        self.generation: i64 = generation
        self.is_leader: bool = False  # of the group: the oldest member, whose view of the topics counts

    def arrive(self) -> None:
        """The consumer takes it."""
        channel = self.channel
        assert isinstance(channel, ClientChannel), "group answers go to clients"
        channel.on_group_answer(self)
