"""Edits beside the answer: the source of each value, places, versions, and edits that are refused."""

from typing import Any

import pytest

from simengine.importers.report import import_text
from simengine.questions.az import edits as az_edits
from simengine.questions.az import table as az_table
from simengine.questions.az.edits import EditsError
from simengine.scenario import Document, load, to_plain
from tests.questions.az_clusters import HEADER, SPREAD, cluster, listing, losses


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


@pytest.mark.parametrize("elr", ["2", "9,2"])
def test_an_older_version_has_no_elr(elr: str) -> None:
    """Broker 9 is no replica: a reassignment took it out (ELR-2)."""
    text = HEADER.format(name="t", count=1, least=2)
    text += f"\tTopic: t\tPartition: 0\tLeader: none\tReplicas: 1,2\tIsr: \tElr: {elr}\tLastKnownElr: \n"
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


BEHIND = HEADER.format(name="t", count=2, least=1) + (
    "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\n"
    "\tTopic: t\tPartition: 1\tLeader: 2\tReplicas: 2,1\tIsr: 2,1\n"
)
SECOND = HEADER.format(name="u", count=1, least=1) + "\tTopic: u\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
LAGS = (
    "\nGROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    "g t 1 5 12 7 c-1 /10.0.0.1 c\n"
)


def pasted(text: str, **assumed: Any) -> Document:
    return load(import_text(text, assumed, {1: "az-a", 2: "az-b"})["scenario"])


def test_records_per_log_and_backlog_are_edited_where_they_were_assumed() -> None:
    doc = pasted(BEHIND + LAGS)
    found = basis(doc, {})
    assert (found["log_end"]["value"], found["backlog"]["value"]) == (1000, 300)
    assert found["log_end"]["from"] == found["backlog"]["from"] == "assumed"
    made = az_edits.edited(doc, az_edits.read({"assumed": {"backlog": "40", "log_end": "5000"}}))
    states = made.topics[0].initial
    assert (states[0].leo, states[0].lag) == (5000, {2: 40})
    assert states[1].leo == 12, "the paste tells where the log ends"
    same_end = az_edits.edited(
        pasted(BEHIND + LAGS.replace("12 7", "1000 995")), az_edits.read({"assumed": {"log_end": "9"}})
    )
    assert same_end.topics[0].initial[1].leo == 1000, "also where it is what is assumed of others"
    mine = basis(doc, {"assumed": {"backlog": "40", "log_end": "5000"}})
    assert [(mine[key]["from"], mine[key]["value"]) for key in ("log_end", "backlog")] == [
        ("yours", 5000),
        ("yours", 40),
    ]
    shorter = az_edits.edited(doc, az_edits.read({"assumed": {"log_end": "100"}}))
    assert "\nbacklog: 100 (no more than a log holds at the start)" in shorter.about
    least = shorter.topics[0].initial[0]
    assert (least.leo, least.lag) == (100, {2: 100})
    with pytest.raises(EditsError) as wrong:
        az_edits.edited(doc, az_edits.read({"assumed": {"log_end": "100", "backlog": "200"}}))
    assert wrong.value.refused == {
        "backlog": "backlog is 200: allowed is a whole number from 0 to 100, the records per log."
    }


def test_rates_by_topic_are_edited_after_the_rate_of_all() -> None:
    doc = cluster(SPREAD, ("quiet", 2, ["1,2,3"]))
    name = next(one.topic for one in doc.producers if one.topic != "quiet")
    assert basis(doc, {})["rates"]["value"] == ""
    edits = {"assumed": {"rates": f"{name} 250\n", "records_per_s": "3"}}
    made = az_edits.edited(doc, az_edits.read(edits))
    assert {one.topic: one.rate_milli for one in made.producers} == {name: 250_000, "quiet": 3_000}
    found = basis(doc, edits)["rates"]
    assert (found["from"], sorted(found["value"].split("\n"))) == ("yours", sorted([f"{name} 250", "quiet 3"]))
    for wrong, words in (
        ("nobody 5", "No producer writes to nobody; topics: "),
        ("quiet x y", "has the line 'quiet x y'"),
    ):
        with pytest.raises(EditsError) as told:
            az_edits.edited(doc, az_edits.read({"assumed": {"rates": wrong}}))
        assert words in told.value.refused["rates"]


def test_elr_is_edited_where_the_version_has_it() -> None:
    doc = cluster(SPREAD)
    assert (basis(doc, {})["elr"]["value"], basis(doc, {"assumed": {"elr": "off"}})["elr"]["value"]) == ("on", "off")
    assert az_edits.edited(doc, az_edits.read({"assumed": {"elr": "off"}})).elr is False
    older = {"assumed": {"elr": "on", "version": "3.7"}}
    assert "elr" not in basis(doc, older)
    assert az_edits.edited(doc, az_edits.read(older)).elr is False


def test_the_description_tells_the_values_that_were_set() -> None:
    doc = pasted(BEHIND + SECOND, busy_share=50, busy_records_per_s=70, profile="4.2")
    assert "records/s of busy topics: 70" in doc.about
    values = {"latency_ms": 25.0, "elr": "off", "log_end": 5000, "records_per_s": 20, "rates": "t 30"}
    told = az_edits.edited(doc, az_edits.read({"assumed": values})).about.splitlines()
    for line in (
        "latency, one way: 25",
        "eligible leader replicas: off",
        "records per log: 5,000",
        "records/s: 20",
        "records/s of t: 30",
    ):
        assert f"{line} (set by hand)" in told
    assert len(told) == len({line.split(":")[0] for line in told}), "each value is told once"
    assert not [line for line in told if "busy" in line], "all topics have one rate now"
    assert any(line.startswith("backlog: 300 (records that a replica") for line in told), "what nobody set stays"
