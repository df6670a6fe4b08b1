"""The moves of a leader's high watermark, the responses that they release, and the leader's state of its replicas."""

from typing import Any

import pytest

from simengine.facts import errors
from simengine.facts.kinds import REG_ACTIVE, REG_FENCED, REG_SHUTTING_DOWN
from simengine.facts.traffic import Delivered
from simengine.kafka.replica.isr_changes import adopt, propose, withdraw
from simengine.kafka.replica.remote import NEVER, NOT_FETCHED, UNKNOWN
from simengine.kafka.replica.replica import COMMITTED, FOLLOWER, LEADER, PENDING_EXPAND, PENDING_SHRINK, Partition
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.shared.config import TopicSettings
from simengine.kafka.shared.metadata import BrokerState
from simengine.kafka.wire.api import ACKS_ALL, ProduceBatch
from simengine.world.world import World
from tests.engine.cluster import SECOND, broker_of, copy_on, facts, known, remote_of, started, world

MS = 1_000


def lagging() -> Partition:
    """A leader whose follower 2 is three records behind, not caught up, and holds the high watermark back."""
    leader = copy_on(started(), 0)
    end = int(leader.log.leo)
    leader.hw = end - 3
    for broker, leo in ((1, end), (2, end - 3)):
        remote = remote_of(leader, broker)
        remote.start_over()
        remote.leo = leo
    remote_of(leader, 2).caught_up_at = NEVER
    return leader


# -- HW-1, HW-2, HW-4, HW-9


def test_a_smaller_isr_moves_the_high_watermark_as_soon_as_the_leader_has_it() -> None:
    """HW-4, AP-4: on a partition at rest nothing else would release what waits."""
    leader = lagging()
    end, pe = int(leader.log.leo), int(leader.pe)
    leader.recovering = True
    propose(leader, PENDING_SHRINK, [0, 1], 0)
    shrinks = int(leader.broker.metrics.isr_shrinks)
    adopt(leader, [0, 1], pe + 1)
    assert (leader.hw, leader.isr, leader.maximal_isr, leader.pe) == (end, [0, 1], [0, 1], pe + 1)
    assert (leader.pending, leader.recovering) == (COMMITTED, False)
    assert leader.broker.metrics.isr_shrinks == shrinks + 1


def test_an_isr_that_grows_to_the_minimum_moves_the_high_watermark() -> None:
    """HW-2, HW-4: the other way round; both are counted as what they are (MET-4)."""
    leader = lagging()
    end = int(leader.log.leo)
    leader.isr = [0]
    leader.refresh_maximal_isr()
    metrics = leader.broker.metrics
    before = (int(metrics.isr_shrinks), int(metrics.isr_expands))
    propose(leader, PENDING_EXPAND, [0, 1], 0)
    assert leader.hw == end - 3, "one member is less than min.insync.replicas"
    adopt(leader, [0, 1], leader.pe + 1)
    assert leader.hw == end
    assert (int(metrics.isr_shrinks), int(metrics.isr_expands)) == (before[0], before[1] + 1)


def test_metadata_that_takes_a_member_out_moves_the_high_watermark() -> None:
    """HW-4: the controller has fenced broker 2."""
    leader = lagging()
    take_registration(leader, known(leader, isr=[0, 1]), 0)
    assert leader.hw == leader.log.leo


def test_a_withdrawn_proposal_leaves_the_isr_as_it_was() -> None:
    """AP-5: who was to join counts no longer, who was to leave still does."""
    leader = lagging()
    hw = int(leader.hw)
    propose(leader, PENDING_SHRINK, [0, 1], 0)
    withdraw(leader)
    assert (leader.pending, leader.maximal_isr, leader.hw) == (COMMITTED, [0, 1, 2], hw)
    broker_of(leader).alter_manager._unanswered = []
    leader.isr = [0, 1]
    propose(leader, PENDING_EXPAND, [0, 1, 2], 0)
    assert leader.maximal_isr == [0, 1, 2]
    withdraw(leader)
    assert (leader.pending, leader.maximal_isr) == (COMMITTED, [0, 1])


@pytest.mark.parametrize(
    ("seq", "isr", "error", "moves"),
    [
        (0, [0, 1, 2], errors.ERR_NONE, True),  # a duplicate
        (7, [0, 1, 2], errors.ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, False),
        (0, [0], errors.ERR_NOT_ENOUGH_REPLICAS, False),
    ],
)
def test_an_append_tries_the_high_watermark_also_when_it_is_a_duplicate(
    seq: int, isr: list[int], error: int, moves: bool
) -> None:
    """HW-9: after min.insync.replicas was lowered the next append releases what waits, refused ones do not."""
    leader = lagging()
    remote_of(leader, 2).leo = leader.log.leo
    leader.isr = isr
    [entry] = leader.producers.entries.values()
    last = entry.newest()
    hw, end = int(leader.hw), int(leader.log.leo)
    sent = ProduceBatch(0, last.client, last.n, last.count, last.pid, last.pid_epoch, last.seq + seq)
    result = leader.append(sent, ACKS_ALL)
    assert result.error == error
    assert result.offset == (last.base if moves else -1)
    assert (leader.hw, leader.log.leo) == (end if moves else hw, end)


@pytest.mark.parametrize(
    ("replicas", "adding", "removing", "observers", "minimum", "effective"),
    [
        ([0, 1, 2], [], [], [], 2, 2),
        ([0, 1, 2], [], [], [], 5, 3),
        ([0, 1, 2], [], [], [], 1, 1),
        ([0, 1, 2, 3], [2, 3], [], [], 4, 4),  # those being added count
        ([0, 1, 2, 3], [3], [0], [], 4, 4),  # and those being removed, until they are gone
        ([0, 1, 2], [], [], [2], 3, 2),  # OBS-1: who may never be in the ISR does not
    ],
)
def test_the_effective_minimum_is_at_most_the_number_of_replicas(
    replicas: list[int], adding: list[int], removing: list[int], observers: list[int], minimum: int, effective: int
) -> None:
    """HW-3: and a change of it alone moves no high watermark (HW-9)."""
    leader = lagging()
    remote_of(leader, 2).leo = leader.log.leo
    hw = int(leader.hw)
    leader.registration = known(leader, replicas=replicas, adding=adding, removing=removing, observers=observers)
    leader.broker.image.topics[0] = TopicSettings(minimum, -1)
    leader.refresh_min_isr()
    assert (leader.min_isr, leader.hw) == (effective, hw)


# -- CON-1, FET-9: readers


def patient(**document: Any) -> World:
    """A consumer that lets its fetches wait for 20 s; one record in a while, with acks=1."""
    settings = {"auto.offset.reset": "latest", "fetch.max.wait.ms": 20_000}
    base: dict[str, Any] = {
        "producers": [{"id": "P", "topic": "t", "acks": "1", "config": {"linger.ms": 0}}],
        "consumers": [{"id": "C", "rack": "c", "partitions": [["t", 0]], "config": settings}],
    }
    return world(**{**base, **document})


def test_a_reader_that_waits_at_the_leader_is_answered_by_the_high_watermark() -> None:
    """CON-1: not when its time is over."""
    run = patient(timeline=[{"at": at, "do": "send P t-0 1"} for at in ("5s", "5500ms", "12s")])
    run.run(15 * SECOND)
    times = [fact.t / SECOND for fact in facts(run, Delivered)]
    assert [round(at, 1) for at in times] == [5.0, 5.5, 12.0]


def test_a_reader_that_waits_at_a_follower_is_answered_by_its_high_watermark() -> None:
    """CON-1, FET-10: half a second later, on an idle partition."""
    run = patient(
        cluster={
            "brokers": [{"id": i, "rack": rack} for i, rack in enumerate("abc")],
            "controllers": [100],
            "config": {"replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector"},
        },
        timeline=[{"at": at, "do": "send P t-0 1"} for at in ("5s", "12s")],
    )
    run.run(4 * SECOND)
    assert len(copy_on(run, 2).readers) == 1
    run.run(15 * SECOND)
    times = [fact.t / SECOND for fact in facts(run, Delivered)]
    assert len(times) == 2
    assert all(0.3 < at - sent < 0.7 for at, sent in zip(times, (5, 12), strict=True)), times


def test_a_reader_that_waits_at_a_leader_is_answered_when_that_steps_down() -> None:
    """CON-2: it goes to the new one at once, and reads on there."""
    state = {"leader": 1, "epoch": 4, "isr": [0, 1, 2]}
    run = patient(
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "initial": {0: state}}],
        timeline=[{"at": "5s", "do": "elect preferred t-0"}, {"at": "8s", "do": "send P t-0 1"}],
    )
    run.run(12 * SECOND)
    assert copy_on(run, 0).role == LEADER
    assert [round(fact.t / SECOND, 1) for fact in facts(run, Delivered)] == [8.0]


# -- STATE-4, ISR-4, FET-5: what a leader keeps of a replica


def test_a_leader_that_is_elected_again_begins_to_measure_its_followers_anew() -> None:
    """ISR-4, FET-5: what they had at their last fetch before counts no longer, but their ends do (HW-5)."""
    leader = lagging()
    now, end = int(leader.broker.sim.now), int(leader.log.leo)
    for broker in (1, 2):
        remote = remote_of(leader, broker)
        remote.last_leader_leo, remote.last_fetch_at, remote.be = end - 9, now - 9, 77
    take_registration(leader, known(leader, isr=[0, 1], epoch=leader.epoch + 1), 0)
    for broker, since, leo in ((1, now, end), (2, NEVER, end - 3)):
        remote = remote_of(leader, broker)
        assert (remote.last_leader_leo, remote.last_fetch_at, remote.caught_up_at) == (end, since, since)
        assert (remote.leo, remote.be) == (leo, 77)
        assert not remote.covered


def test_who_leads_again_after_having_followed_knows_nothing_of_the_others() -> None:
    """HW-5, ISR-4."""
    leader = lagging()
    now = int(leader.broker.sim.now)
    take_registration(leader, known(leader, leader=1, epoch=leader.epoch + 1), 0)
    assert leader.role == FOLLOWER
    take_registration(leader, known(leader, leader=0, epoch=leader.epoch + 1, isr=[0, 1]), 0)
    for broker, since in ((1, now), (2, NEVER)):
        remote = remote_of(leader, broker)
        assert (remote.leo, remote.start, remote.last_leader_leo) == (UNKNOWN, UNKNOWN, UNKNOWN)
        assert (remote.last_fetch_at, remote.be, remote.caught_up_at) == (NEVER, NOT_FETCHED, since)


def test_a_change_of_the_isr_alone_changes_nothing_of_what_a_leader_has_on_record() -> None:
    """STATE-3, STATE-4."""
    leader = lagging()
    remote = remote_of(leader, 2)
    remote.last_leader_leo, remote.last_fetch_at, remote.caught_up_at, remote.be = 5, 6, 7, 8
    leo = int(remote.leo)
    take_registration(leader, known(leader, isr=[0, 1]), 0)
    assert remote_of(leader, 2) is remote
    assert (remote.last_leader_leo, remote.last_fetch_at, remote.caught_up_at, remote.be, remote.leo) == (
        5,
        6,
        7,
        8,
        leo,
    )


@pytest.mark.parametrize(
    ("state", "be", "is_eligible"),
    [
        (REG_ACTIVE, 0, True),
        (REG_SHUTTING_DOWN, 0, False),
        (REG_FENCED, 0, False),
        (REG_ACTIVE, -1, False),
        (REG_ACTIVE, None, True),  # REG-5: not registered yet
        (REG_SHUTTING_DOWN, None, False),
        (None, None, False),  # not registered at all
    ],
)
def test_only_an_active_broker_may_join_the_isr(state: int | None, be: int | None, is_eligible: bool) -> None:
    """ISR-6: not one that is leaving either, though it is not fenced."""
    leader = lagging()
    image = leader.broker.image
    registered = int(image.broker_epoch(2))
    if state is None:
        del image.brokers[2]
    else:
        image.brokers[2] = BrokerState(2, registered, state)
    remote = remote_of(leader, 2)
    remote.be = -1 if be is None else registered + be
    assert leader.broker.is_eligible(remote) is is_eligible


@pytest.mark.parametrize(("leader", "astray"), [(0, 0), (1, 1), (-1, 1)])
def test_a_partition_that_its_first_replica_does_not_lead_is_out_of_balance(leader: int, astray: int) -> None:
    """MET-8: a leaderless one as well; it is offline besides (MET-7)."""
    state = {"leader": leader, "epoch": 3, "isr": [0, 1, 2] if leader >= 0 else [2]}
    brokers = [0, 1, {"id": 2, "state": "running" if leader >= 0 else "down"}]
    run = world(
        cluster={"brokers": brokers, "controllers": [100]},
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "initial": {0: state}}],
    )
    run.run(2 * SECOND)
    told = {str(row["name"]).split("name=")[1].split(",")[0]: row["value"] for row in run.metrics(100)}
    assert told["PreferredReplicaImbalanceCount"] == astray
    assert told["OfflinePartitionsCount"] == (1 if leader < 0 else 0)
