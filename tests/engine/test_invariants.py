"""Every named property has its canary: a state made by hand that it must reject, beside a good one that it accepts."""

from typing import Any

import pytest

from simengine.facts import kinds
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import COMMITTED, PENDING_EXPAND, PENDING_SHRINK
from simengine.kafka.shared.metadata import BrokerState, broker_record
from simengine.kafka.wire.api import ACKS_ALL
from simengine.world.world import World
from tests.engine.canaries import (
    committed,
    copy_on,
    next_of,
    parts_of,
    registration,
    rejects,
    remote_of,
    started,
)
from tests.invariants import client_checks, log_checks, metadata_checks

# -- metadata


@pytest.mark.parametrize(
    "fields",
    [
        {"isr": [0, 0]},
        {"isr": [0, 9]},
        {"elr": [9, 9]},
        {"replicas": [0, 1, 2, 2]},
        {"leader": 9},
        {"epoch": -1},
        {"adding": [9]},
    ],
)
def test_type_ok_rejects(fields: dict[str, Any]) -> None:
    metadata_checks.type_ok(registration())
    rejects("type_ok", lambda: metadata_checks.type_ok(registration(**fields)))


def test_leader_in_isr_rejects_a_leader_outside() -> None:
    metadata_checks.leader_in_isr(registration(leader=-1))
    rejects("leader_in_isr", lambda: metadata_checks.leader_in_isr(registration(isr=[1, 2])))


def test_isr_nonempty_rejects_an_empty_isr_with_elr_off_or_with_a_leader() -> None:
    metadata_checks.isr_nonempty(registration(isr=[], leader=-1), True)
    rejects("isr_nonempty", lambda: metadata_checks.isr_nonempty(registration(isr=[], leader=-1), False))
    rejects("isr_nonempty", lambda: metadata_checks.isr_nonempty(registration(isr=[]), True))


def test_elr_wellformed_rejects_an_elr_at_m_in_the_isr_or_with_the_feature_off() -> None:
    metadata_checks.elr_wellformed(registration(isr=[0], elr=[1]), True, 2)
    rejects("elr_wellformed", lambda: metadata_checks.elr_wellformed(registration(isr=[0, 2], elr=[1]), True, 2))
    rejects("elr_wellformed", lambda: metadata_checks.elr_wellformed(registration(isr=[0], elr=[0]), True, 2))
    rejects("elr_wellformed", lambda: metadata_checks.elr_wellformed(registration(isr=[0], elr=[1]), False, 2))
    left = registration(isr=[0], elr=[1])  # by the winner of an election from the ELR, where M is 1 by now
    metadata_checks.elr_wellformed(left, True, 1, kinds.ELECTION_ELR)
    rejects("elr_wellformed", lambda: metadata_checks.elr_wellformed(left, True, 1, kinds.ELECTION_CLEAN))


@pytest.mark.parametrize("after", [{"pe": 9}, {"pe": 8, "epoch": 4}, {"pe": 8, "leader": 1}])
def test_epoch_monotonic_rejects(after: dict[str, Any]) -> None:
    metadata_checks.epoch_monotonic(registration(), registration(pe=8, isr=[0]))
    metadata_checks.epoch_monotonic(registration(), registration(pe=8, leader=1, epoch=4))
    rejects("epoch_monotonic", lambda: metadata_checks.epoch_monotonic(registration(), registration(**after)))


def test_reassignment_safe_rejects_a_completion_without_the_whole_target() -> None:
    kind, reason = kinds.ELECTION_CLEAN, kinds.REASON_ALTER_PARTITION
    before = registration(replicas=[3, 1, 0, 2], adding=[3], removing=[0, 2], isr=[0, 1, 3])
    metadata_checks.reassignment_safe(before, registration(replicas=[3, 1], isr=[1, 3]), kind, reason)
    after = registration(replicas=[3, 1], isr=[3])
    rejects("reassignment_safe", lambda: metadata_checks.reassignment_safe(before, after, kind, reason))
    metadata_checks.reassignment_safe(before, after, kind, reason, False)  # before 3.8: broker 1 is kept, 3 is added
    kept = registration(replicas=[3, 1], isr=[1])
    rejects("reassignment_safe", lambda: metadata_checks.reassignment_safe(before, kept, kind, reason, False))


def test_reassignment_safe_rejects_members_that_come_with_the_completion() -> None:
    after = registration(replicas=[3, 1], isr=[1, 3])
    before = registration(replicas=[3, 1, 0, 2], adding=[3], removing=[0, 2], isr=[0, 1])
    proposed, fenced = kinds.REASON_ALTER_PARTITION, kinds.REASON_FENCED
    metadata_checks.reassignment_safe(before, after, kinds.ELECTION_CLEAN, proposed)
    rejects("reassignment_safe", lambda: metadata_checks.reassignment_safe(before, after, kinds.ELECTION_CLEAN, fenced))
    before = registration(replicas=[3, 1, 0, 2], adding=[3], removing=[0, 2], isr=[0])
    rejects(
        "reassignment_safe", lambda: metadata_checks.reassignment_safe(before, after, kinds.ELECTION_CLEAN, proposed)
    )


def test_leader_active_rejects_a_fenced_member_of_the_isr() -> None:
    run = started()
    image = run.cluster.quorum.image
    image.brokers[2] = BrokerState(2, image.broker_epoch(2), kinds.REG_FENCED)
    committed(run, next_of(run, isr=[0, 1]))
    rejects("leader_active", lambda: committed(run, next_of(run, isr=[0, 2])))


def test_isr_elr_floor_rejects_an_elr_that_forgets_who_left() -> None:
    run = started()
    committed(run, next_of(run, isr=[0, 1]))
    committed(run, next_of(run, isr=[0], elr=[1]))
    rejects("isr_elr_floor", lambda: committed(run, next_of(run, isr=[0], elr=[])))


def test_metadata_prefix_rejects_a_gap_in_the_log() -> None:
    checks = parts_of(started()).metadata
    record = broker_record(1, 0, kinds.REG_ACTIVE, 0)
    record.offset = checks.records + 1
    rejects("metadata_prefix", lambda: checks.committed(record))


def test_metadata_prefix_rejects_two_controllers_of_one_epoch() -> None:
    run = started()
    committed(run, next_of(run, isr=[0, 1]))
    quorum = run.cluster.quorum
    quorum.active = next(c for c in run.cluster.controllers if c is not quorum.active)
    rejects("metadata_prefix", lambda: committed(run, next_of(run, isr=[0, 1, 2])))


def test_be_unique_rejects_a_broker_epoch_granted_before() -> None:
    run = started()
    checks = parts_of(run).metadata
    record = broker_record(1, run.cluster.quorum.image.broker_epoch(2), kinds.REG_FENCED, 0)
    record.offset = checks.records
    rejects("be_unique", lambda: checks.committed(record))


def test_fencing_exact_rejects_fencing_within_the_session() -> None:
    run = started()
    checks = parts_of(run).metadata.sessions
    checks.heartbeat(1, run.now_us)
    session = int(run.cluster.config.session_us)
    checks.fencing_decided(1, run.now_us + session + 1)
    rejects("fencing_exact", lambda: checks.fencing_decided(1, run.now_us + session))


def test_unclean_exclusion_rejects_a_new_incarnation_in_the_isr() -> None:
    run = started()
    checks = parts_of(run).metadata
    record = broker_record(1, 1 << 30, kinds.REG_ACTIVE, 0)
    record.offset = checks.records
    rejects("be_unique", lambda: checks.committed(record))  # its old session is valid
    record = broker_record(1, 1 << 31, kinds.REG_ACTIVE, 0)
    record.offset = checks.records
    checks.committed(record)
    rejects("unclean_exclusion", checks.batch_committed)


# -- logs


def batch_at(offset: int, epoch: int, count: int = 1, seq: int = -1, n: int = 0) -> Batch:
    return Batch(offset, count, epoch, 0, n, 7 if seq >= 0 else -1, 0, seq, 0)


def test_log_matching_rejects_two_histories_of_one_offset_and_epoch() -> None:
    one, other, link = batch_at(5, 1, count=3), batch_at(5, 1, count=3, n=1), batch_at(4, 1)
    log_checks.log_matching(None, None, one, link, "t-0")
    log_checks.log_matching(one, link, one, link, "t-0")
    log_checks.log_matching(one, link, one.part(5, 2), link, "t-0")
    rejects("log_matching", lambda: log_checks.log_matching(one, link, other, link, "t-0"))
    rejects("log_matching", lambda: log_checks.log_matching(one, link, one, batch_at(4, 1, n=1), "t-0"))


def test_epoch_cache_exact_rejects_a_cache_that_does_not_fit_the_log() -> None:
    log = Log()
    log.append(batch_at(0, 1))
    log.append(batch_at(1, 2))
    log_checks.epoch_cache_exact(log, "t-0")
    for epochs, starts in (([1, 1], [0, 1]), ([1, 2], [0, 3]), ([1], [0]), ([1, 2], [1, 1])):
        log.cache.epochs, log.cache.starts = epochs, starts
        rejects("epoch_cache_exact", lambda: log_checks.epoch_cache_exact(log, "t-0"))


def test_append_at_leo_rejects_a_batch_of_a_later_epoch_and_one_that_leaves_a_gap() -> None:
    run = started()
    follower = copy_on(run, 1)
    late = batch_at(int(follower.log.leo), int(follower.epoch) + 1)
    rejects("append_at_leo", lambda: parts_of(run).logs.appended(follower, late))
    with pytest.raises(AssertionError, match="append_at_leo"):
        follower.log.append(batch_at(int(follower.log.leo) + 1, 0))


def test_no_committed_truncation_rejects_a_cut_into_the_committed_log() -> None:
    run = started()
    follower = copy_on(run, 1)
    rejects("no_committed_truncation", lambda: follower.truncate(follower.hw - 1, 0))


def test_no_trunc_on_restart_rejects_a_cut_by_a_leader() -> None:
    run = started()
    leader = copy_on(run, 0)
    leader.hw = leader.log.leo - 1
    rejects("no_trunc_on_restart", lambda: leader.truncate(leader.log.leo - 1, 0))


def moved(run: World, broker: int, hw: int, old: int) -> None:
    replica = copy_on(run, broker)
    replica.hw = hw
    parts_of(run).hws.hw_moved(replica, old)


def test_high_watermarks_out_of_bounds_are_rejected() -> None:
    run = started()
    leo, hw = int(copy_on(run, 0).log.leo), int(copy_on(run, 0).hw)
    moved(run, 0, hw, hw)
    rejects("type_ok", lambda: moved(run, 0, leo + 1, hw))
    rejects("hw_monotonic_leader", lambda: moved(run, 0, hw - 1, hw))


def test_hw_le_true_rejects_a_follower_ahead_of_every_leader() -> None:
    run = started()
    follower = copy_on(run, 1)
    parts_of(run).ghosts.of(0).now.length = follower.hw - 1
    rejects("hw_le_true", lambda: moved(run, 1, int(follower.hw), int(follower.hw) - 1))


def test_strict_min_isr_hw_rejects_a_move_below_m() -> None:
    run = started()
    copy_on(run, 0).isr = [0]
    rejects("strict_min_isr_hw", lambda: moved(run, 0, int(copy_on(run, 0).hw), 0))


def test_hw_unknown_blocks_rejects_a_move_before_a_member_has_fetched() -> None:
    run = started()
    remote_of(copy_on(run, 0), 1).leo = -1
    rejects("hw_unknown_blocks", lambda: moved(run, 0, int(copy_on(run, 0).hw), 0))


def test_hw_le_isr_leo_rejects_a_mark_that_a_member_has_not_reached() -> None:
    run = started()
    copy_on(run, 2).log = Log()
    rejects("hw_le_isr_leo", lambda: moved(run, 0, int(copy_on(run, 0).hw), 0))


def test_true_hw_monotonic_rejects_a_leader_with_another_past() -> None:
    run = started()
    ghost = parts_of(run).ghosts.of(0).now
    ghost.batches[-1] = batch_at(int(ghost.batches[-1].base), 0)
    rejects("true_hw_monotonic", lambda: moved(run, 0, int(copy_on(run, 0).hw), 0))


def test_ack_copies_and_strong_isr_reject_members_without_the_committed_log() -> None:
    run = started()
    leader = copy_on(run, 0)
    for broker in (1, 2):
        copy_on(run, broker).log = Log()
        remote_of(leader, broker).in_maximal_isr = False
    rejects("ack_copies", lambda: moved(run, 0, int(leader.hw), 0))
    rejects("strong_isr", lambda: parts_of(run).hws.strong_isr(0))


def test_recorded_leo_sound_rejects_progress_that_a_follower_has_not_made() -> None:
    run = started()
    leader = copy_on(run, 0)
    remote = remote_of(leader, 1)
    remote.leo = copy_on(run, 1).log.leo
    parts_of(run).isrs.fetched(leader, remote)
    remote.leo += 1
    rejects("recorded_leo_sound", lambda: parts_of(run).isrs.fetched(leader, remote))


def test_quorum_superset_rejects_a_leader_that_does_not_count_on_a_member() -> None:
    run = started()
    parts_of(run).isrs.quorum_superset(next_of(run))
    copy_on(run, 0).maximal_isr = [0, 1]
    rejects("quorum_superset", lambda: parts_of(run).isrs.quorum_superset(next_of(run)))


def test_isr_expand_guard_rejects_a_joiner_below_hw() -> None:
    run = started()
    leader = copy_on(run, 0)
    leader.isr, leader.pending, leader.pending_isr = [0, 1], PENDING_EXPAND, [0, 1, 2]
    remote_of(leader, 2).leo = leader.hw
    parts_of(run).isrs.proposed(leader, COMMITTED)
    remote_of(leader, 2).leo = leader.hw - 1
    rejects("isr_expand_guard", lambda: parts_of(run).isrs.proposed(leader, COMMITTED))


def test_isr_guards_reject_a_proposal_while_another_change_is_pending() -> None:
    run = started()
    leader = copy_on(run, 0)
    leader.isr, leader.pending, leader.pending_isr = [0, 1], PENDING_EXPAND, [0, 1, 2]
    rejects("isr_expand_guard", lambda: parts_of(run).isrs.proposed(leader, PENDING_EXPAND))
    leader.isr, leader.pending, leader.pending_isr = [0, 1, 2], PENDING_SHRINK, [0, 1]
    rejects("isr_shrink_guard", lambda: parts_of(run).isrs.proposed(leader, PENDING_EXPAND))


def test_isr_expand_guard_rejects_a_joiner_that_fetched_in_an_older_epoch_only() -> None:
    run = started()
    leader = copy_on(run, 0)
    leader.isr, leader.pending, leader.pending_isr = [0, 1], PENDING_EXPAND, [0, 1, 2]
    parts_of(run).isrs.proposed(leader, COMMITTED)
    leader.epoch += 1
    rejects("isr_expand_guard", lambda: parts_of(run).isrs.proposed(leader, COMMITTED))


def test_isr_shrink_guard_rejects_leaving_out_a_follower_that_keeps_up() -> None:
    run = started()
    leader = copy_on(run, 0)
    leader.pending, leader.pending_isr = PENDING_SHRINK, [0, 1]
    remote_of(leader, 2).leo = leader.log.leo
    rejects("isr_shrink_guard", lambda: parts_of(run).isrs.proposed(leader, COMMITTED))


def test_one_leader_per_epoch_rejects_a_second_incarnation() -> None:
    run = started()
    leader = copy_on(run, 0)
    parts_of(run).hws.activated(leader)
    leader.broker.be += 1
    parts_of(run).hws.activated(leader)  # REG-5: its registration is on its way, what it applies is older
    leader.broker.image.brokers[0].be += 1
    rejects("one_leader_per_epoch", lambda: parts_of(run).hws.activated(leader))


def test_leader_completeness_rejects_a_clean_leader_without_the_committed_log() -> None:
    run = started()
    leader = copy_on(run, 0)
    leader.log = Log()
    ghost = parts_of(run).ghosts.of(0)
    for name, acked, read in (
        ("no_acked_loss", ghost.now.length, ghost.now.length),
        ("consistent_read", 0, ghost.now.length),
        ("leader_completeness", 0, 0),
    ):
        ghost.acked_end, ghost.read_end = acked, read
        rejects(name, lambda: parts_of(run).hws.activated(leader))


# -- clients


def test_ack_rule_rejects_an_answer_above_hw_or_below_m() -> None:
    leader = copy_on(started(), 0)
    client_checks.ack_rule(leader, leader.hw - 1, 1, ACKS_ALL, "t-0")
    rejects("ack_rule", lambda: client_checks.ack_rule(leader, leader.log.leo, 1, 1, "t-0"))
    leader.hw -= 1
    rejects("ack_rule", lambda: client_checks.ack_rule(leader, leader.hw, 1, ACKS_ALL, "t-0"))
    leader.maximal_isr = [0]
    rejects("ack_rule", lambda: client_checks.ack_rule(leader, leader.hw - 1, 1, ACKS_ALL, "t-0"))


def test_idem_no_dup_rejects_a_sequence_written_before() -> None:
    log = [batch_at(0, 0, 2, 0), batch_at(2, 0, 2, 2)]
    before = client_checks.predecessor(log, log[-1])
    assert before is log[0]
    client_checks.idem_no_dup(before, log[-1], "t-0")
    client_checks.idem_no_gap(before, log[-1], "t-0")
    rejects("idem_no_dup", lambda: client_checks.idem_no_dup(before, batch_at(2, 0, 2, 1), "t-0"))


def test_idem_no_gap_rejects_a_sequence_left_out_and_an_epoch_that_goes_back() -> None:
    before = batch_at(0, 0, 2, 0)
    rejects("idem_no_gap", lambda: client_checks.idem_no_gap(before, batch_at(2, 0, 2, 3), "t-0"))
    newer = batch_at(2, 0, 2, 2)
    newer.pid_epoch = 1
    rejects("idem_no_gap", lambda: client_checks.idem_no_gap(before, newer, "t-0"))
    newer.seq = 0
    client_checks.idem_no_gap(before, newer, "t-0")
    rejects("idem_no_gap", lambda: client_checks.idem_no_gap(newer, before, "t-0"))


def test_no_acked_loss_rejects_an_answer_for_what_is_not_committed_or_another_call() -> None:
    run = started()
    last = parts_of(run).ghosts.of(0).now.batches[-1]
    clients = parts_of(run).clients
    clients.acked(last.client, 0, last.n, last.count, last.base, 0)
    rejects("no_acked_loss", lambda: clients.acked(last.client, 0, last.n, 1, parts_of(run).ghosts.of(0).now.length, 0))
    rejects("no_acked_loss", lambda: clients.acked(9, 0, last.n, last.count, last.base, 0))


def test_read_committed_only_and_poll_order_reject_what_no_consumer_may_see() -> None:
    run = started()
    clients = parts_of(run).clients
    ghost = parts_of(run).ghosts.of(0).now
    clients.delivered(0, 0, 0, 1, int(ghost.batches[0].epoch))
    rejects("poll_order", lambda: clients.delivered(0, 0, 2, 1, 0))
    rejects("poll_order", lambda: clients.position_moved(0, 0, 0, kinds.RESET_TRUNCATION))
    rejects("read_committed_only", lambda: clients.delivered(1, 0, int(ghost.length), 1, 0))
    rejects("read_committed_only", lambda: clients.delivered(2, 0, 0, 1, 99))
