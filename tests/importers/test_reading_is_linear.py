"""Four times the text takes about four times the time, whatever stands in it: no paste keeps the server for minutes."""

import gc
import json
import random
import time

import pytest

from playground.imports.document_text import is_document
from simengine.importers import limits, recognise
from simengine.importers.report import import_text
from tests.bench import pastes

PIECES = [
    "Topic: ",
    "Topic: a Partition: 0 Leader: 1 Replicas: 1 Isr: 1 ",
    "Partition: ",
    "\n",
    "\t",
    " ",
    " \t",
    "a ",
    "1,",
    '{"a":',
    "broker 1 at h:1 ",
    "(id: 1 rack: a) -> ( ",
    "--topic a --config min.insync.replicas=2 ",
    "kafka-topics --describe \\\n",
    "t 5 records/s ",
    "min.isr requirement of 2 ",
    "\\t",
    "&amp;",
    "<",
    "<a>",
    "|",
    "{",
    '"',
    "\\",
    "[1,",
    "a" * 1024 + " ",
    "<br" + " " * 390,
    "Partition:" + " " * 390,
    "- &a [*a]\n",
    "[2024-01-01 00:00:00] WARN ",
    "CurrentVoters: [1,",
    "> ",
    "+a\n",
    "| x |\n",
    '"a\\n",\n',
    '"\\"',
    "1 {\n",
    "a kind: x\n",
]


@pytest.fixture(autouse=True)
def _whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read lines however long they are: a line that is refused for its length takes no time."""
    monkeypatch.setattr(recognise, "keyless_line", lambda _: 0)


def seconds(text: str) -> float:
    """Processor time of an import, without the collector's looks at what other tests have left behind."""
    gc.disable()
    try:
        started = time.process_time()
        import_text(text)
        return time.process_time() - started
    finally:
        gc.enable()


def yardstick() -> float:
    """Processor time of a million rounds of a loop: slow machines, and busy ones, take longer for all."""
    started = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number & 7
    return time.process_time() - started


@pytest.mark.parametrize("piece", PIECES)
def test_a_text_four_times_as_long_takes_no_more_than_some_four_times_the_time(piece: str) -> None:
    """A quadratic reader would take 16 times; what is refused at once takes less."""
    size = 75_000
    short, long = (seconds(piece * (length // len(piece)) + "x") for length in (size, 4 * size))
    assert long < 6 * short + 0.3


LOOPS_OF_4_000_MAX = 35  # some 1.75 seconds where a loop takes 50 ms: three times what the slowest kind takes


@pytest.mark.parametrize("kind", pastes.KINDS)
def test_four_times_the_lines_take_no_more_than_some_four_times_the_time(kind: str) -> None:
    """Once in three attempts: a busy neighbour takes the caches away."""
    few, many = (pastes.KINDS[kind](lines) for lines in (1_000, 4_000))

    def is_linear() -> bool:
        short, long = seconds(few), seconds(many)
        return long < min(6 * short + 0.15, LOOPS_OF_4_000_MAX * yardstick())

    assert any(is_linear() for _ in range(3))


DESCRIBE = "Topic: a PartitionCount: 1 ReplicationFactor: 1 Configs: x=1,\n"
KCAT = (
    "Metadata for all topics (from broker 1: h:9092/1):\n 1 brokers:\n  broker 1 at h:9092\n 1 topics:\n"
    '  topic "t" with 1 partitions:\n    partition 0, leader 1, replicas: 1, isrs: 1\n'
)
PARTITION = "    partition 1, leader 1, replicas: 1"
CRUISE = "PARTITION LEADER FOLLOWERS CPU DISK NW_IN NW_OUT MSG_IN\n orders-0 1 [2,3] 0.1 0.1 0.1 0.1 0.1\n"
COMPOSE = "services:\n  kafka:\n    image: kafka\n    environment:\n      KAFKA_BROKER_ID: 1\n"
QUORUM = (
    "ClusterId: abc\nLeaderId: 1\nLeaderEpoch: 1\nHighWatermark: 10\nCurrentVoters: [1,2,3]\nCurrentObservers: []\n"
)
OF_A_TOOL = {
    "a word behind configs": (DESCRIBE, "a", " b"),
    "commas behind replicas": (KCAT + PARTITION, ", ", "!"),
    "commas behind isrs": (KCAT + PARTITION + ", isrs: 1", ", ", "!"),
    "ids behind a cut partition": (KCAT + PARTITION + ",\n", "1,", "!"),
    "heads of a table": (CRUISE, "PARTITION LEADER FOLLOWERS" + " x" * 950 + "A\n", ""),
    "a row of a quorum": (QUORUM + "1" + " " * 399, "x", ""),
    "topics that are made": (COMPOSE + "      KAFKA_CREATE_TOPICS: ", "a", ""),
    "a property and a gap": ("node.id=1\nprocess.roles=broker\n", "abc=x" + " " * 399 + "y#\n", ""),
}


@pytest.mark.parametrize("kind", OF_A_TOOL)
def test_a_long_value_in_the_output_of_a_tool_takes_about_a_second(kind: str) -> None:
    head, piece, end = OF_A_TOOL[kind]
    limit = LOOPS_MAX / 5 * yardstick()
    assert seconds(head + piece * (limits.BYTES_MAX // 10 // len(piece)) + end) < limit


ROW = "\tTopic: a\tPartition: {}\tLeader: 1\tReplicas: 1,2,3\tIsr: 1"
HEADER = "Topic: a\tPartitionCount: 9999\tReplicationFactor: 3\tConfigs: x=1,"
FILTERED = "$ kafka-topics.sh --bootstrap-server h{} --describe --under-replicated-partitions"
LINES = {
    "rows that cannot be read": [ROW.replace("2,3", "x")],
    "headers of topics without partitions": [HEADER.replace(" a\t", " t{}\t")],
    "topics of kcat without partitions": ['  topic "t{}" with 2 partitions:'],
    "a topic that is listed again": [HEADER, ROW],
    "a listing with a filter for each row": [FILTERED, ROW],
    "servers of many commands": [FILTERED, ROW, FILTERED],
    "settings that each name min.insync.replicas": [
        "Dynamic configs for topic t{} are:",
        "  min.insync.replicas=2 sensitive=false",
    ],
    "an observer of its own for each row": [
        "\tTopic: a\tPartition: {}\tLeader: 99999\tReplicas: 99999,{}\tIsr: 99999\tLiveObservers: {}"
    ],
    "errors of a producer": [ROW, "NotEnoughReplicasException"],
}
LINES_COUNT = 12_000
LOOPS_OF_LINES_MAX = 70  # some 3.5 seconds where a loop takes 50 ms: three times what was measured


@pytest.mark.parametrize("kind", LINES)
def test_many_lines_that_leave_something_behind_take_seconds(kind: str) -> None:
    """The text kept of each line is not searched through for the next one: that would take minutes."""
    pattern = LINES[kind]
    lines = (pattern[number % len(pattern)].replace("{}", str(number)) for number in range(LINES_COUNT))
    before = yardstick()
    took = seconds("\n".join(lines))
    assert took < LOOPS_OF_LINES_MAX * max(before, yardstick())


def listing(rows: int, with_elr: bool = False) -> str:
    """Rows of topics of 100 partitions on 30 brokers, as the tool prints them."""
    chance = random.Random(4)
    lines = []
    for number in range(rows):
        if number % 100 == 0:
            lines.append(f"Topic: orders.{number // 100}\tPartitionCount: 100\tReplicationFactor: 3\tConfigs: a=1,b=2")
        ids = ",".join(map(str, chance.sample(range(1, 31), 3)))
        row = f"\tTopic: orders.{number // 100}\tPartition: {number % 100}\tLeader: {ids.partition(',')[0]}"
        lines.append(f"{row}\tReplicas: {ids}\tIsr: {ids}" + ("\tElr: \tLastKnownElr: " if with_elr else ""))
    return "\n".join(lines)


def metadata(topics: int) -> str:
    """The output of kcat -L -J for topics of 100 partitions."""
    ids = [{"id": 1}, {"id": 2}, {"id": 3}]
    rows = [{"partition": number, "leader": 1, "replicas": ids, "isrs": ids} for number in range(100)]
    listed = [{"topic": f"orders.{number}", "partitions": rows} for number in range(topics)]
    return json.dumps({"brokers": [{"id": 1, "name": "h:9092"}], "topics": listed})


LONG_LISTINGS = {
    "rows": listing(49_000),
    "rows with Elr": listing(43_000, with_elr=True),
    "a cluster that is listed five times": listing(9_800) + "\n" + "\n".join([listing(9_800)] * 4),
    "metadata in JSON": metadata(340),
    "metadata in JSON that is cut": metadata(400)[: limits.BYTES_MAX],
}
LOOPS_OF_LISTING_MAX = 100  # some five seconds where a loop takes 50 ms: twice what was measured


@pytest.mark.parametrize("kind", LONG_LISTINGS)
def test_a_listing_of_4_mb_takes_about_a_second(kind: str) -> None:
    text = LONG_LISTINGS[kind]
    assert 3_000_000 < len(text) <= limits.BYTES_MAX
    assert any(seconds(text) < LOOPS_OF_LISTING_MAX * yardstick() for _ in range(3))


LOOPS_MAX = 120  # some six seconds where a loop takes 50 ms: three times what was measured
LONGEST = [
    "Topic: ",
    "x" + " " * 390,
    "\n",
    "\t",
    " ",
    "<",
    "|",
    "{",
    '"',
    "\\n",
    "a" * 1024 + " ",
    "partition 0, ",
    "[2024-01-01 00:00:00] WARN ",
]


@pytest.mark.parametrize("piece", LONGEST)
def test_the_longest_text_of_one_piece_takes_about_a_second(piece: str) -> None:
    limit = LOOPS_MAX * yardstick()
    assert seconds((piece * (limits.BYTES_MAX // len(piece)))[:-1] + "x") < limit


def test_more_rows_than_lines_are_taken_are_refused_with_their_number() -> None:
    reason = import_text("Topic: a " * (limits.LABELS_MAX + 1))["reason"]
    assert reason == "The text has 25,001 rows, by its labels; the limit is 25,000. Paste fewer topics."


@pytest.mark.parametrize(
    "piece", ["\n", " ", "\r", "{", ",", "{ ", " \n", "format ", "format\n", "cluster", "format:\n"]
)
def test_whether_a_text_is_a_document_is_seen_in_a_moment(piece: str) -> None:
    text = piece * (limits.BYTES_MAX // len(piece))
    started = time.process_time()
    assert not is_document(text)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "text",
    [
        "format: 1\ncluster: {}\n",
        '{"format": 1,\n"cluster": {}}',
        '\n\n {\n  "format" : 1\n  , "cluster" : {}}',
        '{\r\n\t"format": 1,\r\n\t"cluster": {}}',
    ],
)
def test_a_document_is_known_by_its_format_and_its_cluster(text: str) -> None:
    assert is_document(text)


@pytest.mark.parametrize(("head", "piece"), [("Partition: 0\tLeader: 1\tReplicas: 1", ",1"), ("Configs: a=b", ",a=b")])
def test_one_value_of_megabytes_is_not_taken_apart(head: str, piece: str) -> None:
    """It takes 28 loops to find no listing in it; all its ids or configs would take 80."""
    assert seconds(f"Topic: a\t{head}" + piece * (3_900_000 // len(piece))) < 55 * yardstick()


def test_configs_that_are_too_long_are_refused_and_the_partitions_stay() -> None:
    configs = ",".join(f"key{number}=value" for number in range(10_000))
    row = "Topic: a\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
    result = import_text(f"Topic: a\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: {configs}\n{row}")
    assert result["summary"]["partitions"] == 1
    told = json.dumps(result["unread"])
    assert f"the configs of a have {len(configs):,} characters; the limit is {limits.CONFIGS_CHARS_MAX:,}" in told
