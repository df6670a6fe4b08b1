"""The order of experiments: one owner's many do not keep another's waiting, nor do one address's many cookies."""

import os
from collections.abc import Iterable

import pytest

from playground.whatif import kept, leases, limits, states
from playground.whatif.identity import HOST
from playground.whatif.models import Experiment, State
from playground.whatif.place import ExperimentPlace
from playground.whatif.turns import QueuedExperiment, in_turn, successor
from tests.whatif.plans import plan

pytestmark = pytest.mark.django_db


def queue(owners: Iterable[str], address: str) -> list[str]:
    """Experiments that wait, in this order; their ids."""
    text = plan().to_json()
    return [
        Experiment.objects.create(
            owner=owner, address=address, title="Test", plan_text=text, baseline="A", seeds_each=1
        ).pk
        for owner in owners
    ]


def claimed() -> str:
    experiment = states.claim_next("worker")
    assert experiment is not None
    return experiment.pk


def test_after_50_experiments_of_one_owner_another_s_one_is_next() -> None:
    many = queue(["greedy"] * 50, "a")
    assert claimed() == many[0]
    [one] = queue(["honest"], "b")
    assert in_turn()[0] == one
    assert claimed() == one
    assert claimed() == many[1]


def test_50_experiments_of_50_thrown_away_cookies_are_one_address_s() -> None:
    many = queue([f"cookie {i}" for i in range(50)], "a")
    assert [claimed(), claimed()] == many[:2]
    Experiment.objects.filter(pk__in=many[:2]).update(state=State.DONE)  # none of it runs now
    [one] = queue(["honest"], "b")
    assert claimed() == one


def test_behind_one_address_browsers_take_turns() -> None:
    first = queue(["greedy"] * 3, "class")
    second = queue(["pupil"] * 2, "class")
    assert in_turn() == [first[0], second[0], first[1], second[1], first[2]]
    assert [claimed() for _ in range(5)] == [first[0], second[0], first[1], second[1], first[2]]
    assert states.claim_next("worker") is None


def test_what_a_dead_worker_left_goes_on_before_anything_begins() -> None:
    [left, waiting] = queue(["one", "two"], "a")
    dead = states.claim(left, f"{HOST[:40]}:{os.getpid()}:ffff0000")  # a process before this one that had its number
    assert dead is not None
    leases.release(dead.lease_owner)
    assert [claimed(), claimed()] == [left, waiting]


def follows(*running: str) -> dict[str, str]:
    """The experiment that follows each of those that run."""
    found: dict[str, QueuedExperiment | None] = {pk: successor(pk) for pk in running}
    return {pk: one.pk for pk, one in found.items() if one is not None}


def test_of_two_places_of_one_address_another_one_gets_one() -> None:
    many = queue(["greedy"] * 3, "a")
    held = [claimed(), claimed()]
    assert follows(*held) == {}, "what waits is of the same browser"
    [one] = queue(["honest"], "b")
    assert follows(*held) == {many[0]: one}


def test_behind_one_address_each_browser_gets_a_place() -> None:
    many = queue(["greedy"] * 2, "class")
    held = [claimed(), claimed()]
    [one] = queue(["pupil"], "class")
    assert follows(*held) == {many[0]: one}


def test_where_all_have_the_same_the_longest_in_its_place_is_followed_by_the_longest_waiting() -> None:
    [a], [b], [c] = queue(["x"], "a"), queue(["y"], "b"), queue(["z"], "c")
    assert [claimed(), claimed()] == [a, b]
    for leaves, comes in ((a, c), (b, a), (c, b)):
        assert follows(a, b, c) == {leaves: comes}
        assert swapped(leaves) == comes


def test_who_had_a_place_for_long_does_not_get_it_back_before_who_waits() -> None:
    [a], [b], [c] = queue(["x"], "a"), queue(["y"], "b"), queue(["z"], "c")
    assert [claimed(), claimed()] == [a, b]
    assert swapped(b) == c
    assert follows(a, c) == {a: b}
    assert swapped(a) == b


def swapped(pk: str) -> str:
    """The experiment that has the place of another one now."""
    leaves = Experiment.objects.get(pk=pk)
    comes = states.give_way(leaves, "worker", 2.5)
    leases.release(leaves.lease_owner)
    leaves.refresh_from_db()
    assert (leaves.state, leaves.stage, leaves.lease_owner, leaves.claims) == (State.QUEUED, "", "", 0)
    assert comes is not None
    return comes.pk


def test_an_address_with_few_keeps_its_place_beside_one_with_many() -> None:
    [few] = queue(["x"], "few")
    assert claimed() == few
    many = queue(["y"] * 2, "many")
    assert [claimed(), claimed()] == many
    [new] = queue(["z"], "new")
    assert follows(few, *many) == {many[0]: new}


def test_an_experiment_leaves_its_place_after_some_seconds_and_at_the_second_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = 100.0
    monkeypatch.setattr("playground.whatif.place.time.monotonic", lambda: seconds)
    queue(["greedy"] * 2, "a")
    claimed()
    held = ExperimentPlace(Experiment.objects.get(pk=claimed()))
    [one] = queue(["honest"], "b")
    Experiment.objects.exclude(pk__in=(one, held.experiment.pk)).update(state=State.DONE, turn=9)
    Experiment.objects.filter(pk=held.experiment.pk).update(turn=1)
    held.experiment.seconds_per_run = 20.0
    assert not held.must_be_left(), "it does not compute yet"
    held.begin()
    seconds += limits.NEWCOMER_SECONDS - 1
    assert [held.must_be_left() for _ in range(3)] == [False] * 3
    seconds += 1
    assert [held.must_be_left() for _ in range(2)] == [False, True]
    Experiment.objects.filter(pk=one).update(turn=1)  # it is no newcomer any more
    seconds += limits.PLACE_SECONDS
    assert [held.must_be_left() for _ in range(3)] == [False] * 3, "its runs are long"
    seconds += limits.PLACE_RUNS * 20.0
    assert [held.must_be_left() for _ in range(2)] == [False, True]


def test_the_experiments_of_one_address_that_are_kept_are_limited_and_others_get_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "KEPT_AN_ADDRESS_MAX", 3)
    queue(["x", "y", "z"], "a")
    Experiment.objects.update(state=State.DONE)
    assert "3 experiments from your address are kept" in kept.quota("another cookie", "a")
    assert kept.quota("another cookie", "b") == ""


def test_the_experiments_of_one_address_that_wait_are_limited_and_others_get_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "WAITING_AN_ADDRESS_MAX", 5)
    queue([f"cookie {i}" for i in range(5)], "a")
    assert "5 experiments from your address wait; the limit is 5." in kept.quota("another cookie", "a")
    assert kept.quota("honest", "b") == ""
    assert limits.WAITING_AN_ADDRESS_MAX < limits.WAITING_MAX
