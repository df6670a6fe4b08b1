"""`make test`: its parts begin in their order, and no more of a kind run at a time than there are places."""

import threading
import time
from pathlib import Path

import pytest

from tools import run_tests
from tools.run_tests import Ended, Part

WAITING_PARTS = [Part(f"waits {number}", (), only_computes=False) for number in range(8)]
COMPUTING_PARTS = [Part(f"computes {number}", ()) for number in range(4)]


class Recorded:
    """Stands in for ``run``: keeps the order in which parts begin and how many of a kind ran at a time.

    What computes runs until ``last`` has begun, what waits for a moment.
    """

    def __init__(self, last: Part) -> None:
        self.last = last
        self.last_has_begun = threading.Event()
        self.lock = threading.Lock()
        self.begun: list[Part] = []
        self.running: list[Part] = []
        self.most = {True: 0, False: 0}

    def run(self, part: Part, folder: Path) -> Ended:
        assert folder.is_dir()
        with self.lock:
            self.begun.append(part)
            self.running.append(part)
            of_kind = sum(other.only_computes is part.only_computes for other in self.running)
            self.most[part.only_computes] = max(self.most[part.only_computes], of_kind)
        if part is self.last:
            self.last_has_begun.set()
        if part.only_computes:
            assert self.last_has_begun.wait(10)
        else:
            time.sleep(0.05)
        with self.lock:
            self.running.remove(part)
        return Ended(part, 0, "", 0.0, {})


def recorded(monkeypatch: pytest.MonkeyPatch, parts: list[Part], last: Part, waiting: int) -> Recorded:
    """The parts are run, two that compute at a time."""
    made = Recorded(last)
    for name, value in {"run": made.run, "PARTS": tuple(parts), "COMPUTING": 2, "WAITING": waiting}.items():
        monkeypatch.setattr(run_tests, name, value)
    ended = [one.part.name for one in run_tests.all_ended()]
    assert sorted(ended) == sorted(part.name for part in parts)
    return made


def test_parts_of_a_kind_begin_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest stand first: one that is passed over runs alone in the end."""
    made = recorded(monkeypatch, [*WAITING_PARTS, COMPUTING_PARTS[0]], WAITING_PARTS[-1], waiting=1)
    assert [part for part in made.begun if not part.only_computes] == WAITING_PARTS
    assert made.most == {True: 1, False: 1}


def test_one_more_part_waits_when_all_that_computes_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    made = recorded(monkeypatch, [*WAITING_PARTS, *COMPUTING_PARTS], WAITING_PARTS[2], waiting=1)
    assert made.most == {True: 2, False: 2}
