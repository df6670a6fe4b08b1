"""The cause of a stop: the event that goes on, or the silence of a reader that is over, and no later event."""

from typing import Any

from simengine.facts.decisive import PartitionChanged, ProcessChanged
from simengine.verdict.moment_words import moment_words
from simengine.verdict.write_path import unled_cause
from tests.engine.cluster import SECOND, world

PRODUCER = {"id": "P", "topic": "t", "rate": 20}
READER = {"id": "C", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}


def cause(seconds: int, actions: list[tuple[str, str]], **document: Any) -> tuple[str, float, str]:
    """The sentence on the topic with when it began, and when what happened that it goes back to."""
    run = world(timeline=[{"at": at, "do": do} for at, do in actions], **{"producers": [PRODUCER], **document})
    run.run(seconds * SECOND)
    verdict: Any = run.verdict()
    (topic,) = [one for one in verdict["topics"] if one["topic"] == "t"]
    return f"{topic['sentence']} {moment_words(topic)}", topic["deciding"]["t"] / SECOND, topic["deciding"]["text"]


def test_a_stop_that_goes_on_goes_back_to_what_began_it_not_to_a_longer_one_before() -> None:
    two = [("5s", "kill 1"), ("5s", "kill 2"), ("20s", "start 1"), ("20s", "start 2"), ("40s", "kill 0")]
    sentence, at, text = cause(43, two)
    assert sentence.startswith("800 acknowledged records cannot be read. Writes have waited 3.0 s for a leader.")
    assert sentence.endswith(" the stop that goes on is kept up by what happened at 40.000 s: broker 0 died")
    assert (at, text) == (40.0, "broker 0 died")


def test_a_stop_that_has_only_begun_goes_back_to_its_own_fault() -> None:
    serving = [("8s", "slow 0 serving 5"), ("14s", "slow 0 serving off"), ("30.2s", "kill 0")]
    sentence, at, text = cause(31, serving)
    assert sentence.startswith("Nothing lost yet. Writes wait for a leader.")
    assert " the stop that goes on is kept up by what happened at 30.200 s: " in sentence
    assert (at, text) == (30.2, "broker 0 died")


def test_a_reader_whose_silence_is_over_did_not_wait_for_a_later_fault() -> None:
    """The follower that dies at 40 s slows the ISR then; the reader had nothing from 10 s to 14 s (FLT-9)."""
    acts = [("10s", "slow 0 serving 5"), ("14s", "slow 0 serving off"), ("40.2s", "kill 2")]
    sentence, at, text = cause(41, acts, producers=[{**PRODUCER, "acks": 1}], consumers=[READER])
    assert "A reader got nothing for " in sentence
    assert " the longest stop, a reader’s, began at 11.447 s, caused by what happened at 10.000 s: " in sentence
    assert (at, text) == (10.0, "broker 0 served fetches with at most 5 records/s")


def test_a_stop_that_a_former_leader_kept_from_its_clients_begins_with_what_they_felt() -> None:
    """Cut off from the controllers, broker 0 takes acks=1 until the producer is cut off, too (LIVE-5)."""
    producers = [{**PRODUCER, "acks": 1}]
    acts = [("10s", "cut 0|1,2,100,101,102"), ("30s", "cut 0|P"), ("50s", "heal")]
    topics = [{"name": "t", "assignment": [[0]]}]
    sentence, at, text = cause(70, acts, producers=producers, topics=topics)
    assert "the longest stop, of writes, began at 30.0" in sentence
    assert (at, text) == (30.0, "the links between broker 0 and P are cut")


def test_a_stop_is_kept_up_by_what_took_the_last_possible_leader_away() -> None:
    """ELEC-7: by the death of broker 1 alone in the ISR, not by that of broker 0 or by the election before."""
    acts = [("10s", "kill 0"), ("10.1s", "kill 2"), ("20s", "kill 1"), ("25s", "start 0")]
    run = world(producers=[PRODUCER], timeline=[{"at": at, "do": do} for at, do in acts])
    run.run(45 * SECOND)
    registration = run.cluster.quorum.image.partition(0)
    assert registration is not None
    assert (registration.leader, list(registration.isr)) == (-1, [1])
    deaths = {fact.node: fact.seq for fact in run.trace.decisive if isinstance(fact, ProcessChanged) and not fact.state}
    elected = max(fact.seq for fact in run.trace.decisive if isinstance(fact, PartitionChanged) and fact.leader == 1)
    assert unled_cause(run.cluster, 0, deaths[1]) == deaths[1]
    assert unled_cause(run.cluster, 0, deaths[0]) == registration.fact
    assert unled_cause(run.cluster, 0, elected) == registration.fact
