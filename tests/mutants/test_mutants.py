"""The mutants themselves: they fit the engine's sources, and a few quick ones are killed. `make mutants` runs all."""

import ast
import re
import time
from pathlib import Path

import pytest

from tests.mutants import patching
from tests.mutants.__main__ import main, try_one
from tests.mutants.mutant import Mutant, Patch
from tests.mutants.one import SWARM_SEEDS, TABLES, Killed, run_swarm
from tests.mutants.patching import COUNTER, ROOT, patched
from tests.mutants.table import MUTANTS
from tests.swarm import run

QUICK = ("M27", "M33", "M59a")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_a_mutant_fits_the_sources_and_is_counted(mutant: Mutant) -> None:
    for module in set(mutant.modules):
        patches = [patch for patch in mutant.patches if patch.module == module]
        assert ast.unparse(patched(patches)).count(f"{COUNTER}[0] += 1") == len(patches)
    assert mutant.tables or mutant.scenarios or mutant.properties, "nobody is named who should notice"


@pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if mutant.tables], ids=lambda mutant: mutant.id)
def test_a_table_that_a_mutant_names_is_there(mutant: Mutant) -> None:
    tests = "".join(f" {name}" for file in TABLES for name in re.findall(r"def (test_\w+)", (ROOT / file).read_text()))
    words = [word for word in re.findall(r"\w+", mutant.tables) if word not in ("and", "or", "not")]
    assert [word for word in words if word not in tests] == []


def test_mutants_have_names_of_their_own() -> None:
    assert len({mutant.id for mutant in MUTANTS}) == len(MUTANTS)


def test_there_is_about_one_mutant_a_rule() -> None:
    assert len(MUTANTS) <= 160


@pytest.mark.parametrize(
    ("function", "old", "said"),
    [
        ("Log.truncate", "no_such_code()", "Log.truncate holds the code 0 times, 1 is needed: 'no_such_code()'"),
        ("Log.nobody", "leo", "simengine.kafka.log.log has no function Log.nobody"),
    ],
)
def test_code_that_is_not_there_once_is_refused(function: str, old: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        patched((Patch("simengine.kafka.log.log", function, old, "pass"),))


def test_layout_and_comments_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An expression, and two statements in a row, in a nested block; equal code in another function stays."""
    source = tmp_path / "m.py"
    source.write_text("""
class A:
    def f(self, x):
        if x:
            self.a = (1 +
                      x)  # a comment
            return self.a
        return 0

    def g(self, x):
        self.a = 1 + x
""")
    monkeypatch.setattr(patching, "path_of", lambda _: source)
    tree = patched((Patch("m", "A.f", "1 + x", "2 + x"), Patch("m", "A.g", "self.a = 1 + x", "pass")))
    count = "mutant_reached[0] += 1"
    assert [line.strip() for line in ast.unparse(tree).splitlines()][3:10] == [
        "if x:",
        count,
        "self.a = 2 + x",
        "return self.a",
        "return 0",
        "",
        "def g(self, x):",
    ]
    assert ast.unparse(tree).endswith(f"{count}\n        pass")


@pytest.mark.parametrize("mutant", [m for m in MUTANTS if m.id in QUICK], ids=lambda mutant: mutant.id)
def test_a_quick_mutant_is_reached_and_killed_by_its_table(mutant: Mutant) -> None:
    result = try_one(mutant)
    assert result.is_killed, result
    assert not result.crashes


@pytest.mark.parametrize(
    ("options", "said"), [(["M99", "M01"], "M99: no mutant; allowed are M01"), (["--jobs", "0"], "'0': allowed is")]
)
def test_a_command_line_that_names_nothing_to_run_is_refused(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(options)
    assert left.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("noticed", "runs"), [([], len(SWARM_SEEDS)), (["a table"], 4)])
def test_a_mutant_that_nobody_has_noticed_meets_the_whole_swarm(
    noticed: list[str], runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """200 seeds; who is noticed, but not by the named property, meets a few."""
    seeds: list[int] = []

    def run_seed(seed: int) -> run.Outcome:
        seeds.append(seed)
        return run.Outcome(seed)

    monkeypatch.setattr(run, "run_seed", run_seed)
    monkeypatch.setattr(time, "monotonic", lambda: 15.0 * len(seeds) / (1 if noticed else 4))
    killed = Killed()
    killed.by = noticed
    run_swarm(next(mutant for mutant in MUTANTS if mutant.killers), killed)
    assert seeds == list(SWARM_SEEDS)[:runs]


@pytest.mark.parametrize("name", ["crash", "assertion", "document"])
def test_a_crash_in_the_swarm_kills_no_mutant(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "run_seed", lambda seed: run.Outcome(seed, name, story=["KeyError: 7"]))
    killed = Killed()
    run_swarm(MUTANTS[0], killed)
    assert (killed.by, killed.properties) == ([], set())
    assert killed.crashes == [f"swarm seed {seed}: KeyError: 7" for seed in SWARM_SEEDS]
