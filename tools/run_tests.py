"""`make test`: the whole suite, quick parts first, then one line with the sums.

Three runs of pytest: what stands in for engine classes, in the interpreted form; the rest but the browser; the browser
by itself, since Playwright leaves an event loop behind that later asyncio tests fail on. Then the front end's modules
under node. Every run happens even if one before it failed; the status is 1 if any failed, or any was skipped.
"""

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
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
RUNS: Final[dict[str, list[str]]] = {
    "engine with doubles, interpreted": list(WITH_DOUBLES),
    "all but the browser": ["tests", "--ignore=tests/browser", *(f"--ignore={path}" for path in WITH_DOUBLES)],
    "browser": ["tests/browser"],
}


def run_pytest(name: str, paths: list[str], report: Path) -> int:
    """One run of pytest; returns its exit status."""
    print(f"\n=== pytest: {name}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "--durations=8", f"--junitxml={report}", *paths]
    form = {"HIGHWATER_ENGINE": "interpreted"} if "interpreted" in name else {}
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **form}, check=False).returncode


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


def main() -> int:
    """Run everything and print the sums."""
    started = time.monotonic()
    statuses: dict[str, int] = {}
    sums = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    with tempfile.TemporaryDirectory() as folder:
        for name, paths in RUNS.items():
            report = Path(folder) / f"{name}.xml"
            statuses[name] = run_pytest(name, paths, report)
            for word, number in counted(report).items():
                sums[word] += number
    print("\n=== node: the modules of the pages", flush=True)
    statuses["node"] = subprocess.run([sys.executable, "tools/node.py", "test"], cwd=ROOT, check=False).returncode
    failed = [name for name, status in statuses.items() if status]
    passed = sums["tests"] - sums["failures"] - sums["errors"] - sums["skipped"]
    print(
        f"\n{passed} passed, {sums['failures'] + sums['errors']} failed, {sums['skipped']} skipped under pytest, "
        f"in {time.monotonic() - started:.0f} s; " + (f"failed: {', '.join(failed)}" if failed else "all is well")
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
