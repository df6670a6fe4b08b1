import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simengine.commands.expect import main
from simengine.commands.shared.command_numbers import seed_range
from tests import checked

DOCUMENT: dict[str, Any] = {
    "format": 1,
    "until": "2s",
    "cluster": {"brokers": [1, 2]},
    "topics": [{"name": "t", "assignment": [[1, 2]]}],
    "producers": [{"id": "P", "topic": "t", "rate": 2}],
}


def _file(folder: Path, *expect: dict[str, Any]) -> str:
    path = folder / "scenario.json"
    path.write_text(json.dumps({**DOCUMENT, "expect": expect}))
    return str(path)


@pytest.mark.parametrize("main", [main, checked.main])
def test_a_run_that_goes_as_expected_ends_well(
    main: Callable[[list[str]], int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _file(tmp_path, {"partition": "t-0", "leader": 1})
    assert main([path, "--seeds", "3..4"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{path} seed {seed}: as expected" for seed in (3, 4)]


def test_what_went_otherwise_is_said_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, {"partition": "t-0", "leader": 1}, {"partition": "t-0", "leader": 2, "rules": ["ELEC-3"]})
    assert main([path]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{path} seed 1: 1 of 2 not as expected",
        "  expect[1] partition t-0 leader 2 (ELEC-3): at 2s leader was 1, not 2",
    ]


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.yaml"), _file(tmp_path, {"partition": "t-9", "leader": 1})]) == 1
    errors = capsys.readouterr().err
    assert "none.yaml: cannot be read: No such file" in errors
    assert "expect[0]" in errors


@pytest.mark.parametrize("text", ["", "a", "1..", "..2", "1..b", "-1"])
def test_seeds_that_are_none_are_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["x.yaml", f"--seeds={text}"])
    assert "is not A..B" in capsys.readouterr().err


def test_one_seed_or_a_range_can_be_named() -> None:
    assert list(seed_range("7")) == [7]
    assert list(seed_range("1..3")) == [1, 2, 3]


def test_a_range_that_holds_no_seed_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["x.yaml", "--seeds=5..1"])
    assert "A..B with A <= B" in capsys.readouterr().err


def test_a_document_that_expects_nothing_is_not_as_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path)
    assert main([path]) == 1
    assert capsys.readouterr().err.strip() == f"{path}: expects nothing: there is no expectation to check"
