"""The committed records that each controller has, folded as they come: MET-7..10 are recounted from them."""

from simengine.kafka.cluster.cluster import Cluster
from simengine.kafka.controller.quorum import Controller
from simengine.kafka.shared.metadata import REMOVE_TOPIC_RECORD, PartitionRegistration, Record


class Held:
    """The records that a controller has: the newest of each partition and broker, and the elections it has read.

    Those are counted from ``loaded`` on, the records that its process found when it began.
    """

    def __init__(self, loaded: int) -> None:
        self.loaded = loaded
        self.count = 0
        self.partitions: dict[int, PartitionRegistration] = {}
        self.states: dict[int, int] = {}  # of brokers' registrations
        self.elections: list[int] = []

    def read(self, log: list[Record], count: int) -> None:
        """Take in the records up to ``count``."""
        for record in log[self.count : count]:
            if record.kind == REMOVE_TOPIC_RECORD:
                self.partitions = {p: one for p, one in self.partitions.items() if one.topic != record.topic}
            if record.partition is not None:
                self.partitions[int(record.partition.p)] = record.partition
            if record.broker is not None:
                self.states[int(record.broker.broker)] = int(record.broker.state)
        self.elections += [int(record.election) for record in log[max(self.count, self.loaded) : count]]
        self.count = count


class Records:
    """The records of every controller of a cluster, begun anew with each process, and if it has fewer than before."""

    def __init__(self, cluster: Cluster) -> None:
        self._quorum = cluster.quorum
        self._held: dict[int, Held] = {}

    def of(self, controller: Controller) -> Held:
        """The records that a controller has now."""
        count, loaded = int(self._quorum.held_by(controller)), int(controller.loaded)
        held = self._held.get(int(controller.id))
        if held is None or held.loaded != loaded or held.count > count:
            held = self._held[int(controller.id)] = Held(loaded)
        held.read(self._quorum.log, count)
        return held
