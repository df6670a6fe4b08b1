"""What somebody changes beside the answer: where each value comes from, places, versions, and what is refused."""

from typing import Any

import pytest

from simengine.importers import az_edits, az_table
from simengine.importers.az_edits import EditsError
from simengine.importers.report import import_text
from simengine.scenario import Document, load, to_plain
from tests.importers.az_clusters import HEADER, SPREAD, cluster, listing, losses


def basis(doc: Document, sent: dict[str, Any]) -> dict[str, Any]:
    edits = az_edits.read(sent)
    made = az_edits.edited(doc, edits)
    return {field["key"]: field for field in az_table.outline(made, losses(made), edits)["basis"]}


def test_each_value_says_where_it_comes_from() -> None:
    racks = {broker: f"az-{'abc'[broker % 3]}" for broker in range(1, 7)}
    doc = load(import_text(listing(SPREAD), {"records_per_s": 5}, racks)["scenario"])
    found = {key: field["from"] for key, field in basis(doc, {}).items()}
    assert found["racks"] == "guessed"
    assert found["controllers"] == found["latency_ms"] == found["log_gb"] == "assumed"
    assert found["records_per_s"] == "yours"
    assert found["request_timeout_ms"] == "default"
    mine = basis(doc, {"assumed": {"latency_ms": "25"}, "racks": {"1": "west"}, "dies": "killed"})
    assert (mine["latency_ms"]["from"], mine["latency_ms"]["value"], mine["latency_ms"]["said"]) == (
        "yours",
        25,
        "25 ms",
    )
    assert (mine["racks"]["from"], mine["racks"]["value"]["1"]) == ("yours", "west")
    assert (mine["dies"]["from"], mine["dies"]["value"]) == ("yours", "killed")


def test_an_az_is_renamed_by_its_nodes() -> None:
    plain = to_plain(cluster(SPREAD))
    plain["network"] = {"links": [{"between": ["az-a", "az-c"], "latency": "20ms"}]}
    doc = load(plain)
    made = az_edits.edited(doc, az_edits.read({"racks": {"3": "north", "6": "north"}, "controllers": {"100": "north"}}))
    assert made.network.links[0].between == ("north", "az-c")
    assert sorted(one.key for one in losses(made))[2:] == ["az-b", "az-c", "north"]


def test_controllers_are_placed_and_counted_anew() -> None:
    doc = cluster(SPREAD)
    placed = az_edits.edited(doc, az_edits.read({"controllers": {"100": "az-b", "101": "az-b", "200": "az-z"}}))
    assert {one.id: one.rack for one in placed.controllers} == {100: "az-b", 101: "az-b", 200: "az-z"}
    five = az_edits.edited(doc, az_edits.read({"assumed": {"controllers": "5"}}))
    assert [one.rack for one in five.controllers] == ["az-a", "az-b", "az-c", "az-a", "az-b"]


def test_an_older_version_has_no_elr() -> None:
    text = HEADER.format(name="t", count=1, least=2)
    text += "\tTopic: t\tPartition: 0\tLeader: none\tReplicas: 1,2\tIsr: \tElr: 2\tLastKnownElr: \n"
    doc = load(import_text(text, {}, {1: "az-a", 2: "az-b"})["scenario"])
    made = az_edits.edited(doc, az_edits.read({"assumed": {"version": "3.7"}}))
    state = made.topics[0].initial[0]
    assert (made.profile, made.elr, state.isr, state.elr) == ("3.7", False, [2], [])


@pytest.mark.parametrize(
    ("sent", "key", "words"),
    [
        ({"racks": {"99": "az-a"}}, "racks", "There is no broker 99; brokers: 1, 2, 3, 4, 5, 6."),
        ({"racks": {"1": "x" * 61}}, "racks", "has 61 characters; the limit is 60"),
        ({"racks": {"1": "a b"}}, "racks", "no name of an AZ"),
        ({"racks": ["az-a"]}, "racks", "racks is a map"),
        ({"controllers": {}}, "controllers", "0 controllers: allowed are 1 to 9."),
        ({"controllers": {str(n): "a" for n in range(100, 110)}}, "controllers", "10 controllers"),
        ({"controllers": {"1": "az-a"}}, "controllers", "1 is the id of a broker"),
        ({"assumed": {"latency_ms": "x"}}, "latency_ms", "latency, one way is x: allowed is a number from 0 to 500."),
        ({"assumed": {"version": "2.8"}}, "version", "version is 2.8"),
        ({"assumed": {"lag": 1}}, "lag", "There is no value 'lag'"),
        ({"assumed": [1]}, "assumed", "assumed is a map"),
        ({"dies": "slowly"}, "dies", "dies is 'slowly': allowed are dark and killed."),
        ({"disks": 3}, "disks", "disks is 3"),
    ],
)
def test_wrong_edits_are_refused_by_name(sent: dict[str, Any], key: str, words: str) -> None:
    with pytest.raises(EditsError) as wrong:
        az_edits.edited(cluster(SPREAD), az_edits.read(sent))
    assert words in wrong.value.refused[key]
