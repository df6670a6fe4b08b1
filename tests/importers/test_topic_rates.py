"""The load of a topic, in the forms in which people write it beside a listing."""

import pytest

from simengine.importers.report import import_text

ROW = "\tTopic: {}\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n"


def rates(text: str) -> dict[str, float]:
    """The rate of each producer's topic, where it is not the assumed one; no line of it is left unread then."""
    scenario = import_text(text + ROW.format("a") + ROW.format("b-1"))["scenario"]
    return {one["topic"]: one["rate"] for one in scenario["producers"] if one["rate"] != 10}


@pytest.mark.parametrize(
    "line",
    [
        "topic rate a 1500/s",
        "topic rate a 1500",
        "topic a: 1,500 records/s",
        "a 1500/s",
        "a\t1500",
        "a:1500/s",
        "a ~1.5k msg/sec",
        "1500 rec/s a",
        "| a | 1500 | records/s |",
        "produce rate of a: 1500 messages per second",
        "a takes 90000 messages/min.",
        "topic=a rate=1500",
        "a 1500 records/s (15 MB/s)",
        "kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec,topic=a OneMinuteRate=1500.0",
        "topic,rate\na,1500",
        "| topic | records/s |\n|---|---|\n| a | 1500 |",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_records_a_second_of_a_topic(line: str, end: str) -> None:
    assert rates(line.replace("\n", end) + end) == {"a": 1500}


@pytest.mark.parametrize(
    "line",
    [
        "a 15 MB/s",
        "a: 1500 bytes/s",
        "a 3 partitions",
        "a:0:1500",
        "a and b-1 take 100/s each",
        "the rate of a is 200-300",
        "a is fine since 2026-01-01 10:00, at any rate",
        "topic c rate 30",
    ],
)
def test_other_numbers_are_no_rate(line: str) -> None:
    assert rates(line + "\n") == {}


def test_of_two_lines_the_later_counts() -> None:
    assert rates("topic rate a 5/s\ntopic rate b-1 6/s\ntopic rate a 7/s\n") == {"a": 7, "b-1": 6}
