"""Commits translated positions on the target, for groups that have no members there (MM-7).

Each interval it looks up where the groups stand on the target, then commits what lies ahead of that. No look decides
whether a group is live: the coordinator refuses the commit.
"""

from typing import final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NONE
from simengine.kernel.node import Task
from simengine.mirror.checkpoint_store import CheckpointStore
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.group_admin import AdminLeg, GroupCall, GroupListener
from simengine.mirror.group_offsets import offsets_to_sync


@final
class GroupOffsetSync(GroupListener):
    """The schedule of ``sync.group.offsets`` in one life of a checkpoint task."""

    __slots__ = ("_admin", "_due", "_flow", "_interval_us", "_is_started", "_is_stopped", "_store", "first_at")

    def __init__(self, interval_us: i64, store: CheckpointStore, admin: AdminLeg, flow: FlowListener) -> None:
        self._interval_us: i64 = interval_us  # sync.group.offsets.interval.seconds; -1: never
        self._store = store
        self._admin = admin
        self._flow = flow
        self._due: list[str] = []  # groups of this round that are still to be synced
        self.first_at: i64 = -1  # a moment of the schedule; -1: one interval after the start
        self._is_started: bool = False
        self._is_stopped: bool = False

    def start(self) -> None:
        """Begin the schedule; without an interval there is none. May be called again."""
        if self._interval_us > 0 and not self._is_started:
            self._is_started = True
            self._arm(self._until_first())

    def _until_first(self) -> i64:
        """Time until the first round, which the pinned schedule has (us)."""
        if self.first_at < 0:
            return self._interval_us
        wait = self.first_at - self._admin.sim.now
        return wait if wait >= 0 else wait % self._interval_us

    def stop(self) -> None:
        """Another task takes over."""
        self._is_stopped = True

    def begin_round(self) -> None:
        """Ask where the first group stands on the target."""
        if self._is_stopped:
            return
        self._arm(self._interval_us)
        if not self._due:  # else the last round is still under way
            self._due = self._store.groups()
            self._go_on()

    def _go_on(self) -> None:
        if self._due:
            group = self._due[0]
            self._admin.admin().list_offsets(self, group, list(self._store.translated(group)))

    def group_call_ended(self, call: GroupCall, error: i64) -> None:
        if self._is_stopped:
            return
        if call.is_alter:
            self._report(call, error)
        elif error == ERR_NONE and self._commit(call):
            return
        self._due.pop(0)
        self._go_on()

    def _report(self, call: GroupCall, error: i64) -> None:
        if error == ERR_NONE:
            self._flow.group_synced(call.group, call.partitions, call.offsets)
        else:
            self._flow.group_refused(call.group, call.partitions, call.offsets, error)

    def _commit(self, found: GroupCall) -> bool:
        """Commit what is ahead of the group's positions; false if nothing is."""
        committed: dict[int, int] = {}
        for k in range(len(found.partitions)):
            if found.offsets[k] >= 0:
                committed[found.partitions[k]] = found.offsets[k]
        ahead = offsets_to_sync(self._store.translated(found.group), committed)
        if ahead:
            self._admin.admin().alter_offsets(self, found.group, ahead)
        return len(ahead) > 0

    def _arm(self, delay_us: i64) -> None:
        self._admin.sim.after(delay_us, SyncTimer(self, self._admin))


@final
class SyncTimer(Task):
    """The next round of group offsets is due."""

    __slots__ = ("sync",)

    def __init__(self, sync: GroupOffsetSync, leg: AdminLeg) -> None:
        super().__init__(leg)
        self.sync = sync

    def run(self) -> None:
        self.sync.begin_round()
