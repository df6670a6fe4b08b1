"""Looks at a world when the first client moves from one cluster to another."""

from typing import TYPE_CHECKING, Final

from simengine.facts.kinds import CLIENT_OPEN
from simengine.world.client_moves import spans_of
from simengine.world.cluster_parts import ClusterParts
from simengine.world.failover_state import FailoverStart, WaitingProducer
from simengine.world.mirrors.counted import counted_copy
from simengine.world.mirrors.lag import lag_of
from simengine.world.mirrors.verdict import mirror_verdicts
from simengine.world.unmirrored import unmirrored_topics

if TYPE_CHECKING:
    from simengine.world.world import World

THETA_US: Final = 1_000_000  # a call that takes no longer does not wait


def failover_start(world: "World", here: ClusterParts, there: ClusterParts) -> FailoverStart:
    """The state now."""
    flow = f"{here.site.name}->{there.site.name}"
    flows = mirror_verdicts(world.mirrors)
    mirrored = {topic["topic"] for one in flows if one["flow"] == flow for topic in one["topics"]}
    lag = lag_of(world.mirrors, flow)
    return FailoverStart(flows, unmirrored_topics(here, there, mirrored), lag, _waiting(here), _ends(there))


def _ends(there: ClusterParts) -> dict[int, int]:
    own = [int(p) for topic in there.cluster.own_topics() if topic.exists for p in topic.partitions]
    copies = {p: counted_copy(there.cluster, p) for p in own}
    return {p: int(copy.log.leo) for p, copy in copies.items() if copy is not None}


def _waiting(here: ClusterParts) -> list[WaitingProducer]:
    now = int(here.sim.now)
    found = [
        WaitingProducer(one, max((end for _, end in spans_of(here, int(one.number))), default=0))
        for one in here.producers
        if one.state == CLIENT_OPEN and any(calls.queued or calls.in_flight for calls in one.calls)
    ]
    return [one for one in found if now - one.wrote_us > THETA_US]
