"""The parts of one run of two clusters that rules 8 to 11 compare; small enough to be sent between processes."""

from dataclasses import dataclass
from typing import NamedTuple

from simengine.recordings.mirror_model import START, CopiedPartition, MirrorRecording, RecordedCheckpoint, Sync
from simengine.recordings.model import OK
from tests.conformance.summary import Summary, summarise

FAULTS = ("kill", "stop", "start", "pause", "cut", "heal", "delete", "create")
Place = tuple[str, str]  # cluster, partition
Reader = tuple[str, str, str]  # cluster, group or client, partition


class Remote(NamedTuple):
    """A remote log against its source: records by value.

    ``missing``: acknowledged at the source, absent here. ``backwards``: new here, and older than one before it.
    """

    kept: int
    doubled: int
    missing: int
    backwards: int


class Spaced(NamedTuple):
    """The syncs of a partition that offset.lag.max asks for: the first, and each a full step after the last."""

    pairs: tuple[tuple[int, int], ...]
    times: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MirrorSummary:
    """One run as the rules see it. ``wrong``: checkpoints that no sync of the run leads to (MM-5)."""

    clusters: dict[str, Summary]  # rules 1 to 7
    remote: dict[Place, Remote]  # rule 8, by remote partition
    syncs: int  # rule 9, as the following
    spaced: dict[Place, Spaced]  # by partition of the source
    wrong: tuple[RecordedCheckpoint, ...]
    positions: dict[Reader, int]  # rule 10: the last committed one of each group in remote partitions
    continued: dict[Reader, int]  # rule 10: the first offset that each consumer read
    standstill: dict[Place, float]  # rule 11, by remote partition


def summarise_mirror(recording: MirrorRecording) -> MirrorSummary:
    """The parts of a recording that the rules compare."""
    copied = recording.copied()
    return MirrorSummary(
        clusters={name: summarise(cluster, cluster.end()) for name, cluster in recording.clusters.items()},
        remote={(one.target, one.remote): _remote(recording, one) for one in copied},
        syncs=len(recording.syncs),
        spaced=_spaced(recording),
        wrong=tuple(one for one in recording.checkpoints if not _is_right(one, copied, recording.syncs)),
        positions=_positions(recording, copied),
        continued=_continued(recording),
        standstill={(one.target, one.remote): _standstill(recording, one) for one in copied},
    )


def is_disturbed(recording: MirrorRecording) -> bool:
    """True if anything but a start was done to MirrorMaker or its clusters before its end: syncs are luck then."""
    stopped = recording.stopped_at()
    end = float("inf") if stopped is None else stopped
    own = [action for action in recording.actions if action.verb != START]
    theirs = [action for cluster in recording.clusters.values() for action in cluster.actions if action.verb in FAULTS]
    return any(action.start < end for action in (*own, *theirs))


def _remote(recording: MirrorRecording, one: CopiedPartition) -> Remote:
    source = recording.clusters[one.source]
    here = [record.value for record in recording.clusters[one.target].logs[one.remote].records]
    there = source.logs[one.partition].records if one.partition in source.logs else ()
    rank = {record.value: place for place, record in enumerate(there)}
    acked = {call.value for call in source.produce if call.partition == one.partition and call.outcome == OK}
    seen: set[str] = set()
    newest, backwards = -1, 0
    for value in here:
        if value in rank and value not in seen:
            backwards += rank[value] < newest
            newest = max(newest, rank[value])
        seen.add(value)
    return Remote(len(seen), len(here) - len(seen), len(acked - seen), backwards)


def _spaced(recording: MirrorRecording) -> dict[Place, Spaced]:
    lag = recording.lag_max()
    found: dict[Place, list[Sync]] = {}
    for sync in recording.syncs:
        rows = found.setdefault((sync.cluster, sync.partition), [])
        if not rows or sync.up - rows[-1].up > lag:
            rows.append(sync)
    return {
        place: Spaced(tuple((sync.up, sync.down) for sync in rows), tuple(sync.t for sync in rows))
        for place, rows in found.items()
    }


def _is_right(checkpoint: RecordedCheckpoint, copied: list[CopiedPartition], syncs: tuple[Sync, ...]) -> bool:
    """MM-5: a position at a sync is the sync's, one behind it is the next offset."""
    origins = {
        one.partition for one in copied if (one.target, one.remote) == (checkpoint.cluster, checkpoint.partition)
    }
    return any(
        sync.down == checkpoint.down if sync.up == checkpoint.up else sync.down + 1 == checkpoint.down
        for sync in syncs
        if sync.partition in origins and sync.up <= checkpoint.up
    )


def _positions(recording: MirrorRecording, copied: list[CopiedPartition]) -> dict[Reader, int]:
    remote = {(one.target, one.remote) for one in copied}
    return {
        (position.cluster, position.group, partition): offset
        for position in recording.positions
        for partition, offset in position.offsets.items()
        if (position.cluster, partition) in remote
    }


def _continued(recording: MirrorRecording) -> dict[Reader, int]:
    found: dict[Reader, int] = {}
    for name, cluster in recording.clusters.items():
        for read in cluster.reads:
            found.setdefault((name, read.client, read.partition), read.offset)
    return found


def _standstill(recording: MirrorRecording, one: CopiedPartition) -> float:
    """The longest time in which the remote log did not grow although the source had more, up to MirrorMaker's end."""
    remote, source = (one.target, one.remote), (one.source, one.partition)
    ends = {remote: 0, source: 0}
    longest, since = 0.0, None
    rows = sorted(end for end in recording.ends if (end.cluster, end.partition) in ends)
    for end in rows:
        place = (end.cluster, end.partition)
        if end.t >= 0 and place == remote and end.offset > ends[remote] and since is not None:
            longest, since = max(longest, end.t - since), end.t
        ends[place] = end.offset
        if end.t >= 0:
            is_behind = ends[source] > ends[remote]
            since = (end.t if since is None else since) if is_behind else None
    stopped = recording.stopped_at()
    last = stopped if stopped is not None else max((end.t for end in recording.ends), default=0.0)
    return longest if since is None else max(longest, last - since)
