"""Replicas that start from nothing, where the document tells how large logs are (FET-18, FET-19)."""

from typing import Any

import pytest

from simengine.facts.decisive import BrokerRegistration, PartitionChanged, ReplicaGone
from simengine.kafka.shared.standing import STALLED
from simengine.scenario import DocumentError, load
from simengine.scenario.not_simulated import not_simulated
from simengine.world.world import World
from tests.engine.cluster import SECOND, copy_on, stated, world

SIZES = {"log_mb": 1_000, "copy_mb_per_s": 100}  # 10 s a log
BACK = [("10s", "kill 2"), ("45s", "start 2 empty after 1s")]  # long enough that it is no longer caught up
RATE = "follower.replication.throttled.rate"
LISTED = "follower.replication.throttled.replicas"
TEN_MB = 10_000_000


def topic(name: str, assignment: list[list[int]], **more: Any) -> dict[str, Any]:
    """A topic whose partitions have a log of 1,000 records each."""
    initial = {
        str(number): {"leader": replicas[0], "isr": sorted(replicas), "leo": 1_000}
        for number, replicas in enumerate(assignment)
    }
    return {"name": name, "assignment": assignment, "initial": initial, **more}


def cluster(timeline: list[tuple[str, str]], topics: list[dict[str, Any]] | None = None, **more: Any) -> World:
    """Brokers 0 to 3, and topic t of one partition on 0, 1, 2, unless said otherwise."""
    brokers: dict[str, Any] = {"brokers": [0, 1, 2, 3], "config": more.pop("config", {})}
    given = {
        "cluster": brokers,
        "topics": topics or [topic("t", [[0, 1, 2]])],
        "basis": SIZES,
        "timeline": [{"at": at, "do": do} for at, do in timeline],
    }
    return world(**{**given, **more})


def joined(run: World, broker: int) -> list[float]:
    """The times at which a broker entered each ISR, in seconds after the start."""
    found: list[float] = []
    isr = dict(enumerate(state.isr for topic in run.doc.topics for state in topic.initial.values()))
    for fact in stated(run, PartitionChanged):
        if broker in fact.isr and broker not in isr[int(fact.p)]:
            found.append(fact.t / SECOND)
        isr[int(fact.p)] = list(fact.isr)
    return found


def test_a_new_disk_takes_size_by_rate() -> None:
    run = cluster(BACK)
    run.run(52 * SECOND)
    assert 0 < copy_on(run, 2).log.leo < 1_000
    run.run(80 * SECOND)
    [at] = joined(run, 2)
    assert 56 <= at <= 60  # 10 s of copying after its start
    assert copy_on(run, 2).log.leo == 1_000


def test_without_sizes_a_new_disk_is_filled_at_once() -> None:
    run = cluster(BACK, basis=None)
    run.run(80 * SECOND)
    [at] = joined(run, 2)
    assert at < 50


def test_a_kept_disk_has_no_log_to_copy() -> None:
    run = cluster([("10s", "kill 2"), ("45s", "start 2 after 1s")])
    run.run(80 * SECOND)
    [at] = joined(run, 2)
    assert at < 50


def test_logs_share_the_rate_of_the_broker_that_copies_them() -> None:
    run = cluster(BACK, [topic("t", [[0, 1, 2], [1, 2, 0], [0, 2, 1]])])
    run.run(70 * SECOND)
    ends = [int(copy_on(run, 2, p).log.leo) for p in range(3)]
    assert max(ends) - min(ends) <= 100, "none waits for another"
    run.run(120 * SECOND)
    times = joined(run, 2)
    assert len(times) == 3
    assert 76 <= times[-1] <= 80  # 30 s of copying


def test_an_added_replica_copies_the_whole_log_and_the_old_one_goes_after_that() -> None:
    run = cluster([("10s", "reassign t-0 0,1,3")])
    run.run(60 * SECOND)
    [at] = joined(run, 3)
    assert 20 <= at <= 24
    [gone] = stated(run, ReplicaGone)
    assert (int(gone.broker), gone.t / SECOND >= at) == (2, True)


def test_a_copy_that_was_empty_at_the_start_has_the_log_to_copy() -> None:
    behind = topic("t", [[0, 1, 2]])
    behind["initial"]["0"] |= {"isr": [0, 1], "lag": {"2": 1_000}}
    run = cluster([], [behind])
    run.run(30 * SECOND)
    [at] = joined(run, 2)
    assert 10 <= at <= 14


def test_a_reassignment_that_was_under_way_goes_on_at_the_same_rate() -> None:
    moving = topic("t", [[0, 1, 3]])
    moving["initial"]["0"] |= {"isr": [0, 1], "adding": [3], "removing": [1], "lag": {"3": 500}}
    run = cluster([], [moving])
    run.run(30 * SECOND)
    [at] = joined(run, 3)
    assert 5 <= at <= 8


def test_a_copy_goes_on_where_it_stood_with_another_leader() -> None:
    run = cluster([*BACK, ("51s", "kill 0")])
    run.run(50 * SECOND)
    begun = int(copy_on(run, 2).log.leo)
    run.run(60 * SECOND)
    assert copy_on(run, 2).log.leo >= begun
    run.run(100 * SECOND)
    assert copy_on(run, 2).leader == 1
    [at] = joined(run, 2)
    assert at <= 71  # the 10 s of copying, and no more than the 10 s without a leader


def test_a_process_that_dies_keeps_what_it_copied() -> None:
    run = cluster([*BACK, ("51s", "kill 2"), ("60s", "start 2 after 1s")])
    run.run(59 * SECOND)
    begun = int(copy_on(run, 2).log.leo)
    assert 300 <= begun <= 600
    run.run(100 * SECOND)
    [at] = joined(run, 2)
    assert 65 <= at <= 72


def test_internal_topics_weigh_nothing() -> None:
    run = cluster(BACK, [topic("t", [[0, 1, 3]]), topic("__consumer_offsets", [[0, 1, 2]])])
    run.run(80 * SECOND)
    [at] = joined(run, 2)
    assert at < 50


def test_the_others_go_on_below_the_minimum_nobody_does() -> None:
    """Two replicas and a minimum of two: acks=all waits until the new disk is filled."""
    pair = topic("t", [[0, 2]], config={"min.insync.replicas": 2})
    run = cluster(BACK, [pair], producers=[{"id": "P", "topic": "t", "rate": 10}])
    run.run(100 * SECOND)
    topics: Any = run.verdict()["topics"]
    [told] = topics
    assert told["lost"] == 0
    assert 36 * SECOND <= told["write_down_all_us"] <= 52 * SECOND  # fenced at 17 to 20 s, in sync at 56 to 60 s


def test_a_broker_back_with_an_empty_disk_within_the_lag_time_holds_the_high_watermark() -> None:
    """HW-1: it still counts as caught up, until replica.lag.time.max.ms after its last fetch."""
    sizes = {"log_mb": 10_000, "copy_mb_per_s": 100}
    run = cluster(
        [("10s", "kill 2"), ("22s", "start 2 empty after 1s")],
        basis=sizes,
        producers=[{"id": "P", "topic": "t", "rate": 10}],
    )
    run.run(39 * SECOND)
    leader = copy_on(run, 0)
    held = int(leader.hw)
    assert held < leader.log.leo
    run.run(41 * SECOND)
    assert leader.hw > held
    *_, cause = [one for _, state, one in run.book.account(0).states if state == STALLED]
    assert stated(run, BrokerRegistration)[-1].seq == cause, "broker 2 was unfenced"


@pytest.mark.parametrize("where", ["cluster", "broker", "action"])
def test_the_throttle_of_the_follower_slows_what_its_topic_lists(where: str) -> None:
    timeline = [("5s", f"config broker.2 {RATE} {TEN_MB}")] if where == "action" else []
    run = cluster(
        [*timeline, *BACK],
        [topic("t", [[0, 1, 2]], config={LISTED: "0:2"})],
        cluster={
            "brokers": [0, 1, {"id": 2, "config": {RATE: TEN_MB} if where == "broker" else {}}, 3],
            "config": {RATE: TEN_MB} if where == "cluster" else {},
        },
    )
    run.run(200 * SECOND)
    [at] = joined(run, 2)
    assert 146 <= at <= 150  # 100 s at 10 MB/s


@pytest.mark.parametrize("listed", ["", "none", "0:1", "1:2"])
def test_a_throttle_without_the_replica_in_the_list_slows_nothing(listed: str) -> None:
    run = cluster(BACK, [topic("t", [[0, 1, 2]], config={LISTED: listed} if listed else {})], config={RATE: TEN_MB})
    run.run(80 * SECOND)
    [at] = joined(run, 2)
    assert at <= 60


def test_the_throttle_of_the_leader_counts_over_all_that_copy_from_it() -> None:
    config = {"leader.replication.throttled.rate": TEN_MB}
    listed = {"leader.replication.throttled.replicas": "*"}
    moves = [("10s", "reassign t-0 0,2"), ("10s", "reassign t-1 0,3")]
    run = cluster(moves, [topic("t", [[0, 1], [0, 1]], config=listed)], config=config)
    run.run(300 * SECOND)
    times = joined(run, 2) + joined(run, 3)
    assert 205 <= max(times) <= 215  # 2 GB leave broker 0 at 10 MB/s


def test_a_throttle_may_be_taken_away_while_it_works() -> None:
    run = cluster(
        [*BACK, ("60s", f"config cluster {RATE} 1000000000")],
        [topic("t", [[0, 1, 2]], config={LISTED: "*"})],
        config={RATE: TEN_MB},
    )
    run.run(200 * SECOND)
    [at] = joined(run, 2)
    assert 67 <= at <= 75


def test_a_list_of_throttled_replicas_is_read_as_kafka_reads_it() -> None:
    with pytest.raises(DocumentError, match=r"partition:broker"):
        cluster([], [topic("t", [[0, 1, 2]], config={LISTED: "0-2"})])


def test_a_throttle_without_sizes_is_told_to_have_no_effect() -> None:
    plain = {
        "format": 1,
        "cluster": {"brokers": [1, 2], "config": {RATE: TEN_MB}},
        "topics": [{"name": "t", "assignment": [[1, 2]]}],
    }
    [line] = not_simulated(load(plain))
    assert line == f"without effect here: {RATE} (the document does not tell how large its logs are)"
    assert not_simulated(load({**plain, "basis": SIZES})) == []
