"""Tables of partitions that other tools and people make are read where they tell topic, leader, replicas and ISR."""

from typing import Any

import pytest

from simengine.importers.recognise import read
from tests.importers.test_field_faults import imported
from tests.importers.test_foreign import CLOUD, MARKDOWN

WIKI = """\
||Topic||Partition||Leader||Replicas||ISR||
|loads|0|4|4,5,6|4,6|
|loads|1|none|5,6,4|5|
"""
SETTINGS = """
Configuration

               Name               | Value
----------------------------------+-------
  min.insync.replicas             |     2
  unclean.leader.election.enable  | true
"""
TWO_TOPICS = "| Topic | Partition | Leader | Replicas | ISR |\n| a | 0 | 1 | 1, 2 | 1 |\n| b | 0 | 2 | 2, 1 | 2 |\n"


def partitions(text: str) -> dict[str, tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """Leader, replicas and ISR by the name of the partition."""
    cluster = read(text).cluster
    assert cluster is not None
    return {f"{row.topic}-{row.number}": (row.leader, row.replicas, row.isr) for row in cluster.rows()}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (CLOUD, {"loads-0": (4, (4, 5, 6), (4, 5, 6)), "loads-1": (-1, (5, 6, 4), ())}),
        (MARKDOWN, {"loads-0": (1, (1, 2), (1, 2))}),
        (WIKI, {"loads-0": (4, (4, 5, 6), (4, 6)), "loads-1": (-1, (5, 6, 4), (5,))}),
        (TWO_TOPICS, {"a-0": (1, (1, 2), (1,)), "b-0": (2, (2, 1), (2,))}),
    ],
)
def test_the_partitions_are_read(text: str, found: dict[str, Any]) -> None:
    assert partitions(text) == found
    assert imported(text)["scenario"] is not None


def test_settings_below_are_those_of_the_one_topic() -> None:
    (topic,) = imported(CLOUD + SETTINGS)["scenario"]["topics"]
    assert topic["config"] == {"min.insync.replicas": 2, "unclean.leader.election.enable": True}
    assert all(not topic["config"] for topic in imported(TWO_TOPICS + SETTINGS)["scenario"]["topics"])


def test_such_a_table_does_not_tell_the_version() -> None:
    for text in (CLOUD, MARKDOWN):
        assert imported(text)["scenario"]["profile"] == imported(TWO_TOPICS)["scenario"]["profile"] == "4.4"


def test_a_row_that_ends_before_its_topic_is_no_partition() -> None:
    table = "| Partition | Replicas | Leader | ISR | Topic |\n| 0 | 1,2 | 1 | 1,2 | a |\n  1  [1,2,3]\n"
    assert partitions(table) == {"a-0": (1, (1, 2), (1, 2))}


@pytest.mark.parametrize("row", ["| a | x | 1 | 1, 2 | 1 |", "| a | 0 | 1 |  |  |", "| a b | 0 | 1 | 1 | 1 |"])
def test_a_row_that_cannot_be_used_is_listed_as_not_read(row: str) -> None:
    result = imported(TWO_TOPICS + row + "\n")
    assert result["summary"]["partitions"] == 2
    assert row.strip("| ")[:3] in [one["text"][:3] for one in result["unread"] if not one["noise"]]
