"""The cost of a row of an experiment, against the whole run drained by whole verdicts and pictures. Core time.

Two questions: the builder's default one, and the loss of a rack of a pasted cluster of 30 brokers x 1,900 partitions.
"""

import random
import time
from typing import Any, Final

from playground.whatif.pipeline import run_one
from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.early_end import EarlyEnd
from playground.whatif.pipeline.plan import ExperimentPlan, Json, grid, lettered
from playground.whatif.pipeline.schema import COUNTS, TIMES
from simengine.importers.report import import_text
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
BROKERS: Final = 30
TOPICS: Final = 95
PARTITIONS: Final = 20  # of each topic
PASTED_SEEDS: Final = 2


def plan() -> ExperimentPlan:
    """The builder's default question: the sandbox, acks=1 against acks=all, while az-a is lost."""
    variants = lettered(grid({"acks": ["1", "all"], "fault": [FAULT]}))
    return ExperimentPlan(to_plain(builtin("sandbox")), variants, (), 1, SEEDS, 120 * SECOND)


def pasted() -> Json:
    """The document of a pasted listing: replicas stand anywhere, so some partitions lose two of three with an AZ."""
    luck = random.Random(7)
    lines = []
    for topic in range(TOPICS):
        lines.append(
            f"Topic: t{topic}\tPartitionCount: {PARTITIONS}\tReplicationFactor: 3\tConfigs: min.insync.replicas=2"
        )
        for partition in range(PARTITIONS):
            replicas = luck.sample(range(BROKERS), 3)
            ids = ",".join(map(str, replicas))
            lines.append(
                f"\tTopic: t{topic}\tPartition: {partition}\tLeader: {replicas[0]}\tReplicas: {ids}\tIsr: {ids}"
            )
    racks = {broker: f"az-{'abc'[broker % 3]}" for broker in range(BROKERS)}
    document: Json = import_text("\n".join(lines) + "\n", {}, racks)["scenario"]
    return document


def pasted_plan() -> ExperimentPlan:
    """The pasted cluster while az-a is lost, for a minute."""
    return ExperimentPlan(pasted(), lettered(grid({"fault": [FAULT]})), (), 1, PASTED_SEEDS, 60 * SECOND)


def never(self: EarlyEnd) -> bool:
    """Go on to the horizon."""
    return False


def measure() -> dict[str, float]:
    """Both questions: rows a core-second, and how many times as many those are as by the dumb drain."""
    rows, ratio = measured("the default question", plan())
    pasted_rows, pasted_ratio = measured("a pasted cluster", pasted_plan())
    return {
        "rows_a_core_second": rows,
        "rows_ratio": ratio,
        "pasted_rows_a_core_second": pasted_rows,
        "pasted_rows_ratio": pasted_ratio,
    }


def measured(name: str, wanted: ExperimentPlan) -> tuple[float, float]:
    """Rows a core-second, and core time of whole runs with the dumb drain by ours, row after row."""
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
    print(f"{name}: {wanted.runs / ours:.2f} rows a core-second, {dumb / ours:.2f} times as many as by whole verdicts")
    return wanted.runs / ours, dumb / ours
