"""The states of a worker's tasks in a run: given up, waiting for Connect's rebalance delay, handed out again (MM-1)."""

from typing import Any

from simengine.facts.decisive import MirrorTasksChanged
from simengine.facts.kinds import TASKS_NAMES
from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import stated
from tests.engine.test_fold import the_facts_tell_all
from tests.mirror.documents import Plain, mirrored

SECOND = 1_000_000
CUT = [{"at": "10s", "do": "cut mirror-maker|west"}, {"at": "30s", "do": "heal mirror-maker|west"}]


def after(seconds: int, document: Plain) -> World:
    world = build(load(document))
    world.run(seconds * SECOND)
    return world


def told(world: World) -> list[tuple[str, int, int]]:
    """State, seconds and ``until`` in seconds of each change of the tasks."""
    facts = stated(world, MirrorTasksChanged)
    return [(TASKS_NAMES[fact.state], fact.t // SECOND, fact.until // SECOND) for fact in facts]


def flow(world: World) -> dict[str, Any]:
    mirrors: Any = world.verdict()["mirrors"]
    found: dict[str, Any] = mirrors[0]
    return found


def test_a_worker_cut_off_from_the_target_says_when_it_gets_its_tasks_back() -> None:
    """As mm07: nothing for 306 s after the heal."""
    world = after(345, mirrored(rate=5, timeline=CUT))
    (given_up, delayed, running) = told(world)
    assert given_up[0] == "given up"
    assert 22 <= given_up[1] <= 26
    assert delayed[0] == "delayed"
    assert 30 <= delayed[1] <= 37
    assert delayed[2] - delayed[1] in (300, 299)
    assert running[0] == "running"
    assert 0 <= running[1] - delayed[2] <= 5


def test_the_verdict_says_why_nothing_is_copied() -> None:
    world = after(100, mirrored(rate=5, timeline=CUT))
    assert flow(world)["state"] == "running"
    assert flow(world)["tasks"] == "delayed"
    assert flow(world)["matters"]
    assert "has lost its tasks: it gets them back at 33" in str(world.verdict()["sentence"])


def test_before_the_heal_the_worker_has_given_its_tasks_up() -> None:
    world = after(28, mirrored(rate=5, timeline=CUT))
    assert flow(world)["tasks"] == "given up"
    assert "has given up its tasks" in flow(world)["sentence"]


def test_a_restart_joins_its_group_before_it_has_tasks() -> None:
    entries = [{"at": "10s", "do": "kill mirror-maker"}, {"at": "12s", "do": "start mirror-maker after 1s"}]
    world = after(30, mirrored(rate=5, timeline=entries))
    assert [state for state, *_ in told(world)] == ["none", "joining", "running"]


def test_a_pause_takes_no_task_away() -> None:
    entries = [{"at": "10s", "do": "pause mirror-maker"}, {"at": "30s", "do": "resume mirror-maker"}]
    assert told(after(40, mirrored(rate=5, timeline=entries))) == []


def test_the_fold_of_the_facts_knows_the_tasks() -> None:
    world = build(load(mirrored(rate=5, timeline=CUT)))
    the_facts_tell_all(world, 60 * SECOND, 9)
    mirrors: Any = world.snapshot()["mirrors"]
    assert mirrors["flows"][0]["tasks"]["state"] == "delayed"
