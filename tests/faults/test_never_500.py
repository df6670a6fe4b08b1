"""Hostile requests, sockets and documents: each is answered, never with a 500. `make fuzz` sends 20,000.

A wrong answer is told with the command that repeats it.
"""

import socket
import statistics
from collections.abc import Iterator
from typing import Final

import pytest

from tests.faults.fuzz import ALIVE_MS, Outcome, new_world, storm
from tests.faults.inputs import ROUTES
from tests.faults.world import World

CASES: Final = 300
OF_SOCKET: Final = b"may have 8,192 bytes"
SEED: Final = 1
HANDSHAKE: Final = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{more}\r\n"
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One site for all of them, with something of everything in it."""
    with new_world(tmp_path_factory.mktemp("never-500"), SEED) as made:
        yield made


def test_hostile_cases_are_all_answered_in_words(world: World) -> None:
    outcome = Outcome(SEED)
    storm(world, range(CASES), outcome)
    assert not outcome.wrong, "\n".join(outcome.wrong)
    assert sum(outcome.number.values()) == CASES
    assert len(outcome.number) > len(ROUTES) * 3 // 4, "the cases leave out too many routes"
    assert statistics.median(outcome.computing) < ALIVE_MS


@pytest.mark.parametrize(
    ("path", "more", "told"),
    [
        ("/ws/room/x?have=" + "%25" * 20_000, "", b"more than 16 KiB together"),
        ("/ws/room/" + "x" * 9_000, "", OF_SOCKET),
        ("/ws/room/x", "X-Long: " + "x" * 9_000 + "\r\n", OF_SOCKET),
        ("/ws/room/x", "".join(f"X-{number}: x\r\n" for number in range(200)), OF_SOCKET),
        ("/ws/room/x", "Content-Length: 5\r\n", OF_SOCKET),
    ],
    ids=["a long query", "a long path", "a long header", "many headers", "a body"],
)
def test_a_handshake_that_cannot_be_read_is_refused_in_words(world: World, path: str, more: str, told: bytes) -> None:
    with socket.create_connection(("127.0.0.1", world.site.port), timeout=30) as connection:
        connection.sendall(HANDSHAKE.format(path=path, port=world.site.port, more=more).encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 400 "), answer[:200]
    assert told in answer
