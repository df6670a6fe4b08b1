"""A flow of MirrorMaker: its legs in both clusters, which live and die as one process, and what outlives them.

A leg is a client of one cluster. A cut between the process and a cluster is a cut of the legs in that cluster. The
worker's herder says when the tasks run. Each source task has a consumer and a producer of its own. The partitions are
assigned to at most ``tasks.max`` tasks in turn.
"""

from typing import final

from mypy_extensions import i64

from simengine.facts.kinds import TASKS_JOINING, TASKS_RUNNING, TASKS_WAITING
from simengine.kernel.node import Node, Task
from simengine.mirror.checkpoint_connector import CheckpointConnector
from simengine.mirror.checkpoint_settings import CheckpointSettings
from simengine.mirror.checkpoint_topic import CheckpointTopic
from simengine.mirror.consumer_leg import ConsumerLeg
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.group_admin import AdminLeg
from simengine.mirror.herder import UNKNOWN, Herder, TaskRunner
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.mirror.mirrored_partitions import MirroredPartitions
from simengine.mirror.offset_storage import LOOK_AGAIN_US, OffsetStorage, StorageListener
from simengine.mirror.producer_leg import ProducerLeg
from simengine.mirror.remote_topics import NO_PARTITION, RemoteTopics
from simengine.mirror.source_connector import ConnectorListener, SourceConnector, SourceConnectorSettings
from simengine.mirror.source_task import SourceTask, SourceTaskSettings, StopListener
from simengine.mirror.source_topics import SourceTopics, tasks_of
from simengine.mirror.sync_topic import SyncTopic
from simengine.mirror.topic_admin import TopicAdminLeg
from simengine.mirror.worker_coordinator import WorkerLeg
from simengine.mirror.worker_settings import WorkerSettings


@final
class SourceLegs:
    """The ends of the process in the source cluster; ``syncs`` is the partition of the offset-syncs topic.

    ``readers``: one for each source task.
    """

    __slots__ = ("admin", "readers", "sync_reader", "syncs", "topics")

    def __init__(
        self,
        readers: list[ConsumerLeg],
        sync_producer: ProducerLeg,
        sync_reader: ConsumerLeg,
        admin: AdminLeg,
        topics: TopicAdminLeg,
        syncs: i64,
    ) -> None:
        self.readers = readers
        self.syncs: SyncTopic = SyncTopic(syncs, sync_producer)
        self.sync_reader = sync_reader
        self.admin = admin
        self.topics = topics

    def all(self) -> list[Node]:
        """Every leg."""
        legs: list[Node] = [*self.readers]
        return [*legs, self.syncs.producer, self.sync_reader, self.admin, self.topics]


@final
class TargetLegs:
    """The ends of the process in the target cluster, and its internal topics there.

    ``producers``: one for each source task.
    """

    __slots__ = ("admin", "checkpoints", "offsets", "producers", "topics", "worker")

    def __init__(
        self,
        producers: list[ProducerLeg],
        admin: AdminLeg,
        topics: TopicAdminLeg,
        worker: WorkerLeg,
        checkpoints: CheckpointTopic,
        offsets: OffsetStorage,
    ) -> None:
        self.producers = producers
        self.checkpoints = checkpoints
        self.offsets = offsets
        self.admin = admin
        self.topics = topics
        self.worker = worker

    def all(self) -> list[Node]:
        """Every leg."""
        legs: list[Node] = [*self.producers]
        stored = self.offsets
        return [*legs, self.checkpoints.producer, stored.producer, self.admin, self.topics, self.worker, stored.reader]


@final
class FlowSettings:
    """Settings of the parts of a flow; ``group``: the group on the target that its worker joins."""

    __slots__ = ("checkpoints", "connector", "group", "source_task", "worker")

    def __init__(self, group: str) -> None:
        self.group = group
        self.source_task: SourceTaskSettings = SourceTaskSettings()
        self.checkpoints: CheckpointSettings = CheckpointSettings()
        self.worker: WorkerSettings = WorkerSettings()
        self.connector: SourceConnectorSettings = SourceConnectorSettings()


@final
class Flow(TaskRunner, StopListener, ConnectorListener, StorageListener):
    """Copies partitions of one cluster to another, and the positions of groups."""

    __slots__ = (
        "_has_run",
        "_listener",
        "_mirrored",
        "_remote",
        "_settings",
        "_topics",
        "_wanted",
        "connector",
        "groups",
        "herder",
        "partitions",
        "source",
        "source_connector",
        "target",
        "tasks",
    )

    def __init__(
        self,
        settings: FlowSettings,
        topics: SourceTopics,
        mirrored: MirroredPartitions,
        groups: list[str],
        source: SourceLegs,
        target: TargetLegs,
        remote: RemoteTopics,
    ) -> None:
        self._settings = settings
        self._topics = topics
        self._mirrored = mirrored
        self._remote = remote
        self._listener: FlowListener = FlowListener()
        self._has_run: bool = False  # a process of the flow has had tasks
        self.partitions: list[MirroredPartition] = mirrored.pairs
        self.groups = groups
        self.source = source
        self.target = target
        self._wanted: dict[tuple[str, int], int] = {}  # the source partitions that the tasks are to copy
        for pair in mirrored.pairs:
            self._wanted[source.topics.name_of(pair.source_p)] = int(pair.source_p)
        self.tasks: list[SourceTask] = []
        self.connector: CheckpointConnector | None = None
        self.source_connector: SourceConnector | None = None
        self.herder: Herder = Herder(target.worker, settings.group, settings.worker, self)

    def legs(self) -> list[Node]:
        """Every leg, those of the source first."""
        return self.source.all() + self.target.all()

    def watch(self, listener: FlowListener) -> None:
        """Report to ``listener`` from now on; before the first task starts."""
        self._listener = listener
        self.herder.flow = listener
        for reader in self.source.readers:
            reader.flow = listener
        self.source.syncs.flow = listener
        self.target.checkpoints.flow = listener

    def begin(self) -> None:
        """The state of a process that has run for long: its tasks run."""
        self._start_clients()
        self.target.offsets.begin(self._remote)
        self.herder.begin()

    def start(self) -> None:
        """The process starts and reads what it has stored. Its tasks run once its worker has joined."""
        self._has_run = True
        self._start_clients()
        self._listener.tasks_changed(TASKS_JOINING, UNKNOWN)
        self.target.offsets.start(self._remote, self)

    def storage_missing(self) -> None:
        self._listener.tasks_changed(TASKS_WAITING, UNKNOWN)

    def storage_ready(self) -> None:
        self._listener.tasks_changed(TASKS_JOINING, UNKNOWN)
        self.herder.start()

    def _start_clients(self) -> None:
        source, target = self.source, self.target
        for producer in (source.syncs.producer, target.checkpoints.producer, target.offsets.producer):
            producer.start()
        source.admin.start()
        target.admin.start()
        source.topics.start()
        target.topics.start()
        self.tasks = []
        self.connector = None
        self.source_connector = None

    # -- tasks

    def start_tasks(self) -> None:
        source, target = self.source, self.target
        self.start_source_tasks()
        self.connector = CheckpointConnector(
            self._settings.checkpoints,
            self.groups,
            self._mirrored,
            source.admin,
            target.admin,
            source.sync_reader,
            source.syncs,
            target.checkpoints,
        )
        self.connector.start()
        connector = SourceConnector(
            self._settings.connector, self._topics, source.topics, target.topics, self._remote, self
        )
        connector.flow = self._listener
        self.source_connector = connector
        connector.start(self._wanted, self._has_run)
        self._has_run = True

    def start_source_tasks(self) -> None:
        source, target = self.source, self.target
        if not target.offsets.is_there():  # a task asks for the end of the topic before it copies (MM-11)
            self.storage_missing()
            target.worker.sim.after(LOOK_AGAIN_US, TasksWait(self))
            return
        self._listener.tasks_changed(TASKS_RUNNING, UNKNOWN)
        of_tasks = tasks_of(self._configured(), len(source.readers))
        self.tasks = []
        for k in range(len(of_tasks)):
            target.producers[k].start()
            task = SourceTask(
                self._settings.source_task,
                self._mirrored,
                of_tasks[k],
                source.readers[k],
                target.producers[k],
                source.syncs,
                target.offsets,
            )
            task.flow = self._listener
            self.tasks.append(task)
            task.start()

    def _configured(self) -> list[MirroredPartition]:
        """The partitions to copy that have a remote partition. The next refresh finds the others."""
        found: list[MirroredPartition] = []
        for topic, number in list(self._wanted):
            p = self._remote.partition(self._topics.remote_topic(topic), number)
            if p == NO_PARTITION:
                del self._wanted[topic, number]
                continue
            pair = self._mirrored.add(topic, number, self._wanted[topic, number], p)
            pair.flow = self._listener
            found.append(pair)
        return found

    def tasks_reconfigured(self) -> None:
        self.herder.reconfigure()

    def stop_tasks(self) -> None:
        if self.connector is not None:
            self.connector.stop()
        if self.source_connector is not None:
            self.source_connector.stop()
        self.stop_source_tasks()

    def stop_source_tasks(self) -> None:
        tasks = self.tasks
        if not tasks:
            self.herder.tasks_stopped()
        for task in list(tasks):
            task.stop(self)

    def task_stopped(self, task: SourceTask) -> None:
        if task in self.tasks:
            self.tasks.remove(task)
            if not self.tasks:
                self.herder.tasks_stopped()

    # -- the process

    def shut_down(self) -> None:
        """SIGTERM: ``FlowListener.flow_stopped`` is called when the worker has left its group."""
        self.herder.shut_down()

    def worker_stopped(self) -> None:
        self.kill()
        self._listener.flow_stopped()

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


@final
class TasksWait(Task):
    """The source tasks look again for the topic of their stored positions."""

    __slots__ = ("flow",)

    def __init__(self, flow: Flow) -> None:
        super().__init__(flow.target.worker)
        self.flow = flow

    def run(self) -> None:
        if self.flow.herder.has_tasks and not self.flow.tasks:
            self.flow.start_source_tasks()
