"""Records that stood in a partition's log before the run, and how many of them are gone (FATE-6).

Nobody knows who sent them and in which mode, so they are counted apart from what was acknowledged in the run. They are
those of the log that leads at the start, or of the copy that its registration counts on. One is gone while the current
leader's log does not have it; without a leader, while no copy has it, dead brokers' copies included.
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.log.log import Log
from simengine.kafka.replica.replica import Partition
from simengine.verdict.last_copy import logs_of, missing
from simengine.verdict.presence import epochs_of, length, present_range

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


@final
class BeforeRun:
    """The records of one partition from before the run. ``lost``: how many are gone; ``cause``: the fact behind it."""

    __slots__ = ("_cluster", "_p", "_spans", "cause", "count", "lost")

    def __init__(self, cluster: "Cluster", p: i64) -> None:
        self._cluster = cluster
        self._p: i64 = p
        self._spans: list[tuple[int, int, int]] = []  # epoch, first offset, end
        self.count: i64 = 0
        self.lost: i64 = 0
        self.cause: i64 = 0

    def begin(self) -> None:
        """Note what stands in the log that counts at the start."""
        log = self._first_log()
        if log is None or not log.batches:
            return
        self._spans = epochs_of(log, log.leo)
        self.count = sum([end - start for _, start, end in self._spans])

    def newest_epoch(self) -> i64:
        """The highest epoch of them; -1 for none."""
        return self._spans[-1][0] if self._spans else -1

    def standing(self) -> i64:
        """The number of them that are neither gone nor removed by retention."""
        return sum([end - start for _, start, end in self._spans]) - self.lost

    def expire(self, start: i64) -> None:
        """Retention removed what is below an offset: it is not lost."""
        self._spans = [(epoch, max(first, int(start)), end) for epoch, first, end in self._spans if end > start]

    def look(self, leader: Partition | None, cause: i64) -> None:
        """Count what is gone now; more of it than before goes back to the fact ``cause``."""
        if not self.count:
            return
        lost = self.missing(logs_of(self._cluster, self._p) if leader is None else [leader.log])
        if lost > self.lost:
            self.cause = cause
        self.lost = lost

    def missing(self, logs: list[Log]) -> i64:
        """The number of these records that none of the logs has."""
        for log in logs:
            if self._is_in(log):
                return 0
        found: i64 = 0
        for epoch, start, end in self._spans:
            found += length(missing(logs, [(start, end)], epoch))
        return found

    def _is_in(self, log: Log) -> bool:
        """True if the log has all of these records."""
        for epoch, start, end in self._spans:
            low, high = present_range(log, epoch)
            if start < low or end > high:
                return False
        return True

    def _first_log(self) -> Log | None:
        registration = self._cluster.quorum.image.partition(self._p)
        if registration is None:
            return None
        candidates = [registration.leader, *registration.isr, *registration.last_known, *registration.elr]
        for broker_id in candidates:
            broker = self._cluster.by_id.get(int(broker_id))
            copy = None if broker is None else broker.replica(self._p)
            if copy is not None:
                return copy.log
        return None
