"""The source task: copies records to the target, stores its positions, and emits offset syncs (MM-1, MM-4).

A tick of the Connect worker stores the acknowledged positions, then has the task commit: the newest copies get a sync.
The ticks count from the start of the task. The callbacks of copies send the syncs: while the first ``send()`` waits for
metadata (PC-14), the producer of copies does nothing else. A task that is stopped waits for its copies, stores its
positions and commits a last time, each for ``offset.flush.timeout.ms`` at most. Left out: a full ``buffer.memory``,
which stops the reading.
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.kafka.log.log import Batch
from simengine.kernel.node import Task
from simengine.mirror.consumer_leg import ConsumerLeg, PollListener
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.mirrored_partition import NOTHING_ACKNOWLEDGED, CopyListener, MirroredPartition
from simengine.mirror.mirrored_partitions import MirroredPartitions
from simengine.mirror.offset_storage import NONE_STORED, FlushListener, OffsetStorage, StoredPosition
from simengine.mirror.offset_sync import OffsetSync
from simengine.mirror.offset_sync_writer import OffsetSyncWriter
from simengine.mirror.producer_leg import BlockedCaller, ProducerLeg
from simengine.mirror.sync_topic import SyncTopic

NO_FLUSH: Final = -1


@trait
class StopListener:
    """Hears that a task has come to an end."""

    def task_stopped(self, task: "SourceTask") -> None:
        """Its last commit is done, or was given up."""


@final
class SourceTaskSettings:
    """The settings of a source task; times in us."""

    __slots__ = ("emits_syncs", "first_flush_us", "flush_interval_us", "flush_timeout_us", "offset_lag_max")

    def __init__(self) -> None:
        self.emits_syncs: bool = True  # emit.offset-syncs.enabled; without them no position is translated
        self.offset_lag_max: i64 = 100
        self.flush_interval_us: i64 = 60_000_000  # offset.flush.interval.ms
        self.flush_timeout_us: i64 = 5_000_000  # offset.flush.timeout.ms
        self.first_flush_us: i64 = 60_000_000  # after the start of the task


@final
class SourceTask(PollListener, CopyListener, FlushListener, BlockedCaller):
    """One life of a task, from the start of its process (or a rebalance) to the end of it."""

    __slots__ = (
        "_flush_until",
        "_has_ended",
        "_is_blocked",
        "_offsets",
        "_pairs",
        "_partitions",
        "_settings",
        "_source",
        "_stop_listener",
        "_syncs",
        "_target",
        "_waiting",
        "_writer",
        "flow",
        "has_failed",
    )

    def __init__(
        self,
        settings: SourceTaskSettings,
        pairs: MirroredPartitions,
        partitions: list[MirroredPartition],
        source: ConsumerLeg,
        target: ProducerLeg,
        syncs: SyncTopic,
        offsets: OffsetStorage,
    ) -> None:
        self._settings = settings
        self._pairs = pairs
        self._partitions: dict[int, MirroredPartition] = {int(one.source_p): one for one in partitions}
        self._source = source
        self._target = target
        self._syncs = syncs
        self._offsets = offsets
        self._writer: OffsetSyncWriter = OffsetSyncWriter(settings.offset_lag_max)
        self._flush_until: i64 = NO_FLUSH  # a flush of records below this number is under way
        self._stop_listener: StopListener | None = None  # it is stopping
        self._has_ended: bool = False  # its copies are awaited no longer
        self._is_blocked: bool = False  # the copies' callbacks wait for the first send() of a sync
        self._waiting: list[OffsetSync] = []  # copies whose callbacks wait
        self.flow: FlowListener = FlowListener()
        self.has_failed: bool = False  # a copy could not be written; Connect does not start such a task again

    def start(self) -> None:
        """Go on after the stored positions, or begin at the start of a partition that has none."""
        self._source.assign(list(self._partitions))
        self._source.start(self)
        again: i64 = 0  # partitions that were copied before
        for source_p, partition in self._partitions.items():
            partition.start(self)
            stored = self._offsets.position(partition.index)
            if stored != NONE_STORED:
                self._source.seek(source_p, stored + 1)
            elif partition.copied.made > 0 or partition.copied.before is not None:
                again += 1
        if again > 0:
            self.flow.started_over(again)
        self._arm(self._settings.first_flush_us)

    # -- stopping

    def stop(self, listener: StopListener) -> None:
        """Copy nothing more; the copies under way are awaited, then a last commit follows."""
        self._stop_listener = listener
        self._source.stop_reading()
        if self._is_idle():
            self.end()
        else:
            self._target.sim.after(self._settings.flush_timeout_us, StopTimer(self, self._target))

    def _is_idle(self) -> bool:
        return self.has_failed or all(partition.under_way == 0 for partition in self._partitions.values())

    def end(self) -> None:
        """Give up the copies that are still under way, and commit a last time."""
        if not self._has_ended:
            self._has_ended = True
            self._target.force_close()
            self._store_positions()

    # -- copying

    def records_polled(self, p: i64, batch: Batch, offset: i64) -> None:
        if self._stop_listener is not None:
            return
        partition = self._partitions.get(p)
        if partition is None:
            partition = self._take_over(p)
        if partition is None:
            return
        self._target.send(partition, partition.take(batch, offset, self.now()), batch.end - offset)

    def now(self) -> i64:
        return self._target.sim.now

    def _take_over(self, p: i64) -> MirroredPartition | None:
        """A source topic was deleted and created again: its copies go on in the same remote partition."""
        topic, number = self._source.name_of(p)
        for old, partition in self._partitions.items():
            if self._source.name_of(old) == (topic, number):
                del self._partitions[old]
                self._partitions[p] = partition
                return self._pairs.add(topic, number, p, partition.p)
        return None

    def record_copied(self, source_p: i64, upstream: i64, downstream: i64) -> None:
        if self._is_blocked:
            self._waiting.append(OffsetSync(source_p, upstream, downstream))
        elif self._settings.emits_syncs:
            self._writer.record_copied(source_p, upstream, downstream)
            if self._syncs.send_due(self._writer) and self._syncs.producer.blocks(self._syncs.p, self):
                self._is_blocked = True
                self._target.hold()
        if self._stop_listener is not None and self._is_idle():
            self.end()

    def metadata_known(self) -> None:
        if self._has_ended:
            return
        self._is_blocked = False
        waiting, self._waiting = self._waiting, []
        for copy in waiting:
            self.record_copied(copy.p, copy.upstream, copy.downstream)
        if not self._is_blocked:
            self._target.let_go()

    def copy_failed(self, error: i64) -> None:
        self.has_failed = True
        self._source.stop_reading()

    # -- the worker's tick

    def commit_offsets(self) -> None:
        """Store what was acknowledged since the last tick, then commit; without news commit at once."""
        if not self.has_failed and self._stop_listener is None:
            self._store_positions()

    def _store_positions(self) -> None:
        positions = [
            StoredPosition(partition.index, partition.acknowledged)
            for partition in self._partitions.values()
            if partition.acknowledged not in (NOTHING_ACKNOWLEDGED, self._offsets.position(partition.index))
        ]
        if not positions:
            self._commit()
            return
        self._flush_until = self._offsets.write(positions, self)
        self._target.sim.after(self._settings.flush_timeout_us, FlushTimeout(self, self._target, self._flush_until))

    def offsets_stored(self, until: i64) -> None:
        if self._flush_until != NO_FLUSH and until >= self._flush_until:
            self._flush_until = NO_FLUSH
            self._commit()

    def flush_timed_out(self, until: i64) -> None:
        """The worker gives the flush up: nothing is committed, and the next tick stores the newest positions."""
        if self._flush_until == until:
            self._flush_until = NO_FLUSH
            self._arm_or_stop()

    def _commit(self) -> None:
        self._writer.promote_delayed()
        self._syncs.send_due(self._writer)
        self._arm_or_stop()

    def _arm_or_stop(self) -> None:
        if self._stop_listener is None:
            self._arm(self._settings.flush_interval_us)
        elif self._has_ended:
            self._stop_listener.task_stopped(self)

    def _arm(self, delay_us: i64) -> None:
        self._target.sim.after(delay_us, SourceTaskTick(self, self._target))


@final
class SourceTaskTick(Task):
    """The worker's next tick is due."""

    __slots__ = ("task",)

    def __init__(self, task: SourceTask, leg: ProducerLeg) -> None:
        super().__init__(leg)
        self.task = task

    def run(self) -> None:
        self.task.commit_offsets()


@final
class FlushTimeout(Task):
    """A flush of positions has taken too long."""

    __slots__ = ("task", "until")

    def __init__(self, task: SourceTask, leg: ProducerLeg, until: i64) -> None:
        super().__init__(leg)
        self.task = task
        self.until: i64 = until

    def run(self) -> None:
        self.task.flush_timed_out(self.until)


@final
class StopTimer(Task):
    """A task that stops has waited long enough for its copies."""

    __slots__ = ("task",)

    def __init__(self, task: SourceTask, leg: ProducerLeg) -> None:
        super().__init__(leg)
        self.task = task

    def run(self) -> None:
        self.task.end()
