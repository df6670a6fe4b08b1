"""`make test`: the whole suite, then one line with the sums.

The front end's modules run under node, the rest in ten runs of pytest. The longest of a kind begin first, so that all
end together. Seven mostly wait: the browser in halves, by itself, since Playwright leaves an event loop behind that
later asyncio tests fail on, rooms, Spark, whole instances, faults with the engine service, and the browser with Spark.
Three compute: what stands in for engine classes, in the interpreted form, the rest of the engine, and all else. Where
there are two cores, two parts that compute and three that wait run at a time. What computes has a low priority, so it
takes the time in which the others wait, and little else. When all that computes has ended, one more of those that wait
runs beside the others. Each part is printed whole as it ends. Every part runs even if another failed. The status is 1
if any failed or a test was skipped.
"""

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import node  # noqa: E402

WITH_DOUBLES: Final = (  # they stand in for engine classes or patch them, which only the interpreted form allows
    "tests/engine/test_broker_rooms.py",
    "tests/engine/test_client_rules.py",
    "tests/engine/test_committed_offsets.py",
    "tests/engine/test_controller_rules.py",
    "tests/engine/test_copies_by_hand.py",
    "tests/engine/test_group_rules.py",
    "tests/engine/test_heal_canaries.py",
    "tests/engine/test_heal_deadlines.py",
    "tests/engine/test_producer.py",
    "tests/engine/test_producer_idempotence.py",
    "tests/engine/test_invariants.py",
    "tests/engine/test_invariants_canaries.py",
    "tests/engine/test_invariants_directed.py",
    "tests/engine/test_invariants_excused.py",
    "tests/engine/test_invariants_tables.py",
    "tests/engine/test_range_assignor.py",
    "tests/engine/test_replication_rules.py",
    "tests/engine/test_reset_by_duration.py",
    "tests/engine/test_roles_and_ends.py",
    "tests/engine/test_rules_directed.py",
    "tests/engine/test_sender_rules.py",
    "tests/engine/test_session_rules.py",
    "tests/engine/test_swarm_found.py",
    "tests/engine/test_time_order.py",
    "tests/mutants",
)
ROOMS: Final = "tests/rooms"
WITH_SPARK: Final = (
    "tests/bench",
    "tests/whatif/test_cluster.py",
    "tests/whatif/test_cores.py",
    "tests/whatif/test_rows_back.py",
    "tests/whatif/test_session.py",
    "tests/whatif/test_sharing.py",
    "tests/whatif/test_worker.py",
)
INSTANCES: Final = "tests/setup"
FAULTS: Final = ("tests/faults", "tests/service")
BROWSER_FOLDER: Final = "tests/browser"
BROWSER_AND_SPARK: Final = "tests/browser/test_whatif.py"
BROWSER: Final = sorted(
    {str(path.relative_to(ROOT)) for path in (ROOT / BROWSER_FOLDER).glob("test_*.py")} - {BROWSER_AND_SPARK}
)
ENGINE: Final = "tests/engine"
COMPUTING: Final = min(2, os.cpu_count() or 1)  # parts at a time
WAITING: Final = COMPUTING + 1  # more would let tests wait for a core whose limits in time are a user's
GIVING_WAY: Final = ("nice", "-n", "10")  # a tenth of a core that another wants; with 19, beside a busy neighbour, none


@dataclass(frozen=True)
class Part:
    """A command of the suite; a run of pytest writes a report, whose sums it yields.

    What only computes gives way to the others: it must not hold a limit in time but those of its own computing time.
    """

    name: str
    command: tuple[str, ...]
    interpreted: bool = False
    only_computes: bool = True


@dataclass(frozen=True)
class Ended:
    """The end of a part: its exit status, what it printed, its seconds, its report's sums (empty without a report)."""

    part: Part
    status: int
    output: str
    seconds: float
    sums: dict[str, int]


def pytest_part(name: str, *arguments: str, interpreted: bool = False, only_computes: bool = True) -> Part:
    """A run of pytest over some paths."""
    command = (sys.executable, "-m", "pytest", "-q", "--durations=8", *arguments)
    return Part(name, command, interpreted, only_computes)


def without(*paths: str) -> list[str]:
    """Pytest's arguments that leave paths out."""
    return [f"--ignore={path}" for path in paths]


PARTS: Final = (  # in the order in which those of a kind begin: the longest first
    pytest_part("browser, second half", *BROWSER[1::2], only_computes=False),
    pytest_part("Spark, bench", *WITH_SPARK, only_computes=False),
    pytest_part("browser, first half", *BROWSER[::2], only_computes=False),
    pytest_part("rooms", ROOMS, only_computes=False),
    pytest_part("whole instances", INSTANCES, only_computes=False),
    pytest_part("faults, engine service", *FAULTS, only_computes=False),
    pytest_part("browser and Spark", BROWSER_AND_SPARK, only_computes=False),
    pytest_part("engine", ENGINE, *without(*(path for path in WITH_DOUBLES if path.startswith(f"{ENGINE}/")))),
    pytest_part(
        "documents, pages",
        "tests",
        *without(BROWSER_FOLDER, ENGINE, ROOMS, *WITH_SPARK, INSTANCES, *FAULTS, *WITH_DOUBLES),
    ),
    pytest_part("engine with doubles, interpreted", *WITH_DOUBLES, interpreted=True),
    Part("the pages' modules, under node", (sys.executable, "tools/node.py", "test")),
)


def counted(report: Path) -> dict[str, int]:
    """Tests, failures, errors and skips of one run, from its report; empty when it wrote none."""
    if not report.exists():
        return {}
    suites = ElementTree.parse(report).getroot().iter("testsuite")
    sums = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in suites:
        for word in sums:
            sums[word] += int(suite.get(word, 0))
    return sums


def run(part: Part, folder: Path) -> Ended:
    """Run one part to its end."""
    print(f"=== {part.name}: begins", flush=True)
    began = time.monotonic()
    report = folder / f"{part.name}.xml"
    is_pytest = "pytest" in part.command
    command = [*GIVING_WAY, *part.command] if part.only_computes else [*part.command]
    command += [f"--junitxml={report}"] if is_pytest else []
    environment = {**os.environ, **({"HIGHWATER_ENGINE": "interpreted"} if part.interpreted else {})}
    # The suite starts hundreds of Python processes. Without cached bytecode each compiles Django again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    output = done.stdout.decode(errors="replace")
    return Ended(part, done.returncode, output, time.monotonic() - began, counted(report))


def all_ended() -> Iterator[Ended]:
    """Run every part; each as it ends, and in its place the next of its kind begins."""
    left = {computes: [part for part in PARTS if part.only_computes is computes] for computes in (True, False)}
    places = {True: COMPUTING, False: WAITING}
    running: set[Future[Ended]] = set()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(PARTS)) as pool:
        while True:
            for computes, parts in left.items():
                while parts and places[computes]:
                    places[computes] -= 1
                    running.add(pool.submit(run, parts.pop(0), Path(folder)))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for ended in (future.result() for future in done):
                places[ended.part.only_computes] += 1
                yield ended
            if places[True] == COMPUTING and not left[True]:
                places = {True: 0, False: places[False] + 1}


def main() -> int:
    """Run everything and print the sums. npm's packages come first: two parts run the pages' modules under node."""
    began = time.monotonic()
    if node.install():
        print("The packages of package-lock.json could not be installed: see npm's message above.", file=sys.stderr)
        return 1
    sums = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    failed: list[str] = []
    for ended in all_ended():
        how = f", ended by signal {-ended.status}, so not all of it counts below" if ended.status < 0 else ""
        print(f"\n=== {ended.part.name}: {ended.seconds:.0f} s{how}\n{ended.output}", flush=True)
        if ended.status:
            failed.append(ended.part.name)
        for word, number in ended.sums.items():
            sums[word] += number
    passed = sums["tests"] - sums["failures"] - sums["errors"] - sums["skipped"]
    print(
        f"\n{passed} passed, {sums['failures'] + sums['errors']} failed, {sums['skipped']} skipped under pytest, "
        f"in {time.monotonic() - began:.0f} s; " + (f"failed: {', '.join(failed)}" if failed else "all is well")
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
