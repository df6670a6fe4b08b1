"""A flow of MirrorMaker: its legs in both clusters, which live and die as one process, and what outlives them.

A leg is a client of one cluster. A cut between the process and a cluster is a cut of the legs in that cluster. The
worker's herder says when the tasks run. Left out: several tasks, the look for new topics.
"""

from typing import final

from mypy_extensions import i64

from simengine.kernel.node import Node
from simengine.mirror.checkpoint_connector import CheckpointConnector
from simengine.mirror.checkpoint_settings import CheckpointSettings
from simengine.mirror.checkpoint_topic import CheckpointTopic
from simengine.mirror.consumer_leg import ConsumerLeg
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.group_admin import AdminLeg
from simengine.mirror.herder import Herder, TaskRunner
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.mirror.offset_storage import OffsetStorage
from simengine.mirror.producer_leg import ProducerLeg
from simengine.mirror.source_task import SourceTask, SourceTaskSettings, StopListener
from simengine.mirror.sync_topic import SyncTopic
from simengine.mirror.worker_coordinator import WorkerLeg
from simengine.mirror.worker_settings import WorkerSettings


@final
class SourceLegs:
    """The ends of the process in the source cluster; ``syncs`` is the partition of the offset-syncs topic."""

    __slots__ = ("admin", "reader", "sync_reader", "syncs")

    def __init__(
        self, reader: ConsumerLeg, sync_producer: ProducerLeg, sync_reader: ConsumerLeg, admin: AdminLeg, syncs: i64
    ) -> None:
        self.reader = reader
        self.syncs: SyncTopic = SyncTopic(syncs, sync_producer)
        self.sync_reader = sync_reader
        self.admin = admin

    def all(self) -> list[Node]:
        """Every leg."""
        return [self.reader, self.syncs.producer, self.sync_reader, self.admin]


@final
class TargetLegs:
    """The ends of the process in the target cluster, with the partitions of its internal topics there."""

    __slots__ = ("admin", "checkpoints", "offsets", "producer", "worker")

    def __init__(
        self,
        producer: ProducerLeg,
        checkpoint_producer: ProducerLeg,
        offset_producer: ProducerLeg,
        admin: AdminLeg,
        worker: WorkerLeg,
        checkpoints: i64,
        offsets: i64,
    ) -> None:
        self.producer = producer
        self.checkpoints: CheckpointTopic = CheckpointTopic(checkpoints, checkpoint_producer)
        self.offsets: OffsetStorage = OffsetStorage(offsets, offset_producer)
        self.admin = admin
        self.worker = worker

    def all(self) -> list[Node]:
        """Every leg."""
        return [self.producer, self.checkpoints.producer, self.offsets.producer, self.admin, self.worker]


@final
class Flow(TaskRunner, StopListener):
    """Copies partitions of one cluster to another, and the positions of groups."""

    __slots__ = (
        "_checkpoints",
        "_source_task",
        "connector",
        "groups",
        "herder",
        "partitions",
        "source",
        "target",
        "task",
    )

    def __init__(
        self,
        source_task: SourceTaskSettings,
        checkpoints: CheckpointSettings,
        worker: WorkerSettings,
        group: str,
        partitions: list[MirroredPartition],
        groups: list[str],
        source: SourceLegs,
        target: TargetLegs,
    ) -> None:
        self._source_task = source_task
        self._checkpoints = checkpoints
        self.partitions = partitions
        self.groups = groups
        self.source = source
        self.target = target
        self.task: SourceTask | None = None
        self.connector: CheckpointConnector | None = None
        self.herder: Herder = Herder(target.worker, group, worker, self)

    def legs(self) -> list[Node]:
        """Every leg, those of the source first."""
        return self.source.all() + self.target.all()

    def watch(self, listener: FlowListener) -> None:
        """Report to ``listener`` from now on; before the first task starts."""
        self.herder.flow = listener
        self.source.reader.flow = listener
        self.source.syncs.flow = listener
        self.target.checkpoints.flow = listener
        for partition in self.partitions:
            partition.flow = listener

    def begin(self) -> None:
        """The state of a process that has run for long: its tasks run."""
        self._start_clients()
        self.herder.begin()

    def start(self) -> None:
        """The process starts: it knows only what it has stored. Its tasks run once its worker has joined."""
        self._start_clients()
        self.herder.start()

    def _start_clients(self) -> None:
        source, target = self.source, self.target
        for producer in (source.syncs.producer, target.checkpoints.producer, target.offsets.producer):
            producer.start()
        source.admin.start()
        target.admin.start()
        self.task = None
        self.connector = None

    def start_tasks(self) -> None:
        source, target = self.source, self.target
        target.producer.start()
        self.task = SourceTask(
            self._source_task, self.partitions, source.reader, target.producer, source.syncs, target.offsets
        )
        self.task.start()
        self.connector = CheckpointConnector(
            self._checkpoints,
            self.groups,
            self.partitions,
            source.admin,
            target.admin,
            source.sync_reader,
            source.syncs,
            target.checkpoints,
        )
        self.connector.start()

    def stop_tasks(self) -> None:
        if self.connector is not None:
            self.connector.stop()
        if self.task is not None:
            self.task.stop(self)

    def task_stopped(self, task: SourceTask) -> None:
        if task is self.task:
            self.herder.tasks_stopped()

    def kill(self) -> None:
        """SIGKILL: nothing is stored on the way out."""
        for leg in self.legs():
            leg.die()

    def pause(self) -> None:
        """SIGSTOP."""
        for leg in self.legs():
            leg.pause()

    def resume(self) -> None:
        """SIGCONT."""
        for leg in self.legs():
            leg.resume()
