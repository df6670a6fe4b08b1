"""The visitor: her room plays, she clicks without end, and notes how long she waited. Her address is her own."""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from itertools import cycle
from typing import Any, Final

from tests.faults.matrix.experiments import ACTIVE
from tests.faults.matrix.visitors import NO_ANSWER
from tests.faults.strangers.waits import Waits
from tests.faults.three_brokers import three_brokers
from tests.rooms.site import Answer, Browser, Served, Socket

ADDRESS: Final = "127.0.0.2"
DOCUMENT: Final = three_brokers(rate=50)
SHORT_RUNS: Final[dict[str, Any]] = {"horizon": "5s", "seeds": 10, "axes": {"acks": ["1", "all"]}}
BEGIN_US: Final = 20_000_000  # her run has a past to look back at
FRAME: Final = "frame"
ACT: Final = "act"
EXPERIMENT: Final = "20 runs"
CLICKS: Final = (ACT, "page", "look back", "describe", "share", "come again")
ACT_EVERY_S: Final = 1.0
CLICK_EVERY_S: Final = 0.2
SERVED_S: Final = 0.5
LOOK_S: Final = 0.05
JUMP_US: Final = 1_000_000  # at the speed of her room a frame is 3 ms further
CREATED: Final = 201


class Visitor:
    """One visitor with a run of her own. `wrong`: what may not happen, such as a clock that somebody else moved."""

    def __init__(self, site: Served) -> None:
        self.browser = Browser(site, ADDRESS).ready()
        self.run = self.browser.make(json.dumps(DOCUMENT).encode())
        self.waits = Waits()
        self.refused: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._t_us = 0
        self._is_over = threading.Event()
        self._clicks = {
            "page": self._page,
            "look back": self._look_back,
            "describe": self._describe,
            "share": self._share,
            "come again": self._come_again,
        }

    @property
    def edit_link(self) -> str:
        """The path of the secret link that lets others act on her run."""
        found = re.search(rf"/s/{self.run}/edit/[\w-]+", self.browser.get(f"/s/{self.run}/about").text)
        assert found is not None, "the page about a run shows no edit link"
        return found[0]

    def start(self) -> None:
        """Play, and click from now on."""
        with self.browser.room(self.run) as viewer:
            viewer.do("reach", t=BEGIN_US)
            self._t_us = BEGIN_US
            viewer.do("play")
        for work in (self._watch, self._click):
            threading.Thread(target=work, daemon=True).start()

    def stop(self) -> None:
        """Click no more. A click that is not answered yet is left alone: its wait counts up to now."""
        self._is_over.set()

    def is_served(self) -> bool:
        """True if her picture moves and no click waits for long."""
        return self.waits.under_way(FRAME, *CLICKS) < SERVED_S

    def frame_s(self) -> float:
        """The longest gap between two frames."""
        return self.waits.longest(FRAME)[0]

    def click_s(self) -> tuple[float, str]:
        """The longest wait for an answer, and to which click."""
        return self.waits.longest(*CLICKS)

    def experiment(self, seconds_max: float) -> None:
        """20 short runs, until they are done or the time is up."""
        deadline, state = time.monotonic() + seconds_max, ""
        with self.waits.of(EXPERIMENT):
            answer = self.browser.post("/what-if/run", {**SHORT_RUNS, "doc": self.run})
            path = f"/what-if/{answer.json().get('id')}/status"
            while state in ("", *ACTIVE) and time.monotonic() < deadline:
                self._is_over.wait(CLICK_EVERY_S)
                state = self.browser.get(path).json().get("state")
        if state != "done":
            self._note_refused(EXPERIMENT, f"after {seconds_max:.0f} s they are {state or answer.text[:100]}")

    def experiment_s(self) -> float:
        """The time that the 20 runs took, in s."""
        return self.waits.longest(EXPERIMENT)[0]

    def _watch(self) -> None:
        """Look at the room; a page whose socket breaks comes back."""
        self.waits.begin(FRAME)
        actions = cycle(("kill 2", "start 2"))
        while not self._is_over.is_set():
            try:
                with self.browser.room(self.run) as viewer:
                    self._play(viewer, actions.__next__)
            except (*NO_ANSWER, AssertionError):
                self.refused["socket closed"] += 1
                self._is_over.wait(CLICK_EVERY_S)

    def _play(self, viewer: Socket, action: Callable[[], str]) -> None:
        asked, due = 0, time.monotonic() + ACT_EVERY_S
        while not self._is_over.is_set():
            if not asked and time.monotonic() > due:
                asked = viewer.send("act", do=action())
                self.waits.begin(ACT)
            try:
                frame = viewer.receive(LOOK_S)
            except TimeoutError:
                continue
            self._note(frame, viewer.t)
            if frame["k"] in ("ack", "refused") and frame["id"] == asked:
                self.waits.end(ACT)
                self._note_refused(ACT, frame.get("reason", "") if frame["k"] == "refused" else "")
                asked, due = 0, time.monotonic() + ACT_EVERY_S
            viewer.frames.clear()
            viewer.rows.clear()

    def _note(self, frame: dict[str, Any], t_us: int) -> None:
        if frame["k"] not in ("facts", "snap"):
            return
        self.waits.begin(FRAME)
        if abs(t_us - self._t_us) > JUMP_US:
            self.wrong.append(f"her clock went from {self._t_us / 1e6:.1f} s to {t_us / 1e6:.1f} s")
        self._t_us = t_us

    def _click(self) -> None:
        for kind, click in cycle(self._clicks.items()):
            if self._is_over.wait(CLICK_EVERY_S):
                return
            try:
                with self.waits.of(kind):
                    answer = click()
                if answer is not None and answer.status not in (200, CREATED):
                    self._note_refused(kind, f"{answer.status}: {answer.text[:200]}")
            except (*NO_ANSWER, AssertionError) as broken:
                self._note_refused(kind, f"{type(broken).__name__}: {broken}"[:200])

    def _note_refused(self, kind: str, reason: str) -> None:
        if reason and not self._is_over.is_set():
            self.refused[f"{kind}: {reason}"] += 1

    def _page(self) -> Answer:
        return self.browser.get(f"/s/{self.run}")

    def _look_back(self) -> Answer:
        return self.browser.get(f"/rooms/{self.run}/snapshot?at_us={self._t_us // 2}")

    def _describe(self) -> Answer:
        return self.browser.get(f"/s/{self.run}/describe?at_us={self._t_us}")

    def _share(self) -> Answer:
        return self.browser.post(f"/s/{self.run}/share", {"at_us": self._t_us})

    def _come_again(self) -> None:
        self.browser.room(self.run).connection.close()
