"""Behind each figure of an AZ answer is the list of its partitions, which a sheet can open."""

import csv
import io
import re
from typing import Any

import pytest

from simengine.questions.az import partition_list
from simengine.questions.az.answer import answer
from simengine.questions.az.cell import ACKS, ANY_BROKER, ANY_TWO
from simengine.questions.az.edits import GONE
from simengine.questions.az.row import AzRow
from simengine.questions.az.whys import causes_of
from simengine.scenario import Document, load, to_plain
from tests.questions.az_clusters import (
    SINGLE,
    SPREAD,
    TWICE,
    cluster,
    row,
    shown,
)


def test_the_lists_hold_as_many_rows_as_the_figures_say() -> None:
    doc = cluster(SPREAD, TWICE, SINGLE, ("__consumer_offsets", 1, ["1"]))
    for key in ("az-a", "az-b", "az-c", ANY_BROKER, ANY_TWO):
        found = row(doc, key)
        for acks, one in zip(ACKS, (found.safe, found.fast), strict=True):
            figures = shown(doc, key, acks)
            for of in ("lost", "write", "read"):
                rows = partition_list.rows(
                    doc, found.loss, found.safe, found.fast, partition_list.PartitionQuery(of, acks)
                )
                assert len(rows) == figures[of]["list"]
                lasting = sum(entry["us"] is None and not entry["internal"] for entry in rows)
                assert lasting == figures[of].get("until_back", 0)
            assert one.acks == acks
        for cause in causes_of(found.loss, found.safe, found.fast):
            rows = partition_list.rows(
                doc, found.loss, found.safe, found.fast, partition_list.PartitionQuery("cause", cause=cause.key)
            )
            assert len(rows) == len(cause.parts)


def test_a_list_says_replicas_by_az_with_the_leader_and_what_is_lost() -> None:
    doc = cluster(TWICE, SPREAD)
    found = row(doc, "az-b")
    asked = partition_list.read({"of": "write", "acks": "all", "sort": "topic"})
    rows = partition_list.rows(doc, found.loss, found.safe, found.fast, asked)
    assert [(entry["topic"], entry["partition"]) for entry in rows] == [("spread", 0), ("spread", 1), ("twice", 0)]
    assert rows[-1]["azs"] == [
        {"az": "az-a", "brokers": []},
        {"az": "az-b", "brokers": [{"id": 1, "leads": True, "lost": True}, {"id": 4, "leads": False, "lost": True}]},
        {"az": "az-c", "brokers": [{"id": 2, "leads": False, "lost": False}]},
    ]
    assert rows[-1]["why"].startswith("1 of 3 replicas left, 2 wanted")
    back = partition_list.rows(
        doc, found.loss, found.safe, found.fast, partition_list.read({"of": "write", "sort": "-topic"})
    )
    assert [entry["topic"] for entry in back] == ["twice", "spread", "spread"]
    table = list(csv.reader(io.StringIO(partition_list.as_csv(rows))))
    assert table[0] == ["topic", "partition", "replicas_by_az", "leader", "lost_replicas", "state", "why"]
    assert table[-1][:6] == ["twice", "0", "az-b: 1 4; az-c: 2", "1", "1 4", "until it is back"]


def listed(found: AzRow, doc: Document, of: str, acks: str = "all") -> list[dict[str, Any]]:
    """A list of a row."""
    return partition_list.rows(doc, found.loss, found.safe, found.fast, partition_list.read({"of": of, "acks": acks}))


def named(rows: list[dict[str, Any]]) -> list[str]:
    return [f"{entry['topic']}-{entry['partition']}" for entry in rows]


def test_each_fact_opens_the_partitions_that_it_counts() -> None:
    """The list of what stops until it is back holds nothing that stops for seconds, and the groups that it counts."""
    doc = cluster(TWICE, SPREAD, SINGLE, ("__consumer_offsets", 1, ["1"]))
    found = row(doc, "az-b")
    facts = {fact["key"]: fact["text"] for fact in answer(doc, [found]).facts}
    assert facts["until_back"] == "twice 1 of 1, groups 1 of 1"
    assert named(listed(found, doc, "until_back")) == ["__consumer_offsets-0", "twice-0"]
    assert facts["seconds"].startswith("2 other partitions, up to ")
    pauses = listed(found, doc, "seconds")
    assert named(pauses) == ["spread-0", "spread-1"]
    assert all(0 < entry["us"] < 60_000_000 and entry["step"] == 1 for entry in pauses)
    assert "new records of 1 partition" in facts["hidden"]
    hidden = listed(found, doc, "hidden", "1")
    assert named(hidden) == ["twice-0"] and hidden[0]["us"] is None
    assert "unreadable" in hidden[0]["why"]


def test_what_stands_on_the_disks_of_a_loss_is_listed() -> None:
    doc = cluster(TWICE, SPREAD, ("only", 1, ["1", "4"]))
    found = row(doc, "az-b")
    text = next(fact["text"] for fact in answer(doc, [found]).facts if fact["key"] == "disks")
    assert text.startswith("lost: only as a whole, 2 logs, 20 GB; 3 other partitions back in sync after")
    rows = listed(found, doc, "disks")
    assert named(rows) == ["only-0", "only-1", "twice-0", "spread-0", "spread-1"]
    assert [entry["why"] for entry in rows[:3]] == [
        *["no copy outside az-b: lost for good"] * 2,
        "2 of 3 copies fetched again from the others",
    ]
    lost = [one for az in rows[2]["azs"] for one in az["brokers"] if one["lost"]]
    assert [one["id"] for one in lost] == [1, 4]
    gone = row(doc, "az-b", disks=GONE)
    assert named(listed(gone, doc, "disks")) == ["twice-0", "spread-0", "spread-1"], "the others stand behind Lost"


def test_before_3_7_what_an_election_would_lose_is_listed() -> None:
    plain = to_plain(cluster(TWICE))
    plain["basis"] = {**plain.get("basis", {}), "older": True}
    doc = load(plain)
    rows = listed(row(doc, "az-b"), doc, "hidden", "1")
    assert named(rows) == ["twice-0"]
    assert "only an unclean election, or the loss of a disk, would lose" in rows[0]["why"]


def test_a_name_that_begins_as_a_formula_does_stays_a_text_in_a_sheet() -> None:
    azs = [{"az": "=1+1", "brokers": [{"id": 1, "leads": True, "lost": False}]}]
    row = {"topic": "\t=t", "partition": 0, "azs": azs, "us": 0, "why": ""}
    _, line = csv.reader(io.StringIO(partition_list.as_csv([row])))
    assert (line[0], line[2], line[-1]) == ("'\t=t", "'=1+1: 1", "")


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"of": "x"}, "of is 'x'"),
        ({"acks": "0"}, "acks is '0'"),
        ({"sort": "size"}, "sort is 'size'"),
        ({"offset": -1}, "offset is -1"),
        ({"limit": "9"}, "limit is '9'"),
    ],
)
def test_a_list_that_cannot_be_is_refused(sent: dict[str, Any], words: str) -> None:
    with pytest.raises(partition_list.ListError, match=re.escape(words)):
        partition_list.read(sent)
