"""Runs the script of a recording of two clusters with MirrorMaker, and gives the run back as such a recording."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from simengine.facts.decisive import CheckpointWritten, GroupOffsetSynced, PartitionCreated
from simengine.facts.errors import ERR_NONE
from simengine.facts.kinds import (
    HW_MOVED,
    OFFSET_SYNCED,
)
from simengine.facts.reading import read as fact_of
from simengine.facts.traffic import HwMoved, OffsetCommitted, OffsetSynced
from simengine.kernel.random import Stream
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.recordings.errors import RecordingError
from simengine.recordings.mirror_model import End, MirrorRecording, RecordedCheckpoint, RecordedOffsets, Sync
from simengine.recordings.mirror_reader import read
from simengine.recordings.mirror_script import FIRST_TICK_S, MirrorScript, mirror_script_of
from simengine.recordings.model import RecordedFinalLog, Recording
from simengine.recordings.replay import KEPT_TRAFFIC, ReplayRows
from simengine.recordings.rerun import OFFSETS_FACTOR, OFFSETS_TOPIC, final_log, offsets_topic
from simengine.recordings.script import SETTLE_S
from simengine.scenario import Document, DocumentError, load
from simengine.world.cluster_facts import ClusterFacts
from simengine.world.world import World, build

US: Final = 1_000_000
CALLS_S: Final = 0.5  # calls count up to here after the end of the script; they are all answered when the run ends
POLL_S: Final = 0.3  # the ends of logs are looked at every 0.3 to 0.7 s
TICK_SPREAD_US: Final = 250_000  # the first commit comes 60.1 to 60.6 s after C


def mirror_reruns_of(path: str | Path) -> "MirrorReruns":
    """Runs of the script of a file. Raises RecordingError, naming the file."""
    recording = read(path)
    try:
        return MirrorReruns(recording)
    except RecordingError as error:
        raise error.within(Path(path).name) from None


class MirrorReruns:
    """Runs of one recording's script. Raises RecordingError where it asks for what the engine has not."""

    def __init__(self, recording: MirrorRecording) -> None:
        self.script: MirrorScript = mirror_script_of(recording)
        self._last_call_s = (self.script.until_us - self.script.zero_us) / US - SETTLE_S + CALLS_S
        self.recording = self._without_late_calls(recording)
        try:
            self.document = load(self.script.document)
        except DocumentError as error:
            raise RecordingError("script", f"the engine cannot do it: {error}") from None

    def run(self, seed: int) -> MirrorRecording:
        """One run, in the form of a recording."""
        return self._without_late_calls(_MirrorRun(self.recording, self.script, self._drawn(seed)).recording())

    def _without_late_calls(self, recording: MirrorRecording) -> MirrorRecording:
        """Producers go on after the script, while the laboratory stops the clusters: such calls tell nothing."""
        clusters = {
            name: replace(cluster, produce=tuple(call for call in cluster.produce if call.sent <= self._last_call_s))
            for name, cluster in recording.clusters.items()
        }
        return replace(recording, clusters=clusters)

    def _drawn(self, seed: int) -> Document:
        """The document with what a seed decides: where __consumer_offsets lies, and the moment of the first commit."""
        clusters = {}
        for number, (name, part) in enumerate(self.document.clusters.items()):
            cluster = self.recording.clusters[name]
            factor = int(cluster.config.get("offsets.topic.replication.factor", OFFSETS_FACTOR))
            topic = offsets_topic(list(cluster.brokers), factor, seed + number)
            others = [one for one in part.topics if one.name != OFFSETS_TOPIC]
            clusters[name] = part.model_copy(update={"topics": [*others, topic]})
        late = int(Stream(seed, "mirror", "first commit").between(-TICK_SPREAD_US, TICK_SPREAD_US))
        flush_us = self.script.zero_us + round((self.script.created + FIRST_TICK_S) * US) + late
        mirrors = [
            one.model_copy(update={"phases": one.phases.model_copy(update={"offset_flush_us": flush_us})})
            for one in self.document.mirrors
        ]
        return self.document.model_copy(update={"seed": seed, "clusters": clusters, "mirrors": mirrors})


class _ClusterReplay(ReplayRows):
    """The facts of one cluster; what a copy carries is what the copied record carries."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.copies: dict[int, tuple[ReplayRows, int, MirroredPartition]] = {}  # by remote partition
        self.applications = 0  # clients of the cluster that are no part of MirrorMaker, which come first
        self.own_client: dict[int, int] = {}  # number in this cluster of each of its clients

    def value(self, client: int, p: int, n: int) -> str:
        found = self.copies.get(p)
        if found is None or client < self.applications:
            return super().value(client, p, n)
        source, source_p, mirrored = found
        run = mirrored.copied.run_of(n)
        origin = source.own_client[int(run.origin)] if isinstance(source, _ClusterReplay) else int(run.origin)
        return source.value(origin, source_p, int(run.origin_n) + n - int(run.n))


class _MirrorRun:
    """One run, fold by fold."""

    def __init__(self, recording: MirrorRecording, script: MirrorScript, document: Document) -> None:
        self.given = recording
        self.script = script
        self.world: World = build(document)
        self.world.trace.keep_kinds([*KEPT_TRAFFIC, HW_MOVED, OFFSET_SYNCED])
        self.facts = ClusterFacts(self.world)
        self.names = [run.site.name for run in self.world.cluster_runs]
        self.replays: list[_ClusterReplay] = []
        self.syncs: list[Sync] = []
        self.checkpoints: list[RecordedCheckpoint] = []
        self.positions: list[RecordedOffsets] = []
        self.stands: dict[tuple[str, str], dict[str, int]] = {}
        self.ends: dict[tuple[int, int], tuple[float, int]] = {}
        self.end_rows: list[End] = []
        self.seen = [self._seen(cluster) for cluster in recording.clusters.values()]
        self._begin()

    def _begin(self) -> None:
        world, view, names = self.world, self.world.snapshot(), self.world.names()
        for place, (name, cluster) in enumerate(self.given.clusters.items()):
            own: dict[str, Any] = self.facts.names(names, place)
            ids = [client["id"] for client in own["clients"]]
            values = self.script.clusters[name].values
            replay = _ClusterReplay(self.script.zero_us, ids, cluster.brokers, cluster.controllers, values)
            document = self.script.clusters[name].document
            replay.applications = len(document["producers"]) + len(document["consumers"])
            replay.begin(self.facts.view(view, place), own)
            self.replays.append(replay)
        counts = [0] * len(self.replays)
        for number, client in enumerate(world.net.clients):
            place = int(client.site.index)
            self.replays[place].own_client[number] = counts[place]
            counts[place] += 1
        self._link()

    def _link(self) -> None:
        """Tell each replay what its remote partitions are copies of."""
        partition = self._own_partitions()
        for running in self.world.mirrors.flows():
            for mirrored in running.flow.partitions:
                (source, source_p), (target, p) = partition[int(mirrored.source_p)], partition[int(mirrored.p)]
                self.replays[target].copies[p] = (self.replays[source], source_p, mirrored)

    def _own_partitions(self) -> list[tuple[int, int]]:
        """Of each partition of the world its cluster and its number there."""
        counts = [0] * len(self.replays)
        found = []
        catalog = self.world.catalog
        for topic, _ in catalog.partition_names:
            place = int(catalog.topics[topic].site.index)
            found.append((place, counts[place]))
            counts[place] += 1
        return found

    def recording(self) -> MirrorRecording:
        """The whole run."""
        self.world.run(self.script.until_us)
        for row in self.world.trace.take().rows():
            self._fold(row)
        for place, p in self.ends:
            self._polled(place, p)
        return replace(
            self.given,
            clusters={name: self._cluster(place, name) for place, name in enumerate(self.names)},
            syncs=tuple(self.syncs),
            checkpoints=tuple(self.checkpoints),
            positions=tuple(self.positions),
            ends=tuple(sorted(self.end_rows)),
        )

    def _fold(self, row: list[Any]) -> None:
        place, own = self.facts.told(row)
        t = round((row[1] - self.script.zero_us) / US, 3)
        fact = fact_of(own)
        if isinstance(fact, PartitionCreated):
            self._link()
        if isinstance(fact, OffsetSynced):
            name = self.replays[place].partitions[fact.p]
            self.syncs.append(Sync(t, self.names[place], name, fact.upstream, fact.downstream))
        elif isinstance(fact, CheckpointWritten):
            name = self.replays[place].partitions[fact.remote]
            written = RecordedCheckpoint(t, self.names[place], fact.group, name, fact.upstream, fact.downstream)
            self.checkpoints.append(written)
        elif isinstance(fact, GroupOffsetSynced):
            if fact.error == ERR_NONE:
                self._stand(t, place, fact.group, fact.remote, fact.offset)
        else:
            self.replays[place].fold([own])
            if isinstance(fact, HwMoved):
                self._ended(t, place, fact.p, fact.hw)
            elif isinstance(fact, OffsetCommitted):
                self._committed(t, place, fact.client, fact.p, fact.offset)

    def _committed(self, t: float, place: int, client: int, p: int, offset: int) -> None:
        name = self.replays[place].clients[client]
        for one in self.given.clusters[self.names[place]].clients:
            if one.id == name and one.group:
                self._stand(t, place, one.group, p, offset)

    def _stand(self, t: float, place: int, group: str, p: int, offset: int) -> None:
        if group in self.given.groups:
            offsets = self.stands.setdefault((self.names[place], group), {})
            offsets[self.replays[place].partitions[p]] = offset
            self.positions.append(RecordedOffsets(t, self.names[place], group, dict(offsets)))

    def _ended(self, t: float, place: int, p: int, end: int) -> None:
        """The end that consumers see moved; a poll sees where it stands then."""
        name = self.replays[place].partitions[p]
        tick, known = self.ends.get((place, p), (float("-inf"), -1))
        if end <= known or name.rpartition("-")[0] not in self.seen[place]:
            return
        if t > tick:
            self._polled(place, p)
            tick = (t // POLL_S + 1) * POLL_S
        self.ends[place, p] = (tick, end)

    def _polled(self, place: int, p: int) -> None:
        """The last poll of a partition whose end had moved."""
        if (place, p) in self.ends:
            tick, end = self.ends[place, p]
            self.end_rows.append(End(round(tick, 3), self.names[place], self.replays[place].partitions[p], end))

    def _seen(self, cluster: Recording) -> set[str]:
        """The topics of a cluster that the recording tells of."""
        partitions = (*cluster.logs, *(row.partition for row in cluster.metadata))
        return {partition.rpartition("-")[0] for partition in partitions}

    def _cluster(self, place: int, name: str) -> Recording:
        replay, cluster = self.replays[place], self.given.clusters[name]
        seen = self.seen[place]
        metadata = tuple(row for row in replay.metadata if row.partition.rpartition("-")[0] in seen)
        return replace(replay.recording(cluster, self._logs(place, cluster)), metadata=metadata)

    def _logs(self, place: int, cluster: Recording) -> dict[str, RecordedFinalLog]:
        replay, base = self.replays[place], int(self.world.cluster_runs[place].site.base)
        own = self._own_partitions()
        found: dict[str, RecordedFinalLog] = {}
        for p, whole in self.world.logs().items():
            at, local = own[p]
            if at == place and replay.partitions[local] in cluster.logs:
                logs = {
                    broker - base: [
                        (b, count, epoch, replay.own_client[client], n) for b, count, epoch, client, n in log
                    ]
                    for broker, log in whole.items()
                }
                log = final_log(replay, local, logs)
                if log is not None:
                    found[replay.partitions[local]] = log
        return found
