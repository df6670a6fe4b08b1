"""A value at the end of a line is the value alone, whatever mark of a table, a quote or a list closes the line."""

from collections.abc import Callable

import pytest

from simengine.importers.configs import parse_configs
from simengine.importers.recognise import read
from simengine.importers.report import import_text
from simengine.importers.values import bare_value

HEADER = "Topic: a\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: unclean.leader.election.enable=true,"
ROW = "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2"
AROUND: dict[str, Callable[[str], str]] = {
    "a Markdown table": lambda line: f"| {line} |",
    "a box": lambda line: f"\u2502 {line}      \u2502",
    "the right side of a box": lambda line: f"{line} \u2502",
    "a quote": lambda line: f'"{line}"',
    "a list of strings": lambda line: f'  "{line}",',
    "lines of a program": lambda line: f"'{line}\\n' +",
    "curled quotes": lambda line: f"\u201c{line}\u201d",
    "code in a text": lambda line: f"`{line}`",
    "brackets": lambda line: f"({line})",
    "bold": lambda line: f"**{line}**",
    "asterisks": lambda line: f"* {line} *",
    "a continued line": lambda line: f"{line} \\",
    "a comment": lambda line: f"{line}   # as it is today",
    "an arrow": lambda line: f"{line} <-- here",
}


@pytest.mark.parametrize("name", AROUND)
def test_the_last_config_of_a_header_keeps_its_value_and_loses_the_mark_behind_it(name: str) -> None:
    around = AROUND[name]
    result = import_text(f"{around(HEADER + 'min.insync.replicas=2')}\n{around(ROW)}\n")
    assert result["scenario"]["topics"][0]["config"] == {
        "unclean.leader.election.enable": True,
        "min.insync.replicas": 2,
    }
    assert not any("left out" in str(one["value"]) for one in result["assumptions"])


@pytest.mark.parametrize("end", [" |", '"', '",', " \u2502", ")", "  # of all topics", ";"])
@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("Dynamic configs for topic a are:", "  min.insync.replicas=2"),
        ("node.id=1\nprocess.roles=broker", "min.insync.replicas=2"),
    ],
)
def test_other_outputs_lose_the_mark_as_well(head: str, line: str, end: str) -> None:
    cluster = read(f"{head}\n{line}{end}\n{HEADER}\n{ROW}\n").cluster
    assert cluster is not None
    told = [*cluster.evidence.cluster_configs, *(one[1:] for one in cluster.evidence.topic_configs)]
    values = [said.value for key, said in told if key == "min.insync.replicas"]
    assert values and all(value == "2" for value in values)


@pytest.mark.parametrize(
    "value",
    ["*", "0:1,1:2", '{"version":1,"replicas":[{"count":2}]}', "compact,delete", "http://x/y#z", "", "a(b)", "1..."],
)
def test_a_value_without_such_marks_stays_as_it_is(value: str) -> None:
    assert bare_value(value) == value


def test_a_brace_that_nothing_opens_is_no_part_of_a_value() -> None:
    assert parse_configs('a={"b":1}}') == {"a": '{"b":1}'}


def test_only_the_beginning_of_a_key_of_kafka_is_cut_off_a_value() -> None:
    assert parse_configs("min.insync.replicas=2,retention.m") == {"min.insync.replicas": "2"}
    assert parse_configs("some.key=2,if6kqmbm0tvu") == {"some.key": "2,if6kqmbm0tvu"}
