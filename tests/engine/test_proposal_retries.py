"""When a broker sends a proposal again (AP-1): soon after whatever went wrong with the request as a whole."""

import pytest

from simengine.kafka.controller_api import AlterAnswer
from simengine.kafka.isr import AlterManager
from simengine.kafka.isr_changes import propose
from simengine.kafka.replica import PENDING_SHRINK, Replica
from simengine.kernel import errors
from simengine.world import World
from tests.engine.cluster import SECOND, copy_on, world

MS = 1_000


def proposed() -> tuple[World, Replica, AlterManager]:
    """The first request of broker 0, just made and not yet sent."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 10}])
    run.run(3 * SECOND)
    leader = copy_on(run, 0)
    propose(leader, PENDING_SHRINK, [0, 1], 0)
    manager = leader.broker.alter_manager
    while not manager._in_flight:
        run.run(run.now_us + MS)
    return run, leader, manager


def next_request(run: World, manager: AlterManager, limit: int = 60) -> int:
    """How many milliseconds pass until another request is made."""
    begun, number = run.now_us, manager._request_id
    while manager._request_id == number:
        run.run(run.now_us + MS)
        assert run.now_us < begun + limit * SECOND, "nothing was sent again"
    return (run.now_us - begun) // MS


@pytest.mark.parametrize("error", [errors.ERR_STALE_BROKER_EPOCH, errors.ERR_NOT_CONTROLLER])
def test_a_request_that_is_refused_as_a_whole_is_sent_again_after_50_ms(error: int) -> None:
    """AP-1: nothing of it has failed for good, so nothing is counted (MET-5)."""
    run, leader, manager = proposed()
    failed = int(leader.broker.metrics.failed_isr_updates)
    manager.on_answer(AlterAnswer(manager._request_id, error, []))
    assert (manager._in_flight, len(manager._unsent)) == ([], 1)
    assert next_request(run, manager) in (50, 51)
    assert leader.broker.metrics.failed_isr_updates == failed
    assert leader.pending == PENDING_SHRINK


def test_an_answer_to_an_older_request_says_nothing() -> None:
    """AP-1: one request at a time."""
    _, _, manager = proposed()
    manager.on_answer(AlterAnswer(manager._request_id - 1, errors.ERR_STALE_BROKER_EPOCH, []))
    assert len(manager._in_flight) == 1


def test_a_request_whose_connection_breaks_is_sent_again_after_50_ms_on_the_next() -> None:
    """AP-1."""
    run, _, manager = proposed()
    channel = manager.channel
    assert channel is not None
    channel.close()
    channel.on_broken(False)
    assert (manager._in_flight, len(manager._unsent)) == ([], 1)
    assert 50 <= next_request(run, manager) <= 60


def test_a_broker_that_knows_no_controller_looks_for_one_every_50_ms() -> None:
    """AP-1: what waits goes out as soon as there is one."""
    run, _, manager = proposed()
    listener = manager.broker.listener
    known = listener.leader
    listener.leader = None
    manager.leader_changed()
    assert (manager._in_flight, len(manager._unsent)) == ([], 1)
    number = manager._request_id
    listener.leader = known
    assert next_request(run, manager) <= 60
    assert manager._request_id == number + 1
    assert len(manager._in_flight) == 1


def test_what_was_overridden_meanwhile_is_not_sent_again() -> None:
    """AP-1, AP-4: the replica has made another proposal, or none is pending."""
    run, leader, manager = proposed()
    run.act(run.now_us + 1, "cut 0|100,101,102")
    run.run(run.now_us + 1)
    manager.on_answer(AlterAnswer(manager._request_id, errors.ERR_STALE_BROKER_EPOCH, []))
    leader.pending_id += 1
    number = manager._request_id
    run.run(run.now_us + 200 * MS)
    assert (manager._unsent, manager._request_id) == ([], number)
