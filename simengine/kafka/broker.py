"""A broker: the replicas it hosts, the metadata it believes, the requests that come to it, and its life as a process.

How it acts on new metadata stands in ``metadata_publisher.py``, whom it follows in ``fetcher_manager.py``, and what
waits for an answer in the two purgatories. Implements STATE-7, LIVE-5, REG-5, REA-4, ISR-6, LOG-6, SHUT-3, DIR-1.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.facts.decisive import ProcessChanged, ReplicaGone
from simengine.facts.errors import ERR_NOT_LEADER_OR_FOLLOWER
from simengine.facts.kinds import (
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_RUNNING,
    PROCESS_STARTING,
    PROCESS_STOPPING,
)
from simengine.kafka import client_metadata, consumer_fetch, produce, retention
from simengine.kafka.api import (
    ClientChannel,
    CommitRequest,
    CommittedRequest,
    ConsumerFetch,
    MetadataRequest,
    OffsetRequest,
    ProduceRequest,
)
from simengine.kafka.broker_metrics import Metrics
from simengine.kafka.config import ClusterConfig, Topic
from simengine.kafka.controller_api import ControllerChannel, ControllerPeer, ControllerServer
from simengine.kafka.directories import AssignmentsManager
from simengine.kafka.fetch_api import FetchChannel, FetchRequest, FetchServer
from simengine.kafka.fetch_purgatory import FetchPurgatory
from simengine.kafka.fetcher_manager import FetcherManager
from simengine.kafka.follower_session import FollowerSession
from simengine.kafka.group_api import GroupRequest
from simengine.kafka.isr import AlterManager, IsrCheck
from simengine.kafka.lifecycle import BOOTING, Lifecycle
from simengine.kafka.lifecycle_tasks import Boot, Dial
from simengine.kafka.log import Log
from simengine.kafka.metadata import Image
from simengine.kafka.metadata_listener import MetadataListener
from simengine.kafka.observer import Observer
from simengine.kafka.process_start import DISK_KEPT, DISK_REPLACED, ProcessStart
from simengine.kafka.produce_purgatory import ProducePurgatory
from simengine.kafka.remote import Remote
from simengine.kafka.replica import FOLLOWER, LEADER, NO_ROLE, Replica
from simengine.kafka.roles import take_registration
from simengine.kafka.serving import Serving
from simengine.kafka.shared_process import SharedProcess
from simengine.kafka.topic_list import TopicsAnswer
from simengine.kafka.whys import Whys
from simengine.kernel.network import Network
from simengine.kernel.random import Stream
from simengine.kernel.sim import Sim
from simengine.kernel.site import Site

if TYPE_CHECKING:
    from simengine.kafka.coordinator import GroupCoordinator

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
class Broker(FetchServer):
    """One broker: host, disk and (while ``up``) process."""

    __slots__ = (
        "_before_pause",
        "_checkpoint_phase",
        "_replicas",
        "_resume_stream",
        "_stop_waits",
        "alter_manager",
        "assignments",
        "be",
        "brokers",
        "config",
        "coordinator",
        "directory",
        "due_sessions",
        "duplicates_answered",
        "fetch_purgatory",
        "fetchers",
        "has_left",
        "hosted",
        "image",
        "intake_per_s",
        "isr_phase",
        "lifecycle",
        "listener",
        "metrics",
        "net",
        "observer",
        "partition_names",
        "process",
        "produce_purgatory",
        "proposals",
        "serving",
        "sessions",
        "shared",
        "start_pending",
        "topics",
        "why",
        "whys",
    )

    def __init__(
        self, sim: Sim, broker_id: i64, rack: str, config: ClusterConfig, observer: Observer, site: Site
    ) -> None:
        name = site.prefix + "broker " + str(int(site.kafka_id(broker_id)))
        super().__init__(sim, broker_id, name, rack, site)
        self.config = config
        self.observer = observer
        self.net: Network
        self.brokers: dict[int, Broker] = {}
        self.topics: list[Topic] = []  # of the cluster: what is called how, whether it is known here or not
        self.partition_names: list[tuple[int, int]] = []
        self.image: Image = Image()
        self.be: i64 = -1
        self.process: i64 = PROCESS_RUNNING
        self.directory: i64 = 0  # the number of its disk's directory id
        self.has_left: bool = False  # it is down because it was shut down
        self._before_pause: i64 = PROCESS_RUNNING
        self._stop_waits: bool = False
        self.why: i64 = 0  # the decisive fact that last changed this process or its links
        self.whys: Whys = Whys()  # of all brokers
        self.intake_per_s: i64 = 0
        self.duplicates_answered: i64 = 0
        self.shared: SharedProcess = SharedProcess()
        self.start_pending: ProcessStart | None = None  # it waits for the end of the process before
        self.hosted: list[Replica] = []
        self._replicas: list[Replica | None] = []
        self.fetchers: FetcherManager = FetcherManager(self)
        self.sessions: dict[int, FollowerSession] = {}
        self.due_sessions: list[FollowerSession] = []
        self.produce_purgatory: ProducePurgatory = ProducePurgatory(self)
        self.fetch_purgatory: FetchPurgatory = FetchPurgatory(self)
        self.serving: Serving = Serving(self)
        self._checkpoint_phase: i64 = 0
        self.isr_phase: i64 = 0
        self.metrics: Metrics = Metrics()
        self.coordinator: GroupCoordinator | None = None
        self.listener: MetadataListener = MetadataListener(self)
        self.lifecycle: Lifecycle = Lifecycle(self)
        self._resume_stream: Stream = sim.stream(self.name, "resume")
        self.proposals: Stream = sim.stream(self.name, "proposals")  # how late each goes out
        self.alter_manager: AlterManager = AlterManager(self)
        self.assignments: AssignmentsManager = AssignmentsManager(self)

    # -- replicas

    def replica(self, p: i64) -> Replica | None:
        """This broker's copy of a partition."""
        replicas = self._replicas
        if p < len(replicas):
            return replicas[p]
        return None

    def host(self, p: i64) -> Replica:
        """The copy of a partition, made empty if there is none yet."""
        while len(self._replicas) <= p:
            self._replicas.append(None)
        replica = self._replicas[p]
        if replica is None:
            replica = Replica(self, p)
            self._replicas[p] = replica
            self.hosted.append(replica)
        return replica

    def drop(self, replica: Replica, cause: i64) -> None:
        """REA-4: a broker that is no longer assigned deletes its log.

        The copy goes first, then who waits for it is told (PROD-9): an answer lets the next request of its connection
        in (PROD-12), which must not find the copy any more.
        """
        self.fetchers.stop(replica)
        replica.role = NO_ROLE
        self._replicas[replica.p] = None
        self.hosted.remove(replica)
        gone = self.sim.trace.state(ReplicaGone(cause, broker=self.id, p=replica.p))
        self.observer.dropped(replica, gone)
        replica.fail_waiters(ERR_NOT_LEADER_OR_FOLLOWER)
        replica.fail_readers()
        replica.release_followers()
        if self.coordinator is not None:
            self.coordinator.role_changed(replica)

    # -- replication

    def fetch_be(self) -> i64:
        """The broker epoch in fetches: -1 until this incarnation has registered (REG-5)."""
        return self.be

    def handle_fetch(self, channel: FetchChannel, request: FetchRequest) -> None:
        """A follower's fetch has arrived."""
        session = self.sessions.get(int(request.follower))
        if session is None:
            session = FollowerSession(self, request.follower)
            self.sessions[int(request.follower)] = session
        session.receive(channel, request)

    def is_eligible(self, remote: Remote) -> bool:
        """ISR-6: active in this broker's metadata, in the incarnation that fetched; BE -1 is exempt (REG-5)."""
        if not self.image.is_active(remote.broker):
            return False
        return remote.be == -1 or remote.be == self.image.broker_epoch(remote.broker)

    def flush(self) -> None:
        """Answer the parked fetches that the event just handled has released."""
        due = self.due_sessions
        if due:
            for session in due:  # a release may add others at the end
                session.release()
            due.clear()

    # -- clients

    def handle_produce(self, channel: ClientChannel, request: ProduceRequest) -> None:
        """A produce request has arrived."""
        produce.handle_produce(self, channel, request)

    def handle_consumer_fetch(self, channel: ClientChannel, request: ConsumerFetch) -> None:
        """A consumer's fetch has arrived."""
        consumer_fetch.handle_consumer_fetch(self, channel, request)

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

    def rack_of(self, broker: i64) -> str:
        """The rack of a broker of this cluster."""
        return self.brokers[int(broker)].rack

    # -- process

    def controller_channel(self, controller: ControllerServer, peer: ControllerPeer) -> ControllerChannel:
        """The connection of one part of this broker to one controller, made on first use and kept."""
        for channel in self.channels:
            if isinstance(channel, ControllerChannel) and channel.controller is controller and channel.peer is peer:
                return channel
        return ControllerChannel(self.net, self, controller, peer)

    def checkpoint_tick(self) -> i64:
        """Number of the newest high-watermark checkpoint (LOG-6)."""
        return (self.sim.now + self._checkpoint_phase) // self.config.hw_checkpoint_us

    def set_checkpoint_phase(self, phase_us: i64) -> None:
        """When, within its interval, this broker writes its checkpoint."""
        self._checkpoint_phase = phase_us

    def state_process(self, state: i64, has_left: bool = False) -> i64:
        """State that the process is in another state; returns the fact. ``has_left``: it went in order (SHUT-3)."""
        self.has_left = has_left
        self.process = state
        cause = self.why
        self.why = self.sim.trace.state(ProcessChanged(self.why, node=self.id, state=state, left=int(has_left)))
        works = state in (PROCESS_RUNNING, PROCESS_STOPPING)  # one that stops in order beats and fetches on (SHUT-1)
        self.whys.process_changed(self.id, self.why, works, self.sim.now)
        self.observer.process_changed(self)
        self.shared.changed(self, cause)
        return self.why

    def kill(self) -> None:
        """SIGKILL: the log stays, the rest is gone (STATE-7).

        The marker of the last clean stop is deleted as the logs are read (KAFKA-10471): before that it stays.
        """
        if self.lifecycle.state != BOOTING:
            self.lifecycle.clean_be = -1
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
        self.image = Image()
        self.listener.forget()
        self.lifecycle.clean_be = -1

    def exit(self) -> None:
        """The process ends in order: logs are closed, the checkpoint and the marker with its BE written (SHUT-3)."""
        for replica in self.hosted:
            replica.hw_saved = replica.hw
            replica.hw_tick = self.checkpoint_tick()
            replica.log.flushed = replica.log.leo
        self.lifecycle.clean_be = self.be
        self._end_process(True)

    def _end_process(self, has_left: bool) -> None:
        clean_be = self.lifecycle.clean_be
        if self.lifecycle.state != BOOTING:  # one that has not read its logs leaves the disk as it was (LOG-6, LOG-10)
            for replica in self.hosted:
                replica.stop()
        self.listener.end()
        self.lifecycle.end()
        self.assignments.end()
        self.lifecycle.clean_be = clean_be
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
        self.alter_manager = AlterManager(self)
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
        self.shared.starts(self, boot_us * DIALS_AT_PERCENT // 100, start.cause)
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

    def leads(self) -> list[Replica]:
        """The replicas that act as leader here."""
        return [replica for replica in self.hosted if replica.role == LEADER]

    def follows(self) -> list[Replica]:
        """The replicas that act as follower here."""
        return [replica for replica in self.hosted if replica.role == FOLLOWER]
