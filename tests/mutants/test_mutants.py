"""The mutants themselves: they fit the engine's sources, and a few quick ones are killed. `make mutants` runs all."""

import time

import pytest

from simengine.swarm import run
from tests.mutants.__main__ import main, try_one
from tests.mutants.mutant import Mutant, Patch
from tests.mutants.one import SWARM_SEEDS, Killed, run_swarm
from tests.mutants.patching import patched
from tests.mutants.table import MUTANTS

QUICK = ("M20", "M27", "M33", "M51", "M59a")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_a_mutant_fits_the_sources_and_still_compiles(mutant: Mutant) -> None:
    for module in set(mutant.modules):
        patches = [patch for patch in mutant.patches if patch.module == module]
        text, lines = patched(patches)
        compile(text, mutant.id, "exec")
        assert len(lines) == len(patches)
    assert mutant.tables or mutant.scenarios or mutant.properties, "nobody is named who should notice"


def test_mutants_have_names_of_their_own() -> None:
    assert len({mutant.id for mutant in MUTANTS}) == len(MUTANTS)


def test_a_fragment_that_is_not_there_once_is_refused() -> None:
    with pytest.raises(ValueError, match="0 times, 1 is needed"):
        patched((Patch("simengine.kafka.log", "no such text", ""),))


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
    """Section 3 of the list of invariants: 200 seeds; who is noticed, but not by the named property, meets a few."""
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
