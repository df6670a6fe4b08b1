"""`make test LONG=1`: README.md names the numbers of both forms, and each number is used by a test."""

import subprocess
from typing import Final

import pytest

from tests.long_form import LONG, RUNS, runs
from tests.setup.processes import ROOT

HEAD: Final = "| How often | `make test` | `make test LONG=1` |\n|---|---|---|\n"


def test_the_readme_has_the_numbers_of_both_forms() -> None:
    table = (ROOT / "README.md").read_text().partition(HEAD)[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| {what} | {few} | {many} |" for what, (few, many) in RUNS.items()]


@pytest.mark.parametrize("what", RUNS)
def test_each_number_is_used_once(what: str) -> None:
    sources = [path.read_text() for path in (ROOT / "tests").rglob("*.py")]
    assert sum(text.count(f'runs("{what}")') for text in sources) == 1


def test_the_long_form_is_chosen_by_1_and_by_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen, form in (("", 0), ("0", 0), ("1", 1)):
        monkeypatch.setenv(LONG, chosen)
        assert [runs(what) for what in RUNS] == [numbers[form] for numbers in RUNS.values()]
    monkeypatch.setenv(LONG, "yes")
    with pytest.raises(ValueError, match="HIGHWATER_LONG is 'yes': allowed are 0 and 1"):
        runs(next(iter(RUNS)))


def test_make_hands_the_choice_to_the_tests() -> None:
    told = subprocess.run(["make", "-n", "test", "LONG=1"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"{LONG}=1 " in told.stdout
