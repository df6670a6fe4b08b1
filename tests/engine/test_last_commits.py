"""Committed offsets are gone when the last log with them goes, not when somebody leads without them (CON-6)."""

from typing import Any

import pytest

from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import SECOND
from tests.invariants.violation import Violation
from tests.recount.rows import Rows
from tests.swarm.denied import Denied

EMPTIED = """
format: 1
until: 70s
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics:
  - {name: t, assignment: [[2, 3]]}
  - {name: __consumer_offsets, assignment: [[1]]}
producers: [{id: P, topic: t, rate: 10}]
consumers: [{id: C, group: g, topics: [t], config: {auto.commit.interval.ms: 1000}}]
timeline:
  - {at: 15s, do: kill 1}
  - {at: 30s, do: start 1 empty}
  - {at: 45s, do: kill 3}
  - {at: 47s, do: start 3}
"""
CANCELLED = """
format: 1
elr: false
until: 90s
cluster: {brokers: [0, 1, 2, 3], controllers: [100]}
topics:
  - {name: t, assignment: [[3]]}
  - {name: __consumer_offsets, assignment: [[0]], config: {unclean.leader.election.enable: true}}
producers: [{id: P, topic: t, rate: 10}]
consumers: [{id: C, group: g, topics: [t], state: closed, config: {auto.commit.interval.ms: 1000}}]
phases: {preferred: 250s}
timeline:
  - {at: 2s, do: kill 2}
  - {at: 15s, do: "reassign __consumer_offsets-0 1,2"}
  - {at: 20s, do: kill 0}
  - {at: 32s, do: open C}
  - {at: 50s, do: reassign __consumer_offsets-0 cancel}
  - {at: 60s, do: start 0}
"""
FORMER_LEADER = """
format: 1
until: 90s
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics:
  - {name: t, assignment: [[1]]}
  - {name: __consumer_offsets, assignment: [[1, 2]], config: {unclean.leader.election.enable: true}}
producers: [{id: P, topic: t, rate: 10}]
consumers: [{id: C, group: g, topics: [t], state: closed, config: {auto.commit.interval.ms: 1000}}]
timeline:
  - {at: 12s, do: kill 2}
  - {at: 30s, do: "cut 1|100,2,3"}
  - {at: 32s, do: start 2}
  - {at: 40s, do: "cut C|2,3"}
  - {at: 50s, do: open C}
  - {at: 70s, do: heal}
"""


def watched(text: str, until_s: int) -> tuple[World, Denied]:
    """A run up to a moment, read by the recount."""
    run = build(load(text.encode()))
    denied = Denied(run)
    rows = Rows(run, [denied.readers])
    run.run(until_s * SECOND)
    rows.read()
    return run, denied


def offsets_verdict(run: World) -> dict[str, Any]:
    """The verdict on the topic of the offsets."""
    topics: Any = run.verdict()["topics"]
    found: dict[str, Any] = next(topic for topic in topics if topic["topic"] == "__consumer_offsets")
    return found


@pytest.mark.parametrize("until_s", [31, 44, 70])
def test_offsets_on_a_replaced_disk_are_gone_with_it(until_s: int) -> None:
    """DIR-3: nobody leads until some broker is unfenced at 50 s; the loss is told before, and goes back to the disk."""
    run, denied = watched(EMPTIED, until_s)
    found = offsets_verdict(run)
    assert found["sentence"].startswith("The committed offsets of group g are gone.")
    assert (found["severity"], found["groups_lost"]) == ("bad", 1)
    assert (found["deciding"]["t"], found["deciding"]["text"]) == (30 * SECOND, "Broker 1 starts with an empty disk")
    denied.check()


def test_offsets_that_a_broker_which_is_down_has_on_its_disk_are_not_gone() -> None:
    run, denied = watched(EMPTIED, 29)
    found = offsets_verdict(run)
    assert (found["groups_lost"], found["groups_lost_names"]) == (0, [])
    denied.check()


def test_offsets_of_which_another_log_has_a_copy_are_not_gone_with_the_leaders_disk() -> None:
    """STATE-7: broker 1 starts with an empty disk before it is fenced, and leads a while with nothing."""
    early = EMPTIED.replace("[[1]]", "[[1, 2]]").replace("30s, do: start 1 empty", "16s, do: start 1 empty")
    for until_s in (17, 44):
        run, denied = watched(early, until_s)
        assert offsets_verdict(run)["groups_lost_names"] == []
        denied.check()


@pytest.mark.parametrize("until_s", [55, 90])
def test_offsets_whose_last_copy_is_deleted_are_gone_with_it(until_s: int) -> None:
    """REA-4: the move is called off while broker 1 alone has them; broker 0 leads again at 64 s."""
    run, denied = watched(CANCELLED, until_s)
    found = offsets_verdict(run)
    assert found["groups_lost_names"] == ["g"]
    assert (found["deciding"]["t"] // SECOND, found["deciding"]["text"]) == (
        50,
        "broker 1 deleted its copy of __consumer_offsets-0 (the reassignment of __consumer_offsets-0 is cancelled)",
    )
    denied.check()


@pytest.mark.parametrize("until_s", [69, 90])
def test_a_first_commit_that_a_former_leader_acknowledged_is_gone_where_the_leader_has_none(until_s: int) -> None:
    """FLT-5: broker 1 does not hear of the election, and alone is in the ISR that it knows (swarm seed 12000079)."""
    run, denied = watched(FORMER_LEADER, until_s)
    found = offsets_verdict(run)
    assert found["groups_lost_names"] == ["g"]
    assert found["deciding"]["text"].startswith(
        "broker 2 became leader of __consumer_offsets-0 in epoch 1 by an unclean"
    )
    denied.check()


def test_the_recount_finds_a_group_that_is_not_named_and_a_cause_that_is_too_late() -> None:
    run, denied = watched(EMPTIED, 44)
    found = offsets_verdict(run)
    partitions = [int(p) for t in run.cluster.topics if t.name == "__consumer_offsets" for p in t.partitions]
    with pytest.raises(Violation, match="1 groups whose committed offsets no log has: g"):
        denied.check_topic({**found, "groups_lost_names": []}, denied.counted(partitions))
    late = {**found["deciding"], "t": 50 * SECOND}
    with pytest.raises(Violation, match="later event"):
        denied.check_topic({**found, "deciding": late}, denied.counted(partitions))
