"""Undo walks back over the timeline, whatever the page remembers and however a run came about."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync

from playground.scenarios import outside, store
from playground.scenarios.branches import Left
from playground.scenarios.models import Scenario, Source
from playground.scenarios.owner import Maker
from playground.scenarios.undo import Undone, step_back, undo
from tests.scenarios_app.forks import forked
from tests.scenarios_app.forks import timeline_of as _timeline
from tests.scenarios_app.inside import ME

pytestmark = pytest.mark.django_db

DOCUMENT = """
format: 1
title: Two brokers
cluster: {brokers: [1, 2], controllers: [100]}
topics: [{name: orders, assignment: [[1, 2]]}]
"""
FAR_US = 60_000_000


def _acted(*actions: tuple[int, str]) -> Scenario:
    scenario = store.create(DOCUMENT, by=Maker("me"), origin=Source.SANDBOX)
    for at_us, do in actions:
        store.accept(scenario.id, at_us, do, None)
    return scenario


def _undo(scenario: Scenario, until_us: int = FAR_US, left: Left | None = None) -> Undone:
    step = async_to_sync(step_back)(scenario, until_us, ME)
    assert step is not None
    grown = None if step.parent else async_to_sync(outside.grown)(step.branch, left or {}, ME)
    return undo(scenario, step, grown, by=Maker("me"))


def test_undo_walks_back_action_by_action_until_nothing_is_left() -> None:
    run = _acted((2_000_000, "kill 1"), (3_622_001, "kill 2"))
    first = _undo(run)
    assert first.is_new and first.at_us == 3_622_001 and first.actions == ["kill 2"]
    assert _timeline(first.run) == [(2_000_000, "kill 1")] and first.run.moment_us == 3_622_001
    second = _undo(first.run)
    assert second.is_new and second.actions == ["kill 1"]
    assert _timeline(second.run) == []
    assert async_to_sync(step_back)(second.run, FAR_US, ME) is None
    assert len(_timeline(run)) == 2


def test_an_action_in_the_past_is_undone_by_going_back_to_the_run_that_it_left_and_then_that_run_s_last_one() -> None:
    run = _acted((2_000_000, "kill 1"))
    branch = forked(run, 1_000_000, "acks orders 1", owner="me")
    back = _undo(branch)
    assert not back.is_new and back.run == run and back.actions == ["acks orders 1"] and back.at_us == 1_000_000
    assert _undo(back.run).actions == ["kill 1"]


def test_an_action_in_a_branch_is_undone_before_the_one_that_made_the_branch() -> None:
    run = _acted((2_000_000, "kill 1"))
    branch = forked(run, 1_000_000, "kill 2", owner="me")
    store.accept(branch.id, 4_000_000, "start 2", None)
    first = _undo(branch)
    assert first.is_new and first.actions == ["start 2"]
    assert _timeline(first.run) == [(1_000_000, "kill 2")]
    assert _undo(first.run).actions == ["kill 2"]


def test_a_branch_of_a_deleted_run_and_a_run_that_was_carried_on_are_undone_by_themselves() -> None:
    run = _acted()
    branch = forked(run, 1_000_000, "kill 2", owner="me")
    store.delete(run)
    branch.refresh_from_db()
    assert _undo(branch).is_new
    origin = _acted()
    carried = store.create(DOCUMENT, by=Maker("me"), origin=Source.CARRY_ON, parent=origin, cut_us=5_000_000)
    store.accept(carried.id, 5_000_000, "kill 1", None)
    assert _undo(carried).is_new


def test_what_has_not_happened_yet_is_not_undone_and_several_of_one_moment_go_together() -> None:
    run = _acted((2_000_000, "kill 1"), (5_000_000, "kill 2"), (5_000_000, "kill 100"), (9_000_000, "start 1"))
    undone = _undo(run, 8_000_000)
    assert undone.actions == ["kill 2", "kill 100"]
    assert _undo(run, 4_000_000).actions == ["kill 1"]


def test_an_older_action_is_undone_alone_and_what_came_after_it_stays() -> None:
    scripted = f"{DOCUMENT}timeline: [{{at: 20s, do: kill 2}}, {{at: 30s, do: start 2}}]"
    run = store.create(scripted, by=Maker("me"), origin=Source.SANDBOX)
    for at_us, do in ((2_000_000, "kill 1"), (4_000_000, "acks orders 1")):
        store.accept(run.id, at_us, do, None)
    undone = _undo(run, 3_000_000)
    assert undone.actions == ["kill 1"]
    assert _timeline(undone.run) == [(4_000_000, "acks orders 1"), (20_000_000, "kill 2"), (30_000_000, "start 2")]
    assert undone.later is not None and undone.later["brief"].startswith("with what came after: ")


def test_what_can_no_longer_be_done_without_it_is_left_out_with_the_reason() -> None:
    run = _acted((2_000_000, "kill 1"), (4_000_000, "start 1"), (6_000_000, "kill 2"))
    undone = _undo(run, until_us=3_000_000, left={0: "broker 1 runs"})
    assert _timeline(undone.run) == [(6_000_000, "kill 2")]
    assert undone.later is not None and undone.later["problems"] == ["at 4 s: start broker 1: broker 1 runs"]


def test_what_is_to_come_goes_too_where_it_needs_what_is_undone() -> None:
    scripted = f"{DOCUMENT}timeline: [{{at: 2s, do: create extra 1 1}}, {{at: 20s, do: elect preferred extra-0}}]"
    run = store.create(scripted, by=Maker("me"), origin=Source.SANDBOX)
    undone = _undo(run, 5_000_000)
    assert _timeline(undone.run) == []
    assert undone.later is not None and undone.later["brief"].startswith("without 1 later action")


def test_undoing_the_action_that_made_a_branch_leads_back_only_if_nothing_was_done_since() -> None:
    run = _acted((2_000_000, "kill 1"))
    branch = forked(run, 1_000_000, "acks orders 1", owner="me", left={})
    assert _timeline(branch) == [(1_000_000, "acks orders 1"), (2_000_000, "kill 1")]
    assert _undo(branch).actions == ["kill 1"]
    back = _undo(branch, until_us=1_500_000)
    assert back.run == run and back.later is None
    store.accept(branch.id, 3_000_000, "kill 2", None)
    alone = _undo(branch, until_us=1_500_000)
    assert alone.is_new and _timeline(alone.run) == [(2_000_000, "kill 1"), (3_000_000, "kill 2")]


def test_the_parent_is_read_only_where_the_undo_may_lead_back_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    run = _acted((2_000_000, "kill 1"))
    branch = forked(run, 1_000_000, "acks orders 1", owner="me")
    store.accept(branch.id, 5_000_000, "kill 2", None)
    read: list[str] = []
    real = outside.stored

    def noted(one: Any) -> Any:
        read.append(one.id)
        return real(one)

    monkeypatch.setattr(outside, "stored", noted)
    first = _undo(branch)
    assert first.actions == ["kill 2"] and run.id not in read
    assert _undo(forked(run, 1_000_000, "acks orders 1", owner="me")).run == run and run.id in read


def test_a_parent_that_is_damaged_is_not_led_back_to() -> None:
    run = _acted((2_000_000, "kill 1"))
    branch = forked(run, 1_000_000, "acks orders 1", owner="me")
    Scenario.objects.filter(id=run.id).update(body="{")
    back = _undo(Scenario.objects.get(id=branch.id))
    assert back.is_new and back.actions == ["acks orders 1"]
