"""The effect of the loss of each cluster of a document: the sentences by rule, and the figures of the run."""

import json
from pathlib import Path
from typing import Any

import pytest

from simengine.commands import az
from simengine.questions.az.site_rows import LOSS_US, S, by_rule, loss_document, site_rows
from simengine.scenario import load
from simengine.scenario.mirror_plan import flows_of
from simengine.scenario.parts import written_parts
from simengine.scenario.sites import ONE_CLUSTER_ONLY
from tests.whatif.plans import SITES


def rows(**config: Any) -> dict[str, Any]:
    """The rows of the document of two clusters by site, with keys of its flow changed."""
    flow = {**SITES["mirrors"][0], "config": {**SITES["mirrors"][0]["config"], **config}}
    return {row["site"]: row for row in site_rows(load({**SITES, "mirrors": [flow]}))}


def by_rule_of(plain: dict[str, Any]) -> list[str]:
    """The sentences by rule on the loss of east."""
    doc = load(plain)
    parts = written_parts(doc)
    return by_rule("east", parts, flows_of(doc.mirrors, parts))


def test_of_the_lost_source_the_newest_records_are_not_mirrored_and_its_group_reads_again() -> None:
    """MM-6, MM-7: the offset on the target is as old as a checkpoint and a sync, and at most offset.lag.max lower."""
    found = rows()
    east, west = found["east"], found["west"]
    assert east["by_rule"] == [
        "1 partition of east has no leader until it is back: no writes, no reads. "
        "Acknowledged records stay on the disks.",
        "east->west copies orders after the writes: records of the last moments can be missing.",
        "g: the offset on west is translated. It can be 10 s old, and up to 100 records lower in each partition "
        "(offset.lag.max), more for a group that lags. What lies after it is read again.",
    ]
    figures = east["figures"]
    assert 0 < figures["not_mirrored"] < 40, "a part of a second"
    assert figures["unmirrored"] == 0
    assert figures["skips"] == 0
    assert 0 < figures["rereads"] <= 10 * 40 + 101
    for key, (least, most) in east["range"].items():
        assert least <= figures[key] <= most
    least, most = east["range"]["rereads"]
    assert most - least > 5 * 40, "a checkpoint and a sync are up to 10 s old, at 40 records/s"
    assert most <= 10 * 40 + 101
    assert any(told.startswith("g on east.orders-0 continues at ") for told in east["in_run"])
    assert west["by_rule"][1:] == [
        "No flow copies from west: what is written there is nowhere else.",
        "east->west stops: records of east are not mirrored until west is back.",
    ]
    assert west["figures"]["not_mirrored"] is west["range"]["not_mirrored"] is None


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"topics": "payments"}, "east->west does not copy orders: what is written there is not on west."),
        ({"groups": "other"}, "g: not translated, since the keys groups and groups.exclude say so."),
        (
            {"sync.group.offsets.enabled": False},
            "g: sync.group.offsets.enabled is false, so no offset is committed on west and auto.offset.reset decides.",
        ),
        (
            {"emit.checkpoints.enabled": False},
            "g: no checkpoints are written, so auto.offset.reset decides on west.",
        ),
    ],
)
def test_what_a_flow_leaves_out_is_said_by_rule(config: dict[str, Any], told: str) -> None:
    assert told in rows(**config)["east"]["by_rule"]


def test_records_of_topics_that_a_flow_does_not_copy_are_counted_as_not_mirrored() -> None:
    """A topic without a mirror loses all its records with the cluster, a mirrored one those of the last moments."""
    east = SITES["clusters"]["east"]
    more = {
        "topics": [*east["topics"], *({"name": name, "assignment": [[1, 2]]} for name in ("audit", "empty"))],
        "producers": [*east["producers"], {"id": "auditor", "topic": "audit", "rate": 10}],
    }
    flow = {**SITES["mirrors"][0], "config": {**SITES["mirrors"][0]["config"], "topics": "orders"}}
    doc = load({**SITES, "clusters": {**SITES["clusters"], "east": {**east, **more}}, "mirrors": [flow]})
    row = next(site_rows(doc))
    assert row["site"] == "east"
    figures, ranges = row["figures"], row["range"]
    assert 1490 <= figures["unmirrored"] <= 1500, "10 records/s in 150 s"
    assert figures["unmirrored"] < figures["not_mirrored"] < figures["unmirrored"] + 40
    assert 149 * S < figures["not_mirrored_us"] <= 150 * S
    assert ranges["unmirrored"][0] < 910 < ranges["unmirrored"][1] == figures["unmirrored"]
    told = f"east->west does not copy audit: {figures['unmirrored']:,} records are not on west."
    assert row["in_run"][0] == told
    assert "east->west does not copy audit and empty: what is written there is not on west." in row["by_rule"]


def test_what_is_never_copied_is_no_fault_of_a_flow() -> None:
    """MM-3: topics of Kafka and MirrorMaker, and copies that came from the target."""
    names = ["orders", "__consumer_offsets", "mm2-offset-syncs.west.internal", "west.orders"]
    topics = [{"name": name, "assignment": [[1, 2]]} for name in names]
    east = {**SITES["clusters"]["east"], "topics": topics}
    told = by_rule_of({**SITES, "clusters": {**SITES["clusters"], "east": east}})
    assert not any("does not copy" in sentence for sentence in told)
    assert "east->west copies orders after the writes: records of the last moments can be missing." in told


def test_a_group_whose_topics_are_not_copied_is_not_said_to_continue() -> None:
    assert not any(told.startswith("g: ") for told in rows(topics="payments")["east"]["by_rule"])


def test_nothing_happens_in_the_run_of_a_row_but_the_loss() -> None:
    doc = loss_document(load({**SITES, "timeline": [{"at": "0s", "do": "kill west/3"}, *SITES["timeline"]]}), "east")
    assert [(entry.at_us, str(entry.action)) for entry in doc.timeline] == [
        (0, "kill west/3"),
        (LOSS_US, "kill-site east"),
    ]
    assert doc.until_us == 180 * S


def test_of_many_topics_and_groups_the_run_tells_sums_and_the_worst() -> None:
    east = SITES["clusters"]["east"]
    names = [f"t{number}" for number in range(5)]
    many = {
        **east,
        "topics": [{"name": name, "assignment": [[1, 2]]} for name in names],
        "producers": [{"id": f"p-{name}", "topic": name, "rate": 5} for name in names],
        "consumers": [{"id": f"c-{name}", "group": f"g-{name}", "topics": [name]} for name in names],
    }
    doc = load({**SITES, "clusters": {**SITES["clusters"], "east": many}, "timeline": []})
    row = next(site_rows(doc))
    flow, *groups = row["in_run"][:5]
    assert flow.startswith("east->west: 3,7") and "records of 5 topics are mirrored" in flow, flow
    assert groups[-1] == "So do groups on 2 more partitions."
    assert all(" continues at " in told for told in groups[:3])
    assert "5 groups: the offset on west is translated" in row["by_rule"][-1]


def test_the_command_prints_the_rows_of_several_clusters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.json"
    file.write_text(json.dumps(SITES))
    assert az.main([str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["sites"] == list(site_rows(load(SITES)))
    assert az.main([str(file), "--row", "az-a"]) == 2
    assert ONE_CLUSTER_ONLY in capsys.readouterr().err
