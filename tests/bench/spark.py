"""The cost of Spark: the same runs by the what-if pipeline on a warm session, and by plain processes, rows written."""

import json
import multiprocessing
import os
import tempfile
import time
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import SparkSession

from playground.java import java_home
from playground.whatif.pipeline import session
from playground.whatif.pipeline.arrivals import Arrivals, Sent
from playground.whatif.pipeline.blocks import Block, Shard
from playground.whatif.pipeline.job import BlockTask, run_shard
from playground.whatif.pipeline.plan import ExperimentPlan, Variant
from playground.whatif.pipeline.results import Results
from playground.whatif.pipeline.run_one import plan_row
from playground.whatif.pipeline.schema import ROW
from simengine.scenario import to_plain
from simengine.scenario.builtin import builtin
from tests.bench.engine import document

PROCESSES: Final = os.cpu_count() or 2
WORK_SECONDS: Final = 60.0  # of one processor, at least
HORIZON_US: Final = 60_000_000
CHUNK: Final = 4  # runs that a plain process takes at a time


def plan(seeds: int) -> ExperimentPlan:
    """The reference workload under both acks modes."""
    variants = (Variant("A", {"acks": "all"}), Variant("B", {"acks": "1"}))
    return ExperimentPlan(document(), variants, (), first_seed=1, seeds=seeds, horizon_us=HORIZON_US)


def skewed(seeds: int) -> ExperimentPlan:
    """Runs of the sandbox that are at rest after half a minute, next to runs that fail at random for ten minutes."""
    rack = {"kind": "rack", "rack": "az-a", "from_us": 5_000_000, "to_us": 15_000_000, "back_us": None}
    rates = {"kind": "rates", "mttf_us": 60_000_000, "mttr_us": 10_000_000}
    variants = (Variant("A", {"fault": rack}), Variant("B", {"fault": rates}))
    return ExperimentPlan(
        to_plain(builtin("sandbox")), variants, (), first_seed=1, seeds=seeds, horizon_us=10 * HORIZON_US
    )


def _rows(arguments: tuple[str, list[int], str]) -> None:
    """Compute some rows of a plan and write them, in a plain process."""
    text, numbers, folder = arguments
    wanted = ExperimentPlan.from_json(text)
    rows = [plan_row(wanted, number) for number in numbers]
    parquet.write_table(pa.Table.from_pylist(rows, schema=ROW), Path(folder) / f"{numbers[0]}.parquet")


def _plain(wanted: ExperimentPlan, pool: "multiprocessing.pool.Pool", folder: Path) -> float:
    numbers = list(range(wanted.runs))
    jobs = [(wanted.to_json(), numbers[at : at + CHUNK], str(folder)) for at in range(0, len(numbers), CHUNK)]
    started = time.perf_counter()
    pool.map(_rows, jobs, chunksize=1)
    return time.perf_counter() - started


class _Timed(Arrivals):
    """Notes when the rows of each task arrive."""

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.ends: list[float] = []

    def addInPlace(self, value1: Sent, value2: Sent) -> Sent:  # noqa: N802  # Spark's name
        self.ends.append(time.perf_counter())
        return super().addInPlace(value1, value2)

    def idle_seconds(self) -> float:
        """The mean time between the end of a process's work and the end of the last task, seconds."""
        last = self.ends[-PROCESSES:]
        return last[-1] - sum(last) / len(last)


def _by_spark(spark: SparkSession, wanted: ExperimentPlan, seconds_per_run: float, folder: Path) -> tuple[float, float]:
    """Seconds of one shard, and the share of them that a process idled at its end. ``seconds_per_run``: as expected."""
    context, arrivals = spark.sparkContext, _Timed(Results(folder.as_uri(), "rows"))
    arrivals.results.prepare()
    task = BlockTask(context.broadcast(wanted.to_json()), context.accumulator([], arrivals))
    started = time.perf_counter()
    run_shard(context, task, Shard(0, Block(0, wanted.runs)), seconds_per_run, arrivals)
    seconds = time.perf_counter() - started
    assert arrivals.runs() == wanted.runs, json.dumps({"rows": arrivals.runs(), "runs": wanted.runs})
    arrivals.close()
    return seconds, arrivals.idle_seconds() / seconds


def _seeds(each: float) -> int:
    """Seeds of two variants that make up the work, by the seconds of a run."""
    return max(PROCESSES, int(WORK_SECONDS / each / 2) + 1)


def measure() -> dict[str, float]:
    """Of the same runs with as many processes, and how evenly these end.

    spark_ratio: seconds of plain processes by seconds of Spark. spark_idle_share: see ``_by_spark``; skewed: where runs
    differ by a factor of 20, and were expected to take a tenth of what they take.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spark = session.start(f"local[{PROCESSES}]", java_home(folder / "java"), folder / "spark")
        warm = plan(PROCESSES * 2)
        _by_spark(spark, warm, 1.0, folder / "warm")
        with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
            each = _plain(warm, pool, folder) * PROCESSES / warm.runs  # imports included: an upper bound, then again
            each = _plain(warm, pool, folder) * PROCESSES / warm.runs
            uneven = skewed(PROCESSES * 8)
            of_uneven = _plain(uneven, pool, folder) * PROCESSES / uneven.runs
            wanted = plan(_seeds(each))
            plain = _plain(wanted, pool, folder)
        seconds, idle = _by_spark(spark, wanted, each, folder / "bench")
        _, idle_skewed = _by_spark(spark, skewed(_seeds(of_uneven)), of_uneven / 10, folder / "skewed")
        session.stop()
    print(f"{wanted.runs} runs on {PROCESSES} processes: plain {plain:.1f} s, Spark {seconds:.1f} s")
    return {
        "spark_ratio": round(plain / seconds, 3),
        "spark_idle_share": round(idle, 3),
        "spark_idle_share_skewed": round(idle_skewed, 3),
    }
