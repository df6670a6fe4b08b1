"""One shard as one Spark job: a range of run numbers -> rows -> Parquet.

The numbers are the whole grid: a task turns its numbers into documents and runs them. No shuffle, and the Parquet
folder of a shard appears at once.
"""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyspark import Accumulator, Broadcast
from pyspark.sql import SparkSession

from playground.whatif.pipeline.engine import must_be, own_engine
from playground.whatif.pipeline.plan import Json, Plan
from playground.whatif.pipeline.run_one import plan_row
from playground.whatif.pipeline.schema import ROW, spark_ddl
from playground.whatif.pipeline.shards import Shard, commit, draft, parts, put

TASKS_PER_PROCESS: Final = 4
"""Tasks a shard is cut into for each process: fine enough to end together, coarse enough to cost nothing."""


PART_SECONDS: Final = 0.5
"""How often a task puts its rows aside: what a cancel loses of each task."""

Batches = Iterator[pa.RecordBatch]


class Parts:
    """The rows that one task has, put aside every `PART_SECONDS`: a cancel takes the task away before its end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows: list[Json] = []
        self._put_at = time.monotonic()

    def add(self, index: int, row: Json) -> None:
        """A row of run `index`, which names the file that it begins."""
        self._rows.append(row)
        if time.monotonic() - self._put_at >= PART_SECONDS:
            self.put(index)

    def put(self, index: int) -> None:
        """Write what is there."""
        if self._rows:
            put(self._folder / f"to-{index:08d}.parquet", self._rows)
        self._rows, self._put_at = [], time.monotonic()


def runner(plan_text: Broadcast[str], done: Accumulator[int], folder: Path) -> Callable[[Batches], Batches]:
    """The function that `mapInArrow` calls in each Python worker: numbers in, rows out, and as parts into a folder.

    It raises OtherEngine where the engine is not the one of this process.
    """
    engine = own_engine()

    def run(batches: Batches) -> Batches:
        must_be(engine)
        plan = Plan.from_json(plan_text.value)
        parts = Parts(folder)
        index = 0
        for batch in batches:
            for index in batch.column(0).to_pylist():
                row = plan_row(plan, index)
                done.add(1)
                parts.add(index, row)
                yield pa.RecordBatch.from_pylist([row], schema=ROW)
        parts.put(index)

    return run


def run_shard(
    spark: SparkSession, plan_text: Broadcast[str], shard: Shard, folder: Path, claim: str, done: Accumulator[int]
) -> None:
    """Compute a shard for a claim and keep its rows below `folder`.

    Raises RowsMissing; Spark's own exceptions pass (a cancelled job raises one).
    """
    tasks = min(shard.runs, spark.sparkContext.defaultParallelism * TASKS_PER_PROCESS)
    numbers = spark.range(shard.first, shard.last, 1, tasks)
    begun = parts(folder, shard, claim)
    shutil.rmtree(begun, ignore_errors=True)  # of an earlier try
    table = numbers.mapInArrow(runner(plan_text, done, begun), spark_ddl())
    table.write.mode("overwrite").parquet(draft(folder, shard, claim).as_uri())
    commit(folder, shard, claim)
