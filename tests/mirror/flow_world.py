"""A flow for tests, from cluster east to cluster west of one world."""

from typing import Any

from simengine.kernel.node import Node
from simengine.mirror.checkpoint_topic import CheckpointTopic
from simengine.mirror.consumer_leg import ConsumerLeg
from simengine.mirror.filters import ConfigPropertyFilter, NameFilter
from simengine.mirror.flow import Flow, FlowSettings, SourceLegs, TargetLegs
from simengine.mirror.group_admin import AdminLeg
from simengine.mirror.mirrored_partitions import MirroredPartitions
from simengine.mirror.offset_storage import OffsetStorage
from simengine.mirror.producer_leg import ProducerLeg, connect_settings
from simengine.mirror.replication_policy import ReplicationPolicy
from simengine.mirror.source_topics import SourceTopics
from simengine.mirror.topic_admin import TopicAdminLeg
from simengine.mirror.worker_coordinator import WorkerLeg
from simengine.scenario import load
from simengine.world.cluster_run import ClusterRun
from simengine.world.mirrors.target_topics import TargetTopics
from simengine.world.world import build
from tests.mirror import documents

SECOND = 1_000_000
LATENCY_US, JITTER_US = 200, 100
SOURCE, REMOTE = "orders", "east.orders"
SYNCS, CHECKPOINTS, OFFSETS = "mm2-offset-syncs.west.internal", "east.checkpoints.internal", "mm2-offsets.east.internal"
GROUP_OFFSETS = "__consumer_offsets"
FIRST_FLUSH_S = 20


def cluster(*topics: str, **more: Any) -> dict[str, Any]:
    """Three brokers with these topics, of one partition each and with two in-sync replicas at least."""
    made = documents.cluster(*topics, **more)
    for topic in made["topics"]:
        topic["config"] = {"min.insync.replicas": 2}
    return made


class MirrorWorld:
    """A producer P and a group g with consumer C on ``orders`` in east, which a flow copies to west."""

    def __init__(self, rate: int = 50, on_target: dict[str, Any] | None = None, **of_source: Any) -> None:
        east = cluster(
            SOURCE,
            SYNCS,
            producers=[{"id": "P", "topic": SOURCE, "rate": rate}],
            consumers=[{"id": "C", "topics": [SOURCE], "group": "g", "config": {"auto.commit.interval.ms": 1000}}],
            **of_source,
        )
        west = cluster(REMOTE, CHECKPOINTS, OFFSETS, GROUP_OFFSETS, **(on_target or {}))
        self.run = build(load({"format": 1, "seed": 5, "clusters": {"east": east, "west": west}}))
        self.east, self.west = self.run.cluster_runs
        self.flow = self._flow()
        self.flow.begin()

    def _flow(self) -> Flow:
        settings = FlowSettings("east-mm2")
        checkpoints = settings.checkpoints
        settings.source_task.first_flush_us = FIRST_FLUSH_S * SECOND
        checkpoints.refresh_interval_us = 5 * SECOND
        checkpoints.emit_interval_us = checkpoints.sync_interval_us = 10 * SECOND
        east, west = self.east, self.west
        source = SourceLegs(
            [self._consumer(east, SOURCE)],
            self._producer(east, "syncs"),
            self._consumer(east, SYNCS),
            self._admin(east),
            self._topics(east),
            self.p(SYNCS),
        )
        target = TargetLegs(
            [self._producer(west, "copies")],
            self._admin(west),
            self._topics(west),
            self._worker(west),
            CheckpointTopic(self.p(CHECKPOINTS), self._producer(west, "checkpoints")),
            OffsetStorage(self.p(OFFSETS), OFFSETS, self._producer(west, "offsets"), self._consumer(west, OFFSETS)),
        )
        mirrored = MirroredPartitions()
        mirrored.add(SOURCE, 0, self.p(SOURCE), self.p(REMOTE))
        topics = SourceTopics("east", "west", ReplicationPolicy(), NameFilter([SOURCE], []))
        remote = TargetTopics(east, west, ConfigPropertyFilter([]), 3, 3)
        return Flow(settings, topics, mirrored, ["g"], source, target, remote)

    def of(self, topic: str) -> ClusterRun:
        """The cluster that holds a topic."""
        return self.east if topic in (SOURCE, SYNCS) else self.west

    def p(self, topic: str) -> int:
        return self.of(topic).parts.partition_index[topic, 0]

    def _consumer(self, run: ClusterRun, topic: str) -> ConsumerLeg:
        leg = ConsumerLeg(self.run.net, f"mirror reads {topic}", run.site)
        self._join(leg)
        leg.attach(run.cluster.servers(), [self.p(topic)], run.cluster.catalog)
        return leg

    def _producer(self, run: ClusterRun, what: str) -> ProducerLeg:
        leg = ProducerLeg(self.run.net, f"mirror writes {what}", connect_settings(), run.site)
        self._join(leg)
        leg.attach(run.cluster.servers())
        return leg

    def _admin(self, run: ClusterRun) -> AdminLeg:
        leg = AdminLeg(self.run.net, "mirror asks", run.site)
        self._join(leg)
        leg.attach(run.cluster.servers(), run.parts.partition_index[GROUP_OFFSETS, 0])
        return leg

    def _topics(self, run: ClusterRun) -> TopicAdminLeg:
        leg = TopicAdminLeg(self.run.net, "mirror lists topics", run.site)
        self._join(leg)
        leg.attach(run.cluster.servers(), run.cluster.catalog)
        return leg

    def _worker(self, run: ClusterRun) -> WorkerLeg:
        offsets_p = run.parts.partition_index[GROUP_OFFSETS, 0]
        leg = WorkerLeg(self.run.net, "mirror works", run.site, run.cluster.servers(), offsets_p)
        self._join(leg)
        return leg

    def _join(self, leg: Node) -> None:
        self.run.net.add([leg], LATENCY_US, JITTER_US)

    def until(self, seconds: float) -> "MirrorWorld":
        self.run.run(int(seconds * SECOND))
        return self

    def act(self, action: str) -> None:
        self.run.act(self.run.now_us + 1, action)

    def cut(self, legs: list[Node]) -> None:
        """All packets between these legs and their cluster are dropped."""
        for leg, broker in self._pairs(legs):
            self.run.net.cut(leg, broker)
            self.run.net.cut(broker, leg)

    def heal(self, legs: list[Node]) -> None:
        for leg, broker in self._pairs(legs):
            self.run.net.heal(leg, broker)
            self.run.net.heal(broker, leg)
        self.run.net.healed()

    def _pairs(self, legs: list[Node]) -> list[tuple[Node, Node]]:
        runs = (self.east, self.west)
        return [(leg, broker) for leg in legs for run in runs if run.site is leg.site for broker in run.cluster.brokers]

    def position(self) -> int:
        """The offset in the remote topic that group g has committed in west; -1: none."""
        for broker in self.west.cluster.brokers:
            coordinator = broker.coordinator
            replica = None if coordinator is None else coordinator.lead()
            if coordinator is not None and replica is not None:
                coordinator._read_log(replica)
                return int(coordinator._of("g", self.p(REMOTE)).offset)
        raise AssertionError("nobody coordinates the group")

    def stored(self) -> int:
        """The source offset that the worker has stored; -1: none."""
        return int(self.flow.target.offsets.position(0))

    def log(self, topic: str, broker: int = 0) -> list[tuple[int, int]]:
        """The (client, number of the call) of each record of a topic on a broker, in order."""
        replica = self.of(topic).cluster.brokers[broker].replica(self.p(topic))
        assert replica is not None
        batches = replica.log.read(0, replica.log.leo, 1_000_000)
        return [(int(b.client), int(b.n) + i) for b in batches for i in range(b.count)]

    def copies(self, broker: int = 0) -> list[int]:
        """The source offset of each record in the remote topic, in order."""
        copied = self.flow.partitions[0].copied
        return [int(copied.upstream_of(n)) for _, n in self.log(REMOTE, broker)]

    def syncs(self) -> list[tuple[int, int]]:
        """(upstream, downstream) of each record of the offset-syncs topic."""
        contents = self.flow.source.syncs.contents
        return [(int(contents[n].upstream), int(contents[n].downstream)) for _, n in self.log(SYNCS)]

    def checkpoints(self) -> list[tuple[str, int, int]]:
        """(group, upstream, downstream) of each record of the checkpoints topic."""
        contents = self.flow.target.checkpoints.contents
        found = [contents[n] for _, n in self.log(CHECKPOINTS)]
        return [(one.group, int(one.upstream), int(one.downstream)) for one in found]
