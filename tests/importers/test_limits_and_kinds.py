"""Limits are refused in words, and the outputs of other tools are named."""

import json
import subprocess
import sys
import time

import pytest

from simengine.importers import limits
from simengine.importers.recognise import read
from simengine.importers.report import import_text, report, status
from simengine.scenario import load
from tests.importers import samples
from tests.importers.test_describe import row

QUORUM = (
    "ClusterId: abc\nLeaderId: 3\nHighWatermark: 10\nMaxFollowerLag: 0\n"
    'CurrentVoters: [{"id": 3, "endpoints": ["CONTROLLER://c3.example:9093"]}, {"id": 4, "endpoints": []}]\n'
    'CurrentObservers: [{"id": 1}, {"id": 2}]\n'
)
PLAN = (
    '{"version":1,"partitions":[{"topic":"a","partition":0,"replicas":[1,2]},'
    '{"topic":"a","partition":1,"replicas":[2,3]}]}'
)
COMPOSE = """\
x-common: &common
  image: example/kafka
services:
  one:
    <<: *common
    environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: "broker,controller"}
  two:
    <<: *common
    environment:
      - KAFKA_NODE_ID=2
      - KAFKA_PROCESS_ROLES=broker
  three:
    <<: *common
    environment: {KAFKA_NODE_ID: 3, KAFKA_PROCESS_ROLES: controller}
"""
POOLS = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: one}
spec: {replicas: 4, roles: [broker]}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: t}
spec: {partitions: 6, replicas: 3}
"""


@pytest.mark.parametrize(
    ("text", "kind", "expected", "counts"),
    [
        (QUORUM, "quorum", "accept", (4, 0, 0)),
        ("Current partition replica assignment\n" + PLAN, "reassign", "accept", (3, 1, 2)),
        (
            "Status of partition reassignment:\nReassignment of partition a-1 is completed.\n",
            "reassign",
            "reject",
            (0, 1, 1),
        ),
        ("Reassignment of partition a-1-0 is still in progress\n", "reassign", "reject", (0, 1, 1)),
        ("Reassignment of partition [a,0] completed successfully\n", "reassign", "reject", (0, 1, 1)),
        ("> " + PLAN.replace(",{", ",\n> {"), "reassign", "accept", (3, 1, 2)),
        (PLAN[:-1], "reassign", "accept-warn", (3, 1, 2)),
        ('{"topics":[{"topic":"a"}],"version":1}', "reassign", "reject", (0, 1, 0)),
        (
            "h1.example:9092 (id: 1 rack: east) -> (\n\tProduce(0): 0 to 9 [usable: 9]\n)\n",
            "apiversions",
            "accept",
            (1, 0, 0),
        ),
        (
            "ID HOST PORT RACK STATE ENDPOINT_TYPE\n4 localhost 29092 null unfenced broker\n",
            "endpoints",
            "accept",
            (1, 0, 0),
        ),
        (COMPOSE, "compose", "accept", (2, 0, 0)),
        (POOLS, "strimzi", "accept", (4, 1, 6)),
        (
            '{"brokers":[{"broker":0,"logDirs":[{"partitions":[{"partition":"a-b-0"}]}]}]}',
            "logdirs",
            "accept",
            (1, 1, 1),
        ),
        ("PARTITION  LEADER  REPLICAS\n0  1  [1 2]\n", "foreign", "reject", (2, 0, 1)),
        ("GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\ng a 0 1 2 1\n", "foreign", "reject", (0, 0, 0)),
        ("once upon a time", "unknown", "reject", (0, 0, 0)),
    ],
)
def test_other_outputs_are_named_and_counted(text: str, kind: str, expected: str, counts: tuple[int, int, int]) -> None:
    reading = read(text)
    assert (reading.kind, status(reading)) == (kind, expected)
    assert (reading.facts.brokers, reading.facts.topics, reading.facts.partitions) == counts
    assert (import_text(text)["scenario"] is not None) == (expected != "reject")


def test_broken_yaml_is_refused_with_its_line_and_column() -> None:
    reason = import_text("services:\n  kafka:\n    image: x\n   environment:\n      KAFKA_NODE_ID: 1\n")["reason"]
    assert "line 4, column 4" in reason


def test_too_many_bytes_are_refused() -> None:
    assert "limit is 4 MiB" in import_text("x" * (limits.BYTES_MAX + 1))["reason"]


def test_too_many_lines_are_refused() -> None:
    assert f"{limits.LINES_MAX:,}" in import_text("x\n" * limits.LINES_MAX)["reason"]


def _listing(topics: int) -> str:
    """The largest cluster, with its partitions in so many topics."""
    each = limits.PARTITIONS_MAX // topics
    lines = []
    for topic in range(topics):
        lines.append(f"Topic: t{topic}\tPartitionCount: {each}\tReplicationFactor: 1\tConfigs: ")
        lines += [f"\tTopic: t{topic}\tPartition: {n}\tLeader: 1\tReplicas: 1\tIsr: 1" for n in range(each)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("topics", "times"), [(limits.PARTITIONS_MAX, 1), (limits.PARTITIONS_MAX // 10, 2)])
def test_the_largest_cluster_is_read_once_with_any_number_of_topics_and_twice_with_few(topics: int, times: int) -> None:
    found = read(_listing(topics) * times)
    assert not found.rejected
    assert (found.facts.topics, found.facts.partitions) == (topics, limits.PARTITIONS_MAX)


def test_too_many_partitions_are_refused_with_the_number_and_the_limit() -> None:
    text = "".join(row(number, replicas="1", isr="1") for number in range(limits.PARTITIONS_MAX + 1))
    assert import_text(text)["reason"] == (
        "This cluster has 10,001 partitions; the limit is 10,000. Remove topics or import fewer."
    )


def test_of_many_warnings_the_first_are_told_and_the_rest_is_counted() -> None:
    text = "".join(row(number, isr="1,7") for number in range(limits.WARNINGS_MAX + 30))
    warnings = import_text(text)["warnings"]
    assert len(warnings) == limits.WARNINGS_MAX + 1
    assert warnings[-1].endswith(" further warnings are not shown.")


def test_too_many_brokers_are_refused() -> None:
    text = "".join(row(number, number, str(number), str(number)) for number in range(1, limits.BROKERS_MAX + 2))
    assert "101 brokers; the limit is 100" in import_text(text)["reason"]


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "{",
        "[",
        "<",
        "|",
        "#",
        "//",
        '\\"',
        "<1>",
        "a|b\n",
        "PARTITION LEADER REPLICAS\n",
        " ",
        "a-",
        "\\t",
        "\\",
        "1,",
        "a.",
        "Topic: ",
        'topic "',
        "partition 1, leader ",
        "[1",
    ],
)
def test_no_repetition_makes_reading_slow(piece: str) -> None:
    """A quadratic pattern would need minutes for this; the bound leaves room for a busy machine."""
    text = piece * (120_000 // len(piece))
    started = time.process_time()
    import_text(text + "!\n")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "text",
    [
        samples.KCAT.replace("isrs: 1,2", "isrs: {}"),
        samples.KCAT.replace("3 brokers", "{} brokers").replace("broker 1 at", "broker {} at"),
        samples.KCAT_JSON.replace("{", "{{").replace("}", "}}").replace('"id":3', '"id":{}'),
        samples.MODERN.replace("Replicas: 1,2,3", "Replicas: 1,{}"),
        samples.MODERN.replace("Partition: 0", "Partition: {}"),
        QUORUM.replace("{", "{{").replace("}", "}}").replace("HighWatermark: 10", "HighWatermark: {}"),
        "BROKER LEADER(S) REPLICAS\nThe cluster has 1 brokers, 1 replicas, 1 leaders, and {} topics\n",
        '{{"partitions":{{"{}":[1],"\u00b2":[2]}}}}',
        "Reassignment of partition a-{} is completed\n",
        "services:\n  k: {{image: kafka, scale: {}}}\n",
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nspec: {{partitions: {}}}\n",
    ],
)
def test_a_number_of_thousands_of_digits_is_no_number(text: str) -> None:
    started = time.process_time()
    for digits in (11, 5_000, 1_000_000):
        result = import_text(text.format("9" * digits, "9" * digits))
        assert result["status"] in ("accept", "accept-warn", "reject")
        if result["scenario"]:
            load(result["scenario"])
    assert time.process_time() - started < 5


def test_the_command_prints_one_json_object_for_a_file_and_for_standard_input() -> None:
    command = [sys.executable, "-m", "simengine", "import", "-"]
    done = subprocess.run(command, input=samples.MODERN.encode(), capture_output=True, check=True)
    result = json.loads(done.stdout)
    assert result["status"] == "accept"
    assert result["summary"] == {
        "brokers": 3,
        "topics": 2,
        "partitions": 5,
        "under_replicated": 4,
        "leaderless": 1,
        "leader_not_first": 1,
    }
    assert [sorted(entry) for entry in result["unread"]] == [["line", "noise", "reason", "text"]]
    assert result["scenario"]["format"] == 1


def test_the_command_says_when_a_file_cannot_be_read() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "simengine", "import", "no-such-file"], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"no-such-file" in done.stderr


def test_rows_that_are_known_as_such_and_cannot_be_read_are_listed_with_their_reasons() -> None:
    text = (
        "Topic: a Partition: 99999999 Leader: 1 Replicas: 1,2,x Isr: 1\n"
        "Topic: a Partition: -3 Leader: 1 Replicas: 1,2 Isr: 1\n"
    )
    found = report(read(text))
    assert found["status"] == "reject"
    assert "none of its rows can be read" in found["reason"]
    assert [line["line"] for line in found["unread"]] == [1, 2]
    assert all("cannot be read" in line["reason"] for line in found["unread"])


LISTED = (
    "Topic: a\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n"
    "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (
            "Partition: 1\tLeader: 1\tReplicas: 4,3,4\tIsr: ",
            "Replicas is '4,3,4', which cannot be read: broker 4 stands twice",
        ),
        (
            "Partition: 1\tLeader: 1\tReplicas: 1,2147483648\tIsr: 1",
            "Replicas is '1,2147483648', which cannot be read: "
            "2147483648 is beyond 2,147,483,548, the largest broker id that is taken",
        ),
        (
            "Partition: 1\tLeader: 1\tReplicas: 1,2,x\tIsr: 1",
            "Replicas is '1,2,x', which cannot be read: 'x' is no broker id",
        ),
        (
            "Partition: 1\tLeader: 1\tReplicas: 1,2\tIsr: 1,,2",
            "Isr is '1,,2', which cannot be read: a broker id is missing",
        ),
        (
            "Partition: 1\tLeader: you\tReplicas: 1,2\tIsr: 1",
            "Leader is 'you', which cannot be read: neither a broker id nor a word for no leader",
        ),
        (
            "Partition: two\tLeader: 1\tReplicas: 1,2\tIsr: 1",
            "Partition is 'two', which cannot be read: no whole number from 0 to 999,999,999",
        ),
    ],
)
def test_a_row_that_cannot_be_read_says_what_is_wrong_and_what_is_allowed(row: str, why: str) -> None:
    unread = report(read(f"{LISTED}\tTopic: a\t{row}\n"))["unread"]
    assert [line["reason"] for line in unread] == [why]


@pytest.mark.parametrize(
    ("ids", "why"),
    [
        ("replicas: 4,3,4, isrs: 4", "its replicas cannot be read: broker 4 stands twice"),
        ("replicas: 4,3, isrs: 4,4", "its isrs cannot be read: broker 4 stands twice"),
        (
            "replicas: 4,2147483648, isrs: 4",
            "its replicas cannot be read: 2147483648 is beyond 2,147,483,548, the largest broker id that is taken",
        ),
    ],
)
def test_ids_of_kcat_that_cannot_be_read_say_what_is_wrong(ids: str, why: str) -> None:
    head = 'Metadata for all topics (from broker 1: b:9092/1):\n topic "t" with 1 partitions:\n'
    text = f"{head}  partition 0, leader 4, {ids}\n"
    assert why in [line["reason"] for line in report(read(text))["unread"]]


def test_more_partitions_than_the_header_counts_are_not_called_a_part_of_them() -> None:
    more = "\tTopic: a\tPartition: 1\tLeader: 1\tReplicas: 1\tIsr: 1\n"
    warnings = report(read(LISTED + more))["warnings"]
    assert "a: 2 partitions are listed, more than the 1 that it is said to have." in warnings
    assert not any("The rest" in warning for warning in warnings)


def test_characters_that_cannot_be_seen_are_taken_out_of_a_paste() -> None:
    hidden = samples.MODERN.replace("parcels", "par\u202ecels").replace("stops", "st\u2066o\U000e0041ps")
    assert import_text(hidden)["scenario"] == import_text(samples.MODERN)["scenario"]


@pytest.mark.parametrize("use", ["version: *a8", "config: {a: *a8}", "replicas: *a8"])
def test_aliases_that_stand_for_too_much_are_refused_with_their_place(use: str) -> None:
    anchors = "".join(f"    a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9))
    head = "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: {name: k}\nspec:\n  kafka:\n"
    reason = str(import_text(f"{head}    a0: &a0 [x, x]\n{anchors}    {use}\n")["reason"])
    assert reason.startswith("No YAML parser reads this: its aliases stand for too much at line 1")


ROW = "Topic: orders\tPartition: 0\tLeader: 1\tReplicas: 1"
ONE_LINE_S = 0.3  # of 3.9 MB; it took a second and more


@pytest.mark.parametrize(
    "text",
    [
        ROW + ",1" * 1_950_000,
        ROW + ",1" * 1_950_000 + "\r\n",
        "Topic: orders\tConfigs: a=b" + ",a=b" * 970_000,
        ROW + "\x1b[0m" + ",1" * 1_950_000,
        ROW + "\n" + ROW + "\tIsr: 1" + ",1" * 1_950_000,
        "CurrentVoters: [1" + ",1" * 1_950_000 + "]",
        '{"a": [' + "1," * 1_950_000 + "1]}",
        "x" * 3_900_000,
    ],
    ids=["replicas", "CRLF", "configs", "ANSI", "isr", "voters", "JSON", "letters"],
)
def test_a_line_of_megabytes_without_a_key_is_refused_in_no_time(text: str) -> None:
    began = time.process_time()
    reason = import_text(text)["reason"]
    assert time.process_time() - began < ONE_LINE_S
    assert f"goes on for {limits.KEYLESS_CHARS_MAX:,} characters without a key" in reason
    assert reason.startswith("Line 2" if text.startswith(f"{ROW}\n") else "Line 1")


def test_a_line_of_megabytes_with_keys_is_read() -> None:
    plan = [{"topic": "a", "partition": number, "replicas": [1, 2]} for number in range(9_000)]
    found = import_text(json.dumps({"version": 1, "partitions": plan}) + " " * limits.KEYLESS_CHARS_MAX * 2)
    assert found["summary"]["partitions"] == 9_000
