"""The states that the checkers let pass, by which rule, and the states right beside them that they reject."""

from simengine.facts.kinds import PROCESS_STARTING, REASON_FENCED, REASON_REASSIGNMENT, REG_FENCED
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.shared.config import TopicSettings
from simengine.kafka.shared.metadata import BrokerState, broker_record
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked
from tests.engine.canaries import SECOND, committed, copy_on, next_of, parts_of, rejects, remote_of, started
from tests.invariants.full_checks import check_copy, check_pairs
from tests.invariants.ghost import is_early
from tests.invariants.metadata_checks import is_reverted


def forked(run: World) -> Batch:
    """Broker 1 holds another newest record than its leader, and both hold what is now appended."""
    follower, leader = copy_on(run, 1), copy_on(run, 0)
    logs = parts_of(run).logs
    logs.shadow(follower).batches[-1] = Batch(int(follower.log.leo) - 1, 1, 0, -1, 0, -1, -1, -1, 0)
    batch = Batch(leader.log.leo, 1, leader.epoch, -1, 0, -1, -1, -1, 0)
    leader.log.append(batch)
    logs.appended(leader, batch)
    follower.log.append(batch)
    return batch


def test_log_matching_lets_a_follower_keep_the_fork_that_its_leaders_wrong_epochs_hid() -> None:
    """REG-5 d, LOG-3, TRUNC-2: and from then on knows that its log is not to be trusted."""
    run = started()
    logs, follower = parts_of(run).logs, copy_on(run, 1)
    batch = forked(run)
    rejects("log_matching", lambda: logs.appended(follower, batch))
    logs.shadow(copy_on(run, 0)).is_mislabelled = True
    logs.shadow(follower).batches.pop()
    logs.appended(follower, batch)
    assert logs.shadow(follower).is_mislabelled


def test_log_matching_says_nothing_of_a_fork_that_retention_took_from_the_leader() -> None:
    """LOG-7: no follower can find it any more, and it leaves the follower's log next (seeds 9009, 70071)."""
    run = started()
    logs, follower, leader = parts_of(run).logs, copy_on(run, 1), copy_on(run, 0)
    batch = forked(run)
    leader.log.start = batch.base
    logs.appended(follower, batch)
    assert not logs.shadow(follower).is_mislabelled


def test_log_matching_compares_two_logs_from_the_later_of_their_starts_on() -> None:
    """LOG-7: the batches before it may still stand in a segment."""
    run = started()
    follower, leader = copy_on(run, 1), copy_on(run, 0)
    forked(run)
    last, forked_one = leader.log.batches[-1], leader.log.batches[-2]
    follower.log.batches[-2] = Batch(forked_one.base, 1, forked_one.epoch, -1, 0, -1, -1, -1, 0)
    rejects("log_matching", lambda: check_pairs([leader, follower]))
    leader.log.start = last.base
    check_pairs([leader, follower])


def test_ack_copies_counts_a_copy_whose_epochs_begin_at_wrong_offsets() -> None:
    """REG-5 d, LOG-3: the leader counted on what it fetched, and it holds something else."""
    run = started()
    leader = copy_on(run, 0)
    for broker in (1, 2):
        copy_on(run, broker).log = Log()
        remote_of(leader, broker).in_maximal_isr = False
    leader.isr = [0, 1]
    leader.refresh_min_isr()
    hws, ghost = parts_of(run).hws, parts_of(run).ghosts.of(0)
    rejects("ack_copies", lambda: hws._ack_copies(leader, ghost, ghost.now, "t-0", ""))
    parts_of(run).logs.shadow(copy_on(run, 1)).is_mislabelled = True
    hws._ack_copies(leader, ghost, ghost.now, "t-0", "")


def test_ack_copies_counts_those_whom_a_reassignment_has_removed() -> None:
    """REA-4: they had it when they fetched, and the leader has not heard yet (seed 313215)."""
    run = started()
    leader = copy_on(run, 0)
    leader.min_isr = 3
    hws, ghost = parts_of(run).hws, parts_of(run).ghosts.of(0)
    run.cluster.by_id[2].drop(copy_on(run, 2), 0)
    rejects("ack_copies", lambda: hws._ack_copies(leader, ghost, ghost.now, "t-0", ""))
    run.cluster.quorum.image.partitions[0] = next_of(run, replicas=[0, 1], isr=[0, 1])
    hws._ack_copies(leader, ghost, ghost.now, "t-0", "")


def test_ack_copies_counts_those_who_have_deleted_the_topic_before_the_leader() -> None:
    """STATE-6: the controller has removed it, a follower knows, and the leader does not yet (mirrored seed 1221)."""
    run = started()
    leader, hws, ghost = copy_on(run, 0), parts_of(run).hws, parts_of(run).ghosts.of(0)
    leader.min_isr = 3
    run.cluster.by_id[2].drop(copy_on(run, 2), 0)
    rejects("ack_copies", lambda: hws._ack_copies(leader, ghost, ghost.now, "t-0", ""))
    run.cluster.quorum.image.partitions[0] = None
    hws._ack_copies(leader, ghost, ghost.now, "t-0", "")
    copy_on(run, 1).log = Log()
    rejects("ack_copies", lambda: hws._ack_copies(leader, ghost, ghost.now, "t-0", ""))


def test_a_leader_that_is_elected_again_may_count_on_what_a_member_has_cut_since() -> None:
    """HW-5: it keeps its records of before, and has not heard of the leader between for whom the member cut its log."""
    run = started()
    run.act(run.now_us + 1, "rate P 0")
    run.run(run.now_us + SECOND)
    hws, ghost, leader, member = parts_of(run).hws, parts_of(run).ghosts.of(0), copy_on(run, 0), copy_on(run, 2)
    end = int(leader.log.leo)
    member.log.truncate(end - 1)
    member.hw = end - 1
    leader.epoch = member.epoch = 2
    run.cluster.quorum.image.partitions[0] = next_of(run, epoch=2)
    rejects("hw_le_isr_leo", lambda: hws.hw_moved(leader, end - 1))
    ghost.begins(1, end)
    hws.hw_moved(leader, end - 1)
    assert ghost.overrated == [2]
    member.epoch = 3
    run.cluster.quorum.image.partitions[0] = next_of(run, epoch=3, leader=2)
    hws.activated(member)
    assert (int(ghost.now.epoch), int(ghost.now.length), ghost.overrated) == (3, end - 1, [])


def test_what_a_leader_committed_before_it_registered_counts_though_it_acts_late() -> None:
    """REG-5: the sole member of an ISR; its next epoch is over when it begins, and followers learn its mark."""
    run = started()
    run.act(run.now_us + 1, "rate P 0")
    run.run(run.now_us + SECOND)
    hws, ghost, leader = parts_of(run).hws, parts_of(run).ghosts.of(0), copy_on(run, 0)
    ghost.now.length -= 1
    leader.epoch = 2
    run.cluster.quorum.image.partitions[0] = next_of(run, epoch=3, leader=-1, isr=[0])
    hws.activated(leader)
    assert ghost.now.length == leader.hw - 1
    ghost.early = [0]
    leader.epoch = 4
    run.cluster.quorum.image.partitions[0] = next_of(run, epoch=5, leader=-1, isr=[0])
    hws.activated(leader)
    assert (int(ghost.now.length), ghost.early) == (int(leader.hw), [])
    assert ghost.committed_before(3) == leader.hw - 1, "what it brings along bounds no older epoch (seed 9700245)"


def test_a_member_that_was_counted_on_too_soon_is_held_to_account_once_it_has_fetched() -> None:
    run = started()
    ghost, leader = parts_of(run).ghosts.of(0), copy_on(run, 0)
    ghost.overrated = [1, 2]
    remote_of(leader, 1).leo -= 1
    for broker in (1, 2):
        parts_of(run).isrs.fetched(leader, remote_of(leader, broker))
    assert ghost.overrated == [1]


def test_a_reassignment_undone_uncleanly_begins_a_branch() -> None:
    """REA-6: the ISR is then the first of the originals, be it down (seeds of a denser swarm), and may hold less."""
    for elr, starts_at in ((False, 50), (True, 50), (True, 70)):
        config = {"min.insync.replicas": 1, "unclean.leader.election.enable": True}
        document = {
            "format": 1,
            "title": "undone",
            "seed": 5,
            "elr": elr,
            "until": "100s",
            "cluster": {"brokers": [0, 1, 2], "controllers": [100]},
            "topics": [{"name": "t", "assignment": [[0, 1]], "config": config}],
            "producers": [{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        }
        run = checked(load(document))
        for at, action in (
            *((2, "kill 1"), (15, "reassign t-0 0,1,2"), (25, "stop 0"), (starts_at, "start 0")),
            *((starts_at, "cut 0|2"), (60, "reassign t-0 cancel")),
        ):
            run.act(at * SECOND, action)
        run.run(99 * SECOND)
        registration = run.cluster.quorum.image.partition(0)
        assert registration is not None
        assert (registration.leader, registration.replicas) == (0, [0, 1])
        assert parts_of(run).ghosts.of(0).is_retracted


def test_leader_active_rejects_an_isr_that_is_down_where_no_reassignment_was_undone() -> None:
    """REA-6 holds for what a cancellation left behind, as long as nobody has led since."""
    run = started()
    checks, image = parts_of(run).metadata, run.cluster.quorum.image
    image.brokers[2] = BrokerState(2, image.broker_epoch(2), REG_FENCED)
    down = next_of(run, leader=-1, isr=[2], replicas=[2, 0], epoch=1)
    rejects("leader_active", lambda: checks._leader_active(down, [0, 1]))
    before = next_of(run, isr=[1], replicas=[2, 0, 1], adding=[1])
    assert is_reverted(next_of(run, isr=[], removing=[0]), down, REASON_REASSIGNMENT)
    assert not is_reverted(before, down, REASON_FENCED)
    assert is_reverted(before, down, REASON_REASSIGNMENT)
    checks._reverted[0] = down
    checks._leader_active(down, [0, 1])


def test_durable_somewhere_knows_that_a_reassignment_deletes_copies() -> None:
    """REA-4, REA-6: who is left in the ISR is all that holds what M members had."""
    run = started()
    run.act(run.now_us + 1, "rate P 0")
    run.run(run.now_us + SECOND)
    hws, ghost, sole = parts_of(run).hws, parts_of(run).ghosts.of(0), copy_on(run, 1)
    for broker in (0, 2):
        copy_on(run, broker).log = Log()
    sole.broker.up = False
    r = next_of(run, replicas=[0, 1], isr=[1], leader=1, epoch=1)
    rejects("durable_somewhere", lambda: sole.lose_tail(0, 0))
    run.cluster.quorum.image.partitions[0] = r
    hws.committed(r, False)
    assert ghost.acked_m == 1
    ghost.hurt = []
    sole.lose_tail(0, 0)


def test_a_process_that_has_applied_its_registration_is_somebody_before_it_has_the_answer() -> None:
    """REG-5: a cut may take the answer; a last-known leader acts in the epoch of its registration (504201)."""
    run = started()
    broker = run.cluster.by_id[1]
    be = broker.image.broker_epoch(1)
    assert not is_early(broker)
    broker.be = -1
    broker.incarnation = 7
    assert is_early(broker)
    broker.image.brokers[1] = BrokerState(1, be, REG_FENCED, 7)
    assert not is_early(broker)
    broker.incarnation = 8
    assert is_early(broker)


def test_incremental_equals_full_knows_what_a_cut_within_a_batch_leaves_of_it() -> None:
    """REG-5 d, LOG-3: where the epochs of a leader begin at wrong offsets, one ends within another's batch (401626)."""
    run = started()
    run.act(run.now_us + 1, "rate P 0")
    run.act(run.now_us + 2, "send P t-0 20")
    run.run(run.now_us + 2 * SECOND)
    follower, parts = copy_on(run, 1), parts_of(run)
    parts.logs.shadow(copy_on(run, 0)).is_mislabelled = True
    remote_of(copy_on(run, 0), 1).leo -= 7
    follower.truncate(follower.log.leo - 7, 0)
    check_copy(follower, parts)
    parts.logs.shadow(follower).batches.pop()
    rejects("incremental_equals_full", lambda: check_copy(follower, parts))


def test_quorum_superset_asks_for_the_elr_only_of_a_leader_that_knows_m() -> None:
    """HW-3, ELR-1: M was raised to 2 after the leader proposed an ISR of one, which it learns before it learns M."""
    run = started()
    leader, image = copy_on(run, 0), run.cluster.quorum.image
    leader.isr = leader.maximal_isr = [0]
    r = next_of(run, isr=[0], elr=[1, 2])
    lower = TopicSettings(1, -1)
    leader.broker.image.topics[0] = lower
    parts_of(run).isrs.quorum_superset(r)
    image.topics[0] = lower
    rejects("quorum_superset", lambda: parts_of(run).isrs.quorum_superset(r))


def test_trunc_terminates_goes_by_the_epochs_that_a_start_has_found_again() -> None:
    """LOG-10: a power failure had taken them out of the cache (seed 7402281)."""
    run = started()
    run.act(run.now_us + 1, "rate P 0")
    run.run(run.now_us + SECOND)
    logs, follower = parts_of(run).logs, copy_on(run, 1)
    shadow = logs.shadow(follower)
    follower.log.cache.epochs = [0, 2, 4]
    follower.log.cache.starts = [0, 5, 8]
    assert int(shadow.epoch) == 0
    logs.answer_taken(follower, follower.epoch, follower.log.leo)
    assert (int(shadow.epoch), int(shadow.entries)) == (4, 3)


def test_a_member_of_the_elr_that_a_leader_with_an_old_m_left_behind_begins_a_branch_when_it_leads() -> None:
    """HW-3, ELR-1: strong_isr asks for it only where leader and controller go by one M."""
    run = started()
    hws, ghost, leader, member = parts_of(run).hws, parts_of(run).ghosts.of(0), copy_on(run, 0), copy_on(run, 1)
    member.log.truncate(3)
    member.hw = 3
    run.cluster.quorum.image.partitions[0] = next_of(run, isr=[0], elr=[1], epoch=int(leader.epoch))
    hws._pass_over(leader, ghost)
    rejects("strong_isr", lambda: hws.strong_isr(0))
    leader.min_isr = 1
    hws._pass_over(leader, ghost)
    hws.strong_isr(0)
    member.epoch = 5
    run.cluster.quorum.image.partitions[0] = next_of(run, isr=[1], elr=[], epoch=5, leader=1)
    hws.activated(member)
    assert (int(ghost.now.epoch), int(ghost.now.length), ghost.passed) == (5, 3, [])


def test_isr_elr_floor_begins_anew_with_another_m() -> None:
    """ELR-1: M is that of partition 0, which a reassignment may raise before the ISR ever had as many members."""
    run = started()
    run.cluster.quorum.image.topics[0].min_insync = 3
    committed(run, next_of(run, isr=[0, 1]))
    committed(run, next_of(run, isr=[0, 1, 2]))
    rejects("isr_elr_floor", lambda: committed(run, next_of(run, isr=[0, 1])))


def test_an_unclean_winner_that_acts_after_the_next_one_did_commits_for_itself_alone() -> None:
    """UNC-1: what it commits as a zombie takes nothing from the branch of the later winner."""
    run = started()
    hws, ghost = parts_of(run).hws, parts_of(run).ghosts.of(0)
    length = int(ghost.now.length)
    for epoch, winner in ((5, 1), (7, 2)):
        r = next_of(run, epoch=epoch, leader=winner, isr=[winner])
        run.cluster.quorum.image.partitions[0] = r
        hws.committed(r, True)
    later, late = copy_on(run, 2), copy_on(run, 1)
    later.epoch, late.epoch = 7, 5
    late.log.truncate(3)
    late.hw = 3
    hws.activated(later)
    hws.activated(late)
    assert [(int(branch.epoch), int(branch.length)) for branch in ghost.branches] == [(0, length), (5, 3), (7, length)]


def test_a_leader_with_a_fork_that_acts_late_takes_nothing_from_the_next_one() -> None:
    """REG-5 d, LOG-3: a later leader was elected cleanly and has acted."""
    run = started()
    hws, ghost = parts_of(run).hws, parts_of(run).ghosts.of(0)
    length = int(ghost.now.length)
    run.cluster.quorum.image.partitions[0] = next_of(run, epoch=7, leader=2)
    later, late = copy_on(run, 2), copy_on(run, 1)
    later.epoch, late.epoch = 7, 5
    late.log.truncate(3)
    late.hw = 3
    parts_of(run).logs.shadow(late).is_mislabelled = True
    hws.activated(later)
    hws.activated(late)
    assert [(int(branch.epoch), int(branch.length)) for branch in ghost.branches] == [(0, length), (5, 3), (7, length)]


def test_a_member_with_a_fork_that_nobody_found_begins_a_branch_when_it_leads() -> None:
    """REG-5 d, LOG-3: until then strong_isr knows that it has something else."""
    run = started()
    hws, ghost, member = parts_of(run).hws, parts_of(run).ghosts.of(0), copy_on(run, 1)
    member.log.truncate(3)
    member.hw, member.epoch = 3, 5
    run.cluster.quorum.image.partitions[0] = next_of(run, epoch=5, leader=1)
    rejects("strong_isr", lambda: hws.strong_isr(0))
    rejects("no_acked_loss", lambda: hws.activated(member))
    parts_of(run).logs.shadow(member).is_mislabelled = True
    hws.strong_isr(0)
    hws.activated(member)
    assert (int(ghost.now.epoch), int(ghost.now.length)) == (5, 3)


def test_unclean_exclusion_goes_by_the_process_whose_request_it_was() -> None:
    """REG-3: that of a process that found the marker may be handled when the next one, which found none, runs."""
    for process, is_clean in ((7, True), (8, False)):
        run = started()
        checks, broker, be = parts_of(run).metadata, run.cluster.by_id[2], run.cluster.quorum.image.broker_epoch(2)
        for incarnation, marker in ((7, be), (8, -1)):
            broker.incarnation, broker.process, broker.clean_be = incarnation, PROCESS_STARTING, marker
            checks.process_changed(broker)
        checks.sessions._sessions.clear()
        checks._broker(broker_record(2, 1 << 30, REG_FENCED, 0, process))
        assert checks._registered == [(2, is_clean)]
