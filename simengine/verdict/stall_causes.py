"""The cause for which a partition's high watermark stands, or its members lag (HW-1, HW-3)."""

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simengine.kafka.replica.replica import Partition
from simengine.verdict.write_path import cannot_fetch

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


def earlier(one: i64, other: i64) -> i64:
    """The lower of two numbers of facts; 0 is none."""
    return max(one, other) if one == 0 or other == 0 else min(one, other)


def stall_cause(cluster: "Cluster", p: i64, leader: Partition | None, since: i64) -> i64:
    """The fact that keeps the high watermark of a partition where it has been ``since`` (µs; -1: it does not stand)."""
    trouble = slows(cluster, p, leader, since) or _newcomer(cluster, p, leader)
    registration = cluster.quorum.image.partition(p)
    if trouble == 0 and leader is not None and registration is not None:
        members = [one for one in registration.isr if one != leader.broker.id]  # nothing was written, nobody lags
        away = [one for one in members if cannot_fetch(cluster, leader, one)]
        for member in away or members:  # a slow one keeps up as long as nothing is written
            trouble = earlier(trouble, cluster.causes.trouble_between(leader.broker.id, member))
    return trouble if trouble > 0 else newest_cause(cluster, p)


def _newcomer(cluster: "Cluster", p: i64, leader: Partition | None) -> i64:
    """The trouble of a broker outside the ISR that still counts as caught up and may join (HW-1, third set); 0: none.

    Of one that copies the whole log (FET-18) its registration.
    """
    if leader is None:
        return 0
    for remote in leader.remotes:
        if remote.in_maximal_isr or remote.leo > leader.hw or not leader.may_join(remote):
            continue
        if leader.broker.old_logs.holds(p, remote.leo):
            return cluster.quorum.image.registered_by(remote.broker)
        trouble = cluster.causes.trouble_between(leader.broker.id, remote.broker)
        if trouble > 0:
            return trouble
    return 0


def slows(cluster: "Cluster", p: i64, leader: Partition | None, since: i64) -> i64:
    """The first trouble in the way of the members of the maximal ISR that have least (HW-1), 0 without any.

    A member that the controller has taken out already is in the way until the leader hears of that commit.
    """
    registration = cluster.quorum.image.partition(p)
    if leader is None or registration is None:
        return 0
    first: i64 = 0
    least = leader.log.leo
    for remote in leader.remotes:
        if not remote.in_maximal_isr or remote.leo > least or remote.leo == leader.log.leo:
            continue
        if remote.leo < least:
            least = remote.leo
            first = 0
        causes = cluster.causes
        trouble: i64 = 0
        if remote.broker in leader.isr and remote.broker not in registration.isr:
            trouble = registration.fact
        elif since >= 0:
            trouble = causes.cause_of_lag(leader.broker.id, remote.broker, since)
        if trouble == 0:
            trouble = causes.trouble_between(leader.broker.id, remote.broker)
        first = earlier(first, trouble)
    return first


def newest_cause(cluster: "Cluster", p: i64) -> i64:
    """The newest decisive fact about a partition's leader or its registration."""
    registration = cluster.quorum.image.partition(p)
    if registration is None:
        return 0
    newest = registration.fact
    for member in registration.isr:
        why = cluster.causes.of(member)
        if why > newest:
            newest = why
    return newest
