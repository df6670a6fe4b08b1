"""Committed offsets that are gone: what groups had committed, and the next coordinator does not find (CON-6).

Commits are records of ``__consumer_offsets``. A group has lost its offsets when the high watermark has passed a commit
of it and the log of a later leader has none; while nobody leads, when the last log that had one is deleted, cut back or
gone with its disk. Its consumers begin by ``auto.offset.reset`` then. Where a leader after that has the very commit
again, since only an empty log led in between, nothing is gone.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.kafka.group.coordinator import NO_CLIENT
from simengine.kafka.log.log import Log
from simengine.kafka.replica.replica import Partition

if TYPE_CHECKING:
    from simengine.kafka.group.coordinator import CommitLog

OFFSETS_TOPIC: Final = "__consumer_offsets"


@final
class CommittedOffsets:
    """The groups that have committed offsets in one partition of the topic. ``lost``: those whose offsets are gone."""

    __slots__ = ("_causes", "_gone", "_groups", "_nowhere", "_records", "_seen", "lost")

    def __init__(self, records: "CommitLog") -> None:
        self._records = records
        self._seen: i64 = 0  # offset up to which the leader's log was read
        self._groups: dict[str, int] = {}  # the number of the newest commit that the high watermark has passed ...
        self._gone: dict[str, int] = {}  # ... and of those that were lost
        self._causes: dict[str, int] = {}  # of those that were lost: the fact that the loss goes back to
        self._nowhere: list[str] = []  # lost since the newest leader, as no log has a commit of theirs
        self.lost: list[str] = []

    def cause(self) -> i64:
        """The newest fact by which offsets that are gone went; 0 where none are."""
        newest: i64 = 0
        for group in self.lost:
            newest = max(newest, self._causes[group])
        return newest

    def causes(self) -> dict[str, int]:
        """The groups whose offsets are gone, each with the fact that the loss goes back to."""
        return {group: self._causes[group] for group in self.lost}

    def passed(self, leader: Partition) -> None:
        """The leader's high watermark has moved: groups may have their first committed offsets."""
        self._groups.update(self._commits_in(leader.log, self._seen, leader.hw))
        self._seen = leader.hw

    def passed_by_former(self, former: Partition, old: i64, leader: Partition | None, cause: i64) -> bool:
        """A former leader's high watermark has moved: it acknowledges too; whether a group's commit is lost by that.

        ``leader``: who leads meanwhile; a group of which it has no commit has lost its offsets, by the fact ``cause``.
        """
        self._groups.update(self._commits_in(former.log, old, former.hw))
        if leader is None:
            return False
        return len(self._lose_all_but(self._commits_in(leader.log, 0, leader.log.leo), cause)) > 0

    def leader_activated(self, leader: Partition, cause: i64) -> None:
        """Another leader: which groups does it find no commit of, and which lost ones does it have again?"""
        found = self._commits_in(leader.log, 0, leader.log.leo)
        self._lose_all_but(found, cause)
        self._find_back(leader.log, self.lost)
        self._groups = {group: newest for group, newest in self._groups.items() if group in found}
        self._nowhere = []
        self._seen = min(self._seen, leader.hw)

    def copy_went(self, logs: list[Log], cause: i64) -> bool:
        """A log lost records, or was deleted, while nobody leads: whether a group's last commit went with it."""
        found: dict[str, int] = {}
        if self._groups:
            for log in logs:
                found.update(self._commits_in(log, 0, log.leo))
        gone = self._lose_all_but(found, cause)
        self._nowhere += gone
        return len(gone) > 0

    def copy_came(self, log: Log) -> bool:
        """A follower appended what was under way when the last log lost it: whether lost commits stand in it again."""
        return self._find_back(log, self._nowhere)

    def _lose_all_but(self, found: dict[str, int], cause: i64) -> list[str]:
        """The groups without a commit among those found have lost their offsets; which those are."""
        gone = [group for group in self._groups if group not in found and group not in self.lost]
        for group in gone:
            self.lost.append(group)
            self._gone[group] = self._groups[group]
            self._causes[group] = int(cause)
        return gone

    def _find_back(self, log: Log, groups: list[str]) -> bool:
        """Restore these groups' lost commits that a log has; True if there are any."""
        back = [group for group in groups if self._has(log, self._gone[group])]
        for group in back:
            self._groups[group] = self._gone[group]
        self.lost = [group for group in self.lost if group not in back]
        self._nowhere = [group for group in self._nowhere if group not in back]
        return len(back) > 0

    def _has(self, log: Log, number: int) -> bool:
        """True if the log has the commit."""
        return any(batch.client == NO_CLIENT and batch.n == number for batch in log.batches)

    def _commits_in(self, log: Log, start: i64, end: i64) -> dict[str, int]:
        """The number of the newest commit of each group in a part of a log."""
        found: dict[str, int] = {}
        for k in range(log.index_of(start), len(log.batches)):
            batch = log.batches[k]
            if batch.base >= end:
                break
            request = self._records.requests[batch.n] if batch.client == NO_CLIENT else None
            if request is not None:
                found[request.group] = int(batch.n)
        return found
