"""One member of a consumer group, as its coordinator knows it."""

from typing import final

from mypy_extensions import i64

from simengine.kafka.wire.api import NO_GENERATION, ClientChannel
from simengine.kafka.wire.group_api import JOIN, GroupAnswer, GroupRequest


@final
class Member:
    """One member of a group; ``rack``: its ``client.rack``, or ""."""

    __slots__ = (
        "assigned",
        "channel",
        "client",
        "conn",
        "id",
        "membership",
        "rack",
        "rebalance_us",
        "seen_at",
        "session_us",
        "wanted",
    )

    def __init__(self, member_id: i64, request: GroupRequest) -> None:
        self.id: i64 = member_id
        self.client: i64 = request.client
        self.membership: i64 = request.membership
        self.wanted = request.wanted
        self.rack = request.rack
        self.session_us: i64 = request.session_us
        self.rebalance_us: i64 = request.rebalance_us
        self.seen_at: i64 = 0
        self.assigned: list[int] = []
        self.channel: ClientChannel | None = None  # where its join waits for an answer
        self.conn: i64 = 0

    def copy(self, now: i64) -> "Member":
        """The member as a record holds it, or as a new coordinator takes it up."""
        request = GroupRequest(JOIN, "", self.client, self.id)
        request.membership = self.membership
        request.wanted = self.wanted
        request.rack = self.rack
        request.session_us = self.session_us
        request.rebalance_us = self.rebalance_us
        other = Member(self.id, request)
        other.assigned = list(self.assigned)
        other.seen_at = now
        return other

    def joined(self) -> bool:
        """True if the member's join waits for a response, and its connection still stands."""
        channel = self.channel
        return channel is not None and channel.conn == self.conn

    def answer(self, what: i64, error: i64, generation: i64 = NO_GENERATION, is_leader: bool = False) -> None:
        """Answer the join that waits."""
        channel = self.channel
        self.channel = None
        if channel is not None and channel.conn == self.conn:
            answer = GroupAnswer(what, error, self.id, self.assigned, generation)
            answer.is_leader = is_leader
            channel.answer(answer)
