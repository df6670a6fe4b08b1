"""The ground that all clusters of a world share: one clock, one network, the list of all topics, and node names.

Names of an action are those of its cluster: node ids, clients, racks. In a world of several clusters the ends of a link
say their cluster: ``east/1``, ``east/app``, ``east/az-a``, or ``east`` for every node of it.
"""

from simengine.kafka.shared.config import Catalog
from simengine.kernel.network import Network
from simengine.kernel.node import Node
from simengine.kernel.sim import Sim
from simengine.kernel.site import SEPARATOR
from simengine.scenario.actions import NODE_VERBS, Action
from simengine.scenario.arguments import split_ends, split_link
from simengine.scenario.model import Document, NetworkEntry
from simengine.world.cluster_parts import ClusterParts
from simengine.world.mirrors.process import MirrorProcess


class SharedWorld:
    """The parts of a world that its clusters share."""

    def __init__(self, seed: int, between: NetworkEntry) -> None:
        self.sim = Sim(seed)
        self.between = between  # delays from cluster to cluster
        self.net = Network(self.sim, [], between.latency_us, between.jitter_us)
        self.catalog = Catalog()
        self.clusters: list[ClusterParts] = []  # in order of their sites' indices
        self.processes: dict[str, MirrorProcess] = {}  # of MirrorMaker, by name
        self.actions = 0  # that were carried out

    def connect(self, doc: Document) -> None:
        """Set the links between named clusters as their document says."""
        for a in self.net.nodes:
            for b in self.net.nodes:
                if a.site.index < b.site.index:
                    self.net.set_latency(a, b, doc.network.latency_us, doc.network.jitter_us)
        for link in doc.network.links:
            latency = doc.network.latency_us if link.latency_us is None else link.latency_us
            jitter = doc.network.jitter_us if link.jitter_us is None else link.jitter_us
            for a in self.ends(link.between[0]):
                for b in self.ends(link.between[1]):
                    if a is not b:
                        self.net.set_latency(a, b, latency, jitter)

    def ends(self, name: str) -> list[Node]:
        """The nodes that one end of a link names; of a cluster those that stand there, MirrorMaker's included."""
        if not self.clusters[0].site.name:
            return self.clusters[0].ends(name)
        process = self.processes.get(name)
        if process is not None:
            return process.legs()
        site, _, rest = name.partition(SEPARATOR)
        cluster = self.named(site)
        return cluster.ends(rest) if rest else self._standing_at(cluster)

    def process_of(self, action: Action) -> MirrorProcess | None:
        """The process of MirrorMaker that an action is about; None if it is about something else."""
        return self.processes.get(action.args[0]) if action.verb in NODE_VERBS else None

    def _standing_at(self, cluster: ClusterParts) -> list[Node]:
        """The nodes of a cluster without legs that reach it from elsewhere, and all legs of the processes beside it."""
        legs = [leg for one in self.processes.values() for leg in one.legs()]
        there = [leg for one in self.processes.values() if one.site is cluster.site for leg in one.legs()]
        return [node for node in cluster.nodes() if node not in legs] + there

    def sides(self, link: str) -> tuple[list[Node], list[Node]]:
        """The nodes on the left and on the right of a link such as ``1|2,3``."""
        left, _, right = split_link(link)
        here = [node for end in split_ends(left) for node in self.ends(end)]
        return here, [node for end in split_ends(right) for node in self.ends(end)]

    def directions(self, link: str) -> list[tuple[Node, Node]]:
        """The directions that a link such as ``1|2,3`` or ``1>2`` names; "" names all."""
        if not link:
            return [(a, b) for a in self.net.nodes for b in self.net.nodes]
        left, right = self.sides(link)
        pairs = [(a, b) for a in left for b in right if a is not b]
        if self.processes:
            pairs = self._without_far_legs(pairs)
        return pairs if ">" in link else pairs + [(b, a) for a, b in pairs]

    def _without_far_legs(self, pairs: list[tuple[Node, Node]]) -> list[tuple[Node, Node]]:
        """The links that there are: a leg of MirrorMaker talks to the brokers of one cluster."""
        legs = {int(leg.id) for one in self.processes.values() for leg in one.legs()}
        brokers = {int(broker.id): one.site for one in self.clusters for broker in one.cluster.brokers}
        return [
            (a, b)
            for a, b in pairs
            if (int(a.id) not in legs or brokers.get(int(b.id)) is a.site)
            and (int(b.id) not in legs or brokers.get(int(a.id)) is b.site)
        ]

    def named(self, cluster: str) -> ClusterParts:
        """The cluster of a name."""
        return next(one for one in self.clusters if one.site.name == cluster)

    def clusters_of(self, nodes: list[Node]) -> list[ClusterParts]:
        """The clusters that these nodes are of, in order."""
        return [one for one in self.clusters if any(node.site is one.site for node in nodes)]
