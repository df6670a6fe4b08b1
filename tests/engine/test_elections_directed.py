"""Unclean elections, the hold of the high watermark, and the release of a delayed fetch, each by its outcome."""

from typing import Any

import pytest

from simengine.facts.decisive import PartitionChanged, RequestRefused
from simengine.facts.kinds import REASON_FENCED
from simengine.facts.traffic import HwMoved
from simengine.kafka.broker.metadata_publisher import apply_metadata
from simengine.kafka.shared.metadata import partition_record
from simengine.world.world import World
from tests.engine.cluster import SECOND, facts, world

CONFIG = {"min.insync.replicas": 1}
FOUR = {"brokers": [0, 1, 2, 3], "controllers": [100, 101, 102]}


def stranded(cluster: dict[str, Any] | None = None, profile: str = "4.2", *then: dict[str, str]) -> World:
    """Broker 0 led t-0 alone and is dead; 1, outside the ISR, is back; unclean is allowed since 40 s."""
    return world(
        profile=profile,
        cluster={
            "brokers": [0, 1],
            "controllers": [100],
            "config": {"leader.imbalance.check.interval.seconds": 20, "unclean.leader.election.interval.ms": 100_000},
            **(cluster or {}),
        },
        phases={"preferred": "10s", "unclean": "100s"},
        topics=[{"name": "t", "assignment": [[0, 1]], "config": dict(CONFIG)}],
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        timeline=sorted(
            [
                {"at": "1s", "do": "kill 1"},
                {"at": "15s", "do": "kill 0"},
                {"at": "17s", "do": "start 1"},
                {"at": "40s", "do": "config t unclean.leader.election.enable true"},
                *then,
            ],
            key=lambda action: int(action["at"][:-1]),
        ),
    )


def elections(run: World) -> list[tuple[float, int, int]]:
    """(time, leader, kind of election) of each change of t-0 after 41 s."""
    found = [(f.t / SECOND, f.leader, f.election) for f in facts(run, PartitionChanged)]
    return [f for f in found if f[0] > 41]


# -- UNC-1..3, PREF-2, ELEC-6


def test_a_preferred_election_is_never_unclean() -> None:
    """PREF-2, UNC-2: neither the tick nor a request elects from outside the ISR, whatever the topic allows."""
    run = stranded(None, "4.2", {"at": "70s", "do": "elect preferred t-0"})
    run.run(99 * SECOND)
    refused = facts(run, PartitionChanged, RequestRefused)
    assert [type(f) for f in refused if f.t / SECOND > 41] == [RequestRefused]
    run.run(101 * SECOND)
    assert [leader for _, leader, _ in elections(run)] == [1]


def test_older_clusters_have_no_periodic_unclean_election() -> None:
    """UNC-2: Kafka 3.7 elects on request, and when a broker is unfenced."""
    run = stranded(None, "3.7", {"at": "250s", "do": "elect unclean t-0"})
    run.run(249 * SECOND)
    assert elections(run) == []
    run.run(251 * SECOND)
    assert [leader for _, leader, _ in elections(run)] == [1]


def test_the_unfencing_of_any_broker_tries_all_leaderless_partitions() -> None:
    """ELEC-6, UNC-1: broker 2 holds no replica of t-0; its return lets 1 lead."""
    run = stranded({"brokers": [0, 1, 2]}, "4.2", {"at": "20s", "do": "kill 2"}, {"at": "60s", "do": "start 2"})
    run.run(99 * SECOND)
    found = elections(run)
    assert [leader for _, leader, _ in found] == [1]
    assert 60 < found[0][0] < 99


def test_a_reassignment_elects_nobody_uncleanly() -> None:
    """REA-1: the new list brings no leader from outside the ISR."""
    run = stranded(None, "4.2", {"at": "70s", "do": "reassign t-0 1,0"})
    run.run(99 * SECOND)
    assert [leader for _, leader, _ in elections(run) if leader >= 0] == []


def test_a_cancelled_reassignment_goes_back_to_the_first_of_the_originals() -> None:
    """REA-6: only the joiner was in the ISR; unclean elections are allowed, so the ISR becomes [0], which is back."""
    run = world(
        cluster={"brokers": [0, 1, 2], "controllers": [100]},
        topics=[
            {
                "name": "t",
                "assignment": [[0, 1]],
                "config": {"min.insync.replicas": 1, "unclean.leader.election.enable": True},
            }
        ],
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        timeline=[
            {"at": "2s", "do": "kill 1"},
            {"at": "15s", "do": "reassign t-0 0,1,2"},
            {"at": "25s", "do": "kill 0"},
            {"at": "50s", "do": "start 0"},
            {"at": "50s", "do": "cut 0|2"},
            {"at": "60s", "do": "reassign t-0 cancel"},
        ],
    )
    run.run(59 * SECOND)
    assert [f.isr for f in facts(run, PartitionChanged)][-1] == [2]
    run.run(61 * SECOND)
    last = facts(run, PartitionChanged)[-1]
    assert (last.leader, last.isr, last.replicas) == (0, [0], [0, 1])
    assert last.election == 1, "0 is in the ISR that the cancellation writes: a clean election"


# -- HW-1, ISR-4, ISR-6


@pytest.mark.parametrize("at", [5, 45])
def test_a_replica_that_never_fetched_does_not_hold_the_high_watermark(at: int) -> None:
    """HW-1: early in a run, when no time is longer ago than the lag, as later."""
    run = world(
        cluster=FOUR,
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        timeline=[{"at": f"{at - 1}s", "do": "cut 0|3"}, {"at": f"{at}s", "do": "reassign t-0 0,1,2,3"}],
    )
    run.run((at + 1) * SECOND)
    facts(run)
    run.run((at + 6) * SECOND)
    assert len(facts(run, HwMoved)) > 40


# -- FET-8


@pytest.mark.parametrize(("leader", "epochs", "is_parked"), [(0, 0, True), (1, 1, False)])
def test_the_end_of_a_leadership_releases_parked_fetches_and_a_change_of_the_isr_does_not(
    leader: int, epochs: int, is_parked: bool
) -> None:
    """FET-8, FET-10: on an idle partition the followers learn of a high watermark when their wait is over."""
    run = world()
    run.run(5 * SECOND)
    broker = run.cluster.by_id[0]
    session = broker.sessions[1]
    while not session._is_parked:
        run.run(run.now_us + 1_000)
    known = broker.image.partition(0)
    assert known is not None
    change = known.copy()
    change.isr, change.leader = [0, 1], leader
    change.epoch, change.pe = known.epoch + epochs, known.pe + 1
    apply_metadata(broker, [partition_record(change, REASON_FENCED, 0, 0)])
    assert session._is_parked == is_parked


def figures(run: World) -> dict[str, Any]:
    topics: Any = run.verdict()["topics"]
    return dict(topics[0])


# -- HW-9, PROD-11, and what the verdict makes of it


def test_a_setting_in_mid_run_stops_writes_and_the_retry_after_it_was_taken_back_moves_them_on() -> None:
    """HW-2, HW-9, PROD-11: M is raised above the ISR from 20 s to 40 s; the repeated batch is tried against the new M.

    Nothing changes when M is lowered: the first request after it, 30 s after the one that waits, moves the mark.
    """
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        timeline=[
            {"at": "1s", "do": "kill 2"},
            {"at": "20s", "do": "config t min.insync.replicas 3"},
            {"at": "40s", "do": "config t min.insync.replicas 1"},
        ],
    )
    run.run(19 * SECOND)
    before = figures(run)["write_down_all_us"]
    run.run(39 * SECOND)
    stopped = figures(run)
    run.run(80 * SECOND)
    assert 18_000_000 < stopped["write_down_all_us"] - before < 19_000_000, "a change of M counts when it is made"
    assert stopped["acked"] < 217, "10 a second until the leader has applied the new M, at the slowest 1.6 s later"
    assert figures(run)["acked"] > 700
