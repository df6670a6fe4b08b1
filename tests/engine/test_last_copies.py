"""A loss is counted when the last copy goes, not when somebody leads without it; what a disk still has is not lost."""

from typing import Any

import pytest

from simengine.explain.examine import examine
from simengine.facts.decisive import RecordsBack
from simengine.facts.kinds import RECORDS_LOST, REPLICA_GONE, TRUNCATED
from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import SECOND, facts, world

CANCELLED = """
format: 1
elr: false
until: 90s
cluster: {brokers: [0, 1, 2], controllers: [100, 101, 102]}
topics: [{name: t, assignment: [[0]], config: {unclean.leader.election.enable: true}}]
producers: [{id: P, topic: t}]
phases: {preferred: 250s}
timeline:
  - {at: 1s, do: send P t-0 10}
  - {at: 2s, do: kill 2}
  - {at: 15s, do: "reassign t-0 1,2"}
  - {at: 20s, do: kill 0}
  - {at: 35s, do: send P t-0 10}
  - {at: 40s, do: reassign t-0 cancel}
  - {at: 60s, do: start 0}
"""


def verdict(run: World) -> dict[str, Any]:
    topics: Any = run.verdict()["topics"]
    found: dict[str, Any] = topics[0]
    return found


def lost_at(run: World) -> list[int]:
    """The moments at which records were stated as lost, in whole seconds."""
    return sorted({int(fact.t) // SECOND for fact in run.trace.decisive if fact.kind == RECORDS_LOST})


@pytest.mark.parametrize("until", [50, 90])
def test_records_whose_last_copy_is_deleted_are_lost_by_the_deletion(until: int) -> None:
    """REA-4: the move is called off while broker 1 alone has records 10 to 19; broker 0 leads again at 64 s."""
    run = build(load(CANCELLED.encode()))
    run.run(until * SECOND)
    found = verdict(run)
    assert (found["lost"], found["undetermined"], lost_at(run)) == (10, 10 if until == 50 else 0, [40])
    deleted = next(fact for fact in run.trace.decisive if fact.kind == REPLICA_GONE)
    assert (found["deciding"]["seq"], found["deciding_lost"]) == (deleted.seq, 10)
    assert found["deciding"]["text"] == "broker 1 deleted its copy of t-0 (the reassignment of t-0 is cancelled)"


def test_the_chain_of_a_loss_by_deletion_has_the_deletion_as_a_link() -> None:
    found = examine(load(CANCELLED.encode()), 90 * SECOND)
    assert found["decided"]["t"]["text"] == "reassign t-0 cancel"
    [chain] = found["chains"]
    texts = [link["text"] for link in chain["links"]]
    assert "broker 1 deleted its copy of t-0 (the reassignment of t-0 is cancelled)" in texts
    assert (
        texts[-1]
        == "offsets 10–19, written in epoch 1, are lost: no broker has them in its log or on its disk any more"
    )
    assert not any("led" in text and "60" in text for text in texts)


def only_holder(last: str, profile: str = "4.2") -> World:
    """Broker 1 alone has records 4 to 7, and dies; ``last`` is what is done to it at 20 s, broker 2 starts at 30 s."""
    return world(
        profile=profile,
        topics=[{"name": "t", "assignment": [[1, 2]], "config": {"unclean.leader.election.enable": True}}],
        producers=[{"id": "P", "topic": "t", "rate": 0, "acks": 1}],
        timeline=[
            {"at": "1s", "do": "send P t-0 4"},
            {"at": "3s", "do": "kill 2"},
            {"at": "14s", "do": "send P t-0 4"},
            {"at": "16s", "do": "kill 1"},
            {"at": "20s", "do": last},
            {"at": "30s", "do": "start 2"},
        ],
    )


def test_an_empty_disk_of_the_only_holder_loses_the_records_when_it_is_put_in() -> None:
    """STATE-7: the disk of broker 2, which is down, has the first four."""
    run = only_holder("start 1 empty")
    run.run(21 * SECOND)
    assert (verdict(run)["lost"], verdict(run)["undetermined"], lost_at(run)) == (4, 4, [20])
    run.run(80 * SECOND)  # broker 1 leads on, without the others too
    assert verdict(run)["lost"] == 8
    assert verdict(run)["deciding"]["text"] == "Broker 1 starts with an empty disk"


def test_records_on_the_disk_of_a_dead_broker_are_not_lost_before_another_leads() -> None:
    """UNC-1: the loss is the election's, though broker 1 cuts its copy off later."""
    run = only_holder("send P t-0 1")
    run.run(29 * SECOND)
    assert (verdict(run)["lost"], verdict(run)["undetermined"]) == (0, 8)
    run.run(80 * SECOND)
    assert verdict(run)["lost"] == 4
    assert lost_at(run)[0] >= 30
    assert "broker 2 became leader" in verdict(run)["deciding"]["text"]


def test_a_power_loss_of_the_only_holder_loses_its_unwritten_records_at_once() -> None:
    """LOG-8."""
    run = world(
        topics=[{"name": "t", "assignment": [[1, 2]], "config": {"min.insync.replicas": 1}}],
        producers=[{"id": "P", "topic": "t", "rate": 0}],
        timeline=[
            {"at": "3s", "do": "kill 2"},
            {"at": "14s", "do": "send P t-0 4"},
            {"at": "16s", "do": "power-loss 1 4"},
            {"at": "40s", "do": "start 1"},
        ],
    )
    run.run(20 * SECOND)
    assert (verdict(run)["lost"], lost_at(run)) == (4, [16])
    run.run(80 * SECOND)
    assert (verdict(run)["lost"], lost_at(run)) == (4, [16])
    assert verdict(run)["deciding"]["text"] == "Broker 1 loses power"


def test_a_follower_that_cuts_the_last_copy_back_loses_the_records() -> None:
    """LEG-1, S18: broker 0 loses its copy with its power; broker 1, back again, cuts its own to its high watermark."""
    run = world(
        profile="legacy",
        topics=[{"name": "t", "assignment": [[0, 1]], "config": {"min.insync.replicas": 1}}],
        producers=[{"id": "P", "topic": "t", "rate": 0}],
        timeline=[
            {"at": "1s", "do": "send P t-0 1"},
            {"at": "10s", "do": "send P t-0 1"},
            {"at": "10.1s", "do": "cut 0|1"},
            {"at": "11s", "do": "kill 1"},
            {"at": "11.2s", "do": "power-loss 0 1"},
            {"at": "11.5s", "do": "start 1 after 1s"},
        ],
    )
    run.run(30 * SECOND)
    [_, cut] = [fact for fact in run.trace.decisive if fact.kind == TRUNCATED]
    assert (verdict(run)["lost"], lost_at(run)) == (1, [int(cut.t) // SECOND])
    assert verdict(run)["deciding"]["text"] == "broker 1 cut its log of t-0 back from offset 2 to 1"


def test_records_that_are_still_under_way_to_a_follower_come_back_with_their_arrival() -> None:
    """LOG-8, PC-7: the leader's host goes dark after it has sent them; the message is not stopped by that."""
    run = world(
        topics=[{"name": "t", "assignment": [[1, 2]], "config": {"min.insync.replicas": 1}}],
        producers=[{"id": "P", "topic": "t", "rate": 50, "acks": 1}],
        network={"latency": "200ms"},
        timeline=[{"at": "10s", "do": "power-loss 1 500"}],
    )
    run.run(10_090_000)
    assert verdict(run)["lost"] == 20
    run.run(11 * SECOND)
    assert verdict(run)["lost"] == 0
    assert sum(fact.count for fact in facts(run, RecordsBack)) == 20


def test_records_from_before_the_run_are_gone_when_the_last_copy_goes() -> None:
    """STATE-7: nobody leads yet while broker 1 comes back with an empty disk; the cause is that disk."""
    run = world(
        topics=[{"name": "t", "assignment": [[1]], "initial": {0: {"leader": 1, "isr": [1], "leo": 50}}}],
        producers=[{"id": "P", "topic": "t", "rate": 0}],
        timeline=[
            {"at": "2s", "do": "send P t-0 3"},
            {"at": "5s", "do": "kill 1"},
            {"at": "20s", "do": "start 1 empty"},
        ],
    )
    run.run(20_100_000)
    found = verdict(run)
    assert (found["lost_before"], found["lost"], found["deciding"]["text"]) == (
        50,
        3,
        "Broker 1 starts with an empty disk",
    )
