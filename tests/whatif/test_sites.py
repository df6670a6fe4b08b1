"""Experiments on documents of several clusters: axes, rows, statistics and the answer."""

import json
import re
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.test import Client

from playground.scenarios import store
from playground.scenarios.models import Source
from playground.scenarios.owner import Maker
from playground.whatif import work
from playground.whatif.answer import compared
from playground.whatif.forms import ExperimentDraft, read
from playground.whatif.pipeline.axes import also_words, document_of, removed, words
from playground.whatif.pipeline.blocks import Block
from playground.whatif.pipeline.plan import ExperimentPlan, grid, lettered
from playground.whatif.pipeline.results import Results, encoded
from playground.whatif.pipeline.run_one import plan_row
from playground.whatif.pipeline.schema import FIGURES, FIGURES_SCHEMA, MIRROR_COUNTS, MIRROR_TIMES, NAMES, ROW
from playground.whatif.replay_document import replay_document
from playground.whatif.row_files import run_lines, topic_lines
from playground.whatif.stored_result import is_whole
from playground.whatif.table import comparison
from simengine.scenario import load
from simengine.world.world import World, build
from tests.whatif.plans import SECOND, SITES, document, plan, rack_death, site_plan, sites, verdict_of


def lost(start: int = 30 * SECOND, end: int = 30 * SECOND, back: int | None = None) -> dict[str, Any]:
    """A fault: east is lost between two moments."""
    return {"kind": "site", "site": "east", "from_us": start, "to_us": end, "back_us": back}


def first(of: ExperimentPlan, seed: int = 1) -> dict[str, Any]:
    return document_of(of, of.variants[0], seed)


def drafted(axes: dict[str, Any], of: dict[str, Any] | None = None, **more: Any) -> ExperimentDraft:
    return read({"seeds": 2, "horizon": "60s", "axes": axes, **more}, of or sites())


def rows_of(of: ExperimentPlan) -> list[dict[str, Any]]:
    found = [plan_row(of, index) for index in range(of.runs)]
    assert [row["error"] for row in found] == [None] * of.runs
    return found


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=ROW).sort_by([("variant", "ascending"), ("seed", "ascending")])


# -- axes


def test_axes_of_one_cluster_set_the_topics_of_every_cluster_by_their_names() -> None:
    of = ExperimentPlan(
        sites(), site_plan(acks=["1"], min_isr=[2], rf=[1]).variants, ("east/orders",), 1, 2, 60 * SECOND
    )
    east, west = first(of)["clusters"].values()
    assert (east["producers"][0]["acks"], east["topics"][0]["assignment"]) == ("1", [[1]])
    assert east["topics"][0]["config"] == {"min.insync.replicas": 2}
    assert west["topics"][0] == sites()["clusters"]["west"]["topics"][0]


def test_versions_lag_and_random_failures_are_set_in_every_cluster() -> None:
    rates = {"kind": "rates", "mttf_us": 20 * SECOND, "mttr_us": SECOND}
    clusters = first(site_plan(kafka=["4.0"], lag_ms=[12_000], fault=[rates]))["clusters"].values()
    for part in clusters:
        assert (part["profile"], part["cluster"]["config"]) == ("4.0", {"replica.lag.time.max.ms": 12_000})
        assert part["faults"]["until"] == "1m"


def test_wan_latency_is_that_between_clusters_and_of_links_between_whole_clusters() -> None:
    plain = sites()
    plain["network"]["links"] = [
        {"between": ["east", "west"], "latency": "80ms", "jitter": "5ms"},
        {"between": ["east/1", "west"], "latency": "90ms"},
    ]
    network = document_of(
        ExperimentPlan(plain, site_plan(wan_us=[5_000]).variants, (), 1, 2, 60 * SECOND), variant(), 1
    )["network"]
    assert (network["latency"], [link["latency"] for link in network["links"]]) == ("5ms", ["5ms", "90ms"])
    assert network["links"][0]["jitter"] == "5ms"


def variant() -> Any:
    return site_plan(wan_us=[5_000]).variants[0]


@pytest.mark.parametrize(
    ("axis", "key"),
    [
        ("checkpoints_s", "emit.checkpoints.interval.seconds"),
        ("group_sync_s", "sync.group.offsets.interval.seconds"),
        ("offset_lag", "offset.lag.max"),
        ("flush_ms", "offset.flush.interval.ms"),
    ],
)
def test_a_key_of_mirrormaker_is_set_in_each_flow(axis: str, key: str) -> None:
    plain = sites()
    plain["mirrors"].append({"source": "west", "target": "east"})
    of = ExperimentPlan(plain, lettered(grid({axis: [7]})), (), 1, 2, 60 * SECOND)
    assert [flow["config"][key] for flow in first(of)["mirrors"]] == [7, 7]
    load(first(of))


def test_a_pinned_moment_of_a_varied_key_is_drawn_from_the_seed_and_the_others_stay() -> None:
    assert first(site_plan(checkpoints_s=[7]))["mirrors"][0].get("phases", {}) == {}
    assert first(site_plan(flush_ms=[7]))["mirrors"][0]["phases"] == {"emit-checkpoints": "1s"}


def test_a_rack_of_one_cluster_dies() -> None:
    fault = {**rack_death(), "rack": "east/az-a"}
    assert "kill-rack east/az-a" in [entry["do"] for entry in first(site_plan(fault=[fault]))["timeline"]]


def test_a_loss_at_another_moment_takes_what_follows_it_along() -> None:
    of = site_plan(seeds=4, fault=[lost(10 * SECOND, 20 * SECOND, back=25 * SECOND)])
    assert [entry["do"] for entry in removed(of, of.variants[0])] == ["kill-site east"]
    moments = []
    for seed in range(1, 5):
        raw = first(of, seed)
        at = {entry.action.verb: entry.at_us for entry in load(raw).timeline}
        assert at["kill"] == 24 * SECOND, "what comes before the loss stays"
        assert at["move"] - at["kill-site"] == 6 * SECOND
        assert at["start-site"] - at["kill-site"] == 25 * SECOND
        moments.append(at["kill-site"])
    assert len(dict.fromkeys(moments)) == 4
    assert all(10 * SECOND <= moment < 20 * SECOND for moment in moments)


# -- the form


def test_mirror_axes_are_read_from_texts_and_named_in_the_words_of_kafka() -> None:
    axes = {
        "wan_us": ["5ms", "200ms"],
        "checkpoints_s": ["60"],
        "fault": [{"kind": "site", "site": "east", "from": "9s"}],
    }
    of = drafted(axes).plan
    assert of is not None
    assert [words(of, v)[0] for v in of.variants] == ["WAN latency 5 ms", "WAN latency 200 ms"]
    assert of.topics == ("east/orders", "west/orders")
    assert ExperimentPlan.from_json(of.to_json()) == of
    assert ExperimentPlan.of_outline(of.outline()).document["profiles"] == ["4.2"]


def test_an_interval_of_work_that_is_off_makes_one_configuration() -> None:
    plain = sites()
    plain["mirrors"][0]["config"]["sync.group.offsets.enabled"] = False
    of = drafted({"group_sync_s": [5, 60]}, plain).plan
    assert of is not None
    assert [also_words(v) for v in of.variants] == [["group offsets synced every 60 s"]]


def test_the_value_of_the_run_is_marked_as_the_run_itself() -> None:
    of = drafted({"flush_ms": [5_000, 60_000]}).plan
    assert of is not None
    assert [v.is_as_in_run for v in of.variants] == [True, False]


@pytest.mark.parametrize(
    ("axes", "more", "told"),
    [
        ({"checkpoints_s": [0]}, {}, "emit.checkpoints.interval.seconds is 0; allowed is 1 to 2,147,483,647."),
        ({"wan_us": ["soon"]}, {}, "WAN latency is 'soon'; write a number and a unit, such as 500ms, 12s or 5m."),
        (
            {"fault": [{"kind": "site", "site": "north", "from": "9s"}]},
            {},
            "cluster is 'north'; allowed is east, west.",
        ),
        ({}, {"latency": "3ms"}, "This run has several clusters, each with a latency of its own. Vary WAN latency."),
        (
            {"fault": [{"kind": "site", "site": "east", "from": "30s", "to": "54s"}]},
            {},
            "What follows the loss of east in the timeline would end at 1 min. Take a longer simulated time than "
            "1 min, or an earlier loss.",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(axes: dict[str, Any], more: dict[str, Any], told: str) -> None:
    problems = drafted(axes, **more).problems
    assert problems and problems[0]["message"] == told


def test_a_run_of_one_cluster_has_no_axes_of_mirrormaker_and_no_cluster_to_lose() -> None:
    told = "MirrorMaker copies nothing in this run, so none of its settings can be varied."
    assert drafted({"offset_lag": [5]}, document()).problems[0]["message"] == told
    fault = [{"kind": "site", "site": "east", "from": "9s"}]
    assert drafted({"fault": fault}, document()).problems[0]["message"].startswith("This run has one cluster.")


def test_the_builder_is_told_clusters_their_loss_and_what_mirrormaker_does() -> None:
    found = work.started((work.PLAN, site_plan(acks=["1"]).to_json()), "A")
    assert found["sites"] == [{"name": "east", "lost": "30s", "back": ""}, {"name": "west", "lost": "", "back": ""}]
    assert (found["mirrors"], found["latency"]) == ({"wan": "20ms", "syncs_groups": True}, None)
    assert (found["topics"], found["racks"]) == (["east/orders", "west/orders"], ["east/az-a", "east/az-b"])
    alone = work.started((work.SANDBOX, None), "")
    assert (alone["sites"], alone["mirrors"]) == ([], None)


# -- rows


def end_of(of: ExperimentPlan, row: dict[str, Any]) -> World:
    """The replay of a row at its end."""
    world = build(load(replay_document(of, "Two sites", row)))
    world.run(row["end_us"])
    return world


def verdict_of_horizon(of: ExperimentPlan, row: dict[str, Any]) -> dict[str, Any]:
    """The verdict of the replay of a row at its horizon."""
    world = build(load(replay_document(of, "Two sites", row)))
    world.run(row["horizon_us"])
    found: dict[str, Any] = verdict_of(world)
    return found


def test_a_row_has_rpo_and_rto_and_where_the_group_continues() -> None:
    of = site_plan(seeds=1, checkpoints_s=[5])
    row = plan_row(of, 0)
    verdict = verdict_of(end_of(of, row))
    failover = verdict["failovers"][0]
    assert (row["rpo_records"], row["rpo_us"], row["rto_us"]) == tuple(
        failover[key] for key in ("rpo_records", "rpo_us", "rto_us")
    )
    assert row["rpo_records"] == row["not_mirrored"] > 200
    at_end = verdict["mirrors"][0]["topics"][0]["not_mirrored"]
    assert row["not_mirrored"] == at_end, "the source is back at the end, and the process that moved is not"
    assert (row["failovers"], row["group_skips"], row["mirrored_twice"], row["left_out"]) == (1, 0, 0, 0)
    assert row["group_rereads"] > 0, "as it was when clients moved"
    assert verdict["mirrors"][0]["groups"][0]["rereads"] == 0, "at the end the group has read on"
    assert row["settled"] and "start east/1" in [line.split(" ", 1)[1] for line in row["ending"]]
    parts = {(part["kind"], part["of"], part["figure"]): part["value"] for part in row["parts"]}
    assert parts["group", "g, east->west", "group_rereads"] == row["group_rereads"]
    assert parts["cluster", "east", "write_down_client_us"] == row["write_down_client_us"] > 0
    assert parts["cluster", "west", "write_down_client_us"] == 0


def test_without_a_failover_the_figures_are_those_of_the_horizon_though_the_source_comes_back() -> None:
    plain = {**sites(), "timeline": [{"at": "20s", "do": "pause mirror-maker"}]}
    row = plan_row(ExperimentPlan(plain, site_plan(acks=["all"]).variants, (), 1, 1, 30 * SECOND), 0)
    assert row["failovers"] == 0
    assert (row["rpo_records"], row["rto_us"]) == (None, None)
    assert 395 <= row["not_mirrored"] <= 405
    assert 9_000_000 < row["not_mirrored_us"] < 11_000_000


def with_audit(timeline: list[dict[str, Any]]) -> ExperimentPlan:
    """A plan of two seeds in which no flow copies audit, which has 10 records/s; acks=1 against acks=all."""
    plain = sites()
    east = plain["clusters"]["east"]
    east["topics"].append({"name": "audit", "assignment": [[1, 2]]})
    east["producers"].append({"id": "auditor", "topic": "audit", "rate": 10})
    plain["mirrors"][0]["config"]["topics"] = "orders"
    variants = site_plan(acks=["1", "all"]).variants
    return ExperimentPlan({**plain, "timeline": timeline}, variants, ("east/orders", "east/audit"), 1, 2, 40 * SECOND)


def test_of_a_lost_cluster_topics_that_no_flow_copies_are_not_mirrored_and_told() -> None:
    of = with_audit([{"at": "30s", "do": "kill-site east"}])
    rows = rows_of(of)
    for row in rows:
        verdict = verdict_of_horizon(of, row)
        assert 295 <= row["not_mirrored"] <= 340, "300 of audit, and the last ones of orders"
        assert 29 * SECOND < row["not_mirrored_us"] <= 30 * SECOND
        parts = {part["figure"]: part["value"] for part in row["parts"] if part["of"] == "east->west"}
        assert parts["unmirrored"] <= parts["not_mirrored"] == row["not_mirrored"]
        assert f"audit has no mirror: {parts['unmirrored']} records are only in east." in verdict["sentence"]
    answer = compared(of, "A", table(rows))["answer"]
    told = " ".join([answer["title"], *answer["points"]])
    assert "Not mirrored at the end: " in told
    assert re.search(
        r" records \(29\.9 s\), (29[5-9]|300|all) of them in topics that east->west does not copy, ", told
    ), told


def test_while_their_cluster_is_there_nobody_misses_a_copy_of_topics_that_no_flow_copies() -> None:
    for timeline in ([], [{"at": "20s", "do": "kill-site east"}, {"at": "30s", "do": "start-site east"}]):
        of = with_audit(timeline)
        row = plan_row(of, 0)
        assert row["not_mirrored"] < 200, timeline
        assert [part["value"] for part in row["parts"] if part["figure"] == "unmirrored"] == [0]


def test_topics_that_no_flow_copies_count_as_they_were_when_clients_moved() -> None:
    moves = [{"at": "36s", "do": "move east/app west"}, {"at": "38s", "do": "start-site east"}]
    row = plan_row(with_audit([{"at": "30s", "do": "kill-site east"}, *moves]), 0)
    assert row["not_mirrored"] == row["rpo_records"] > 290


def test_records_mirrored_twice_are_counted() -> None:
    timeline = [{"at": "24s", "do": "kill mirror-maker"}, {"at": "26s", "do": "start mirror-maker after 1s"}]
    row = plan_row(
        ExperimentPlan({**sites(), "timeline": timeline}, site_plan(flush_ms=[20_000]).variants, (), 1, 1, 40 * SECOND),
        0,
    )
    assert row["mirrored_twice"] > 0


def test_the_row_of_one_cluster_has_none_of_these_figures() -> None:
    row = plan_row(plan(acks=["1"]), 0)
    assert {row[name] for name in (*MIRROR_COUNTS, *MIRROR_TIMES)} == {None}
    assert {part["kind"] for part in row["parts"]} == {"topics"}


def test_the_replay_of_a_row_repeats_its_digest_and_its_losses() -> None:
    of = site_plan(seeds=1, checkpoints_s=[5], fault=[lost(10 * SECOND, 40 * SECOND)])
    row = plan_row(of, 0)
    world = end_of(of, row)
    assert world.digest() == row["digest"]
    assert sum(topic["lost"] for topic in verdict_of(world)["topics"]) == row["lost"]


def test_rows_of_an_earlier_version_are_read_without_these_columns(tmp_path: Any) -> None:
    results = Results(tmp_path.as_uri(), "one")
    results.prepare()
    of = plan(acks=["1"])
    row = plan_row(of, 0)
    older = pq.read_table(pa.BufferReader(encoded([row]))).drop_columns(
        [*MIRROR_COUNTS, *MIRROR_TIMES, "parts", "topics"]
    )
    out = pa.BufferOutputStream()
    pq.write_table(older, out)
    results.put(Block(0, 1), bytes(out.getvalue()))
    figures = results.table(Block(0, 1), FIGURES)
    assert figures.schema.equals(FIGURES_SCHEMA)
    assert results.table(Block(0, 1)).column_names == list(NAMES)
    assert len(list(run_lines(of, [results.table(Block(0, 1))]))) == 2
    assert len(list(topic_lines([results.table(Block(0, 1))]))) == 1, "an earlier version kept no topics"
    assert compared(plan(acks=["1"]), "A", figures)["variants"][0]["sites"] is None


# -- statistics and the answer


def test_the_answer_names_the_figure_that_clearly_differs_in_words_of_mirrormaker() -> None:
    of = site_plan(seeds=8, wan_us=[20_000, 400_000])
    rows = table(rows_of(of))
    result = compared(of, "A", rows)
    title, points = result["answer"]["title"], result["answer"]["points"]
    assert title.startswith("RPO, the records not mirrored when clients moved: "), title
    assert "with WAN latency 20 ms and" in title and "chance" not in title
    assert [point.partition(": ")[0] for point in points[:2]] == ["Groups read again on the target", "RTO"], points
    assert "Within each cluster: No configuration lost an acknowledged record." in points
    assert all(point.endswith(".") for point in points)
    assert len(points) > 5, "each tells one figure or circumstance"
    assert "The application" not in " ".join(points), "RTO says how long applications stood still"
    figures = result["variants"][0]["sites"]
    assert (figures["failovers"], figures["over"]) == (8, 8)
    assert figures["rpo_records"][0] < result["variants"][1]["sites"]["rpo_records"][0]
    pair = result["pairs"][0]["rpo_records"]
    assert (pair["more"], pair["fewer"], pair["is_clear"]) == (8, 0, True)
    assert is_whole(json.loads(json.dumps(result)))
    head, *lines = comparison(result).splitlines()
    assert "RPO records, median" in head
    assert len(lines) == 2


def test_the_worst_run_is_the_one_with_most_records_not_mirrored_where_none_were_lost() -> None:
    of = site_plan(seeds=3, checkpoints_s=[5], fault=[lost(5 * SECOND, 24 * SECOND)])
    rows = rows_of(of)
    worst = compared(of, "A", table(rows))["variants"][0]["worst"]
    most = max(rows, key=lambda row: row["rpo_records"])
    assert (worst["seed"], worst["not_mirrored"]) == (most["seed"], most["rpo_records"])


def test_a_failover_that_is_not_over_is_said_to_be_and_has_no_rto() -> None:
    of = site_plan(seeds=2, horizon_us=37 * SECOND, checkpoints_s=[5])
    result = compared(of, "A", table(rows_of(of)))
    assert (result["variants"][0]["sites"]["failovers"], result["variants"][0]["sites"]["over"]) == (2, 0)
    assert "rto" not in result["variants"][0]["sites"]
    assert "The failover was not over at the end of 2 of 2 runs with A." in result["answer"]["points"]


@pytest.mark.django_db
def test_the_builder_opens_on_a_run_of_several_clusters() -> None:
    scenario = store.create(json.dumps(SITES), by=Maker("me"), origin=Source.UPLOAD)
    page = Client().get(f"/what-if/new?doc={scenario.pk}")
    assert page.status_code == 200
    assert "east/orders" in page.content.decode()
