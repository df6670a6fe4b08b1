"""All checks of a run in one observer and one ledger, which pass everything on to the book behind them."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.clients.network.ledger import ClientListener
from simengine.facts.errors import ERR_NONE
from simengine.kafka.log.log import Batch
from simengine.kafka.replica.observer import Observer
from simengine.kafka.replica.remote import FollowerState
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.shared.metadata import Record
from simengine.kafka.wire.api import ACKS_ALL
from tests.invariants.apply_checks import ApplyChecks
from tests.invariants.client_checks import ClientChecks
from tests.invariants.fetch_checks import FetchChecks
from tests.invariants.ghost import Ghosts
from tests.invariants.hw_checks import HwChecks
from tests.invariants.isr_checks import IsrChecks
from tests.invariants.log_checks import LogChecks, where_of
from tests.invariants.marks import MarkCounts
from tests.invariants.metadata_checks import MetadataChecks
from tests.invariants.retention_checks import retention_removes_old_only
from tests.invariants.time_checks import TimeChecks

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.replica.replica_host import ReplicaHost


@final
class Parts:
    """The checkers of one run, by what they look at."""

    __slots__ = ("applies", "clients", "fetches", "ghosts", "hws", "isrs", "logs", "marks", "metadata")

    def __init__(self, cluster: "Cluster") -> None:
        self.ghosts = Ghosts()
        self.marks = MarkCounts(cluster)
        self.metadata = MetadataChecks(cluster)
        self.applies = ApplyChecks(cluster)
        self.fetches = FetchChecks(cluster)
        self.logs = LogChecks(cluster, self.ghosts, self.marks)
        self.hws = HwChecks(cluster, self.ghosts, self.logs)
        self.isrs = IsrChecks(cluster, self.ghosts)
        self.clients = ClientChecks(cluster, self.ghosts)
        cluster.sim.witness = TimeChecks()


@final
class Checks(Observer):
    """Checks every event that the protocol reports, then lets the book have it."""

    __slots__ = ("_behind", "_parts", "count")

    def __init__(self, behind: Observer) -> None:
        self._behind = behind
        self._parts: Parts | None = None
        self.count: i64 = 0

    def begin(self, cluster: "Cluster") -> None:
        """The run is assembled."""
        self._parts = Parts(cluster)

    @property
    def parts(self) -> Parts:
        """The checkers, once the run is assembled."""
        assert self._parts is not None, "the run is not assembled yet"
        return self._parts

    # -- processes and metadata

    def process_changed(self, broker: "ReplicaHost") -> None:
        parts = self._parts
        if parts is not None:
            parts.metadata.process_changed(broker)
            parts.applies.process_changed(broker)
            parts.fetches.process_changed(broker)
            parts.logs.process_changed(broker)
            parts.isrs.process_changed(broker)
        self._behind.process_changed(broker)

    def links_changed(self) -> None:
        self._behind.links_changed()

    def heartbeat(self, broker: i64, now: i64) -> None:
        if self._parts is not None:
            self._parts.metadata.sessions.heartbeat(broker, now)
        self._behind.heartbeat(broker, now)

    def fencing_decided(self, broker: i64, now: i64) -> None:
        if self._parts is not None:
            self._parts.metadata.sessions.fencing_decided(broker, now)
        self._behind.fencing_decided(broker, now)

    def controller_activated(self, now: i64) -> None:
        if self._parts is not None:
            self._parts.metadata.sessions.activated(now)
            self._parts.marks.controller_activated()
        self._behind.controller_activated(now)

    def voters_changed(self, now: i64) -> None:
        if self._parts is not None:
            self._parts.metadata.sessions.voters_changed(now)
        self._behind.voters_changed(now)

    def committed(self, record: Record) -> None:
        if self._parts is not None:
            self._parts.metadata.committed(record)
            self._parts.marks.committed(record)
        self._behind.committed(record)

    def batch_committed(self, records: list[Record]) -> None:
        parts = self._parts
        if parts is not None:
            self.count += 1
            parts.metadata.batch_committed()
            for record in records:
                r = record.partition
                if r is not None:
                    parts.hws.committed(r, parts.metadata.begins_branch(record))
                    parts.isrs.quorum_superset(r)
        self._behind.batch_committed(records)

    def metadata_applied(self, broker: "ReplicaHost", records: list[Record]) -> None:
        if self._parts is not None:
            self.count += 1
            self._parts.applies.applied(broker, records)
            self._parts.hws.metadata_applied(broker)
        self._behind.metadata_applied(broker, records)

    # -- replicas

    def isr_changed(self, replica: Partition) -> None:
        parts = self._parts
        if parts is not None:
            self.count += 1
            parts.applies.changed(replica)
            parts.isrs.isr_changed(replica)
        self._behind.isr_changed(replica)

    def activated(self, replica: Partition) -> None:
        parts = self._parts
        if parts is not None:
            self.count += 1
            parts.logs.leads(replica)
            parts.isrs.leads(replica)
            parts.hws.activated(replica)
            parts.marks.activated(replica)
        self._behind.activated(replica)

    def appended(self, replica: Partition, batch: Batch) -> None:
        parts = self._parts
        if parts is not None:
            self.count += 1
            parts.logs.appended(replica, batch)
            if batch.pid >= 0:
                parts.clients.appended(replica, batch)
            if replica.role == LEADER:
                parts.marks.appended(replica, batch.pid, batch.pid_epoch)
        self._behind.appended(replica, batch)

    def fetch_sent(self, follower: i64, leader: i64, number: i64) -> None:
        if self._parts is not None:
            self._parts.fetches.sent(follower, leader, number)
        self._behind.fetch_sent(follower, leader, number)

    def fetch_given_up(self, follower: i64, leader: i64) -> None:
        if self._parts is not None:
            self._parts.fetches.given_up(follower, leader)
        self._behind.fetch_given_up(follower, leader)

    def fetch_answered(self, follower: i64, leader: i64, number: i64) -> None:
        if self._parts is not None:
            self._parts.fetches.answered(follower, leader, number)
        self._behind.fetch_answered(follower, leader, number)

    def answer_taken(self, replica: Partition, epoch: i64, offset: i64) -> None:
        if self._parts is not None:
            self.count += 1
            self._parts.logs.answer_taken(replica, epoch, offset)
            self._parts.isrs.follows(replica)
        self._behind.answer_taken(replica, epoch, offset)

    def fetched(self, replica: Partition, remote: FollowerState) -> None:
        if self._parts is not None:
            self.count += 1
            self._parts.isrs.fetched(replica, remote)
        self._behind.fetched(replica, remote)

    def hw_moved(self, replica: Partition, old: i64) -> None:
        parts = self._parts
        if parts is not None:
            self.count += 1
            parts.logs.hw_moved(replica, old)
            parts.hws.hw_moved(replica, old)
        self._behind.hw_moved(replica, old)

    def truncated(self, replica: Partition, old: i64, seq: i64) -> None:
        if self._parts is not None:
            self.count += 1
            self._parts.logs.truncated(replica)
            self._parts.isrs.truncated(replica)
        self._behind.truncated(replica, old, seq)

    def expired(self, replica: Partition) -> None:
        if self._parts is not None:
            self.count += 1
            segments = replica.log.segments
            assert segments is not None, "retention goes by segments"
            retention_removes_old_only(replica, segments, where_of(replica))
        self._behind.expired(replica)

    def dropped(self, replica: Partition, seq: i64) -> None:
        self._behind.dropped(replica, seq)

    def overtaken(self, replica: Partition) -> None:
        if self._parts is not None:
            self._parts.isrs.overtaken(replica)
        self._behind.overtaken(replica)

    def proposed(self, replica: Partition, state: i64) -> None:
        if self._parts is not None:
            self.count += 1
            self._parts.isrs.proposed(replica, state)
            self._parts.marks.proposed(replica)
        self._behind.proposed(replica, state)

    def proposal_answered(self, broker: i64, p: i64, error: i64) -> None:
        if self._parts is not None:
            self._parts.marks.proposal_answered(broker, p, error)
        self._behind.proposal_answered(broker, p, error)

    def fetch_refused(self, leader: i64, p: i64, error: i64) -> None:
        if self._parts is not None:
            self._parts.marks.fetch_refused(leader, error)
        self._behind.fetch_refused(leader, p, error)

    def group_changed(self, what: i64) -> None:
        if self._parts is not None:
            self._parts.marks.group_changed(what)
        self._behind.group_changed(what)

    # -- clients

    def answered(self, replica: Partition, offset: i64, count: i64, acks: i64) -> None:
        if self._parts is not None:
            self.count += 1
            self._parts.clients.answered(replica, offset, count, acks)
        self._behind.answered(replica, offset, count, acks)

    def refused(self, replica: Partition, leo: i64) -> None:
        if self._parts is not None:
            self._parts.clients.refused(replica, leo)
        self._behind.refused(replica, leo)

    def served(self, replica: Partition, batches: list[Batch]) -> None:
        if self._parts is not None:
            self._parts.clients.served(replica, batches)
        self._behind.served(replica, batches)

    def end_answered(self, replica: Partition, offset: i64) -> None:
        if self._parts is not None:
            self._parts.clients.end_answered(replica, offset)
        self._behind.end_answered(replica, offset)


@final
class CheckedLedger(ClientListener):
    """Checks what the clients report, then lets the book have it."""

    __slots__ = ("_behind", "_checks")

    def __init__(self, checks: Checks, behind: ClientListener) -> None:
        self._checks = checks
        self._behind = behind

    def called(self, client: i64, p: i64, n: i64, count: i64, acks: i64) -> None:
        self._behind.called(client, p, n, count, acks)

    def resent(self, client: i64, p: i64, n: i64, count: i64, of: i64) -> None:
        self._behind.resent(client, p, n, count, of)

    def moved(self, client: i64, p: i64, to: i64, n: i64, count: i64, acks: i64) -> None:
        self._behind.moved(client, p, to, n, count, acks)

    def settled(
        self,
        client: i64,
        p: i64,
        n: i64,
        count: i64,
        acks: i64,
        offset: i64,
        epoch: i64,
        error: i64,
        may_be_written: bool,
    ) -> None:
        if error == ERR_NONE and acks == ACKS_ALL and offset >= 0:
            self._checks.parts.clients.acked(client, p, n, count, offset, epoch)
        self._behind.settled(client, p, n, count, acks, offset, epoch, error, may_be_written)

    def abandoned(self, client: i64, p: i64, n: i64, count: i64, acks: i64, may_be_written: bool) -> None:
        self._behind.abandoned(client, p, n, count, acks, may_be_written)

    def delivered(self, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        self._checks.parts.clients.delivered(client, p, offset, count, epoch)
        self._behind.delivered(client, p, offset, count, epoch)

    def unserved(self, client: i64, p: i64, since: i64, has_response: bool) -> None:
        self._behind.unserved(client, p, since, has_response)

    def position_moved(self, client: i64, p: i64, old: i64, new: i64, why: i64) -> None:
        self._checks.parts.clients.position_moved(client, p, new, why)
        self._checks.parts.marks.rewound(why)
        self._behind.position_moved(client, p, old, new, why)

    def missed(self, client: i64, p: i64, start: i64, end: i64) -> None:
        self._behind.missed(client, p, start, end)

    def wants(self, client: i64, p: i64, group: str) -> None:
        self._behind.wants(client, p, group)

    def wants_no_more(self, client: i64, p: i64, is_dead: bool) -> None:
        self._behind.wants_no_more(client, p, is_dead)

    def unassigned(self, client: i64, p: i64) -> None:
        self._behind.unassigned(client, p)
