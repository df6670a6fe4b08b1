"""Visitors that keep no cookie at one address of a site behind a proxy: many requests at once, and who still waits."""

import contextlib
import http.client
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.rooms.site import Site

WITHIN_S = 300.0


class Asked:
    """One request on a connection of its own, until it is answered or left."""

    def __init__(self, site: Site, address: str, path: str, cookie: str = "") -> None:
        self.status = 0
        self.text = ""
        self._connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=WITHIN_S)
        headers = {"X-Forwarded-For": address, "Accept": "application/json", "Cookie": cookie}
        self._connection.request("GET", path, headers=headers)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    @property
    def waits(self) -> bool:
        return self._reader.is_alive()

    def _read(self) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            answer = self._connection.getresponse()
            self.text = answer.read().decode(errors="replace")
            self.status = answer.status

    def leave(self) -> None:
        with contextlib.suppress(OSError, AttributeError):
            self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._connection.close()


@contextmanager
def asking(site: Site, address: str, paths: Sequence[str], cookies: Sequence[str] = ()) -> Iterator[list[Asked]]:
    """All of these requests at once, each with a cookie of its own or none; whoever still waits leaves at the end."""
    crowd = [
        Asked(site, address, path, cookie) for path, cookie in zip(paths, cookies or [""] * len(paths), strict=True)
    ]
    try:
        yield crowd
    finally:
        for one in crowd:
            one.leave()


@contextmanager
def watching(site: Site, address: str, run_id: str, number: int) -> Iterator[list[socket.socket]]:
    """So many pages of one address that enter a room without a cookie, and never read what they are sent."""
    asked = (
        f"GET /ws/room/{run_id} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {site.url}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nX-Forwarded-For: {address}\r\n\r\n"
    )
    pages: list[socket.socket] = []
    try:
        for _ in range(number):
            pages.append(socket.create_connection(("127.0.0.1", site.port), WITHIN_S))
            pages[-1].sendall(asked.encode())
        for page in pages:
            assert page.recv(12) == b"HTTP/1.1 101"
        yield pages
    finally:
        for page in pages:
            page.close()


def refused(crowd: Sequence[Asked], status: int) -> list[str]:
    """The texts of the responses with this status, which refuse."""
    return [one.text for one in crowd if one.status == status]
