"""The cause of stalled writes is the member of the ISR that is waited for (HW-3), not one that keeps up."""

from typing import Any

from simengine.scenario import load
from simengine.world.world import build

DOCUMENT = """
format: 1
until: 20s
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1, 2]], initial: {0: {leader: 0, isr: [0, 1, 2], leo: 1}}}]
producers: [{id: P, topic: t, acks: all}]
timeline: [{at: 1s, do: slow 1 40}, {at: 3s, do: kill 2}]
"""


def test_a_slow_member_that_keeps_up_does_not_cause_the_stop_of_a_dead_one() -> None:
    world = build(load(DOCUMENT.encode()))
    world.run(20_000_000)
    verdict: Any = world.verdict()
    [topic] = [one for one in verdict["topics"] + verdict["others"] if one["topic"] == "t"]
    assert topic["write_down_all_us"] > 5_000_000
    assert topic["deciding"]["t"] == 3_000_000


SHUTDOWNS = """
format: 1
until: 40s
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, acks: all, rate: 10}]
timeline: [{at: 5s, do: stop 0}, {at: 10s, do: stop 1}]
"""


def test_a_shutdown_that_leaves_too_few_in_sync_is_the_cause_not_the_election_that_came_with_it() -> None:
    """PROD-2, SHUT-2."""
    world = build(load(SHUTDOWNS.encode()))
    world.run(40_000_000)
    verdict: Any = world.verdict()
    [topic] = [one for one in verdict["topics"] if one["topic"] == "t"]
    assert topic["deciding"]["t"] == 10_000_000
    assert "broker 1" in topic["deciding"]["text"].lower()
    assert "leader" not in topic["deciding"]["text"]


JOINS = """
format: 1
until: 90s
seed: 4
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: t, assignment: [[2, 3, 1]]}]
producers: [{id: P, topic: t, acks: all, rate: 20}]
timeline: [{at: 10s, do: kill 1}, {at: 30s, do: slow 1 5}, {at: 31s, do: start 1}]
"""


def test_a_slow_broker_that_may_join_the_isr_is_the_cause_not_a_change_of_the_isr() -> None:
    """HW-1, third set: outside the ISR, it was caught up once and holds the high watermark for 30 s."""
    world = build(load(JOINS.encode()))
    world.run(90_000_000)
    verdict: Any = world.verdict()
    [topic] = [one for one in verdict["topics"] if one["topic"] == "t"]
    assert topic["stop_since_us"] > 30_000_000
    assert (topic["deciding"]["t"], topic["deciding"]["text"]) == (
        30_000_000,
        "broker 1 was held to 5 records/s of fetches",
    )
