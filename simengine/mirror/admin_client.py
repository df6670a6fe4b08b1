"""The common part of the admin clients of a MirrorMaker process: their timeouts, and calls that are tried again.

A call is tried again, with exponential back-off, until ``default.api.timeout.ms`` is over.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.clients.network.network_client import Connection, NetworkClient, Pending
from simengine.clients.network.settings import doubled
from simengine.kafka.wire.api import ClientServer
from simengine.kernel.network import Network
from simengine.kernel.node import Node, Task

REQUEST_TIMEOUT_US: Final = 30_000_000  # request.timeout.ms
API_TIMEOUT_US: Final = 60_000_000  # default.api.timeout.ms
RETRY_BACKOFF_US: Final = 100_000  # retry.backoff.ms
RETRY_BACKOFF_MAX_US: Final = 1_000_000  # retry.backoff.max.ms


class PendingAdminCall(Pending):
    """A call of an admin client. While it waits to be sent, ``sent_at`` is the earliest time for that."""

    __slots__ = ("attempts", "is_sent", "started")

    def __init__(self, now: i64) -> None:
        super().__init__(0)
        self.started: i64 = now
        self.attempts: i64 = 0
        self.is_sent: bool = False


class AdminClient(NetworkClient):
    """Sends calls, and retries them. A subclass keeps its calls and knows which broker to ask."""

    __slots__ = ()

    def __init__(self, net: Network, node: Node, brokers: list[ClientServer]) -> None:
        super().__init__(net, node, brokers, [], REQUEST_TIMEOUT_US)

    def push(self) -> None:
        """Send the calls that wait, if the broker to ask is connected."""

    def time_is_up(self, call: PendingAdminCall) -> None:
        """A call has taken too long: it fails, if it has not ended."""

    def begin(self, call: PendingAdminCall) -> None:
        """Send a new call as soon as possible."""
        self.sim.at(call.started + API_TIMEOUT_US, CallTimer(self, call, True))
        self.push()

    def retry(self, call: PendingAdminCall) -> None:
        """Send a call again after its back-off."""
        call.is_sent = False
        call.attempts += 1
        call.sent_at = self.sim.now + doubled(RETRY_BACKOFF_US, call.attempts, RETRY_BACKOFF_MAX_US)
        self.sim.at(call.sent_at, CallTimer(self, call, False))

    def on_up(self, connection: Connection) -> None:
        self.push()

    def on_down(self, connection: Connection) -> None:
        self.push()


@final
class CallTimer(Task):
    """A call may be sent again, or (``is_end``) has taken too long."""

    __slots__ = ("admin", "call", "is_end")

    def __init__(self, admin: AdminClient, call: PendingAdminCall, is_end: bool) -> None:
        super().__init__(admin.node)
        self.admin = admin
        self.call = call
        self.is_end: bool = is_end

    def run(self) -> None:
        if self.is_end:
            self.admin.time_is_up(self.call)
        else:
            self.admin.push()
