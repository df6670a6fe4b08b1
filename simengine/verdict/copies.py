"""Records that stand in a partition's log more than once: a call appended again without idempotence (PC-10, IDEM-7)."""

from typing import final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from simengine.facts.decisive import DuplicateWritten
from simengine.facts.trace import Trace
from simengine.kafka.log.log import Batch
from simengine.kafka.replica.replica import Partition
from simengine.verdict.expired import ExpiredRecords
from simengine.verdict.presence import cut_out, joined, length, present_range


@mypyc_attr(acyclic=True)
@final
class DuplicateAppend:
    """Calls n .. n+count-1 that were appended again at ``base`` (epoch); their copies before are lower in that log."""

    __slots__ = ("base", "client", "count", "epoch", "fact", "n")

    def __init__(self, base: i64, epoch: i64, n: i64, count: i64, client: i64) -> None:
        self.base: i64 = base
        self.epoch: i64 = epoch
        self.n: i64 = n
        self.count: i64 = count
        self.client: i64 = client
        self.fact: i64 = 0


@mypyc_attr(acyclic=True)
@final
class DuplicateAppends:
    """Watches the appends of one partition's leaders for calls that they have appended before.

    ``twice``: the calls that stood in the last leader's log more than once, (first, end) by client; ``most``: how many
    of them one append made, and ``most_fact``: that one. A partition without leader keeps what it had.
    """

    __slots__ = ("_appended_to", "_expired", "_p", "_trace", "found", "most", "most_fact", "twice")

    def __init__(self, p: i64, trace: Trace, expired: ExpiredRecords) -> None:
        self._p: i64 = p
        self._expired = expired
        self._trace = trace
        self.found: tuple[DuplicateAppend, ...] = ()
        self.twice: dict[int, list[tuple[int, int]]] = {}
        self.most: i64 = 0
        self.most_fact: i64 = 0
        self._appended_to: vec[i64] = vec[i64]()  # per client: calls below this have been in a leader's log

    def appended(self, replica: Partition, batch: Batch) -> bool:
        """A leader appended a producer's batch: whether its log had some of the calls already."""
        if batch.client < 0:
            return False
        while len(self._appended_to) <= batch.client:
            self._appended_to = append(self._appended_to, 0)
        seen = self._appended_to
        end = batch.n + batch.count
        if batch.n >= seen[batch.client]:
            seen[batch.client] = end
            return False
        if end > seen[batch.client]:
            seen[batch.client] = end
        known = len(self.found)
        self._look_for_copies(replica, batch)
        return len(self.found) > known

    def _look_for_copies(self, replica: Partition, batch: Batch) -> None:
        """Each call of the batch against its newest copy before; the copy may be in several pieces."""
        batches = self._expired.with_all(replica.log).batches
        gaps = [(int(batch.n), int(batch.n + batch.count))]
        i = len(batches) - 1
        while i >= 0 and gaps:
            other = batches[i]
            i -= 1
            if other is batch or other.client != batch.client:
                continue
            for low, high in gaps:
                n = max(low, int(other.n))
                count = min(high, int(other.n + other.count)) - n
                if count > 0:
                    self._note(batch, n, count)
            gaps = cut_out(gaps, int(other.n), int(other.n + other.count))

    def _note(self, batch: Batch, n: i64, count: i64) -> None:
        copy = DuplicateAppend(batch.base + n - batch.n, batch.epoch, n, count, batch.client)
        copy.fact = self._trace.state(
            DuplicateWritten(0, p=self._p, base=copy.base, count=count, epoch=batch.epoch, client=batch.client)
        )
        self.found += (copy,)

    def look(self, leader: Partition | None) -> None:
        """Note which calls stand in the leader's log more than once."""
        if leader is None or not self.found:
            return
        log = self._expired.with_all(leader.log)
        found: dict[int, list[tuple[int, int]]] = {}
        self.most = 0
        for copy in self.found:
            start, end = present_range(log, copy.epoch)
            low = max(copy.base, start)
            high = min(copy.base + copy.count, end)
            if low < high:
                first = int(copy.n + low - copy.base)
                found.setdefault(int(copy.client), []).append((first, first + int(high - low)))
                if high - low > self.most:
                    self.most, self.most_fact = high - low, copy.fact
        self.twice = {client: joined(spans) for client, spans in found.items()}

    def count(self) -> i64:
        """Calls that stand in the log more than once."""
        total: i64 = 0
        for spans in self.twice.values():
            total += length(spans)
        return total
