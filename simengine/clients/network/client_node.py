"""A client process: an application's Kafka client, or a part of MirrorMaker that talks to one cluster."""

from mypy_extensions import i64

from simengine.kernel.network import Network
from simengine.kernel.node import Node
from simengine.kernel.site import Site


class ClientNode(Node):
    """``number`` is its index among the clients of the world, its node id is -1 - number."""

    __slots__ = ("number",)

    def __init__(self, net: Network, client_id: str, rack: str, site: Site) -> None:
        number = len(net.clients)
        super().__init__(net.sim, -1 - number, site.prefix + client_id, rack, site)
        net.clients.append(self)
        self.number: i64 = number
