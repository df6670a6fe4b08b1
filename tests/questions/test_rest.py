"""Runs at rest, and the reason why a run is not at rest."""

from typing import Any

import pytest

from simengine.questions.rest import unrest
from simengine.scenario import load
from simengine.world.world import World, build

SECOND = 1_000_000
HORIZON_US = 120 * SECOND

DOCUMENT: dict[str, Any] = {
    "format": 1,
    "title": "Three brokers",
    "seed": 1,
    "until": "120s",
    "cluster": {"brokers": [{"id": n, "rack": f"az-{n}"} for n in (1, 2, 3)], "controllers": [100, 101, 102]},
    "topics": [{"name": "orders", "assignment": [[1, 2, 3], [2, 3, 1]], "config": {"min.insync.replicas": 2}}],
    "producers": [{"id": "P", "topic": "orders", "rate": 20, "acks": "all"}],
    "consumers": [{"id": "C", "topics": ["orders"], "group": "g"}],
}


def at(moment_s: int, *timeline: tuple[str, str], **parts: Any) -> World:
    """A run of the document with these actions and parts, at a moment."""
    document = {**DOCUMENT, **parts, "timeline": [{"at": when, "do": what} for when, what in timeline]}
    world = build(load(document))
    world.run(moment_s * SECOND)
    return world


def test_a_run_in_which_nothing_happens_is_at_rest_once_its_group_is_stable() -> None:
    assert unrest(at(10), HORIZON_US) == ""


def test_a_run_is_at_rest_when_a_dead_broker_is_fenced_and_the_isr_is_what_lives() -> None:
    killed = ("5s", "kill 3")
    assert unrest(at(6, killed), HORIZON_US) == "a dead broker is not fenced"
    assert unrest(at(30, killed), HORIZON_US) == ""


@pytest.mark.parametrize(
    ("moment_s", "timeline", "reason"),
    [
        (6, [("60s", "kill 3")], "an action is to come"),
        (30, [("5s", "pause 3")], "a broker's process"),
        (30, [("5s", "kill 100"), ("5s", "kill 101")], "no active controller"),
        (30, [("5s", "pause 101")], "a controller's process"),
        (30, [("5s", "kill 1"), ("5s", "kill 2")], "a partition"),  # one replica lives, min.insync.replicas is 2
        (40, [("5s", "cut P|1")], "a partition"),  # the producer's calls wait
        (30, [("5s", "slow 3 100")], "an action that leaves something behind"),
        (60, [("5s", "kill 1"), ("20s", "start 1")], "a preferred election"),  # broker 1 is back, and leads nothing
    ],
)
def test_what_may_come_is_no_rest(moment_s: int, timeline: list[tuple[str, str]], reason: str) -> None:
    world = at(moment_s, *timeline, phases={"preferred": "90s"})
    assert unrest(world, HORIZON_US) == reason


def test_an_election_of_preferred_leaders_after_the_horizon_is_none() -> None:
    world = at(60, ("5s", "kill 1"), ("20s", "start 1"), phases={"preferred": "90s"})
    assert unrest(world, 90 * SECOND - 1) == ""


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"faults": {"kind": "kill", "broker-mttf": "20s", "broker-mttr": "5s"}}, "random faults"),
        ({"network": {"latency": "200ms"}}, "long delays"),
    ],
)
def test_what_cannot_be_foreseen_is_no_rest(parts: dict[str, Any], reason: str) -> None:
    assert unrest(at(20, **parts), HORIZON_US) == reason
