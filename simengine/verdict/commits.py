"""Committed offsets that are gone: what groups had committed, and the next coordinator does not find (CON-6).

Commits are records of ``__consumer_offsets``. A group has lost its offsets when the high watermark has passed a commit
of it and the log of a later leader has none. Its consumers begin by ``auto.offset.reset`` then.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.kafka.coordinator import NO_CLIENT
from simengine.kafka.replica import Replica

if TYPE_CHECKING:
    from simengine.kafka.coordinator import CommitLog

OFFSETS_TOPIC: Final = "__consumer_offsets"


@final
class CommittedOffsets:
    """The groups that have committed offsets in one partition of the topic. ``lost``: those whose offsets are gone."""

    __slots__ = ("_groups", "_records", "_seen", "cause", "lost")

    def __init__(self, records: "CommitLog") -> None:
        self._records = records
        self._seen: i64 = 0  # offset up to which the leader's log was read
        self._groups: list[str] = []
        self.lost: list[str] = []
        self.cause: i64 = 0

    def passed(self, leader: Replica) -> None:
        """The leader's high watermark has moved: groups may have their first committed offsets."""
        for group in self._groups_in(leader, self._seen, leader.hw):
            if group not in self._groups:
                self._groups.append(group)
        self._seen = leader.hw

    def leader_activated(self, leader: Replica, cause: i64) -> None:
        """Another leader: which groups does it find no commit of?"""
        found = self._groups_in(leader, 0, leader.log.leo)
        for group in self._groups:
            if group not in found and group not in self.lost:
                self.lost.append(group)
                self.cause = cause
        self._groups = [group for group in self._groups if group in found]
        self._seen = min(self._seen, leader.hw)

    def _groups_in(self, leader: Replica, start: i64, end: i64) -> list[str]:
        found: list[str] = []
        log = leader.log
        for k in range(log.index_of(start), len(log.batches)):
            batch = log.batches[k]
            if batch.base >= end:
                break
            request = self._records.requests[batch.n] if batch.client == NO_CLIENT else None
            if request is not None and request.group not in found:
                found.append(request.group)
        return found
