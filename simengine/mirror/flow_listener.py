"""The reports of a flow while it works: the port by which facts, view and verdict hear of it."""

from mypy_extensions import i64

from simengine.mirror.checkpoint_store import Checkpoint


class FlowListener:
    """Partitions are indices in the run. The base class listens to nothing."""

    __slots__ = ()

    def tasks_changed(self, state: i64, until: i64) -> None:
        """The worker has its tasks, or not (TASKS_*). ``until``: when it gets them back; -1: unknown."""

    def flow_stopped(self) -> None:
        """A clean stop is complete: no part of the flow runs."""

    def topics_changed(self, added: i64, removed: i64, missing: i64) -> i64:
        """The connector has found new, deleted or missing partitions; returns the fact that says so, or 0."""
        return 0

    def started_over(self, partitions: i64) -> None:
        """A task has no stored offset of so many partitions that were copied before."""

    def copied(self, source_p: i64, upstream: i64, p: i64, downstream: i64, count: i64) -> None:
        """The target has acknowledged records upstream .. upstream+count-1 at ``downstream`` and on in ``p``."""

    def skipped(self, source_p: i64, first: i64, end: i64) -> None:
        """The flow goes on at ``end``: the source no longer has the records first .. end-1."""

    def sync_written(self, source_p: i64, upstream: i64, downstream: i64) -> None:
        """The record of an offset sync is acknowledged."""

    def checkpoint_written(self, checkpoint: Checkpoint) -> None:
        """The record of a checkpoint is acknowledged."""

    def group_synced(self, group: str, partitions: list[int], offsets: list[int]) -> None:
        """The coordinator on the target has committed translated offsets for a group."""

    def group_refused(self, group: str, partitions: list[int], offsets: list[int], error: i64) -> None:
        """The coordinator on the target did not commit them, as for a group that has members (MM-7)."""
