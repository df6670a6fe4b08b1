"""Visitors that use an instance while something fails, and know afterwards what they were promised.

Each does one kind of thing again and again, and notes every answer: what was acknowledged (it must be there), what was
refused (in words, and then it must not be there), and what got no answer (it may be there).
"""

import re
import threading
import time
from http.client import HTTPException
from typing import Any, Final
from urllib.error import URLError

from websockets.exceptions import WebSocketException

from playground import storage_trouble
from tests.faults.matrix.instance import Used
from tests.importers.samples import MODERN
from tests.rooms.site import QUIET, Answer, Browser, Socket

STEP_SECONDS: Final = 0.5
ANSWER_SECONDS: Final = 30.0
END_SECONDS_MAX: Final = 120.0  # of a small experiment, Spark's start included
ACTION: Final = "rate writer {rate}"  # with another rate each time: none of them changes nothing
MAY_HAVE_HAPPENED: Final = "look later whether it happened"
NO_ANSWER: Final = (OSError, URLError, TimeoutError, EOFError, HTTPException, WebSocketException)


class Visitor:
    """The base of all visitors. `wrong`: answers that should not be, and losses."""

    situation = ""

    def __init__(self, instance: Used) -> None:
        self.instance = instance
        self.browser = Browser(instance).ready()
        self.wrong: list[str] = []
        self.refused: dict[str, int] = {}
        self.unanswered = 0
        self.last_good = 0.0  # when something was acknowledged last, monotonic
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._visit, name=self.situation, daemon=True)
        self.prepare()

    def prepare(self) -> None:
        """Make the visitor's things before anything fails."""

    def step(self) -> None:
        """Do the thing once."""

    def lost(self) -> list[str]:
        """The things that were acknowledged and are not there, or were refused and are there."""
        return []

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()

    def good(self) -> None:
        self.last_good = time.monotonic()

    def no(self, reason: str) -> None:
        """A refusal: it says why."""
        self.refused[reason] = self.refused.get(reason, 0) + 1
        if len(reason.split()) < 3:
            self.wrong.append(f"refused without words: {reason!r}")

    def was_told_of_full_disk(self) -> bool:
        """True if something was refused for it."""
        return any(words.startswith(storage_trouble.FULL) for words in list(self.refused))

    def _visit(self) -> None:
        while not self._is_over.is_set():
            try:
                self.step()
            except NO_ANSWER:
                self.unanswered += 1
            except Exception as error:  # noqa: BLE001  # it is a finding
                self.wrong.append(f"{type(error).__name__}: {str(error)[:300]}")
            self._is_over.wait(STEP_SECONDS)


class Maker(Visitor):
    """Makes documents, each like the first one."""

    path = ""

    def prepare(self) -> None:
        self.base = self.browser.make(QUIET)
        with self.browser.room(self.base) as viewer:
            assert viewer.do("act", do="kill 1")["k"] == "ack"
        first = self._post()
        assert first.status == 201, first.text
        self.made = [str(first.json()["id"])]
        self.first = self._read(self.made[0])

    def body(self) -> dict[str, Any]:
        return {}

    def _post(self) -> Any:
        return self.browser.post(self.path.format(base=self.base), self.body())

    def _read(self, run: str) -> Any:
        answer = self.browser.get(f"/s/{run}.json")
        return answer.json() if answer.status == 200 else f"{answer.status} {answer.text[:200]}"

    def step(self) -> None:
        answer = self._post()
        if answer.status == 201:
            self.made.append(str(answer.json()["id"]))
            self.good()
        elif 400 <= answer.status < 500 or answer.status == 503:
            self.no(str(answer.json()["error"]))
        else:
            self.wrong.append(f"answered {answer.status}: {answer.text[:200]}")

    def lost(self) -> list[str]:
        found = [f"{run}: {read}"[:300] for run in self.made if (read := self._read(run)) != self.first]
        (owner,) = self.instance.ask("select owner from scenarios_scenario where id = ?", self.base)[0]
        (rows,) = self.instance.ask("select count(*) from scenarios_scenario where owner = ?", owner)[0]
        most = 1 + len(self.made) + self.unanswered
        if not 1 + len(self.made) <= rows <= most:
            found.append(f"{rows} documents are stored, {1 + len(self.made)} to {most} were to be")
        return found


class Importer(Maker):
    situation = "import"
    path = "/import/build"

    def body(self) -> dict[str, Any]:
        return {"text": MODERN}


class Sharer(Maker):
    situation = "share"
    path = "/s/{base}/share"

    def body(self) -> dict[str, Any]:
        return {"at_us": 1_000}


class Forker(Maker):
    situation = "fork"
    path = "/s/{base}/fork"

    def body(self) -> dict[str, Any]:
        return {"at_us": 1, "do": "kill 2"}


class Idler(Visitor):
    """Has a run that stands still, acted on before; looks whether it stands there as it was."""

    situation = "idle"

    def prepare(self) -> None:
        self.run = self.browser.make(QUIET)
        with self.browser.room(self.run) as viewer:
            assert viewer.do("act", do="kill 2")["k"] == "ack"
            viewer.do("step")
            self.t = viewer.do("step")["at_us"]
        self.document = self.browser.get(f"/s/{self.run}.json").text

    def step(self) -> None:
        answer = self.browser.get(f"/s/{self.run}.json")
        if answer.status == 200:
            if answer.text != self.document:
                self.wrong.append("the document has changed")
            self.good()
        else:
            self.no(str(answer.json()["error"]))

    def lost(self) -> list[str]:
        with self.browser.room(self.run) as viewer:
            found = [] if viewer.t == self.t else [f"the run stands at {viewer.t} us, not at {self.t}"]
            answer = viewer.do("act", do="start 2")
            return found if answer["k"] == "ack" else [*found, f"an action is refused: {answer['reason']}"]


class Player(Visitor):
    """Plays a run and acts on it; comes back after each broken connection, as a page does."""

    situation = "playing with actions"

    def prepare(self) -> None:
        self.run = self.browser.make(QUIET)
        self.viewer: Socket | None = None
        self.seq = 0
        self.sent: dict[str, str] = {}  # nonce -> action
        self.acked: dict[str, int] = {}
        self.not_done: set[str] = set()
        self.step()
        assert self.acked, self.wrong

    def step(self) -> None:
        try:
            viewer = self.viewer or self._come_back()
            self.viewer = viewer
            for nonce in [one for one in self.sent if one not in self.acked and one not in self.not_done]:
                self._act(viewer, nonce)
            nonce = f"action {len(self.sent)}"
            self.sent[nonce] = ACTION.format(rate=10 + len(self.sent))
            self._act(viewer, nonce)
        except (*NO_ANSWER, AssertionError):
            self.unanswered += 1
            self._leave()

    def _come_back(self) -> Socket:
        viewer = self.browser.socket(f"/ws/room/{self.run}?have={self.seq}")
        try:
            snapshot = viewer.until("snap", ANSWER_SECONDS)
            if (seq := snapshot["view"]["seq"]) < self.seq:
                self.wrong.append(f"the view ends at fact {seq}, fact {self.seq} was drawn")
            viewer.do("speed", value=1_000_000)
            viewer.do("play")
        except BaseException:
            viewer.connection.close()
            raise
        return viewer

    def _act(self, viewer: Socket, nonce: str) -> None:
        answer = viewer.do("act", do=self.sent[nonce], nonce=nonce)
        self.seq = max(self.seq, viewer.seq)
        if answer["k"] == "ack":
            self.acked[nonce] = answer["at_us"]
            self.good()
            return
        self.no(answer["reason"])
        if MAY_HAVE_HAPPENED not in answer["reason"]:
            self.not_done.add(nonce)

    def _leave(self) -> None:
        if self.viewer is not None:
            self.viewer.connection.close()
            self.viewer = None

    def lost(self) -> list[str]:
        self._leave()
        rows = self.instance.ask("select nonce, at_us from scenarios_accepted where scenario_id = ?", self.run)
        stored = dict(rows)
        found = [f"an action is stored {len(rows) - len(stored) + 1} times"] if len(stored) < len(rows) else []
        found += [
            f"{nonce} at {at} us is stored as {stored.get(nonce)}"
            for nonce, at in self.acked.items()
            if stored.get(nonce) != at
        ]
        found += [f"{nonce} was refused and is stored" for nonce in self.not_done if nonce in stored]
        timeline = self.browser.get(f"/s/{self.run}.json").json()["timeline"]
        return found if len(timeline) == len(stored) else [*found, f"{len(timeline)} of {len(stored)} actions are read"]


class Wanderer(Visitor):
    """Does in turn everything else that stores something."""

    situation = "everything else"

    def prepare(self) -> None:
        self.base = self.browser.make(QUIET)
        with self.browser.room(self.base) as viewer:
            assert viewer.do("act", do="kill 1")["k"] == "ack"
        self.made: list[str] = []
        self.ran: list[str] = []
        self.cancelled: list[str] = []
        self._turn = 0

    def step(self) -> None:
        turns = (self._upload, self._undo, self._open_a_question, self._come_anew, self._run, self._cancel)
        self._turn += 1
        turns[self._turn % len(turns)]()

    def _upload(self) -> None:
        self._took(self.browser.post("/api/documents", raw=QUIET), self.made)

    def _undo(self) -> None:
        answer = self.browser.post(f"/s/{self.base}/undo", {"at_us": 1})
        if self._is_good(answer):
            self.made.append(str(answer.json()["url"]).rpartition("/")[2])

    def _open_a_question(self) -> None:
        answer = self.browser.post("/gallery/s08-leader-dies/open")
        if self._is_good(answer):
            self.made.append(answer.url.rpartition("/")[2])

    def _come_anew(self) -> None:
        self._is_good(Browser(self.instance).get("/play"))

    def _run(self) -> None:
        body = {"doc": self.base, "horizon": "2s", "seeds": 2, "axes": {"acks": ["1", "all"]}}
        self._took(self.browser.post("/what-if/run", body), self.ran)

    def _cancel(self) -> None:
        for experiment in self.ran:
            if experiment not in self.cancelled:
                if self._is_good(self.browser.post(f"/what-if/{experiment}/cancel")):
                    self.cancelled.append(experiment)
                return

    def _took(self, answer: Answer, made: list[str]) -> None:
        if self._is_good(answer):
            made.append(str(answer.json()["id"]))

    def _is_good(self, answer: Answer) -> bool:
        if answer.status < 300:
            self.good()
        elif 400 <= answer.status < 500 or answer.status == 503:
            is_page = answer.text.lstrip().startswith("<")
            self.no(words_of_page(answer.text) if is_page else str(answer.json()["error"]))
        else:
            self.wrong.append(f"answered {answer.status}: {answer.text[:200]}")
        return answer.status < 300

    def lost(self) -> list[str]:
        found = [f"{run}: {read.status}" for run in self.made if (read := self._read(run)).status != 200]
        for experiment in self.ran:
            self.browser.post(f"/what-if/{experiment}/cancel")
            if (state := self._ended(experiment)) not in ("cancelled", "done"):
                found.append(f"an experiment {'that was cancelled ' * (experiment in self.cancelled)}is {state}")
        return found

    def _read(self, run: str) -> Answer:
        return self.browser.get(f"/s/{run}.json")

    def _ended(self, experiment: str) -> str:
        """The final state of an experiment; what it is after some time where it reaches none."""
        deadline = time.monotonic() + END_SECONDS_MAX
        while True:
            answer = self.browser.get(f"/what-if/{experiment}/status")
            state = str(answer.json()["state"]) if answer.status == 200 else f"answered with {answer.status}"
            if state in ("cancelled", "done", "failed") or time.monotonic() > deadline:
                return state
            time.sleep(0.2)


def words_of_page(text: str) -> str:
    """The first paragraph of a page."""
    found = re.search(r"<p[^>]*>(.*?)</p>", text, re.S)
    return " ".join(found[1].split()) if found else ""


LIGHT: Final[tuple[type[Visitor], ...]] = (Idler, Player, Importer, Sharer, Forker, Wanderer)
