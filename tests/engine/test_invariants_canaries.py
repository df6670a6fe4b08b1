"""Canaries of the properties of sessions, metadata at brokers, fetches, truncations, disks and answers to clients."""

from simengine.facts import kinds
from simengine.kafka.broker.process_start import DISK_WIPED
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import COMMITTED, FOLLOWER, PENDING_SHRINK, Partition
from simengine.kafka.shared.metadata import broker_record, partition_record
from simengine.kernel.connecting import UP
from simengine.kernel.message import Message
from simengine.world.world import World
from tests.engine.canaries import copy_on, parts_of, registration, rejects, remote_of, started
from tests.engine.cluster import channels_of
from tests.invariants.election_checks import elr_is_last
from tests.invariants.link_checks import message_conservation
from tests.invariants.log_checks import Shadow

SECOND = 1_000_000


# -- sessions


def test_detect_rejects_a_broker_that_is_fenced_late_or_never() -> None:
    run = started()
    sessions = parts_of(run).metadata.sessions
    sessions.heartbeat(1, run.now_us)
    sessions.heartbeat(2, run.now_us)
    rejects("detect", lambda: sessions.fencing_decided(1, run.now_us + 11 * SECOND))
    sessions.heartbeat(0, run.now_us + 10 * SECOND)
    rejects("detect", lambda: sessions.heartbeat(0, run.now_us + 11 * SECOND))


def test_detect_rejects_two_brokers_fenced_at_once() -> None:
    run = started()
    sessions = parts_of(run).metadata.sessions
    for broker in (1, 2):
        sessions.heartbeat(broker, run.now_us)
    sessions.fencing_decided(1, run.now_us + 10 * SECOND)
    rejects("detect", lambda: sessions.fencing_decided(2, run.now_us + 10 * SECOND))


def test_be_unique_rejects_a_registration_within_the_old_session() -> None:
    run = started()
    sessions = parts_of(run).metadata.sessions
    sessions.heartbeat(1, run.now_us)
    rejects("be_unique", lambda: sessions.registered(1, run.now_us + 9 * SECOND))
    sessions.registered(1, run.now_us + 9 * SECOND + 1)


# -- metadata at the quorum and at brokers


def test_metadata_prefix_rejects_a_commit_without_a_majority() -> None:
    run = started()
    for controller in run.cluster.controllers[1:]:
        controller.up = False
    rejects("metadata_prefix", parts_of(run).metadata.batch_committed)


def test_metadata_prefix_rejects_a_broker_that_leaves_a_record_out() -> None:
    run = started()
    log = run.cluster.quorum.log
    broker = run.cluster.by_id[1]
    broker.applied = len(log) + 1
    record = broker_record(1, 1, kinds.REG_ACTIVE, 0)
    record.offset = len(log) + 1
    log.extend([record, record])
    rejects("metadata_prefix", lambda: parts_of(run).applies.applied(broker, [record]))


def test_epoch_monotonic_rejects_a_broker_that_believes_less_than_before() -> None:
    run = started()
    leader = copy_on(run, 0)
    parts_of(run).applies.changed(leader)
    leader.pe -= 1
    rejects("epoch_monotonic", lambda: parts_of(run).applies.changed(leader))


def test_leader_elected_rejects_a_returning_member_that_is_not_elected() -> None:
    run = started()
    checks = parts_of(run).metadata
    image = run.cluster.quorum.image
    known = image.partition(0)
    assert known is not None
    offline = known.copy()
    offline.leader = -1
    image.partitions[0] = offline
    record = broker_record(1, image.broker_epoch(1), kinds.REG_ACTIVE, 0)
    record.offset = checks.records
    checks.committed(record)
    rejects("leader_elected", checks.batch_committed)


def test_an_unclean_election_that_nobody_allowed_begins_no_branch() -> None:
    run = started()
    known = run.cluster.quorum.image.partition(0)
    assert known is not None
    checks = parts_of(run).metadata
    fenced = partition_record(known, kinds.REASON_FENCED, kinds.ELECTION_UNCLEAN, 0)
    assert not checks.begins_branch(fenced)
    assert checks.begins_branch(partition_record(known, kinds.REASON_UNCLEAN, kinds.ELECTION_UNCLEAN, 0))
    assert checks.begins_branch(partition_record(known, kinds.REASON_FENCED, kinds.ELECTION_LAST_KNOWN, 0))


# -- fetches


def test_fetch_matched_rejects_answers_to_other_fetches_epochs_and_positions() -> None:
    run = started()
    parts = parts_of(run)
    parts.fetches.given_up(1, 0)
    parts.fetches.sent(1, 0, 70)
    rejects("fetch_matched", lambda: parts.fetches.answered(1, 0, 69))
    rejects("fetch_matched", lambda: parts.fetches.answered(1, 0, 70))
    follower = copy_on(run, 1)
    parts.logs.answer_taken(follower, follower.epoch, follower.log.leo)
    rejects("fetch_matched", lambda: parts.logs.answer_taken(follower, follower.epoch, follower.log.leo - 1))
    rejects("fetch_matched", lambda: parts.logs.answer_taken(follower, follower.epoch - 1, follower.log.leo))


# -- truncations


def shadow_of(run: World, replica: Partition) -> Shadow:
    return parts_of(run).logs.shadow(replica)


def test_trunc_terminates_rejects_a_round_without_progress() -> None:
    run = started()
    follower = copy_on(run, 1)
    rejects("trunc_terminates", lambda: parts_of(run).logs.truncated(follower))


def test_trunc_terminates_rejects_a_cut_into_what_the_leader_has() -> None:
    run = started()
    parts_of(run).ghosts.of(0).now.length = 0
    follower = copy_on(run, 1)
    rejects("trunc_terminates", lambda: follower.truncate(follower.log.leo - 1, 0))


def test_trunc_terminates_rejects_more_rounds_than_the_cache_has_entries() -> None:
    run = started()
    follower = copy_on(run, 1)
    shadow = shadow_of(run, follower)
    shadow.in_epoch, shadow.rounds, shadow.rounds_max = follower.epoch, 2, 2
    shadow.epoch += 1
    rejects("trunc_terminates", lambda: parts_of(run).logs.truncated(follower))


def test_trunc_above_own_hw_rejects_a_cut_below_it() -> None:
    run = started()
    parts_of(run).ghosts.of(0).now.length = 0
    copy_on(run, 0).log = Log()
    follower = copy_on(run, 1)
    rejects("trunc_above_own_hw", lambda: follower.truncate(follower.hw - 1, 0))


def test_acks1_loss_bound_rejects_the_loss_of_what_was_committed_when_the_leader_changed() -> None:
    run = started()
    ghost = parts_of(run).ghosts.of(0)
    follower = copy_on(run, 1)
    last = follower.log.batches[-1]
    ghost.acked_1[(int(last.base), int(last.epoch))] = 1
    ghost.changes.append((int(last.epoch) + 1, int(last.end)))
    ghost.now.length = 0
    rejects("acks1_loss_bound", lambda: follower.truncate(last.base, 0))


def test_durable_somewhere_rejects_the_loss_of_the_last_copy_within_the_budget() -> None:
    run = started()
    for broker in (1, 2):
        run.cluster.by_id[broker].kill()
        copy_on(run, broker).log = Log()
    run.cluster.by_id[0].kill()
    rejects("durable_somewhere", lambda: run.cluster.by_id[0].empty_disk(DISK_WIPED))


# -- high watermarks, ISRs


def test_applied_hw_rejects_a_current_leader_that_knows_less_than_is_committed() -> None:
    run = started()
    ghost = parts_of(run).ghosts.of(0)
    leader = copy_on(run, 0)
    leader.hw -= 1
    rejects("applied_hw", lambda: parts_of(run).hws.hw_moved(leader, int(leader.hw) - 1))
    assert leader.hw < ghost.now.length


def test_isr_shrink_guard_rejects_a_proposal_between_two_checks() -> None:
    run = started()
    leader = copy_on(run, 0)
    leader.pending, leader.pending_isr = PENDING_SHRINK, [0, 1]
    remote_of(leader, 2).leo = leader.log.leo - 1
    remote_of(leader, 2).caught_up_at = run.now_us - 31 * SECOND
    parts_of(run).isrs.proposed(leader, COMMITTED)
    run.run(run.now_us + 15 * SECOND - 1)
    remote_of(leader, 2).leo = leader.log.leo - 1
    remote_of(leader, 2).caught_up_at = run.now_us - 31 * SECOND
    leader.isr, leader.pending_isr = [0, 1, 2], [0, 1]
    rejects("isr_shrink_guard", lambda: parts_of(run).isrs.proposed(leader, COMMITTED))


# -- clients


def test_end_offset_monotonic_rejects_an_end_that_falls_and_applied_hw_one_too_low() -> None:
    run = started()
    leader = copy_on(run, 0)
    clients = parts_of(run).clients
    clients.end_answered(leader, leader.hw)
    rejects("end_offset_monotonic", lambda: clients.end_answered(leader, leader.hw - 1))
    rejects("applied_hw", lambda: clients.end_answered(leader, leader.hw + 1))


def test_refuse_is_clean_rejects_a_refusal_after_the_append() -> None:
    run = started()
    leader = copy_on(run, 0)
    parts_of(run).clients.refused(leader, leader.log.leo)
    rejects("refuse_is_clean", lambda: parts_of(run).clients.refused(leader, leader.log.leo - 1))


def test_a_zombie_extends_only_the_older_branch() -> None:
    run = started()
    ghost = parts_of(run).ghosts.of(0)
    winner = copy_on(run, 1)
    winner.role, winner.epoch = FOLLOWER, 5
    parts_of(run).hws._branch(winner, ghost, 5)
    assert (len(ghost.branches), ghost.now.epoch, ghost.is_retracted) == (2, 5, False)
    leader = copy_on(run, 0)
    assert ghost.of_epoch(leader.epoch) is ghost.branches[0]
    batch = Batch(leader.log.leo, 1, leader.epoch, 0, 0, -1, -1, -1, 0)
    for replica in (leader, winner, copy_on(run, 2)):
        replica.log.append(batch)
    for remote in leader.remotes:
        remote.leo = leader.log.leo
    leader.advance_hw()
    assert ghost.branches[0].length == leader.log.leo
    assert ghost.now.length < leader.log.leo
    assert ghost.is_retracted


def test_recorded_leo_sound_rejects_what_a_leader_knew_before_it_followed() -> None:
    run = started()
    leader = copy_on(run, 0)
    isrs = parts_of(run).isrs
    isrs.leads(leader)
    isrs.follows(leader)
    rejects("recorded_leo_sound", lambda: isrs.leads(leader))


def test_isr_shrink_guard_rejects_a_lag_from_before_the_leadership() -> None:
    """ISR-4."""
    run = started()
    leader = copy_on(run, 0)
    parts_of(run).isrs.leads(leader)
    leader.pending, leader.pending_isr = PENDING_SHRINK, [0, 1]
    remote_of(leader, 2).leo = leader.log.leo - 1
    remote_of(leader, 2).caught_up_at = run.now_us - 31 * SECOND
    rejects("isr_shrink_guard", lambda: parts_of(run).isrs.proposed(leader, COMMITTED))


def test_write_resolved_rejects_requests_that_wait_at_a_follower() -> None:
    """PROD-9."""
    run = started()
    leader = copy_on(run, 0)
    run.act(run.now_us + 1, "cut 0|1,2")
    run.run(run.now_us + SECOND)
    known = leader.registration
    assert known is not None
    record = partition_record(known, kinds.REASON_FENCED, kinds.ELECTION_NONE, 0)
    record.offset = len(run.cluster.quorum.log)
    run.cluster.quorum.log.append(record)
    leader.role = FOLLOWER
    assert len(leader.waiters) > 0
    rejects("write_resolved", lambda: parts_of(run).applies.applied(run.cluster.by_id[0], [record]))


def test_elr_wellformed_rejects_an_election_from_the_elr_past_an_able_member() -> None:
    """ELR-4."""
    before, after = registration(isr=[2], elr=[0], leader=2), registration(isr=[0], leader=0)
    elr_is_last(after, before, kinds.ELECTION_ELR, [0, 1])
    rejects("elr_wellformed", lambda: elr_is_last(after, before, kinds.ELECTION_ELR, [0, 1, 2]))


# -- the wire


def test_message_conservation_rejects_what_comes_twice_or_goes_without_a_word() -> None:
    run = started()
    net = run.cluster_parts.net
    run.act(run.now_us + 1, "cut 0>1")
    run.act(run.now_us + 2, "pause 2")
    run.run(run.now_us + SECOND)
    message_conservation(net)
    channel = run.cluster.by_id[1].fetchers.by_leader[0].channel
    waiting = channel.held()
    channel.lost += 1
    rejects("message_conservation", lambda: message_conservation(net))
    channel.lost -= 1
    waiting.append(waiting[0])
    channel.sent += 1
    rejects("message_conservation", lambda: message_conservation(net))


def test_message_conservation_rejects_two_alter_partition_requests_of_one_broker() -> None:
    run = started()
    net = run.cluster_parts.net
    channel = next(c for c in channels_of(run.cluster.by_id[0]) if c.client.id == 0 and c.server.id == 100)
    channel.state = UP
    channel.send(Message(kinds.MSG_ALTER_PARTITION, 0, 1, 0))
    message_conservation(net)
    channel.send(Message(kinds.MSG_ALTER_PARTITION, 0, 1, 0))
    rejects("message_conservation", lambda: message_conservation(net))


def test_fetch_matched_rejects_a_second_fetch_while_one_is_under_way() -> None:
    """FET-1."""
    fetches = parts_of(started()).fetches
    fetches.given_up(1, 0)
    fetches.sent(1, 0, 900)
    rejects("fetch_matched", lambda: fetches.sent(1, 0, 901))
    fetches.given_up(1, 0)
    fetches.sent(1, 0, 902)


def test_read_committed_only_rejects_what_a_replica_serves_above_its_mark_or_of_another_branch() -> None:
    """CON-1, FFR-4."""
    run = started()
    clients = parts_of(run).clients
    leader, follower = copy_on(run, 0), copy_on(run, 1)
    newest = leader.log.batches[-1]
    clients.served(leader, [newest])
    other = Batch(newest.base, newest.count, newest.epoch, newest.client, newest.n, -1, -1, -1, newest.time)
    rejects("read_committed_only", lambda: clients.served(leader, [other]))
    follower.hw = newest.base
    rejects("read_committed_only", lambda: clients.served(follower, [newest]))
