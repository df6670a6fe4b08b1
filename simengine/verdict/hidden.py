"""Acknowledged records that nobody can read: at or above the high watermark of the current leader (section 5)."""

from typing import final

from mypy_extensions import i64

from simengine.kafka.replica import Replica
from simengine.verdict.outage import THETA_US
from simengine.verdict.outcomes import Run
from simengine.verdict.presence import present_range


@final
class Hidden:
    """How many records of one partition are hidden for longer than theta; shorter is the pipeline of acks=1."""

    __slots__ = ("_end", "_since", "count")

    def __init__(self) -> None:
        self.count: i64 = 0
        self._end: i64 = 0  # one past the acknowledged records that were above the high watermark ...
        self._since: i64 = 0  # ... at this time

    def look(self, acked: list[Run], leader: Replica | None, now: i64) -> None:
        """Count them anew."""
        above: i64 = 0
        end: i64 = 0  # one past the last of them
        hw: i64 = 0
        if leader is not None:
            hw = leader.hw
            self._end = min(self._end, leader.log.leo)
            for i in range(len(acked) - 1, -1, -1):
                run = acked[i]
                if run.base + run.count <= hw:
                    break
                first, last = present_range(leader.log, run.epoch)
                low = max(max(run.base, hw), first)
                high = min(run.base + run.count, last)
                if high > low:
                    above += high - low
                    end = max(end, high)
        if above == 0 or hw >= self._end:  # what was above it can be read by now, what is there came later
            self._end = end
            self._since = now
        self.count = above if now - self._since >= THETA_US else 0
