"""Acknowledged records that nobody can read: at or above the high watermark of the current leader (section 5)."""

from typing import Final, final

from mypy_extensions import i64

from simengine.kafka.replica import Replica
from simengine.verdict.kept import Kept
from simengine.verdict.outage import THETA_US

NEVER: Final = 1 << 62


@final
class Hidden:
    """Records of one partition that are hidden for longer than theta; shorter is the pipeline of acks=1.

    Looked at once a second and whenever something changed, so that they are told up to a second late; that they can be
    read again is told at once.
    """

    __slots__ = ("_marks",)

    def __init__(self) -> None:
        self._marks: list[tuple[int, int]] = []  # one past what was hidden at a look, and its time; both rise

    def look(self, kept: Kept, leader: Replica | None, now: i64) -> None:
        """Follow them on; without a leader nothing is above its mark."""
        if leader is None:
            self._marks = []
            return
        count, end = kept.within(leader.hw, leader.log.leo)
        marks = [(min(known, int(leader.log.leo)), at) for known, at in self._marks]
        self._marks = [mark for mark in marks if mark[0] > leader.hw] if count > 0 else []
        if count > 0 and (not self._marks or end > self._marks[-1][0]):
            self._marks.append((int(end), int(now)))

    def _since(self, hw: i64, leo: i64) -> i64:
        """The look at which the oldest of them was found, NEVER without any."""
        for end, at in self._marks:
            if min(end, leo) > hw:
                return at
        return NEVER

    def ends(self, old_hw: i64, leader: Replica, now: i64) -> bool:
        """Whether a high watermark that moved has passed what was hidden."""
        leo = leader.log.leo
        return now - self._since(old_hw, leo) >= THETA_US > now - self._since(leader.hw, leo)

    def count(self, kept: Kept, leader: Replica | None, now: i64) -> i64:
        """How many there are now."""
        if leader is None or now - self._since(leader.hw, leader.log.leo) < THETA_US:
            return 0
        count, _ = kept.within(leader.hw, leader.log.leo)
        return count
