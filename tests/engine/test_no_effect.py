"""Actions that change nothing when their time comes are told, with the reason."""

import pytest

from simengine.facts.decisive import LinkChanged
from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import stated

CLUSTER = """
format: 1
cluster: {brokers: [{id: 1, rack: a}, {id: 2, rack: b}, {id: 3, rack: c}], controllers: [100, 101, 102]}
topics: [{name: orders, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}]
producers: [{id: writer, topic: orders, rate: 20, acks: all}, {id: other, topic: orders, state: closed, acks: all}]
consumers: [{id: reader, rack: b, group: g, topics: [orders]}]
timeline:
"""


def _run(*steps: str) -> World:
    lines = [f"  - {{at: {2 * (i + 1)}s, do: '{do}'}}\n" for i, do in enumerate(steps)]
    world = build(load(CLUSTER + "".join(lines)))
    world.run(2_000_000 * (len(steps) + 1))
    return world


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["start 2"], "it runs already"),
        (["pause 2", "start 2"], "it is paused, not down"),
        (["kill 2", "kill 2"], "it is down already"),
        (["kill 2", "stop 2"], "it is down already"),
        (["kill 2", "pause 2"], "it is down"),
        (["pause 2", "pause 2"], "it is paused already"),
        (["resume 2"], "it is not paused"),
        (["kill 2", "resume 2"], "it is down"),
        (["start 101"], "it runs already"),
        (["kill 101", "kill 101"], "it is down already"),
        (["kill-rack a", "kill-rack a"], "everything there is down already"),
        (["start-rack a"], "everything there runs already"),
        (["power-loss 2", "power-loss 2"], "it has no power already"),
        (["power-loss b", "power-loss b"], "it has no power already"),
        (["cut 1|2", "cut 1>2"], "these links are cut already"),
        (["heal 1|2"], "these links are whole"),
        (["heal"], "no link is cut or slow"),
        (["slow-link 1|2 0s"], "these links are at full speed"),
        (["slow-link 1|2 40ms", "slow-link 1>2 40ms"], "these links are that slow already"),
        (["slow 2 off"], "its fetches have no limit"),
        (["slow 2 5", "slow 2 5"], "its fetches have this limit already"),
        (["acks orders all"], "it is written so already"),
        (["rate writer 20"], "it has this rate already"),
        (["config orders min.insync.replicas 2"], "it has this value already"),
        (["config cluster min.insync.replicas 2"] * 2, "it has this value already"),
        (["open writer"], "it is open already"),
        (["close other"], "it is not open"),
        (["send other orders-0 3"], "it is not open"),
        (["crash reader", "commit reader"], "it is not open"),
        (["hold 7"], "it is not under way"),
        (["elect preferred orders-0"], "the controller refuses it: ELECTION_NOT_NEEDED"),
        (["create extra 3 1", "create extra 3 1"], "the controller refuses it: TOPIC_ALREADY_EXISTS"),
        (["reassign orders-0 cancel"], "the controller refuses it: NO_REASSIGNMENT_IN_PROGRESS"),
    ],
)
def test_the_last_action_changes_nothing_and_says_why(steps: list[str], reason: str) -> None:
    assert _run(*steps).without_effect() == {len(steps) - 1: reason}


@pytest.mark.parametrize(
    "steps",
    [
        ["kill 2", "power-loss 2"],
        ["pause 2", "kill 2"],
        ["kill 2", "start 2 empty"],
        ["cut 1|2", "heal 1>2", "heal"],
        ["cut 1>2", "cut 1|2"],
        ["slow-link 1|2 40ms", "heal 1>2", "heal"],
        ["acks orders 1", "acks orders all"],
        ["rate writer 0", "rate writer 20"],
        ["config orders min.insync.replicas 1", "config orders min.insync.replicas 2"],
        ["kill 1", "start 1", "elect preferred all"],
        ["kill-rack a", "start-rack a"],
        ["close writer", "open writer"],
        ["create extra 3 1"],
    ],
)
def test_an_action_that_changes_something_is_not_among_them(steps: list[str]) -> None:
    assert _run(*steps).without_effect() == {}


def test_two_actions_of_one_moment_are_looked_at_one_after_the_other() -> None:
    same = CLUSTER + "".join(f"  - {{at: 3s, do: {do}}}\n" for do in ("kill 2", "start 2", "start 2"))
    world = build(load(same))
    world.run(4_000_000)
    assert world.without_effect() == {2: "it runs already"}


def test_heal_ends_a_slow_link_as_it_ends_a_cut() -> None:
    run = _run("slow-link 1|2 40ms", "cut 1>2", "heal 1|2")
    one, other = run.cluster.by_id[1], run.cluster.by_id[2]
    assert [run.cluster.net.slowness(a, b) for a, b in ((one, other), (other, one))] == [0, 0]
    changes = [(fact.src, fact.dst, fact.cut, fact.slow_us) for fact in stated(run, LinkChanged)][-2:]
    assert changes == [(1, 2, 0, 0), (2, 1, 0, 0)]
