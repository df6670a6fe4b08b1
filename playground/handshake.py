"""The websocket protocol of the web process: uvicorn's own, which also answers a request that it cannot read.

Uvicorn leaves a client without an answer, and its connection open, where the websockets library finds a line too long,
too many headers, or something that is no request.
"""

from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import MAX_LINE_LENGTH, MAX_NUM_HEADERS

UNREADABLE: Final = (
    f"The request of this socket cannot be read: its address and each of its headers may have {MAX_LINE_LENGTH:,} "
    f"bytes, and it may have {MAX_NUM_HEADERS} headers. Open the page of the run again."
)
ANSWER: Final = (
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    f"Content-Length: {len(UNREADABLE)}\r\n\r\n{UNREADABLE}"
).encode()


class AnsweredHandshake(WebSocketsSansIOProtocol):
    """One connection; a handshake that cannot be read is answered 400 in words, and the connection closed."""

    def data_received(self, data: bytes) -> None:
        """Bytes of the client."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated and not self.close_sent:
            self.close_sent = self.handshake_complete = True
            self.transport.write(ANSWER)
            self.transport.close()
