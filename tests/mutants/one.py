"""``python -m tests.mutants.one ID``: one mutant in a process of its own; the last line is a JSON object.

Without an ID the engine is plain, and nothing may be killed. A crash is told apart and kills nothing.
"""

import contextlib
import io
import json
import sys
import time
from pathlib import Path
from typing import Any

from tests.mutants.mutant import Mutant
from tests.mutants.patching import ROOT, install
from tests.mutants.table import MUTANTS

TABLES = ("tests/engine/test_invariants_tables.py", "tests/engine/test_invariants_directed.py")
SWARM_SEEDS = range(1, 31)
SWARM_SECONDS = 60.0  # wall time after which a swarm begins no further run
SCENARIO_SEEDS = (1, 2)
PLAIN = Mutant("none", "the engine as it is", ())


class Killed:
    """Who noticed, and which crashes there were."""

    def __init__(self) -> None:
        self.by: list[str] = []
        self.crashes: list[str] = []
        self.properties: set[str] = set()

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """A unit table: an assertion that fails kills, any other exception is a crash."""
        if call.excinfo is None:
            return
        kind = call.excinfo.type.__name__
        if kind in ("AssertionError", "Violation", "Failed"):
            self.by.append(f"{item.name}")
        else:
            self.crashes.append(f"{item.name}: {kind}")


def run_tables(mutant: Mutant, killed: Killed) -> None:
    """The unit tables, all of them or those that the mutant names."""
    import pytest

    chosen = ["-k", mutant.tables] if mutant.tables else []
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["-q", "-p", "no:cacheprovider", *chosen, *TABLES], plugins=[killed])


def run_scenarios(mutant: Mutant, killed: Killed) -> None:
    """The named scenarios under all checks, held against what they expect."""
    from simengine.commands.expect import wrongs_of
    from simengine.invariants.violation import Violation
    from simengine.scenario import load

    files = [p for p in sorted((ROOT / "tests" / "scenarios").glob("*.yaml")) if p.name.startswith(mutant.scenarios)]
    for path in files:
        if is_enough(mutant, killed):
            return
        for seed in SCENARIO_SEEDS:
            document = load(path.read_bytes()).model_copy(update={"seed": seed})
            try:
                wrongs = wrongs_of(document, checks=True)
            except Violation as violation:
                note(killed, violation.name, f"{path.stem}: {violation.name}")
                break
            except Exception as error:  # noqa: BLE001 - whatever a mutant does that is no verdict is a crash
                crashed(killed, path, error)
                break
            if wrongs:
                killed.by.append(path.stem)
                break


def is_enough(mutant: Mutant, killed: Killed) -> bool:
    """Somebody noticed, and by a property that the list of invariants names, if it names one."""
    return bool(killed.by) and (not mutant.killers or bool(killed.properties.intersection(mutant.killers)))


def crashed(killed: Killed, path: Path, error: Exception) -> None:
    """An assertion of the engine names its property; anything else is a crash."""
    if isinstance(error, AssertionError) and str(error).startswith("append_at_leo"):
        note(killed, "append_at_leo", f"{path.stem}: append_at_leo")
    else:
        killed.crashes.append(f"{path.stem}: {type(error).__name__} {error}")


def note(killed: Killed, name: str, text: str) -> None:
    """A property noticed."""
    killed.by.append(text)
    killed.properties.add(name)


def run_swarm(mutant: Mutant, killed: Killed) -> None:
    """Random clusters, until the first that notices."""
    from simengine.swarm.run import run_seed

    end = time.monotonic() + SWARM_SECONDS
    for seed in SWARM_SEEDS:
        if time.monotonic() > end:
            return
        try:
            outcome = run_seed(seed)
        except Exception as error:  # noqa: BLE001 - as above
            killed.crashes.append(f"swarm seed {seed}: {type(error).__name__} {error}")
            return
        if outcome.name == "assertion" and not outcome.story.startswith("append_at_leo"):
            killed.crashes.append(f"swarm seed {seed}: {outcome.story}")
            return
        if outcome.name:
            note(killed, outcome.name, f"swarm seed {seed}: {outcome.name}")
            return


def main(argv: list[str]) -> int:
    """Run one mutant and print who noticed."""
    mutant = next((m for m in MUTANTS if m.id == argv[0]), None) if argv else PLAIN
    if mutant is None:
        print(f"{argv[0]} is no mutant: allowed are {', '.join(m.id for m in MUTANTS)}", file=sys.stderr)
        return 2
    reached = install(mutant)
    killed = Killed()
    if mutant.tables or mutant is PLAIN:
        run_tables(mutant, killed)
    if mutant.scenarios:
        run_scenarios(mutant, killed)
    if mutant is PLAIN or not killed.by:
        run_swarm(mutant, killed)
    counts = {module: count[0] for module, count in reached.items()}
    print(json.dumps({"by": killed.by, "crashes": killed.crashes, "reached": counts}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
