"""``python -m tests.mutants.one ID``: one mutant in a process of its own; the last line is a JSON object.

Without an ID the engine is plain, and nothing may be killed. A crash is told apart and kills nothing. A property that
breaks does not end a run here until one has broken that the list of invariants names for the mutant (or, where it names
none, that we do): so it is seen whether that one breaks too, although another did before it.
"""

import contextlib
import importlib
import io
import json
import pkgutil
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.mutants.mutant import Mutant
from tests.mutants.patching import ROOT, install
from tests.mutants.table import MUTANTS

TABLES = (
    "tests/engine/test_invariants_tables.py",
    "tests/engine/test_invariants_directed.py",
    "tests/engine/test_invariants_led.py",
    "tests/engine/test_rules_directed.py",
    "tests/engine/test_controller_rules.py",
    "tests/engine/test_replication_rules.py",
    "tests/engine/test_slow_intake.py",
    "tests/engine/test_causes.py",
    "tests/engine/test_reader_rules.py",
    "tests/engine/test_sender_rules.py",
    "tests/engine/test_channel.py",
    "tests/engine/test_lost_brokers.py",
    "tests/engine/test_producer.py",
    "tests/engine/test_producer_idempotence.py",
    "tests/engine/test_leader_rules.py",
    "tests/engine/test_logs_that_begin_late.py",
    "tests/engine/test_quorum_rules.py",
    "tests/engine/test_proposal_retries.py",
    "tests/engine/test_committed_offsets.py",
    "tests/engine/test_timeouts_obeyed.py",
    "tests/engine/test_memory_exhausted.py",
    "tests/engine/test_reset_by_duration.py",
    "tests/engine/test_copy_rules.py",
    "tests/engine/test_heal_deadlines.py",
    "tests/engine/test_session_rules.py",
    "tests/engine/test_admin_calls.py",
    "tests/engine/test_group_rules.py",
    "tests/engine/test_client_rules.py",
    "tests/engine/test_broker_config.py",
    "tests/engine/test_verdict_books.py",
    "tests/engine/test_copies_by_hand.py",
    "tests/engine/test_verdict_states.py",
    "tests/engine/test_verdict_accounts.py",
    "tests/engine/test_incident_books.py",
    "tests/engine/test_incident_parts.py",
    "tests/engine/test_last_copies.py",
    "tests/engine/test_last_commits.py",
    "tests/engine/test_combined.py",
    "tests/engine/test_why_links.py",
    "tests/engine/test_why_former.py",
    "tests/engine/test_broker_rooms.py",
    "tests/engine/test_roles_and_ends.py",
    "tests/engine/test_missing.py",
    "tests/engine/test_standing.py",
    "tests/engine/test_ways_back.py",
    "tests/engine/test_replaced_disks.py",
    "tests/mirror/test_no_copy_comes_back.py",
    "tests/mirror/test_offset_sync_store.py",
)
SWARM_SEEDS = range(1, 201)
SWARM_SECONDS = 45.0  # wall time after which a swarm begins no further run, if somebody has noticed the mutant
SURVIVOR_SECONDS = 1200.0  # the same if nobody has: 200 runs take some nine minutes of CPU, in the interpreted form
SCENARIO_SEEDS = (1, 2)
ENGINE = ("simengine", "tests/invariants", "tests/recount", "tests/swarm")  # what a mutant may stumble in
PLAIN = Mutant("none", "the engine as it is", ())


class Killed:
    """The tests that noticed the mutant, and the crashes."""

    def __init__(self) -> None:
        self.by: list[str] = []
        self.crashes: list[str] = []
        self.properties: set[str] = set()

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """A unit table: its own assertion or a broken property kills; any other exception is a crash.

        So is an assertion of the engine: that it stumbled says not that somebody would have seen a wrong outcome.
        """
        if call.excinfo is None:
            return
        kind = call.excinfo.type.__name__
        raised_in = Path(call.excinfo.traceback[-1].path)
        is_verdict = kind == "AssertionError" and not any(raised_in.is_relative_to(ROOT / part) for part in ENGINE)
        if is_verdict or kind in ("Violation", "Failed"):
            self.by.append(f"{item.name}")
        else:
            self.crashes.append(f"{item.name}: {kind} in {raised_in.name}")


def run_tables(mutant: Mutant, killed: Killed) -> None:
    """The unit tables, all of them or those that the mutant names."""
    import pytest

    chosen = ["-k", mutant.tables] if mutant.tables else []
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["-q", "-p", "no:cacheprovider", *chosen, *files_of(mutant.tables)], plugins=[killed])


def files_of(tables: str) -> list[str]:
    """The files that hold a test with a word of the expression ``tables`` in its name; all of them if none does."""
    words = [word for word in re.findall(r"\w+", tables) if word not in ("and", "or", "not")]
    found = [name for name in TABLES if any(word in (ROOT / name).read_text() for word in words)]
    return found or list(TABLES)


def listen(mutant: Mutant, killed: Killed) -> None:
    """Have every broken property noted; only one that should notice, or any if none is named, ends the run."""
    from tests.invariants.violation import Violation

    def demand(holds: bool, name: str, where: str, story: str) -> None:
        if holds:
            return
        if name not in killed.properties:
            note(killed, name, name)
        if is_enough(mutant, killed):
            raise Violation(name, where, story)

    for package in ("tests.invariants", "tests.recount", "tests.swarm"):
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__, package + "."):
            loaded = importlib.import_module(module.name)
            if hasattr(loaded, "demand"):
                vars(loaded)["demand"] = demand


def run_scenarios(mutant: Mutant, killed: Killed) -> None:
    """The named scenarios under all checks, held against what they expect; then those of one cluster, healed."""
    from simengine.commands.expect import wrongs_of
    from simengine.scenario import DocumentError, load
    from tests.checked import checked
    from tests.swarm.heal import converge

    folder = ROOT / "tests" / "scenarios"
    every = sorted(folder.glob("*.yaml")) + sorted((folder / "mirrors").glob("*.yaml"))
    files = [path for path in every if path.name.startswith(mutant.scenarios)]
    documents = []
    for path in files:
        try:
            document = load(path.read_bytes())
        except DocumentError:
            killed.by.append(f"{path.stem} is refused")
            continue
        documents += [(path.stem, document.model_copy(update={"seed": seed})) for seed in SCENARIO_SEEDS]
    for stem, document in documents:
        if not is_enough(mutant, killed):
            wrongs = watched(stem, killed, partial(wrongs_of, document, checked))
            if wrongs and stem not in killed.by:
                killed.by.append(stem)
    for stem, document in documents:
        if mutant.properties and not document.clusters and not is_enough(mutant, killed):
            world = checked(document)
            everybody = {
                "brokers": [int(b.id) for b in world.cluster.brokers],
                "controllers": [int(c.id) for c in world.cluster.controllers],
                "how": "kill",
                "is_patient": True,
            }
            watched(stem, killed, partial(world.run, document.until_us))
            watched(stem, killed, partial(converge, world, everybody))


def watched(stem: str, killed: Killed, work: Callable[[], Any]) -> Any:
    """Do it; a broken property has been noted when it ends so, anything else is a crash."""
    from tests.invariants.violation import Violation

    try:
        return work()
    except Violation:
        return None
    except Exception as error:  # noqa: BLE001 - whatever a mutant does that is no verdict is a crash
        crashed(killed, stem, error)
        return None


def is_enough(mutant: Mutant, killed: Killed) -> bool:
    """Somebody noticed, and by a property that should, if the list of invariants or we name one."""
    wanted = mutant.killers or mutant.others
    return bool(killed.by) and (not wanted or bool(killed.properties.intersection(wanted)))


def crashed(killed: Killed, stem: str, error: Exception) -> None:
    """It ended otherwise than by a verdict."""
    killed.crashes.append(f"{stem}: {type(error).__name__} {error}")


def note(killed: Killed, name: str, text: str) -> None:
    """A property noticed."""
    killed.by.append(text)
    killed.properties.add(name)


def run_swarm(mutant: Mutant, killed: Killed) -> None:
    """Random clusters, until one notices that is named, or the time is over: long for whom nobody has noticed yet.

    A rule of MirrorMaker meets two clusters in each run.
    """
    from tests.swarm.mirrored import mirrored
    from tests.swarm.run import run_seed

    is_of_mirrors = all(module.startswith("simengine.mirror.") for module in mutant.modules) and mutant.modules
    begun = time.monotonic()
    for seed in SWARM_SEEDS:
        seconds = SWARM_SECONDS if killed.by else SURVIVOR_SECONDS
        if is_enough(mutant, killed) or time.monotonic() - begun > seconds:
            return
        outcome = watched(f"swarm seed {seed}", killed, partial(mirrored if is_of_mirrors else run_seed, seed))
        if outcome is not None and outcome.is_crash:
            killed.crashes.append(f"swarm seed {seed}: {outcome.story[0]}")


def main(argv: list[str]) -> int:
    """Run one mutant and print who noticed."""
    mutant = next((m for m in MUTANTS if m.id == argv[0]), None) if argv else PLAIN
    if mutant is None:
        print(f"{argv[0]} is no mutant: allowed are {', '.join(m.id for m in MUTANTS)}", file=sys.stderr)
        return 2
    reached = install(mutant)
    killed = Killed()
    listen(mutant, killed)
    if mutant.tables or mutant is PLAIN:
        run_tables(mutant, killed)
    if mutant.scenarios:
        run_scenarios(mutant, killed)
    if mutant is PLAIN or not is_enough(mutant, killed):
        run_swarm(mutant, killed)
    counts = {module: count[0] for module, count in reached.items()}
    found = {"by": killed.by, "properties": sorted(killed.properties), "crashes": killed.crashes, "reached": counts}
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
