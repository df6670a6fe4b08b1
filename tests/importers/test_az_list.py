"""Behind each figure of an AZ answer is the list of its partitions, which a sheet can open."""

import csv
import io
import re
from typing import Any

import pytest

from simengine.importers import az_list
from simengine.importers.az_cell import ACKS, ANY_BROKER, ANY_TWO
from simengine.importers.az_whys import causes_of
from tests.importers.az_clusters import (
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
                rows = az_list.rows(doc, found.loss, found.safe, found.fast, az_list.Asked(of, acks))
                assert len(rows) == figures[of]["list"]
                lasting = sum(entry["us"] is None and not entry["internal"] for entry in rows)
                assert lasting == figures[of].get("until_back", 0)
            assert one.acks == acks
        for cause in causes_of(found.loss, found.safe, found.fast):
            rows = az_list.rows(doc, found.loss, found.safe, found.fast, az_list.Asked("cause", cause=cause.key))
            assert len(rows) == len(cause.parts)


def test_a_list_says_replicas_by_az_with_the_leader_and_what_is_lost() -> None:
    doc = cluster(TWICE, SPREAD)
    found = row(doc, "az-b")
    asked = az_list.read({"of": "write", "acks": "all", "sort": "topic"})
    rows = az_list.rows(doc, found.loss, found.safe, found.fast, asked)
    assert [(entry["topic"], entry["partition"]) for entry in rows] == [("spread", 0), ("spread", 1), ("twice", 0)]
    assert rows[-1]["azs"] == [
        {"az": "az-a", "brokers": []},
        {"az": "az-b", "brokers": [{"id": 1, "leads": True, "lost": True}, {"id": 4, "leads": False, "lost": True}]},
        {"az": "az-c", "brokers": [{"id": 2, "leads": False, "lost": False}]},
    ]
    assert rows[-1]["why"].startswith("1 of 3 replicas left, 2 wanted")
    back = az_list.rows(doc, found.loss, found.safe, found.fast, az_list.read({"of": "write", "sort": "-topic"}))
    assert [entry["topic"] for entry in back] == ["twice", "spread", "spread"]
    table = list(csv.reader(io.StringIO(az_list.as_csv(rows))))
    assert table[0] == ["topic", "partition", "replicas_by_az", "leader", "lost_replicas", "state", "why"]
    assert table[-1][:6] == ["twice", "0", "az-b: 1 4; az-c: 2", "1", "1 4", "until it is back"]


def test_a_name_that_begins_as_a_formula_does_stays_a_text_in_a_sheet() -> None:
    azs = [{"az": "=1+1", "brokers": [{"id": 1, "leads": True, "lost": False}]}]
    row = {"topic": "\t=t", "partition": 0, "azs": azs, "us": 0, "why": ""}
    _, line = csv.reader(io.StringIO(az_list.as_csv([row])))
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
    with pytest.raises(az_list.ListError, match=re.escape(words)):
        az_list.read(sent)
