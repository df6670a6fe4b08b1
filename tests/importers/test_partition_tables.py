"""Tables of partitions that other tools and people make are read where they tell topic, leader, replicas and ISR."""

from typing import Any

import pytest

from simengine.importers.recognise import read
from tests.importers.test_field_faults import imported, warned
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
HEAD = "| Topic | Partition | Leader | Replicas | ISR |\n"
TWO_TOPICS = f"{HEAD}| a | 0 | 1 | 1, 2 | 1 |\n| b | 0 | 2 | 2, 1 | 2 |\n"
KAF = """\
Name:        loads
Partitions:
  Partition  High Watermark  Leader  Replicas   ISR
  ---------  --------------  ------  --------   ---
  0          12              1       [1 2 3]    [1 3]
  1          7               2       [2 3 1]    [2 3 1]
Summed HighWatermark: 19
Config:
  Name                 Value  ReadOnly  Sensitive
  min.insync.replicas  2      false     false
"""
KAFKACTL = """\
$ kafkactl describe topic loads
PARTITION   OLDEST_OFFSET   NEWEST_OFFSET   EMPTY   LEADER      REPLICAS   IN_SYNC_REPLICAS
0           0               120             false   kb2:9092    1,2        2
1           0               110             false   kb2:9092    2,1        1,2
"""
TOPICCTL = """\
[topicctl] >>> get partitions loads
-----+--------+-----------+-----------+----------------+---------------------+--------------
  ID | LEADER |    ISR    | REPLICAS  | DISTINCT RACKS |        RACKS        |    STATUS
-----+--------+-----------+-----------+----------------+---------------------+--------------
  0  |   1    | [1,2]     | [1,2,3]   |       3        | [zone1,zone2,zone3] | Out-of-sync
-----+--------+-----------+-----------+----------------+---------------------+--------------
"""
TOPICCTL_ROWS = "".join(f"   {at} |      1 | [1 2]     | [1 2 3]   |\n" for at in range(4))
BROKER_ROWS = "".join(f"   {at} | 10.0.0.{at} | 9092 | zone{at} | 2023-09-20T19:01:56Z\n" for at in (1, 2, 3))
SHEETS = {
    "commas": 'topic,partition,leader,replicas,isr\nloads,0,1,"1,2","1"\nloads,1,none,"2,1",""\n',
    "semicolons": "Topic;Partition;Leader;Replicas;ISR\nloads;0;1;1,2;1\nloads;1;-1;2,1;\n",
    "tabs": "Topic\tPartition\tLeader\tReplicas\tISR\nloads\t0\t1\t1,2\t1\nloads\t1\tnone\t2,1\t\n",
    "bars": "||Topic||Partition||Leader||Replicas||ISR||\n|loads|0|1|1,2|1|\n|loads|1|none|2,1| |\n",
}


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
        (KAF, {"loads-0": (1, (1, 2, 3), (1, 3)), "loads-1": (2, (2, 3, 1), (2, 3, 1))}),
        (KAFKACTL, {"loads-0": (2, (1, 2), (2,)), "loads-1": (2, (2, 1), (1, 2))}),
        (TOPICCTL, {"loads-0": (1, (1, 2, 3), (1, 2))}),
        (
            KAF + KAF.replace("loads", "pay"),
            {
                "loads-0": (1, (1, 2, 3), (1, 3)),
                "loads-1": (2, (2, 3, 1), (2, 3, 1)),
                "pay-0": (1, (1, 2, 3), (1, 3)),
                "pay-1": (2, (2, 3, 1), (2, 3, 1)),
            },
        ),
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


@pytest.mark.parametrize(
    "row", ["| a | x | 1 | 1, 2 | 1 |", "| a | 2 | 1 | 1, 2 |", "| a | 0 | 1 |  |  |", "| a b | 0 | 1 | 1 | 1 |"]
)
def test_a_row_that_cannot_be_used_is_listed_as_not_read(row: str) -> None:
    result = imported(TWO_TOPICS + row + "\n")
    assert result["summary"]["partitions"] == 2
    assert row.strip("| ")[:3] in [one["text"][:3] for one in result["unread"] if not one["noise"]]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_is_read_however_its_cells_are_parted_and_an_empty_last_cell_is_an_empty_isr(sheet: str) -> None:
    assert partitions(SHEETS[sheet]) == {"loads-0": (1, (1, 2), (1,)), "loads-1": (-1, (2, 1), ())}


def test_an_empty_cell_in_the_middle_moves_no_other_cell() -> None:
    assert partitions(SHEETS["tabs"].replace("none\t2,1\t", "\t2,1\t2"))["loads-1"] == (-1, (2, 1), (2,))


def test_settings_of_a_table_without_bars_are_read() -> None:
    (topic,) = imported(KAF)["scenario"]["topics"]
    assert topic["config"] == {"min.insync.replicas": 2}


def test_a_leader_that_is_named_by_its_address_is_the_broker_that_is_in_each_isr_that_it_leads() -> None:
    assert not warned(imported(KAFKACTL), "address")
    doubtful = KAFKACTL.replace("1,2        2", "1,2        1,2")
    assert partitions(doubtful)["loads-0"][0] == partitions(doubtful)["loads-1"][0]
    assert warned(imported(doubtful), "Several brokers fit")


BROKERS = "$ kafkactl get brokers\nID     ADDRESS\n1      kb2:9092\n2      kb1:9092\n"
SETTINGS_ABOVE = "CONFIG                  VALUE\nmin.insync.replicas     2\n\n"


def test_the_list_of_brokers_tells_which_one_an_address_is() -> None:
    doubtful = KAFKACTL.replace("1,2        2", "1,2        1,2")
    assert [leader for leader, _, _ in partitions(BROKERS + doubtful).values()] == [1, 1]
    assert not warned(imported(BROKERS + doubtful), "Several brokers fit")


def test_settings_between_the_name_of_a_topic_and_its_table_are_its_own() -> None:
    first = KAFKACTL.replace("PARTITION ", SETTINGS_ABOVE + "PARTITION ")
    second = first.replace("topic loads", "topic pay").replace("replicas     2", "replicas     1")
    topics = imported(first + second)["scenario"]["topics"]
    assert {topic["name"]: topic["config"]["min.insync.replicas"] for topic in topics} == {"loads": 2, "pay": 1}


@pytest.mark.parametrize(
    "line", ["Our topic looks like this now", "the partitions of it", "  Partitions   1 - 2 out of 2", "Topic Summary"]
)
def test_prose_names_no_topic(line: str) -> None:
    table = KAF[KAF.index("  Partition ") :]
    assert list(partitions(f"{line}\n{table}")) == ["unnamed-topic-0", "unnamed-topic-1"]


def test_a_table_that_names_no_topic_says_so() -> None:
    assert warned(imported(KAF.replace("Name:        loads\n", "")), "The table names no topic")


def test_numbers_of_partitions_and_brokers_under_a_ruler_are_no_line_numbers() -> None:
    head = "  ID | LEADER |    ISR    | REPLICAS  |\n-----+--------+-----------+-----------+\n"
    brokers = "  ID |  HOST  | PORT | RACK  |  TIMESTAMP\n-----+--------+------+-------+------------\n"
    result = imported(f"{brokers}{BROKER_ROWS}Partitions for topic loads:\n{head}{TOPICCTL_ROWS}")
    assert [len(topic["assignment"]) for topic in result["scenario"]["topics"]] == [4]
    assert [one["rack"] for one in result["scenario"]["cluster"]["brokers"]] == ["zone1", "zone2", "zone3"]
    assert not [line for line in result["unread"] if "RACK" in line["text"]]


def test_elr_and_offline_replicas_are_columns_too() -> None:
    elr = "| Topic | Partition | Leader | Replicas | Isr | Elr | LastKnownElr |\n| a | 0 | none | 2,3,1 | | 2 | 3 |\n"
    row = read(elr).cluster.topics["a"].rows[0]  # type: ignore[union-attr]
    assert (row.isr, row.elr, row.last_known) == ((), (2,), (3,))
    offline = "TOPIC  PARTITION  LEADER  REPLICAS  ISR  OFFLINE\na      0          1       1,2       1    2\n"
    assert imported(offline)["scenario"]["cluster"]["brokers"][1]["state"] == "down"


@pytest.mark.parametrize("cell", ["~~2~~ 3", "b2, b3", "2 of 3", "3 (lagging)"])
def test_a_cell_that_is_no_list_of_brokers_is_no_empty_isr(cell: str) -> None:
    table = f"{HEAD}| a | 0 | 1 | 1, 2, 3 | 1 |\n| a | 1 | none | 2, 3 | {cell} |\n"
    assert list(partitions(table)) == ["a-0"]
    assert warned(imported(table), "is no list of brokers")


@pytest.mark.parametrize("cell", ["", "-", "[]", "none", "N/A", "(empty)"])
def test_a_cell_that_says_that_there_are_none_is_an_empty_isr(cell: str) -> None:
    table = f"{HEAD}| a | 0 | 1 | 1, 2, 3 | 1 |\n| a | 1 | none | 2, 3 | {cell} |\n"
    assert partitions(table)["a-1"][2] == ()


def test_another_cell_that_is_no_list_of_brokers_is_left_out_alone() -> None:
    table = "| Topic | Partition | Leader | Replicas | ISR | Offline |\n| a | 0 | 1 | 1, 2, 3 | 1 | 3 (dead) |\n"
    assert list(partitions(table)) == ["a-0"]
    assert warned(imported(table), "the cell 3 (dead) is no list of brokers; it is left out.")
