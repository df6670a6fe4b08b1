"""Combined mode: a broker and the controllers in its process are one process (``process.roles=broker,controller``)."""

from typing import Any

import pytest

from simengine.facts.decisive import ProcessChanged
from simengine.facts.kinds import PROCESS_DOWN, PROCESS_PAUSED, PROCESS_RUNNING
from simengine.scenario import DocumentError, load
from simengine.scenario.dumping import to_plain
from simengine.world.world import World
from tests.checked import checked
from tests.engine.cluster import SECOND, stated

SHARED: dict[str, Any] = {
    "format": 1,
    "until": "60s",
    "cluster": {
        "brokers": [{"id": 1, "rack": "a"}, {"id": 2, "rack": "b"}, {"id": 3, "rack": "c"}],
        "controllers": [
            {"id": 100, "broker": 1, "rack": "a"},
            {"id": 101, "broker": 2, "rack": "b"},
            {"id": 102, "broker": 3, "rack": "c"},
        ],
        "active": 100,
    },
    "topics": [{"name": "t", "assignment": [[1, 2, 3]], "config": {"min.insync.replicas": 2}}],
    "producers": [{"id": "P", "topic": "t", "rate": 10}],
}


def ran(until_s: int, *actions: tuple[str, str], **changes: Any) -> World:
    timeline = [{"at": at, "do": do} for at, do in actions]
    world = checked(load({**SHARED, **changes, "timeline": timeline}))
    world.run(until_s * SECOND)
    return world


def states(world: World, node: int) -> list[tuple[int, int, int]]:
    """Whole second, state, and whether it went in order, of each change of a node's process."""
    return [(fact.t // SECOND, fact.state, fact.left) for fact in stated(world, ProcessChanged) if fact.node == node]


def controllers_up(world: World) -> list[int]:
    return [int(one.id) for one in world.cluster.controllers if one.up and not one.paused]


@pytest.mark.parametrize("action", ["kill 1", "kill 100", "power-loss 1", "power-loss 100", "kill-rack a"])
def test_a_broker_and_its_controller_end_at_once_whichever_is_named(action: str) -> None:
    world = ran(12, ("10s", action))
    assert states(world, 1) == states(world, 100) == [(10, PROCESS_DOWN, 0)]
    assert controllers_up(world) == [101, 102]
    verdict: Any = world.verdict()
    assert verdict["topics"][0]["deciding"]["t"] == 10 * SECOND


def test_two_of_three_processes_are_the_majority_of_the_controllers() -> None:
    world = ran(40, ("10s", "kill 1"), ("10s", "kill 2"))
    assert str(world.verdict()["sentence"]).startswith("2 of 3 controllers are gone: nobody can elect a leader.")


def test_a_process_that_stands_still_neither_serves_nor_votes() -> None:
    world = ran(30, ("10s", "pause 1"), ("12s", "resume 100"))
    assert [state for _, state, _ in states(world, 100)] == [PROCESS_PAUSED, PROCESS_RUNNING]
    assert [second for second, _, _ in states(world, 1)] == [10, 12]
    assert controllers_up(world) == [100, 101, 102]


def test_in_a_clean_stop_the_broker_leaves_first_and_its_controller_with_it() -> None:
    """The controller answers the controlled shutdown of its own broker (SHUT-1)."""
    world = ran(30, ("10s", "stop 1"))
    [(at, state, in_order)] = states(world, 100)
    broker = states(world, 1)[-1]
    assert (at, state, in_order) == broker
    assert (state, in_order) == (PROCESS_DOWN, 1)
    registration = world.cluster.quorum.image.partition(0)
    assert registration is not None
    assert registration.leader == 2


@pytest.mark.parametrize("start", ["start 1", "start 100", "start-rack a"])
def test_a_process_that_starts_votes_before_it_serves(start: str) -> None:
    world = ran(40, ("10s", "kill 1"), ("20s", start))
    up = [fact for fact in stated(world, ProcessChanged) if fact.t > 20 * SECOND]
    running = [fact.node for fact in up if fact.state == PROCESS_RUNNING]
    assert running == [100, 1]
    assert controllers_up(world) == [100, 101, 102]


def test_the_only_node_of_a_cluster_starts_again_with_both_roles() -> None:
    alone = {
        "cluster": {"brokers": [1], "controllers": [{"id": 100, "broker": 1}]},
        "topics": [{"name": "t", "assignment": [[1]]}],
    }
    world = ran(60, ("10s", "stop 1"), ("12s", "start 1"), **alone)
    registration = world.cluster.quorum.image.partition(0)
    assert registration is not None
    assert registration.leader == 1


def test_an_action_on_a_process_that_is_down_changes_nothing_by_either_name() -> None:
    world = ran(20, ("10s", "kill 1"), ("12s", "kill 100"))
    assert states(world, 100) == [(10, PROCESS_DOWN, 0)]
    assert list(world.executor.no_effect_reasons) == [1]


def test_a_process_stands_in_one_rack_and_runs_or_does_not() -> None:
    cluster = SHARED["cluster"]
    for change, path in (
        ({"broker": 9}, "cluster.controllers[0].broker"),
        ({"rack": "b"}, "cluster.controllers[0].rack"),
        ({"state": "down"}, "cluster.controllers[0].state"),
    ):
        first, *others = cluster["controllers"]
        with pytest.raises(DocumentError) as refused:
            load({**SHARED, "cluster": {**cluster, "controllers": [{**first, **change}, *others], "active": 101}})
        assert path in str(refused.value)


def test_a_document_of_an_earlier_version_says_it_in_its_basis() -> None:
    cluster = SHARED["cluster"]
    bare = [{key: one[key] for key in ("id", "rack")} for one in cluster["controllers"]]
    earlier = {**SHARED, "cluster": {**cluster, "controllers": bare}, "basis": {"combined": {"100": 1, "101": 3}}}
    plain = to_plain(load(earlier))
    homes = {one["id"]: one.get("broker") for one in plain["cluster"]["controllers"]}
    assert homes == {100: 1, 101: None, 102: None}, "101 stood elsewhere than broker 3: it stays a process of its own"
    assert "combined" not in plain.get("basis", {})
    assert load(plain) == load(earlier)
