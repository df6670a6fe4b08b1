"""A run's row: closed at the horizon, drained, and repeated to the letter by the document that it leaves behind."""

import gc
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from asgiref.sync import async_to_sync
from django.db import OperationalError

from playground.engine.turns import Holder
from playground.scenarios.models import Scenario
from playground.whatif.models import Experiment, Replay
from playground.whatif.pipeline import measure, run_one
from playground.whatif.pipeline.axes import document_of
from playground.whatif.pipeline.blocks import Block
from playground.whatif.pipeline.plan import ExperimentPlan, Variant, grid, lettered
from playground.whatif.pipeline.results import encoded
from playground.whatif.pipeline.run_one import plan_row, run_row
from playground.whatif.pipeline.schema import NAMES
from playground.whatif.replay_document import closed, replay_document
from playground.whatif.replays import find_row, open_replay
from simengine.facts.decisive import ActionDone
from simengine.scenario import load, to_plain
from simengine.world.world import build
from tests.engine.cluster import stated
from tests.whatif.dumb_drain import close_by_whole_verdicts, figures_of
from tests.whatif.plans import SECOND, document, plan, rack_death, verdict_of

FAULTS: dict[str, dict[str, Any]] = {
    "a rack dies": rack_death(),
    "brokers fail at random": {"kind": "rates", "mttf_us": 4 * SECOND, "mttr_us": 2 * SECOND},
    "as in the run": {"kind": "as-is"},
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_the_closed_document_repeats_the_row(fault: dict[str, Any]) -> None:
    experiment = plan(acks=["1", "all"], fault=[fault])
    for index in range(4):
        row = plan_row(experiment, index)
        assert row["error"] is None
        world = build(load(closed(document_of(experiment, *experiment.run(index)), row)))
        world.run(row["end_us"])
        assert world.digest() == row["digest"]
        assert sum(topic["lost"] for topic in verdict_of(world)["topics"]) == row["lost"]


def test_the_replay_of_a_row_says_at_its_end_what_it_comes_to_and_runs_to_the_same_digest() -> None:
    of = plan(acks=["1"], fault=[rack_death()])
    row = plan_row(of, 0)
    document_then = load(replay_document(of, "Three zones", row))
    told = [(caption.kind, caption.at_us, caption.text) for caption in document_then.captions]
    assert told == [("outcome", row["end_us"], row["sentence"])]
    world = build(document_then)
    world.run(row["end_us"])
    assert world.digest() == row["digest"]


def opened(experiment: Experiment) -> tuple[str, int]:
    """The replay of the first row."""
    row = find_row(experiment, "A", 1)
    assert row is not None
    return async_to_sync(open_replay)(experiment, row, Holder("here", "me"))


@pytest.mark.django_db
def test_a_replay_belongs_to_the_owner_of_the_experiment_and_is_stored_once() -> None:
    of = plan(acks=["1"], fault=[rack_death()])
    experiment = Experiment.objects.create(
        owner="who asked", plan_text=of.to_json(), outline=of.outline(), seeds_each=1, baseline="A"
    )
    experiment.results.prepare()
    experiment.results.put(Block(0, 1), encoded([plan_row(of, 0)]))
    first = opened(experiment)
    assert first == opened(experiment)
    assert Scenario.objects.get(pk=first[0]).owner == "who asked"


@pytest.mark.django_db
def test_a_replay_that_cannot_be_stored_whole_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    of = plan(acks=["1"], fault=[rack_death()])
    experiment = Experiment.objects.create(
        owner="who asked", plan_text=of.to_json(), outline=of.outline(), seeds_each=1, baseline="A"
    )
    experiment.results.prepare()
    experiment.results.put(Block(0, 1), encoded([plan_row(of, 0)]))

    def full(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(Replay.objects, "update_or_create", full)
    with pytest.raises(OperationalError):
        opened(experiment)
    assert not Scenario.objects.exists()


def test_every_run_ends_settled_with_all_brokers_back_and_every_call_answered() -> None:
    experiment = plan(acks=["all"], fault=[rack_death()])
    row = plan_row(experiment, 0)
    assert row["settled"]
    assert row["balance_ok"]
    assert [line.split(" ", 1)[1] for line in row["ending"]] == ["heal", "rate P 0", "rate Q 0", "start 100", "start 1"]
    assert row["calls"] == row["acked"] + row["handed_over"] + row["refused"] + row["unknown"]
    assert row["end_us"] > row["horizon_us"] == 8 * SECOND


SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios").glob("s[0-3]*.yaml"))[::12]


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_row_has_the_figures_of_a_drain_by_whole_verdicts_and_pictures(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = to_plain(load(path.read_text()))
    row = run_row(base)
    monkeypatch.setattr(run_one, "_close", close_by_whole_verdicts)
    assert figures_of(run_row(base)) == figures_of(row)


def test_the_collector_runs_once_a_row_and_is_as_it_was_afterwards() -> None:
    seen: list[str] = []
    gc.callbacks.append(lambda phase, _: seen.append(phase) if phase == "start" else None)
    try:
        plan_row(plan(), 0)
    finally:
        gc.callbacks.pop()
    assert seen == ["start"]
    assert gc.isenabled()


def test_unavailability_counts_up_to_the_horizon_only() -> None:
    experiment = plan(acks=["all"], min_isr=[3], fault=[rack_death(2 * SECOND, 2 * SECOND)])
    row = plan_row(experiment, 0)
    assert 0 < row["write_down_us"] <= row["horizon_us"] - 2 * SECOND


def test_random_failures_come_at_the_same_moments_in_every_variant() -> None:
    fault = {"kind": "rates", "mttf_us": 3 * SECOND, "mttr_us": SECOND}
    experiment = plan(acks=["0", "1", "all"], min_isr=[1, 2], fault=[fault])
    seen = []
    for variant in experiment.variants:
        world = build(load(document_of(experiment, variant, 3)))
        world.run(experiment.horizon_us)
        seen.append([(fact.t, fact.text) for fact in stated(world, ActionDone) if "kill" in fact.text])
    assert seen[0]
    assert all(moments == seen[0] for moments in seen)


def test_figures_count_the_topics_of_the_experiment() -> None:
    both = plan_row(plan(acks=["all"]), 0)
    orders = ExperimentPlan(document(), lettered(grid({"acks": ["all"]})), ("orders",), 1, 2, 8 * SECOND)
    row = plan_row(orders, 0)
    assert 0 < row["calls"] < both["calls"]
    assert [topic["topic"] for topic in row["topics"]] == ["orders"]


def test_acks_1_loses_records_where_acks_all_does_not() -> None:
    experiment = plan(seeds=6, acks=["1", "all"], fault=[rack_death(2 * SECOND, 4 * SECOND)])
    rows = [plan_row(experiment, index) for index in range(experiment.runs)]
    assert sum(row["lost"] for row in rows if row["variant"] == "A") > 0
    assert sum(row["lost"] for row in rows if row["variant"] == "B") == 0


def test_a_run_was_decided_when_the_rack_died_and_not_when_the_election_sealed_the_loss() -> None:
    of = plan(seeds=1, horizon_us=20 * SECOND, acks=["1"], fault=[rack_death()])
    row = plan_row(of, 0)
    assert row["lost"] > 0
    world = build(load(closed(document_of(of, *of.run(0)), row)))
    world.run(row["end_us"])
    sealed_us = max(topic["deciding"]["t"] for topic in verdict_of(world)["topics"] if topic["lost"])
    assert 2 * SECOND <= row["deciding_us"] <= 6 * SECOND < sealed_us


def test_a_row_has_a_latency_of_what_was_acknowledged() -> None:
    row = plan_row(plan(acks=["all"]), 0)
    assert 1_000 < row["latency_p50_us"] <= row["latency_p99_us"]
    none = plan_row(plan(acks=["0"]), 0)
    assert (none["acked"], none["latency_p50_us"]) == (0, None)


def test_a_run_over_the_event_limit_fails_in_words_and_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_one, "RUN_EVENTS_MAX", 500)
    row = plan_row(plan(), 0)
    assert "needs more than 500 events" in row["error"]
    assert row["lost"] is None
    with pytest.raises(run_one.ExperimentRunTooLong):
        run_row(document_of(plan(), plan().variants[0], 1))


def test_a_row_fits_the_schema_and_comes_back_as_it_was() -> None:
    row = plan_row(plan(), 0)
    assert list(row) == list(NAMES)
    assert pq.read_table(pa.BufferReader(encoded([row]))).to_pylist() == [row]


def test_the_measured_seconds_are_those_of_whole_runs_with_their_drain_the_mean_of_several_seeds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeds: list[int] = []
    spent = iter([0.25, 0.1, 0.2])

    def of_run(plan: ExperimentPlan, variant: Variant, seed: int, is_whole: bool, seconds_max: float) -> float:
        seeds.append(seed)
        return next(spent)

    monkeypatch.setattr(measure, "_of_run", of_run)
    assert measure.seconds_per_run(plan(acks=["all"]), is_whole=False) == pytest.approx(0.15), (
        "the first run also loads: not counted"
    )
    assert seeds == [1, 2, 3]


def test_a_run_that_is_measured_whole_costs_what_its_row_costs() -> None:
    experiment = plan(acks=["all"])
    began = time.process_time()
    row = plan_row(experiment, 0)
    spent = time.process_time() - began
    assert row["error"] is None
    assert 0.3 * spent < measure._of_run(experiment, experiment.variants[0], 1, True, 60.0) < 3 * spent


def test_a_run_that_takes_too_long_to_be_measured_is_extrapolated() -> None:
    experiment = plan(acks=["all"], horizon_us=1_800 * SECOND)
    began = time.process_time()
    told = measure._of_run(experiment, experiment.variants[0], 1, False, 0.0)
    assert told >= time.process_time() - began > 0


def test_a_run_of_a_quiet_cluster_is_drained_until_its_last_call_has_ended() -> None:
    """Its partitions have been at rest for 30 s at the horizon; a record takes half a second to be acknowledged."""
    quiet = document() | {"timeline": [], "network": {"latency": "200ms"}, "until": "45s", "closing": "45s"}
    row = run_row(quiet, is_whole=True)
    assert row["calls"] == row["acked"] > 0


def test_topics_that_no_application_writes_have_no_figures_of_their_own() -> None:
    """Kafka's, MirrorMaker's and unused topics wait for nobody, so they are no group beside those that are written."""
    of = plan(acks=["all"])
    unwritten = [
        {"name": name, "assignment": [[2, 3]], "config": {"min.insync.replicas": 1}}
        for name in ("__consumer_offsets", "heartbeats", "mm2-offset-syncs.west.internal", "east.orders", "unused")
    ]
    whole = {**of.document, "topics": [*of.document["topics"], *unwritten]}
    names = tuple(topic["name"] for topic in whole["topics"])
    row = plan_row(replace(of, document=whole, topics=names), 0)
    labels = {part["of"] for part in row["parts"]}
    assert labels == {"RF 3, min ISR 2, in 3 racks", "RF 3, min ISR 1, in 3 racks"}
    orders = {**whole, "topics": [whole["topics"][0], *unwritten], "producers": whole["producers"][:1], "timeline": []}
    assert plan_row(replace(of, document=orders, topics=("orders", "unused")), 0)["parts"] == []


def test_a_topic_that_only_the_timeline_writes_has_figures() -> None:
    of = plan(acks=["all"])
    silent = [{**one, "rate": 0} for one in of.document["producers"]]
    sent = [{"at": "1s", "do": "send P orders-0 3"}, {"at": "1s", "do": "send Q audit-0 3"}]
    row = plan_row(replace(of, document={**of.document, "producers": silent, "timeline": sent}), 0)
    assert {part["of"] for part in row["parts"]} == {"RF 3, min ISR 2, in 3 racks", "RF 3, min ISR 1, in 3 racks"}
