"""Scenarios with several allowed outcomes: chance reaches each of them."""

from pathlib import Path

import pytest

from simengine.commands.expect import observe
from simengine.scenario import load
from simengine.scenario.expect import read_all, snapshot_times
from simengine.scenario.expect.judge import judge

SCENARIOS = Path(__file__).parent.parent / "scenarios"
SEEDS = range(1, 41)


@pytest.mark.parametrize(
    "name",
    [
        "s09b-elr-off",
        "s09b-two-brokers-at-once",
        "s13-unclean-off",
        "s21-pause-of-8.5-s",
        "s25-election-after-a-lag-shrink",
        "s26c-left-in-time",
        "s28-paused-leader",
        "s28-slow-resume",
    ],
)
def test_every_allowed_outcome_occurs_with_some_seed(name: str) -> None:
    scenario = load((SCENARIOS / f"{name}.yaml").read_bytes())
    expectations, _ = read_all(scenario.expect)
    outcomes = next(expectation.options for expectation in expectations if expectation.options)
    missing = list(range(len(outcomes)))
    moments = snapshot_times(expectations, scenario.until_us)
    for seed in SEEDS:
        observed = observe(scenario.model_copy(update={"seed": seed}), moments)
        missing = [i for i in missing if any(judge(inner, observed) for inner in outcomes[i])]
        if not missing:
            return
    pytest.fail(f"outcome {missing[0] + 1} of {name} never occurred in {len(SEEDS)} seeds")
