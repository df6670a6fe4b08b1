"""Metrics under their JMX names equal what a reader of the facts counts by hand (MET-1..12)."""

from pathlib import Path
from typing import Any

import pytest

from simengine.facts.decisive import IsrRefused, PartitionChanged
from simengine.facts.errors import ERR_REQUEST_TIMED_OUT
from simengine.facts.kinds import MSG_PRODUCE_ANSWER, REASON_ALTER_PARTITION
from simengine.facts.traffic import Flight
from simengine.scenario import load
from simengine.scenario.expect.metrics import keys_of, partition_of
from simengine.scenario.metric_names import JMX
from simengine.world.world import World, build
from tests.engine.cluster import LAGGING, facts, stated

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def value(world: World, name: str, node: int) -> int:
    """One reading of one process."""
    found = [row for row in world.metrics(node) if keys_of(str(row["name"]))["name"] == name]
    assert len(found) == 1, f"{name} on {node}: {found}"
    return int(str(found[0]["value"]))


def running(world: World, view: Any) -> list[int]:
    """The brokers whose JMX answers."""
    return [int(b) for b, broker in view["brokers"].items() if world.metrics(int(b))]


def held_against_the_view(world: World) -> None:
    """Every gauge of every broker and of the active controller, counted anew from what the screen shows."""
    view: Any = world.snapshot()
    for broker in running(world, view):
        copies = [(p, p["copies"][str(broker)]) for p in view["partitions"] if str(broker) in p["copies"]]
        leads = [(p, copy) for p, copy in copies if copy["role"] == "leader"]
        assert value(world, "PartitionCount", broker) == len(copies)
        assert value(world, "LeaderCount", broker) == len(leads)
        if all(copy["pe"] == p["pe"] for p, copy in leads if "pe" in copy):
            missing = sum(len(p["replicas"]) - len(p["adding"]) > len(copy["isr"]) for p, copy in leads)
            assert abs(value(world, "UnderReplicatedPartitions", broker) - missing) <= behind(leads)
        ends = {
            partition_of(str(r["name"])): r["value"] for r in world.metrics(broker) if "LogEndOffset" in str(r["name"])
        }
        for p, copy in copies:
            topic = view["topics"][p["topic"]]["name"]
            assert ends[f"{topic}-{p['number']}"] == copy["leo"]
    active = view["active"]
    if active >= 0:
        leaders = [p["leader"] for p in view["partitions"]]
        astray = [p for p in view["partitions"] if p["leader"] != p["replicas"][0]]
        fenced = [b for b in view["brokers"].values() if b["registration"] == "fenced"]
        assert value(world, "ActiveControllerCount", active) == 1
        assert value(world, "OfflinePartitionsCount", active) == leaders.count(-1)
        assert value(world, "PreferredReplicaImbalanceCount", active) == len(astray)
        assert value(world, "FencedBrokerCount", active) == len(fenced)
        assert value(world, "ActiveBrokerCount", active) == len(view["brokers"]) - len(fenced)


def behind(leads: list[Any]) -> int:
    """Leaders that have not heard yet who replicates their partition (only a reassignment changes that)."""
    return sum(1 for p, _ in leads if p["adding"] or p["removing"])


@pytest.mark.parametrize(
    "name", ["s08-leader-dies", "s19-isr-shrink-and-expand", "s26-zombie", "s36-reassignment", "s12-rolling-restart"]
)
def test_gauges_equal_a_count_of_what_the_screen_shows_at_any_moment(name: str) -> None:
    document = load((SCENARIOS / f"{name}.yaml").read_bytes())
    world = build(document)
    for moment in range(0, document.until_us + 1, 250_000):
        world.run(moment)
        held_against_the_view(world)


def test_counters_count_only_what_the_leader_proposed() -> None:
    world = build(load((SCENARIOS / "s08-leader-dies.yaml").read_bytes()))
    world.run(79_000_000)
    changes = stated(world, PartitionChanged)
    proposed = [change for change in changes if change.reason == REASON_ALTER_PARTITION]
    assert len(changes) > len(proposed) == value(world, "IsrExpandsPerSec", 1)
    assert value(world, "IsrShrinksPerSec", 1) == 0


def test_a_refused_change_of_the_isr_is_counted_as_failed_by_the_leader_that_asked() -> None:
    """MET-5: the reassignment took the replica away that the leader wanted to add."""
    world = build(load((SCENARIOS / "s36-reassignment.yaml").read_bytes()))
    world.run(120_000_000)
    assert [fact.broker for fact in stated(world, IsrRefused)] == [0]
    failed = {broker: value(world, "FailedIsrUpdatesPerSec", broker) for broker in running(world, world.snapshot())}
    assert failed == {broker: int(broker == 0) for broker in failed}


def test_a_write_that_waited_in_vain_for_its_followers_is_counted_as_expired() -> None:
    """MET-12: acks=all with too few in sync when the broker's patience ends, counted once by its leader."""
    world = build(load((SCENARIOS / "s03b-failed-is-no-proof-of-absence.yaml").read_bytes()))
    world.run(60_000_000)
    expired = {broker: value(world, "ExpiresPerSec", broker) for broker in running(world, world.snapshot())}
    assert expired == {broker: int(broker == 0) for broker in expired}


def test_a_process_that_is_down_says_nothing_and_counts_anew_when_it_is_back() -> None:
    world = build(load((SCENARIOS / "s19-isr-shrink-and-expand.yaml").read_bytes()))
    world.run(79_000_000)
    assert value(world, "IsrShrinksPerSec", 0) == 1
    world.act(79_100_000, "kill 0")
    world.act(80_000_000, "start 0")
    world.run(79_500_000)
    assert world.metrics(0) == []
    world.run(110_000_000)
    assert value(world, "IsrShrinksPerSec", 0) == 0


def test_the_lag_of_a_follower_is_counted_against_the_high_watermark_its_leader_told() -> None:
    world = build(load(LAGGING))
    world.run(12_500_000)
    lags = []
    for second in range(13, 40):
        world.run(second * 1_000_000)
        lags.append(value(world, "MaxLag", 2))
        if lags[-1]:
            assert value(world, "ConsumerLag", 2) == lags[-1]
    assert max(lags) >= 3000
    falling = lags[lags.index(max(lags)) :]
    assert falling == sorted(falling, reverse=True)
    assert lags[-1] == 0


CUT_OFF = """
format: 1
title: a standby controller is cut off and misses a fencing
until: 60s
cluster: {brokers: [{id: 0}, {id: 1}, {id: 2}], controllers: [100, 101, 102], active: 100}
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 1}}]
timeline:
  - {at: 10s, do: "cut 102|0,1,2,100,101"}
  - {at: 12s, do: kill 0}
  - {at: 40s, do: heal}
  - {at: 45s, do: kill 101}
  - {at: 46s, do: start 101}
"""


def test_every_controller_publishes_the_metadata_that_it_has() -> None:
    """MET-7..9: a standby reports as the active one does; one that is cut off, what it knew."""
    world = build(load(CUT_OFF.encode()))
    world.run(9_000_000)
    assert [value(world, "ActiveBrokerCount", node) for node in (100, 101, 102)] == [3, 3, 3]
    assert [value(world, "ActiveControllerCount", node) for node in (100, 101, 102)] == [1, 0, 0]
    world.run(39_000_000)
    assert [value(world, "FencedBrokerCount", node) for node in (100, 101, 102)] == [1, 1, 0]
    assert [value(world, "PreferredReplicaImbalanceCount", node) for node in (100, 101, 102)] == [1, 1, 0]
    world.run(44_000_000)
    assert [value(world, "FencedBrokerCount", node) for node in (100, 101, 102)] == [1, 1, 1]


def test_every_controller_counts_the_elections_that_its_process_has_seen() -> None:
    """MET-10: a standby that starts anew loads the log, and counts only what comes after."""
    document = (SCENARIOS / "s25-election-after-a-lag-shrink.yaml").read_bytes()
    world = build(load(document))
    name = "ElectionFromEligibleLeaderReplicasPerSec"
    world.run(load(document).until_us)
    view: Any = world.snapshot()
    active = int(view["active"])
    standby = next(node for node in (100, 101, 102) if node != active)
    assert (value(world, name, active), value(world, name, standby)) == (1, 1)
    world.act(world.now_us + 1_000_000, f"kill {standby}")
    world.act(world.now_us + 2_000_000, f"start {standby}")
    world.run(world.now_us + 10_000_000)
    assert (value(world, name, active), value(world, name, standby)) == (1, 0)


def test_an_expectation_may_name_every_metric_there_is_and_no_other() -> None:
    world = build(load((SCENARIOS / "s10-unreplicated-data.yaml").read_text()))
    world.run(5_000_000)
    assert sorted({keys_of(str(row["name"]))["name"] for row in world.metrics()}) == sorted(JMX)


@pytest.mark.parametrize(
    ("name", "leader", "until_s", "expired"),
    [
        ("s03a-isr-falls-after-the-append", 0, 60, 1),
        ("s24-brokers-only-partition", 0, 89, 2),
        ("s38-no-quorum", 0, 59, 1),
    ],
)
def test_expired_writes_are_those_that_clients_were_told_of(name: str, leader: int, until_s: int, expired: int) -> None:
    """MET-12, counted from the messages; these producers are patient enough to hear of every one."""
    document = load((SCENARIOS / f"{name}.yaml").read_bytes())
    world = build(document)
    world.trace.keep_traffic = True
    world.run(until_s * 1_000_000)
    answers = [one for one in facts(world, Flight) if one.msg == MSG_PRODUCE_ANSWER and one.src == leader]
    told = [one for one in answers if one.mark == ERR_REQUEST_TIMED_OUT]
    assert value(world, "ExpiresPerSec", leader) == len(told)
    assert 1 <= len(told) <= expired
