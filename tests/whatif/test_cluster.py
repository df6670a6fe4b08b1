"""Spark on workers that cannot read this checkout: the same rows as here, also when a worker dies."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings

from playground import environment, java
from playground.whatif import states, table, worker
from playground.whatif.models import Experiment, ShardLog, State
from playground.whatif.pipeline import session
from playground.whatif.pipeline.blocks import Block, whole_seeds
from playground.whatif.runner import Runner
from tests.whatif.lab import until
from tests.whatif.plans import plan
from tests.whatif.spark_cluster import SparkCluster, files

pytestmark = pytest.mark.django_db(transaction=True)  # the runner works in threads

SEEDS = 30
DONE_S = 600.0  # on a busy machine
CANCEL_S = 10.0


@pytest.fixture(scope="module", params=[files()])  # in the name of each test: whether files are hidden
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    made = SparkCluster(tmp_path_factory.mktemp("machine"), [environment.data_folder()])
    made.start(workers=2)
    yield made
    made.stop()


@pytest.fixture
def on_the_cluster(
    cluster: SparkCluster, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[SparkCluster]:
    properties = tmp_path / "spark.conf"
    properties.write_text(
        "# of this test\nspark.driver.host 127.0.0.1\nspark.driver.bindAddress=127.0.0.1\nspark.executor.memory: 512m\n"
    )
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
    return "".join(table.all_rows(runner.results.tables([Block(0, runner.plan.runs)], table.COLUMNS)))


def computed(runner: Runner) -> Experiment:
    runner.run()
    return Experiment.objects.get(pk=runner.experiment.pk)


def test_rows_are_those_of_this_machine_although_a_worker_died(
    on_the_cluster: SparkCluster, settings: LazySettings
) -> None:
    there = claimed()
    working = threading.Thread(target=there.run)
    working.start()
    until(lambda: there.arrivals.runs() >= 0.4 * there.plan.runs or not working.is_alive(), DONE_S)
    on_the_cluster.kill("worker1")
    working.join(DONE_S)
    after = Experiment.objects.get(pk=there.experiment.pk)
    assert (after.state, after.error) == (State.DONE, "")
    assert after.runs_done == 2 * SEEDS
    blocks = there.results.blocks()
    assert sum(block.runs for block in blocks) == 2 * SEEDS  # none twice
    assert ShardLog.objects.filter(experiment=after).count() == ShardLog.objects.exclude(finished=None).count()

    settings.SPARK_MASTER = "local[2]"
    here = claimed()
    assert computed(here).state == State.DONE
    assert rows(there) == rows(here)
    assert rows(there).count("\n") == 2 * SEEDS + 1
    results = Experiment.objects.filter(pk__in=(there.experiment.pk, here.experiment.pk)).values_list(
        "result", flat=True
    )
    assert results[0] == results[1]


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
