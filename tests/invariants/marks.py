"""Coverage marks: how often a run came to the rare moments that a swarm must see ("sometimes" assertions).

Not among them, since no run of this engine can reach them:

- NOT_ENOUGH_REPLICAS_AFTER_APPEND (PROD-7). A leader raises its mark only while its committed ISR has M members (HW-2),
  and the maximal ISR, which the answer is decided by, holds all of those. In Kafka another thread may change ISR or M
  between the two (`Partition.checkEnoughReplicasReachOffset`); here they are one step, and no broker says it.
- INVALID_REQUEST of AP-2. Who proposes in the epoch that the controller knows is its leader (one_leader_per_epoch),
  names itself, and names replicas: dropping one raises the epoch (REA-4), by which the proposal is refused before.

Unit tables hold what a client makes of the one, and when a controller gives the other.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.facts.errors import (
    ERR_FENCED_LEADER_EPOCH,
    ERR_INELIGIBLE_REPLICA,
    ERR_INVALID_UPDATE_VERSION,
    ERR_NEW_LEADER_ELECTED,
    ERR_NONE,
    ERR_NOT_CONTROLLER,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_STALE_BROKER_EPOCH,
    ERR_UNKNOWN_LEADER_EPOCH,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)
from simengine.facts.kinds import (
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_OFFLINE,
    ELECTION_UNCLEAN,
    RESET_TRUNCATION,
)
from simengine.kafka.replica.observer import GROUP_MEMBER_DROPPED, GROUP_REBALANCED, GROUP_TAKEN_OVER
from simengine.kafka.replica.remote import FollowerState
from simengine.kafka.replica.replica import COMMITTED, LEADER, PENDING_EXPAND, Partition
from simengine.kafka.shared.metadata import Record

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster

QUEUE_WAIT_US: Final = 1_000_000  # a proposal answered later than that has waited for its turn or for a controller

ELECTIONS: Final[dict[int, str]] = {
    ELECTION_ELR: "ELR election",
    ELECTION_LAST_KNOWN: "last-known election",
    ELECTION_UNCLEAN: "unclean election",
    ELECTION_OFFLINE: "partition offline",
}
PROPOSALS: Final[dict[int, str]] = {
    ERR_STALE_BROKER_EPOCH: "AlterPartition: STALE_BROKER_EPOCH",
    ERR_UNKNOWN_TOPIC_OR_PARTITION: "AlterPartition: UNKNOWN_TOPIC_OR_PARTITION",
    ERR_NOT_CONTROLLER: "AlterPartition: NOT_CONTROLLER",
    ERR_FENCED_LEADER_EPOCH: "AlterPartition: FENCED_LEADER_EPOCH",
    ERR_INVALID_UPDATE_VERSION: "AlterPartition: INVALID_UPDATE_VERSION",
    ERR_INELIGIBLE_REPLICA: "AlterPartition: INELIGIBLE_REPLICA",
    ERR_NEW_LEADER_ELECTED: "AlterPartition: NEW_LEADER_ELECTED",
}
FETCHES: Final[dict[int, str]] = {
    ERR_FENCED_LEADER_EPOCH: "fetch: FENCED_LEADER_EPOCH",
    ERR_UNKNOWN_LEADER_EPOCH: "fetch: UNKNOWN_LEADER_EPOCH",
    ERR_NOT_LEADER_OR_FOLLOWER: "fetch: NOT_LEADER_OR_FOLLOWER",
}
GROUPS: Final[dict[int, str]] = {
    GROUP_REBALANCED: "group rebalanced",
    GROUP_TAKEN_OVER: "group taken over by a new coordinator",
    GROUP_MEMBER_DROPPED: "group member dropped with its session",
}
OTHERS: Final = (
    "truncation",
    "truncation in two rounds or more",
    "truncation of a record acked with acks=1",
    "log dropped whole and begun anew (FET-13)",
    "append by a zombie",
    "INELIGIBLE_REPLICA after a wait in the queue",
    "high watermark frozen below M",
    "joiner far behind below M leaves again (ISR-7)",
    "duplicate batch answered",
    "new producer epoch (IDEM-5)",
    "position rewound to a truncation (CON-4)",
    "reassignment across a failover",
    "controller failover",
    "controller failover with a pending AlterPartition",
    "two leaders alive in different epochs",
    "REQUEST_TIMED_OUT",
    "data lost with a disk or a power failure",
    "excused partition",
    "core without a majority of the voters (QUO-6)",
)
MARKS: Final = (*ELECTIONS.values(), *PROPOSALS.values(), *FETCHES.values(), *GROUPS.values(), *OTHERS)


@final
class MarkCounts:
    """Counts the marks of one run."""

    __slots__ = ("_behind", "_pid_epochs", "_proposed_at", "cluster", "counts", "refusals")

    def __init__(self, cluster: "Cluster") -> None:
        self.cluster = cluster
        self.counts: dict[str, int] = dict.fromkeys(MARKS, 0)
        self.refusals: dict[int, int] = {}  # leader -> fetches of followers that it refused
        self._proposed_at: dict[tuple[int, int], int] = {}
        self._behind: dict[tuple[int, int], bool] = {}  # (partition, broker) that joined far behind, below M
        self._pid_epochs: dict[int, int] = {}

    def add(self, name: str) -> None:
        """Such a moment has come."""
        self.counts[name] += 1

    def committed(self, record: Record) -> None:
        """Elections, and reassignments under way while one happens."""
        name = ELECTIONS.get(int(record.election))
        if name is not None:
            self.add(name)
        r = record.partition
        if r is not None and record.election != 0 and r.adding:
            self.add("reassignment across a failover")

    def controller_activated(self) -> None:
        """A failover of the controller."""
        if self.cluster.quorum.epoch <= 1:
            return
        self.add("controller failover")
        for broker in self.cluster.brokers:
            for replica in broker.hosted:
                if replica.role == LEADER and replica.pending != COMMITTED and broker.up:
                    self.add("controller failover with a pending AlterPartition")
                    return

    def activated(self, replica: Partition) -> None:
        """A new leader: does an older one still take itself for the leader?"""
        for broker in self.cluster.brokers:
            other = broker.replica(replica.p)
            if other is None or other is replica or not broker.up:
                continue
            if other.role == LEADER and other.epoch < replica.epoch:
                self.add("two leaders alive in different epochs")

    def appended(self, replica: Partition, pid: i64, pid_epoch: i64) -> None:
        """A leader appended."""
        r = self.cluster.quorum.image.partition(replica.p)
        if r is not None and r.epoch > replica.epoch:
            self.add("append by a zombie")
        if len(replica.isr) < replica.min_isr:
            self.add("high watermark frozen below M")
        if pid >= 0 and pid_epoch > self._pid_epochs.get(int(pid), 0):
            self._pid_epochs[int(pid)] = int(pid_epoch)
            self.add("new producer epoch (IDEM-5)")

    def proposed(self, replica: Partition) -> None:
        """A change of an ISR."""
        key = (int(replica.p), int(replica.broker.id))
        self._proposed_at[key] = int(self.cluster.sim.now)
        if replica.pending == PENDING_EXPAND:
            for member in replica.pending_isr:
                remote = replica.remote(member)
                if remote is not None and member not in replica.isr:
                    self._behind[(key[0], member)] = self._is_far_behind(replica, remote)
            return
        for member in replica.isr:
            if member not in replica.pending_isr and self._behind.pop((key[0], member), False):
                self.add("joiner far behind below M leaves again (ISR-7)")

    def _is_far_behind(self, replica: Partition, remote: FollowerState) -> bool:
        return len(replica.isr) < replica.min_isr and remote.leo < replica.log.leo

    def proposal_answered(self, broker: i64, p: i64, error: i64) -> None:
        """The controller answered AlterPartition."""
        if error == ERR_NONE:
            return
        name = PROPOSALS.get(int(error))
        if name is not None:
            self.add(name)
        waited = self.cluster.sim.now - self._proposed_at.get((int(p), int(broker)), 1 << 60)
        if error == ERR_INELIGIBLE_REPLICA and waited > QUEUE_WAIT_US:
            self.add("INELIGIBLE_REPLICA after a wait in the queue")

    def fetch_refused(self, leader: i64, error: i64) -> None:
        """A leader refused a follower's fetch of a partition."""
        name = FETCHES.get(int(error))
        if name is not None:
            self.add(name)
            self.refusals[int(leader)] = self.refusals.get(int(leader), 0) + 1

    def group_changed(self, what: i64) -> None:
        """A coordinator did something with a consumer group (CON-6)."""
        self.add(GROUPS[int(what)])

    def rewound(self, why: i64) -> None:
        """A consumer's position was set."""
        if why == RESET_TRUNCATION:
            self.add("position rewound to a truncation (CON-4)")

    def totals(self) -> dict[str, int]:
        """The counts, with what brokers count themselves."""
        counts = dict(self.counts)
        for broker in self.cluster.brokers:
            counts["duplicate batch answered"] += int(broker.duplicates_answered)
            counts["REQUEST_TIMED_OUT"] += int(broker.metrics.expired_produces)
        return counts
