"""The questions that people ask: their figures come from their runs, and each run opens as one's own."""

import re

import pytest
from django.db import OperationalError
from django.test import Client

from playground.library.opening import start_us
from playground.library.question_list import Side, document_of
from playground.library.question_runs import copies, told_document
from playground.library.questions import ShownQuestion, shown_questions
from playground.library.rule_book import chapters
from playground.scenarios import store
from playground.scenarios.models import Scenario
from simengine.commands.shared.caption_moments import waiting_in_vain
from simengine.scenario import load

SHOWN = shown_questions()
KEYS = [one.question.key for one in SHOWN]


def test_there_are_sixteen_and_each_belongs_to_a_group() -> None:
    assert len(SHOWN) == len(set(KEYS)) == 16
    assert {one.question.group for one in SHOWN} == {"missing", "writes", "planned", "consumers", "sites"}


@pytest.mark.parametrize("one", SHOWN, ids=KEYS)
def test_the_answer_and_the_guess_have_figures_of_the_runs(one: ShownQuestion) -> None:
    assert "{" in one.question.answer
    assert "{" not in one.answer + one.more
    assert one.right in one.question.guess.choices
    assert one.question.guess.ask.endswith((".", "?"))


@pytest.mark.parametrize("one", SHOWN, ids=KEYS)
def test_the_answer_is_one_sentence(one: ShownQuestion) -> None:
    assert re.findall(r"[.?!]\s+[A-Z]", one.answer) == []
    assert len(one.answer) <= 170
    assert one.answer.endswith(".")
    assert one.more.endswith(".")


@pytest.mark.parametrize("one", SHOWN, ids=KEYS)
def test_at_most_five_captions_wait_for_facts_that_both_runs_have(one: ShownQuestion) -> None:
    assert 1 <= len(one.question.captions) <= 5
    for caption in one.question.captions:
        assert len(caption.lead.split()) <= 6
        assert caption.text.endswith(".")
    for letter, _ in one.question.sides:
        document = load(told_document(one.question, letter))
        assert waiting_in_vain(document) == []
        for shown in document.captions:
            assert shown.on
            assert "{" not in shown.text
            assert len(shown.text) <= 140


@pytest.mark.django_db
def test_the_copies_of_a_question_are_stored_once_and_belong_to_nobody() -> None:
    question = SHOWN[0].question
    ids = copies(question)
    assert copies(question) == ids
    assert f'src="/e/{ids[0]}..{ids[1]}?autoplay=1"' in Client().get(f"/questions/{question.key}").content.decode()
    rows = Scenario.objects.filter(id__in=ids)
    assert [(row.owner, row.is_frozen, row.moment_us) for row in rows] == [("", True, 9_000_000)] * 2
    assert Client().get(f"/e/{ids[0]}..{ids[1]}").status_code == 200
    assert Client().post(f"/s/{ids[0]}/delete").status_code == 403


@pytest.mark.django_db
def test_a_question_is_read_while_nothing_can_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(store, "library_copy", full)
    page = Client().get(f"/questions/{KEYS[0]}")
    assert (page.status_code, "<iframe" in page.content.decode()) == (200, False)


def test_both_runs_begin_shortly_before_what_is_done() -> None:
    starts = {key: start_us(document_of(one.question.sides[0][1])) for key, one in zip(KEYS, SHOWN, strict=True)}
    assert starts["acks-1-and-the-leader-dies"] == 9_000_000  # a fault at 10 s
    assert starts["planned-work-with-acks-1"] == 4_000_000  # no fault: an action at 5 s
    assert start_us({"format": 1, "cluster": {"brokers": [1]}}) == 0


@pytest.mark.parametrize("one", SHOWN, ids=KEYS)
def test_the_sum_of_several_stops_is_told_as_a_time_in_all(one: ShownQuestion) -> None:
    """The answer says so where the verdict of the run does: nobody may take it for one stop."""
    for (letter, _), side in zip(one.question.sides, one.sides, strict=True):
        figure, told = f"{letter}.writes_stopped", f"{one.question.answer} {one.question.more}"
        if re.search(r"Writes \S* ?stood still for \S+ s in all", side.said) and figure in told:
            assert re.search(rf"{{{figure}}}\s+in all", told), figure


@pytest.mark.parametrize("one", SHOWN, ids=KEYS)
def test_both_runs_are_documents_and_differ_in_their_verdict_or_their_figures(one: ShownQuestion) -> None:
    a, b = (load(document_of(side)) for _, side in one.question.sides)
    assert a.until_us == b.until_us
    assert a.seed == b.seed
    assert a != b
    told = f"{one.question.answer} {one.question.more}"
    figures = set(re.findall(r"\{a\.(\w+)\}", told)) & set(re.findall(r"\{b\.(\w+)\}", told))
    assert figures or one.sides[0].said != one.sides[1].said


def test_every_rule_of_a_question_is_in_the_rule_book() -> None:
    known = {rule.id for chapter in chapters() for rule in chapter.rules}
    assert {rule for one in SHOWN for rule in one.question.rules} <= known


def test_a_change_is_made_at_its_place_and_an_unknown_place_is_an_error() -> None:
    side = Side("Why?", "acks=all", "s10-unreplicated-data", {"producers/Q/acks": "all", "cluster/brokers/1": 7})
    changed = document_of(side)
    assert changed["title"] == "Why? acks=all"
    assert [producer.get("acks") for producer in changed["producers"]] == [None, "all"]
    assert changed["cluster"]["brokers"] == [0, 7, 2]
    with pytest.raises(KeyError, match="R"):
        document_of(Side("", "", "s10-unreplicated-data", {"producers/R/acks": "all"}))


@pytest.mark.django_db
def test_the_start_page_lists_all_and_each_has_a_page() -> None:
    start = Client().get("/").content.decode()
    for one in SHOWN:
        assert f'href="/questions/{one.question.key}"' in start
        page = Client().get(f"/questions/{one.question.key}")
        assert page.status_code == 200
        assert one.sides[0].label in page.content.decode()
    assert Client().get("/questions/none").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("letter", ["a", "b"])
@pytest.mark.parametrize("key", KEYS)
def test_each_run_opens_as_a_run_of_this_browser(key: str, letter: str) -> None:
    answer = Client().post(f"/questions/{key}/{letter}/open")
    assert answer.status_code == 302, answer.content.decode()
    assert Scenario.objects.filter(pk=answer["Location"].rpartition("/")[2]).exists()


@pytest.mark.django_db
def test_a_question_is_asked_over_many_seeds_with_its_first_run() -> None:
    answer = Client().post(f"/questions/{KEYS[0]}/often")
    assert answer.status_code == 302
    run = answer["Location"].removeprefix("/what-if/new?doc=")
    assert Scenario.objects.get(pk=run).title.startswith("acks=1 and the leader dies")


@pytest.mark.django_db
def test_a_run_that_a_question_does_not_have_is_not_found() -> None:
    assert Client().post(f"/questions/{KEYS[0]}/c/open").status_code == 404
    assert Client().post("/questions/none/a/open").status_code == 404


def test_the_address_above_all_questions_leads_to_their_list() -> None:
    answer = Client().get("/questions")
    assert (answer.status_code, answer["location"]) == (302, "/")
    assert Client().post("/questions").status_code == 405
