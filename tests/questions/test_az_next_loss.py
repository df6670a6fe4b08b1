"""The AZ answer on what its longest times come from, and on what one more loss stops."""

import pytest

from simengine.questions.az.edits import COME_BACK, KILLED, STAY_OUT
from simengine.questions.az.moments import at_moment
from simengine.questions.az.next_loss import next_loss_words
from simengine.scenario import Document, load, to_plain
from tests.questions.az_clusters import SPREAD, TWICE, answered, cluster, loss_of, quorum

MINIMUM = "down to min.insync.replicas in-sync copies"
THREE = ("three", 2, ["1,2,3", "2,3,1"])


def facts(doc: Document, dies: str = "dark") -> dict[str, str]:
    return {fact["key"]: f"{fact['title']}: {fact['text']} ({fact['small']})" for fact in answered(doc, dies).facts}


def test_the_longest_time_of_a_dark_az_is_told_with_request_timeout_ms() -> None:
    waits = "a dark broker closes no connection, so a client waits for request.timeout.ms="
    assert f"{waits}30000, Kafka’s default)" in facts(cluster(SPREAD))["seconds"]
    assert f"{waits}12000)" in facts(cluster(SPREAD, request_timeout_ms=12_000))["seconds"]
    assert waits not in facts(cluster(SPREAD), KILLED)["seconds"], "a killed process closes its connections"


@pytest.mark.parametrize(
    ("topics", "said"),
    [
        ([THREE], f"The loss of any other broker stops all acks=all writes: every partition is {MINIMUM}"),
        ([THREE, ("one", 1, ["1,2,3"])], f"2 of 3 partitions are {MINIMUM}"),
        ([("two", 2, ["1,2,3"]), ("one", 1, ["1,2,3"])], f"1 of 2 partitions is {MINIMUM}"),
        ([THREE, TWICE], f"every partition that still takes them is {MINIMUM}"),
        ([("one", 1, ["1,2,3"])], ""),
    ],
)
def test_what_one_more_loss_stops_is_counted_by_the_isr_that_is_left(
    topics: list[tuple[str, int, list[str]]], said: str
) -> None:
    doc = cluster(*topics)
    words = next_loss_words(doc, loss_of(doc, "az-b"))
    assert words.endswith(said) and bool(words) == bool(said)


def test_followers_that_come_back_before_the_loss_are_counted() -> None:
    """ISR-5: broker 3 is outside the ISR as pasted; where it stays out, the loss of 2 leaves broker 1 alone."""
    plain = to_plain(cluster(("one", 1, ["1,2,3"])))
    plain["topics"][0]["initial"] = {"0": {"leader": 1, "epoch": 0, "isr": [1, 2]}}
    words = {}
    for moment in (STAY_OUT, COME_BACK):
        doc = at_moment(load(plain), moment)
        words[moment] = next_loss_words(doc, loss_of(doc, "az-c"))
    assert words[STAY_OUT].endswith(f"every partition is {MINIMUM}")
    assert words[COME_BACK] == ""


def test_partitions_on_some_of_the_brokers_left_are_not_all_stopped_by_any_of_them() -> None:
    doc = cluster(THREE, ("other", 2, ["4,5,6"]))
    told = facts(doc)["next"]
    assert told == (
        "The next loss: One more lost broker stops acks=all writes to what it holds a copy of: "
        f"every partition is {MINIMUM} (by the ISR after this one)"
    )


def test_without_a_quorum_nothing_more_is_to_stop() -> None:
    doc = quorum(cluster(THREE), {"rack": "az-b"})
    assert next_loss_words(doc, loss_of(doc, "az-b")) == ""
