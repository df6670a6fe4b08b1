"""The limits of one socket, and of all sockets of one browser: a short queue, a rate, no work for a closed socket."""

import time

import psutil
import pytest

from playground.client_address import of_scope
from playground.rooms.evict_rooms import RoomFull
from playground.rooms.hub import Viewer
from playground.rooms.limits import COMMANDS_WAITING_MAX, SOCKETS_A_BROWSER_MAX, SOCKETS_AN_ADDRESS_MAX
from playground.rooms.socket_limits import OpenSockets
from tests.rooms.site import FRAME_S, QUIET, Browser, Site, Socket

IDLE_CPU_S = 0.2  # of a second in which an engine that has nothing to do is looked at
IDLE_WITHIN_S = 8.0
STEPS = 300


def engine_seconds(site: Site) -> float:
    """CPU time of the site's engine processes."""
    assert site.process is not None
    engines = [
        child
        for child in psutil.Process(site.process.pid).children()
        if "playground.engine.process" in " ".join(child.cmdline())
    ]
    assert engines
    return sum(engine.cpu_times().user + engine.cpu_times().system for engine in engines)


def refusals(viewer: Socket, ids: list[int]) -> list[str]:
    """The reasons of those commands that were refused, once as many answers came as are wanted."""
    found: list[str] = []
    while len(found) < len(ids):
        frame = viewer.receive()
        if frame["k"] in ("ack", "refused") and frame["id"] in ids:
            found.append(frame.get("reason", ""))
    return [reason for reason in found if reason]


def test_steps_that_wait_are_refused_beyond_the_limit_and_end_with_their_socket(own_site: Site) -> None:
    person = Browser(own_site).ready()
    with person.room(person.make(QUIET)) as viewer:
        for _ in range(STEPS):
            viewer.send("step")
        refused = viewer.until("refused")
        assert f"{COMMANDS_WAITING_MAX} commands of this page wait" in refused["reason"]
        viewer.connection.socket.close()  # without the answers that wait
    deadline = time.monotonic() + IDLE_WITHIN_S
    while True:
        before = engine_seconds(own_site)
        time.sleep(1)
        if engine_seconds(own_site) - before < IDLE_CPU_S:
            break
        assert time.monotonic() < deadline, "the engine works for a socket that has gone"


def test_a_way_ahead_ends_when_the_viewer_that_wanted_it_has_gone(person: Browser, run_id: str) -> None:
    with person.room(run_id) as other:
        with person.room(run_id) as viewer:
            viewer.send("reach", t=3_600_000_000)
            viewer.until("loading")
        snap = other.until("snap")
        assert 0 < snap["view"]["t"] < 3_600_000_000
        assert other.do("pause")["k"] == "ack"


def test_many_sockets_of_one_browser_have_the_commands_of_one(person: Browser, run_id: str) -> None:
    person.known()
    viewers = [person.room(run_id) for _ in range(6)]
    ids = [[viewer.send("stream", value="flights") for _ in range(COMMANDS_WAITING_MAX - 2)] for viewer in viewers]
    reasons = [reason for viewer, sent in zip(viewers, ids, strict=True) for reason in refusals(viewer, sent)]
    assert any("from all pages of this browser" in reason for reason in reasons)
    for viewer in viewers:
        viewer.connection.close()


def test_one_browser_has_so_many_pages_open_and_others_get_theirs(
    own_site: Site,
) -> None:
    person = Browser(own_site).ready()
    run_id = person.make(QUIET)
    viewers = [person.room(run_id) for _ in range(SOCKETS_A_BROWSER_MAX)]
    refused = person.socket(f"/ws/room/{run_id}")
    words = refused.until("end")
    assert (words["kind"], f"{SOCKETS_A_BROWSER_MAX} pages of runs open" in words["reason"]) == ("full", True)
    Browser(own_site).ready().room(run_id).connection.close()
    viewers.pop().connection.close()
    deadline = time.monotonic() + FRAME_S
    while not has_entered(person, run_id):
        assert time.monotonic() < deadline, "a page that was closed still counts"
    for viewer in viewers:
        viewer.connection.close()


def has_entered(person: Browser, run_id: str) -> bool:
    with person.socket(f"/ws/room/{run_id}") as viewer:
        return bool(viewer.receive()["k"] != "end")


def test_one_address_has_so_many_pages_open_and_another_gets_its_own() -> None:
    sockets, lecture = OpenSockets(), [Viewer(f"cookie {i}", address="a") for i in range(SOCKETS_AN_ADDRESS_MAX)]
    for viewer in lecture:
        sockets.open(viewer)
    with pytest.raises(RoomFull, match=f"{SOCKETS_AN_ADDRESS_MAX} pages of runs are open from your address"):
        sockets.open(Viewer("new", address="a"))
    sockets.open(Viewer("new", address="b"))
    sockets.close(lecture[0])
    sockets.open(Viewer("new", address="a"))


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("10.1.2.3", 5000), "10.1.2.3"),
        (("::ffff:10.1.2.3", 5000), "10.1.2.3"),
        (("2001:db8:1:2:3:4:5:6", 5000), "2001:db8:1:2::/64"),
        (None, ""),
    ],
)
def test_the_address_of_a_client_is_its_network_under_ipv6(client: object, address: str) -> None:
    assert of_scope({"client": client}) == address
