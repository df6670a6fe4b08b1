"""The open connections of the web process, by address: an address has a share, and what waits gives way.

A limit ends the oldest connection that has no request under way: half a header, or a browser's connection that is kept
for later and opened again without a word. Only where none waits is the new one refused. A proxy of HIGHWATER_PROXIES
carries many visitors: its connections have no share of an address.
"""

from collections.abc import Iterable
from typing import Final, Protocol

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from playground.client_address import grouped

CONNECTIONS_MAX: Final = 20_000
CONNECTIONS_AN_ADDRESS_MAX: Final = 2_000  # a lecture has 600 pages open, and a browser loads one by six connections
FILES_A_CONNECTION: Final = 2  # a request that is worked on opens the database


class VisitorConnection(Protocol):
    """One connection of a client."""

    client: tuple[str, int] | None

    @property
    def is_waiting(self) -> bool:
        """True if no request is under way."""

    def give_way(self) -> None:
        """Close: others need the place."""

    def refuse(self) -> None:
        """Close, and say that there are too many."""


class Connections:
    """The connections of a process that may open so many files."""

    def __init__(self, files: int, proxies: Iterable[str]) -> None:
        self.most = min(CONNECTIONS_MAX, files // FILES_A_CONNECTION)
        self.most_of_address = min(CONNECTIONS_AN_ADDRESS_MAX, self.most // 2)
        self._proxies = ProxyHeadersMiddleware(_never, list(proxies)).trusted_hosts
        self._of_address: dict[str, dict[VisitorConnection, None]] = {}  # oldest first
        self._total = 0

    def add(self, connection: VisitorConnection) -> None:
        """One more; at a limit another gives way, or this one is refused."""
        own = self._of_address.setdefault(_address(connection), {})
        own[connection] = None
        self._total += 1
        if len(own) > self.most_of_address and not self._is_of_proxy(connection):
            self._make_room(own, connection)
        elif self._total > self.most:
            self._make_room(max(self._of_address.values(), key=len), connection)

    def remove(self, connection: VisitorConnection) -> None:
        """One less; nothing if it gave way before."""
        address = _address(connection)
        own = self._of_address.get(address, {})
        if connection in own:
            del own[connection]
            self._total -= 1
        if not own:
            self._of_address.pop(address, None)

    def _make_room(self, among: dict[VisitorConnection, None], new: VisitorConnection) -> None:
        waiting = next((one for one in among if one.is_waiting and one is not new), None)
        self.remove(waiting or new)
        if waiting is not None:
            waiting.give_way()
        else:
            new.refuse()

    def _is_of_proxy(self, connection: VisitorConnection) -> bool:
        return connection.client is not None and connection.client[0] in self._proxies


def _address(connection: VisitorConnection) -> str:
    return grouped(connection.client[0]) if connection.client else ""


async def _never(*_: object) -> None:
    """The application of a middleware that is asked for nothing but its list."""
