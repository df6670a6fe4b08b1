"""Acknowledged records that nobody can read: at or above the high watermark of the current leader (section 5)."""

from typing import Final, final

from mypy_extensions import i64

from simengine.kafka.replica import Replica
from simengine.verdict.outage import THETA_US
from simengine.verdict.record_set import RecordSet

NEVER: Final = 1 << 62


@final
class Hidden:
    """Records of one partition that are hidden for longer than theta; shorter is the pipeline of acks=1."""

    __slots__ = ("_marks",)

    def __init__(self) -> None:
        self._marks: list[tuple[int, int]] = []  # one past records that got hidden, and when; both rise

    def acknowledged(self, end: i64, leader: Replica | None, now: i64) -> None:
        """Records below ``end`` were acknowledged, and are not lost already, that consumers may not be served yet."""
        if leader is not None and end > leader.hw:
            self._mark(end, now)

    def look(self, kept: RecordSet, leader: Replica | None, now: i64) -> None:
        """Brokers, leader or settings changed: follow them on; without a leader nothing is above its mark."""
        if leader is None:
            self._marks = []
            return
        count, end = kept.within(leader.hw, leader.log.leo)
        if count == 0:
            self._marks = []
            return
        leo = int(leader.log.leo)
        self._marks = [(min(known, leo), at) for known, at in self._marks if known > leader.hw]
        self._mark(end, now)

    def passed(self, old_hw: i64, leader: Replica, now: i64) -> bool:
        """The leader's high watermark has moved: whether it has passed records that were told to be hidden."""
        before = self._since(old_hw)
        while self._marks and self._marks[0][0] <= leader.hw:
            self._marks.pop(0)
        return now - before >= THETA_US > now - self._since(leader.hw)

    def count(self, kept: RecordSet, leader: Replica | None, now: i64) -> i64:
        """How many there are now."""
        if leader is None or now - self._since(leader.hw) < THETA_US:
            return 0
        count, _ = kept.within(leader.hw, leader.log.leo)
        return count

    def _mark(self, end: i64, now: i64) -> None:
        if not self._marks or end > self._marks[-1][0]:
            self._marks.append((int(end), int(now)))

    def _since(self, hw: i64) -> i64:
        """When the oldest of them was hidden, NEVER without any."""
        for end, at in self._marks:
            if end > hw:
                return at
        return NEVER
