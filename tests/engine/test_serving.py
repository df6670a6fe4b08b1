"""FLT-9: a broker whose responses to fetches carry so many records a second (``slow N serving``)."""

from typing import Any

import pytest

from simengine.facts.decisive import PartitionChanged, ServingChanged
from simengine.facts.traffic import CallsSettled
from simengine.world.world import World
from tests.engine.cluster import SECOND, facts, stated, world

TOPIC = {"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 1}}


def served(*timeline: tuple[str, str], rate: int = 40, **changes: Any) -> World:
    steps = [{"at": at, "do": do} for at, do in timeline]
    producers = [{"id": "P", "topic": "t", "rate": rate, "acks": 1, "config": {"linger.ms": 0}}]
    return world(topics=[TOPIC], producers=producers, timeline=steps, **changes)


def log_ends(run: World) -> list[int]:
    return [int(broker.replica(0).log.leo) for broker in run.cluster.brokers]  # type: ignore[union-attr]


@pytest.mark.parametrize("limit", [10, 20])
def test_all_followers_together_get_so_many_records_a_second(limit: int) -> None:
    run = served(("10s", f"slow 0 serving {limit}"))
    run.run(10 * SECOND)
    before = log_ends(run)
    run.run(30 * SECOND)
    leader, *followers = (now - then for now, then in zip(log_ends(run), before, strict=True))
    assert 790 <= leader <= 810
    assert 20 * limit // 2 <= sum(followers) <= 20 * limit + 20  # besides the response that is under way


def test_produce_requests_are_not_slowed() -> None:
    run = served(("10s", "slow 0 serving 5"))
    run.run(30 * SECOND)
    failed = [fact for fact in facts(run, CallsSettled) if fact.error]
    assert not failed
    assert run.verdict()["topics"][0]["acked"] >= 1190  # type: ignore[index]


def test_a_limit_above_the_traffic_changes_no_isr_and_a_consumer_reads_on() -> None:
    consumers = [{"id": "C", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}]
    run = served(("5s", "slow 0 serving 200"), rate=20, consumers=consumers)
    run.run(90 * SECOND)
    assert not [fact for fact in facts(run, PartitionChanged) if fact.t / SECOND > 1]
    assert run.cluster_parts.consumers[0].delivered_count > 1700


def test_the_followers_leave_the_isr_and_are_back_when_the_leader_serves_at_full_speed() -> None:
    run = served(("10s", "slow 0 serving 8"), ("70s", "slow 0 serving off"))
    run.run(69 * SECOND)
    assert run.cluster.quorum.image.partition(0).isr == [0]  # type: ignore[union-attr]
    run.run(80 * SECOND)
    assert sorted(run.cluster.quorum.image.partition(0).isr) == [0, 1, 2]  # type: ignore[union-attr]
    slowed = stated(run, ServingChanged)[0]
    left = next(fact for fact in stated(run, PartitionChanged) if fact.isr == [0])
    assert left.cause == slowed.seq


def test_a_new_limit_counts_for_the_response_under_way() -> None:
    """A thousand records at 1/s would take 1,000 s; at 500/s they take two seconds."""
    run = served(("5s", "cut 1|0"), ("20s", "slow 0 serving 1"), ("30s", "heal"), ("60s", "slow 0 serving 500"))
    run.run(60 * SECOND)
    assert log_ends(run)[0] - log_ends(run)[1] > 500
    run.run(75 * SECOND)
    assert log_ends(run)[0] - log_ends(run)[1] < 100
