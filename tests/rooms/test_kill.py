"""The web process is killed (-9) at random moments while a run plays: nothing acknowledged is lost or done twice, and
nothing that a viewer has drawn is withdrawn.
"""

import random
import sqlite3
import time
from typing import Any

from playground.supervisor.instance import CannotStart, Claim
from simengine.scenario import load
from simengine.world.world import build
from tests.long_form import runs
from tests.rooms.site import QUIET, Browser, Site, Socket

KILLS = runs("kills of the web process while a run plays")
ACTION_EVERY_S = 0.2
ACTIONS = ("kill 2", "start 2", "cut 1|3", "heal", "acks orders 1", "acks orders all", "pause 3", "resume 3")


class Witness:
    """The facts that one viewer was shown over all connections, and the actions that were reported to it as done."""

    def __init__(self) -> None:
        self.drawn: dict[int, list[Any]] = {}
        self.acked: dict[str, int] = {}
        self.sent: dict[int, str] = {}
        self.done: dict[str, str] = {}  # every action that was sent, by its own id
        self.seq = 0

    def take(self, frame: dict[str, Any]) -> None:
        if frame["k"] == "facts":
            for row in frame["f"]:
                assert self.drawn.setdefault(row[0], row) == row, "a fact was replaced by another one"
            self.seq = max(self.seq, frame["seq"])
        elif frame["k"] == "snap":
            assert frame["view"]["seq"] >= self.seq, "the view is older than what was drawn"
            self.seq = frame["view"]["seq"]
        elif frame["k"] == "ack" and frame["id"] in self.sent:
            nonce = self.sent[frame["id"]]
            assert self.acked.setdefault(nonce, frame["at_us"]) == frame["at_us"], "acknowledged at two times"
        elif frame["k"] == "refused":
            raise AssertionError(frame)

    def watch(self, viewer: Socket, seconds: float, *, acts: bool) -> None:
        """Look, and act every 200 ms, unanswered actions first, until the time is over or the connection breaks."""
        self.sent = {}
        for nonce in [nonce for nonce in self.done if nonce not in self.acked]:
            self._send(viewer, nonce)
        end = time.monotonic() + seconds
        next_action = time.monotonic()
        while time.monotonic() < end:
            if acts and time.monotonic() >= next_action:
                next_action += ACTION_EVERY_S
                nonce = f"action {len(self.done)}"
                self.done[nonce] = ACTIONS[len(self.done) % len(ACTIONS)]
                self._send(viewer, nonce)
            self.drain(viewer, 0.02)

    def _send(self, viewer: Socket, nonce: str) -> None:
        self.sent[viewer.send("act", do=self.done[nonce], nonce=nonce)] = nonce

    def drain(self, viewer: Socket, wait: float) -> None:
        try:
            while True:
                self.take(viewer.receive(wait))
                wait = 0.0
        except TimeoutError:
            return

    def drain_broken(self, viewer: Socket) -> None:
        """Take the frames that had arrived before the process was killed: they count as seen."""
        try:
            while True:
                self.take(viewer.receive(0.2))
        except (TimeoutError, AssertionError, OSError) as end:
            if "closed" not in str(end) and not isinstance(end, TimeoutError):
                raise


def test_after_many_kills_every_acknowledged_action_is_there_once_and_nothing_drawn_was_withdrawn(
    own_site: Site,
) -> None:
    luck = random.Random(20)
    person = Browser(own_site).ready()
    run_id = person.make(QUIET)
    with person.room(run_id) as viewer:
        viewer.do("speed", value=1_000_000)
        viewer.do("play")
    witness = Witness()
    for _ in range(KILLS):
        viewer = person.socket(f"/ws/room/{run_id}?have={witness.seq}")
        witness.take(viewer.until("snap", 20.0))
        witness.watch(viewer, luck.uniform(0.3, 1.6), acts=True)
        own_site.kill()
        witness.drain_broken(viewer)
        own_site.start()
    with person.socket(f"/ws/room/{run_id}?have={witness.seq}") as viewer:
        witness.take(viewer.until("snap", 20.0))
        assert viewer.until("facts")["clock"]["playing"], "the run does not go on by itself"
        witness.watch(viewer, 1.0, acts=False)
        viewer.do("pause")
    _compare_actions(own_site, run_id, witness)
    _compare_facts(person.get(f"/s/{run_id}.json").body, witness)


def _compare_actions(site: Site, run_id: str, witness: Witness) -> None:
    """Every action that was sent was acknowledged in the end, and stands there once, by its id."""
    with sqlite3.connect(f"file:{site.data / 'highwater.sqlite3'}?mode=ro", uri=True, timeout=20) as database:
        asked = "select nonce, do, at_us from scenarios_accepted where scenario_id = ? order by number"
        stored = database.execute(asked, (run_id,)).fetchall()
    assert len(stored) > KILLS
    assert sorted(nonce for nonce, _, _ in stored) == sorted(witness.done)
    assert {nonce: do for nonce, do, _ in stored} == witness.done
    assert {nonce: at_us for nonce, _, at_us in stored} == witness.acked


def _compare_facts(body: bytes, witness: Witness) -> None:
    document = load(body)
    assert len(document.timeline) == len(witness.done)
    world = build(document)
    world.trace.keep_traffic = True
    known: dict[object, object] = {fact.seq: fact.row() for fact in world.trace.decisive}
    world.run(max(row[1] for row in witness.drawn.values()) + 1)
    known |= {row[0]: row for row in world.trace.take().rows()}
    for seq, row in witness.drawn.items():
        assert known.get(seq) == row


def test_an_action_whose_answer_a_kill_swallowed_is_sent_again_and_happens_once(own_site: Site) -> None:
    person = Browser(own_site).ready()
    run_id = person.make(QUIET)
    for number, wait_s in enumerate((0.0, 0.002, 0.005, 0.01, 0.05)):
        act = {"do": ACTIONS[number], "nonce": f"n{number}"}
        viewer = person.room(run_id)
        viewer.send("act", **act)
        time.sleep(wait_s)
        own_site.kill()
        own_site.start()
        with person.room(run_id) as again:
            assert again.do("act", **act)["k"] == "ack"
    timeline = person.get(f"/s/{run_id}.json").json()["timeline"]
    assert [entry["do"] for entry in timeline] == list(ACTIONS[:5])


def test_a_second_web_process_on_the_same_data_is_refused_in_words(own_site: Site) -> None:
    person = Browser(own_site).ready()
    person.room(person.make(QUIET)).connection.close()
    try:
        Claim(own_site.data, "rooms", "")
    except CannotStart as problem:
        assert "already runs on this data" in str(problem)
    else:
        raise AssertionError("a second process may hold the rooms of the same data")


def test_the_engine_process_dies_and_the_room_comes_back_where_it_was(own_site: Site) -> None:
    import psutil

    person = Browser(own_site).ready()
    run_id = person.make(QUIET)
    with person.room(run_id) as viewer:
        viewer.do("speed", value=1_000_000)
        viewer.do("act", do="kill 2")
        viewer.do("play")
        while viewer.t < 500_000:
            viewer.receive()
        assert own_site.process is not None
        engines = psutil.Process(own_site.process.pid).children()
        assert engines
        for engine in engines:
            engine.kill()
        before = viewer.seq
        snap = viewer.until("snap", 15.0)
        assert snap["view"]["seq"] >= before
        viewer.until("facts")
        assert viewer.do("act", do="start 2")["k"] == "ack"
    assert [entry["do"] for entry in person.get(f"/s/{run_id}.json").json()["timeline"]] == ["kill 2", "start 2"]


def test_an_engine_process_ends_with_the_web_process(own_site: Site) -> None:
    import psutil

    person = Browser(own_site).ready()
    person.room(person.make(QUIET)).connection.close()
    assert own_site.process is not None
    engines = psutil.Process(own_site.process.pid).children()
    own_site.kill()
    gone, alive = psutil.wait_procs(engines, timeout=10)
    assert gone and not alive
