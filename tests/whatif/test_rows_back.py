"""A real Spark: rows come back by it, a shard is finished when all are there, another engine's are refused."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark import Accumulator
from pyspark.sql import SparkSession

from playground.java import java_home
from playground.whatif.pipeline import engine, job, session
from playground.whatif.pipeline.arrivals import Arrivals
from playground.whatif.pipeline.blocks import TASK_SECONDS, Block, Shard, joined
from playground.whatif.pipeline.job import BlockTask, RowsMissing, run_shard
from playground.whatif.pipeline.run_one import plan_row
from playground.whatif.pipeline.schema import ROW
from playground.whatif.runner import _failure_words
from tests.whatif.kept import results_in, rows_of
from tests.whatif.plans import plan

SHARD = Shard(0, Block(0, 4))
MANY = 1_000_000
BLOCK = 10_000
TEXT = 600  # bytes, a row, that cannot be packed


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    yield session.start("local[2]", java_home(folder / "java"), folder / "scratch")
    session.stop()


@pytest.fixture
def arrivals(tmp_path: Path) -> Iterator[Arrivals]:
    made = Arrivals(results_in(tmp_path))
    yield made
    made.close()


def task_of(spark: SparkSession, arrivals: Arrivals) -> BlockTask:
    context = spark.sparkContext
    return BlockTask(context.broadcast(plan(seeds=2).to_json()), context.accumulator([], arrivals))


def sends(arrivals: Arrivals, spark: SparkSession, rows: Callable[[int, int], bytes], last: int) -> Any:
    """A task that sends these rows of its block, up to run `last`."""
    accumulator: Accumulator[Any] = spark.sparkContext.accumulator([], arrivals)

    def task(place: tuple[int, int]) -> None:
        if place[1] <= last:
            accumulator.add([(place, rows(*place), 0.0)])

    return task


def test_a_shard_is_computed_as_its_runs_are_and_what_is_kept_is_not_computed_again(
    spark: SparkSession, arrivals: Arrivals
) -> None:
    arrivals.addInPlace([], [(Block(1, 2), rows_of(1, 2), TASK_SECONDS)])
    run_shard(spark.sparkContext, task_of(spark, arrivals), SHARD, TASK_SECONDS / 100, arrivals)
    assert arrivals.settle(SHARD.block) == []
    blocks = [Block(0, 1), Block(1, 2), Block(2, 3), Block(3, 4)]
    assert arrivals.results.blocks() == blocks, "a task is as long as the rows so far say, whatever was expected"
    assert [arrivals.results.row(index) for index in (0, 2, 3)] == [plan_row(plan(seeds=2), i) for i in (0, 2, 3)]


def test_a_task_that_takes_too_long_sends_what_it_has_and_the_rest_follows(
    spark: SparkSession, arrivals: Arrivals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "TASK_SECONDS_MAX", 0.0)
    task = task_of(spark, arrivals)
    task(SHARD.block)  # in this process, whose limit is changed
    assert task._rows.value == []
    assert arrivals.settle(SHARD.block) == [Block(1, 4)]
    run_shard(spark.sparkContext, task, SHARD, 0.5, arrivals)
    assert arrivals.results.blocks()[0] == Block(0, 1)
    assert joined(arrivals.results.blocks()) == [SHARD.block]


def test_a_job_that_ends_well_without_any_row_fails_in_words(spark: SparkSession, arrivals: Arrivals) -> None:
    some = sends(arrivals, spark, rows_of, last=2)
    with pytest.raises(RowsMissing, match="none of the 2 rows of block 0 came back") as told:
        run_shard(spark.sparkContext, some, SHARD, 1.0, arrivals)
    assert arrivals.results.blocks() == [Block(0, 2)]
    assert _failure_words(told.value).startswith("The runs could not be finished: none of the 2 rows")


def test_an_executor_with_another_engine_is_refused_in_words(spark: SparkSession, arrivals: Arrivals) -> None:
    task = task_of(spark, arrivals)
    task._engine = "compiled of another version"
    with pytest.raises(Exception, match="OtherEngine") as told:
        run_shard(spark.sparkContext, task, SHARD, 0.5, arrivals)
    words = _failure_words(told.value)
    assert f"has the engine {engine.own_engine()}" in words
    assert "Highwater has compiled of another version. Every machine of the cluster needs" in words
    assert "\n" not in words
    assert arrivals.results.blocks() == []


def test_a_million_rows_pass_a_driver_that_could_not_hold_them(spark: SparkSession, arrivals: Arrivals) -> None:
    assert spark.sparkContext.getConf().get("spark.driver.memory") == "512m"

    def many(first: int, last: int) -> bytes:
        number = last - first
        offsets = pa.array(range(0, TEXT * (number + 1), TEXT), pa.int32()).buffers()[1]
        data = os.urandom(TEXT * number // 2).hex().encode()
        texts = pa.StringArray.from_buffers(number, offsets, pa.py_buffer(data))
        columns = {field.name: pa.nulls(number, field.type) for field in ROW}
        columns |= {"variant": pa.array(["A"] * number), "seed": pa.array(range(first, last)), "sentence": texts}
        out = pa.BufferOutputStream()
        pq.write_table(pa.table(columns, schema=ROW), out, compression="none", use_dictionary=False)
        return bytes(out.getvalue())

    shard = Shard(0, Block(0, MANY))
    run_shard(spark.sparkContext, sends(arrivals, spark, many, MANY), shard, TASK_SECONDS / BLOCK, arrivals)
    assert arrivals.runs() == MANY
    assert arrivals.figures([shard.block])["seed"].to_pylist() == list(range(MANY))
    folder = arrivals.results.local_folder
    assert folder is not None
    assert sum(file.stat().st_size for file in folder.iterdir()) > 512 * 1024 * 1024
