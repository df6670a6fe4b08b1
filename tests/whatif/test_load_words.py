"""The load of a run in words: rates of the document, rates that the timeline sets, and records that it sends."""

from typing import Any

import pytest

from playground.library.question_list import document_of, read_questions
from playground.scenarios.documents import StoredScenario
from playground.whatif.load_words import load_words, rates_of
from playground.whatif.work import RUN, started
from simengine.scenario import Document, load, to_json


def document(rates: dict[str, Any], *timeline: str) -> Document:
    """A producer for each topic, at a rate."""
    plain = {
        "format": 1,
        "cluster": {"brokers": [1]},
        "topics": [{"name": name, "assignment": [[1]]} for name in rates],
        "producers": [{"id": f"p-{name}", "topic": name, "rate": rate} for name, rate in rates.items()],
        "timeline": [{"at": f"{at + 1}s", "do": action} for at, action in enumerate(timeline)],
    }
    return load(plain)


@pytest.mark.parametrize(
    ("rates", "timeline", "told"),
    [
        ({"t": 20}, (), "20 records/s to t, times 5"),
        ({"t": 0}, (), "0 records/s to t, times 5"),
        ({"t": 0}, ("send p-t t-0 95", "send p-t t-0 1"), "96 records to t, sent by the timeline"),
        ({"t": 0, "u": 0}, ("send p-t t-0 1", "send p-u u-0 2"), "3 records to 2 topics, sent by the timeline"),
        ({"t": 20}, ("send p-t t-0 5",), "20 records/s to t, times 5, and 5 records to t, sent by the timeline"),
        ({"t": 0}, ("rate p-t 50", "rate p-t 10"), "up to 50 records/s to t, times 5"),
        ({"t": 20, "u": 1}, ("rate p-t 5",), "up to 21 records/s: 20 to t, 1 to u, times 5"),
    ],
)
def test_the_load_is_told_with_what_the_timeline_does(
    rates: dict[str, Any], timeline: tuple[str, ...], told: str
) -> None:
    assert load_words(document(rates, *timeline), tuple(rates), ", times 5") == told


def test_other_topics_do_not_count() -> None:
    doc = document({"t": 0, "u": 7}, "send p-t t-0 5", "rate p-t 9")
    assert load_words(doc, ("u",)) == "7 records/s to u"
    assert load_words(doc, ()) == ""


def test_the_records_of_every_question_are_in_the_load_of_its_experiment() -> None:
    for question in read_questions():
        doc = load(document_of(dict(question.sides)["a"]))
        found = started((RUN, StoredScenario(to_json(doc), [])), "")
        assert not found["load"].startswith("0 records/s"), question.key
        assert found["has_rates"] == any(rates_of(doc, tuple(found["topics"])).values())
