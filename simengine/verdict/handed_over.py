"""The outcome of one producer's acks=0 calls to one partition, as the run goes.

Nobody answers for them (PROD-4): they *arrived* when the leader's log has them, and have *vanished* when it has not;
without a leader, when no log has them, those of brokers that are down included. Of those handed over within the last
theta that are not there yet, nothing can be said: they may be under way.
"""

from typing import final

from mypy_extensions import i64, mypyc_attr

from simengine.kafka.log.log import Batch, Log
from simengine.verdict.outage import THETA_US
from simengine.verdict.presence import Spans, cut_out


@mypyc_attr(acyclic=True)
@final
class UnackedRecords:
    """Counts of calls handed over and of those in the leader's log."""

    __slots__ = ("_arrived_end", "_looked_end", "_nowhere", "_recent", "_spans", "arrived", "count")

    def __init__(self) -> None:
        self.count: i64 = 0
        self.arrived: i64 = 0
        self._arrived_end: i64 = 0  # one past the newest of the producer's calls in the leader's log
        self._spans: list[tuple[int, int]] = []  # calls handed over: first .. end-1, in order
        self._recent: list[tuple[int, int]] = []  # (when, first call) of those within theta
        self._nowhere: Spans = []  # calls that no log had when they were last looked for ...
        self._looked_end: i64 = 0  # ... one past the newest call then

    def add(self, n: i64, count: i64, now: i64) -> None:
        """Calls were handed over now."""
        self.count += count
        if self._spans and self._spans[-1][1] == n:
            self._spans[-1] = (self._spans[-1][0], int(n + count))
        else:
            self._spans.append((int(n), int(n + count)))
        self._recent.append((int(now), int(n)))
        while self._recent[0][0] < now - THETA_US:
            self._recent.pop(0)

    def appended(self, batch: Batch) -> None:
        """The partition's leader has appended some of the producer's calls."""
        end = batch.n + batch.count
        for i in range(len(self._spans) - 1, -1, -1):
            low, high = self._spans[i]
            if high <= batch.n:
                break
            if low < end:
                self.arrived += min(int(end), high) - max(int(batch.n), low)
        if end > self._arrived_end:
            self._arrived_end = end

    def recount(self, log: Log, client: i64) -> None:
        """Another log is the leader's: count what it has."""
        if self.count == 0:
            return
        self.arrived = 0
        self._arrived_end = 0
        for batch in log.batches:
            if batch.client == client:
                self.appended(batch)

    def open_from(self, now: i64) -> i64:
        """The calls from this one on may be under way where they are not in the log."""
        for at, first in self._recent:
            if at >= now - THETA_US:
                return max(first, self._arrived_end)
        return self._end()

    def vanished(self, now: i64) -> i64:
        """Calls that are not in the leader's log and are no longer under way."""
        start = self.open_from(now)
        open_calls: i64 = 0
        for i in range(len(self._spans) - 1, -1, -1):
            low, high = self._spans[i]
            if high <= start:
                break
            open_calls += high - max(low, int(start))
        return max(0, self.count - self.arrived - open_calls)

    def look(self, client: i64, logs: list[Log]) -> None:
        """Find the producer's calls that none of these logs has."""
        left: Spans = list(self._spans)
        for log in logs:
            for batch in log.batches:
                if batch.client == client:
                    left = cut_out(left, int(batch.n), int(batch.n + batch.count))
        self._nowhere = left
        self._looked_end = self._end()

    def nowhere(self, now: i64) -> Spans:
        """The calls that no log had at the last ``look`` or that were made since, and that are no longer under way."""
        start, looked = int(self.open_from(now)), int(self._looked_end)
        new = [(max(low, looked), high) for low, high in self._spans if high > looked]
        return [(low, min(high, start)) for low, high in [*self._nowhere, *new] if low < start]

    def _end(self) -> i64:
        return self._spans[-1][1] if self._spans else 0
