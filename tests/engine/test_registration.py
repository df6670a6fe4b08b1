"""A starting broker that nobody registers: how often it asks, and when it gives up (REG-2, LIVE-1, QUO-6)."""

from itertools import pairwise
from typing import Any

import pytest

from simengine.facts.kinds import FLIGHT, MSG_NAMES
from simengine.facts.traffic import Flight
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked
from tests.engine.cluster import facts

REGISTER = next(i for i, name in enumerate(MSG_NAMES) if name.startswith("Regist") and "answer" not in name)


def started(profile: str, timeline: list[tuple[str, str]], config: dict[str, Any]) -> World:
    """A cluster of two brokers and one controller under a version's rules."""
    return checked(
        load(
            {
                "format": 1,
                "profile": profile,
                "cluster": {"brokers": [1, 2], "controllers": [100], "config": config},
                "topics": [{"name": "t", "assignment": [[1, 2]]}],
                "timeline": [{"at": at, "do": do} for at, do in timeline],
            }
        )
    )


def asked(world: World, until_us: int) -> list[int]:
    """The moments at which broker 2 sent a registration, microseconds."""
    world.trace.keep_kinds([FLIGHT])
    world.trace.keep_traffic = True
    world.run(until_us)
    return [one.t for one in facts(world, Flight) if one.msg == REGISTER and one.src == 2]


def test_a_refused_registration_is_repeated_every_two_seconds() -> None:
    times = asked(started("4.2", [("5s", "kill 2"), ("5s", "start 2 after 1s")], {}), 20_000_000)
    gaps = [b - a for a, b in pairwise(times)]
    assert len(gaps) >= 3
    assert all(1_990_000 <= gap <= 2_010_000 for gap in gaps)


def test_before_4_1_it_is_repeated_after_a_growing_pause() -> None:
    times = asked(started("4.0", [("5s", "kill 2"), ("5s", "start 2 after 1s")], {}), 20_000_000)
    gaps = [b - a for a, b in pairwise(times)]
    assert gaps == sorted(gaps)
    assert 100_000 <= gaps[0] < 110_000
    assert 195_000 <= gaps[1] < 215_000
    assert max(gaps) > 1_500_000


@pytest.mark.parametrize(("timeout", "given_up"), [(60_000, False), (10_000, True)])
def test_a_broker_that_is_not_registered_in_time_ends(timeout: int, given_up: bool) -> None:
    timeline = [("5s", "kill 2"), ("6s", "kill 100"), ("20s", "start 2 after 1s"), ("45s", "start 100")]
    world = started("4.2", timeline, {"initial.broker.registration.timeout.ms": timeout})
    world.run(44_000_000)
    view: Any = world.snapshot()
    assert view["brokers"]["2"]["process"] == ("down" if given_up else "registering")
    world.run(70_000_000)
    view = world.snapshot()
    assert view["brokers"]["2"]["registration"] == ("fenced" if given_up else "active")


def test_a_started_process_is_seen_at_once_and_asks_to_be_registered_when_its_jvm_is_up() -> None:
    """REG-1: the screen must not show a broker as dead that somebody has started."""
    world = started(
        "4.2", [("5s", "kill 2"), ("6s", "start 2 after 2s"), ("20s", "kill 100"), ("30s", "start 100")], {}
    )
    seen: dict[int, tuple[str, str]] = {}
    for second in (5, 7, 9, 31, 40):
        world.run(second * 1_000_000 + 100_000)
        view: Any = world.snapshot()
        seen[second] = view["brokers"]["2"]["process"], view["controllers"]["100"]["process"]
    assert [seen[second][0] for second in (5, 7, 9)] == ["down", "starting", "registering"]
    assert [seen[second][1] for second in (31, 40)] == ["starting", "running"]
