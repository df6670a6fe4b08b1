"""The table of verbs is whole: each form is said, each verb is done, and each kind of argument is used."""

import re

from simengine.scenario import action_words, references
from simengine.scenario.arguments import KINDS
from simengine.scenario.verbs import VERBS
from simengine.world.world import build
from tests.documents.helpers import document

FORMS = [(verb.name, form) for verb in VERBS.values() for form in verb.forms]


def test_a_clause_speaks_only_of_what_its_form_has() -> None:
    for name, form in FORMS:
        named = {slot.kind for slot in form.slots}
        tokens = re.findall(r"\{(\w+)(?:\+(\w+))?", form.clause)
        assert {kind for token in tokens for kind in token if kind} <= named, name


def test_no_form_has_two_arguments_of_one_kind() -> None:
    for name, form in FORMS:
        kinds = [slot.kind for slot in form.slots if slot.kind]
        assert len(kinds) == len(set(kinds)), name


def test_every_verb_is_done_by_a_cluster() -> None:
    assert set(build(document()).executor._verbs) == set(VERBS)


def test_every_kind_of_argument_is_used_and_known_to_those_who_ask_by_it() -> None:
    assert {slot.kind for _, form in FORMS for slot in form.slots if slot.kind} == set(KINDS)
    assert set(references._CHECKS) <= set(KINDS)
    assert set(action_words._CALLED) <= set(KINDS)


def test_what_undoes_a_verb_is_a_verb() -> None:
    assert {verb.undo for verb in VERBS.values() if verb.undo} <= set(VERBS)
