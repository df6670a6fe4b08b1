"""Plans for the loss of a cluster: the documents of the ways back, and what is asked wrongly."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simengine.commands.plans import main as command
from simengine.plans.documents import BACK, POLICY, WAYS, S, Times, documents_of
from simengine.plans.setups import SETUPS
from simengine.plans.table import heads_of, row_of
from simengine.scenario import Document, load, to_plain
from simengine.scenario.config_keys import IDENTITY_POLICY
from simengine.scenario.problems import FieldError
from tests.mirror.documents import SYNCED, cluster, mirrored

TIMES = Times(lost=20 * S, detect=5 * S, decide=5 * S, switch=5 * S, repair=20 * S, copy_back=40 * S, drain=10 * S)

SYNCED_WITHIN_SECONDS: dict[str, Any] = {
    **SYNCED,
    "refresh.groups.interval.seconds": 10,
    "offset.flush.interval.ms": 10_000,
}
LOSS = ("east", "west", replace(TIMES, settle=30 * S))


def plans() -> dict[str, Document]:
    return documents_of(WAYS, load(mirrored({"topics": "orders"})), "east", "west", TIMES).made


def actions(doc: Document) -> list[tuple[int, str]]:
    return [(entry.at_us // S, str(entry.action)) for entry in doc.timeline]


def test_every_plan_begins_with_the_same_failover() -> None:
    begun = [
        (20, "kill-site east"),
        (30, "kill mirror-maker"),
        (35, "move east/P west"),
        (35, "move east/C west"),
    ]
    for plan in plans().values():
        assert actions(plan)[: len(begun)] == begun


def test_the_ways_back_differ() -> None:
    found = {key: actions(plan)[4:] for key, plan in plans().items()}
    back = [(105, "move west/C east")]
    assert found["identity"][-2:] == found["rebuild"][-2:] == [(95, "move west/P east"), *back]
    assert found["swap"][-2:] == [(95, "move west/P east"), (105, "move west/C east orders,west.orders")]
    assert (55, "start-site east") in found["swap"]
    assert [do for at, do in found["rebuild"] if at == 55] == [
        *(f"start east/{n}" for n in (100, 101, 102)),
        *(f"start east/{n} empty" for n in (0, 1, 2)),
    ]
    assert found["dual-run"][-2:] == [(95, "open east/C"), (105, "close west/C")]
    assert not any(BACK in do for _, do in found["dual-run"])


def test_the_flow_back_is_configured_as_the_other_and_does_not_run_at_first() -> None:
    for key, plan in plans().items():
        there, *back = plan.mirrors
        assert there.config["topics"] == "orders"
        assert [(one.source, one.target, one.process, one.state) for one in back] == (
            [] if key == "dual-run" else [("west", "east", BACK, "down")]
        )
        is_identity = key in ("identity", "rebuild")
        assert all((one.config.get(POLICY) == IDENTITY_POLICY) is is_identity for one in plan.mirrors)


def test_producers_find_their_topic_and_consumers_read_copies_from_the_way_back_on() -> None:
    """A group that read west.orders before would have committed 0 there, and read all of it again (sync is off)."""
    swap: Any = to_plain(plans()["swap"])["clusters"]
    assert [topic["name"] for topic in swap["west"]["topics"]] == ["orders"]
    assert swap["east"]["consumers"][0]["topics"] == ["orders"]
    made = documents_of(WAYS, load(mirrored(rate=5)), *LOSS).made
    doubled = {key: row_of(key, WAYS[key], made[key])["doubled"] for key in ("swap", "dual-run")}
    assert doubled["swap"] <= doubled["dual-run"] < 20


def test_what_a_plan_costs_does_not_count_what_a_new_group_skips_at_the_start() -> None:
    unread = {
        key: row_of(key, WAYS[key], plan)["unread"]
        for key, plan in documents_of(WAYS, load(mirrored(SYNCED_WITHIN_SECONDS, rate=5)), *LOSS).made.items()
    }
    assert unread["identity"] == unread["rebuild"] == 0
    assert 0 < unread["swap"] <= unread["dual-run"]  # the group has no offset in west's own topic: it begins at its end


def with_standby(*topics: str, **more: Any) -> dict[str, Any]:
    """A closed reader of west's copies, of the group that reads in east."""
    plain = mirrored()
    standby = {"id": "D", "group": "g", "topics": ["east.orders"], "state": "closed", **more}
    plain["clusters"]["west"] = cluster(*topics, consumers=[standby])
    return plain


def test_a_standby_reader_reads_the_topic_under_the_name_that_a_plan_gives_it() -> None:
    """With the identity policy there is no east.orders (s42), nor in two clusters without a flow."""
    found = documents_of({**WAYS, **SETUPS}, load(with_standby()), "east", "west", TIMES)
    assert not found.refused
    topics = {key: doc.clusters["west"].consumers[0].topics for key, doc in found.made.items() if doc.clusters}
    assert topics["swap"] == topics["dual-run"] == topics["passive"] == topics["active"] == ["east.orders"]
    assert topics["identity"] == topics["rebuild"] == topics["unmirrored"] == ["orders"]


def holding(name: str, records: int) -> dict[str, Any]:
    state = {"leader": 0, "isr": [0, 1, 2], "leo": records}
    return {"name": name, "assignment": [[0, 1, 2]], "initial": {"0": state}}


def test_records_and_offsets_of_a_remote_topic_go_with_its_new_name() -> None:
    plain = with_standby("orders", committed=[["east.orders", 0, 70]])
    plain["clusters"]["west"]["topics"].append(holding("east.orders", 90))
    plain["clusters"]["east"]["topics"] = [holding("orders", 100)]
    plain["mirrors"][0]["history"] = True
    found = documents_of({**WAYS, **SETUPS}, load(plain), "east", "west", TIMES).made
    west = found["identity"].clusters["west"]
    assert [(topic.name, topic.initial[0].leo) for topic in west.topics] == [("orders", 90)]
    assert west.consumers[0].committed == [("orders", 0, 70)]
    alone = found["unmirrored"].clusters["west"]
    assert [(topic.name, topic.initial) for topic in alone.topics] == [("orders", {})]
    assert alone.consumers[0].committed == []


def test_a_plan_that_the_document_cannot_follow_has_a_reason() -> None:
    """Both topics of west would be one with the identity policy."""
    plain = with_standby()
    plain["clusters"]["west"]["topics"] = [holding("orders", 7), holding("east.orders", 90)]
    plain["clusters"]["east"]["topics"] = [holding("orders", 100)]
    found = documents_of(WAYS, load(plain), "east", "west", TIMES)
    why = "west has records in east.orders and orders, and the identity policy gives both one name, orders. "
    assert found.refused == dict.fromkeys(
        ("identity", "rebuild"), f"{why}The default policy keeps them apart: the first plan needs no new names."
    )
    heads = heads_of(WAYS, found)
    assert [head["plan"] for head in heads] == list(WAYS)
    assert [bool(head["refused"]) for head in heads] == [False, True, True, False]


def test_a_refused_document_is_told_in_words_of_the_plan() -> None:
    plain = mirrored({"replication.factor": 3})
    plain["clusters"]["east"]["cluster"]["brokers"] = [0, 1, 2]
    plain["clusters"]["west"]["topics"] = [{"name": "orders", "assignment": [[0, 1, 2]]}]
    plain["clusters"]["east"]["topics"][0]["assignment"] = [[0, 1, 2], [1, 2, 0]]
    refused = documents_of(WAYS, load(plain), "east", "west", TIMES).refused
    assert refused == dict.fromkeys(
        ("identity", "rebuild"),
        "In this plan a remote topic has the partitions of its source east/orders. Allowed: also orders-1. "
        "Change clusters.west.topics[0].assignment, and run the plans again.",
    )


def test_topics_that_no_flow_copies_are_made_where_clients_move() -> None:
    plain = mirrored({"topics": "orders", POLICY: IDENTITY_POLICY})
    plain["clusters"]["east"]["topics"] += cluster("audit", "clicks")["topics"]
    plain["clusters"]["east"]["producers"].append({"id": "A", "topic": "audit", "rate": 1})
    plain["clusters"]["east"]["consumers"].append({"id": "K", "group": "k", "topics": ["clicks"]})
    made = documents_of({**WAYS, **SETUPS}, load(plain), "east", "west", TIMES).made
    assert [topic.name for topic in made["identity"].clusters["west"].topics] == ["audit", "clicks"]
    alone = [topic.name for topic in made["unmirrored"].clusters["west"].topics]
    assert {"audit", "clicks", "orders"} <= {*alone}


def test_consumers_read_only_copies_that_the_flow_back_makes() -> None:
    plain = mirrored({"topics": "orders"})
    plain["clusters"]["east"]["topics"].append({"name": "audit", "assignment": [[0, 1, 2]]})
    plain["clusters"]["east"]["producers"].append({"id": "A", "topic": "audit", "rate": 1})
    plain["clusters"]["east"]["consumers"][0]["topics"] = ["orders", "audit"]
    swap = documents_of(WAYS, load(plain), "east", "west", TIMES).made["swap"]
    assert actions(swap)[-1] == (105, "move west/C east orders,audit,west.orders")


def test_clusters_that_mirror_each_other_go_back_by_the_flow_that_they_have() -> None:
    plain = mirrored()
    plain["mirrors"].append({**plain["mirrors"][0], "source": "west", "target": "east"})
    plan = documents_of(WAYS, load(plain), "east", "west", TIMES).made["swap"]
    assert [(one.source, one.target) for one in plan.mirrors] == [("east", "west"), ("west", "east")]
    assert (65, "start mirror-maker after 5s") in actions(plan), "the failover has killed it"


@pytest.mark.parametrize("process", ["mirror-maker", "way-back"])
def test_a_flow_back_that_keeps_names_waits_until_the_other_has_ended(process: str) -> None:
    """Both at once would copy back and forth (MM-2): it stops before the run, and readers of its copies follow."""
    plain = mirrored()
    plain["mirrors"].append({**plain["mirrors"][0], "source": "west", "target": "east", "process": process})
    west = cluster("orders", producers=[{"id": "W", "topic": "orders", "rate": 5}])
    plain["clusters"]["west"] = west
    plain["clusters"]["east"]["consumers"][0]["topics"] = ["orders", "west.orders"]
    plan = documents_of(WAYS, load(plain), "east", "west", TIMES).made["identity"]
    there, back = plan.mirrors
    assert (there.process, there.state, back.process, back.state) == ("mirror-maker", "running", BACK, "down")
    assert there.config[POLICY] == back.config[POLICY] == IDENTITY_POLICY
    assert plan.clusters["east"].consumers[0].topics == ["orders"]
    assert [do for _, do in actions(plan) if do.startswith("start mirror")] == [f"start {BACK} after 5s"]
    why = "it would copy each copy back, so it copies nothing until east is back."
    assert f"west->east keeps the names too: {why}" in plan.about


def test_flows_of_other_clusters_keep_their_policy() -> None:
    plain = mirrored()
    plain["clusters"]["south"] = cluster()
    plain["mirrors"].append({**plain["mirrors"][0], "target": "south", "process": "mirror-south"})
    plan = documents_of(WAYS, load(plain), "east", "west", TIMES).made["identity"]
    policies = {f"{one.source}->{one.target}": one.config.get(POLICY) for one in plan.mirrors}
    assert policies == {"east->west": IDENTITY_POLICY, "east->south": None, "west->east": IDENTITY_POLICY}


def test_a_flow_that_keeps_names_does_not_swap_with_the_default_policy() -> None:
    """Its way back by its own policy would be another plan under the wrong title."""
    found = documents_of(WAYS, load(mirrored({POLICY: IDENTITY_POLICY})), "east", "west", TIMES)
    assert list(found.made) == ["identity", "rebuild", "dual-run"]
    assert found.refused == {"swap": "east->west has the identity policy, so its way back is the next plan."}


def test_without_a_flow_only_the_dual_run_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = mirrored()
    del plain["mirrors"]
    found = documents_of(WAYS, load(plain), "east", "west", TIMES)
    assert list(found.made) == ["dual-run"]
    why = found.refused["swap"]
    assert found.refused == dict.fromkeys(("swap", "identity", "rebuild"), why)
    assert why.startswith("No flow copies from east to west. Add the flow east → west in the run's Settings, or ")
    file = tmp_path / "two.json"
    file.write_text(json.dumps(plain))
    assert command([str(file), "--lose", "east", "--to", "west", "--document", "swap"]) == 2
    assert capsys.readouterr().err == f"swap: {why}\n"


def test_the_command_names_the_option_of_a_wrong_duration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.json"
    file.write_text(json.dumps(mirrored()))
    assert command([str(file), "--lose", "east", "--to", "west", "--copy-back", "soon"]) == 2
    assert capsys.readouterr().err.startswith("--copy-back soon: not a duration (got soon). Allowed: ")


@pytest.mark.parametrize(
    ("lose", "to", "words"),
    [
        ("north", "west", "there is no cluster 'north'"),
        ("east", "south", "there is no cluster 'south'"),
        ("east", "east", "clients move to another cluster"),
    ],
)
def test_clusters_that_are_not_there_are_refused(lose: str, to: str, words: str) -> None:
    with pytest.raises(FieldError, match=words):
        documents_of(WAYS, load(mirrored()), lose, to, TIMES)


def test_a_document_of_one_cluster_has_no_plans() -> None:
    with pytest.raises(FieldError, match="from one cluster to another"):
        documents_of(WAYS, load({"format": 1, **cluster("orders")}), "east", "west", TIMES)


def test_a_plan_names_the_copies_of_the_document() -> None:
    plain = mirrored({"topics": "orders", "replication.policy.separator": "_"})
    plain["clusters"] = {"east": plain["clusters"]["east"], "mskdest": plain["clusters"]["west"]}
    plain["mirrors"][0]["target"] = "mskdest"
    found = documents_of(WAYS, load(plain), "east", "mskdest", TIMES)
    heads = {head["plan"]: head["about"] for head in heads_of(WAYS, found)}
    assert "such as mskdest_orders." in heads["swap"]
    assert found.made["swap"].about == heads["swap"]


@pytest.mark.parametrize(
    ("plan", "stops"), [("swap", False), ("dual-run", False), ("identity", True), ("rebuild", True)]
)
def test_a_plan_says_that_the_forward_flow_does_not_start_again_and_how_to_start_it(plan: str, stops: bool) -> None:
    """MirrorMaker with the identity policy in both directions copies each copy back, so one of them ends first."""
    made = plans()[plan]
    about = made.about
    assert "At the end east->west does not run and west gets no copies" in about
    assert not any(str(entry.action).startswith("start mirror ") for entry in made.timeline)
    assert ("First kill mirror-back ends west->east" in about) is stops
