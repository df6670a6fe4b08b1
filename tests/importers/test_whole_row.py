"""A row that one pattern reads is what its labels say; a row that needs a second look is left to the labels."""

import random

import pytest

from simengine.importers import fields
from simengine.importers.model import NO_LEADER
from simengine.importers.report import import_text
from simengine.importers.whole_row import ROW_CHARS_MAX, whole_row

ROW = "\tTopic: orders\tPartition: 7\tLeader: 2\tReplicas: 2,3,1\tIsr: 2,1"
SOUND = [
    ROW,
    ROW + "\tElr: \tLastKnownElr: ",
    ROW + "\tElr: 3\tLastKnownElr: 3,1",
    ROW + "\tElr: N/A\tLastKnownElr: N/A",
    ROW.replace("Leader: 2", "Leader: none"),
    ROW.replace("Leader: 2", "Leader: -1").replace("Isr: 2,1", "Isr: "),
    ROW.replace("\t", "   "),
    ROW.replace(": ", ":"),
    ROW + "  ",
]
OTHERS = {
    "a leader outside the ISR": ROW.replace("Leader: 2", "Leader: 3"),
    "a stranger in the ISR": ROW + ",9",
    "a broker twice": ROW.replace("2,3,1", "2,3,2"),
    "an open list": ROW + ",",
    "a comment": ROW + " # slow",
    "a leader in words": ROW.replace("Leader: 2", "Leader: null"),
    "no replicas": ROW.replace("2,3,1", ""),
    "another column": ROW + "\tOffline: 3",
    "no ISR": ROW.rpartition("\t")[0],
    "a number with ten digits": ROW.replace("Partition: 7", "Partition: 1234567890"),
    "a name of dots": ROW.replace("orders", ".."),
    "a glued label": ROW.replace("\tPartition", "Partition"),
    "a very long row": ROW + " " * ROW_CHARS_MAX,
    "a header": "Topic: orders\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: ",
}


def by_labels(text: str) -> tuple[object, ...]:
    """Topic, partition, leader and lists, as each value says."""
    (record,) = fields.records(text)
    values = record.values
    has_elr = "elr" in values and not fields.is_not_available(values["elr"])
    lists = [fields.id_list(values.get(name, "")) for name in ("replicas", "isr", "elr", "last_known")]
    return (
        values["topic"],
        fields.whole_number(values["partition"]),
        fields.leader(values["leader"]),
        lists[0],
        lists[1],
        lists[2] if has_elr else None,
        lists[3],
    )


def by_pattern(text: str) -> tuple[object, ...] | None:
    found = whole_row(text)
    if found is None:
        return None
    row = found.row(1)
    return row.topic, row.number, row.leader, row.replicas, row.isr, row.elr, row.last_known


@pytest.mark.parametrize("text", SOUND)
def test_a_row_as_the_tool_prints_it_is_read_at_once_and_says_what_its_labels_say(text: str) -> None:
    assert by_pattern(text) == by_labels(text)


@pytest.mark.parametrize("kind", OTHERS)
def test_a_row_that_needs_a_second_look_is_left_to_its_labels(kind: str) -> None:
    assert whole_row(OTHERS[kind]) is None


def test_random_rows_say_what_their_labels_say() -> None:
    chance = random.Random(19)
    read = 0
    for _ in range(20_000):
        text = list(chance.choice(SOUND))
        for _ in range(chance.randrange(3)):
            text[chance.randrange(len(text))] = chance.choice("0123456789,,: \t-")
        row = by_pattern("".join(text))
        if row is not None:
            read += 1
            assert row == by_labels("".join(text)), "".join(text)
    assert read > 5_000


def test_a_row_that_is_wrapped_anywhere_is_the_same_row() -> None:
    header = "Topic: orders\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: "
    whole = import_text(f"{header}\n{ROW}")
    for at in range(ROW.index("Leader"), ROW.index("Isr")):
        wrapped = import_text(f"{header}\n{ROW[:at]}\n{ROW[at:]}")
        assert wrapped["scenario"] == whole["scenario"], ROW[:at]


def test_rows_without_a_leader_have_none() -> None:
    found = whole_row(ROW.replace("Leader: 2", "Leader: none"))
    assert found is not None and found.members.leader == NO_LEADER
