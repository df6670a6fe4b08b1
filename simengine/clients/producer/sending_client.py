"""The process that a Sender belongs to: an application that produces, or a task of MirrorMaker."""

from mypy_extensions import i64

from simengine.clients.network.client_node import ClientNode
from simengine.clients.network.network_client import NetworkClient
from simengine.clients.producer.interception import Interception
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.kafka.wire.api import MetadataAnswer
from simengine.kernel.network import Network
from simengine.kernel.site import Site


class SendingClient(ClientNode):
    """The receiver of a Sender's reports, except those about records."""

    __slots__ = ("interceptions",)

    def __init__(self, net: Network, client_id: str, rack: str, site: Site) -> None:
        super().__init__(net, client_id, rack, site)
        self.interceptions: list[Interception] = []  # that still wait for their request

    def metadata_came(self, sender: NetworkClient) -> None:
        """A sender of this process has new metadata."""

    def drained(self, sender: NetworkClient) -> None:
        """A closing sender has nothing left."""

    def topics_changed(self, sender: NetworkClient, answer: MetadataAnswer) -> bool:
        """A refresh names partitions that are new or gone; whether the process takes any of them up."""
        return False

    def rebooked(self, batch: ProducerBatch, p: i64, acks: i64) -> None:
        """A batch of a sender in this mode of acks will be sent to partition p, if not for the first time to that."""
