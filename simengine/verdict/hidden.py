"""Acknowledged records that nobody can read: at or above the high watermark of the current leader (section 5)."""

from typing import final

from mypy_extensions import i64

from simengine.kafka.replica import Replica
from simengine.verdict.outage import THETA_US
from simengine.verdict.outcomes import Run
from simengine.verdict.presence import present_range


@final
class Hidden:
    """Records of one partition that are hidden for longer than theta; shorter is the pipeline of acks=1.

    Looked at once a second and whenever something changed, so that they are told up to a second late; that they can be
    read again is told at once.
    """

    __slots__ = ("_end", "_since")

    def __init__(self) -> None:
        self._end: i64 = 0  # one past the acknowledged records that were above the high watermark ...
        self._since: i64 = 0  # ... at this time

    def look(self, acked: list[Run], leader: Replica | None, now: i64) -> None:
        """Follow them on."""
        count, end = above(acked, leader)
        if leader is not None:
            self._end = min(self._end, leader.log.leo)
        if count == 0 or leader is None or leader.hw >= self._end:
            self._end = end  # what was hidden can be read by now, what is there came later
            self._since = now

    def ends(self, old_hw: i64, leader: Replica, now: i64) -> bool:
        """Whether a high watermark that moved has passed what was hidden."""
        return now - self._since >= THETA_US and old_hw < min(self._end, leader.log.leo) <= leader.hw

    def count(self, acked: list[Run], leader: Replica | None, now: i64) -> i64:
        """How many there are now."""
        if leader is None or now - self._since < THETA_US or leader.hw >= min(self._end, leader.log.leo):
            return 0
        count, _ = above(acked, leader)
        return count


def above(acked: list[Run], leader: Replica | None) -> tuple[i64, i64]:
    """How many of the acknowledged records in a leader's log are above its high watermark, and one past the last."""
    count: i64 = 0
    end: i64 = 0
    if leader is None:
        return count, end
    for i in range(len(acked) - 1, -1, -1):
        run = acked[i]
        if run.base + run.count <= leader.hw:
            break
        first, last = present_range(leader.log, run.epoch)
        low = max(max(run.base, leader.hw), first)
        high = min(run.base + run.count, last)
        if high > low:
            count += high - low
            end = max(end, high)
    return count, end
