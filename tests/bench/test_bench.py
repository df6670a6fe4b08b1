"""The bench measures what it says: the workload's numbers, an opponent that does its work, no figure left out."""

import json
import subprocess
import sys

import pytest

from playground.environment import ROOT
from simengine.scenario import load
from tests.bench import __main__ as bench
from tests.bench import old_engine
from tests.bench.engine import BATCHES_A_SECOND, LARGE, SMALL, document
from tests.bench.rows import BROKERS, PARTITIONS, TOPICS, pasted, plan
from tests.bench.simpy_model import Model
from tests.bench.sites import both

TEN_SECONDS_US = 10_000_000


def test_the_workload_is_the_one_that_the_figures_speak_of() -> None:
    checked = load(document())
    assert len(checked.topics[0].assignment) == SMALL
    assert {len(replicas) for replicas in checked.topics[0].assignment} == {3}
    assert checked.faults is not None
    assert checked.until_us == 600_000_000
    assert document(LARGE)["producers"][0]["rate"] == LARGE * BATCHES_A_SECOND


def test_the_opponent_acknowledges_every_batch_of_a_quiet_cluster() -> None:
    model = Model(partitions=2, brokers=3)
    model.run(TEN_SECONDS_US)
    sent = 2 * (TEN_SECONDS_US // 20_000 - 1)
    assert sent - 2 <= model.acked <= sent
    assert 2_000 < model.latency_us / model.acked < 8_000  # there, to a follower by its fetch, and its next fetch


def test_the_opponents_brokers_die_and_others_lead() -> None:
    model = Model()
    model.run(300_000_000)
    assert model.elections > 10
    assert model.acked > 0.97 * 12 * 50 * 300


def test_the_same_seed_gives_the_opponent_the_same_run() -> None:
    first, second = Model(seed=3), Model(seed=3)
    first.run(TEN_SECONDS_US)
    second.run(TEN_SECONDS_US)
    assert (first.acked, first.latency_us) == (second.acked, second.latency_us)


def test_two_clusters_do_the_work_of_one_each() -> None:
    checked = load(both())
    alone = load(document())
    for part in checked.clusters.values():
        assert (part.topics, part.producers, part.faults) == (alone.topics, alone.producers, alone.faults)


def test_the_pasted_cluster_is_as_large_as_its_name_says() -> None:
    checked = load(pasted())
    assert len(checked.cluster.brokers) == BROKERS
    assert sum(len(topic.assignment) for topic in checked.topics) == TOPICS * PARTITIONS == 1_900
    assert [broker.rack for broker in checked.cluster.brokers[:4]] == ["az-a", "az-b", "az-c", "az-a"]
    assert {producer.rate_milli for producer in checked.producers} == {2_100}


def test_a_process_of_its_own_tells_the_core_time_of_a_row() -> None:
    with old_engine.Rows(old_engine.ROOT, [old_engine.for_old(plan())]) as rows:
        assert 0 < rows.seconds(0, 1) < 60


def test_a_history_without_the_old_engine_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(old_engine, "COMMIT", "0000000")
    assert old_engine.measure() == {}
    assert capsys.readouterr().out.strip() == old_engine.NO_COMMIT


def test_every_part_runs_to_its_end_and_prints_its_figures() -> None:
    """With little work; the old engine is left out, as it would be compiled."""
    command = [sys.executable, "-m", "tests.bench.short"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    figures = json.loads(done.stdout.splitlines()[-1])
    assert {name for name in bench.FIGURES if figures[name] is None} == {"old_rows_ratio", "old_pasted_rows_ratio"}


def test_an_unknown_part_is_refused_with_the_allowed_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["engin"]) == 2
    assert "Allowed: engine, sites, replay, rows, spark, estimates, clicks, compare, viewers" in capsys.readouterr().err
