"""Records that stand in a partition's log twice: a call appended again without idempotence (PC-10, IDEM-7)."""

from typing import final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from simengine.kafka.log import Batch
from simengine.kafka.replica import Replica
from simengine.kernel.facts import DUPLICATE_WRITTEN
from simengine.kernel.trace import Trace
from simengine.verdict.presence import holds


@mypyc_attr(acyclic=True)
@final
class Copy:
    """Calls whose records stand in the log twice: at base (epoch), and at earlier (earlier_epoch)."""

    __slots__ = ("base", "client", "count", "earlier", "earlier_epoch", "epoch", "fact")

    def __init__(self, base: i64, epoch: i64, earlier: i64, earlier_epoch: i64, count: i64, client: i64) -> None:
        self.base: i64 = base
        self.epoch: i64 = epoch
        self.earlier: i64 = earlier
        self.earlier_epoch: i64 = earlier_epoch
        self.count: i64 = count
        self.client: i64 = client
        self.fact: i64 = 0


@final
class Copies:
    """Watches the appends of one partition's leaders for calls that they have appended before."""

    __slots__ = ("_appended_to", "_p", "_trace", "found")

    def __init__(self, p: i64, trace: Trace) -> None:
        self._p: i64 = p
        self._trace = trace
        self.found: list[Copy] = []
        self._appended_to: vec[i64] = vec[i64]()  # per client: calls below this have been in a leader's log

    def appended(self, replica: Replica, batch: Batch) -> None:
        """A leader appended a producer's batch: has the log its calls already?"""
        if batch.client < 0:
            return
        while len(self._appended_to) <= batch.client:
            self._appended_to = append(self._appended_to, 0)
        seen = self._appended_to
        end = batch.n + batch.count
        if batch.n >= seen[batch.client]:
            seen[batch.client] = end
            return
        if end > seen[batch.client]:
            seen[batch.client] = end
        self._look_for_copies(replica, batch)

    def _look_for_copies(self, replica: Replica, batch: Batch) -> None:
        end = batch.n + batch.count
        for other in replica.log.batches:
            if other is batch or other.client != batch.client or other.n >= end or other.n + other.count <= batch.n:
                continue
            n = max(other.n, batch.n)
            count = min(other.n + other.count, end) - n
            copy = Copy(
                batch.base + n - batch.n, batch.epoch, other.base + n - other.n, other.epoch, count, batch.client
            )
            values = [self._p, copy.base, count, batch.epoch, batch.client]
            copy.fact = self._trace.decide(DUPLICATE_WRITTEN, 0, [int(v) for v in values], [])
            self.found.append(copy)
            return

    def count(self, leader: Replica | None) -> i64:
        """Records that stand twice in the leader's log (without a leader: that stood so last)."""
        total: i64 = 0
        for copy in self.found:
            if leader is None or (
                holds(leader.log, copy.base, copy.epoch) and holds(leader.log, copy.earlier, copy.earlier_epoch)
            ):
                total += copy.count
        return total
