"""My runs says of each run what is done in it, where it came from and what it has come to so far."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from playground.engine.limits import QUICK
from playground.engine.refusals import BUSY, NotAnswered, too_long
from playground.rooms.models import ClockState
from playground.scenarios import documents, listed, outside, store
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker
from simengine.scenario import DocumentError, Problem
from tests.scenarios_app.forks import forked, rows, shared

pytestmark = pytest.mark.django_db

SCRIPTED = """
format: 1
title: Two brokers
cluster: {brokers: [1, 2], controllers: [100]}
topics: [{name: orders, assignment: [[1, 2]]}]
timeline:
  - {at: 5s, do: kill 1}
  - {at: 9s, do: start 1}
"""
QUIET = SCRIPTED[: SCRIPTED.index("timeline")]


def _make(document: str = QUIET) -> Scenario:
    return store.create(document, by=Maker("me"), origin=Source.UPLOAD)


def _row(run: Scenario) -> listed.ScenarioRow:
    return next(row for row in rows("me") if row.run.id == run.id)


def test_two_runs_of_one_document_are_told_apart_by_what_was_done_in_them() -> None:
    killed, quiet = _make(), _make()
    store.accept(killed.id, 12_300_000, "kill 1", None)
    assert _row(killed).done == [("12.300 s", "Broker 1 is killed.")]
    assert _row(quiet).done == []


def test_of_many_actions_the_first_and_the_last_are_told_and_the_rest_is_counted() -> None:
    run = _make()
    for at_us, do in ((1, "kill 1"), (2, "start 1"), (3, "kill 100"), (4_000_000, "kill 2")):
        store.accept(run.id, at_us, do, None)
    row = _row(run)
    assert row.done == [("0.000 s", "Broker 1 is killed."), ("4.000 s", "Broker 2 is killed.")]
    assert (row.actions, row.between) == (4, 2)


def test_actions_of_the_document_and_accepted_ones_are_told_in_the_order_of_time() -> None:
    run = _make(SCRIPTED)
    store.accept(run.id, 7_000_000, "kill 2", None)
    row = _row(run)
    assert [at for at, _ in row.done] == ["5.000 s", "9.000 s"]
    assert (row.actions, row.between) == (3, 1)


def test_a_branch_and_a_copy_say_how_they_came_about() -> None:
    run = _make(SCRIPTED)
    branch = forked(run, 6_000_000, "kill 2", owner="me")
    copy = shared(run, 8_000_000, "d", {"sentence": "2 records exist more than once."})
    fresh = "starts afresh: leaves out 1 later action: start broker 1 at 9 s"
    assert _row(branch).origin == f"branched at 6.000 s, {fresh}"
    assert _row(forked(branch, 7_000_000, "kill 100", owner="me")).origin == "branched at 7.000 s"
    assert _row(branch).done[-1] == ("6.000 s", "Broker 2 is killed.")
    assert _row(copy).origin == "shared at 8.000 s"
    assert (_row(copy).verdict_at, _row(copy).verdict) == ("at 8.000 s", "2 records exist more than once.")


def test_the_verdict_is_the_one_of_the_stored_clock() -> None:
    run = _make()
    assert _row(run).verdict == ""
    ClockState.objects.create(
        room=run.id,
        scenario=run,
        is_playing=False,
        speed_us=0,
        t_us=21_160_000,
        sentence="3 acknowledged records are gone.",
    )
    assert (_row(run).verdict_at, _row(run).verdict) == ("at 21.160 s", "3 acknowledged records are gone.")


def test_a_replay_of_an_experiment_says_what_its_row_came_to() -> None:
    outcome = SCRIPTED + "captions: [{at: 60s, kind: outcome, text: Nothing was lost.}]"
    row = _row(_make(outcome))
    assert (row.verdict_at, row.verdict) == ("at its end", "Nothing was lost.")


def test_the_list_asks_the_database_as_often_for_many_runs_as_for_one() -> None:
    def questions(number: int) -> int:
        for _ in range(number):
            store.accept(_make(SCRIPTED).id, 1, "kill 1", None)
        with CaptureQueriesContext(connection) as asked:
            rows("me")
        return len(asked)

    assert questions(1) == questions(20)


def test_a_run_of_an_earlier_version_is_read_outside_once_and_noted_in_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    run = _make(SCRIPTED)
    now = _row(run).done
    Scenario.objects.update(told=None)
    assert _row(run).done == now and _row(run).actions == 2
    monkeypatch.setattr(outside, "questions", None)  # nothing is asked again
    assert _row(run).done == now


@pytest.mark.parametrize("damaged", [5, [], "x", {}, {"actions": 1}])
def test_what_a_damaged_row_says_of_its_document_is_read_again(damaged: object) -> None:
    run = _make(SCRIPTED)
    now = _row(run).done
    Scenario.objects.update(told=damaged)
    assert _row(run).done == now


def test_a_run_that_todays_rules_refuse_is_listed_with_what_was_done_in_it() -> None:
    run = _make(SCRIPTED)
    for at_us, do in ((1, "kill 1"), (2, "start 1"), (3, "kill 2")):
        store.accept(run.id, at_us, do, None)
    Scenario.objects.update(told=None, body="{")
    assert (_row(run).actions, _row(run).done) == (3, [("0.000 s", "kill 1"), ("0.000 s", "kill 2")])


def test_a_run_that_is_refused_or_takes_too_long_is_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    async def refused(question: object, asker: object) -> object:
        asked.append(question)
        raise too_long(QUICK) if len(asked) == 1 else DocumentError([Problem("seed", "x", "not a number")])

    _make(SCRIPTED), _make(SCRIPTED)
    Scenario.objects.update(told=None)
    monkeypatch.setattr(outside, "answer", refused)
    assert [row.actions for row in rows("me")] == [0, 0]
    assert len(rows("me")) == len(asked) == 2
    note = {"refused_by": "another version", "problem": ["", "", "", "", ""]}
    Scenario.objects.update(told=documents.UNREAD | note)
    rows("me")
    assert len(asked) == 4


def test_a_busy_service_is_asked_once_for_the_whole_list(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    async def busy(question: object, asker: object) -> object:
        asked.append(question)
        raise NotAnswered(BUSY, 503)

    for _ in range(3):
        _make(SCRIPTED)
    Scenario.objects.update(told=None)
    monkeypatch.setattr(outside, "answer", busy)
    assert (len(rows("me")), len(asked)) == (3, 1)


def test_runs_of_one_name_are_numbered_by_age_and_may_be_renamed() -> None:
    first, second = _make(), _make()
    assert (_row(first).nth, _row(second).nth) == (1, 2)
    store.rename(second, "  Friday's  outage ")
    assert (_row(first).nth, _row(second).nth) == (0, 0)
    assert _row(second).run.title == "Friday's outage"
    with pytest.raises(ValueError, match="1 to 200"):
        store.rename(second, " ")
    store.rename(second, "Friday\u202e 13")
    assert _row(second).run.title == "Friday\ufffd 13"
