"""A run at rest is closed before its horizon: its row says what the row of the whole run says."""

from pathlib import Path
from typing import Any

import pytest

from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.early_end import EarlyEnd
from playground.whatif.pipeline.plan import ExperimentPlan, grid, lettered
from playground.whatif.pipeline.run_one import plan_row, run_row
from playground.whatif.pipeline.schema import COUNTS, LATENCIES, TIMES
from playground.whatif.replay_document import closed
from simengine.scenario import load, to_plain
from simengine.world.world import build
from tests.long_form import runs
from tests.whatif.plans import SECOND

ROOT = Path(__file__).parent.parent.parent
SCENARIOS = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))
SHOWN = SCENARIOS[:: runs("a row closed at rest is compared with its whole run for one scenario in")]
HORIZON = "420s"  # longer than an alert is pending
PAGER = ("lost_at_us", "alerted_us")
EXACT = (*COUNTS, *TIMES, "write_down_us", "deciding_us", "parts", "balance_ok", "settled", "horizon_us", *PAGER)


def stretched(path: Path, seed: int) -> dict[str, Any]:
    """The document of a scenario with a horizon of three minutes."""
    document = to_plain(load(path.read_bytes()))
    for key in ("expect", "captions"):
        document.pop(key, None)
    return {**document, "seed": seed, "until": HORIZON, "closing": HORIZON}


def whole_row(document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The row of a run that goes to its horizon."""
    with monkeypatch.context() as patched:
        patched.setattr(EarlyEnd, "is_over", lambda early: False)
        return run_row(document)


def by_topic(row: dict[str, Any]) -> list[Any]:
    """The figures of the topics of a row, without latencies."""
    return [[topic[name] for name in ("topic", *COUNTS, *TIMES)] for topic in row["topics"]]


@pytest.mark.parametrize("path", SHOWN, ids=[path.stem for path in SHOWN])
def test_a_row_closed_at_rest_equals_the_row_of_the_whole_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = stretched(path, 7)
    row = run_row(document)
    if row["rest_us"] is None:
        return
    whole = whole_row(document, monkeypatch)
    assert {name: row[name] for name in EXACT} == {name: whole[name] for name in EXACT}
    assert by_topic(row) == by_topic(whole)
    assert all(row[name] is None for name in LATENCIES), "those of the calls to come are not known"


def test_the_document_of_a_row_closed_at_rest_runs_to_its_digest() -> None:
    document = stretched(ROOT / "tests" / "scenarios" / "s01-steady-state.yaml", 7)
    row = run_row(document)
    assert row["rest_us"] is not None
    world = build(load(closed(document, row)))
    world.run(row["end_us"])
    assert (world.digest(), world.verdict()["sentence"]) == (row["digest"], row["sentence"])


def test_the_first_seeds_of_each_configuration_run_to_the_horizon_and_tell_their_latencies() -> None:
    document = stretched(ROOT / "tests" / "scenarios" / "s01-steady-state.yaml", 7)
    topics = tuple(topic["name"] for topic in document["topics"])
    few = ExperimentPlan(document, lettered(grid({"acks": ["1", "all"]})), topics, 1, 21, 30 * SECOND)
    last, beyond = plan_row(few, 39), plan_row(few, 40)
    assert (last["seed"], last["rest_us"], beyond["seed"]) == (20, None, 21)
    assert last["latency_p99_us"] >= last["latency_p50_us"] > 0
    assert beyond["rest_us"] is not None and beyond["latency_p50_us"] is None
    whole = run_row(document_of(few, *few.run(40)), few.topics, is_whole=True)
    assert {name: beyond[name] for name in EXACT} == {name: whole[name] for name in EXACT}
