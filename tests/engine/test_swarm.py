"""The swarm: random clusters under random faults hold every invariant, and what fails is made small."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simengine import engine_form
from simengine.swarm import run, shrink
from simengine.swarm.draw import draw

ROOT = Path(__file__).parent.parent.parent
SEEDS = range(1, 201 if engine_form() == "compiled" else 21)


@pytest.mark.parametrize("first", range(SEEDS.start, SEEDS.stop, 25))
def test_random_clusters_hold_every_invariant_and_heal(first: int) -> None:
    broken = [run.run_seed(seed) for seed in range(first, min(first + 25, SEEDS.stop))]
    assert not [f"seed {o.seed}: {o.name} {o.story}" for o in broken if o.name]


def test_a_seed_draws_one_document() -> None:
    assert draw(7) == draw(7)
    assert draw(7) != draw(8)


def planted(plan: dict[str, Any]) -> run.Outcome:
    """Breaks whenever broker 2 is killed after 20 s, whatever else happens."""
    late = [e for e in plan["timeline"] if e["do"] == "kill 2" and int(e["at"].removesuffix("us")) > 20_000_000]
    return run.Outcome(plan["seed"], "planted" if late else "")


def test_the_shrinker_keeps_only_what_a_planted_failure_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrink, "run_plan", planted)
    noise = [{"at": f"{n}s", "do": f"pause {n % 3}"} for n in range(30)]
    plan = {**draw(3), "timeline": [*noise[:17], {"at": "21000000us", "do": "kill 2"}, *noise[17:]]}
    small = shrink.shrink(plan, "planted")
    assert small["timeline"] == [{"at": "21000000us", "do": "kill 2"}]
    assert small["consumers"] == []
    assert len(small["producers"]) == 1


def test_a_document_that_cannot_be_loaded_breaks_nothing() -> None:
    assert not shrink.breaks({**draw(3), "timeline": [{"at": "1s", "do": "kill 77"}]}, "strong_isr")


BROKEN = """
from simengine.invariants.log_checks import LogChecks
from simengine.invariants.violation import Violation
from simengine.swarm import run

def broken(self, replica, old):
    raise Violation("strict_min_isr_hw", f"partition {replica.p}", f"HW {old} moved")

LogChecks.hw_moved = broken
outcome = run.run_seed(3)
print(outcome.name, outcome.seed, outcome.event > 0, outcome.story)
"""


def test_a_broken_property_is_told_with_its_name_seed_and_place() -> None:
    environment = {**os.environ, "HIGHWATER_ENGINE": "interpreted"}  # compiled methods cannot be replaced
    command = [sys.executable, "-c", BROKEN]
    told = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    assert told.startswith("strict_min_isr_hw 3 True partition ")
