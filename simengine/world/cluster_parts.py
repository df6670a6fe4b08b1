"""The parts of one cluster, and which of them a name means: what its world, its clients and its actions know of it."""

from simengine.clients.consumer.consumer import Consumer
from simengine.clients.network.ledger import ClientListener
from simengine.clients.producer.producer import Producer
from simengine.kafka.broker.broker import Broker
from simengine.kafka.cluster.cluster import Cluster
from simengine.kafka.controller.quorum import Controller
from simengine.kernel.network import Network
from simengine.kernel.node import Node
from simengine.scenario.model import Document
from simengine.scenario.settings import Settings
from simengine.world.topic_table import TopicTable

OFFSETS_TOPIC = "__consumer_offsets"


class ClusterParts:
    """The Kafka processes of a cluster, its clients, and its topics by name; ``ClusterBuild`` makes them."""

    def __init__(
        self, doc: Document, settings: Settings, cluster: Cluster, net: Network, ledger: ClientListener
    ) -> None:
        self.doc = doc
        self.site = cluster.site
        self.settings = settings
        self.sim = cluster.sim
        self.net = net
        self.config = cluster.config
        self.cluster = cluster
        self.ledger = ledger
        self.producers: list[Producer] = []
        self.consumers: list[Consumer] = []
        self.clients: dict[str, Producer | Consumer] = {}
        self.table = TopicTable(self.cluster)
        self.topic_index = self.table.topic_index
        self.partition_index = self.table.partition_index
        self.observers: dict[
            int, list[int]
        ] = {}  # by topic's index: the brokers whose copies never join the ISR (OBS-1)
        self.shared: dict[int, list[Controller]] = {}  # by broker: the controllers in its process (combined mode) ...
        self.homes: dict[int, Broker] = {}  # ... and by controller the broker

    def process_of(self, name: str) -> Node:
        """The node by whose process a node lives: of a controller that shares a broker's process, that broker."""
        node = self.ends(name)[0]
        return self.homes.get(int(node.id), node)

    def ends(self, name: str) -> list[Node]:
        """The nodes that one end of a link names: a node id, a client id, or a rack."""
        nodes: list[Node] = [*self.cluster.brokers, *self.cluster.controllers]
        for node in nodes:
            if str(int(self.site.kafka_id(node.id))) == name:
                return [node]
        if name in self.clients:
            return [self.clients[name]]
        return [node for node in self.nodes() if node.rack == name and name]

    def nodes(self) -> list[Node]:
        """Every node of this cluster: brokers, controllers, clients."""
        return [node for node in self.net.nodes if node.site is self.site]

    def number(self, kafka_id: str) -> int:
        """The world-wide number of a broker or controller that a text names by its Kafka id."""
        return int(self.site.base) + int(kafka_id)

    def offsets_partition(self) -> int:
        """Index of the first partition of ``__consumer_offsets``: it holds the commits of every group (CON-6)."""
        return int(self.cluster.topics[self.topic_index[OFFSETS_TOPIC]].partitions[0])

    def topic_partitions(self, topic: str, numbers: list[int] | None) -> list[int]:
        """Indices of some partitions of a topic (None: of all)."""
        if numbers is None:
            return list(self.cluster.topics[self.topic_index[topic]].partitions)
        return [self.partition_index[topic, number] for number in numbers]
