"""Committed offsets that are gone: what groups had committed, and the next coordinator does not find (CON-6).

Commits are records of ``__consumer_offsets``. A group has lost its offsets when the high watermark has passed a commit
of it and the log of a later leader has none. Its consumers begin by ``auto.offset.reset`` then. Where a leader after
that has the very commit again, since only an empty log led in between, nothing is gone.
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

    __slots__ = ("_gone", "_groups", "_records", "_seen", "cause", "lost")

    def __init__(self, records: "CommitLog") -> None:
        self._records = records
        self._seen: i64 = 0  # offset up to which the leader's log was read
        self._groups: dict[str, int] = {}  # the number of the newest commit that the high watermark has passed ...
        self._gone: dict[str, int] = {}  # ... and of those that were lost
        self.lost: list[str] = []
        self.cause: i64 = 0

    def passed(self, leader: Replica) -> None:
        """The leader's high watermark has moved: groups may have their first committed offsets."""
        self._groups.update(self._commits_in(leader, self._seen, leader.hw))
        self._seen = leader.hw

    def leader_activated(self, leader: Replica, cause: i64) -> None:
        """Another leader: which groups does it find no commit of?"""
        found = self._commits_in(leader, 0, leader.log.leo)
        for group, newest in self._groups.items():
            if group not in found and group not in self.lost:
                self.lost.append(group)
                self._gone[group] = newest
                self.cause = cause
        self.lost = [group for group in self.lost if not self._has(leader, self._gone[group])]
        self._groups = {group: newest for group, newest in self._groups.items() if group in found}
        self._seen = min(self._seen, leader.hw)

    def _has(self, leader: Replica, number: int) -> bool:
        """Whether the leader's log has a commit."""
        return any(batch.client == NO_CLIENT and batch.n == number for batch in leader.log.batches)

    def _commits_in(self, leader: Replica, start: i64, end: i64) -> dict[str, int]:
        """The number of the newest commit of each group in a part of the leader's log."""
        found: dict[str, int] = {}
        log = leader.log
        for k in range(log.index_of(start), len(log.batches)):
            batch = log.batches[k]
            if batch.base >= end:
                break
            request = self._records.requests[batch.n] if batch.client == NO_CLIENT else None
            if request is not None:
                found[request.group] = int(batch.n)
        return found
