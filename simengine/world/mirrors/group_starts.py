"""The offset from which a group starts in a cluster: its committed offset there, else auto.offset.reset (CON-5).

Nobody starts at a checkpoint, unless the application asks for it (``RemoteClusterUtils``) or MirrorMaker commits it.
"""

from typing import TYPE_CHECKING, Final

from simengine.kafka.replica.replica import Partition
from simengine.kafka.wire.api import BY_TIME, EARLIEST, LATEST, NO_RESET
from simengine.verdict.commits import OFFSETS_TOPIC
from simengine.world.mirrors.counted import counted_copy

if TYPE_CHECKING:
    from simengine.clients.consumer.consumer import Consumer
    from simengine.world.cluster_parts import ClusterParts

NONE: Final = -1  # no offset
RESET_NAMES: Final = {EARLIEST: "earliest", LATEST: "latest", BY_TIME: "by_duration", NO_RESET: "none"}


def newest_commits(parts: "ClusterParts") -> dict[tuple[str, int], int]:
    """The newest committed offset of each group and partition."""
    found: dict[tuple[str, int], int] = {}
    records = parts.cluster.commits
    if records is None:
        return found
    offsets_p = int(parts.cluster.topics[parts.topic_index[OFFSETS_TOPIC]].partitions[0])
    copy = counted_copy(parts.cluster, offsets_p)
    if copy is None:
        return found
    for batch in copy.log.batches:
        request = records.requests[int(batch.n)] if batch.client == NONE and batch.end <= copy.hw else None
        if request is not None:
            for p, offset in zip(request.partitions, request.offsets, strict=True):
                found[request.group, p] = offset
    return {place: offset for place, offset in found.items() if offset >= 0}  # others have expired


def read_positions(parts: "ClusterParts") -> dict[tuple[str, int], int]:
    """The offset from which each open member of a group reads next, by group and partition."""
    members = [one for one in parts.consumers if one.up and one.settings.group]
    return {
        (one.settings.group, int(position.p)): int(position.offset)
        for one in members
        for position in one.reader().assignment.positions
        if position.offset != NONE
    }


def read_ends(parts: "ClusterParts") -> dict[tuple[str, int], int]:
    """The offset up to which members of each group have read each partition, as facts have stated it."""
    found: dict[tuple[str, int], int] = {}
    for one in parts.consumers:
        for p, position in one.positions_stated().items() if one.settings.group else ():
            place = one.settings.group, p
            found[place] = max(position, found.get(place, NONE))
    return found


def member_of(group: str, clusters: "list[ClusterParts]") -> "Consumer | None":
    """A consumer of a group, of the first cluster that has one."""
    return next((one for parts in clusters for one in parts.consumers if one.settings.group == group), None)


def reset_offset(member: "Consumer | None", copy: Partition | None) -> int:
    """The offset at which auto.offset.reset starts a reader of a log; NONE where it has none to give."""
    reset = LATEST if member is None else int(member.settings.reset)
    if copy is None or reset == NO_RESET:
        return NONE
    if reset == EARLIEST:
        return int(copy.log.start)
    if member is not None and reset == BY_TIME:
        since = member.sim.now - member.settings.reset_back_us
        found = int(copy.log.offset_at(since, copy.hw))
        return found if found >= 0 else int(copy.hw)
    return int(copy.hw)


def reset_name(member: "Consumer | None") -> str:
    """The value of auto.offset.reset."""
    return RESET_NAMES[LATEST if member is None else int(member.settings.reset)]
