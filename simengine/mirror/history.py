"""The copies and offset syncs of a flow that ran before the run.

The records that a remote partition holds then are copies of the source's: at the same offsets, where the source's log
reaches as far, else so that both logs end with the same record. The newest copy has an offset sync, as after a tick of
the worker, and older ones are kept at distances that double.
"""

from simengine.kafka.log.log import BEFORE_RUN
from simengine.mirror.copies import CopiedRun
from simengine.mirror.offset_sync import OffsetSync

Span = tuple[int, int]  # from, to (exclusive)


def copies_before(source: Span, remote: Span) -> CopiedRun | None:
    """The copies that a remote log holds at t=0; None if it holds none. The logs are given by their offsets."""
    start, end = remote
    shift = 0 if source[0] < end <= source[1] else source[1] - end
    first = max(start, -shift)
    return CopiedRun(first, first + shift, BEFORE_RUN, first + shift, end - first) if first < end else None


def syncs_before(run: CopiedRun, p: int, offset_lag_max: int) -> list[OffsetSync]:
    """The offset syncs that are kept of these copies of source partition ``p``, in their order."""
    first, shift = int(run.upstream), int(run.n - run.upstream)
    offsets = synced_offsets(first, first + int(run.count) - 1, offset_lag_max)
    return [OffsetSync(p, upstream, upstream + shift) for upstream in offsets]


def synced_offsets(first: int, newest: int, offset_lag_max: int) -> list[int]:
    """The copied offsets from ``first`` to ``newest`` of which a flow keeps a sync, ascending (MM-4, MM-5)."""
    step = distance = offset_lag_max + 1
    found = [newest]
    while newest - distance > first:
        found.append(first + (newest - distance - first) // step * step)
        distance *= 2
    return sorted({first, *found})
