"""One attack measured: what the visitor saw of it, what it took, and how long until all was as before."""

import json
import threading
import time
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Final

from tests.faults.matrix.instance import Instance
from tests.faults.matrix.visitors import NO_ANSWER
from tests.faults.strangers.attacks import ATTACKS, Row
from tests.faults.strangers.process import attacked
from tests.faults.strangers.sampler import Sampler
from tests.faults.strangers.stranger import Target
from tests.faults.strangers.visitor import ADDRESS, DOCUMENT, Visitor
from tests.rooms.site import Browser, Served

SETTLE_S: Final = 1.0
FRAME_S_MAX: Final = 1.0  # the measure: a picture stands no longer,
CLICK_S_MAX: Final = 1.0  # and a click, or a new room, is answered within so much
EXPERIMENT_S_MAX: Final = 30.0  # 20 short runs are done
BEFORE_S_MAX: Final = 45.0  # longer is never
LOOK_S: Final = 0.1
NEXT_NEWCOMER_S: Final = 1.0


@dataclass
class Seen:
    """The result of an attack; times in s, sizes in MiB. `before_s` is None where it was not as before in time."""

    row: Row
    frame_s: float
    click_s: float
    click: str
    memory: float
    disk: float
    before_s: float | None
    experiment_s: float
    refused: dict[str, int]
    wrong: list[str]
    got: dict[str, int]

    @property
    def faults(self) -> list[str]:
        """The figures that are not within the measure, in words."""
        found = list(self.wrong)
        if self.frame_s > FRAME_S_MAX:
            found.append(f"her picture stood {self.frame_s:.1f} s")
        if self.click_s > CLICK_S_MAX:
            found.append(f"{self.click} took {self.click_s:.1f} s")
        if self.experiment_s > EXPERIMENT_S_MAX:
            found.append(f"her 20 runs took {self.experiment_s:.0f} s")
        if self.before_s is None:
            found.append(f"not as before after {BEFORE_S_MAX:.0f} s")
        return found + [f"{number} x refused: {reason}" for reason, number in self.refused.items()]


def measured(row: Row, instance: Instance, temporary: Path) -> Seen:
    """One attack, from its begin until all is as before."""
    visitor = Visitor(instance)
    target = Target(instance.port, f"127.0.1.{1 + ATTACKS.index(row)}", visitor.run, visitor.edit_link)
    visitor.start()
    time.sleep(SETTLE_S)
    sampler = Sampler(instance, temporary)
    got = attacked(row.name, target, lambda is_over: _until_over(row, visitor, is_over))
    before_s = _until_as_before(instance, visitor)
    visitor.stop()
    sampler.stop()
    return _seen(row, visitor, sampler, before_s, got)


def _seen(row: Row, visitor: Visitor, sampler: Sampler, before_s: float | None, got: dict[str, int]) -> Seen:
    return Seen(
        row,
        visitor.frame_s(),
        *visitor.click_s(),
        sampler.memory,
        sampler.disk,
        before_s,
        visitor.experiment_s(),
        dict(visitor.refused),
        list(visitor.wrong),
        got,
    )


def _until_over(row: Row, visitor: Visitor, is_over: Event) -> None:
    """Measure from now on, until the attack's time is up, it has ended by itself, or the visitor has her experiment."""
    visitor.waits.forget()
    if not row.has_experiment:
        is_over.wait(row.seconds)
        return
    experiment = threading.Thread(target=visitor.experiment, args=[row.seconds], daemon=True)
    experiment.start()
    experiment.join(row.seconds + LOOK_S)


def _until_as_before(site: Served, visitor: Visitor) -> float | None:
    """Seconds until a new visitor's click and new room, and the room of this one, are as quick as ever."""
    ended = time.monotonic()
    while (began := time.monotonic()) < ended + BEFORE_S_MAX:
        newcomer = Newcomer(site, visitor.run)
        newcomer.join(CLICK_S_MAX)
        if newcomer.was_served and visitor.is_served():
            return began - ended
        time.sleep(NEXT_NEWCOMER_S)
    return None


class Newcomer(threading.Thread):
    """Looks at a page, saves a document and opens its room."""

    def __init__(self, site: Served, run: str) -> None:
        super().__init__(daemon=True)
        self._site = site
        self._run_seen = run
        self.was_served = False
        self.start()

    def run(self) -> None:
        try:
            browser = Browser(self._site, ADDRESS)
            answer = browser.get(f"/s/{self._run_seen}")
            browser.room(browser.make(json.dumps(DOCUMENT).encode())).connection.close()
            self.was_served = answer.status == 200
        except (AssertionError, *NO_ANSWER):
            return
