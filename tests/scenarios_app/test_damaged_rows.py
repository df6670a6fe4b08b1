"""Stored rows with damaged JSON: pages report the damage or compute the value again, and none fails."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from playground.scenarios import documents, lineage, listed, store
from playground.scenarios.models import Scenario
from playground.scenarios.stored_json import DAMAGED_LATER, DAMAGED_VERDICT
from simengine.scenario import DocumentError
from tests.scenarios_app.forks import forked
from tests.scenarios_app.test_listed import SCRIPTED, _make

pytestmark = pytest.mark.django_db

TOLD = {"actions": 1, "ends": [[5, "Broker 1 is killed."]], "outcome": "", "brokers": [1, "east/2"]}
LATER = {"fresh": False, "brief": "with what came after: 1 kill", "problems": ["at 1 s: gone"], "other": "leaves"}
VERDICT = {"sentence": "Nothing lost.", "topics": [{"topic": "t", "sentence": "Nothing.", "in_user_units": ""}]}


def stored(column: str, text: str) -> Any:
    """The value that the model reads where the column holds this text."""
    run = _make(SCRIPTED)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        cursor.execute(f"UPDATE scenarios_scenario SET {column} = %s WHERE id = %s", [text, run.id])
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    return getattr(Scenario.objects.get(pk=run.pk), column)


@pytest.mark.parametrize(("column", "whole"), [("told", TOLD), ("later", LATER), ("verdict", VERDICT)])
def test_a_whole_column_is_read_as_it_is(column: str, whole: Any) -> None:
    assert stored(column, json.dumps(whole)) == whole


@pytest.mark.parametrize(
    ("column", "text"),
    [
        *((column, text) for column in ("told", "later", "verdict") for text in ("[]", '"x"', "5", "{", "[" * 10_000)),
        ("told", json.dumps({**TOLD, "actions": 5})),
        ("told", json.dumps({**TOLD, "ends": [["5", "x"]]})),
        ("told", json.dumps({**TOLD, "outcome": "\ud800"})),
        ("told", json.dumps({**TOLD, "brokers": [[]]})),
        ("told", json.dumps(TOLD).replace("5", "9" * 5_000)),
        ("later", json.dumps({**LATER, "problems": 5})),
        ("later", json.dumps({**LATER, "brief": None})),
        ("verdict", json.dumps({**VERDICT, "topics": 5})),
        ("verdict", json.dumps({"topics": []})),
        ("verdict", json.dumps({**VERDICT, "sentence": "\udfff"})),
    ],
)
def test_a_damaged_column_is_reported_or_computed_again(column: str, text: str) -> None:
    assert stored(column, text) == {"told": None, "later": DAMAGED_LATER, "verdict": DAMAGED_VERDICT}[column]


def test_the_page_of_a_copy_says_that_its_verdict_is_damaged(client: Client) -> None:
    copy = _make(SCRIPTED)
    Scenario.objects.filter(pk=copy.pk).update(verdict={"topics": 5})
    assert DAMAGED_VERDICT["sentence"] in client.get(f"/s/{copy.id}/about").content.decode()


def test_a_branch_whose_later_actions_are_damaged_is_listed_and_drawn() -> None:
    branch = forked(_make(SCRIPTED), 6_000_000, "kill 2", owner="me")
    Scenario.objects.filter(pk=branch.pk).update(later={"brief": 5})
    branch.refresh_from_db()
    assert listed._origin(branch) == f"branched at 6.000 s, {DAMAGED_LATER['brief']}"
    assert lineage.of(branch, "me").root.branches[0].later == DAMAGED_LATER["brief"]


@pytest.mark.parametrize("do", ["", "kill", "explode 1", "kill 1,"])
def test_an_accepted_action_that_is_damaged_is_named_by_the_document_and_listed_as_it_is(do: str) -> None:
    run = _make(SCRIPTED)
    store.accept(run.id, 10_000_000, "kill 2", None)
    run.accepted.update(do=do)
    with pytest.raises(DocumentError, match=r"accepted\[0\]"):
        documents.of_stored(store.stored(run))
    (row,) = listed._rows("me", listed._runs("me", 1))
    assert do in [text for _, text in row.done]
