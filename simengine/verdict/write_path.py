"""The leader of a partition, and whether it can be written and read now, by the state of the servers (STOP-1, STOP-2).

A leader counts when it leads in the epoch that the controller has committed and its process is up; it takes calls when
it also listens and is not paused. Links to clients are left aside: what they cost is the clients' own time.
"""

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simengine.facts.decisive import LinkChanged, PartitionChanged, ProcessChanged
from simengine.facts.kinds import REASON_SHUTDOWN
from simengine.kafka.broker.broker import Broker
from simengine.kafka.broker.lifecycle import BOOTING
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.shared.standing import (
    BELOW_MIN_ISR,
    LEADERLESS,
    is_below_min,
    is_reached,
    responds,
    state_of_writes,
)
from simengine.verdict.together import numbered

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


def is_running(broker: Broker) -> bool:
    """True if a broker's process is there; one whose JVM is only coming up has read nothing from its disk yet."""
    return broker.up and broker.lifecycle.state != BOOTING


def leader_of(cluster: "Cluster", p: i64) -> Partition | None:
    """The replica that leads in the epoch the controller has committed, if its process runs and knows it."""
    replica = elected_of(cluster, p)
    registration = cluster.quorum.image.partition(p)
    if replica is None or registration is None or replica.role != LEADER or replica.epoch != registration.epoch:
        return None
    return replica


def elected_of(cluster: "Cluster", p: i64) -> Partition | None:
    """The replica that the controller has committed as the leader, if its process runs, whether it knows or not."""
    registration = cluster.quorum.image.partition(p)
    if registration is None or registration.leader < 0:
        return None
    broker = cluster.by_id.get(int(registration.leader))
    if broker is None or not is_running(broker):
        return None
    return broker.replica(p)


def acting_leader(cluster: "Cluster", p: i64, epoch: i64) -> Partition | None:
    """The replica that leads in an epoch by what its own broker knows, if its process runs."""
    for broker in cluster.brokers:
        replica = broker.replica(p)
        if replica is not None and replica.role == LEADER and replica.epoch == epoch and is_running(broker):
            return replica
    return None


def write_state(cluster: "Cluster", leader: Partition | None) -> i64:
    """The state of the write path for acks=all (OPEN, STALLED, BELOW_MIN_ISR, LEADERLESS)."""
    if leader is None:
        return LEADERLESS
    return state_of_writes(takes_calls(leader.broker), len(leader.isr), leader.min_isr, is_held_up(cluster, leader))


def is_held_up(cluster: "Cluster", leader: Partition) -> bool:
    """True if a member of the ISR does not fetch: it is down, paused or partitioned from the leader (HW-1)."""
    for remote in leader.remotes:
        if remote.in_maximal_isr and (remote.leo < 0 or cannot_fetch(cluster, leader, remote.broker)):
            return True
    return False


def cannot_fetch(cluster: "Cluster", leader: Partition, broker: i64) -> bool:
    """True if a broker is down, paused or partitioned from the leader."""
    net, member = cluster.net, cluster.by_id[int(broker)]
    if not is_running(member) or member.paused:
        return True
    return net.is_cut(member, leader.broker) or net.is_cut(leader.broker, member)


def cause_of(cluster: "Cluster", p: i64, topic: i64, state: i64) -> i64:
    """The fact that left a partition leaderless or below M: its registration, its leader, or M's setting (PROD-2)."""
    registration = cluster.quorum.image.partition(p)
    if registration is None:
        return 0
    leader = registration.leader
    is_short = leader >= 0 and is_below_min(len(registration.isr), cluster.quorum.image.min_insync(topic))
    commit = shutdown_behind(cluster, registration.fact) if is_short else registration.fact
    if state == BELOW_MIN_ISR:
        return max(commit, cluster.quorum.min_insync_fact(topic, leader))
    return commit if commit != registration.fact else max(commit, cluster.causes.of(leader))


def first_leader_trouble(cluster: "Cluster", p: i64) -> i64:
    """The trouble that keeps the first leader of a new partition from its work; 0: none, its creation goes on."""
    registration = cluster.quorum.image.partition(p)
    return 0 if registration is None else cluster.causes.trouble_between(registration.leader, registration.leader)


def unled_cause(cluster: "Cluster", p: i64, cause: i64) -> i64:
    """The fact by which nobody leads a partition: ``cause``, or the newest commit if that took no possible leader away.

    Who may lead is in the ISR or the ELR. A stop may have begun by the death of another broker, or by an election.
    """
    registration = cluster.quorum.image.partition(p)
    if registration is None or registration.leader >= 0:
        return cause
    able = [*registration.isr, *registration.elr, *registration.last_known]
    fact = numbered(cluster.sim.trace.decisive, int(cause))
    if isinstance(fact, ProcessChanged):
        return cause if fact.node in able else registration.fact
    if isinstance(fact, LinkChanged):
        return cause if fact.src in able or fact.dst in able else registration.fact
    return registration.fact if isinstance(fact, PartitionChanged) and fact.leader >= 0 else cause


def shutdown_behind(cluster: "Cluster", commit: i64) -> i64:
    """The shutdown that took a member from the ISR by a commit; the commit where it was none (SHUT-2)."""
    fact = numbered(cluster.sim.trace.decisive, int(commit))
    is_of_shutdown = isinstance(fact, PartitionChanged) and fact.reason == REASON_SHUTDOWN and fact.cause > 0
    return fact.cause if fact is not None and is_of_shutdown else commit


def takes_calls(broker: ReplicaHost) -> bool:
    """True if a leader responds to those who reach it."""
    return broker.listening and not broker.paused


def is_reached_by(cluster: "Cluster", broker: ReplicaHost, clients: list[int]) -> bool:
    """True if a leader responds to some of the clients (to anybody, where there are none)."""
    return responds(broker.paused, broker.listening, is_reached(links_cut(cluster, broker, clients)))


def links_cut(cluster: "Cluster", broker: ReplicaHost, clients: list[int]) -> list[bool]:
    """For each client whether a link between it and a broker is cut, one way at least; empty where no link is."""
    net = cluster.net
    if net.cuts == 0:
        return []
    nodes = [net.clients[index] for index in clients]
    return [net.is_cut(node, broker) or net.is_cut(broker, node) for node in nodes]
