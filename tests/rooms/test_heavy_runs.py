"""One visitor plays a small room while a stranger opens runs as heavy as documents can be: her clock goes on.

Measured on two cores, the page's own frames (30 a second) and the answers to her actions; see docs/heavy-runs.md.
"""

import sqlite3
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import msgpack

from playground import database_file
from tests.rooms.heavy import LARGE, TOO_LARGE
from tests.rooms.site import QUIET, Browser, Site, Socket

GAP_S = 1.0  # the aim
SLOWER = 4  # on a busy machine: so many times the longest gap before the attack
CALM_S = 3.0
SNAPSHOT = "snapshot"
SNAPSHOT_BYTES = 1_000_000  # and more has the view of a heavy run, less any other frame
OPENED_S = 240.0
TIMES = 3  # that the stranger opens the heavy document, at once


class Visitor:
    """Plays a small room and acts in it all the time."""

    def __init__(self, site: Site) -> None:
        browser = Browser(site).ready()
        self.socket = browser.room(browser.make(QUIET))
        self.socket.send("play")
        self.gaps: list[float] = []  # between two frames that move the clock
        self.answers: list[float] = []

    def play(self, is_over: threading.Event) -> None:
        """Note gaps and answers until it is over."""
        self.gaps, self.answers = [], []
        shown = acted = time.monotonic()
        asked: dict[int, float] = {}
        number = 0
        while not is_over.is_set():
            if time.monotonic() - acted > 0.25:
                acted = time.monotonic()
                number += 1
                asked[self.socket.send("act", do=f"rate writer {20 + number % 5}")] = acted
            frame = self.socket.receive()
            now = time.monotonic()
            if frame["k"] == "facts":
                self.gaps.append(now - shown)
                shown = now
            elif frame["k"] in ("ack", "refused") and frame["id"] in asked:
                self.answers.append(now - asked.pop(frame["id"]))


def calm(visitor: Visitor) -> tuple[float, float]:
    """The longest gap and the longest answer while nobody else is there."""
    is_over = threading.Event()
    threading.Timer(CALM_S, is_over.set).start()
    visitor.play(is_over)
    return max(visitor.gaps), max(visitor.answers)


@contextmanager
def playing(visitor: Visitor) -> Iterator[None]:
    is_over = threading.Event()
    plays = threading.Thread(target=visitor.play, args=(is_over,))
    plays.start()
    try:
        yield
    finally:
        is_over.set()
        plays.join()


def stranger_opens(site: Site, document: bytes) -> list[str]:
    """A stranger opens a document some times at once; how each room began: a snapshot, or why not."""
    browser = Browser(site).ready()
    found: list[str] = []

    def enter() -> None:
        with browser.socket(f"/ws/room/{browser.make(document)}") as viewer:
            found.append(_came_of(viewer))
            if found[-1] == SNAPSHOT:
                viewer.send("play")
                viewer.connection.recv(OPENED_S)

    entering = [threading.Thread(target=enter) for _ in range(TIMES)]
    for thread in entering:
        thread.start()
    for thread in entering:
        thread.join()
    return found


def _came_of(viewer: Socket) -> str:
    """The result of an opening: SNAPSHOT, or the reason against it. A view of megabytes is not read: it takes long."""
    while True:
        data = viewer.connection.recv(OPENED_S)
        if len(data) > SNAPSHOT_BYTES:
            return SNAPSHOT
        if (frame := msgpack.unpackb(data, strict_map_key=False))["k"] == "end":
            return str(frame["reason"])


def test_a_small_room_goes_on_while_a_stranger_opens_heavy_runs(own_site: Site) -> None:
    visitor = Visitor(own_site)
    gap_s, answer_s = calm(visitor)
    with playing(visitor):
        opened = stranger_opens(own_site, LARGE)
        refused = stranger_opens(own_site, TOO_LARGE)
    print(f"calm {gap_s:.2f} {answer_s:.2f}; attacked {max(visitor.gaps):.2f} {max(visitor.answers):.2f}")
    print(f"median {statistics.median(visitor.gaps):.3f} {statistics.median(visitor.answers):.3f}", opened, refused)
    assert SNAPSHOT in opened
    assert all("too large" in reason for reason in refused)
    assert max(visitor.gaps) < max(GAP_S, SLOWER * gap_s)
    assert max(visitor.answers) < max(GAP_S, SLOWER * answer_s)


def test_a_program_that_asks_a_run_too_large_to_open_gets_the_reason_as_json(person: Browser) -> None:
    run_id = person.make(TOO_LARGE)
    for path in (f"/rooms/{run_id}/verdict", f"/s/{run_id}/describe", f"/s/{run_id}/why?at_us=1000"):
        answer = person.get(path)
        assert answer.status == 413, answer.text
        assert "too large" in answer.json()["error"] and "Make a smaller document" in answer.json()["error"]
    still = person.get(f"/s/{run_id}/still")
    assert still.status == 413 and "too large" in still.text


def test_a_row_that_does_not_tell_the_size_of_its_run_is_asked_about(own_site: Site) -> None:
    person = Browser(own_site).ready()
    run_id = person.make(TOO_LARGE)
    with closing(sqlite3.connect(own_site.data / database_file.NAME)) as rows:
        rows.execute("UPDATE scenarios_scenario SET told = json_remove(told, '$.size') WHERE id = ?", [run_id])
        rows.commit()
    assert "too large" in person.get(f"/rooms/{run_id}/verdict").json()["error"]
