"""Every scenario of tests/scenarios, run with several seeds under all invariants, and held against what it expects."""

from pathlib import Path

import pytest

from simengine.commands.expect import wrongs_of
from simengine.scenario import load
from tests.checked import checked

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
SEEDS = (1, 2)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_goes_as_it_says(path: Path, seed: int) -> None:
    scenario = load(path.read_bytes()).model_copy(update={"seed": seed})
    wrongs = wrongs_of(scenario, checked)
    assert not wrongs, "\n".join([f"python -m simengine expect tests/scenarios/{path.name} --seeds {seed}", *wrongs])


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_says_what_to_notice_and_why(path: Path) -> None:
    scenario = load(path.read_bytes())
    assert scenario.title
    assert scenario.about
    assert scenario.expect
    assert "rules" in path.read_text(encoding="utf-8"), "no expectation names the rule it rests on"
