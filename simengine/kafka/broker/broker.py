"""A broker: the replicas it hosts, the metadata it believes, the requests that come to it, and its life as a process.

How it acts on new metadata stands in ``metadata_publisher.py``, whom it follows in ``fetcher_manager.py``, and what
waits for an answer in the two purgatories. Implements STATE-7, LIVE-5, REG-5, REA-4, ISR-6, LOG-6, SHUT-3, DIR-1.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.kinds import (
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_REGISTERING,
    PROCESS_RUNNING,
    PROCESS_STARTING,
)
from simengine.kafka.broker import client_metadata, consumer_fetch, produce
from simengine.kafka.broker.broker_process import BrokerProcess
from simengine.kafka.broker.directories import AssignmentsManager
from simengine.kafka.broker.fetch_purgatory import FetchPurgatory
from simengine.kafka.broker.isr import AlterPartitionManager, IsrCheck
from simengine.kafka.broker.lifecycle import BOOTING, PENDING_SHUTDOWN, BrokerLifecycleManager
from simengine.kafka.broker.metadata_listener import MetadataListener
from simengine.kafka.broker.process_start import DISK_KEPT, DISK_REPLACED, ProcessStart
from simengine.kafka.broker.serving import Serving
from simengine.kafka.group.coordinator import GroupCoordinator
from simengine.kafka.log.log import Log
from simengine.kafka.replica import retention
from simengine.kafka.replica.fetcher_manager import FetcherManager
from simengine.kafka.replica.follower_session import FetchSession
from simengine.kafka.replica.observer import Observer
from simengine.kafka.replica.produce_purgatory import ProducePurgatory
from simengine.kafka.replica.replica import FOLLOWER, LEADER, Partition
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.shared.broker_metrics import Metrics
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import MetadataImage
from simengine.kafka.wire.api import (
    ClientChannel,
    CommitRequest,
    CommittedRequest,
    ConsumerFetch,
    MetadataRequest,
    OffsetRequest,
    ProduceRequest,
)
from simengine.kafka.wire.fetch_api import FetchChannel, FetchRequest
from simengine.kafka.wire.group_api import GroupRequest
from simengine.kafka.wire.topic_list import TopicsAnswer
from simengine.kernel.channel import Channel
from simengine.kernel.message import Message
from simengine.kernel.node import Task
from simengine.kernel.random import Stream
from simengine.kernel.sim import Sim
from simengine.kernel.site import Site

DIALS_AT_PERCENT: Final = 75  # of the time from its start to when it begins to register (188 starts, in the median)
RESUME_BY_CHANCE: Final = 0
RESUME_FAST: Final = 1
RESUME_SLOW: Final = 2
# After a resume a process takes a while to come to each request: a mean of 1, 2, 4 .. 64 ms, another one each time (the
# acks of 40 resumes followed one another after 2 ms, as in f031, to 80 ms, as in f037, f041 and s28).
SLOW_RESUME_LEAST_US: Final = 1_000
SLOW_RESUME_DOUBLINGS: Final = 6
SLOW_RESUME_FOR_US: Final = 500_000


@final
class Dial(Task):
    """A starting process has its Raft client up (QUO-9)."""

    __slots__ = ("_broker",)

    def __init__(self, broker: "Broker") -> None:
        super().__init__(broker)
        self._broker = broker

    def run(self) -> None:
        self._broker.listener.dial()


@final
class Boot(Task):
    """The JVM of a started broker is up: local metadata is replayed, fetchers start, it begins to register (REG-5)."""

    __slots__ = ("_boot_us", "_broker")

    def __init__(self, broker: "Broker", boot_us: i64) -> None:
        super().__init__(broker)
        self._broker = broker
        self._boot_us: i64 = boot_us

    def run(self) -> None:
        self._broker.state_process(PROCESS_REGISTERING)
        self._broker.booted(self._boot_us)


@final
class Broker(BrokerProcess):
    """One broker: host, disk and (while ``up``) process."""

    __slots__ = (
        "_before_pause",
        "_proposals",
        "_resume_stream",
        "_stop_waits",
        "alter_manager",
        "assignments",
        "coordinator",
        "fetch_purgatory",
        "fetchers",
        "isr_phase",
        "lifecycle",
        "listener",
        "produce_purgatory",
        "serving",
        "sessions",
        "start_pending",
    )

    def __init__(
        self, sim: Sim, broker_id: i64, rack: str, config: ClusterConfig, observer: Observer, site: Site
    ) -> None:
        name = site.prefix + "broker " + str(int(site.kafka_id(broker_id)))
        super().__init__(sim, broker_id, name, rack, config, observer, site)
        self._before_pause: i64 = PROCESS_RUNNING
        self._stop_waits: bool = False
        self.start_pending: ProcessStart | None = None  # it waits for the end of the process before
        self.isr_phase: i64 = 0
        self.fetchers: FetcherManager = FetcherManager(self)
        self.sessions: dict[int, FetchSession] = {}
        self.produce_purgatory: ProducePurgatory = ProducePurgatory(self)
        self.fetch_purgatory: FetchPurgatory = FetchPurgatory(self)
        self.serving: Serving = Serving(self)
        self.coordinator: GroupCoordinator | None = None
        self.listener: MetadataListener = MetadataListener(self)
        self.assignments: AssignmentsManager = AssignmentsManager(self, self.listener)
        self.lifecycle: BrokerLifecycleManager = BrokerLifecycleManager(self, self.listener, self.assignments)
        self._resume_stream: Stream = sim.stream(self.name, "resume")
        self._proposals: Stream = sim.stream(self.name, "proposals")
        self.alter_manager: AlterPartitionManager = AlterPartitionManager(self, self.listener, self._proposals)

    # -- what one part asks of another

    def start_fetching(self, replica: Partition) -> None:
        self.fetchers.start(replica)

    def stop_fetching(self, replica: Partition) -> None:
        self.fetchers.stop(replica)

    def role_changed(self, replica: Partition) -> None:
        if self.coordinator is not None:
            self.coordinator.role_changed(replica)

    def submit(self, replica: Partition) -> None:
        self.alter_manager.submit(replica)

    def release_readers(self, replica: Partition) -> None:
        self.fetch_purgatory.release_readers(replica)

    def answer_fetch(self, channel: Channel, message: Message) -> None:
        self.serving.answer(channel, message)

    def leader_changed(self) -> None:
        self.lifecycle.leader_changed()

    def metadata_published(self) -> None:
        self.lifecycle.metadata_applied()

    def sees_itself_leave(self) -> None:
        """SHUT-5: in controlled shutdown a broker that sees itself leave stops its fetchers."""
        if self.lifecycle.state == PENDING_SHUTDOWN:
            self.fetchers.shut_down()

    # -- followers

    def handle_fetch(self, channel: FetchChannel, request: FetchRequest) -> None:
        """A follower's fetch has arrived."""
        session = self.sessions.get(int(request.follower))
        if session is None:
            session = FetchSession(self, request.follower)
            self.sessions[int(request.follower)] = session
        session.receive(channel, request)

    # -- clients

    def handle_produce(self, channel: ClientChannel, request: ProduceRequest) -> None:
        """A produce request has arrived."""
        produce.handle_produce(self, self.produce_purgatory, channel, request)

    def handle_consumer_fetch(self, channel: ClientChannel, request: ConsumerFetch) -> None:
        """A consumer's fetch has arrived."""
        self.fetch_purgatory.take(channel, request)

    def handle_offset(self, channel: ClientChannel, request: OffsetRequest) -> None:
        """ListOffsets or OffsetsForLeaderEpoch."""
        consumer_fetch.handle_offset(self, channel, request)

    def handle_metadata(self, channel: ClientChannel, request: MetadataRequest) -> None:
        """A client asks who leads."""
        client_metadata.handle_metadata(self, channel, request)

    def handle_topics(self, channel: ClientChannel) -> None:
        """A client asks for all partitions of the cluster."""
        channel.answer(TopicsAnswer([int(r.p) for r in self.image.partitions if r is not None]))

    def handle_commit(self, channel: ClientChannel, request: CommitRequest) -> None:
        """A group commits offsets."""
        if self.coordinator is not None:
            self.coordinator.handle_commit(channel, request)

    def handle_committed(self, channel: ClientChannel, request: CommittedRequest) -> None:
        """A group asks for its committed offsets."""
        if self.coordinator is not None:
            self.coordinator.handle_committed(channel, request)

    def handle_group(self, channel: ClientChannel, request: GroupRequest) -> None:
        """A member of a group joins it, leaves it, or says that it lives."""
        assert self.coordinator is not None, "group requests need coordinators"
        self.coordinator.groups.handle(channel, request)

    # -- process

    def kill(self) -> None:
        """SIGKILL: the log stays, the rest is gone (STATE-7).

        The marker of the last clean stop is deleted as the logs are read (KAFKA-10471): before that it stays.
        """
        if self.lifecycle.state != BOOTING:
            self.clean_be = -1
        self.close_sockets_late()
        self._end_process(False)

    def empty_disk(self, disk: i64) -> None:
        """The disk was wiped or replaced while the process was down (DISK_*)."""
        if disk == DISK_REPLACED:
            self.directory += 1
        for replica in self.hosted:
            old = replica.log.leo
            replica.log = Log()
            replica.hw_saved = 0
            replica.lost_disk(old, self.why)
        self.image = MetadataImage()
        self.listener.forget()
        self.clean_be = -1

    def exit(self) -> None:
        """The process ends in order: logs are closed, the checkpoint and the marker with its BE written (SHUT-3)."""
        for replica in self.hosted:
            replica.hw_saved = replica.hw
            replica.hw_tick = self.checkpoint_tick()
            replica.log.flushed = replica.log.leo
        self.clean_be = self.be
        self._end_process(True)

    def _end_process(self, has_left: bool) -> None:
        if self.lifecycle.state != BOOTING:  # one that has not read its logs leaves the disk as it was (LOG-6, LOG-10)
            for replica in self.hosted:
                replica.stop()
        self.listener.end()
        self.lifecycle.end()
        self.assignments.end()
        self._stop_waits = False
        self.die()
        self.be = -1
        self.fetchers.reset()
        self.sessions = {}
        self.due_sessions = []
        self.produce_purgatory.reset()
        self.fetch_purgatory.reset()
        self.serving.reset()
        self.metrics = Metrics()
        self.alter_manager = AlterPartitionManager(self, self.listener, self._proposals)
        if self.coordinator is not None:
            self.coordinator.process_ended()
        self.state_process(PROCESS_DOWN, has_left)
        pending = self.start_pending
        if pending is not None:
            self.start_pending = None
            self.start(pending)

    def start(self, start: ProcessStart) -> None:
        """Start the process; it begins to register after its time to boot (REG-1)."""
        boot_us = start.boot_us
        self.why = start.cause
        if start.disk != DISK_KEPT:
            self.empty_disk(start.disk)
        self.up = True
        self.listening = False
        self.lifecycle.state = BOOTING
        self.state_process(PROCESS_STARTING)
        self.shared.starts(boot_us * DIALS_AT_PERCENT // 100, start.cause)
        self.sim.after(boot_us * DIALS_AT_PERCENT // 100, Dial(self))
        self.sim.after(boot_us, Boot(self, boot_us))

    def booted(self, boot_us: i64) -> None:
        """The JVM is up: replay the local metadata, start fetchers, register (REG-5)."""
        for replica in self.hosted:
            replica.load(self.why)
        for replica in list(self.hosted):
            registration = self.image.partition(replica.p)
            if registration is not None and self.id in registration.replicas:
                take_registration(replica, registration, self.why)
        self.sim.after(self.isr_phase, IsrCheck(self))
        retention.start(self)
        self.listener.follow()
        self.lifecycle.register(boot_us)
        self.flush()

    def stop(self) -> None:
        """SIGTERM; a paused process gets it when it is resumed."""
        if self.paused:
            self._stop_waits = True
        else:
            self.lifecycle.stop()

    def pause_process(self) -> None:
        """SIGSTOP."""
        self._before_pause = self.process
        self.pause()
        self.state_process(PROCESS_PAUSED)

    def resume_process(self, pinned: i64 = RESUME_BY_CHANCE) -> None:
        """SIGCONT. A process is slow at first: its memory and caches have gone cold (f011, f037)."""
        if pinned != RESUME_FAST:
            drawn: i64 = self._resume_stream.below(SLOW_RESUME_DOUBLINGS + 1)
            self.slow_stream = self._resume_stream
            self.slow_mean_us = SLOW_RESUME_LEAST_US << (SLOW_RESUME_DOUBLINGS if pinned == RESUME_SLOW else drawn)
            self.slow_until = self.sim.now + SLOW_RESUME_FOR_US
        self.state_process(self._before_pause)
        self.resume()
        if self._stop_waits:
            self._stop_waits = False
            self.lifecycle.stop()
        self.flush()

    def leads(self) -> list[Partition]:
        """The replicas that act as leader here."""
        return [replica for replica in self.hosted if replica.role == LEADER]

    def follows(self) -> list[Partition]:
        """The replicas that act as follower here."""
        return [replica for replica in self.hosted if replica.role == FOLLOWER]
