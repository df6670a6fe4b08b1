"""Spark on workers that cannot read this checkout: the same rows as here, also when a worker dies."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import LazySettings

from playground import environment, java
from playground.whatif import states, worker
from playground.whatif.models import Experiment, ShardLog, State
from playground.whatif.pipeline import session
from playground.whatif.pipeline.blocks import Block, whole_seeds
from playground.whatif.pipeline.results import Results, encoded
from playground.whatif.pipeline.run_one import plan_row
from playground.whatif.row_files import run_lines
from playground.whatif.runner import Runner
from tests.whatif.lab import alive, until
from tests.whatif.plans import plan
from tests.whatif.spark_cluster import QUICK_START, SparkCluster, files

pytestmark = pytest.mark.django_db(transaction=True)  # the runner works in threads

SEEDS = 20
DONE_S = 300.0  # on a busy machine
CANCEL_S = 10.0
SILENT_S = 60.0
PROPERTIES = f"""# of these tests
spark.driver.host 127.0.0.1
spark.driver.bindAddress=127.0.0.1
spark.executor.memory: 512m
spark.executor.extraJavaOptions {QUICK_START}
spark.decommission.enabled true
spark.speculation true
spark.speculation.interval 500ms
spark.speculation.quantile 0.5
spark.speculation.multiplier 2
spark.speculation.minTaskRuntime 3s
"""


@pytest.fixture(scope="module", params=[files()])  # in the name of each test: whether files are hidden
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    made = SparkCluster(tmp_path_factory.mktemp("machine"), [environment.data_folder()])
    made.start_master()
    yield made
    made.stop()


@pytest.fixture
def on_the_cluster(
    cluster: SparkCluster, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[SparkCluster]:
    """The cluster with two workers."""
    cluster.start_workers(2)
    properties = tmp_path / "spark.conf"
    properties.write_text(PROPERTIES)
    monkeypatch.setenv(environment.SPARK_PROPERTIES, str(properties))
    monkeypatch.setenv(environment.SPARK_PYTHON, cluster.python)
    monkeypatch.setattr(java, "_candidates", list)  # the packaged Java
    settings.SPARK_MASTER = cluster.url
    yield cluster
    session.stop()


def claimed() -> Runner:
    of = plan(seeds=SEEDS)
    made = Experiment.objects.create(
        owner="me",
        title="Test",
        plan_text=of.to_json(),
        outline=of.outline(),
        baseline="A",
        seeds_each=SEEDS // 5,
        seconds_per_run=2.0,  # so that each run is a task
    )
    experiment = states.claim(made.pk, "w")
    assert experiment is not None
    return Runner(experiment, worker.spark_session)


def rows(runner: Runner) -> str:
    """Every row, as the page's CSV has it."""
    return "".join(run_lines(runner.plan, runner.results.tables([Block(0, runner.plan.runs)])))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Every row as one process computes it, without Spark."""
    of, results = plan(seeds=SEEDS), Results(tmp_path_factory.mktemp("expected").as_uri(), "one")
    results.prepare()
    every = Block(0, of.runs)
    results.put(every, encoded([plan_row(of, index) for index in range(of.runs)]))
    return "".join(run_lines(of, results.tables([every])))


@contextmanager
def working(runner: Runner) -> Iterator[None]:
    """An experiment that has computed some rows, and must end well after what is done to the cluster."""
    thread = threading.Thread(target=runner.run)
    thread.start()
    until(lambda: runner.arrivals.runs() >= 0.2 * runner.plan.runs or not thread.is_alive(), DONE_S)
    try:
        yield
        thread.join(DONE_S)
    finally:
        states.cancel(runner.experiment.pk)
        thread.join(DONE_S)
    after = Experiment.objects.get(pk=runner.experiment.pk)
    assert (after.state, after.error) == (State.DONE, "")
    assert sum(block.runs for block in runner.results.blocks()) == 2 * SEEDS  # none twice


def test_rows_are_those_of_this_machine_although_a_worker_died(on_the_cluster: SparkCluster, expected: str) -> None:
    there = claimed()
    working = threading.Thread(target=there.run)
    working.start()
    until(lambda: there.arrivals.runs() >= 0.4 * there.plan.runs or not working.is_alive(), DONE_S)
    on_the_cluster.kill(on_the_cluster.workers()[0])
    working.join(DONE_S)
    after = Experiment.objects.get(pk=there.experiment.pk)
    assert (after.state, after.error) == (State.DONE, "")
    assert after.runs_done == 2 * SEEDS
    blocks = there.results.blocks()
    assert sum(block.runs for block in blocks) == 2 * SEEDS  # none twice
    assert ShardLog.objects.filter(experiment=after).count() == ShardLog.objects.exclude(finished=None).count()
    assert rows(there) == expected
    assert expected.count("\n") == 2 * SEEDS + 1


def test_executors_write_the_rows_where_they_reach_their_place(
    on_the_cluster: SparkCluster,
    expected: str,
    settings: LazySettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.RESULTS_URL = tmp_path.as_uri()  # no worker hides it
    by_the_driver: list[Block] = []
    monkeypatch.setattr(Results, "put", lambda results, block, data: by_the_driver.append(block))
    runner = claimed()
    runner.run()
    after = Experiment.objects.get(pk=runner.experiment.pk)
    assert (after.state, after.error, after.runs_done) == (State.DONE, "", 2 * SEEDS)
    assert by_the_driver == []
    assert rows(runner) == expected


def test_a_cancel_leaves_nothing_running_on_the_cluster(on_the_cluster: SparkCluster) -> None:
    runner = claimed()

    working = threading.Thread(target=runner.run)
    working.start()
    until(lambda: whole_seeds(runner.arrivals.kept(), 2) or not working.is_alive(), DONE_S)
    assert on_the_cluster.executors()
    states.cancel(runner.experiment.pk)
    until(lambda: not on_the_cluster.executors(), CANCEL_S)
    working.join(DONE_S)
    after = Experiment.objects.get(pk=runner.experiment.pk)
    assert after.state == State.CANCELLED
    assert 0 < after.runs_done < 2 * SEEDS


@pytest.mark.only_long
def test_a_straggler_is_overtaken_by_a_speculative_copy(on_the_cluster: SparkCluster, expected: str) -> None:
    runner = claimed()
    with working(runner):
        straggler = on_the_cluster.workers()[0]
        stopped = on_the_cluster.python_workers(straggler)
        assert stopped
        for process in stopped:
            process.suspend()  # for good: without a copy of its task the experiment never ends
    assert rows(runner) == expected


@pytest.mark.only_long
def test_a_worker_that_is_decommissioned_leaves_and_no_row_is_lost(on_the_cluster: SparkCluster, expected: str) -> None:
    runner = claimed()
    leaving = on_the_cluster.workers()[0]
    with working(runner):
        on_the_cluster.decommission(leaving)
    on_the_cluster.kill(leaving)
    assert rows(runner) == expected


@pytest.mark.only_long
def test_an_experiment_outlives_a_master_that_is_killed_and_started_again(
    on_the_cluster: SparkCluster, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.whatif.runner.LOST_SECONDS", 5.0)
    runner = claimed()
    with working(runner):
        waiting = [one for name in on_the_cluster.workers() for one in on_the_cluster.python_workers(name)]
        assert waiting
        for process in waiting:
            process.suspend()  # so that work is left when the master is back
        on_the_cluster.kill("master")
        on_the_cluster.start_master()
        until(lambda: on_the_cluster.log("master").count("Registering worker") >= 2, SILENT_S)
        for process in alive(waiting):
            process.resume()
    assert rows(runner) == expected
