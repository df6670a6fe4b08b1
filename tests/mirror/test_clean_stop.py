"""``stop mirror-maker``: positions are stored, the worker leaves its group; nothing is copied twice (MM-1)."""

from simengine.facts.decisive import MirrorProcessChanged
from simengine.facts.kinds import PROCESS_NAMES
from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import stated
from tests.mirror.documents import mirrored

SECOND = 1_000_000


def after(seconds: int, *entries: tuple[str, str]) -> World:
    world = build(load(mirrored(timeline=[{"at": at, "do": do} for at, do in entries])))
    world.run(seconds * SECOND)
    return world


def states(world: World) -> list[tuple[str, float]]:
    return [(PROCESS_NAMES[fact.state], fact.t / SECOND) for fact in stated(world, MirrorProcessChanged)]


def doubled(world: World) -> int:
    made = int(world.mirrors.flows()[0].flow.partitions[0].copied.made)
    return made - int(world.mirrors.flows()[0].flow.partitions[0].copied.upstream_of(made - 1)) - 1


def test_a_clean_stop_doubles_nothing_and_the_next_worker_need_not_wait_for_a_session() -> None:
    world = after(30, ("10s", "stop mirror-maker"), ("15s", "start mirror-maker after 1s"))
    (stopping, down, starting, running) = states(world)
    assert [stopping[0], down[0], starting[0], running[0]] == ["stopping", "down", "starting", "running"]
    assert down[1] - stopping[1] < 1
    world.run(30 * SECOND)
    copied = world.mirrors.flows()[0].flow.partitions[0].copied
    assert int(copied.made) > 1400
    assert doubled(world) == 0
    assert (
        int(world.mirrors.flows()[0].book.of(world.cluster_runs[0].parts.partition_index["orders", 0]).at) > 29 * SECOND
    )


def test_a_kill_at_the_same_moments_doubles_what_was_not_stored() -> None:
    world = after(30, ("10s", "kill mirror-maker"), ("15s", "start mirror-maker after 1s"))
    assert doubled(world) > 400


def test_the_tasks_run_within_a_second_of_the_start() -> None:
    """After a kill the group holds the dead member for its session of 10 s."""
    for verb, is_quick in (("stop", True), ("kill", False)):
        world = after(18, ("10s", f"{verb} mirror-maker"), ("12s", "start mirror-maker after 1s"))
        copied = world.mirrors.flows()[0].book.of(world.cluster_runs[0].parts.partition_index["orders", 0])
        assert (int(copied.at) > 17 * SECOND) is is_quick, verb


def test_a_stop_that_cannot_reach_the_target_ends_after_its_time() -> None:
    world = after(40, ("10s", "cut mirror-maker|west"), ("12s", "stop mirror-maker"))
    (stopping, down) = states(world)
    assert 9 <= down[1] - stopping[1] <= 16


def test_a_paused_process_stops_when_it_goes_on() -> None:
    world = after(20, ("10s", "pause mirror-maker"), ("12s", "stop mirror-maker"), ("15s", "resume mirror-maker"))
    assert [state for state, _ in states(world)] == ["paused", "running", "stopping", "down"]


def test_a_second_stop_changes_nothing() -> None:
    entries = ("9s", "cut mirror-maker|west"), ("10s", "stop mirror-maker"), ("11s", "stop mirror-maker")
    assert after(12, *entries).without_effect() == {2: "it is stopping already"}
