"""Bounds on the lags and the expired writes that brokers report, recounted from a run's facts (MET-11, MET-12).

It needs the traffic of the run, stored from the start of the run on; so only some of the runs are recounted so.
"""

from simengine.kafka.broker.broker import Broker
from simengine.kafka.replica.replica import NOBODY
from simengine.world.world import World
from tests.recount.expired import Expired
from tests.recount.lags import Lags
from tests.recount.rows import Readers, Rows


class Told:
    """The bounds that facts set to what brokers say of lags and of expired writes."""

    def __init__(self, world: World, others: list[Readers]) -> None:
        """``others``: who else reads the same facts."""
        self._world = world
        self._lags = Lags()
        self._expired = Expired(world)
        self._rows = Rows(world, [self._lags.readers, self._expired.readers, *others])

    def read(self) -> None:
        """Take in what has happened since the last time."""
        self._rows.read()

    def bounds_of(self, broker: Broker) -> dict[str, tuple[int, int]]:
        """The least and the most that a running broker may report, by the last part of the metric's name."""
        found = {"ExpiresPerSec": self._expired.bounds(int(broker.id), self._world.now_us)}
        cluster = self._world.cluster
        for copy in broker.hosted:
            told = self._lags.bounds((int(broker.id), int(copy.p)))
            if told is None or copy.fetched_from == NOBODY:
                continue
            leader, low, high = told
            topic, number = cluster.partition_names[copy.p]
            thread = f"clientId=ReplicaFetcherThread-0-{leader}"
            name = f"ConsumerLag,{thread},topic={cluster.topics[topic].name},partition={number}"
            leo = int(copy.log.leo)
            found[name] = (max(0, low - leo), max(0, high - leo))
        return found
