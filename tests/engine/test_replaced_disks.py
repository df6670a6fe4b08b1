"""DIR-1..3: a broker with a replaced disk is elected only after it has assigned its copies to the new directory.

Measured on 4.2.1 (two runs with a new directory id, one with the id kept): the record that assigns the directory comes
40 to 60 ms after the unfencing, raises PE by one and elects nobody.
"""

from typing import Any

import pytest

from simengine.explain.repairs import Repairs
from simengine.facts.decisive import ActionDone, BrokerRegistration, PartitionChanged, Truncated
from simengine.facts.kinds import (
    REASON_DIRECTORY,
    REG_ACTIVE,
)
from simengine.world.world import World
from tests.engine.cluster import SECOND, stated, world

TWO = [{"name": "t", "assignment": [[0, 1]], "config": {"min.insync.replicas": 1}}]
LAST_MEMBER = [("2s", "stop 1"), ("6s", "kill 0"), ("18s", "start 1")]


def played(*more: tuple[str, str], until_s: int = 60, **changes: Any) -> World:
    timeline = [{"at": at, "do": do} for at, do in [*LAST_MEMBER, *more]]
    run = world(topics=TWO, timeline=timeline, phases={"preferred": "250s"}, **changes)
    run.run(until_s * SECOND)
    return run


def changes_of(run: World) -> list[PartitionChanged]:
    return stated(run, PartitionChanged)


def unfenced_at(run: World, broker: int) -> int:
    found = [fact.t for fact in stated(run, BrokerRegistration) if (fact.broker, fact.state) == (broker, REG_ACTIVE)]
    return found[-1]


@pytest.mark.parametrize("elr", [False, True])
def test_a_broker_with_a_replaced_disk_is_not_elected_when_it_is_unfenced(elr: bool) -> None:
    run = played(("26s", "start 0 empty"), elr=elr)
    assigned = changes_of(run)[-1]
    assert assigned.reason == REASON_DIRECTORY
    assert assigned.leader == -1
    assert assigned.pe == changes_of(run)[-2].pe + 1
    assert 30_000 <= assigned.t - unfenced_at(run, 0) <= 100_000


@pytest.mark.parametrize("elr", [False, True])
def test_it_is_elected_in_the_commit_that_unfences_any_broker(elr: bool) -> None:
    run = played(("26s", "start 0 empty"), ("40s", "stop 1"), ("41s", "start 1"), elr=elr)
    elected = [fact for fact in changes_of(run) if fact.leader == 0][-1]
    first = next(fact for fact in changes_of(run) if fact.leader == 0 and fact.t > 30 * SECOND)
    assert first.t == unfenced_at(run, 1)
    assert elected.leader == 0


@pytest.mark.parametrize("how", ["preferred", "unclean"])
def test_it_is_elected_when_somebody_asks_for_an_election(how: str) -> None:
    run = played(("26s", "start 0 empty"), ("40s", f"elect {how} t-0"), elr=False)
    assert changes_of(run)[-1].leader == 0


def test_it_is_elected_at_the_periodic_check_of_preferred_leaders() -> None:
    run = played(("26s", "start 0 empty"), until_s=260, elr=False)
    first = next(fact for fact in changes_of(run) if fact.leader == 0 and fact.t > 30 * SECOND)
    assert 250 * SECOND <= first.t <= 251 * SECOND


def test_a_wiped_disk_keeps_the_directory_and_leads_at_once() -> None:
    run = played(("26s", "start 0 wiped"), elr=False)
    first = next(fact for fact in changes_of(run) if fact.leader == 0 and fact.t > 20 * SECOND)
    assert first.t == unfenced_at(run, 0)
    assert not [fact for fact in changes_of(run) if fact.reason == REASON_DIRECTORY]


def test_a_follower_on_a_replaced_disk_joins_the_isr_and_is_elected_later() -> None:
    """The directory counts for elections alone; every partition of the broker gets one record."""
    topics = [{"name": "t", "assignment": [[0, 1, 2], [1, 2, 0]], "config": {"min.insync.replicas": 1}}]
    timeline = [{"at": "5s", "do": "kill 2"}, {"at": "20s", "do": "start 2 empty"}, {"at": "40s", "do": "kill 1"}]
    run = world(topics=topics, timeline=timeline, producers=[{"id": "P", "topic": "t", "rate": 10}])
    run.run(38 * SECOND)
    image = run.cluster.quorum.image
    assert [sorted(r.isr) for r in image.partitions if r is not None and r.topic == 0] == [[0, 1, 2], [0, 1, 2]]
    assigned = [fact.p for fact in changes_of(run) if fact.reason == REASON_DIRECTORY]
    assert sorted(assigned[:2]) == [0, 1]
    run.run(60 * SECOND)
    assert run.cluster.quorum.image.partition(1).leader == 2  # type: ignore[union-attr]


def test_a_new_topic_and_a_new_replica_are_on_the_replaced_disk_from_the_start() -> None:
    """DIR-2: ``defaultDir`` is the directory with which the broker is registered."""
    timeline = [
        {"at": "5s", "do": "kill 2"},
        {"at": "20s", "do": "start 2 empty"},
        {"at": "30s", "do": "create new 2/1"},
        {"at": "32s", "do": "reassign t-0 2,1"},
    ]
    run = world(topics=TWO, timeline=timeline)
    run.run(50 * SECOND)
    assert not [fact for fact in changes_of(run) if fact.reason == REASON_DIRECTORY]
    found = run.cluster.quorum.image.partition(0)
    assert found is not None
    assert (int(found.leader), found.directories) == (2, {2: 1})


def test_a_start_with_a_replaced_disk_can_take_long() -> None:
    run = played(("26s", "start 0 empty after 9s"), elr=False)
    done = next(fact for fact in stated(run, ActionDone) if fact.text == "start 0 empty after 9s")
    assert 9 * SECOND < unfenced_at(run, 0) - done.t < 14 * SECOND


def test_a_lost_assignment_is_sent_again() -> None:
    """The broker is cut off just after it was unfenced; the request gets through after the heal."""
    run = played(("26s", "start 0 empty"), until_s=26, elr=False)
    while not [one for one in stated(run, BrokerRegistration) if one.t > 26 * SECOND and one.state == REG_ACTIVE]:
        run.run(run.now_us + 1000)
    run.act(run.now_us + 1, "cut 0|100,101,102")
    run.run(run.now_us + 4 * SECOND)
    assert not [fact for fact in changes_of(run) if fact.reason == REASON_DIRECTORY]
    run.act(run.now_us + 1, "heal")
    run.run(run.now_us + 60 * SECOND)
    assert [fact for fact in changes_of(run) if fact.reason == REASON_DIRECTORY]


def test_a_truncation_that_cuts_nothing_is_not_stated() -> None:
    """LOG-11: an epoch in which nothing was written goes from the cache as the log is loaded, and no record with it."""
    run = world(topics=TWO, timeline=[{"at": "5s", "do": "kill 0"}, {"at": "20s", "do": "start 0"}])
    run.run(40 * SECOND)
    assert not [fact for fact in stated(run, Truncated) if fact.old == fact.new]


def test_what_the_partition_needs_is_an_election() -> None:
    run = played(("26s", "start 0 empty"), elr=False, producers=[{"id": "P", "topic": "t", "rate": 5}])
    told = Repairs(run).needs_of(0, "all").needs
    assert told.startswith("an election on request (would lose ")
    elected = ("26s", "start 0 empty"), ("45s", "elect preferred t-0")
    run = played(*elected, elr=False, producers=[{"id": "P", "topic": "t", "rate": 5}])
    assert not Repairs(run).needs_of(0, "all").needs
