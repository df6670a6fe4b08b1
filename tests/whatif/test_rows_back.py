"""A real Spark: a shard is finished when all its rows are back, and rows of another engine are refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from playground.java import java_home
from playground.whatif.pipeline import engine, job, session
from playground.whatif.pipeline.schema import NAMES, ROW
from playground.whatif.pipeline.shards import MARKER, RowsMissing, Shard, is_finished, put, rows
from playground.whatif.runner import _failure_words
from tests.whatif.plans import plan

SHARD = Shard(0, 0, 4)
CLAIM = "a1"


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    yield session.start("local[2]", java_home(folder / "java"), folder / "scratch")
    session.stop()


def compute(spark: SparkSession, folder: Path) -> None:
    context = spark.sparkContext
    text = context.broadcast(plan(seeds=2).to_json())
    job.run_shard(spark, text, SHARD, folder, CLAIM, context.accumulator(0))


def test_a_shard_whose_rows_are_all_back_is_finished(spark: SparkSession, tmp_path: Path) -> None:
    compute(spark, tmp_path)
    assert is_finished(tmp_path, SHARD)
    assert rows(tmp_path, [SHARD]).num_rows == 4


@pytest.mark.parametrize("kept", [0, 1])
def test_a_job_that_ends_well_without_its_rows_fails_in_words(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    def that_loses(*_: object) -> Any:
        row = {**dict.fromkeys(NAMES), "variant": "A", "seed": 1}

        def run(batches: Any) -> Any:
            for batch in batches:
                if 0 in batch.column(0).to_pylist()[:kept]:
                    yield pa.RecordBatch.from_pylist([row], schema=ROW)

        return run

    monkeypatch.setattr(job, "runner", that_loses)
    with pytest.raises(RowsMissing, match=f"{kept} of the 4 rows of block 0 came back.*shared folder") as told:
        compute(spark, tmp_path)
    assert not is_finished(tmp_path, SHARD)
    assert rows(tmp_path, [SHARD]).num_rows == 0
    assert _failure_words(told.value).startswith(f"The runs could not be finished: {kept} of the 4 rows")


def test_an_executor_with_another_engine_is_refused_in_words(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "own_engine", lambda: "compiled of another version")
    with pytest.raises(Exception, match="OtherEngine") as told:
        compute(spark, tmp_path)
    words = _failure_words(told.value)
    assert f"has the engine {engine.own_engine()}, the worker has compiled of another version" in words
    assert "build the engine there" in words and "\n" not in words
    assert not is_finished(tmp_path, SHARD)


def test_a_marker_without_all_rows_does_not_make_a_shard_finished(tmp_path: Path) -> None:
    put(tmp_path / SHARD.name / "part.parquet", [{**dict.fromkeys(NAMES), "variant": "A", "seed": 1}])
    (tmp_path / SHARD.name / MARKER).touch()
    assert not is_finished(tmp_path, SHARD)
