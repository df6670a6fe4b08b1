"""``make mutants``: every rule mutant in a process of its own, and who kills it.

A mutant is one rule of replication written wrong (`table.py`), put into the interpreted engine while it is imported
(`patching.py`). Each meets the unit tables and the scenarios it names, until the property that the list of invariants
names has noticed, and a swarm if it has not: 200 runs if nobody has noticed at all. It counts as killed when a table,
an expectation or a property noticed and the changed line was executed; a crash alone is no kill.
`python -m tests.mutants.one` without a name runs the plain engine, which nothing may kill.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from simengine.commands.shared.command_numbers import at_least
from tests.mutants.mutant import Mutant
from tests.mutants.patching import ROOT
from tests.mutants.table import MUTANTS

TIMEOUT_S = 1500  # a survivor meets 200 runs of the swarm


@dataclass
class Result:
    """The result for one mutant."""

    mutant: Mutant
    by: list[str] = field(default_factory=list)
    properties: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    reached: dict[str, int] = field(default_factory=dict)
    problem: str = ""

    @property
    def is_killed(self) -> bool:
        """Somebody noticed what the changed line did."""
        return bool(self.by) and all(self.reached.values())

    @property
    def is_named(self) -> bool:
        """Among the properties that broke is one that the list of invariants names for this mutant."""
        return self.is_killed and not set(self.properties).isdisjoint(self.mutant.killers)


def try_one(mutant: Mutant, *options: str) -> Result:
    """Run a mutant in a process of its own, for at most TIMEOUT_S."""
    result = Result(mutant)
    command = [sys.executable, "-m", "tests.mutants.one", mutant.id, *options]
    environment = {**os.environ, "HIGHWATER_ENGINE": "interpreted"}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        result.problem = f"not done after {TIMEOUT_S} s"
        return result
    if done.returncode:
        result.problem = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}"
        return result
    row = json.loads(done.stdout.splitlines()[-1])
    result.by, result.properties = row["by"], row["properties"]
    result.crashes, result.reached = row["crashes"], row["reached"]
    return result


def line_of(result: Result) -> str:
    """One line about a mutant."""
    mutant = result.mutant
    counts = ", ".join(str(count) for count in result.reached.values())
    if result.is_killed:
        verdict = "killed, by name" if result.is_named else "killed"
    else:
        verdict = "SURVIVES"
    parts = [f"{mutant.id:5} {verdict}: {mutant.rule}", f"reached {counts or 'never'}"]
    parts += result.by[:6] + [f"crash: {crash}" for crash in result.crashes[:2]]
    parts += [result.problem] if result.problem else []
    return " | ".join(parts)


def main(argv: list[str]) -> int:
    """Run all mutants, or those named; 0 if all are killed, 2 for a name that is none."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("ids", nargs="*", help="mutants, for instance M01 M20 (default: all)")
    parser.add_argument("--jobs", type=at_least(1), default=2, help="processes at a time (default 2)")
    options = parser.parse_args(argv)
    known = [mutant.id for mutant in MUTANTS]
    if unknown := [name for name in options.ids if name not in known]:
        parser.error(f"{', '.join(unknown)}: no mutant; allowed are {', '.join(known)}")
    chosen = [m for m in MUTANTS if not options.ids or m.id in options.ids]
    begun = time.monotonic()
    results: list[Result] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(try_one, chosen):
            results.append(result)
            print(line_of(result), flush=True)
    killed = sum(result.is_killed for result in results)
    named = [result for result in results if result.mutant.killers]
    ours = [result for result in results if result.is_killed and not result.is_named]
    others = sum(not set(result.properties).isdisjoint(result.mutant.others) for result in ours)
    print(f"by a property that the list of invariants names: {sum(r.is_named for r in named)} of {len(named)}")
    print(f"by another property of ours: {others}; by a table or a scenario alone: {len(ours) - others}")
    for result in results:
        if not result.is_killed:
            print(f"survivor {result.mutant.id}: {result.mutant.rule}")
    listed = [result for result in results if result.mutant.is_listed]
    print(f"{sum(r.is_killed for r in listed)} of {len(listed)} of the list, {time.monotonic() - begun:.0f} s")
    print(f"killed {killed} of {len(results)}")
    return 0 if all(result.is_killed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
