"""The work of a MirrorMaker flow so far, kept for view and verdict, and stated as facts."""

from typing import final

from mypy_extensions import i64

from simengine.facts.decisive import (
    CheckpointWritten,
    GroupOffsetSynced,
    MirrorSkipped,
    MirrorStartedOver,
    MirrorTasksChanged,
    MirrorTopicsChanged,
)
from simengine.facts.errors import ERR_NONE
from simengine.facts.kinds import (
    TASKS_NAMES,
    TASKS_NONE,
    TASKS_RUNNING,
)
from simengine.facts.traffic import offset_synced, records_copied
from simengine.kernel.sim import Sim
from simengine.mirror.checkpoint_store import Checkpoint
from simengine.mirror.flow_listener import FlowListener

Json = dict[str, object]


@final
class CopiedSoFar:
    """One source partition: the newest acknowledged copy, copies made in all, and records passed over."""

    __slots__ = ("at", "count", "downstream", "skipped", "syncs", "upstream")

    def __init__(self) -> None:
        self.upstream: i64 = -1  # source offset of the newest copy, and its offset in the remote partition
        self.downstream: i64 = -1
        self.count: i64 = 0  # copies
        self.at: i64 = -1  # when the newest was acknowledged
        self.skipped: i64 = 0
        self.syncs: i64 = 0  # offset syncs written


class ProcessListener:
    """Is told when a flow of a process has stopped. The base class does nothing."""

    def flow_stopped(self) -> None:
        """A flow has stopped cleanly."""


@final
class FlowBook(FlowListener):
    """One flow, by its place in the document; ``remote``: remote partition by source partition."""

    __slots__ = (
        "_refused",
        "_sim",
        "accepted",
        "checkpoints",
        "index",
        "partitions",
        "process",
        "remote",
        "started_over_at",
        "started_over_partitions",
        "synced",
        "tasks",
        "tasks_until",
    )

    def __init__(self, sim: Sim, index: i64, remote: dict[int, int]) -> None:
        self._sim = sim
        self.index: i64 = index
        self.remote = remote
        self.process: ProcessListener = ProcessListener()
        self.tasks: i64 = TASKS_NONE
        self.tasks_until: i64 = -1
        self.partitions: dict[int, CopiedSoFar] = {p: CopiedSoFar() for p in remote}
        self.checkpoints: dict[
            str, dict[int, list[int]]
        ] = {}  # group -> remote p -> [upstream, downstream], the newest
        self.synced: dict[str, dict[int, list[int]]] = {}  # group -> remote p -> [offset, error of the newest try]
        self.accepted: dict[str, dict[int, int]] = {}  # group -> remote p -> the newest offset committed on the target
        self.started_over_at: i64 = -1  # the newest start that found no stored offsets of partitions copied before
        self.started_over_partitions: i64 = 0
        self._refused: dict[str, int] = {}  # groups refused since they were synced last, with the error

    def begin(self) -> None:
        """The flow's worker has its tasks at t=0."""
        self.tasks = TASKS_RUNNING

    def tasks_changed(self, state: i64, until: i64) -> None:
        if state != self.tasks or until != self.tasks_until:
            self.tasks = state
            self.tasks_until = until
            self._sim.trace.state(MirrorTasksChanged(0, flow=self.index, state=state, until=until))

    def flow_stopped(self) -> None:
        self.process.flow_stopped()

    def topics_changed(self, added: i64, removed: i64, missing: i64) -> i64:
        return self._sim.trace.state(
            MirrorTopicsChanged(0, flow=self.index, added=added, removed=removed, missing=missing)
        )

    def started_over(self, partitions: i64) -> None:
        self.started_over_partitions = partitions + (
            self.started_over_partitions if self.started_over_at == self._sim.now else 0
        )
        self.started_over_at = self._sim.now
        self._sim.trace.state(MirrorStartedOver(0, flow=self.index, partitions=partitions))

    def of(self, source_p: i64) -> CopiedSoFar:
        """The entry of a source partition, which may be new."""
        found = self.partitions.get(source_p)
        if found is None:
            found = CopiedSoFar()
            self.partitions[source_p] = found
        return found

    def copied(self, source_p: i64, upstream: i64, p: i64, downstream: i64, count: i64) -> None:
        partition = self.of(source_p)
        self.remote[source_p] = p
        partition.upstream = upstream + count - 1
        partition.downstream = downstream + count - 1
        partition.count += count
        partition.at = self._sim.now
        records_copied(
            self._sim.trace,
            flow=self.index,
            p=source_p,
            upstream=upstream,
            remote=p,
            downstream=downstream,
            count=count,
        )

    def skipped(self, source_p: i64, first: i64, end: i64) -> None:
        self.of(source_p).skipped += end - first
        self._sim.trace.state(MirrorSkipped(0, flow=self.index, p=source_p, first=first, end=end))

    def sync_written(self, source_p: i64, upstream: i64, downstream: i64) -> None:
        self.of(source_p).syncs += 1
        offset_synced(self._sim.trace, flow=self.index, p=source_p, upstream=upstream, downstream=downstream)

    def checkpoint_written(self, checkpoint: Checkpoint) -> None:
        of_group = self.checkpoints.get(checkpoint.group)
        if of_group is None:
            of_group = {}
            self.checkpoints[checkpoint.group] = of_group
        of_group[checkpoint.p] = [checkpoint.upstream, checkpoint.downstream]
        self._sim.trace.state(
            CheckpointWritten(
                0,
                flow=self.index,
                remote=checkpoint.p,
                upstream=checkpoint.upstream,
                downstream=checkpoint.downstream,
                group=checkpoint.group,
            )
        )

    def group_synced(self, group: str, partitions: list[int], offsets: list[int]) -> None:
        self._refused.pop(group, None)
        of_group = self.accepted.get(group)
        if of_group is None:
            of_group = {}
            self.accepted[group] = of_group
        for k in range(len(partitions)):
            of_group[partitions[k]] = offsets[k]
        self._note_group(group, partitions, offsets, ERR_NONE)

    def group_refused(self, group: str, partitions: list[int], offsets: list[int], error: i64) -> None:
        if self._refused.get(group, ERR_NONE) != error:  # said once until the group is synced again
            self._refused[group] = error
            self._note_group(group, partitions, offsets, error)

    def _note_group(self, group: str, partitions: list[int], offsets: list[int], error: i64) -> None:
        of_group = self.synced.get(group)
        if of_group is None:
            of_group = {}
            self.synced[group] = of_group
        for k in range(len(partitions)):
            p, offset = partitions[k], offsets[k]
            of_group[p] = [offset, error]
            self._sim.trace.state(
                GroupOffsetSynced(0, flow=self.index, remote=p, offset=offset, error=error, group=group)
            )

    def view(self) -> Json:
        """The view of the flow for the screen, by the indices of source and of remote partitions."""
        return {
            "tasks": {"state": TASKS_NAMES[int(self.tasks)], "until": int(self.tasks_until)},
            "partitions": {str(p): _partition_view(found) for p, found in self.partitions.items()},
            "checkpoints": {group: _by_text(of_group) for group, of_group in self.checkpoints.items()},
            "synced": {group: _by_text(of_group) for group, of_group in self.synced.items()},
        }


def _partition_view(found: CopiedSoFar) -> Json:
    return {
        "upstream": int(found.upstream),
        "downstream": int(found.downstream),
        "count": int(found.count),
        "at": int(found.at),
        "skipped": int(found.skipped),
        "syncs": int(found.syncs),
    }


def _by_text(of_group: dict[int, list[int]]) -> Json:
    return {str(p): list(values) for p, values in of_group.items()}
