"""The checkpoint task: translates the positions of its groups and writes checkpoints (MM-5, MM-6, MM-8).

Between two rounds it sleeps for the interval, so that the period is the interval and the work. A round asks for the
offsets of one group after the other, then writes all checkpoints. A group whose offsets cannot be had is left out.
Partitions are known by name: what is deleted and created again takes the place of what was there. New ones are
translated from the next round on. The schedule of group offsets begins once the offset syncs are read, and so keeps a
little behind the rounds.
"""

from typing import final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE
from simengine.kafka.log.log import BEFORE_RUN, Batch
from simengine.kernel.node import Task
from simengine.mirror.checkpoint_settings import CheckpointSettings
from simengine.mirror.checkpoint_store import Checkpoint, CheckpointStore
from simengine.mirror.checkpoint_topic import CheckpointTopic
from simengine.mirror.consumer_leg import ConsumerLeg, PollListener
from simengine.mirror.group_admin import AdminLeg, GroupCall, GroupListener
from simengine.mirror.group_offset_sync import GroupOffsetSync
from simengine.mirror.mirrored_partitions import MirroredPartitions
from simengine.mirror.offset_sync import OffsetSync
from simengine.mirror.offset_sync_store import OffsetSyncStore
from simengine.mirror.sync_topic import SyncTopic


@final
class CheckpointTask(PollListener, GroupListener):
    """One life of a task, for a fixed set of groups."""

    __slots__ = (
        "_admin",
        "_due",
        "_is_stopped",
        "_new",
        "_partitions",
        "_reader",
        "_settings",
        "_sync",
        "_syncs",
        "_topic",
        "_translation",
        "groups",
        "store",
    )

    def __init__(
        self,
        settings: CheckpointSettings,
        groups: list[str],
        partitions: MirroredPartitions,
        source: AdminLeg,
        target: AdminLeg,
        reader: ConsumerLeg,
        syncs: SyncTopic,
        topic: CheckpointTopic,
    ) -> None:
        self._settings = settings
        self.groups = groups
        self._partitions = partitions
        self._admin = source
        self._reader = reader
        self._syncs = syncs
        self._topic = topic
        self.store: CheckpointStore = topic.load(groups)
        topic.latencies = {}
        self._translation: OffsetSyncStore = OffsetSyncStore(True)
        self._sync: GroupOffsetSync = GroupOffsetSync(settings.sync_interval_us, self.store, target, topic.flow)
        self._due: list[str] = []  # groups of this round that are still to be asked for
        self._new: list[Checkpoint] = []  # checkpoints of this round
        self._is_stopped: bool = False

    def start(self, first_emit_us: i64, first_sync_us: i64) -> None:
        """Read the offset syncs. The first rounds come after these times; -1: after an interval."""
        if first_sync_us >= 0:
            self._sync.first_at = self._admin.sim.now + first_sync_us
        for sync in self._syncs.before:
            self._read(sync)
        if self._syncs.before and not self._syncs.contents:
            self.end_reached(self._syncs.p)  # nothing was written since
        self._reader.start(self)
        self._arm(self._settings.emit_interval_us if first_emit_us < 0 else first_emit_us)

    def stop(self) -> None:
        """Another task takes over."""
        self._is_stopped = True
        self._sync.stop()
        self._reader.stop_reading()

    # -- offset syncs

    def records_polled(self, p: i64, batch: Batch, offset: i64) -> None:
        if batch.client == BEFORE_RUN:
            return  # `SyncTopic.before` says as much of them as is known
        first = batch.n + (offset - batch.base)
        for n in range(first, batch.n + batch.count):
            self._read(self._syncs.contents[n])

    def _read(self, sync: OffsetSync) -> None:
        pair = self._partitions.of_source(sync.p)
        if pair is not None:
            self._translation.handle_record(OffsetSync(pair.index, sync.upstream, sync.downstream))

    def end_reached(self, p: i64) -> None:
        self._translation.read_to_end()
        self._sync.start()

    # -- a round

    def begin_round(self) -> None:
        """Ask for the offsets of the first group."""
        if not self._is_stopped:
            self._due = list(self.groups)
            self._new = []
            self._go_on()

    def _go_on(self) -> None:
        if self._due:
            self._admin.admin().list_offsets(self, self._due.pop(0), self._partitions.sources())
            return
        for checkpoint in self._new:
            self._topic.emit(checkpoint)
        self._arm(self._settings.emit_interval_us)

    def group_call_ended(self, call: GroupCall, error: i64) -> None:
        if self._is_stopped:
            return
        if error == ERR_NONE:
            for k in range(len(call.partitions)):
                self._translate(call, call.partitions[k], call.offsets[k])
        self._go_on()

    def _translate(self, call: GroupCall, source_p: i64, upstream: i64) -> None:
        """Make a checkpoint of a committed offset, if it can be translated and tells something new."""
        pair = self._partitions.of_source(source_p)
        if upstream < 0 or pair is None or pair.source_p != source_p:
            return
        downstream = self._translation.translate_downstream(pair.index, upstream)
        if downstream < 0:
            return
        checkpoint = Checkpoint(call.group, pair.p, upstream, downstream, call.started)
        if self.store.is_news(checkpoint):
            self.store.update(checkpoint)
            self._new.append(checkpoint)

    def _arm(self, delay_us: i64) -> None:
        self._admin.sim.after(delay_us, RoundTimer(self, self._admin))


@final
class RoundTimer(Task):
    """The next round of checkpoints is due."""

    __slots__ = ("task",)

    def __init__(self, task: CheckpointTask, leg: AdminLeg) -> None:
        super().__init__(leg)
        self.task = task

    def run(self) -> None:
        self.task.begin_round()
