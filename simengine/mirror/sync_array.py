"""The syncs that are kept of one source partition: the newest one, and older ones at growing distances (MM-5).

There are 64 slots, one for each bit of an offset. For neighbours i and j = i + 1 that hold different syncs:

- ``upstream[i] <= upstream[j] + 2**i``: a later slot is not too old, so the array stays dense near the newest sync;
- ``upstream[i] >= upstream[j] + 2**max(i - 2, 0)``: two slots are not too close, so 64 slots reach far back.

An old sync moves to a later slot as long as both rules hold. This is ``OffsetSyncStore.updateSyncArray`` of Kafka.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.mirror.offset_sync import OffsetSync

SLOTS: Final = 64
POWERS: Final = [2**slot for slot in range(SLOTS - 1)]  # compiled, a shift of a literal has 32 bits


def filled_with(sync: OffsetSync) -> list[OffsetSync]:
    """The array that knows one sync only."""
    return [sync] * SLOTS


def updated(old: list[OffsetSync], newest: OffsetSync) -> list[OffsetSync]:
    """The array after one more sync. A sync that goes back upstream makes all older ones invalid."""
    if newest.upstream < old[0].upstream:
        return filled_with(newest)
    syncs = list(old)
    syncs[0] = newest
    replacement = _Replacement(old, newest)
    for slot in range(1, SLOTS):
        replacement.advance(syncs, slot)
        if _is_recent(syncs[slot - 1], syncs[slot], slot - 1):
            break  # the rest of the array is valid as it is
        syncs[slot] = replacement.sync
    return syncs


def nearest(syncs: list[OffsetSync], upstream: i64) -> OffsetSync:
    """The newest sync at or before ``upstream``; the oldest one kept if all are later."""
    for sync in syncs:
        if sync.upstream <= upstream:
            return sync
    return syncs[SLOTS - 1]


def distinct(syncs: list[OffsetSync]) -> list[OffsetSync]:
    """The syncs that the array holds, each once, the newest first."""
    found = [syncs[0]]
    for sync in syncs:
        if sync is not found[-1]:
            found.append(sync)
    return found


@final
class _Replacement:
    """The sync that the next invalid slot takes: the newest of the old syncs that fits there."""

    __slots__ = ("_next", "_old", "sync")

    def __init__(self, old: list[OffsetSync], newest: OffsetSync) -> None:
        self._old = old
        self._next: i64 = 0  # index into the old array of the sync to try next
        self.sync = newest

    def advance(self, syncs: list[OffsetSync], slot: i64) -> None:
        """Choose for a slot. Passes over syncs that fit no later slot either; a sync moves to a later slot only."""
        while True:
            candidate = self._old[self._next]
            is_separated = _is_separated(syncs[slot - 1], candidate, slot - 1)
            is_repeated = self._next + 1 < SLOTS and candidate is self._old[self._next + 1]
            fits = (
                is_separated
                and _is_recent(syncs[slot - 1], candidate, slot - 1)
                and (slot + 1 == SLOTS or _is_separated(candidate, syncs[slot + 1], slot))
            )
            if fits:
                self.sync = candidate
            is_useless = is_repeated or not is_separated
            if fits or is_useless:
                self._next += 1
            if self._next >= slot or not is_useless:
                return


def _is_recent(sync: OffsetSync, later: OffsetSync, slot: i64) -> bool:
    """True if the sync of the slot after ``slot`` is near enough to that of ``slot`` (Kafka's invariant B)."""
    return sync is later or sync.upstream <= later.upstream + POWERS[slot]


def _is_separated(sync: OffsetSync, later: OffsetSync, slot: i64) -> bool:
    """True if the sync of the slot after ``slot`` is far enough from that of ``slot`` (Kafka's invariant C)."""
    return sync is later or sync.upstream >= later.upstream + POWERS[max(slot - 2, 0)]
