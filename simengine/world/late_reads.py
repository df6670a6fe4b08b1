"""The records that a group missed at its move, and was handed later: after another start, there or in another cluster.

A start at an earlier position of the partition hands them over there. In the other cluster stand the originals of
copies, and copies of the originals: of one flow, not of a chain. A record that a later start jumps over stays missed.
"""

from typing import TYPE_CHECKING, final

from simengine.verdict.presence import joined, length
from simengine.verdict.reading import group_of
from simengine.world.mirrors.compare import RemoteRun, remote_runs
from simengine.world.mirrors.counted import counted_copy

if TYPE_CHECKING:
    from simengine.mirror.mirrored_partition import MirroredPartition
    from simengine.world.cluster_run import ClusterRun
    from simengine.world.mirrors.process import RunningFlow

Span = tuple[int, int]  # offsets: from, to (exclusive)


@final
class LateReads:
    """Looks at what the groups of a run were handed in all clusters."""

    def __init__(self, runs: "list[ClusterRun]", flows: "list[RunningFlow]") -> None:
        self._clusters = {run.site: run.cluster for run in runs}
        self._accounts = {int(account.p): account for run in runs for account in run.book.accounts}
        self._flows = flows

    def of(self, group: str, p: int, missed: Span) -> int:
        """Records of these offsets of partition ``p``, which a group missed at its move, that it has been handed."""
        found = [_cut(span, missed) for span in self._handed(group, p)]
        for running in self._flows:
            for pair in running.flow.partitions:
                source_p, remote_p = int(pair.source_p), int(pair.p)
                for run in self._runs(running, pair) if p in (source_p, remote_p) else ():
                    other, here, there = remote_p, run.upstream, run.downstream
                    if p == remote_p:
                        other, here, there = source_p, run.downstream, run.upstream
                    spans = [_cut(span, (there, there + run.count)) for span in self._handed(group, other)]
                    found += [_cut((low - there + here, high - there + here), missed) for low, high in spans]
        return length(joined(sorted(span for span in found if span[0] < span[1])))

    def _handed(self, group: str, p: int) -> list[Span]:
        account = self._accounts[p]
        return [
            (int(run.offset), int(run.offset + run.count))
            for reader in account.reading.readers
            if group_of(account.cluster.net.clients, reader.client) == group
            for run in reader.runs
        ]

    def _runs(self, running: "RunningFlow", pair: "MirroredPartition") -> list[RemoteRun]:
        copy = counted_copy(self._clusters[running.target], int(pair.p))
        producers = [int(producer.number) for producer in running.flow.target.producers]
        return [] if copy is None else remote_runs(copy.log, producers, pair.copied)


def _cut(span: Span, within: Span) -> Span:
    return max(span[0], within[0]), min(span[1], within[1])
