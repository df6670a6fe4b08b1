"""Every broker goes by its own server properties, and by what is set for it while it runs (HW-3, ISR-2)."""

from typing import Any

from simengine.facts.kinds import FLIGHT, MSG_FETCH
from simengine.facts.traffic import Flight
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked
from tests.engine.cluster import facts


def cluster(timeline: list[tuple[str, str]], config: dict[int, dict[str, Any]], topic: dict[str, Any]) -> World:
    """Three brokers, ELR off, two partitions led by 1 and by 2."""
    brokers = [{"id": i, "config": config.get(i, {})} for i in (1, 2, 3)]
    return checked(
        load(
            {
                "format": 1,
                "elr": False,
                "until": "5m",
                "cluster": {"brokers": brokers},
                "topics": [{"name": "t", "assignment": [[1, 3], [2, 3]], "config": topic}],
                "producers": [{"id": "P", "topic": "t", "rate": 20}],
                "phases": {"isr-check": {1: "1s", 2: "1s", 3: "1s"}},
                "timeline": [{"at": at, "do": do} for at, do in timeline],
            }
        )
    )


def min_isr(world: World) -> list[int]:
    """M as the leaders of both partitions resolve it."""
    found = [world.cluster.by_id[leader].replica(p) for p, leader in ((0, 1), (1, 2))]
    return [int(replica.min_isr) for replica in found if replica is not None]


def test_a_brokers_own_property_holds_for_the_partitions_it_leads() -> None:
    assert min_isr(cluster([], {1: {"min.insync.replicas": 2}}, {})) == [2, 1]


def test_the_topics_own_value_goes_over_all_others() -> None:
    world = cluster(
        [("1s", "config broker.2 min.insync.replicas 2")], {1: {"min.insync.replicas": 2}}, {"min.insync.replicas": 1}
    )
    world.run(3_000_000)
    assert min_isr(world) == [1, 1]


def test_what_is_set_for_a_broker_while_it_runs_holds_there_alone() -> None:
    world = cluster([("1s", "config broker.2 min.insync.replicas 2")], {}, {})
    world.run(3_000_000)
    assert min_isr(world) == [1, 2]


def test_a_default_set_while_the_cluster_runs_goes_over_server_properties() -> None:
    world = cluster([("1s", "config cluster min.insync.replicas 1")], {1: {"min.insync.replicas": 2}}, {})
    world.run(3_000_000)
    assert min_isr(world) == [1, 1]


def test_a_setting_leaves_the_others_of_its_broker_and_of_its_topic_as_they_were() -> None:
    """HW-3, UNC-1: also where a setting is made twice, and where the topic had it from the document."""
    own = [
        ("1s", "config broker.2 min.insync.replicas 2"),
        ("2s", "config broker.2 unclean.leader.election.enable true"),
    ]
    world = cluster(own, {}, {})
    world.run(3_000_000)
    assert min_isr(world) == [1, 2]
    world = cluster([("1s", "config t unclean.leader.election.enable true")], {}, {"min.insync.replicas": 2})
    world.run(3_000_000)
    assert min_isr(world) == [2, 2]
    assert world.cluster.quorum.image.unclean(0)


def test_a_leader_refuses_by_its_own_minimum() -> None:
    world = cluster([("5s", "kill 3")], {2: {"min.insync.replicas": 2}}, {})
    world.run(60_000_000)
    assert min_isr(world) == [1, 2]
    view: Any = world.snapshot()
    assert view["partitions"][0]["copies"]["1"]["leo"] > view["partitions"][1]["copies"]["2"]["leo"]


def test_a_leader_drops_a_follower_by_its_own_lag_time() -> None:
    world = cluster([("5s", "cut 3|1,2")], {2: {"replica.lag.time.max.ms": 10_000}}, {})
    world.run(24_000_000)
    view: Any = world.snapshot()
    assert [partition["isr"] for partition in view["partitions"]] == [[1, 3], [2]]
    world.run(60_000_000)
    view = world.snapshot()
    assert [partition["isr"] for partition in view["partitions"]] == [[1], [2]]


def test_a_fetch_waits_as_long_as_its_follower_says_not_its_leader() -> None:
    waits = {1: {"replica.fetch.wait.max.ms": 7_000}, 3: {"replica.fetch.wait.max.ms": 2_000}}
    world = cluster([("1s", "close P")], waits, {})
    world.run(10_000_000)
    world.trace.keep_kinds([FLIGHT])
    world.run(50_000_000)
    fetches = [(one.src, one.dst) for one in facts(world, Flight) if one.msg == MSG_FETCH]
    assert fetches.count((3, 1)) in (19, 20)
    assert fetches.count((3, 2)) in (19, 20)
