"""One visitor plays twenty rooms at top speed through a hundred sockets; another one's clock goes on all the same."""

import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from websockets.exceptions import ConnectionClosed

from playground.rooms.limits import ROOMS_A_BROWSER_MAX, SOCKETS_A_BROWSER_MAX, SPEED_MAX_US
from tests.rooms.site import QUIET, Browser, Site, Socket

FRAMES = 60  # of the honest visitor, over which both are compared
TIMES_MORE = 3  # frames of the honest visitor for each of a greedy room; where all rooms have equal turns it is 1
ALIVE_S = 0.2
WITHIN_S = 120.0


class Greedy:
    """Plays as many rooms as one browser may have, as fast as they go, through as many sockets as it may open."""

    def __init__(self, site: Site) -> None:
        self.browser = Browser(site).ready()
        self.frames: Counter[int] = Counter()  # that came for each room
        self.sockets: list[Socket] = []
        self._readers: list[threading.Thread] = []

    def play(self) -> None:
        runs = [self.browser.make(QUIET) for _ in range(ROOMS_A_BROWSER_MAX)]
        self.sockets = [self.browser.room(run) for run in runs]
        for number in range(SOCKETS_A_BROWSER_MAX - len(runs)):  # these never read what they are sent
            self.sockets.append(self.browser.socket(f"/ws/room/{runs[number % len(runs)]}"))
        for number, viewer in enumerate(self.sockets[: len(runs)]):
            viewer.send("speed", value=SPEED_MAX_US)
            viewer.send("play")
            self._readers.append(threading.Thread(target=self._count, args=(number, viewer)))
            self._readers[-1].start()

    def end(self) -> None:
        for viewer in self.sockets:
            viewer.connection.socket.shutdown(socket.SHUT_RDWR)  # what reads it ends at once
        for reader in self._readers:
            reader.join()

    def _count(self, number: int, viewer: Socket) -> None:
        try:
            while True:
                viewer.connection.recv()
                self.frames[number] += 1
        except (ConnectionClosed, OSError):
            return


@pytest.fixture
def greedy(own_site: Site) -> Iterator[Greedy]:
    one = Greedy(own_site)
    try:
        one.play()
        yield one
    finally:
        one.end()


@contextmanager
def alive_asked(site: Site) -> Iterator[list[float]]:
    """The times (s) of /alive, asked ten times a second meanwhile."""
    took: list[float] = []
    is_over = threading.Event()

    def ask() -> None:
        visitor = Browser(site)
        while not is_over.wait(0.1):
            asked = time.monotonic()
            assert visitor.get("/alive").status == 200
            took.append(time.monotonic() - asked)

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield took
    finally:
        is_over.set()
        asker.join()


def test_the_clock_of_an_honest_visitor_goes_on_beside_a_hundred_greedy_sockets(own_site: Site, greedy: Greedy) -> None:
    honest = Browser(own_site)
    boot = honest.open()  # the first page: a sandbox that plays
    with honest.socket(boot["socket"]) as viewer, alive_asked(own_site) as took:
        viewer.until("facts", WITHIN_S)
        before, began_us = Counter(greedy.frames), viewer.t
        for _ in range(FRAMES):
            viewer.until("facts", WITHIN_S)
        theirs = [greedy.frames[room] - before[room] for room in range(ROOMS_A_BROWSER_MAX)]
        moved_us = viewer.t - began_us
    print(f"{FRAMES} frames and {moved_us / 1e6:.2f} s for one; of a greedy room {statistics.median(theirs)} frames")
    print(f"/alive: {len(took)} answers, median {statistics.median(took):.3f} s, longest {max(took):.3f} s")
    assert moved_us > 0
    assert statistics.median(theirs) * TIMES_MORE < FRAMES
    assert statistics.median(took) < ALIVE_S
