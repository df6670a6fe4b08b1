"""Random clusters under random faults, held against every invariant and healed."""

import argparse
import errno
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

from simengine import engine_form, form
from simengine.commands.shared.command_numbers import at_least, seconds
from simengine.scenario.limits import SEED_MAX
from tests.invariants.marks import MARKS
from tests.swarm.draw import document_of
from tests.swarm.many import run_many
from tests.swarm.plan_file import PlanError, read_plan
from tests.swarm.run import Outcome, never_reached, run_plan, run_seed
from tests.swarm.shrink import shrink

MARKS_OWED_RUNS: Final = 5000  # from so many runs on a coverage mark that stayed at 0 is a failure: a night's swarm
PROGRESS_S: Final = 30.0  # how often a long swarm says on stderr how far it is
USAGE_STATUS: Final = 2


def main(argv: list[str]) -> int:
    """Runs the swarm. Returns 0; 1 at the first broken property, whose shrunk document it writes; 2 for wrong options.

    1 too if a coverage mark was never reached in MARKS_OWED_RUNS runs or more.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.swarm", description=__doc__)
    parser.add_argument("--runs", type=at_least(1), default=200, help="number of runs (default 200)")
    parser.add_argument("--seed", type=at_least(0), default=1, help="first seed; one run a seed from there on")
    parser.add_argument("--jobs", type=at_least(1), default=2, help="processes (default 2)")
    parser.add_argument("--seconds", type=seconds, default=0, help="stop after so many seconds (0: no limit)")
    parser.add_argument("--replay", metavar="SEED|FILE", help="run only this seed or shrunk plan, and tell its story")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a broken property")
    parser.add_argument("--out", default=".", help="folder for shrunk documents")
    parser.add_argument("--log", help="file to append a line to: seeds, form, outcome")
    options = parser.parse_args(argv)
    try:
        if options.replay is not None:
            return replay(options.replay)
        check_places(options)
    except PlanError as error:
        print(f"--replay {error}", file=sys.stderr)
        return USAGE_STATUS
    except OSError as error:
        print(f"{error.filename}: cannot be written to: {error.strerror}", file=sys.stderr)
        return USAGE_STATUS
    return swarm(options)


def check_places(options: argparse.Namespace) -> None:
    """See before the first run that what comes of the runs can be written. Raises OSError."""
    if not Path(options.out).is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "--out is not a folder", options.out)
    if options.log:
        with Path(options.log).open("a", encoding="utf-8"):
            pass


def replay(which: str) -> int:
    """One run, with its story. Raises PlanError."""
    if not which.isdecimal():
        outcome = run_plan(read_plan(which))
    elif int(which) > SEED_MAX:
        raise PlanError(f"{which}: too large a seed; allowed: at most {SEED_MAX}, or a file")
    else:
        outcome = run_seed(int(which))
    if not outcome.name:
        print(f"seed {outcome.seed}: all held, digest {outcome.digest}")
        return 0
    print("\n".join([line_of(outcome, which), *outcome.story]))
    return 1


def line_of(outcome: Outcome, which: str) -> str:
    """The one line that says what broke, where, and how to see it again."""
    return (
        f"FAIL {outcome.name} {outcome.where} @{outcome.at_us / 1e6:.6f}s ev={outcome.event} seed={outcome.seed} "
        f"profile={outcome.plan.get('profile', 'none')} build={form.plan().folder.name} "
        f"digest={outcome.digest} | replay: python -m tests.swarm --replay {which}"
    )


def swarm(options: argparse.Namespace) -> int:
    """Many runs: progress, marks, and the first failure shrunk."""
    begun = said = time.monotonic()
    runs, simulated, failures = 0, 0, 0
    marks: Counter[str] = Counter()
    for outcome in run_many(options.seed, options.runs, options.jobs, options.seconds):
        runs += 1
        simulated += outcome.simulated_us
        marks.update(outcome.marks)
        if time.monotonic() - said >= PROGRESS_S:
            said = time.monotonic()
            print(f"{runs:,} of {options.runs:,} runs, {failures} broken", file=sys.stderr, flush=True)
        if outcome.name:
            failures += 1
            print("\n".join([line_of(outcome, str(outcome.seed)), *outcome.story]), flush=True)
            if not options.keep_going:
                if outcome.plan:  # else there is nothing that ran: the draw is at fault
                    write_shrunk(outcome, Path(options.out))
                break
    wall = time.monotonic() - begun
    for mark in MARKS:
        print(f"  {marks[mark]:9,}  {mark}")
    missing = never_reached(marks)
    print(missing_words(missing, runs))
    rate = simulated / 1e6 / wall * 60 / max(1, options.jobs) if wall else 0.0
    summary = (
        f"{runs} runs from seed {options.seed}, {failures} broken, {simulated / 1e6:,.0f} simulated seconds "
        f"in {wall:.1f} s, {rate:,.0f} a wall minute and process, {engine_form()}"
    )
    print(summary)
    if options.log:
        with Path(options.log).open("a", encoding="utf-8") as file:
            file.write(summary + "\n")
    return 1 if failures or is_owed(missing, runs) else 0


def is_owed(missing: list[str], runs: int) -> bool:
    """True if marks that stayed at 0 are a failure after so many runs."""
    return bool(missing) and runs >= MARKS_OWED_RUNS


def missing_words(missing: list[str], runs: int) -> str:
    """The coverage marks that stayed at 0, and a flag that is true if that fails."""
    head = "FAIL coverage" if is_owed(missing, runs) else "coverage"
    tail = f" (a failure from {MARKS_OWED_RUNS:,} runs on)" if missing else ""
    return f"{head} marks never reached: {', '.join(missing) or 'none'}{tail}"


def write_shrunk(outcome: Outcome, folder: Path) -> None:
    """The smallest plan that still fails, beside the report, and the scenario document in it."""
    plan = shrink(outcome.plan, outcome.kind)
    path = folder / f"swarm-{outcome.seed}-{outcome.name}.json"
    path.write_text(json.dumps(plan, indent=1), encoding="utf-8")
    scenario = folder / f"swarm-{outcome.seed}-{outcome.name}.scenario.json"
    scenario.write_text(json.dumps(document_of(plan), indent=1), encoding="utf-8")
    again = f"python -m tests.swarm --replay {path}"
    print(f"shrunk to {len(plan['timeline'])} actions: {again}; document: {scenario}")
