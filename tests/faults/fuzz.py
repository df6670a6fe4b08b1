"""A storm of hostile input: `python -m tests.faults --cases 20000 --seed 1`; `--only 4711` repeats one case.

Cases run against a real web process. Every wrong answer is printed with the command that repeats it. Beside them
`/alive` is asked ten times a second: an answer that took more than ALIVE_MS, while the web process computed for as
long, is wrong too (on a busy machine it may wait for a core, which is not the process's doing).
"""

import argparse
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import psutil

from tests.faults import cases
from tests.faults.asked import Asker
from tests.faults.cases import Case
from tests.faults.world import LoggedSite, World

ALIVE_MS: Final = 200
ALIVE_EVERY_S: Final = 0.1
ASKERS: Final = 2
ROUND: Final = 250  # cases after which the world is made whole
WORLD: Final = 1_000  # cases after which a new world begins
CHANGING: Final = ("delete", "what-if-delete", "what-if-cancel", "what-if-run")


@dataclass
class Outcome:
    """The result of a storm: cases by route, faults, the slowest `/alive` in ms by wall and by computing."""

    seed: int
    number: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    wrong: list[str] = field(default_factory=list)
    slowest: tuple[float, float] = (0.0, 0.0)
    computing: list[float] = field(default_factory=list)  # ms that the web process computed while it was asked
    held: list[str] = field(default_factory=list)
    under_way: dict[int, int] = field(default_factory=dict)

    def note(self, number: int, case: Case, found: list[str], seconds: float) -> None:
        """Count a case and its seconds, and keep what was wrong with it."""
        self.number[case.route] += 1
        self.seconds[case.route] += seconds
        repeat = f"python -m tests.faults --seed {self.seed} --only {number}"
        self.wrong += [f"{repeat}\n    {shown(case)}\n    {what}" for what in found]


def shown(case: Case) -> str:
    """A case on one line."""
    text = repr(case)
    return text if len(text) < 700 else f"{text[:500]} … {text[-150:]} ({len(text):,} characters)"


class Alive:
    """Asks `/alive` until told to stop."""

    def __init__(self, site: LoggedSite, outcome: Outcome) -> None:
        assert site.process is not None
        self._process = psutil.Process(site.process.pid)
        self._url, self._outcome = f"{site.url}/alive", outcome
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def _ask(self) -> None:
        while not self._stop.wait(ALIVE_EVERY_S):
            began, computed = time.monotonic(), self._computed()
            with urllib.request.urlopen(self._url, timeout=60) as answer:
                answer.read()
            wall, busy = (time.monotonic() - began) * 1e3, (self._computed() - computed) * 1e3
            self._outcome.computing.append(min(wall, busy))
            self._outcome.slowest = max(self._outcome.slowest, (min(wall, busy), wall))
            if min(wall, busy) > ALIVE_MS:
                numbers = sorted(self._outcome.under_way.values())
                self._outcome.held.append(f"/alive took {wall:.0f} ms, {busy:.0f} ms of it computing, beside {numbers}")

    def _computed(self) -> float:
        times = self._process.cpu_times()
        return float(times.user + times.system)

    def __enter__(self) -> "Alive":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def storm(world: World, numbers: Iterable[int], outcome: Outcome, chosen: dict[int, Case] | None = None) -> None:
    """Send cases from ASKERS threads, with `/alive` beside them."""
    with Alive(world.site, outcome):
        for block in _blocks(numbers):
            waiting = iter(block)
            lock = threading.Lock()
            threads = [
                threading.Thread(target=_work, args=(world, waiting, lock, outcome, chosen or {}))
                for _ in range(ASKERS)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            world.mend()


def _blocks(numbers: Iterable[int]) -> Iterator[list[int]]:
    every = list(numbers)
    return (every[at : at + ROUND] for at in range(0, len(every), ROUND))


def _work(
    world: World, waiting: Iterator[int], lock: threading.Lock, outcome: Outcome, chosen: dict[int, Case]
) -> None:
    asker = Asker(world)
    while True:
        with lock:
            number = next(waiting, None)
        if number is None:
            return
        case = chosen.get(number) or cases.draw(outcome.seed, number)
        outcome.under_way[threading.get_ident()], began = number, time.monotonic()
        try:
            found = asker.wrong(case, Random(number))
        except Exception as failure:  # noqa: BLE001  # an answer that never came, or was none
            found = [f"no answer: {type(failure).__name__}: {failure}"]
        with lock:
            outcome.note(number, case, found, time.monotonic() - began)
            if case.route in CHANGING:
                world.mend()


@contextmanager
def new_world(data: Path, seed: int) -> Iterator[World]:
    """A site of its own, and a world in it."""
    site = LoggedSite(data)
    site.start()
    try:
        yield World(site, seed)
    finally:
        site.stop()


def main(argv: list[str]) -> int:
    """Run the storm and print its outcome; status 1 where something was wrong."""
    reader = argparse.ArgumentParser(description="Hostile input against a real web process.")
    reader.add_argument("--cases", type=int, default=500)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--only", type=int, help="the number of the one case to send")
    asked = reader.parse_args(argv)
    outcome, began = Outcome(asked.seed), time.monotonic()
    numbers = range(asked.cases) if asked.only is None else [asked.only]
    with tempfile.TemporaryDirectory(prefix="highwater-fuzz-") as folder, new_world(Path(folder), asked.seed) as world:
        for first in range(0, len(numbers), WORLD):
            told = len(outcome.wrong)
            here = world if first == 0 else World(world.site, asked.seed)
            storm(here, numbers[first : first + WORLD], outcome)
            print("\n".join(outcome.wrong[told:]), flush=True)
            print(f"{sum(outcome.number.values()):,} cases, {time.monotonic() - began:.0f} s", flush=True)
    print("\n".join(outcome.held))
    computing, wall = outcome.slowest
    print(f"slowest /alive: {wall:.0f} ms, {computing:.0f} ms of it computing")
    print(
        ", ".join(f"{name} {count} in {outcome.seconds[name]:.1f} s" for name, count in sorted(outcome.number.items()))
    )
    print(f"{sum(outcome.number.values()):,} cases of seed {asked.seed}: {len(outcome.wrong)} wrong answers")
    is_whole = sum(outcome.number.values()) == len(numbers)  # a thread of the storm may have died
    return 1 if outcome.wrong or outcome.held or not is_whole else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
