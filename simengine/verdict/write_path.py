"""Who leads a partition, and whether it can be written and read now, by the state of the servers (section 5).

A leader counts when it leads in the epoch that the controller has committed and its process is up; it takes calls when
it also listens, is not paused, and some of the clients reaches it.
"""

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from simengine.kafka.broker import Broker
from simengine.kafka.lifecycle import BOOTING
from simengine.kafka.replica import LEADER, Replica
from simengine.kafka.replica_host import ReplicaHost

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster

OPEN: Final = 0
STALLED: Final = 1
BELOW_MIN_ISR: Final = 2
LEADERLESS: Final = 3


def is_running(broker: Broker) -> bool:
    """Whether a broker's process is there; one whose JVM is only coming up has read nothing from its disk yet."""
    return broker.up and broker.lifecycle.state != BOOTING


def leader_of(cluster: "Cluster", p: i64) -> Replica | None:
    """The replica that leads in the epoch the controller has committed, if its process runs and knows it."""
    replica = elected_of(cluster, p)
    registration = cluster.quorum.image.partition(p)
    if replica is None or registration is None or replica.role != LEADER or replica.epoch != registration.epoch:
        return None
    return replica


def elected_of(cluster: "Cluster", p: i64) -> Replica | None:
    """The replica that the controller has committed as the leader, if its process runs, whether it knows or not."""
    registration = cluster.quorum.image.partition(p)
    if registration is None or registration.leader < 0:
        return None
    broker = cluster.by_id.get(int(registration.leader))
    if broker is None or not is_running(broker):
        return None
    return broker.replica(p)


def coming_leader(cluster: "Cluster", p: i64) -> Replica | None:
    """The replica that is elected and does not know it, or while nobody leads the only one that may be elected."""
    elected = elected_of(cluster, p)
    return only_candidate(cluster, p) if elected is None else elected


def only_candidate(cluster: "Cluster", p: i64) -> Replica | None:
    """The only replica that a clean election may choose while nobody leads, if its process runs (ELEC-4, ELR-4)."""
    registration = cluster.quorum.image.partition(p)
    if registration is None or registration.leader >= 0:
        return None
    members = registration.isr or registration.elr or registration.last_known
    broker = cluster.by_id.get(int(members[0])) if len(members) == 1 else None
    if broker is None or not is_running(broker):
        return None
    return broker.replica(p)


def acting_leader(cluster: "Cluster", p: i64, epoch: i64) -> Replica | None:
    """The replica that leads in an epoch by what its own broker knows, if its process runs."""
    for broker in cluster.brokers:
        replica = broker.replica(p)
        if replica is not None and replica.role == LEADER and replica.epoch == epoch and is_running(broker):
            return replica
    return None


def write_state(cluster: "Cluster", leader: Replica | None, writers: list[int]) -> i64:
    """The state of the write path for acks=all (OPEN, STALLED, BELOW_MIN_ISR, LEADERLESS)."""
    if leader is None or not takes_calls(cluster, leader.broker, writers):
        return LEADERLESS
    if len(leader.isr) < leader.min_isr:
        return BELOW_MIN_ISR
    net = cluster.net
    for remote in leader.remotes:
        if not remote.in_maximal:
            continue
        member = cluster.by_id[int(remote.broker)]
        if not is_running(member) or member.paused or remote.leo < 0:
            return STALLED
        if net.is_cut(member, leader.broker) or net.is_cut(leader.broker, member):
            return STALLED
    return OPEN


def cause_of(cluster: "Cluster", p: i64, topic: i64, state: i64) -> i64:
    """What left a partition leaderless or below M: its registration, its leader, or what M was set to (PROD-2)."""
    registration = cluster.quorum.image.partition(p)
    if registration is None:
        return 0
    leader = registration.leader
    if state == BELOW_MIN_ISR:
        return max(registration.fact, cluster.quorum.min_insync_fact(topic, leader))
    return max(registration.fact, cluster.whys.of(leader))


def takes_calls(cluster: "Cluster", broker: ReplicaHost, clients: list[int]) -> bool:
    """Whether a leader answers some of the clients (anybody, where there are none)."""
    if broker.paused or not broker.listening:
        return False
    net = cluster.net
    if net.cuts == 0 or not clients:
        return True
    for index in clients:
        client = net.clients[index]
        if not net.is_cut(client, broker) and not net.is_cut(broker, client):
            return True
    return False
