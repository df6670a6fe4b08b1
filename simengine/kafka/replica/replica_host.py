"""A broker as the parts know it that copy and serve partitions: its replicas, the metadata it has applied, its clock.

``Broker`` puts the parts together and overrides what one part asks of another. Implements FET-18, ISR-6, LOG-6, REA-4.

Of other brokers it has their addresses and racks (``brokers``) and what messages tell. Four things of the simulation
are shared without a message, and none decides what a broker does: the causes of facts (``causes``), where all copies
end (``copies``), what logs weigh (``old_logs``), and the contents of commit records, which a batch names by their
number (``coordinator.CommitLog``).
"""

from typing import final

from mypy_extensions import i64

from simengine.facts.decisive import ReplicaGone
from simengine.facts.errors import ERR_NOT_LEADER_OR_FOLLOWER
from simengine.facts.kinds import PROCESS_RUNNING
from simengine.kafka.replica.observer import Observer
from simengine.kafka.replica.old_logs import OldCopy, OldLogs, Transfers
from simengine.kafka.replica.remote import FetchSessionHooks, FollowerState
from simengine.kafka.replica.replica import NO_ROLE, Partition
from simengine.kafka.shared.broker_metrics import Metrics
from simengine.kafka.shared.causes import Causes
from simengine.kafka.shared.config import ClusterConfig, Topic
from simengine.kafka.shared.metadata import MetadataImage
from simengine.kafka.wire.fetch_api import FetchServer
from simengine.kernel.channel import Channel
from simengine.kernel.message import Message
from simengine.kernel.network import Network
from simengine.kernel.sim import Sim
from simengine.kernel.site import Site


class ReplicaHost(FetchServer):
    """The state that the parts of a broker share, and the calls between them."""

    __slots__ = (
        "_checkpoint_phase",
        "_replicas",
        "applied",
        "be",
        "brokers",
        "causes",
        "clean_be",
        "config",
        "copies",
        "due_sessions",
        "duplicates_answered",
        "has_fetched",
        "hosted",
        "image",
        "intake_per_s",
        "metrics",
        "net",
        "observer",
        "old_logs",
        "partition_names",
        "process",
        "taking",
        "throttled_in",
        "throttled_out",
        "topics",
    )

    def __init__(
        self, sim: Sim, broker_id: i64, name: str, rack: str, config: ClusterConfig, observer: Observer, site: Site
    ) -> None:
        super().__init__(sim, broker_id, name, rack, site)
        self.config = config
        self.observer = observer
        self.net: Network
        self.brokers: dict[int, FetchServer] = {}  # of the cluster, by id
        self.copies: Copies = Copies()
        self.topics: list[Topic] = []  # of the cluster: what is called how, whether it is known here or not
        self.partition_names: list[tuple[int, int]] = []
        self.causes: Causes = Causes()  # of all brokers
        self.image: MetadataImage = MetadataImage()
        self.applied: i64 = -1  # offset of the newest metadata record in the image, or about to be
        self.be: i64 = -1
        self.clean_be: i64 = -1  # of the process that stopped last, if it stopped in order (SHUT-3)
        self.process: i64 = PROCESS_RUNNING
        self.metrics: Metrics = Metrics()
        self.duplicates_answered: i64 = 0
        self.intake_per_s: i64 = 0  # records that it takes in from its leaders; 0: without a limit (``slow``)
        self.old_logs: OldLogs = OldLogs()  # of the cluster (FET-18) ...
        self.taking: Transfers = Transfers()  # ... whose bytes this broker copies
        self.throttled_in: Transfers = Transfers()
        self.throttled_out: Transfers = Transfers()
        self.has_fetched: bool = False  # this process; set by its first fetcher
        self.hosted: list[Partition] = []
        self._replicas: list[Partition | None] = []
        self.due_sessions: list[FetchSessionHooks] = []
        self._checkpoint_phase: i64 = 0

    # -- replicas

    def replica(self, p: i64) -> Partition | None:
        """This broker's copy of a partition."""
        replicas = self._replicas
        if p < len(replicas):
            return replicas[p]
        return None

    def record_bytes(self, p: i64) -> i64:
        """The size of the records of a partition's topic."""
        return self.topics[self.partition_names[p][0]].record_bytes

    def host(self, p: i64) -> Partition:
        """The copy of a partition, made empty if there is none yet."""
        while len(self._replicas) <= p:
            self._replicas.append(None)
        replica = self._replicas[p]
        if replica is None:
            replica = Partition(self, p)
            replica.old_copy = self.old_logs.copy_of(p)
            self._replicas[p] = replica
            self.hosted.append(replica)
        return replica

    def drop(self, replica: Partition, cause: i64) -> None:
        """REA-4: a broker that is no longer assigned deletes its log.

        The copy goes first, then who waits for it is told (PROD-9): an answer lets the next request of its connection
        in (PROD-12), which must not find the copy any more.
        """
        self.stop_fetching(replica)
        replica.role = NO_ROLE
        self._replicas[replica.p] = None
        self.hosted.remove(replica)
        gone = self.sim.trace.state(ReplicaGone(cause, broker=self.id, p=replica.p))
        self.observer.dropped(replica, gone)
        replica.fail_waiters(ERR_NOT_LEADER_OR_FOLLOWER)
        replica.fail_readers()
        replica.release_followers()
        self.role_changed(replica)

    def book(self, copy: OldCopy, replica: Partition, leader: "ReplicaHost") -> None:
        """Book the next part of an old log: on this broker (FET-18), and on both where they are throttled (FET-19)."""
        now, size = self.sim.now, copy.next_part(replica.log.leo)
        copy.due = self.taking.book(now, size, self.old_logs.bytes_per_s)
        rate = self.throttle(replica.p, False)
        if rate >= 0:
            copy.due = max(copy.due, self.throttled_in.book(now, size, rate))
        rate = leader.throttle(replica.p, True)
        if rate >= 0:
            copy.due = max(copy.due, leader.throttled_out.book(now, size, rate))

    def throttle(self, p: i64, leads: bool) -> i64:
        """The throttle on copying a partition from this broker, or to it, in bytes/s (FET-19); -1: none."""
        topic, number = self.partition_names[p]
        if not self.image.settings_of(topic).is_throttled(number, int(self.site.kafka_id(self.id)), leads):
            return -1
        return self.image.throttle(self.id, leads)

    def checkpoint_tick(self) -> i64:
        """Number of the newest high-watermark checkpoint (LOG-6)."""
        return (self.sim.now + self._checkpoint_phase) // self.config.hw_checkpoint_us

    def set_checkpoint_phase(self, phase_us: i64) -> None:
        """Set the moment within its interval at which this broker writes its checkpoint."""
        self._checkpoint_phase = phase_us

    # -- other brokers

    def is_eligible(self, remote: FollowerState) -> bool:
        """ISR-6: active in this broker's metadata, in the incarnation that fetched; BE -1 is exempt (REG-5)."""
        if not self.image.is_active(remote.broker):
            return False
        return remote.be == -1 or remote.be == self.image.broker_epoch(remote.broker)

    def rack_of(self, broker: i64) -> str:
        """The rack of a broker of this cluster."""
        return self.brokers[int(broker)].rack

    def racks_of(self, p: i64) -> list[str]:
        """The racks of a partition's replicas; "" is none, as up to 4.3 a fenced or absent replica has (CON-12)."""
        registration = self.image.partition(p)
        if registration is None:
            return []
        always = self.config.groups.offline_has_rack
        return sorted(
            {self.rack_of(one) if always or self.image.is_unfenced(one) else "" for one in registration.replicas}
        )

    def flush(self) -> None:
        """Answer the parked fetches that the event just handled has released."""
        due = self.due_sessions
        if due:
            for session in due:  # a release may add others at the end
                session.release()
            due.clear()

    # -- what one part asks of another

    def start_fetching(self, replica: Partition) -> None:
        """Follow the leader of a partition, if there is one."""

    def stop_fetching(self, replica: Partition) -> None:
        """Stop following."""

    def role_changed(self, replica: Partition) -> None:
        """A leadership was taken up or given up."""

    def submit(self, replica: Partition) -> None:
        """Send the pending change of an ISR to the controller (AP-1)."""

    def release_readers(self, replica: Partition) -> None:
        """The high watermark or the role of a replica changed: look at the consumers that wait for it."""

    def answer_fetch(self, channel: Channel, message: Message) -> None:
        """Respond to a fetch, at the pace at which this broker serves (FLT-9)."""


@final
class Copies:
    """All copies of a cluster, on whichever broker: the one thing that a broker knows of others without a message.

    It decides nothing. Old batches are kept as runs once every copy holds them, which saves memory.
    """

    __slots__ = ("_hosts",)

    def __init__(self) -> None:
        self._hosts: dict[int, ReplicaHost] = {}

    def join(self, host: ReplicaHost) -> None:
        """Count a broker in."""
        self._hosts[int(host.id)] = host
        host.copies = self

    def least_end(self, p: i64, members: list[int], end: i64) -> i64:
        """Up to which offset, ``end`` at most, all these brokers have a partition."""
        for member in members:
            copy = self._hosts[member].replica(p)
            end = min(end, 0 if copy is None else copy.log.leo)
        return end
