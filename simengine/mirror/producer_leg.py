"""A producer of the MirrorMaker process.

Those of Connect: acks=all, one request in flight, no idempotence, no delivery timeout. So a request whose response is
lost is written twice (MM-1). The task makes the producer of offset syncs itself, with a producer's defaults (MM-4).
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.clients.network.network_client import NetworkClient
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


@trait
class BlockedCaller:
    """A thread that hangs in ``send()`` until the producer has metadata of the topic (PC-14)."""

    def metadata_known(self) -> None:
        """``send()`` has returned."""


@final
class ProducerLeg(SendingClient):
    """The end of a MirrorMaker process that writes to one cluster."""

    __slots__ = ("_blocked", "_blocked_at", "_net", "_sender", "_starts", "settings")

    def __init__(self, net: Network, client_id: str, settings: ProducerSettings, site: Site) -> None:
        super().__init__(net, client_id, NO_RACK, site)
        self.settings = settings
        self._net = net
        self._sender: Sender | None = None
        self._starts: i64 = 0
        self._blocked: list[BlockedCaller] = []
        self._blocked_at: i64 = 0

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
        self._blocked = []
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

    def blocks(self, p: i64, caller: BlockedCaller) -> bool:
        """True if ``send`` to a partition waits for metadata; the caller hears when it comes (no ``max.block.ms``)."""
        if self.sender().metadata.knows(p):
            return False
        self._blocked_at = p
        self._blocked.append(caller)
        return True

    def metadata_came(self, sender: NetworkClient) -> None:
        if self._blocked and self.sender().metadata.knows(self._blocked_at):
            blocked, self._blocked = self._blocked, []
            for caller in blocked:
                caller.metadata_known()

    def hold(self) -> None:
        """The network thread hangs in the callback of a record."""
        self.sender().is_held = True

    def let_go(self) -> None:
        """The callback has returned."""
        self.sender().is_held = False
        self.sender().look_around()
