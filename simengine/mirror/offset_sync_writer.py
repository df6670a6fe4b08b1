"""Decides which copied records get an offset sync, and when it may be sent (MM-4).

At most ten syncs are under way. What is due beyond that waits, one sync a partition: a newer one replaces it, so syncs
are left out while a mirror catches up. A record that is not due is remembered until the task's next commit.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.mirror.offset_sync import OffsetSync

OUTSTANDING_MAX: Final = 10
NONE_YET: Final = -1


@final
class _PartitionState:
    """The newest copy of a partition and its last due sync, in this life of the task."""

    __slots__ = ("last_sync_downstream", "previous_downstream", "previous_upstream")

    def __init__(self) -> None:
        self.previous_upstream: i64 = NONE_YET
        self.previous_downstream: i64 = NONE_YET
        self.last_sync_downstream: i64 = NONE_YET

    def update(self, upstream: i64, downstream: i64, offset_lag_max: i64) -> bool:
        """Note a copied record; True if it is due for a sync.

        Due are the first record, a translation that is ``offset_lag_max`` behind, a record after a gap in the source,
        and one after the remote log went back. A sync translates to the offset after it, so 100 makes a step of 101.
        """
        is_due = (
            self.last_sync_downstream == NONE_YET
            or downstream - (self.last_sync_downstream + 1) >= offset_lag_max
            or upstream - self.previous_upstream != 1
            or downstream < self.previous_downstream
        )
        if is_due:
            self.last_sync_downstream = downstream
        self.previous_upstream = upstream
        self.previous_downstream = downstream
        return is_due


@final
class OffsetSyncWriter:
    """The syncs of one source task. Left out: the producer that sends what ``take_due`` returns."""

    __slots__ = ("_delayed", "_offset_lag_max", "_outstanding", "_pending", "_states")

    def __init__(self, offset_lag_max: i64) -> None:
        self._offset_lag_max: i64 = offset_lag_max
        self._states: dict[int, _PartitionState] = {}
        self._delayed: dict[int, OffsetSync] = {}  # by partition: sent at the next commit
        self._pending: dict[int, OffsetSync] = {}  # by partition: due, waits for one of the ten places
        self._outstanding: i64 = 0

    def record_copied(self, p: i64, upstream: i64, downstream: i64) -> None:
        """The target has acknowledged a record of source partition ``p``."""
        state = self._states.get(p)
        if state is None:
            state = _PartitionState()
            self._states[p] = state
        sync = OffsetSync(p, upstream, downstream)
        if state.update(upstream, downstream, self._offset_lag_max):
            self._delayed.pop(p, None)
            self._pending[p] = sync
        else:
            self._delayed[p] = sync

    def promote_delayed(self) -> None:
        """The task commits: the newest copy of each partition becomes due."""
        self._pending.update(self._delayed)
        self._delayed.clear()

    def take_due(self) -> OffsetSync | None:
        """The next sync to send now; None if none is due or ten are under way."""
        if self._outstanding >= OUTSTANDING_MAX or not self._pending:
            return None
        self._outstanding += 1
        return self._pending.pop(next(iter(self._pending)))

    def done(self) -> None:
        """A sync that was sent has succeeded or failed. A failed one is not sent again."""
        self._outstanding -= 1
