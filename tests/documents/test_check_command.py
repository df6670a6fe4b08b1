import json
from pathlib import Path

import pytest

from simengine.commands import check
from tests.documents.helpers import plain


def test_check_says_what_a_valid_document_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(plain(title="Mine")))
    assert check.main([str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "valid: Mine"
    assert "3 brokers in 2 racks, 3 controllers" in lines
    assert "1 topic, 2 partitions" in lines


def test_check_warns_of_actions_that_lie_after_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scenario.json"
    actions = [{"at": "5s", "do": "kill 1"}, {"at": "20s", "do": "start 1"}, {"at": "30s", "do": "kill 2"}]
    path.write_text(json.dumps(plain(until="10s", timeline=actions)))
    assert check.main([str(path)]) == 0
    end = "after the end (until 10s), which only a run that is played on passes"
    assert f"warning: 2 actions lie {end}: first timeline[1] at 20s: start 1" in capsys.readouterr().out.splitlines()
    path.write_text(json.dumps(plain(until="20s", timeline=actions[:2])))
    assert check.main([str(path)]) == 0
    assert "warning" not in capsys.readouterr().out


def test_check_prints_every_problem_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text(json.dumps(plain(seed=-1, until="soon")))
    assert check.main([str(path)]) == 1
    out = capsys.readouterr().out
    assert "seed:" in out
    assert "until:" in out
    assert "not valid: 2 problems" in out


def test_check_says_why_a_file_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main([str(tmp_path / "none.yaml")]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_a_caption_that_waits_for_a_fact_that_never_comes_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "captions.yaml"
    path.write_text(
        "format: 1\nprofile: '4.2'\nuntil: 30s\ncluster: {brokers: [0, 1], controllers: [100]}\n"
        "topics: [{name: t, assignment: [[0, 1]]}]\ntimeline: [{at: 5s, do: kill 0}]\n"
        "captions: [{on: ActionDone, text: it dies}, {on: ActionDone, text: never}, {at: 20s, text: later}]\n"
    )
    assert check.main([str(path)]) == 1
    told = capsys.readouterr().out
    assert "captions[1].on: the run has no such fact after the caption before it, up to 30 s (got ActionDone)" in told
    assert "not valid: 1 problem" in told
