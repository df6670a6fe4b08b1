"""The websocket protocol of the web process: uvicorn's own, which also answers a request that it cannot read.

Uvicorn leaves a client without an answer, and its connection open, where the websockets library finds a line too long,
too many headers, or something that is no request.
"""

from asyncio import BaseTransport
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import MAX_LINE_LENGTH, MAX_NUM_HEADERS

from playground.connection import BoundedConnection, plain_answer

UNREADABLE: Final = (
    f"The request of this socket cannot be read: its address and each of its headers may have {MAX_LINE_LENGTH:,} "
    f"bytes, and it may have {MAX_NUM_HEADERS} headers. Open the page of the run again."
)


class AnsweredHandshake(WebSocketsSansIOProtocol):
    """One connection; a handshake that cannot be read is answered 400 in words, and the connection closed."""

    is_waiting = False  # a page of a run: it is open for as long as somebody looks at it

    def connection_made(self, transport: BaseTransport) -> None:
        """An HTTP connection has become this one."""
        super().connection_made(transport)
        BoundedConnection.open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        BoundedConnection.open.remove(self)
        super().connection_lost(exc)

    def give_way(self) -> None:
        """Never asked for: it does not wait."""

    def refuse(self) -> None:
        """Close: there are too many."""
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Bytes of the client."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated and not self.close_sent:
            self.close_sent = self.handshake_complete = True
            self.transport.write(plain_answer("400 Bad Request", UNREADABLE))
            self.transport.close()
