"""A real Spark: an experiment without a core gets one from an older experiment whose runs are long."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark import SparkContext

from playground.java import java_home
from playground.whatif.pipeline import cores, session
from playground.whatif.pipeline.cores import Cores, pool_of
from tests.whatif.lab import START_S, until

OLD, NEW = pool_of(1), pool_of(2)
LOOK_S = 0.5


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkContext]:
    folder = tmp_path_factory.mktemp("spark")
    yield session.start("local[2]", java_home(folder / "java"), folder / "scratch").sparkContext
    session.stop()


def waiting(context: SparkContext, pool: str, folder: Path, name: str) -> threading.Thread:
    """A job of two tasks in a pool. Each notes that it begins, and ends when there is a file of the name."""

    def task(number: int) -> None:
        with (folder / f"{name} {number} begun").open("a") as file:
            file.write("x")
        while not (folder / name).exists():
            time.sleep(0.05)

    def run() -> None:
        context.setLocalProperty("spark.scheduler.pool", pool)
        context.parallelize([0, 1], 2).foreach(task)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def begun(folder: Path, name: str) -> int:
    """The number of times that tasks of a job have begun."""
    return sum(len(file.read_text()) for file in folder.glob(f"{name} * begun"))


def test_the_youngest_long_task_of_an_older_experiment_gives_its_core_and_is_begun_again(
    context: SparkContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "LONG_SECONDS", 600.0)
    old = waiting(context, OLD, tmp_path, "old")
    until(lambda: begun(tmp_path, "old") == 2, START_S)
    new, its_cores = waiting(context, NEW, tmp_path, "new"), Cores(NEW)

    def look() -> bool:
        its_cores.look(context)
        return begun(tmp_path, "new") > 0

    for _ in range(6):
        assert not look(), "the older tasks are not long yet"
        time.sleep(LOOK_S)
    monkeypatch.setattr(cores, "LONG_SECONDS", 0.5)
    until(look, START_S, LOOK_S)
    assert [look() for _ in range(4)] == [True] * 4
    assert (begun(tmp_path, "old"), begun(tmp_path, "new")) == (2, 1), "one core each"
    (tmp_path / "new").touch()
    new.join(START_S)
    (tmp_path / "old").touch()
    old.join(START_S)
    assert not new.is_alive() and not old.is_alive()
    assert begun(tmp_path, "old") == 3, "a task that was ended is begun again"


def test_an_older_experiment_takes_no_core_from_a_newer_one(
    context: SparkContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "LONG_SECONDS", 0.0)
    new = waiting(context, NEW, tmp_path, "new")
    until(lambda: begun(tmp_path, "new") == 2, START_S)
    old, its_cores = waiting(context, OLD, tmp_path, "old"), Cores(OLD)
    for _ in range(6):
        its_cores.look(context)
        time.sleep(LOOK_S)
    assert begun(tmp_path, "old") == 0
    (tmp_path / "new").touch()
    (tmp_path / "old").touch()
    for thread in (new, old):
        thread.join(START_S)
    assert begun(tmp_path, "new") == 2
