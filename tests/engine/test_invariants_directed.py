"""Rules that random runs reach too rarely, each led to its moment by hand."""

import pytest

from simengine.facts import errors
from simengine.facts.decisive import BrokerRegistration, ControllerChanged
from simengine.kafka.controller.election import ELECT_PREFERRED, PartitionChange
from simengine.kafka.log.log import Batch
from simengine.kafka.replica.fetcher import DELAYED, READY
from simengine.kafka.replica.isr_changes import propose
from simengine.kafka.replica.remote import UNKNOWN
from simengine.kafka.replica.replica import COMMITTED, PENDING_EXPAND, PENDING_SHRINK, Partition
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.wire.api import ACKS_ALL, ProduceBatch
from simengine.kafka.wire.controller_api import AlterAnswer, IsrDecision
from simengine.kafka.wire.fetch_api import FetchAnswer, FetchPart
from simengine.world.world import World
from tests.engine.cluster import SECOND, broker_of, copy_on, facts, fetcher_of, remote_of, started, world


def changed(replica: Partition, leader: int, epochs: int, pe: int) -> PartitionRegistration:
    """The replica's registration with another leader, so many epochs and partition epochs on."""
    assert replica.registration is not None
    next_ = replica.registration.copy()
    next_.leader = leader
    next_.epoch = replica.epoch + epochs
    next_.pe = replica.pe + pe
    return next_


def test_an_older_partition_epoch_changes_nothing() -> None:
    leader = copy_on(started(), 0)
    take_registration(leader, changed(leader, 0, 0, 2), 0)
    before = (leader.pe, list(leader.isr))
    old = changed(leader, 0, 0, -1)
    old.isr = [0]
    take_registration(leader, old, 0)
    assert (leader.pe, list(leader.isr)) == before


def test_a_broker_that_leads_again_knows_of_no_offsets_and_counts_the_isr_as_caught_up() -> None:
    """HW-5, ISR-4: leadership 0, 1, 0; a follower may have truncated between."""
    run = started()
    leader = copy_on(run, 0)
    assert remote_of(leader, 2).leo > 0
    take_registration(leader, changed(leader, 1, 1, 1), 0)
    take_registration(leader, changed(leader, 0, 1, 1), 0)
    for broker in (1, 2):
        assert remote_of(leader, broker).leo == UNKNOWN
        assert remote_of(leader, broker).caught_up_at == run.now_us


def test_a_leader_that_is_elected_again_keeps_the_offsets_and_counts_the_isr_as_caught_up() -> None:
    run = started()
    leader = copy_on(run, 0)
    known = remote_of(leader, 2).leo
    take_registration(leader, changed(leader, 0, 1, 1), 0)
    assert remote_of(leader, 2).leo == known
    assert remote_of(leader, 2).caught_up_at == run.now_us


def test_a_pending_joiner_holds_the_high_watermark_back() -> None:
    leader = copy_on(started(), 0)
    leader.isr, leader.hw = [0, 1], leader.log.leo - 5
    joiner = remote_of(leader, 2)
    remote_of(leader, 1).leo = leader.log.leo
    joiner.leo, joiner.caught_up_at = leader.log.leo - 3, leader.broker.sim.now - leader.broker.config.lag_us - 1
    leader.pending, leader.pending_isr = PENDING_EXPAND, [0, 1, 2]
    leader.refresh_maximal_isr()
    leader.advance_hw()
    assert leader.hw == leader.log.leo - 3


def proposing(run: World) -> Partition:
    """The leader has just asked the controller to let 2 leave the ISR."""
    leader = copy_on(run, 0)
    propose(leader, PENDING_SHRINK, [0, 1], 0)
    return leader


def answered(leader: Partition, decision: IsrDecision) -> None:
    manager = broker_of(leader).alter_manager
    manager._in_flight = list(manager._unanswered)
    manager.on_answer(AlterAnswer(manager._request_id, errors.ERR_NONE, [decision]))


def test_a_final_error_leaves_the_change_pending_until_metadata_says_more() -> None:
    for error in (errors.ERR_FENCED_LEADER_EPOCH, errors.ERR_INVALID_UPDATE_VERSION, errors.ERR_INVALID_REQUEST):
        leader = proposing(started())
        answered(leader, IsrDecision(0, error, [], -1, -1, -1))
        assert leader.pending == PENDING_SHRINK


def test_an_ineligible_replica_ends_the_change() -> None:
    leader = proposing(started())
    answered(leader, IsrDecision(0, errors.ERR_INELIGIBLE_REPLICA, [], -1, -1, -1))
    assert leader.pending == COMMITTED
    assert list(leader.maximal_isr) == [0, 1, 2]


def test_an_answer_to_an_older_proposal_settles_nothing() -> None:
    leader = proposing(started())
    leader.pending_id += 1
    answered(leader, IsrDecision(0, errors.ERR_INELIGIBLE_REPLICA, [], -1, -1, -1))
    assert leader.pending == PENDING_SHRINK


def part_for(follower: Partition, offset: int, epoch: int) -> FetchAnswer:
    batch = Batch(offset, 1, epoch, 0, 0, -1, -1, -1, 0)
    return answer_with(FetchPart(0, errors.ERR_NONE, epoch, offset, 0, 0, [batch]))


def answer_with(part: FetchPart) -> FetchAnswer:
    answer = FetchAnswer()
    answer.tell([part])
    return answer


def test_a_follower_does_not_use_an_old_answer() -> None:
    """FET-11: neither one for another offset nor one of another epoch."""
    for offset, epoch in ((0, -1), (0, 0), (-2, 0)):
        follower = copy_on(started(), 1)
        follower.epoch = 4
        fetcher = fetcher_of(follower)
        assert fetcher is not None
        leo, hw = follower.log.leo, follower.hw
        if (offset, epoch) == (0, 0):
            fetcher.process(part_for(follower, leo, 4))
            assert follower.log.leo == leo + 1
            continue
        answer = part_for(follower, leo + offset, 4 + epoch)
        answer.parts[0].batches = []
        fetcher.process(answer)
        assert (follower.log.leo, follower.hw) == (leo, hw)


def test_a_follower_backs_off_for_a_second_after_an_error_of_a_partition() -> None:
    run = started()
    follower = copy_on(run, 1)
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    part = FetchPart(0, errors.ERR_UNKNOWN_LEADER_EPOCH, follower.epoch, follower.log.leo, 0, 0, [])
    fetcher.process(answer_with(part))
    run.run(run.now_us + SECOND - 1_000)
    assert follower.fetch_state == DELAYED
    run.run(run.now_us + 2_000)
    assert follower.fetch_state == READY


@pytest.mark.parametrize("has_appended", [False, True])
def test_a_truncation_begins_a_back_off_anew_unless_something_was_appended_since(has_appended: bool) -> None:
    """FET-12: the state of the partition after the truncation takes the length of its last back-off over (f031)."""
    run = started()
    follower = copy_on(run, 1)
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    fetcher.process(
        answer_with(FetchPart(0, errors.ERR_UNKNOWN_LEADER_EPOCH, follower.epoch, follower.log.leo, 0, 0, []))
    )
    run.run(run.now_us + SECOND + 1_000)
    assert follower.fetch_state == READY
    assert follower.fetch_failed
    follower.fetch_failed = not has_appended
    diverging = FetchPart(0, errors.ERR_NONE, follower.epoch, follower.log.leo, 0, 0, [])
    diverging.diverging_epoch, diverging.diverging_end = 0, follower.log.leo
    fetcher.process(answer_with(diverging))
    assert follower.fetch_state == (READY if has_appended else DELAYED)


def test_the_eighth_check_after_an_activation_fences_who_has_been_silent_since() -> None:
    """QUO-4, LIVE-3: sessions and checks begin together; each check is a little late, so the eighth finds 9 s over."""
    run = world()
    run.run(3 * SECOND)
    active = run.cluster.quorum.active
    assert active is not None
    run.act(run.now_us + 1, "kill 2")
    run.act(run.now_us + 2, f"kill {active.id}")
    run.run(30 * SECOND)
    seen = facts(run, ControllerChanged, BrokerRegistration)
    late = [fact for fact in seen if fact.t > 3 * SECOND]
    activated = [fact.t for fact in late if isinstance(fact, ControllerChanged) and fact.controller >= 0]
    fenced = [fact.t for fact in late if isinstance(fact, BrokerRegistration) and fact.broker == 2]
    assert 9.0 < (fenced[0] - activated[0]) / SECOND < 9.3


def test_requests_that_wait_are_failed_when_the_leader_steps_down() -> None:
    run = world(producers=[{"id": "P", "topic": "t", "rate": 10}], timeline=[{"at": "3s", "do": "cut 0|1,2"}])
    run.run(4 * SECOND)
    leader = copy_on(run, 0)
    assert leader.waiters
    take_registration(leader, changed(leader, 1, 1, 1), 0)
    assert not leader.waiters


def test_a_duplicate_is_not_appended_again() -> None:
    """PROD-11: the answer is that of the first attempt."""
    run = world(producers=[{"id": "P", "topic": "t"}], timeline=[{"at": "3s", "do": "cut 0|1,2"}])
    run.run(4 * SECOND)
    leader = copy_on(run, 0)
    sent = ProduceBatch(0, 0, 0, 2, 77, 0, 0)
    first, again = leader.append(sent, ACKS_ALL), leader.append(sent, ACKS_ALL)
    assert (first.error, first.offset) == (again.error, again.offset)
    assert leader.log.leo == 2
    assert leader.hw == 0


def test_a_preferred_leader_in_the_elr_is_not_elected_while_the_isr_has_members() -> None:
    """ELR-4."""
    run = world(elr=True)
    run.run(SECOND)
    base = changed(copy_on(run, 0), 2, 0, 0)
    base.isr, base.elr = [2], [0]
    control = run.cluster.control()
    assert control is not None
    assert PartitionChange(base, control.image, control.config, ELECT_PREFERRED).build(0, 0) is None


def test_a_newer_leader_ends_the_back_off_of_a_batch_and_an_answer_of_the_old_one_does_not() -> None:
    """PC-4: there is nothing to wait for at a leader that was not asked yet."""
    run = started()
    sender = run.cluster_parts.producers[0]._sender
    assert sender is not None
    queue = sender.queues[0]
    queue.append(1_000, 1, 1, run.now_us)
    head = queue.waiting[0]
    head.attempts, head.retry_at, head.leader_epoch = 1, run.now_us + SECOND, sender.metadata.epochs[0]
    assert sender.readiness.at(queue) == head.retry_at
    assert not sender.readiness.may_go_along(queue)
    sender.metadata.epochs[0] += 1
    assert sender.readiness.at(queue) <= run.now_us
    assert sender.readiness.may_go_along(queue)
