"""Consumers against the real brokers (CON-1..9)."""

import itertools
from typing import Any

from simengine.facts.decisive import ConsumerError, ConsumerReset
from simengine.facts.errors import ERR_LOG_TRUNCATION, ERR_NO_OFFSET_FOR_PARTITION
from simengine.facts.traffic import Delivered, Flight, OffsetCommitted
from tests.engine.cluster import SECOND, delivered, facts, world

PRODUCER = {"id": "P", "topic": "t", "rate": 0, "acks": "all", "config": {"linger.ms": 0, "batch.size": 1}}


def consumer(**config: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"id": "C", "partitions": [["t", 0]], "config": {}}
    for key in ("group", "rack", "state", "via"):
        if key in config:
            found[key] = config.pop(key)
    found["config"] = {key.replace("_", "."): value for key, value in config.items()}
    return found


def at(*steps: tuple[float, str]) -> list[dict[str, str]]:
    return [{"at": f"{int(second * 1000)}ms", "do": verb} for second, verb in steps]


def test_every_record_is_delivered_once_and_in_order() -> None:
    """CON-1."""
    run = world(producers=[PRODUCER | {"rate": 20}], consumers=[consumer(auto_offset_reset="earliest")])
    run.run(10 * SECOND)
    got = delivered(run)
    assert [offset for offset, _ in got] == list(range(len(got)))
    assert 195 <= len(got) <= 200


def test_latest_starts_at_the_end_and_earliest_at_the_start() -> None:
    run = world(
        producers=[PRODUCER],
        consumers=[
            consumer(auto_offset_reset="earliest", state="closed"),
            consumer(auto_offset_reset="latest", state="closed") | {"id": "D"},
        ],
        timeline=at((1, "send P t-0 5"), (2, "open C"), (2, "open D"), (4, "send P t-0 1")),
    )
    run.run(6 * SECOND)
    resets = facts(run, ConsumerReset, Delivered)
    starts = sorted((r.client, r.new, r.why) for r in resets if isinstance(r, ConsumerReset))
    assert starts == [(1, 0, 1), (2, 5, 2)]
    assert sum(r.count for r in resets if isinstance(r, Delivered) and r.client == 2) == 1


def test_without_reset_policy_and_commit_poll_throws_once_and_nothing_is_delivered() -> None:
    run = world(producers=[PRODUCER | {"rate": 10}], consumers=[consumer(auto_offset_reset="none", group="g")])
    run.run(30 * SECOND)
    found = facts(run, ConsumerError, Delivered)
    assert [(type(f), f.error) for f in found] == [(ConsumerError, ERR_NO_OFFSET_FOR_PARTITION)]


def test_the_exception_for_a_missing_offset_comes_again_after_polls_that_the_coordinator_let_wait() -> None:
    """CON-8: f043, f055 and 19 more; every poll throws it, and only one that returned nothing stands between two."""
    run = world(
        consumers=[consumer(auto_offset_reset="none", group="g")],
        topics=[
            {"name": "t", "assignment": [[0, 1, 2]]},
            {"name": "__consumer_offsets", "assignment": [[1, 0, 2]]},
        ],
        timeline=at((5, "pause 1"), (6, "resume 1"), (9, "kill 1")),
    )
    run.run(40 * SECOND)
    times = [found.t / SECOND for found in facts(run, ConsumerError)]
    assert len(times) == 3
    assert times[0] < 5
    assert 6 <= times[1] < 8
    assert 16 < times[2] < 25


def test_a_restarted_consumer_resumes_at_its_last_commit_and_sees_records_again() -> None:
    """CON-6, S41."""
    run = world(
        producers=[PRODUCER],
        consumers=[consumer(auto_offset_reset="earliest", enable_auto_commit=False, group="g")],
        timeline=at((1, "send P t-0 10"), (3, "commit C t-0 5"), (4, "crash C"), (5, "open C")),
    )
    run.run(4 * SECOND)
    assert [offset for offset, _ in delivered(run)] == list(range(10))
    run.run(8 * SECOND)
    assert [offset for offset, _ in delivered(run)] == list(range(5, 10))


def test_what_the_offsets_log_held_before_the_run_is_nobodys_commit() -> None:
    """CON-6: its records have no content here, wherever they stand; commits of the run behind them are read."""
    logs = {broker: {"leo": 9, "epochs": [[0, 0], [3, 2]]} for broker in (0, 1, 2)}
    kept = {"0": {"leader": 0, "epoch": 3, "isr": [0, 1, 2], "logs": logs}}
    run = world(
        producers=[PRODUCER],
        consumers=[consumer(auto_offset_reset="earliest", enable_auto_commit=False, group="g")],
        topics=[
            {"name": "t", "assignment": [[0, 1, 2]]},
            {"name": "__consumer_offsets", "assignment": [[0, 1, 2]], "initial": kept},
        ],
        timeline=at((1, "send P t-0 10"), (3, "commit C t-0 5"), (4, "crash C"), (5, "open C")),
    )
    run.run(8 * SECOND)
    assert [offset for offset, _ in delivered(run)] == [*range(10), *range(5, 10)]


def test_auto_commit_stores_the_position_every_five_seconds_and_on_close() -> None:
    """CON-6."""
    run = world(
        producers=[PRODUCER | {"rate": 10}],
        consumers=[consumer(auto_offset_reset="earliest", group="g")],
        timeline=at((12, "close C"), (13, "open C")),
    )
    run.run(12 * SECOND + SECOND // 2)
    commits = facts(run, OffsetCommitted)
    assert [round(c.t / SECOND) for c in commits] == [5, 10, 12]
    run.run(14 * SECOND)
    first = next(f for f in facts(run, ConsumerReset))
    assert first.why == 4
    assert first.new == commits[-1].offset


def test_commits_wait_for_the_coordinator_while_the_offsets_partition_is_below_min_isr() -> None:
    """CON-6: COORDINATOR_NOT_AVAILABLE, retried until it is there."""
    run = world(
        cluster={"brokers": [0, 1, 2], "controllers": [100], "config": {"min.insync.replicas": 2}},
        producers=[PRODUCER],
        consumers=[consumer(auto_offset_reset="earliest", enable_auto_commit=False, group="g")],
        timeline=at((1, "send P t-0 3"), (3, "kill 1"), (3, "kill 2"), (20, "commit C"), (25, "start 1 after 1s")),
    )
    run.run(24 * SECOND)
    assert facts(run, OffsetCommitted) == []
    run.run(60 * SECOND)
    assert [c.offset for c in facts(run, OffsetCommitted)] == [3]


def test_after_an_unclean_election_a_consumer_goes_back_to_the_end_of_the_common_log() -> None:
    """CON-3, CON-4, S14."""
    run = unclean("earliest")
    run.run(100 * SECOND)
    found = facts(run, ConsumerReset, Delivered)
    reset = [f for f in found if isinstance(f, ConsumerReset) and f.why == 3]
    assert [(f.old, f.new) for f in reset] == [(6, 4)]
    last = found[-1]
    assert (type(last), last.offset, last.count) == (Delivered, 4, 1)


def test_without_reset_policy_truncation_is_thrown_and_again_after_30_s() -> None:
    """CON-4 as measured: one exception out of poll, the position stays, the validation repeats after 30 s."""
    run = unclean("none")
    run.run(150 * SECOND)
    found = facts(run, ConsumerError, Delivered)
    assert found[0].error == ERR_NO_OFFSET_FOR_PARTITION  # before the first commit
    errors = [f for f in found[1:] if isinstance(f, ConsumerError)]
    assert {f.error for f in errors} == {ERR_LOG_TRUNCATION}
    assert len(errors) >= 2
    gaps = [(b.t - a.t) / SECOND for a, b in itertools.pairwise(errors)]
    assert all(29.9 < gap < 30.2 for gap in gaps)
    assert max(f.t / SECOND for f in found if isinstance(f, Delivered)) < errors[0].t / SECOND


def unclean(reset: str) -> Any:
    """S14: 0 and 1 have records 4..7 (4 and 5 read), 2 has four and wins uncleanly; then one more record."""
    group = {"group": "g"} if reset == "none" else {}
    return world(
        topics=[
            {
                "name": "t",
                "assignment": [[0, 1, 2]],
                "config": {"min.insync.replicas": 1, "unclean.leader.election.enable": True},
            }
        ],
        producers=[PRODUCER | {"acks": "1"}],
        consumers=[consumer(auto_offset_reset="earliest" if reset == "earliest" else reset, **group)]
        if reset == "earliest"
        else [consumer(auto_offset_reset="none", enable_auto_commit=False, **group)],
        timeline=at(
            (0.5, "commit C t-0 0"),
            (1, "send P t-0 4"),
            (5, "kill 2"),
            (20, "send P t-0 2"),
            (25, "kill 1"),
            (30, "kill 0"),
            (50, "start 2 after 1s"),
            (80, "send P t-0 1"),
        ),
    )


def test_a_consumer_follows_the_leader_after_a_failover_without_loss() -> None:
    run = world(
        producers=[PRODUCER | {"rate": 10}],
        consumers=[consumer(auto_offset_reset="earliest")],
        timeline=at((5, "kill 0"), (30, "start 0")),
    )
    run.run(60 * SECOND)
    got = [offset for offset, _ in delivered(run)]
    assert got == list(range(len(got)))
    assert len(got) > 590


def test_a_rack_aware_consumer_reads_from_the_follower_of_its_rack_and_falls_back_to_the_leader() -> None:
    """FFR-1, FFR-3, CON-5, S40."""
    selector = "org.apache.kafka.common.replica.RackAwareReplicaSelector"
    run = world(
        cluster={
            "brokers": [{"id": i, "rack": rack} for i, rack in enumerate("abc")],
            "controllers": [100],
            "config": {"replica.selector.class": selector},
        },
        producers=[PRODUCER | {"rate": 10}],
        consumers=[consumer(auto_offset_reset="earliest", rack="c")],
        timeline=at((10, "stop 2")),
    )
    run.run(9 * SECOND)
    fetches = [f for f in facts(run, Flight) if f.msg == 11]
    assert fetches[0].dst == 0
    assert {f.dst for f in fetches[3:]} == {2}
    run.run(40 * SECOND)
    found = facts(run, Flight, Delivered)
    assert {f.dst for f in found if isinstance(f, Flight) and f.msg == 11 and f.t / SECOND > 20} == {0}
    assert run.cluster_parts.consumers[0].delivered_count > 390


def test_a_consumer_attached_to_a_zombie_sees_nothing_new_from_it() -> None:
    """S26, FLT-5: the high watermark of an isolated leader is frozen."""
    run = world(
        producers=[PRODUCER | {"acks": "1", "via": [0]}],
        consumers=[consumer(auto_offset_reset="earliest", via=[0])],
        timeline=at((1, "send P t-0 3"), (10, "cut 0|1,2,100,101,102"), (11, "send P t-0 5"), (60, "heal")),
    )
    run.run(59 * SECOND)
    assert [offset for offset, _ in delivered(run)] == [0, 1, 2]
