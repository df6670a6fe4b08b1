"""A run may start from a state, as a pasted cluster does: lagging copies, dead brokers, partitions without leader."""

from typing import Any

import pytest

from simengine.scenario import DocumentError, load
from simengine.world.world import World, build
from tests.checked import checked


def _run(initial: dict[str, Any], until_us: int = 10_000_000, **changes: Any) -> World:
    document = load(
        {
            "format": 1,
            "elr": False,
            "cluster": {"brokers": changes.pop("brokers", [1, 2, 3])},
            "topics": [{"name": "t", "assignment": [[1, 2, 3]], "initial": {"0": initial}}],
            "producers": [{"id": "P", "topic": "t", "rate": 5}],
            **changes,
        }
    )
    world = checked(document)
    world.run(until_us)
    return world


def _copies(world: World) -> dict[str, Any]:
    partitions: Any = world.snapshot()["partitions"]
    copies: dict[str, Any] = partitions[0]["copies"]
    return copies


def _partition(world: World) -> dict[str, Any]:
    partitions: Any = world.snapshot()["partitions"]
    found: dict[str, Any] = partitions[0]
    return found


def test_a_lagging_copy_catches_up_and_joins_the_isr() -> None:
    world = _run({"leader": 1, "isr": [1, 2], "epoch": 5, "leo": 1000, "lag": {"3": 250}})
    assert _partition(world)["isr"] == [1, 2, 3]
    assert {copy["leo"] for copy in _copies(world).values()} == {1050}
    assert all([list(entry) for entry in copy["epochs"]] == [[5, 0]] for copy in _copies(world).values())


def test_a_failed_copy_stays_out_of_the_isr_until_its_process_starts_again() -> None:
    initial = {"leader": 1, "isr": [1, 2], "epoch": 5, "leo": 1000, "lag": {"3": 250}, "failed": [3]}
    moved = [{"at": "2s", "do": "kill 1"}]
    world = _run(initial, until_us=20_000_000, timeline=moved)
    assert _partition(world)["leader"] == 2, "another leader does not end it"
    assert (_partition(world)["isr"], _copies(world)["3"]["leo"]) == ([2], 750)
    again = [{"at": "2s", "do": "kill 3"}, {"at": "3s", "do": "start 3"}]
    world = _run(initial, until_us=30_000_000, timeline=again)
    assert _partition(world)["isr"] == [1, 2, 3]


def test_a_failed_copy_is_no_member_of_the_isr() -> None:
    with pytest.raises(DocumentError, match="has not failed"):
        _run({"leader": 1, "isr": [1, 2], "leo": 10, "failed": [2]})


def test_a_copy_without_any_record_catches_up_as_well() -> None:
    world = _run({"leader": 2, "isr": [2], "epoch": 3, "leo": 70, "lag": {"1": 70, "3": 1}})
    assert _partition(world)["isr"] == [1, 2, 3]
    assert {copy["leo"] for copy in _copies(world).values()} == {120}


def test_a_reassignment_in_flight_ends_when_its_new_replica_has_caught_up() -> None:
    initial = {"leader": 1, "isr": [1, 2], "leo": 500, "lag": {"3": 500}, "adding": [3], "removing": [2]}
    before = _partition(_run(initial, until_us=0))
    assert (before["replicas"], before["adding"], before["removing"]) == ([1, 2, 3], [3], [2])
    after = _partition(_run(initial))
    assert (after["replicas"], after["isr"], after["adding"], after["removing"]) == ([1, 3], [1, 3], [], [])


def test_at_the_start_the_isr_has_all_that_is_committed() -> None:
    world = _run({"leader": 1, "isr": [1, 2], "leo": 1000, "lag": {"2": 40, "3": 250}}, until_us=0)
    assert {broker: (copy["hw"], copy["leo"]) for broker, copy in _copies(world).items()} == {
        "1": (960, 1000),
        "2": (960, 960),
        "3": (750, 750),
    }


@pytest.mark.parametrize("isr", [[1], [2]])
def test_a_partition_without_leader_waits_for_the_last_of_its_isr(isr: list[int]) -> None:
    brokers = [{"id": 1, "state": "down"}, {"id": 2, "state": "down"}, 3]
    initial = {"leader": "none", "isr": isr, "epoch": 4, "leo": 10, "lag": {"3": 2}}
    actions = [{"at": "5s", "do": "start 1"}, {"at": "25s", "do": "start 2"}]
    world = _run(initial, until_us=45_000_000, brokers=brokers, timeline=actions)
    assert _partition(world)["leader"] == isr[0]
    assert _partition(world)["epoch"] == 5
    assert _partition(world)["isr"] == [1, 2, 3]


def test_the_state_that_was_pasted_is_the_state_at_the_start() -> None:
    initial = {"leader": 2, "isr": [2, 3], "epoch": 7, "leo": 5}
    world = _run(initial, until_us=0, brokers=[{"id": 1, "state": "fenced"}, 2, 3])
    found = _partition(world)
    assert (found["leader"], found["epoch"], found["isr"]) == (2, 7, [2, 3])


def with_controllers(*states: str) -> dict[str, Any]:
    controllers = [{"id": 100 + at, "state": state} for at, state in enumerate(states)]
    return {
        "format": 1,
        "seed": 3,
        "until": "40s",
        "cluster": {"brokers": [1, 2, 3], "controllers": controllers, "config": {"min.insync.replicas": 2}},
        "topics": [{"name": "t", "assignment": [[1, 2, 3]]}],
        "timeline": [{"at": "5s", "do": "kill 1"}],
    }


def leader_after(document: dict[str, Any]) -> tuple[Any, Any]:
    world = build(load(document))
    world.run(40_000_000)
    view: Any = world.snapshot()
    return view["partitions"][0]["leader"], view["active"]


def test_a_controller_that_starts_down_has_no_vote() -> None:
    """QUO-1: with one of three down the rest elect; with two down nobody does, and the active one gives up (QUO-3)."""
    assert leader_after(with_controllers("down", "running", "running"))[0] == 2
    assert leader_after(with_controllers("down", "running", "down")) == (1, -1)


def test_a_controller_that_starts_down_votes_once_it_is_started() -> None:
    document = with_controllers("down", "running", "down")
    document["timeline"].append({"at": "8s", "do": "start 100"})
    leader, active = leader_after(document)
    assert leader == 2
    assert active in (100, 101)


def test_a_controller_that_starts_down_is_shown_so_and_never_leads_first() -> None:
    for seed in range(1, 8):
        view: Any = build(load({**with_controllers("down", "running", "running"), "seed": seed})).snapshot()
        assert view["controllers"]["100"]["process"] == "down"
        assert view["active"] in (101, 102)
