"""The state of any run, written as kafka-topics.sh writes it, reads back as the same state, also as a new document."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simengine.importers.describe_text import describe_text
from simengine.importers.recognise import read
from simengine.importers.report import import_text, status
from simengine.scenario import load
from simengine.world.world import build
from tests.checked import checked
from tests.swarm.draw import document_of, draw

SECOND = 1_000_000
OWN_TOPIC = "__consumer_offsets"
MEMBERS = ("isr", "elr", "last_known", "adding", "removing")


def rows_of(view: Any) -> dict[tuple[str, int], dict[str, Any]]:
    """Leader, replicas and member lists of each partition of a view."""
    names = [topic["name"] for topic in view["topics"]]
    return {
        (names[partition["topic"]], partition["number"]): {
            "leader": partition["leader"],
            "replicas": list(partition["replicas"]),
            **{name: sorted(partition[name]) for name in MEMBERS},
        }
        for partition in view["partitions"]
    }


def rows_read(text: str, warnings: tuple[str, ...] = ()) -> dict[tuple[str, int], dict[str, Any]]:
    """The same of a listing, which must be read without a doubt but these and without a line left over."""
    reading = read(text)
    assert reading.cluster is not None
    assert (tuple(reading.warnings), reading.unread) == (warnings, [])
    assert status(reading) == ("accept-warn" if warnings else "accept")
    return {
        (row.topic, row.number): {
            "leader": row.leader,
            "replicas": list(row.replicas),
            **{name: sorted(getattr(row, name) or ()) for name in MEMBERS},
        }
        for row in reading.cluster.rows()
    }


@pytest.mark.parametrize("seed", range(12))
def test_the_state_of_a_random_run_reads_back_at_every_moment(seed: int) -> None:
    document = load(document_of(draw(seed)))
    world = build(document)
    for moment in (0, 4, 9, 15, 22):
        world.run(moment * SECOND)
        view: Any = world.snapshot()
        assert rows_read(describe_text(view, document)) == rows_of(view)


@st.composite
def views(draw_one: st.DrawFn) -> dict[str, Any]:
    """A possible snapshot of some topics: any members, any leader, any configs that Kafka can print."""
    names = draw_one(st.lists(st.from_regex(r"[A-Za-z][A-Za-z0-9._-]{0,30}", fullmatch=True), min_size=1, unique=True))
    values = st.from_regex(r"[a-z0-9][a-z0-9:.,*-]{0,20}[a-z0-9]", fullmatch=True)
    topics = [
        {
            "name": name,
            "config": draw_one(st.dictionaries(st.sampled_from(["min.insync.replicas", "a.b", "c-d_e"]), values)),
        }
        for name in names
    ]
    partitions = []
    for index in range(len(names)):
        for number in range(draw_one(st.integers(1, 4))):
            replicas = draw_one(st.lists(st.integers(0, 2_000_000_000), min_size=1, max_size=5, unique=True))
            some = st.lists(st.sampled_from(replicas), unique=True)
            leaders = st.sampled_from([*replicas, -1])
            partition = {"topic": index, "number": number, "replicas": replicas, "leader": draw_one(leaders)}
            partitions.append({**partition, **{name: draw_one(some) for name in MEMBERS}})
    return {"topics": topics, "partitions": partitions, "brokers": {}, "broker_configs": {}}


PLAIN = load({"format": 1, "elr": False, "cluster": {"brokers": [1]}})


@settings(max_examples=80, deadline=None)
@given(views())
def test_any_state_reads_back(view: dict[str, Any]) -> None:
    reading = read(describe_text(view, PLAIN))
    assert reading.cluster is not None and reading.unread == []
    found = {(row.topic, row.number): row for row in reading.cluster.rows()}
    wanted = rows_of(view)
    assert sorted(found) == sorted(wanted)
    for place, row in found.items():
        assert (row.leader, list(row.replicas)) == (wanted[place]["leader"], wanted[place]["replicas"])
        for name in MEMBERS:
            assert sorted(getattr(row, name) or ()) == wanted[place][name], name
    for topic in view["topics"]:
        assert reading.cluster.topics[topic["name"]].configs == topic["config"]


@pytest.mark.parametrize("seed", [3, 8, 11])
def test_a_document_made_of_an_exported_state_starts_in_it(seed: int) -> None:
    document = load(document_of(draw(seed)))
    world = build(document)
    world.run(12 * SECOND)
    view: Any = world.snapshot()
    scenario = import_text(describe_text(view, document), {"states": living(view)})["scenario"]
    again = rows_of(checked(load(scenario)).snapshot())
    wanted = {place: row for place, row in rows_of(view).items() if place[0] != OWN_TOPIC}
    assert {place: row for place, row in again.items() if place[0] != OWN_TOPIC} == wanted


def test_a_filtered_listing_runs_under_its_own_partition_numbers() -> None:
    rows = "".join(
        f"\tTopic: orders\tPartition: {number}\tLeader: 2\tReplicas: 1,2,3\tIsr: 2,3\n" for number in (3, 7, 12)
    )
    scenario = import_text(rows)["scenario"]
    timeline = {"1s": "start 1", "30s": "elect preferred orders-12", "50s": "kill 2"}
    scenario["timeline"] = [{"at": at, "do": action} for at, action in timeline.items()]
    scenario["consumers"] = [{"id": "C", "group": "g", "topics": ["orders"]}]
    document = load(scenario)
    world = checked(document)
    world.run(60 * SECOND)
    now = rows_of(world.snapshot())
    assert {place: row["leader"] for place, row in now.items() if place[0] == "orders"} == {
        ("orders", 3): 1,
        ("orders", 7): 1,
        ("orders", 12): 1,
    }
    in_part = "orders: 3 of 13 partitions are listed. The rest is not made up."
    assert rows_read(describe_text(world.snapshot(), document), (in_part,)) == now


def test_commits_go_to_the_first_listed_partition_of_a_filtered_offsets_topic() -> None:
    """CON-6: some partition of __consumer_offsets holds a group's commits; here 12 is the only one there is."""
    row = "\tTopic: {}\tPartition: {}\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"
    scenario = import_text(row.format("orders", 0) + row.format(OWN_TOPIC, 12))["scenario"]
    world = checked(load(scenario))
    world.run(30 * SECOND)
    view: Any = world.snapshot()
    assert [(p["number"], p["copies"]["1"]["leo"] > 1000) for p in view["partitions"]] == [(0, True), (12, True)]


def living(view: Any) -> dict[str, str]:
    """The state of each broker with a replica, running or down; the listing does not tell it of a broker in no ISR."""
    active = {broker: entry["registration"] == "active" for broker, entry in view["brokers"].items()}
    named = {str(member) for partition in view["partitions"] for member in partition["replicas"]}
    return {broker: "running" if active[broker] else "down" for broker in active if broker in named}
