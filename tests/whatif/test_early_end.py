"""A run at rest is closed before its horizon: its row says what the row of the whole run says."""

from pathlib import Path
from typing import Any

import pytest

from playground.whatif.pipeline.early_end import EarlyEnd
from playground.whatif.pipeline.latencies import TOLERANCE
from playground.whatif.pipeline.run_one import run_row
from playground.whatif.pipeline.schema import COUNTS, LATENCIES, TIMES
from playground.whatif.replay_document import closed
from simengine.scenario import load, to_plain
from simengine.scenario.builtin import builtin
from simengine.world import build
from tests.long_form import runs

ROOT = Path(__file__).parent.parent.parent
SCENARIOS = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))
SHOWN = SCENARIOS[:: runs("a row closed at rest is compared with its whole run for one scenario in")]
HORIZON = "180s"
EXACT = (*COUNTS, *TIMES, "write_down_us", "deciding_us", "parts", "balance_ok", "settled", "horizon_us")
OFF: dict[str, list[float]] = {}  # by scenario, how far each latency that its row tells is off, as a part of it
LEFT_OUT: dict[str, int] = {}  # by scenario, how many latencies its row does not tell


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


@pytest.mark.parametrize("path", SHOWN, ids=[path.stem for path in SHOWN])
def test_a_row_closed_at_rest_equals_the_row_of_the_whole_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = stretched(path, 7)
    row = run_row(document)
    if row["rest_us"] is None:
        return
    whole = whole_row(document, monkeypatch)
    assert {name: row[name] for name in EXACT} == {name: whole[name] for name in EXACT}
    told = [name for name in LATENCIES if row[name] is not None]
    OFF[path.stem] = [abs(row[name] / whole[name] - 1) for name in told]
    LEFT_OUT[path.stem] = sum(whole[name] is not None for name in LATENCIES) - len(told)


def test_latencies_of_rows_closed_at_rest_are_told_where_they_are_rarely_off() -> None:
    every = [off for some in OFF.values() for off in some]
    assert every, "the tests above note them"
    assert sum(off > TOLERANCE for off in every) <= len(every) // 100
    assert sum(LEFT_OUT.values()) <= len(every) // 4


def test_the_document_of_a_row_closed_at_rest_runs_to_its_digest() -> None:
    document = stretched(ROOT / "tests" / "scenarios" / "s01-steady-state.yaml", 7)
    row = run_row(document)
    assert row["rest_us"] is not None
    world = build(load(closed(document, row)))
    world.run(row["end_us"])
    assert (world.digest(), world.verdict()["sentence"]) == (row["digest"], row["sentence"])


def test_the_median_of_records_that_queue_is_left_out_and_the_time_of_an_outage_is_told() -> None:
    """Of payments one request is under way at a time: its latencies rise and fall over minutes."""
    document = to_plain(builtin("sandbox")) | {"timeline": [{"at": "5s", "do": "kill-rack az-a"}]}
    document.pop("captions")
    row = run_row(document)
    assert row["rest_us"] is not None
    assert row["latency_p50_us"] is None
    assert row["latency_p99_us"] > 5_000_000
