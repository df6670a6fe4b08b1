"""A run of the swarm that the engine itself ends is a broken run like any other: told, shrunk, replayed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.swarm import command as swarm
from tests.swarm import many, run, shrink
from tests.swarm.draw import draw

ROOT = Path(__file__).parent.parent.parent
CRASHES = """
import json, sys
from tests.swarm import command as swarm
from tests.invariants.log_checks import LogChecks

def stumbles(self, replica, old):
    raise {error}

LogChecks.hw_moved = stumbles
sys.exit(swarm.main(json.loads(sys.argv[1])))
"""


def swarm_on_an_engine_that_raises(error: str, *options: str) -> tuple[int, str]:
    """Status and output of the command, on an engine that raises at the first move of a high watermark."""
    environment = {**os.environ, "HIGHWATER_ENGINE": "interpreted"}  # compiled methods cannot be replaced
    command = [sys.executable, "-c", CRASHES.format(error=error), json.dumps(options)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def test_a_crash_ends_one_run_and_the_others_go_on() -> None:
    status, said = swarm_on_an_engine_that_raises("KeyError(77)", "--seed", "3", "--runs", "4", "--keep-going")
    lines = [line for line in said.splitlines() if line.startswith("FAIL")]
    assert status == 1
    assert len(lines) == 4
    assert "FAIL crash KeyError in <string>.stumbles @" in lines[0]
    assert all(f"seed={seed} " in "\n".join(lines) for seed in range(3, 7))
    assert "KeyError: 77" in said
    assert "tests/invariants/checks.py:" in said
    assert "4 runs from seed 3, 4 broken" in said


def test_a_crash_is_shrunk_and_its_document_replays(tmp_path: Path) -> None:
    status, said = swarm_on_an_engine_that_raises(
        "RecursionError('too deep')", "--seed", "3", "--runs", "1", "--jobs", "1", "--out", str(tmp_path)
    )
    assert status == 1
    assert "shrunk to 0 actions" in said
    plan = tmp_path / "swarm-3-crash.json"
    assert (tmp_path / "swarm-3-crash.scenario.json").exists()
    status, said = swarm_on_an_engine_that_raises("RecursionError('too deep')", "--replay", str(plan))
    assert status == 1
    assert said.startswith("FAIL crash RecursionError in <string>.stumbles @")


def test_a_plan_that_cannot_be_drawn_is_told_with_its_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def draw_badly(seed: int) -> Any:
        raise IndexError(f"no broker for {seed}")

    monkeypatch.setattr(run, "draw", draw_badly)
    assert swarm.main(["--seed", "8", "--runs", "3", "--jobs", "1", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert said.startswith(
        "FAIL crash IndexError in test_swarm_crashes.draw_badly @0.000000s ev=0 seed=8 profile=none "
    )
    assert "IndexError: no broker for 8" in said
    assert not list(tmp_path.iterdir())


def test_a_plan_that_is_no_document_says_where_it_is_wrong() -> None:
    outcome = run.run_plan({**draw(3), "timeline": [{"at": "1s", "do": "kill 77"}]})
    assert (outcome.seed, outcome.name, outcome.is_crash, outcome.plan) == (3, "document", True, {})
    assert "timeline" in outcome.story[0]
    assert "77" in outcome.story[0]


def test_a_crash_while_a_fault_is_aimed_happens_again_in_what_is_kept_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def aim(*_: Any) -> Any:
        raise TypeError("nobody there")

    monkeypatch.setattr(run, "aimed", aim)
    plan = draw(next(seed for seed in range(1, 200) if len(draw(seed)["targets"]) > 3))
    outcome = run.run_plan(plan)
    assert outcome.kind == "crash TypeError in test_swarm_crashes.aim"
    assert run.run_plan(outcome.plan).kind == outcome.kind


def test_another_exception_is_not_the_same_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    found = run.Outcome(3, "crash", "TypeError in isr.maybe_shrink")
    monkeypatch.setattr(shrink, "run_plan", lambda plan, heals: found)
    assert shrink.breaks(draw(3), found.kind)
    assert not shrink.breaks(draw(3), "crash KeyError in isr.maybe_shrink")
    assert not shrink.breaks(draw(3), "crash TypeError in isr.propose")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_ends_its_process_is_told_with_its_seed_and_the_others_go_on(
    jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_seed(seed: int) -> run.Outcome:
        if seed in (5, 9):
            os.kill(os.getpid(), signal.SIGKILL)
        return run.Outcome(seed)

    monkeypatch.setattr(many, "run_seed", run_seed)
    outcomes = {outcome.seed: outcome for outcome in many.run_many(1, 12, jobs)}
    assert sorted(outcomes) == list(range(1, 13))
    assert [seed for seed, outcome in sorted(outcomes.items()) if outcome.name] == [5, 9]
    assert (outcomes[5].kind, outcomes[5].plan) == ("crash the process", {})


def test_many_runs_end_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "run_seed", run.Outcome)
    assert len(list(many.run_many(1, 1_000_000, jobs=2, seconds=0.2))) < 1_000_000
    assert len(list(many.run_many(1, 1_000_000, jobs=1, seconds=0.2))) < 1_000_000
