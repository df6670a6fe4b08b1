"""Acknowledged records that nobody can read: at or above the high watermark of the current leader (FATE-8).

From their acknowledgement until a high watermark passes them, or they are lost: a change of the leader ends neither.
While there is no leader, it is the high watermark of the last one that they stand above.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.kafka.replica.replica import Partition
from simengine.verdict.outage import THETA_US
from simengine.verdict.record_set import RecordSet

NEVER: Final = 1 << 62


@mypyc_attr(acyclic=True)
@final
class HiddenRecords:
    """Records of one partition that are hidden for longer than theta; shorter is the pipeline of acks=1."""

    __slots__ = ("_hw", "_marks")

    def __init__(self) -> None:
        # one past records that got hidden, and when. The ends rise; the times fall as far as leaders have begun below
        # the high watermarks of those before them, and rise from there on
        self._marks: list[tuple[int, int]] = []
        self._hw: i64 = 0  # of the leader, or of the last there was

    def acknowledged(self, end: i64, leader: Partition | None, now: i64) -> None:
        """Records below ``end`` were acknowledged, and are not lost already, that consumers may not be served yet."""
        if end > self._mark_of(leader):
            self._mark(end, now)

    def look(self, kept: RecordSet, leader: Partition | None, now: i64) -> None:
        """Brokers, leader or settings changed: follow them on. What a new leader has not is lost: hidden no more."""
        if leader is None:
            return
        self._follow(leader, now)
        count, end = kept.within(leader.hw, leader.log.leo)
        if count == 0:
            self._marks = []
            return
        self._cut(leader.hw, end)
        self._mark(end, now)

    def passed(self, old_hw: i64, leader: Partition, now: i64) -> bool:
        """The leader's high watermark has moved: whether it has passed records that were told to be hidden."""
        before = self._since(old_hw)
        while self._marks and self._marks[0][0] <= leader.hw:
            self._marks.pop(0)
        self._follow(leader, now)
        return now - before >= THETA_US > now - self._since(leader.hw)

    def count(self, kept: RecordSet, leader: Partition | None, now: i64) -> i64:
        """The number of records hidden now."""
        if not self._marks:
            return 0
        hw = self._mark_of(leader)
        if now - self._since(hw) < THETA_US:
            return 0
        count, _ = kept.within(hw, NEVER if leader is None else leader.log.leo)
        return count

    def is_empty(self) -> bool:
        """True if no record is hidden, not even for a moment."""
        return not self._marks

    def _mark_of(self, leader: Partition | None) -> i64:
        """The high watermark that counts."""
        return self._hw if leader is None else leader.hw

    def _follow(self, leader: Partition, now: i64) -> None:
        """A new leader may begin below the high watermark of the last one: what could be read cannot for now."""
        if self._marks and leader.hw < self._hw:
            self._marks.insert(0, (int(self._hw), int(now)))
        self._hw = leader.hw

    def _mark(self, end: i64, now: i64) -> None:
        if not self._marks or end > self._marks[-1][0]:
            self._marks.append((int(end), int(now)))

    def _cut(self, hw: i64, end: i64) -> None:
        """Keep the marks of records from a high watermark up to one past the last that is not lost."""
        if self._marks and self._marks[0][0] > hw and self._marks[-1][0] <= end:
            return  # below M there may be thousands, looked at each second
        found: list[tuple[int, int]] = []
        base = int(hw)
        for known, at in self._marks:
            if base < end and known > base:
                base = min(known, int(end))
                found.append((base, at))
        self._marks = found

    def _since(self, hw: i64) -> i64:
        """The moment at which the oldest record above ``hw`` was hidden, NEVER if there is none."""
        since: i64 = NEVER
        for end, at in self._marks:
            if end > hw:
                if at > since:
                    break
                since = at
        return since
