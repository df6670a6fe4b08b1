"""One shard as one Spark job: a range of run numbers -> rows -> Parquet.

The numbers are the whole grid: a task turns its numbers into documents and runs them. No shuffle, and the Parquet
folder of a shard appears at once, with Spark's commit.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyspark import Accumulator, Broadcast
from pyspark.sql import SparkSession

from playground.whatif.pipeline.plan import Plan
from playground.whatif.pipeline.run_one import plan_row
from playground.whatif.pipeline.schema import ROW, spark_ddl
from playground.whatif.pipeline.shards import Shard

TASKS_PER_PROCESS: Final = 4
"""Tasks a shard is cut into for each process: fine enough to end together, coarse enough to cost nothing."""


Batches = Iterator[pa.RecordBatch]


def runner(plan_text: Broadcast[str], done: Accumulator[int]) -> Callable[[Batches], Batches]:
    """The function that `mapInArrow` calls in each Python worker: numbers in, rows out."""

    def run(batches: Batches) -> Batches:
        plan = Plan.from_json(plan_text.value)
        for batch in batches:
            for index in batch.column(0).to_pylist():
                row = plan_row(plan, index)
                done.add(1)
                yield pa.RecordBatch.from_pylist([row], schema=ROW)

    return run


def run_shard(
    spark: SparkSession, plan_text: Broadcast[str], shard: Shard, folder: Path, done: Accumulator[int]
) -> None:
    """Compute a shard and keep its rows below `folder`; Spark's own exceptions pass (a cancelled job raises one)."""
    tasks = min(shard.last - shard.first, spark.sparkContext.defaultParallelism * TASKS_PER_PROCESS)
    numbers = spark.range(shard.first, shard.last, 1, tasks)
    table = numbers.mapInArrow(runner(plan_text, done), spark_ddl())
    table.write.mode("overwrite").parquet((folder / shard.name).as_uri())
