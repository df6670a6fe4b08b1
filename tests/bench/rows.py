"""What a row of an experiment costs, against the whole run drained by whole verdicts and pictures. Core time."""

import time
from typing import Any, Final

from playground.whatif.pipeline import run_one
from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.early_end import EarlyEnd
from playground.whatif.pipeline.plan import Plan, grid, lettered
from playground.whatif.pipeline.schema import COUNTS, TIMES
from simengine.scenario import to_plain
from simengine.scenario.builtin import builtin
from tests.whatif.dumb_drain import close_by_whole_verdicts

SECOND: Final = 1_000_000
SEEDS: Final = 6
FAULT: Final[dict[str, Any]] = {
    "kind": "rack",
    "rack": "az-a",
    "from_us": 5 * SECOND,
    "to_us": 15 * SECOND,
    "back_us": None,
}


def plan() -> Plan:
    """The builder's default question: the sandbox, acks=1 against acks=all, while az-a is lost."""
    variants = lettered(grid({"acks": ["1", "all"], "fault": [FAULT]}))
    return Plan(to_plain(builtin("sandbox")), variants, (), 1, SEEDS, 120 * SECOND)


def never(self: EarlyEnd) -> bool:
    """Go on to the horizon."""
    return False


def measure() -> dict[str, float]:
    """rows_a_core_second, and rows_ratio: core time of whole runs with the dumb drain by ours, row after row."""
    wanted = plan()
    close, is_over = run_one._close, EarlyEnd.is_over
    ours = dumb = 0.0
    for index in range(wanted.runs):
        began = time.process_time()
        row = run_one.plan_row(wanted, index)
        ours += time.process_time() - began
        variant, seed = wanted.run(index)
        run_one._close, EarlyEnd.is_over = close_by_whole_verdicts, never  # type: ignore[method-assign]
        try:
            began = time.process_time()
            twin = run_one.run_row(document_of(wanted, variant, seed))
            dumb += time.process_time() - began
        finally:
            run_one._close, EarlyEnd.is_over = close, is_over  # type: ignore[method-assign]
        told = {name: (row[name], twin[name]) for name in (*COUNTS, *TIMES) if row[name] != twin[name]}
        assert not told, f"both ways come to the same figures: {told}"
    print(f"{wanted.runs / ours:.1f} rows a core-second, {dumb / ours:.2f} times as many as by whole verdicts")
    return {"rows_a_core_second": wanted.runs / ours, "rows_ratio": dumb / ours}
