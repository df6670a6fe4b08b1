"""From the mirrors of a document to processes of MirrorMaker with their flows, ready to run.

The process stands beside the target: its legs in the source cluster reach over the distance between the clusters. The
legs are the last clients of a world, so that what is beside them keeps its numbers.
"""

from typing import TYPE_CHECKING, Final

from simengine.clients.network.settings import ProducerSettings
from simengine.kafka.shared.config import Topic
from simengine.kernel.node import Node
from simengine.kernel.random import Stream
from simengine.mirror.checkpoint_settings import CheckpointSettings
from simengine.mirror.checkpoint_topic import CheckpointTopic
from simengine.mirror.consumer_leg import ConsumerLeg
from simengine.mirror.filters import ConfigPropertyFilter, NameFilter
from simengine.mirror.flow import Flow, FlowSettings, SourceLegs, TargetLegs
from simengine.mirror.group_admin import AdminLeg
from simengine.mirror.mirrored_partitions import MirroredPartitions
from simengine.mirror.offset_storage import OffsetStorage
from simengine.mirror.producer_leg import ProducerLeg, connect_settings
from simengine.mirror.source_connector import SourceConnectorSettings
from simengine.mirror.source_task import SourceTaskSettings
from simengine.mirror.topic_admin import TopicAdminLeg
from simengine.mirror.worker_coordinator import WorkerLeg
from simengine.mirror.worker_settings import WorkerSettings
from simengine.scenario.mirror_plan import PlannedFlow, flows_of, replicas_by
from simengine.scenario.model import Document
from simengine.scenario.own_topics import is_own_topic
from simengine.scenario.parts import written_parts
from simengine.verdict.commits import OFFSETS_TOPIC
from simengine.world.ground import SharedWorld
from simengine.world.mirrors.book import FlowBook
from simengine.world.mirrors.history import MirrorHistory
from simengine.world.mirrors.process import MirrorProcess, RunningFlow
from simengine.world.mirrors.target_topics import TargetTopics

if TYPE_CHECKING:
    from simengine.world.assembly import ClusterBuild
    from simengine.world.cluster_run import ClusterRun

BATCH_SIZE: Final = 16_384  # batch.size of a Connect worker's producers, bytes
SYNC_AFTER_MIN_US: Final = 100_000  # the schedule of group offsets keeps this much behind that of checkpoints
SYNC_AFTER_MAX_US: Final = 500_000


class MirrorAssembly:
    """Builds the processes of a document; ``begin`` sets them going."""

    def __init__(self, doc: Document, runs: "list[ClusterRun]", ground: SharedWorld) -> None:
        self.doc = doc
        self.ground = ground
        self.clusters = {run.site.name: run.parts for run in runs}
        self._runs = {run.site.name: run for run in runs}
        self.processes: list[MirrorProcess] = []
        for flow in flows_of(doc.mirrors, written_parts(doc)) if doc.mirrors else []:
            self._process(flow.mirror.process, flow.mirror.target).add(self._running(flow))

    def begin(self) -> None:
        """Bring the processes into their states at t=0."""
        states = {mirror.process: mirror.state for mirror in self.doc.mirrors}
        for process in self.processes:
            process.begin(states[process.name] == "running")

    def flows(self) -> list[RunningFlow]:
        """The flows of all processes, in document order."""
        return sorted((one for process in self.processes for one in process.flows), key=_index)

    def _process(self, name: str, target: str) -> MirrorProcess:
        process = self.ground.processes.get(name)
        if process is None:
            site = self.clusters[target].site
            process = MirrorProcess(self.ground.sim, len(self.processes), name, site)
            self.ground.processes[name] = process
            self.processes.append(process)
        return process

    def _running(self, plan: PlannedFlow) -> RunningFlow:
        self._mark_topics(plan)
        stream = self.ground.sim.stream(f"mirror {plan.name}", "phases")
        settings = FlowSettings(plan.worker_group)
        settings.source_task = task_settings(plan, stream)
        settings.checkpoints = checkpoint_settings(plan, stream)
        settings.checkpoints.known = self._groups_at_start(plan)
        settings.worker = worker_settings(plan)
        settings.connector = connector_settings(plan, stream)
        legs = _Legs(self, plan).made()
        flow = Flow(settings, plan.topics, self._pairs(plan), self._groups(plan), *legs, self._target_topics(plan))
        remote = {int(pair.source_p): int(pair.p) for pair in flow.partitions}
        book = FlowBook(self.ground.sim, plan.index, remote)
        flow.watch(book)
        if plan.mirror.history:
            MirrorHistory(
                self.clusters[plan.mirror.source], self.clusters[plan.mirror.target], flow, book, plan
            ).leave()
        source, target = self.clusters[plan.mirror.source].site, self.clusters[plan.mirror.target].site
        running = RunningFlow(source, target, flow, book, settings)
        running.admitted = groups_filter(plan)
        return running

    def _mark_topics(self, plan: PlannedFlow) -> None:
        """Tell MirrorMaker's topics from those of applications: also those that a document lists."""
        for cluster, name, _, _ in plan.own_topics():
            self._topic(cluster, name).is_made = True
        for topic, remote in plan.copies.items():
            self._topic(plan.mirror.target, remote).is_remote = True
            if is_own_topic(topic, plan.policy):
                self._topic(plan.mirror.source, topic).is_made = True

    def _topic(self, cluster: str, name: str) -> Topic:
        parts = self.clusters[cluster]
        return parts.cluster.topics[parts.topic_index[name]]

    def _pairs(self, plan: PlannedFlow) -> MirroredPartitions:
        source, target = self.clusters[plan.mirror.source], self.clusters[plan.mirror.target]
        found = MirroredPartitions()
        for topic, remote in plan.copies.items():
            for p in source.topic_partitions(topic, None):
                number = source.cluster.partition_names[p][1]
                found.add(topic, number, p, target.partition_index[remote, number])
        return found

    def _target_topics(self, plan: PlannedFlow) -> TargetTopics:
        configs = ConfigPropertyFilter(plan.settings.configs_exclude)
        factors = [replicas_by(one) for one in (plan.settings.remote_factor, plan.settings.offset_storage_factor)]
        return TargetTopics(self._runs[plan.mirror.source], self._runs[plan.mirror.target], configs, *factors)

    def _groups(self, plan: PlannedFlow) -> list[str]:
        """All groups of the source that the flow admits."""
        admitted = groups_filter(plan)
        named = [consumer.group for consumer in self.clusters[plan.mirror.source].doc.consumers]
        return [group for group in dict.fromkeys(named) if group and admitted.admits(group)]

    def _groups_at_start(self, plan: PlannedFlow) -> list[str]:
        """The groups that the connector knows at t=0: those with an open consumer, or an offset, of a copied topic."""
        consumers = self.clusters[plan.mirror.source].doc.consumers
        reading = [
            one.group
            for one in consumers
            if (one.state == "open" or one.committed)
            and any(t in plan.copies for t in (*one.topics, *(t for t, _ in one.partitions)))
        ]
        return [group for group in self._groups(plan) if group in reading]


def groups_filter(plan: PlannedFlow) -> NameFilter:
    """The groups whose positions a flow translates."""
    return NameFilter(plan.settings.groups, plan.settings.groups_exclude)


def _index(running: RunningFlow) -> int:
    return int(running.book.index)


class _Legs:
    """The client nodes of one flow."""

    def __init__(self, mirrors: MirrorAssembly, plan: PlannedFlow) -> None:
        self._ground = mirrors.ground
        self._plan = plan
        self._source = mirrors.clusters[plan.mirror.source]
        self._target = mirrors.clusters[plan.mirror.target]
        self._syncs = mirrors.clusters[plan.syncs_cluster]
        self._made: list[tuple[Node, ClusterBuild]] = []

    def made(self) -> tuple[SourceLegs, TargetLegs]:
        """Make them and put them into the network."""
        source, target, syncs, plan = self._source, self._target, self._syncs, self._plan
        syncs_p = syncs.partition_index[plan.syncs_topic, 0]
        tasks = plan.tasks
        readers = [self._consumer(source, f"consumer{_nth(k)}", []) for k in range(tasks)]
        sync_reader = self._consumer(syncs, "offset sync consumer", [syncs_p])
        source_legs = SourceLegs(
            readers,
            self._producer(syncs, "offset sync producer", ProducerSettings()),
            sync_reader,
            self._admin(source),
            self._topics(source),
            syncs_p,
        )
        copying = [self._producer(target, f"producer{_nth(k)}", self._copying()) for k in range(tasks)]
        checkpoint_producer = self._producer(target, "checkpoint producer", connect_settings())
        offset_producer = self._producer(target, "worker offset producer", connect_settings())
        offsets_p = target.partition_index[plan.offsets_topic, 0]
        target_legs = TargetLegs(
            copying,
            self._admin(target),
            self._topics(target),
            self._worker(target),
            CheckpointTopic(target.partition_index[plan.checkpoints_topic, 0], checkpoint_producer),
            OffsetStorage(
                offsets_p,
                plan.offsets_topic,
                offset_producer,
                self._consumer(target, "worker offset consumer", [offsets_p]),
            ),
        )
        self._connect()
        return source_legs, target_legs

    def _name(self, what: str) -> str:
        return f"{self._plan.mirror.process} {self._plan.name} {what}"

    def _consumer(self, parts: "ClusterBuild", what: str, partitions: list[int]) -> ConsumerLeg:
        leg = ConsumerLeg(self._ground.net, self._name(what), parts.site)
        leg.attach(parts.cluster.servers(), partitions, parts.cluster.catalog)
        self._made.append((leg, parts))
        return leg

    def _copying(self) -> ProducerSettings:
        """The settings of a producer of copies. The largest records of the flow fill a batch soonest."""
        topics, settings = self._source.cluster.topics, connect_settings()
        sizes = [int(topics[self._source.topic_index[name]].record_bytes) for name in self._plan.copies]
        if sizes:
            settings.batch_records = max(1, BATCH_SIZE // max(sizes))
        return settings

    def _producer(self, parts: "ClusterBuild", what: str, settings: ProducerSettings) -> ProducerLeg:
        leg = ProducerLeg(self._ground.net, self._name(what), settings, parts.site)
        leg.attach(parts.cluster.servers())
        self._made.append((leg, parts))
        return leg

    def _admin(self, parts: "ClusterBuild") -> AdminLeg:
        leg = AdminLeg(self._ground.net, self._name("admin"), parts.site)
        leg.attach(parts.cluster.servers(), parts.partition_index[OFFSETS_TOPIC, 0])
        self._made.append((leg, parts))
        return leg

    def _topics(self, parts: "ClusterBuild") -> TopicAdminLeg:
        leg = TopicAdminLeg(self._ground.net, self._name("topic admin"), parts.site)
        leg.attach(parts.cluster.servers(), parts.cluster.catalog)
        self._made.append((leg, parts))
        return leg

    def _worker(self, parts: "ClusterBuild") -> WorkerLeg:
        offsets_p = parts.partition_index[OFFSETS_TOPIC, 0]
        leg = WorkerLeg(self._ground.net, self._name("worker"), parts.site, parts.cluster.servers(), offsets_p)
        self._made.append((leg, parts))
        return leg

    def _connect(self) -> None:
        """Links: within the target as within its cluster, to another cluster as between clusters."""
        net, between, within = self._ground.net, self._ground.between, self._target.doc.network
        net.add([leg for leg, _ in self._made], between.latency_us, between.jitter_us)
        for leg, parts in self._made:
            if parts is self._target:
                for node in parts.nodes():
                    if node is not leg:
                        net.set_latency(leg, node, within.latency_us, within.jitter_us)


def _nth(k: int) -> str:
    """The end of the client ids of source task ``k``; the first task has none."""
    return f" {k + 1}" if k else ""


def task_settings(plan: PlannedFlow, stream: Stream) -> SourceTaskSettings:
    """The settings of the source task; phases that the document does not pin are drawn."""
    settings, found = plan.settings, SourceTaskSettings()
    found.emits_syncs = settings.emit_offset_syncs
    found.offset_lag_max = settings.offset_lag_max
    found.flush_interval_us = settings.offset_flush_interval_us
    found.flush_timeout_us = settings.offset_flush_timeout_us
    found.first_flush_us = _first(plan.mirror.phases.offset_flush_us, settings.offset_flush_interval_us, stream)
    return found


def worker_settings(plan: PlannedFlow) -> WorkerSettings:
    """The settings of the Connect worker."""
    settings, found = plan.settings, WorkerSettings()
    found.session_us = settings.session_timeout_us
    found.heartbeat_us = settings.heartbeat_interval_us
    found.rebalance_delay_us = settings.rebalance_delay_us
    found.graceful_stop_us = settings.graceful_stop_us
    return found


def checkpoint_settings(plan: PlannedFlow, stream: Stream) -> CheckpointSettings:
    """The settings of the checkpoint connector and its task."""
    settings, phases, found = plan.settings, plan.mirror.phases, CheckpointSettings()
    found.emit_interval_us = settings.emit_checkpoints_interval_us
    found.sync_interval_us = settings.sync_group_offsets_interval_us
    found.refresh_interval_us = settings.refresh_groups_interval_us
    found.first_emit_us = _first(phases.emit_checkpoints_us, found.emit_interval_us, stream)
    found.first_look_us = _first(phases.refresh_groups_us, found.refresh_interval_us, stream)
    behind = int(stream.between(SYNC_AFTER_MIN_US, SYNC_AFTER_MAX_US))
    pinned = phases.sync_group_offsets_us
    if pinned is not None:
        found.first_sync_us = pinned
    elif found.sync_interval_us > 0:
        found.first_sync_us = (int(found.first_emit_us) + behind) % int(found.sync_interval_us)
    return found


def connector_settings(plan: PlannedFlow, stream: Stream) -> SourceConnectorSettings:
    """The settings of the source connector; phases that the document does not pin are drawn."""
    settings, phases, found = plan.settings, plan.mirror.phases, SourceConnectorSettings()
    found.topics_us = settings.refresh_topics_interval_us
    found.sync_configs_us = settings.sync_topic_configs_interval_us
    found.first_topics_us = _first(phases.refresh_topics_us, found.topics_us, stream)
    found.first_configs_us = _first(phases.sync_topic_configs_us, found.sync_configs_us, stream)
    return found


def _first(pinned: int | None, interval_us: int, stream: Stream) -> int:
    """The first moment of periodic work: as the document says, else drawn from one interval. 0 if there is none."""
    drawn = int(stream.below(interval_us)) if interval_us > 0 else 0
    return drawn if pinned is None else pinned
