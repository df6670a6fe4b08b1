"""The new replica lists of several partitions: a broker without replicas, or a topic with another replication factor.

Kafka has no such call. Its administrators compute the lists with a tool and send them in one request; Kafka itself
never makes a copy of its own accord. The lists here move as little as possible: a new replica goes to an active broker
of a rack that the partition does not use, if there is one, and of those to the broker with the fewest replicas.
"""

from collections import Counter
from collections.abc import Iterator
from typing import final

from simengine.kafka.cluster.cluster import Cluster
from simengine.kafka.shared.metadata import PartitionRegistration

Lists = dict[int, list[int]]
"""By partition, preferred leader first."""


@final
class Reassigner:
    """Computes the lists from the newest metadata of a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._image = cluster.quorum.image
        self._lists: Lists = {p: _list(known) for p, known in self._partitions()}
        self._load = Counter(broker for replicas in self._lists.values() for broker in replicas)

    def _partitions(self) -> Iterator[tuple[int, PartitionRegistration]]:
        for p in self._cluster.own_partitions():
            known = self._image.partition(p)
            if known is not None:
                yield p, known

    def without(self, broker: int) -> Lists:
        """The partitions with a replica on a broker, each with another broker in its place where there is one."""
        found = {p: replicas for p, replicas in self._lists.items() if broker in replicas}
        return {p: made for p, replicas in found.items() if broker not in (made := self._moved(replicas, broker))}

    def with_factor(self, topic: int, factor: int) -> Lists:
        """The partitions of a topic with more or fewer replicas than a factor, as near to it as brokers allow."""
        own = {p: replicas for p, replicas in self._lists.items() if self._cluster.partition_names[p][0] == topic}
        return {p: made for p, replicas in own.items() if (made := self._sized(replicas, factor)) != replicas}

    def _moved(self, replicas: list[int], broker: int) -> list[int]:
        others = [one for one in replicas if one != broker]
        found = self._next(others, but=broker)
        return replicas if found is None else [found if one == broker else one for one in replicas]

    def _sized(self, replicas: list[int], factor: int) -> list[int]:
        made = replicas[:factor]
        while len(made) < factor and (found := self._next(made)) is not None:
            made = [*made, found]
        return made

    def _next(self, replicas: list[int], but: int = -1) -> int | None:
        """The broker that takes one more replica of a partition; None where nobody is left."""
        racks = {self._rack(broker) for broker in replicas}
        taken = [*replicas, but]
        able = [one for one in self._cluster.by_id if self._image.is_active(one) and one not in taken]
        best = min(able, key=lambda one: (self._rack(one) in racks, self._load[one], one), default=None)
        if best is not None:
            self._load[best] += 1
        return best

    def _rack(self, broker: int) -> str:
        return self._cluster.by_id[broker].rack


def _list(known: PartitionRegistration) -> list[int]:
    """The replicas that a partition is to have, once a reassignment under way is done."""
    return [broker for broker in known.replicas if broker not in known.removing]
