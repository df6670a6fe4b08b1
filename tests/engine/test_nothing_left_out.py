"""A headline must not leave out failed calls, groups that are out, doubled records, or leaders out of reach."""

from typing import Any

from simengine.facts.schema import FIGURES
from simengine.verdict.sentence import sentence
from simengine.verdict.whole import WholeFigures
from simengine.verdict.words import cluster_sentence, gravity
from tests.engine.cluster import SECOND, world

NONE = dict.fromkeys(FIGURES, 0)
PRODUCER = {"id": "P", "topic": "t", "rate": 20}
SHORT = {"request.timeout.ms": 2000, "delivery.timeout.ms": 6000}
MEMBER = {"id": "G", "group": "g", "topics": ["t"], "config": {"auto.offset.reset": "earliest"}}


def told(seconds: float, *actions: str, **document: Any) -> Any:
    """The verdict on a run in which all of some actions happen at 10 s."""
    timeline = [{"at": "10s", "do": text} for text in actions]
    run = world(**{"producers": [PRODUCER], "timeline": timeline, **document})
    run.run(round(seconds * SECOND))
    return run.verdict()


def test_calls_that_failed_are_told_while_writes_wait() -> None:
    stopped = {**NONE, "acked": 50, "waiting": 1, "refused": 3, "unknown": 2}
    assert sentence(stopped, 1, True) == "Nothing lost yet. Writes wait. 5 send() calls failed."
    assert sentence({**stopped, "hidden": 1, "unreadable": 1, "unknown": 0, "refused": 1}, 1, True) == (
        "1 acknowledged record cannot be read. Writes wait. 1 send() call failed."
    )
    whole = WholeFigures()
    whole.add(stopped, is_all=True)
    assert whole.sentence() == (
        "Writes with acks=all to 1 partition wait for members of the ISR. "
        "No topic works as a whole. 5 send() calls failed."
    )


def test_calls_that_wait_or_failed_are_told_beside_hidden_records() -> None:
    """A leader that is slow to serve takes writes, so nothing is out; its calls wait for half a minute all the same."""
    hidden = {**NONE, "acked": 50, "hidden": 7, "unreadable": 7, "longest_wait_us": 25 * SECOND}
    assert sentence(hidden, 1, True) == "7 acknowledged records cannot be read."
    waits = {**hidden, "client_waits_us": 25 * SECOND}
    told = "7 acknowledged records cannot be read. A send() has waited 25.0 s for its response."
    assert sentence(waits, 1, True) == told
    assert sentence({**waits, "refused": 2}, 1, True) == f"{told} 2 send() calls failed."


def test_topics_whose_calls_failed_are_not_told_as_one() -> None:
    failed = {**NONE, "acked": 50, "refused": 5}
    topics: list[Any] = [{**failed, "topic": name, "sentence": sentence(failed, 1, True)} for name in ("a", "b")]
    assert cluster_sentence(topics) == "a: Nothing acknowledged was lost. 5 send() calls failed."


def test_a_leader_that_no_producer_reaches_is_not_said_to_be_missing() -> None:
    """FLT-4: the leader works, and a consumer reads from it."""
    one = told(30, "cut P|0")["sentence"]
    assert (
        one == "Nothing acknowledged was lost. Writes have stood still for 20.0 s (the topic itself stayed writable)."
    )
    topics = [{"name": "t", "assignment": [[0, 1, 2], [1, 2, 0]]}]
    assert told(30, "cut P|0", topics=topics)["sentence"].endswith(" s (the topic itself stayed writable).")
    producers = [{**PRODUCER, "config": SHORT}]
    assert told(30, "cut P|0", producers=producers)["sentence"].endswith(" send() calls failed.")
    assert told(15, "kill 0")["sentence"] == (
        "200 acknowledged records cannot be read. Writes have waited 5.0 s for a leader."
    )


def test_the_headline_on_lost_records_tells_of_groups_too() -> None:
    """F1: the only copies of both went with one disk."""
    topics = [{"name": name, "assignment": [[0]]} for name in ("t", "__consumer_offsets")]
    gone = told(16, "kill 0", "start 0 empty", topics=topics, consumers=[MEMBER])["sentence"]
    assert gone.startswith(
        "200 acknowledged records are gone. Writes have waited 6.0 s for a leader. "
        "The committed offsets of group g are gone. No group can join"
    )
    many = [*topics, *({"name": name, "assignment": [[1]]} for name in ("u", "v", "w"))]
    gone = told(16, "kill 0", "start 0 empty", topics=many, consumers=[MEMBER])["sentence"]
    assert " acknowledged records are gone in 1 topic. The committed offsets of 1 group are gone. No group can" in gone


def test_records_that_the_application_doubled_come_before_a_stop_that_is_over() -> None:
    doubled, stopped = {"by_application": 25}, {"write_down_client_us": 9 * SECOND, "longest_wait_us": 9 * SECOND}
    topics: list[Any] = []
    for name, some in (("a", stopped), ("b", doubled)):
        figures = {**NONE, "acked": 50, "acks": "all", **some}
        topics.append({**figures, "topic": name, "sentence": sentence({**NONE, "acked": 50, **some}, 1, True)})
    topics.sort(key=gravity)
    assert cluster_sentence(topics) == "b: 25 records exist more than once: the application sent them again."


def test_what_was_there_before_a_run_is_called_records() -> None:
    gone = {**NONE, "before": 1000, "lost_before": 1000, "emptied": 1}
    assert sentence(gone, 1, True) == "Everything that was in it is gone: 1,000 records from before."


def test_acknowledged_records_of_a_partition_without_a_leader_cannot_be_read() -> None:
    """ELEC-7: as in s33. Nobody serves them, and the sentence says so before that writes wait."""
    said = told(15, "kill 0", topics=[{"name": "t", "assignment": [[0]]}])["sentence"]
    assert said == "200 acknowledged records cannot be read. Writes have waited 5.0 s for a leader."
    assert told(10.5, "kill 0")["sentence"] == "Nothing lost yet. Writes wait for a leader."
    figures = {**NONE, "acked": 200, "unreadable": 200, "waiting": 1, "waiting_1": 1, "write_down_1_us": 5 * SECOND}
    whole = WholeFigures()
    whole.add(figures, is_all=True)
    assert whole.sentence() == (
        "200 acknowledged records cannot be read. Writes to 1 partition wait for a leader. No topic works as a whole."
    )


def test_a_call_that_waits_longer_elsewhere_is_told_beside_partitions_without_a_leader() -> None:
    """P is cut off from broker 1 at 10 s; another partition has no leader from 20 s on."""
    topics = [{"name": "t", "assignment": [[0], [1]]}]
    timeline = [{"at": "10s", "do": "cut P|1"}, {"at": "20s", "do": "kill 0"}]
    run = world(producers=[PRODUCER], timeline=timeline, topics=topics)
    run.run(30 * SECOND)
    verdict: Any = run.verdict()
    said = verdict["sentence"]
    assert (
        "1 of 2 partitions is waiting for a leader, for 9.9 s now. A send() has waited 20.0 s for its response." in said
    )
