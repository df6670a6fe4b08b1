"""The command line of the swarm: what it refuses, and when coverage that is missing fails."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.invariants.marks import MARKS
from tests.swarm import command as swarm
from tests.swarm.draw import document_of, draw
from tests.swarm.run import Outcome


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--runs", "0"], "argument --runs: '0': allowed is a whole number, at least 1"),
        (["--runs", "-1"], "argument --runs: '-1'"),
        (["--jobs", "0"], "argument --jobs: '0': allowed is a whole number, at least 1"),
        (["--seed", "x"], "argument --seed: 'x': allowed is a whole number, at least 0"),
        (["--seconds", "-3"], "argument --seconds: '-3': allowed are seconds"),
    ],
)
def test_a_number_that_means_no_run_is_refused(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        swarm.main(options)
    assert left.value.code == 2
    assert said in capsys.readouterr().err


def test_a_log_that_cannot_be_written_is_refused_before_the_first_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "none" / "log.txt"
    assert swarm.main(["--runs", "1000000", "--log", str(log)]) == 2
    assert capsys.readouterr().err == f"{log}: cannot be written to: No such file or directory\n"


def test_a_folder_for_shrunk_documents_must_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert swarm.main(["--runs", "1000000", "--out", str(tmp_path / "none")]) == 2
    assert "--out is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("]", "line 1: not JSON"),
        ("[]", "not a plan but list"),
        (json.dumps(document_of(draw(3))), "heal: missing: this is no plan of the swarm"),
        (json.dumps({**draw(3), "heal": []}), "heal: not a map (got [])"),
        (json.dumps({**draw(3), "heal": {"brokers": [0]}}), "heal.controllers: missing"),
        (json.dumps({**draw(3), "topics": 7}), "topics"),
    ],
)
def test_a_file_that_is_no_plan_is_refused_with_its_place(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text, encoding="utf-8")
    assert swarm.main(["--replay", str(path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"--replay {path}: ")
    assert said in told


def test_a_seed_that_no_document_can_have_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert swarm.main(["--replay", "9" * 20]) == 2
    assert (
        capsys.readouterr().err == f"--replay {'9' * 20}: too large a seed; allowed: at most {2**53 - 1}, or a file\n"
    )


def test_a_plan_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert swarm.main(["--replay", "nosuch"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("--replay nosuch: cannot be read: No such file or directory; allowed: a seed, or a file")


@pytest.mark.parametrize(
    ("runs", "unreached", "status"),
    [
        (swarm.MARKS_OWED_RUNS, (), 0),
        (swarm.MARKS_OWED_RUNS, ("truncation",), 1),
        (swarm.MARKS_OWED_RUNS - 1, ("truncation",), 0),
    ],
)
def test_a_mark_that_stayed_at_0_fails_a_night(
    runs: int,
    unreached: tuple[str, ...],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A swarm in which a coverage mark stays at 0 fails."""
    marks = {mark: 1 for mark in MARKS if mark not in unreached}

    def run_many(*_: Any) -> Iterator[Outcome]:
        return (Outcome(seed, marks=marks) for seed in range(runs))

    monkeypatch.setattr(swarm, "run_many", run_many)
    assert swarm.main(["--runs", str(runs)]) == status
    said = capsys.readouterr().out
    assert ("FAIL coverage marks never reached: truncation (a failure from 5,000 runs on)" in said) == bool(status)


def test_a_long_swarm_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(swarm, "PROGRESS_S", 0.0)
    assert swarm.main(["--runs", "2", "--jobs", "1"]) == 0
    said = capsys.readouterr()
    assert said.err == "1 of 2 runs, 0 broken\n2 of 2 runs, 0 broken\n"
    assert "runs, 0 broken\n" not in said.out
