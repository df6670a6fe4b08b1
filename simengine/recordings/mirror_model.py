"""A recording of two clusters with MirrorMaker 2 between them, as the files of ``recordings/mm`` hold it.

Times are seconds since the script's time 0; a partition is named ``topic-number``.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from simengine.recordings.model import RecordedAction, Recording
from simengine.scenario.config_keys import IDENTITY_POLICY, MIRROR, SIMULATED

START: Final = "mm_start"
KILL: Final = "mm_kill"
KILL_ALL: Final = "kill_all"  # the nodes of a cluster
VERBS: Final[dict[str, bool]] = {  # what is done to MirrorMaker or to a whole cluster; True: it names a cluster
    START: False,
    KILL: False,
    "mm_stop": False,
    "mm_pause": False,
    "mm_resume": False,
    "mm_cut": True,
    "mm_heal": True,
    KILL_ALL: True,
}
LAG_MAX: Final = "offset.lag.max"


class Sync(NamedTuple):
    """A record of an offset-syncs topic of `cluster`: offset `up` of the source's partition is `down` on the target."""

    t: float
    cluster: str
    partition: str
    up: int
    down: int


class RecordedCheckpoint(NamedTuple):
    """A record of a checkpoints topic of `cluster`: a group's position in the source, and its translation."""

    t: float
    cluster: str
    group: str
    partition: str  # the remote one
    up: int
    down: int


class RecordedOffsets(NamedTuple):
    """The committed offsets of a group in a cluster, by partition, when a poll saw a change."""

    t: float
    cluster: str
    group: str
    offsets: dict[str, int]


class End(NamedTuple):
    """A log's end when a poll saw a change."""

    t: float
    cluster: str
    partition: str
    offset: int


class CopiedPartition(NamedTuple):
    """A remote partition of the cluster `target`, and the one that it is copied from."""

    target: str
    remote: str
    source: str
    partition: str


@dataclass(frozen=True, slots=True)
class MirrorRecording:
    """One run. ``config``: MirrorMaker's properties that are no defaults; ``actions``: those of VERBS."""

    name: str
    title: str
    kafka: str
    mirror_maker: str
    clusters: dict[str, Recording]
    actions: tuple[RecordedAction, ...]
    config: dict[str, str]
    groups: tuple[str, ...]
    syncs: tuple[Sync, ...]
    checkpoints: tuple[RecordedCheckpoint, ...]
    positions: tuple[RecordedOffsets, ...]
    ends: tuple[End, ...]

    def copied(self) -> list[CopiedPartition]:
        """The remote partitions whose logs the recording keeps."""
        return [
            CopiedPartition(target, remote, source, partition)
            for target, cluster in self.clusters.items()
            for remote in cluster.logs
            for source in self.clusters
            if source != target and (partition := self._origin(remote, source)) is not None
        ]

    def _origin(self, remote: str, source: str) -> str | None:
        """The partition of `source` that a partition elsewhere is a copy of, by its name alone."""
        if self.config.get("replication.policy.class") == IDENTITY_POLICY:
            return remote if remote in self.clusters[source].logs else None
        separator = self.config.get("replication.policy.separator", ".")
        prefix = f"{source}{separator}"
        return remote.removeprefix(prefix) if remote.startswith(prefix) else None

    def lag_max(self) -> int:
        """The lag of a sync at which the next one is due."""
        return int(self.config.get(LAG_MAX, SIMULATED[MIRROR][LAG_MAX].default))

    def stopped_at(self) -> float | None:
        """The moment MirrorMaker was last killed, which ends the observation of it; None if it never was."""
        return max((action.start for action in self.actions if action.verb == KILL), default=None)
