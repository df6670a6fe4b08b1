"""Looks at a world when the first client moves from one cluster to another."""

from typing import TYPE_CHECKING, Any, Final

from simengine.facts.kinds import CLIENT_OPEN
from simengine.world.client_moves import spans_of
from simengine.world.cluster_parts import ClusterParts
from simengine.world.failover_state import FailoverStart, UnmirroredTopic, WaitingProducer
from simengine.world.mirrors.counted import counted_copy
from simengine.world.mirrors.lag import lag_of
from simengine.world.mirrors.verdict import mirror_verdicts

if TYPE_CHECKING:
    from simengine.world.world import World

INTERNAL: Final = "__"  # what brokers keep for themselves is never copied
THETA_US: Final = 1_000_000  # a call that takes no longer does not wait


def failover_start(world: "World", here: ClusterParts, there: ClusterParts) -> FailoverStart:
    """The state now."""
    flow = f"{here.site.name}->{there.site.name}"
    flows = mirror_verdicts(world.mirrors)
    mirrored = {topic["topic"] for one in flows if one["flow"] == flow for topic in one["topics"]}
    lag = lag_of(world.mirrors, flow)
    return FailoverStart(flows, unmirrored_topics(here, mirrored), lag, _waiting(here), _ends(there))


def _ends(there: ClusterParts) -> dict[int, int]:
    own = [int(p) for topic in there.cluster.own_topics() if topic.exists for p in topic.partitions]
    copies = {p: counted_copy(there.cluster, p) for p in own}
    return {p: int(copy.log.leo) for p, copy in copies.items() if copy is not None}


def unmirrored_topics(here: ClusterParts, mirrored: set[str]) -> list[UnmirroredTopic]:
    """The topics of applications in a cluster that are not among those that a flow copies."""
    there = [one for one in here.cluster.own_topics() if one.exists and not one.is_going]
    own = [one for one in there if not one.is_made and not one.is_remote]
    return [_topic(here, one) for one in own if one.title not in mirrored and not one.name.startswith(INTERNAL)]


def _topic(here: ClusterParts, topic: Any) -> UnmirroredTopic:
    copies = [counted_copy(here.cluster, int(p)) for p in topic.partitions]
    logs = [copy.log for copy in copies if copy is not None]
    kept = [batch for log in logs for batch in log.batches if batch.end > log.start]
    us = max((int(one.until) for one in kept), default=0) - min((int(one.time) for one in kept), default=0)
    return UnmirroredTopic(topic.title, sum(int(log.leo - log.start) for log in logs), us)


def _waiting(here: ClusterParts) -> list[WaitingProducer]:
    now = int(here.sim.now)
    found = [
        WaitingProducer(one, max((end for _, end in spans_of(here, int(one.number))), default=0))
        for one in here.producers
        if one.state == CLIENT_OPEN and any(calls.queued or calls.in_flight for calls in one.calls)
    ]
    return [one for one in found if now - one.wrote_us > THETA_US]
