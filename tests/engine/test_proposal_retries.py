"""A broker sends a proposal again soon after any failure, and to the right controller (AP-1, AP-5)."""

import pytest

from simengine.facts import errors
from simengine.facts.decisive import IsrRefused
from simengine.kafka.broker.isr import AlterPartitionManager
from simengine.kafka.replica.isr_changes import propose
from simengine.kafka.replica.replica import COMMITTED, PENDING_EXPAND, PENDING_SHRINK, Partition
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.wire.controller_api import AlterAnswer, ControllerChannel, IsrDecision
from simengine.world.world import World
from tests.engine.cluster import SECOND, broker_of, control_of, copy_on, facts, known, remote_of, world

MS = 1_000


def proposed() -> tuple[World, Partition, AlterPartitionManager]:
    """The first request of broker 0, just made."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 10}])
    run.run(3 * SECOND)
    leader = copy_on(run, 0)
    propose(leader, PENDING_SHRINK, [0, 1], 0)
    manager = broker_of(leader).alter_manager
    while not manager._is_away:
        run.run(run.now_us + MS)
    return run, leader, manager


def channel_of(manager: AlterPartitionManager) -> ControllerChannel:
    channel = manager.channel
    assert channel is not None
    return channel


def next_request(run: World, manager: AlterPartitionManager, limit: int = 60) -> int:
    """The number of milliseconds until a request goes out again."""
    begun = run.now_us
    while not manager._is_away:
        run.run(run.now_us + MS)
        assert run.now_us < begun + limit * SECOND, "nothing was sent again"
    return (run.now_us - begun) // MS


def test_a_request_that_is_refused_as_a_whole_is_made_anew_after_50_ms() -> None:
    """AP-1: nothing of it has failed for good, so nothing is counted (MET-5); the broker epoch is the present one."""
    run, leader, manager = proposed()
    failed = int(leader.broker.metrics.failed_isr_updates)
    number = manager._request_id
    leader.broker.be += 1
    manager.on_answer(AlterAnswer(number, errors.ERR_STALE_BROKER_EPOCH, []))
    assert (manager._in_flight, len(manager._unanswered)) == ([], 1)
    assert next_request(run, manager) in (50, 51)
    assert (manager._request_id, manager._be) == (number + 1, leader.broker.be)
    assert leader.broker.metrics.failed_isr_updates == failed
    assert leader.pending == PENDING_SHRINK


@pytest.mark.parametrize("whole", [True, False])
def test_who_is_not_the_controller_is_hung_up_on_and_the_same_request_goes_to_who_is(whole: bool) -> None:
    """AP-1, AP-2: a refusal of one partition that says so is as good as one of the whole request."""
    run, leader, manager = proposed()
    number, be, first = manager._request_id, manager._be, channel_of(manager)
    other = next(one for one in run.cluster.controllers if one is not first.controller)
    run.cluster.quorum._activate(other, 0)
    leader.broker.be += 1
    decision = IsrDecision(0, errors.ERR_NOT_CONTROLLER, [], -1, -1, -1)
    error = errors.ERR_NOT_CONTROLLER if whole else errors.ERR_NONE
    manager.on_answer(AlterAnswer(number, error, [] if whole else [decision]))
    assert 50 <= next_request(run, manager) <= 80
    while channel_of(manager).controller is not other:
        run.run(run.now_us + MS)
        assert (manager._request_id, manager._be, leader.pending) == (number, be, PENDING_SHRINK)


def test_an_answer_to_an_older_request_says_nothing() -> None:
    """AP-1: one request at a time."""
    _, _, manager = proposed()
    manager.on_answer(AlterAnswer(manager._request_id - 1, errors.ERR_STALE_BROKER_EPOCH, []))
    assert len(manager._in_flight) == 1


def test_a_request_whose_connection_breaks_is_sent_again_after_50_ms_on_the_next() -> None:
    """AP-1."""
    run, _, manager = proposed()
    number, channel = manager._request_id, channel_of(manager)
    channel.close()
    channel.on_broken(False)
    assert 50 <= next_request(run, manager) <= 80
    assert (manager._request_id, len(manager._in_flight)) == (number, 1)


def test_a_broker_that_knows_no_controller_looks_for_one_every_100_ms() -> None:
    """AP-1: what waits goes out as soon as there is one."""
    run, _, manager = proposed()
    listener = manager._listener
    found = listener.leader
    listener.leader = None
    channel = channel_of(manager)
    channel.close()
    channel.on_broken(False)
    for _ in range(400):
        listener.leader = None
        run.run(run.now_us + MS)
    listener.leader = found
    assert next_request(run, manager) <= 120


def test_however_many_proposals_wait_for_a_controller_one_pause_runs_for_all_of_them() -> None:
    """AP-1: the first one to end counts."""
    run, _, manager = proposed()
    manager._listener.leader = None
    channel_of(manager).close()
    channel_of(manager).on_broken(False)
    first = manager._retry
    assert first is not None
    manager.send()
    assert manager._retry is first, "100 ms would end after the 50 ms of the broken connection"
    while manager._retry is first:
        manager._listener.leader = None
        run.run(run.now_us + MS)
    second = manager._retry
    assert second is not None
    manager.send()
    manager.retry(first)
    assert manager._retry is second
    manager._retry_later()
    assert manager._retry is not second


@pytest.mark.parametrize(
    ("silence", "end", "seconds"), [("pause 100", "resume 100", 12), ("pause 100", "", 34), ("kill 100", "", 8)]
)
def test_a_silent_controller_keeps_a_request_though_another_one_is_active(silence: str, end: str, seconds: int) -> None:
    """AP-1, QUO-2: the other one gets it when the connection breaks, when the old one says so, or after 30 s."""
    timeline = [{"at": "2s", "do": "cut 0|2"}, {"at": "3s", "do": silence}]
    timeline += [{"at": "12s", "do": end}] if end else []
    run = world(
        cluster={"brokers": [0, 1, 2], "controllers": [100, 101, 102], "active": 100},
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "1"}],
        timeline=timeline,
    )
    run.run(3_100 * MS)
    leader = copy_on(run, 0)
    propose(leader, PENDING_SHRINK, [0, 1], 0)
    run.run((seconds - 1) * SECOND)
    assert run.cluster.quorum.active is not None
    if silence == "pause 100":
        assert broker_of(leader).listener.leader is run.cluster.quorum.active
        assert leader.pending == PENDING_SHRINK
    run.run((seconds + 1) * SECOND)
    assert (leader.pending, leader.isr) == (COMMITTED, [0, 1])


def test_a_controller_that_steps_down_says_so_to_who_waits_for_its_commit() -> None:
    """AP-3, QUO-3: what it has not got committed will not be by it."""
    run, leader, manager = proposed()
    active = run.cluster.quorum.active
    assert active is not None
    while not control_of(run)._writes:
        run.run(run.now_us + MS)
    facts(run)
    run.cluster.quorum.depose(active)
    channel = channel_of(manager)
    conn = channel.conn
    run.run(run.now_us + 20 * MS)
    assert channel.conn != conn, "the broker has hung up"
    assert (manager._is_lost, leader.pending) == (True, PENDING_SHRINK)


def test_what_was_overridden_meanwhile_is_answered_all_the_same_before_the_partition_proposes_again() -> None:
    """AP-1, AP-4, AP-5: until then each new proposal of it is taken back at once (OPERATION_NOT_ATTEMPTED)."""
    run, leader, manager = proposed()
    run.act(run.now_us + 1, "cut 0|100,101,102")
    run.run(run.now_us + 1)
    failed = int(leader.broker.metrics.failed_isr_updates)
    take_registration(leader, known(leader, isr=[0, 1], epoch=leader.epoch + 1, pe=leader.pe + 1), 0)
    remote = remote_of(leader, 2)
    remote.be = leader.broker.image.broker_epoch(2)
    facts(run)
    propose(leader, PENDING_EXPAND, [0, 1, 2], 0)
    assert (leader.pending, leader.maximal_isr) == (COMMITTED, [0, 1])
    assert [fact.error for fact in facts(run, IsrRefused)] == [errors.ERR_OPERATION_NOT_ATTEMPTED]
    assert leader.broker.metrics.failed_isr_updates == failed + 1
    late = IsrDecision(0, errors.ERR_FENCED_LEADER_EPOCH, [], -1, -1, -1)
    manager.on_answer(AlterAnswer(manager._request_id, errors.ERR_NONE, [late]))
    assert leader.broker.metrics.failed_isr_updates == failed + 1, "MET-5: nobody waits for that answer"
    propose(leader, PENDING_EXPAND, [0, 1, 2], 0)
    assert (leader.pending, len(manager._in_flight)) == (PENDING_EXPAND, 1)


def test_an_error_without_a_rule_of_its_own_has_the_same_proposal_sent_again_at_once() -> None:
    """AP-5: with the broker epochs of then, though a member has fetched in another incarnation since."""
    _, leader, manager = proposed()
    first, number = manager._in_flight[0].proposal, manager._request_id
    bes = list(first.bes)
    remote_of(leader, 1).be += 100
    unknown = IsrDecision(0, errors.ERR_REQUEST_TIMED_OUT, [], -1, -1, -1)
    manager.on_answer(AlterAnswer(number, errors.ERR_NONE, [unknown]))
    assert manager._is_away
    assert manager._request_id == number + 1
    again = manager._in_flight[0].proposal
    assert (again.bes, again.epoch, again.pe, again.isr) == (bes, first.epoch, first.pe, [0, 1])
    assert leader.pending == PENDING_SHRINK
