"""What all clusters of a world stand on: one clock, one network, the list of all topics; and who is meant by a name.

Names of an action are those of its cluster: node ids, clients, racks. In a world of several clusters the ends of a link
say their cluster: ``east/1``, ``east/app``, ``east/az-a``, or ``east`` for every node of it.
"""

from typing import TYPE_CHECKING

from simengine.client_moves import ClientMoves
from simengine.flows.process import MirrorProcess
from simengine.kafka.config import Catalog
from simengine.kernel.network import Network
from simengine.kernel.node import Node
from simengine.kernel.sim import Sim
from simengine.kernel.site import SEPARATOR
from simengine.scenario.actions import NODE_VERBS, Action
from simengine.scenario.model import Document
from simengine.scenario.model import Network as NetworkModel

if TYPE_CHECKING:
    from simengine.assembly import Assembly


class Ground:
    """The parts of a world that its clusters share."""

    def __init__(self, seed: int, between: NetworkModel) -> None:
        self.sim = Sim(seed)
        self.between = between  # delays from cluster to cluster
        self.net = Network(self.sim, [], between.latency_us, between.jitter_us)
        self.catalog = Catalog()
        self.clusters: list[Assembly] = []  # in order of their sites' indices
        self.processes: dict[str, MirrorProcess] = {}  # of MirrorMaker, by name
        self.actions = 0  # that were carried out
        self.moves = ClientMoves([], list)

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

    def _standing_at(self, cluster: "Assembly") -> list[Node]:
        """The nodes of a cluster without legs that reach it from elsewhere, and all legs of the processes beside it."""
        legs = [leg for one in self.processes.values() for leg in one.legs()]
        there = [leg for one in self.processes.values() if one.site is cluster.site for leg in one.legs()]
        return [node for node in cluster.nodes() if node not in legs] + there

    def sides(self, args: tuple[str, ...]) -> tuple[list[Node], list[Node]]:
        """The nodes on the left and on the right of a link, of the arguments of an action."""
        left = [node for end in args[0].split(",") for node in self.ends(end)]
        right = [node for end in args[2].split(",") for node in self.ends(end)]
        return left, right

    def directions(self, args: tuple[str, ...]) -> list[tuple[Node, Node]]:
        """The directions that the arguments of an action on a link name; without any, all there are."""
        if not args:
            return [(a, b) for a in self.net.nodes for b in self.net.nodes]
        left, right = self.sides(args)
        pairs = [(a, b) for a in left for b in right if a is not b]
        if self.processes:
            pairs = self._without_far_legs(pairs)
        return pairs + [(b, a) for a, b in pairs] if args[1] == "|" else pairs

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

    def named(self, cluster: str) -> "Assembly":
        """The cluster of a name."""
        return next(one for one in self.clusters if one.site.name == cluster)

    def clusters_of(self, nodes: list[Node]) -> "list[Assembly]":
        """The clusters that these nodes are of, in order."""
        return [one for one in self.clusters if any(node.site is one.site for node in nodes)]
