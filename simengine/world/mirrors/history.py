"""The traces of a flow that ran before t=0: copies, stored positions, offset syncs and checkpoints.

Left out: offsets that MirrorMaker has committed for groups on the target, which a document gives as ``committed``.
"""

from typing import TYPE_CHECKING, final

from simengine.kafka.log.log import Log
from simengine.mirror.checkpoint_store import Checkpoint
from simengine.mirror.flow import Flow
from simengine.mirror.history import Span, copies_before, syncs_before
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.mirror.offset_sync import OffsetSync
from simengine.mirror.offset_sync_store import OffsetSyncStore
from simengine.scenario.mirror_plan import PlannedFlow
from simengine.world.mirrors.book import FlowBook
from simengine.world.mirrors.counted import counted_copy
from simengine.world.mirrors.group_starts import newest_commits

if TYPE_CHECKING:
    from simengine.world.cluster_parts import ClusterParts


@final
class MirrorHistory:
    """Leaves the traces of one flow."""

    def __init__(
        self, source: "ClusterParts", target: "ClusterParts", flow: Flow, book: FlowBook, plan: PlannedFlow
    ) -> None:
        self._source = source
        self._target = target
        self._flow = flow
        self._book = book
        self._plan = plan
        self._store = OffsetSyncStore(True)

    def leave(self) -> None:
        """Put the traces where the flow looks for them."""
        for pair in self._flow.partitions:
            self._copied(pair)
        self._store.read_to_end()
        if self._plan.settings.emit_checkpoints_interval_us > 0:
            self._checkpoints()

    def _copied(self, pair: MirroredPartition) -> None:
        source = counted_copy(self._source.cluster, int(pair.source_p))
        remote = counted_copy(self._target.cluster, int(pair.p))
        run = None if source is None or remote is None else copies_before(_span(source.log), _span(remote.log))
        if run is None:
            return
        pair.copied.before = run
        newest = int(run.upstream + run.count) - 1
        self._flow.target.offsets.keep(pair.index, newest)
        so_far = self._book.of(pair.source_p)
        so_far.upstream, so_far.downstream, so_far.count = newest, int(run.n + run.count) - 1, run.count
        if self._plan.settings.emit_offset_syncs:
            for sync in syncs_before(run, int(pair.source_p), self._plan.settings.offset_lag_max):
                self._flow.source.syncs.before.append(sync)
                self._store.handle_record(OffsetSync(pair.index, sync.upstream, sync.downstream))

    def _checkpoints(self) -> None:
        commits = newest_commits(self._source)
        for group in self._flow.groups:
            for pair in self._flow.partitions:
                upstream = commits.get((group, int(pair.source_p)), -1)
                downstream = int(self._store.translate_downstream(pair.index, upstream))
                if upstream >= 0 and downstream >= 0:
                    self._flow.target.checkpoints.keep(Checkpoint(group, pair.p, upstream, downstream))
                    self._book.checkpoints.setdefault(group, {})[int(pair.p)] = [upstream, downstream]


def _span(log: Log) -> Span:
    return int(log.start), int(log.leo)
