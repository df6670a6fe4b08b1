"""The records that a group missed at its move, and read later: after another start, there or in another cluster.

A start at an earlier position of the partition reads them there. In the other cluster stand the originals of copies,
and copies of the originals: of one flow, not of a chain. A later jump over records counts as reading them.
"""

from typing import TYPE_CHECKING, final

from simengine.facts.decisive import ConsumerReset
from simengine.verdict.presence import joined, length
from simengine.world.mirrors.compare import RemoteRun, remote_runs
from simengine.world.mirrors.counted import counted_copy
from simengine.world.mirrors.group_starts import read_ends

if TYPE_CHECKING:
    from simengine.mirror.mirrored_partition import MirroredPartition
    from simengine.world.cluster_parts import ClusterParts
    from simengine.world.mirrors.process import RunningFlow

Span = tuple[int, int]  # offsets: from, to (exclusive)


@final
class LateReads:
    """Looks at the starts of all groups of a run, and at how far they have read."""

    def __init__(self, clusters: "list[ClusterParts]", flows: "list[RunningFlow]", starts: list[ConsumerReset]) -> None:
        self._clusters = {parts.site: parts for parts in clusters}
        self._flows = flows
        self._starts: dict[tuple[str, int], list[ConsumerReset]] = {}
        self._ends: dict[tuple[str, int], int] = {}
        groups = {int(one.number): one.settings.group for parts in clusters for one in parts.consumers}
        for fact in starts:
            if int(fact.client) in groups:
                self._starts.setdefault((groups[int(fact.client)], int(fact.p)), []).append(fact)
        for parts in clusters:
            self._ends |= read_ends(parts)

    def of(self, group: str, p: int, missed: Span, since_us: int) -> int:
        """Records of these offsets of partition ``p`` that a group has read by a start after this time."""
        found = [_cut(span, missed) for span in self._read(group, p, since_us)]
        for running in self._flows:
            for pair in running.flow.partitions:
                source_p, remote_p = int(pair.source_p), int(pair.p)
                for run in self._runs(running, pair) if p in (source_p, remote_p) else ():
                    other, here, there = remote_p, run.upstream, run.downstream
                    if p == remote_p:
                        other, here, there = source_p, run.downstream, run.upstream
                    spans = [_cut(span, (there, there + run.count)) for span in self._read(group, other, since_us)]
                    found += [_cut((low - there + here, high - there + here), missed) for low, high in spans]
        return length(joined(sorted(span for span in found if span[0] < span[1])))

    def _read(self, group: str, p: int, since_us: int) -> list[Span]:
        starts = [int(fact.new) for fact in self._starts.get((group, p), []) if fact.t > since_us]
        return [(min(starts), self._ends.get((group, p), 0))] if starts else []

    def _runs(self, running: "RunningFlow", pair: "MirroredPartition") -> list[RemoteRun]:
        copy = counted_copy(self._clusters[running.target].cluster, int(pair.p))
        producers = [int(producer.number) for producer in running.flow.target.producers]
        return [] if copy is None else remote_runs(copy.log, producers, pair.copied)


def _cut(span: Span, within: Span) -> Span:
    return max(span[0], within[0]), min(span[1], within[1])
