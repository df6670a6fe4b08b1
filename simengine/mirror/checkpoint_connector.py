"""The checkpoint connector: looks for groups, and starts the checkpoint task anew when their set has changed (MM-6).

A group is found if it has committed an offset of a copied partition. ``groups`` are all that the filter admits.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE
from simengine.kernel.node import Task
from simengine.mirror.checkpoint_settings import CheckpointSettings
from simengine.mirror.checkpoint_task import CheckpointTask
from simengine.mirror.checkpoint_topic import CheckpointTopic
from simengine.mirror.consumer_leg import ConsumerLeg
from simengine.mirror.group_admin import AdminLeg, GroupCall, GroupListener
from simengine.mirror.mirrored_partitions import MirroredPartitions
from simengine.mirror.sync_topic import SyncTopic

AFTER_AN_INTERVAL: Final = -1


@final
class CheckpointConnector(GroupListener):
    """One life of a connector and of its task."""

    __slots__ = (
        "_due",
        "_found",
        "_groups",
        "_is_stopped",
        "_partitions",
        "_reader",
        "_settings",
        "_source",
        "_syncs",
        "_target",
        "_topic",
        "known",
        "task",
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
        self._groups = groups
        self._partitions = partitions
        self._source = source
        self._target = target
        self._reader = reader
        self._syncs = syncs
        self._topic = topic
        self._due: list[str] = []  # groups of this look that are still to be asked for
        self._found: list[str] = []
        self._is_stopped: bool = False
        self.known: list[str] = []
        self.task: CheckpointTask | None = None

    def start(self) -> None:
        """The process starts."""
        settings = self._settings
        self._arm(settings.first_look_us)
        self.known = list(settings.known)
        self._start_task(settings.first_emit_us, settings.first_sync_us)

    def stop(self) -> None:
        """Another worker, or a later one, takes over."""
        self._is_stopped = True
        if self.task is not None:
            self.task.stop()

    def look(self) -> None:
        """Find the groups that have committed something."""
        if self._is_stopped:
            return
        if self._settings.refresh_interval_us > 0:
            self._arm(self._settings.refresh_interval_us)
        if not self._due:  # else the last look is still under way
            self._due = list(self._groups)
            self._found = []
            self._go_on()

    def _go_on(self) -> None:
        if self._due:
            self._source.admin().list_offsets(self, self._due[0], self._partitions.sources())
        elif self._found != self.known:
            self.known = self._found
            self._start_task(AFTER_AN_INTERVAL, AFTER_AN_INTERVAL)

    def group_call_ended(self, call: GroupCall, error: i64) -> None:
        if self._is_stopped:
            return
        if error != ERR_NONE:
            self._due = []  # the look has failed; the next one begins anew
            return
        if any(offset >= 0 for offset in call.offsets):
            self._found.append(call.group)
        self._due.pop(0)
        self._go_on()

    def _start_task(self, first_emit_us: i64, first_sync_us: i64) -> None:
        if self.task is not None:
            self.task.stop()
            self.task = None
        if self._settings.emit_interval_us > 0 and self.known:
            self.task = CheckpointTask(
                self._settings,
                self.known,
                self._partitions,
                self._source,
                self._target,
                self._reader,
                self._syncs,
                self._topic,
            )
            self.task.start(first_emit_us, first_sync_us)

    def _arm(self, delay_us: i64) -> None:
        self._source.sim.after(delay_us, LookTimer(self, self._source))


@final
class LookTimer(Task):
    """The next look for groups is due."""

    __slots__ = ("connector",)

    def __init__(self, connector: CheckpointConnector, leg: AdminLeg) -> None:
        super().__init__(leg)
        self.connector = connector

    def run(self) -> None:
        self.connector.look()
