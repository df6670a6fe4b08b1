"""Connections: a header has a time limit, an address a share, and others find a place."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from playground import open_files
from playground.connections import Connections
from tests.faults import wire
from tests.faults.bounded_site import HEADER_S, IDLE_S, SOON_S, serving
from tests.faults.wire import Wire
from tests.rooms.site import Site

HALF = b"GET /alive HTTP/1.1\r\nHost: loc"
REST = b"alhost\r\n\r\n"


@pytest.fixture(scope="module")
def bounded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A web process that may open 512 files, of which 128 connections are one address's."""
    with serving(tmp_path_factory.mktemp("connections"), BOUNDED_FILES="256,512") as running:
        yield running


@pytest.mark.parametrize("begun", [HALF, b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 9_000])
def test_half_a_header_is_answered_when_its_time_is_up(bounded: Site, begun: bytes) -> None:
    client, began = Wire(bounded), time.monotonic()
    client.send(begun)
    answer = client.rest()
    assert HEADER_S * 0.8 < wire.seconds(began) < HEADER_S + SOON_S
    assert answer.startswith(b"HTTP/1.1 408 ") and answer.endswith(b"Send it again.")


def test_a_connection_that_says_nothing_is_closed_without_a_word(bounded: Site) -> None:
    client, began = Wire(bounded), time.monotonic()
    assert client.rest() == b""
    assert wire.seconds(began) < HEADER_S + SOON_S


def test_a_header_that_comes_letter_by_letter_has_no_more_time(bounded: Site) -> None:
    client, began = Wire(bounded), time.monotonic()
    client.send(HALF)
    while client.send(b"a") and wire.seconds(began) < HEADER_S + SOON_S:
        time.sleep(0.1)
    assert b" 408 " in client.rest()
    assert wire.seconds(began) < HEADER_S + SOON_S


def test_a_connection_that_is_kept_ends_when_it_is_idle_or_its_next_header_is_late(bounded: Site) -> None:
    idle, late = Wire(bounded), Wire(bounded)
    began = time.monotonic()
    for client in (idle, late):
        client.send(HALF + REST)
    late.send(HALF)
    assert idle.rest().count(b" 200 OK") == 1
    assert IDLE_S * 0.8 < wire.seconds(began) < IDLE_S + SOON_S
    answer = late.rest()
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert wire.seconds(began) < HEADER_S + IDLE_S + SOON_S


def test_many_half_requests_of_one_address_do_not_stop_the_page(bounded: Site) -> None:
    assert bounded.process is not None
    clients = []
    for _ in range(3):
        clients += [Wire(bounded) for _ in range(150)]
        for client in clients[-150:]:
            client.send(HALF)
        began = time.monotonic()
        with urllib.request.urlopen(f"{bounded.url}/alive", timeout=10) as page:
            assert page.status == 200
        assert wire.seconds(began) < SOON_S
    assert psutil.Process(bounded.process.pid).num_fds() < 256
    for client in clients:
        client.close()


def test_the_soft_limit_of_open_files_is_raised_to_the_hard_one(bounded: Site) -> None:
    assert bounded.process is not None
    limits = Path(f"/proc/{bounded.process.pid}/limits").read_text()
    assert next(line.split()[3:5] for line in limits.splitlines() if line.startswith("Max open files")) == [
        "512",
        "512",
    ]


def test_a_low_limit_of_open_files_is_said_with_the_cure() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard})); "
        "from playground import open_files; print(open_files.told_of_few())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code.format(hard=hard)], capture_output=True, text=True, check=True
        ).stdout
        for hard in (1024, open_files.ENOUGH)
    ]
    assert told[0].startswith("this system allows 1,024 open files a process, so about 512 visitors at a time.")
    assert "ulimit -Hn 4096" in told[0]
    assert told[1].strip() == ""


class Client:
    """A connection without a network."""

    def __init__(self, address: str, is_waiting: bool = True) -> None:
        self.client: tuple[str, int] | None = (address, 5)
        self.is_waiting = is_waiting
        self.end = ""

    def give_way(self) -> None:
        self.end = "gave way"

    def refuse(self) -> None:
        self.end = "refused"


def ends(clients: list[Client]) -> list[str]:
    return [client.end for client in clients]


def opened(connections: Connections, *clients: Client) -> list[Client]:
    for client in clients:
        connections.add(client)
    return list(clients)


def test_the_oldest_that_waits_gives_way_to_the_newest_of_its_address() -> None:
    connections = Connections(16, [])  # eight connections, four of one address
    busy = Client("10.0.0.1", is_waiting=False)
    found = opened(connections, busy, *(Client("10.0.0.1") for _ in range(5)))
    assert ends(found) == ["", "gave way", "gave way", "", "", ""]


def test_where_none_waits_the_newest_is_refused_and_a_place_that_is_given_back_is_free() -> None:
    connections = Connections(16, [])
    found = opened(connections, *(Client("10.0.0.1", is_waiting=False) for _ in range(5)))
    assert ends(found) == ["", "", "", "", "refused"]
    connections.remove(found[4])  # its end is told too: it counts once
    connections.remove(found[0])
    assert ends(opened(connections, Client("10.0.0.1", is_waiting=False), Client("10.0.0.1"))) == ["", "refused"]


def test_a_network_of_ipv6_is_one_address() -> None:
    connections = Connections(16, [])
    assert "gave way" in ends(opened(connections, *(Client(f"2001:db8::{number}") for number in range(5))))
    assert "gave way" not in ends(opened(Connections(16, []), *(Client(f"2001:db8:0:{n}::1") for n in range(5))))


def test_in_all_the_address_with_most_gives_way() -> None:
    connections = Connections(16, [])
    many = opened(connections, *(Client("10.0.0.1") for _ in range(4)))
    others = opened(connections, *(Client(f"10.0.1.{number}") for number in range(5)))
    assert ends(many) == ["gave way", "", "", ""] and ends(others) == [""] * 5


def test_the_connections_of_a_named_proxy_have_no_share_of_an_address() -> None:
    connections = Connections(16, ["10.9.0.0/16"])
    assert ends(opened(connections, *(Client("10.9.0.1", is_waiting=False) for _ in range(8)))) == [""] * 8
    assert ends(opened(connections, Client("10.9.0.1", is_waiting=False))) == ["refused"]  # in all
