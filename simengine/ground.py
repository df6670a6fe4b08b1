"""What all clusters of a world stand on: one clock, one network, the list of all topics; and who is meant by a name.

Names of an action are those of its cluster: node ids, clients, racks. In a world of several clusters the ends of a link
say their cluster: ``east/1``, ``east/app``, ``east/az-a``, or ``east`` for every node of it.
"""

from typing import TYPE_CHECKING

from simengine.kafka.cluster import Catalog
from simengine.kernel.network import Network
from simengine.kernel.node import Node
from simengine.kernel.sim import Sim
from simengine.kernel.site import SEPARATOR
from simengine.scenario.model import Document

if TYPE_CHECKING:
    from simengine.assembly import Assembly


class Ground:
    """The parts of a world that its clusters share."""

    def __init__(self, seed: int, latency_us: int, jitter_us: int) -> None:
        self.sim = Sim(seed)
        self.net = Network(self.sim, [], latency_us, jitter_us)
        self.catalog = Catalog()
        self.clusters: list[Assembly] = []  # in order of their sites' indices
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
        """The nodes that one end of a link names."""
        if not self.clusters[0].site.name:
            return self.clusters[0].ends(name)
        site, _, rest = name.partition(SEPARATOR)
        cluster = next(one for one in self.clusters if one.site.name == site)
        return cluster.ends(rest) if rest else cluster.nodes()

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
        return pairs + [(b, a) for a, b in pairs] if args[1] == "|" else pairs

    def clusters_of(self, nodes: list[Node]) -> "list[Assembly]":
        """The clusters that these nodes are of, in order."""
        return [one for one in self.clusters if any(node.site is one.site for node in nodes)]
