"""Translates a source offset into an offset of the remote partition, by the syncs it has read (MM-5, MM-8).

Left out: the topic it reads. A reader hands in each record of the offset-syncs topic, in order.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.mirror.offset_sync import OffsetSync
from simengine.mirror.sync_array import distinct, filled_with, nearest, updated

TOO_OLD: Final = -1  # the offset is older than every sync that is kept
NO_SYNC: Final = -2  # no sync of this partition was read, or the topic was not read to its end yet


@final
class OffsetSyncStore:
    """The syncs of all partitions of one flow, as a checkpoint task keeps them."""

    __slots__ = ("_is_read_to_end", "_keeps_newest_only", "_syncs")

    def __init__(self, has_checkpoints: bool) -> None:
        """``has_checkpoints``: earlier checkpoints could be read, so old syncs cannot move a group back (MM-8)."""
        self._syncs: dict[int, list[OffsetSync]] = {}
        self._keeps_newest_only: bool = not has_checkpoints
        self._is_read_to_end: bool = False

    def read_to_end(self) -> None:
        """The topic was read to the end that it had at the start: translation begins."""
        self._is_read_to_end = True

    def handle_record(self, sync: OffsetSync) -> None:
        """Take in the next record of the topic."""
        old = self._syncs.get(sync.p)
        if old is None or (self._keeps_newest_only and not self._is_read_to_end):
            self._syncs[sync.p] = filled_with(sync)
        else:
            self._syncs[sync.p] = updated(old, sync)

    def translate_downstream(self, p: i64, upstream: i64) -> i64:
        """The remote offset for a position in source partition ``p``; TOO_OLD or NO_SYNC where there is none.

        It is never beyond the true position: after the sync itself, only one record is certain to follow.
        """
        syncs = self._syncs.get(p)
        if syncs is None or not self._is_read_to_end:
            return NO_SYNC
        sync = nearest(syncs, upstream)
        if sync.upstream > upstream:
            return TOO_OLD
        return sync.downstream if sync.upstream == upstream else sync.downstream + 1

    def kept(self, p: i64) -> list[OffsetSync]:
        """The syncs that are kept of a partition, the newest first."""
        syncs = self._syncs.get(p)
        return [] if syncs is None else distinct(syncs)
