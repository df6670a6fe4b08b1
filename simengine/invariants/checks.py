"""All checks of a run in one observer and one ledger, which pass everything on to the book behind them."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.clients.ledger import Ledger
from simengine.invariants.client_checks import ClientChecks
from simengine.invariants.log_checks import LogChecks
from simengine.invariants.metadata_checks import MetadataChecks
from simengine.kafka.api import ACKS_ALL
from simengine.kafka.log import Batch
from simengine.kafka.metadata import Record
from simengine.kafka.observer import Observer
from simengine.kafka.replica import LEADER, Remote, Replica
from simengine.kernel.errors import ERR_NONE
from simengine.kernel.facts import ELECTION_LAST_KNOWN, ELECTION_UNCLEAN

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker
    from simengine.kafka.cluster import Cluster


@final
class Checks(Observer):
    """Checks every event that the protocol reports, then lets the book have it."""

    __slots__ = ("_behind", "clients", "count", "logs", "metadata")

    def __init__(self, behind: Observer) -> None:
        self._behind = behind
        self.metadata: MetadataChecks | None = None
        self.logs: LogChecks | None = None
        self.clients: ClientChecks | None = None
        self.count: i64 = 0

    def begin(self, cluster: "Cluster") -> None:
        """The run is assembled."""
        self.metadata = MetadataChecks(cluster)
        logs = LogChecks(cluster)
        self.logs = logs
        self.clients = ClientChecks(cluster, logs)

    def process_changed(self, broker: "Broker") -> None:
        self._behind.process_changed(broker)

    def links_changed(self) -> None:
        self._behind.links_changed()

    def heartbeat(self, broker: i64, now: i64) -> None:
        if self.metadata is not None:
            self.metadata.heartbeat(broker, now)
        self._behind.heartbeat(broker, now)

    def fencing_decided(self, broker: i64, now: i64) -> None:
        if self.metadata is not None:
            self.metadata.fencing_decided(broker, now)

    def controller_activated(self, now: i64) -> None:
        if self.metadata is not None:
            self.metadata.activated_controller(now)
        self._behind.controller_activated(now)

    def committed(self, record: Record) -> None:
        if self.metadata is not None:
            self.metadata.committed(record)
        self._behind.committed(record)

    def batch_committed(self, records: list[Record]) -> None:
        if self.metadata is not None and self.logs is not None:
            self.count += 1
            self.metadata.batch_committed()
            for record in records:
                r = record.partition
                if r is not None:
                    is_branch = record.election == ELECTION_UNCLEAN or record.election == ELECTION_LAST_KNOWN
                    self.logs.committed(r, is_branch)
        self._behind.batch_committed(records)

    def isr_changed(self, replica: Replica) -> None:
        self._behind.isr_changed(replica)

    def activated(self, replica: Replica) -> None:
        if self.logs is not None:
            self.count += 1
            self.logs.activated(replica)
        self._behind.activated(replica)

    def appended(self, replica: Replica, batch: Batch) -> None:
        if self.logs is not None and self.clients is not None:
            self.count += 1
            self.logs.appended(replica, batch)
            if replica.role == LEADER:
                self.clients.appended(replica, batch)
        self._behind.appended(replica, batch)

    def fetched(self, replica: Replica, remote: Remote) -> None:
        if self.logs is not None:
            self.count += 1
            self.logs.fetched(replica, remote)
        self._behind.fetched(replica, remote)

    def hw_moved(self, replica: Replica, old: i64) -> None:
        if self.logs is not None:
            self.count += 1
            self.logs.hw_moved(replica, old)
        self._behind.hw_moved(replica, old)

    def truncated(self, replica: Replica, old: i64, seq: i64) -> None:
        if self.logs is not None:
            self.count += 1
            self.logs.truncated(replica, old)
        self._behind.truncated(replica, old, seq)

    def proposed(self, replica: Replica) -> None:
        if self.logs is not None:
            self.count += 1
            self.logs.proposed(replica)
        self._behind.proposed(replica)

    def answered(self, replica: Replica, offset: i64, count: i64, acks: i64) -> None:
        if self.clients is not None:
            self.count += 1
            self.clients.answered(replica, offset, count, acks)
        self._behind.answered(replica, offset, count, acks)


@final
class CheckedLedger(Ledger):
    """Checks what the clients report, then lets the book have it."""

    __slots__ = ("_behind", "_checks")

    def __init__(self, checks: Checks, behind: Ledger) -> None:
        self._checks = checks
        self._behind = behind

    def called(self, client: i64, p: i64, n: i64, count: i64) -> None:
        self._behind.called(client, p, n, count)

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
        clients = self._checks.clients
        if clients is not None and error == ERR_NONE and acks == ACKS_ALL and offset >= 0:
            clients.acked(client, p, n, count, offset)
        self._behind.settled(client, p, n, count, acks, offset, epoch, error, may_be_written)

    def abandoned(self, client: i64, p: i64, n: i64, count: i64, acks: i64, may_be_written: bool) -> None:
        self._behind.abandoned(client, p, n, count, acks, may_be_written)

    def delivered(self, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        clients = self._checks.clients
        if clients is not None:
            clients.delivered(client, p, offset, count, epoch)
        self._behind.delivered(client, p, offset, count, epoch)

    def position_moved(self, client: i64, p: i64, old: i64, new: i64, why: i64) -> None:
        clients = self._checks.clients
        if clients is not None:
            clients.position_moved(client, p, new)
        self._behind.position_moved(client, p, old, new, why)

    def unassigned(self, client: i64, p: i64) -> None:
        self._behind.unassigned(client, p)
