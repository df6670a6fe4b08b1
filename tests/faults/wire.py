"""Bytes to a site as a client may send them that keeps to no rule, and what a web process holds."""

import fcntl
import select
import socket
import sys
import termios
import time
from pathlib import Path

import psutil

from tests.rooms.site import Served, Site

WAIT_S = 30.0
MIB = 1024 * 1024


def post(*headers: str, path: str = "/what-if/run", accept: str = "application/json") -> bytes:
    """The header of a POST without cookie and token."""
    lines = (
        f"POST {path} HTTP/1.1",
        "Host: localhost",
        f"Accept: {accept}",
        "Content-Type: application/json",
        *headers,
    )
    return "\r\n".join((*lines, "", "")).encode()


def chunk(data: bytes) -> bytes:
    """Data as a chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class Wire:
    """A connection."""

    def __init__(self, site: Served, address: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", site.port), timeout=WAIT_S, source_address=(address, 0))

    def send(self, data: bytes) -> bool:
        """Send; False if the site has closed."""
        try:
            self.socket.sendall(data)
        except (ConnectionError, BrokenPipeError):
            return False
        return True

    def is_taken(self) -> bool:
        """Wait until the site's kernel has all that was sent, so that a busy site is not sent more; False if closed."""
        deadline = time.monotonic() + WAIT_S
        while int.from_bytes(fcntl.ioctl(self.socket, termios.TIOCOUTQ, bytes(4)), sys.byteorder):
            if self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                return False
            assert time.monotonic() < deadline, "the site neither reads nor closes"
            time.sleep(0.001)
        return True

    def rest(self) -> bytes:
        """All that comes until the site closes. Fails if it does not close."""
        found = b""
        try:
            while data := self.socket.recv(65536):
                found += data
        except ConnectionError:
            pass  # closed with bytes of ours unread
        return found

    def close(self) -> None:
        self.socket.close()


def answered(clients: list[Wire], number: int) -> set[Wire]:
    """Those clients that have an answer, once there are so many of them. Fails if they are never so many."""
    deadline = time.monotonic() + WAIT_S
    of_socket = {client.socket: client for client in clients}
    while len(ready := select.select(list(of_socket), [], [], 0.1)[0]) < number:
        assert time.monotonic() < deadline, f"{len(ready)} have an answer, not {number}"
        time.sleep(0.05)
    return {of_socket[one] for one in ready}


def memory(site: Site) -> float:
    """MiB of memory that the web process itself has."""
    assert site.process is not None
    return float(psutil.Process(site.process.pid).memory_info().rss) / MIB


def computed(site: Site) -> float:
    """Seconds that the web process has computed."""
    assert site.process is not None
    times = psutil.Process(site.process.pid).cpu_times()
    return float(times.user + times.system)


def removed_files(site: Site) -> set[str]:
    """Files that the web process has open and nobody else sees: temporary ones."""
    assert site.process is not None
    found = set()
    for link in Path(f"/proc/{site.process.pid}/fd").iterdir():
        try:
            found.add(str(link.readlink()))
        except OSError:
            continue  # closed meanwhile
    return {name for name in found if name.endswith("(deleted)")}


def seconds(began: float) -> float:
    return time.monotonic() - began
