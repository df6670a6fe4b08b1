"""The copy of a partition that counts: the leader's, or the one that would be."""

from simengine.kafka.cluster.cluster import Cluster
from simengine.kafka.replica.replica import Partition
from simengine.verdict.write_path import leader_of


def counted_copy(cluster: Cluster, p: int) -> Partition | None:
    """The leader's copy; without a leader that of the newest epoch, and of these the longest. None: no copy is left."""
    leader = leader_of(cluster, p)
    if leader is not None:
        return leader
    best: Partition | None = None
    for broker in cluster.brokers:
        replica = broker.replica(p)
        if replica is not None and (best is None or _rank(replica) > _rank(best)):
            best = replica
    return best


def _rank(replica: Partition) -> tuple[int, int, int]:
    return int(replica.log.cache.last()), int(replica.hw), int(replica.log.leo)
