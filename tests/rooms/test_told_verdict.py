"""A page lists the gravest topics of a verdict, and says how many more there are."""

from django.template.loader import render_to_string

from playground.rooms.limits import TOPICS_TOLD_MAX
from playground.rooms.run import RoomRun
from playground.rooms.told_verdict import told_verdict

TOPICS = TOPICS_TOLD_MAX + 5
DOCUMENT = {
    "format": 1,
    "cluster": {"brokers": [1, 2], "controllers": [100]},
    "topics": [{"name": f"t{number}", "assignment": [[1, 2]]} for number in range(TOPICS)],
    "producers": [{"id": f"p{number}", "topic": f"t{number}", "rate": 1} for number in range(TOPICS)],
}


def test_of_many_topics_the_gravest_are_told_and_the_others_counted() -> None:
    run = RoomRun(DOCUMENT)
    whole, told = run.verdict(), run.verdict_told()
    assert len(whole["topics"]) == TOPICS
    assert told["topics"] == whole["topics"][:TOPICS_TOLD_MAX]
    assert told["topics_more"] == 5
    assert (told["sentence"], told["digest"]) == (whole["sentence"], whole["digest"])
    assert run.still()["verdict"] == told


def test_of_few_topics_the_whole_verdict_is_told() -> None:
    few = {"topics": [{"topic": "t"}], "others": [{"topic": "__u"}], "sentence": "x"}
    assert told_verdict(few) is few


def test_the_still_says_how_many_topics_it_leaves_out() -> None:
    verdict = {"topics": [{"topic": "t", "sentence": "Nothing lost."}], "sentence": "x", "topics_more": 8940}
    assert "and 8940 more topics" in render_to_string("still.html", {"verdict": verdict, "scenario": {"id": "x"}})
