"""The longest stop that the application felt, and the parts that add up to it."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from simengine.explain.fact_index import FactIndex
from simengine.explain.longest_stop import longest_stop
from simengine.scenario import load
from simengine.verdict.outage import THETA_US
from simengine.world.world import World, build
from tests.engine.cluster import SECOND

SCENARIOS = Path(__file__).parent.parent / "scenarios"
CLUSTER: dict[str, Any] = {
    "format": 1,
    "cluster": {"brokers": [1, 2, 3], "controllers": [100]},
    "topics": [{"name": "t", "assignment": [[1, 2, 3]], "config": {"min.insync.replicas": 2}}],
    "producers": [{"id": "P", "topic": "t", "rate": 50, "acks": "all"}],
}


def run(until_s: int, *timeline: str, **fields: Any) -> World:
    steps = [{"at": one.split(" ", 1)[0], "do": one.split(" ", 1)[1]} for one in timeline]
    world = build(load(json.dumps({**CLUSTER, **fields, "timeline": steps})))
    world.run(until_s * SECOND)
    return world


def stop_of(world: World) -> dict[str, Any]:
    found = longest_stop(world, FactIndex(world.trace.decisive))
    assert found is not None
    return found


def test_the_parts_of_a_failover_add_up_to_what_the_producer_waited() -> None:
    found = stop_of(run(30, "12s kill 1"))
    assert (found["topic"], found["partition"], found["is_read"], found["is_open"]) == ("t", "t-0", False, False)
    assert found["us"] == found["until_us"] - found["from_us"] > 8 * SECOND
    assert sum(part["us"] for part in found["parts"]) == found["us"]
    detect = found["parts"][0]
    assert (detect["title"], detect["detail"]) == ("Detect", "broker.session.timeout.ms")
    assert detect["spans"][0][0] == 12 * SECOND
    spans = sorted(span for part in found["parts"] for span in part["spans"])
    assert spans[0][0] == found["from_us"] and spans[-1][1] == found["until_us"]
    assert all(before[1] == after[0] for before, after in pairwise(spans))


def test_a_stop_that_goes_on_ends_now_and_nobody_has_found_out() -> None:
    found = stop_of(run(15, "12s kill 1"))
    assert found["is_open"] and found["until_us"] == 15 * SECOND
    assert [part["detail"] for part in found["parts"] if part["name"] == "detect"] == ["nobody has found out yet"]


def test_a_detection_that_is_over_is_not_called_open() -> None:
    """The broker is back and registers before its session has run out: that elects another (REG-4)."""
    found = stop_of(run(40, "12s kill 1", "12.98s start 1"))
    details = [part["detail"] for part in found["parts"] if part["name"] == "detect"]
    assert not found["is_open"] and details == ["until its new process registered"]


def test_a_reader_whose_near_copy_hangs_is_not_said_to_wait_for_the_high_watermark() -> None:
    """S51: the leader has every record; the reader waits for its request to time out (FFR-3)."""
    world = build(load((SCENARIOS / "s51-the-near-copy-of-a-reader-hangs.yaml").read_bytes()))
    world.run(60 * SECOND)
    found = stop_of(world)
    reader = next(part for part in found["parts"] if part["name"] == "reader")
    assert found["is_read"] and reader["us"] > 15 * SECOND
    assert reader["detail"] == "finds its position and a broker that serves it, then fetches"


def test_a_group_without_a_position_has_a_stop_of_its_own() -> None:
    consumer = {"id": "C", "group": "g", "topics": ["t"], "config": {"auto.offset.reset": "none"}}
    found = stop_of(run(20, consumers=[consumer]))
    assert (found["is_read"], found["is_open"], found["until_us"]) == (True, True, 20 * SECOND)
    assert sum(part["us"] for part in found["parts"]) == found["us"] > 19 * SECOND


def test_a_detection_without_a_controller_is_no_session_timeout() -> None:
    quorum = {"brokers": [1, 2, 3], "controllers": [100, 101, 102]}
    steps = ("12s kill 1", "12s kill 100", "12s kill 101")
    for until_s, back in ((40, ()), (80, ("45s start 100",))):
        found = stop_of(run(until_s, *steps, *back, cluster=quorum))
        details = [part["detail"] for part in found["parts"] if part["name"] == "detect"]
        assert details == ["most of it without an active controller"]


def test_a_follower_cut_off_from_its_leader_is_found_out_by_its_lag() -> None:
    found = stop_of(run(60, "12s cut 1|3"))
    assert [part["detail"] for part in found["parts"] if part["name"] == "detect"] == ["replica.lag.time.max.ms"]


def test_partitions_that_stopped_alike_are_named() -> None:
    topics = [{"name": "t", "assignment": [[1, 2, 3], [1, 3, 2]], "config": {"min.insync.replicas": 2}}]
    found = stop_of(run(30, "12s kill 1", topics=topics))
    assert {found["partition"], *found["alike"]} == {"t-0", "t-1"}


def test_readers_come_first_only_where_they_waited_longer_than_writers_by_more_than_theta() -> None:
    readers = [{"id": "R", "group": "g", "topics": ["t"]}]
    assert not stop_of(run(30, "12s kill 1", consumers=readers))["is_read"]
    cut = stop_of(run(30, "12s cut R|1,2,3", consumers=readers))
    assert cut["is_read"] and cut["us"] > THETA_US
    assert sum(part["us"] for part in cut["parts"]) == cut["us"]


def test_a_slow_member_of_the_isr_is_named_though_no_server_is_down() -> None:
    found = stop_of(run(40, "1s slow 3 5"))
    slow = max(found["parts"], key=lambda part: part["us"])
    assert (slow["title"], slow["detail"]) == ("Broker 3 is in sync, but slow", "replica.lag.time.max.ms")


def test_a_leader_that_is_slow_to_serve_is_named() -> None:
    found = stop_of(run(25, "1s slow 1 serving 5"))
    assert "Broker 1 leads, and serves slowly" in [part["title"] for part in found["parts"]]


def test_a_calm_run_has_none() -> None:
    world = run(20)
    assert longest_stop(world, FactIndex(world.trace.decisive)) is None
