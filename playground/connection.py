"""One HTTP connection of the web process: uvicorn's own, with a limit of time for the header and a place among others.

Uvicorn waits without end for a header that was begun, or never was. A body of unknown length is not parsed: it is
refused (`playground.body_limit`), and in chunks of one byte h11 would take a hundred seconds for 8 MiB of it.
"""

from asyncio import TimerHandle, Transport
from typing import ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from playground.body_limit import LINGER_BYTES_MAX, is_chunked
from playground.connections import Connections

HEADER_S: Final = 10.0  # from the connection, or from a header's first byte, to its end
HEADER_BYTES_MAX: Final = 16 * 1024
HEADER_PIECE: Final = 4 * 1024  # bytes that are parsed at a time until the header is whole

LATE: Final = f"The header of this request was not complete after {HEADER_S:.0f} s. Send it again."
UNREADABLE: Final = (
    f"This request cannot be read: it is not HTTP/1.1, or its address and headers have more than "
    f"{HEADER_BYTES_MAX // 1024} KiB together. Open the page again."
)
TOO_MANY: Final = "Too many connections are open from your address, or in all. Close some, or try again in a minute."


def plain_answer(status: str, sentence: str) -> bytes:
    """An answer to a request that nobody can read."""
    return (
        f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(sentence.encode())}\r\n\r\n{sentence}"
    ).encode()


class BoundedConnection(H11Protocol):
    """A connection until its end, or until it becomes a websocket."""

    open: ClassVar[Connections]

    _header_timer: TimerHandle | None = None
    _dropped: int = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        """A client has connected."""
        super().connection_made(transport)
        self._header_timer = self.loop.call_later(HEADER_S, self._too_late)
        self.open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._stop_timer()
        self.open.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes of the client: the header in small pieces, so that a body that is refused is not parsed with it."""
        while data and self.transport.get_protocol() is self and not self.transport.is_closing():
            if self._is_dropping():
                self._drop(len(data))
                return
            size = HEADER_PIECE if self.conn.their_state is h11.IDLE else len(data)
            super().data_received(data[:size])
            data = data[size:]
        if self.conn.their_state is not h11.IDLE:
            self._stop_timer()
        elif self._header_timer is None:
            self._header_timer = self.loop.call_later(HEADER_S, self._too_late)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on it is the connection of a websocket, which counts itself."""
        self._stop_timer()
        self.open.remove(self)
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Uvicorn cannot read the request: close, and say what may be wrong with it."""
        self._end(plain_answer("400 Bad Request", UNREADABLE))

    @property
    def is_waiting(self) -> bool:
        """True if no request is under way."""
        return self.conn.our_state is h11.IDLE

    def give_way(self) -> None:
        """Close: others need the place."""
        self.transport.close()

    def refuse(self) -> None:
        """Close, and say that there are too many."""
        self._end(plain_answer("503 Service Unavailable", TOO_MANY))

    def _is_dropping(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY and is_chunked(self.headers)

    def _drop(self, size: int) -> None:
        self._dropped += size
        if self._dropped > LINGER_BYTES_MAX:
            self.transport.close()

    def _too_late(self) -> None:
        self._header_timer = None
        began, _ = self.conn.trailing_data
        self._end(plain_answer("408 Request Timeout", LATE) if began else b"")

    def _end(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

    def _stop_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None
