"""Whose experiment is next: one owner's many do not keep another's waiting, nor do one address's many cookies."""

import os
from collections.abc import Iterable

import pytest

from playground.whatif import kept, leases, limits, states
from playground.whatif.identity import HOST
from playground.whatif.models import Experiment, State
from playground.whatif.turns import in_turn
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
