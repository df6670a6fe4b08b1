"""The topics of a cluster that no flow copies to another one, with their records."""

from typing import Any, Final

from simengine.world.cluster_parts import ClusterParts
from simengine.world.failover_state import UnmirroredTopic
from simengine.world.mirrors.counted import counted_copy

INTERNAL: Final = "__"  # what brokers keep for themselves is never copied


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
