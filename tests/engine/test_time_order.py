"""The invariant time_total_order: a run in which time falls, or ties go by no number, is noticed."""

from pathlib import Path

import pytest

from simengine.kernel.calendar import Event
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked
from tests.engine.canaries import started
from tests.invariants.violation import Violation

SCENARIO = Path(__file__).parent.parent / "scenarios" / "s12-rolling-restart.yaml"
NOW_US = 4_000_000


class Nothing(Event):
    """An event without effect."""

    def fire(self) -> None:
        """Happen."""


def test_a_run_keeps_the_order() -> None:
    document = load(SCENARIO.read_bytes())
    world = checked(document)
    world.run(document.until_us)
    assert world.cluster_parts.sim.witness is not None


def test_time_that_falls_is_noticed() -> None:
    run = started()
    assert run.now_us == NOW_US
    run.cluster_parts.sim.calendar.push(Nothing(), NOW_US - 100_000)
    with pytest.raises(Violation, match=r"time_total_order .* us after"):
        run.run(NOW_US + 1)


def renumbered(run: World, by: int) -> None:
    """Two events of one moment, of which the second gets a number out of its turn."""
    calendar = run.cluster_parts.sim.calendar
    calendar.push(Nothing(), NOW_US + 1)
    calendar._serial += by
    calendar.push(Nothing(), NOW_US + 1)


def test_events_of_one_moment_with_one_number_are_noticed() -> None:
    run = started()
    renumbered(run, -1)
    with pytest.raises(Violation, match=r"time_total_order at the run: event .* came after"):
        run.run(NOW_US + 1)


def test_events_of_one_moment_in_the_order_of_their_numbers_are_in_order() -> None:
    run = started()
    renumbered(run, 5)
    run.run(NOW_US + 1)


def test_an_action_that_becomes_known_in_its_own_moment_is_in_order() -> None:
    run = started()
    for action in ("kill 2", "start 2"):
        run.act(NOW_US, action)
        run.run(NOW_US)
    run.run(NOW_US + 1_000_000)
