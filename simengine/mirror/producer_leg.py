"""A producer of the MirrorMaker process.

Those of Connect: acks=all, one request in flight, no idempotence, no delivery timeout. So a request whose response is
lost is written twice (MM-1). The task makes the producer of offset syncs itself, with a producer's defaults (MM-4).
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.clients.network.settings import IDEMPOTENCE_OFF, ProducerSettings
from simengine.clients.producer.completion import PartitionCompletion
from simengine.clients.producer.sender import Sender
from simengine.clients.producer.sending_client import SendingClient
from simengine.kafka.wire.api import ClientServer
from simengine.kernel.network import Network
from simengine.kernel.site import Site

NO_RACK: Final = ""
DELIVERY_TIMEOUT_US: Final = 2_147_483_647_000  # delivery.timeout.ms: Integer.MAX_VALUE, 24 days


def connect_settings() -> ProducerSettings:
    """The settings that a Connect worker gives its producers."""
    settings = ProducerSettings()
    settings.idempotence = IDEMPOTENCE_OFF
    settings.max_in_flight = 1
    settings.delivery_timeout_us = DELIVERY_TIMEOUT_US
    return settings


@final
class ProducerLeg(SendingClient):
    """The end of a MirrorMaker process that writes to one cluster."""

    __slots__ = ("_net", "_sender", "_starts", "settings")

    def __init__(self, net: Network, client_id: str, settings: ProducerSettings, site: Site) -> None:
        super().__init__(net, client_id, NO_RACK, site)
        self.settings = settings
        self._net = net
        self._sender: Sender | None = None
        self._starts: i64 = 0

    def attach(self, brokers: list[ClientServer]) -> None:
        """Name the brokers of its cluster; once, before ``start``."""
        self._sender = Sender(self._net, self, brokers, [], self.settings)

    def sender(self) -> Sender:
        """The network half."""
        assert self._sender is not None, "a leg is attached before it is used"
        return self._sender

    def start(self) -> None:
        """A new process."""
        self.up = True
        self.listening = True
        self._starts += 1
        self.sender().start(self.settings, (self.number << 20) + self._starts)

    def die(self) -> None:
        """Nothing more is sent, and no record ends."""
        super().die()
        self.sender().abandon()

    def force_close(self) -> None:
        """Drop what has not been written yet; ``start`` begins anew."""
        self.sender().force_close()

    def send(self, completion: PartitionCompletion, n: i64, count: i64) -> None:
        """Write records n .. n+count-1 to the partition of ``completion``, which hears how they end."""
        self.sender().add(completion, n, count)
