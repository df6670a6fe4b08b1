"""The cause of a stop: the event that goes on, or the silence of a reader that is over, and no later event."""

from typing import Any

from simengine.verdict.moment_words import moment_words
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
