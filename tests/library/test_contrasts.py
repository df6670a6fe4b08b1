"""Scenarios of the gallery that are contrasts: the runs of every question, and what a scenario's text names."""

import re

from playground.library.contrasts import contrasts
from playground.library.gallery import entries
from playground.library.question_list import read_questions
from simengine.scenario import load


def test_every_scenario_of_a_question_is_shown_with_both_of_its_runs() -> None:
    for question in read_questions():
        for _, side in question.sides:
            assert contrasts()[side.scenario].words == " and ".join(one.label for _, one in question.sides)


def test_a_scenario_is_shown_beside_the_one_that_its_text_names() -> None:
    first, second = contrasts()["s45c-wiped-disk"].documents
    assert f"“{load(first).title}”" in " ".join(load(second).about.split())
    assert load(first).title != load(second).title


def test_no_text_of_a_card_names_another_by_its_file() -> None:
    named = {one.name: re.findall(r"\b[sv][0-9]+[a-z]?\b", one.about) for one in entries()}
    assert {name: found for name, found in named.items() if found} == {}


def test_both_runs_of_every_contrast_can_be_stored_and_differ() -> None:
    for name, contrast in contrasts().items():
        first, second = (load(document) for document in contrast.documents)
        assert first != second, name
