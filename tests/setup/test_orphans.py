"""Nothing outlives the process above it, Spark's JVM and its Python workers included."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.setup.processes import Instance, all_gone, named


@pytest.fixture
def spark(tmp_path: Path) -> Iterator[Instance]:
    instance = Instance(["tests/setup/spark_part.py"], tmp_path)
    try:
        instance.line_with("up after")
        yield instance
    finally:
        instance.end()


def test_spark_and_its_workers_end_with_a_killed_supervisor(spark: Instance) -> None:
    below = spark.below()
    assert named(below, "java") and named(below, "pyspark")
    spark.process.kill()
    assert all_gone(below) == []


def test_a_killed_part_takes_its_spark_along_and_comes_back_and_ctrl_c_ends_all_of_it(spark: Instance) -> None:
    below = spark.below()
    assert named(below, "java") and named(below, "pyspark")
    spark.part("spark_part.py").kill()
    spark.line_with("killed by SIGKILL; starting it again")
    assert all_gone(below) == []
    spark.line_with("up after")
    below = spark.below()
    assert named(below, "java") and named(below, "pyspark")
    assert spark.end() == 0
    assert all_gone(below, 1.0) == []
