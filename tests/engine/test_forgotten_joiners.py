"""A leader that forgets whom it has proposed for the ISR (STATE-6): what the checkers let pass then, and what not.

The record with the PE that an AlterPartition answer has told already ends what the leader has proposed since; the
controller accepts that all the same, and the leader learns of it by the next record.
"""

from simengine.facts.kinds import REG_FENCED
from simengine.kafka.replica.remote import NEVER
from simengine.kafka.replica.replica import COMMITTED, PENDING_EXPAND, PENDING_SHRINK, Partition
from simengine.kafka.shared.metadata import BrokerState
from simengine.world.world import World
from tests.engine.canaries import copy_on, next_of, parts_of, rejects, remote_of, started


def forgets(run: World, joiner: int) -> Partition:
    """The leader, which has proposed to let a broker in; now the record before that ends the proposal (STATE-6)."""
    leader = copy_on(run, 0)
    leader.isr = [m for m in (0, 1, 2) if m != joiner]
    leader.pending, leader.pending_isr = PENDING_EXPAND, [*leader.isr, joiner]
    parts_of(run).isrs.overtaken(leader)
    leader.pending = COMMITTED
    leader.maximal_isr = leader.isr
    remote_of(leader, joiner).in_maximal_isr = False
    return leader


def test_quorum_superset_lets_a_leader_forget_whose_joining_the_record_before_has_ended() -> None:
    """STATE-6: the controller lets in whom the leader counts on no more (seeds 6300767, 7100174); only that one."""
    run = started()
    isrs = parts_of(run).isrs
    leader = forgets(run, 2)
    isrs.quorum_superset(next_of(run, isr=[0, 1, 2]))
    isrs.quorum_superset(next_of(run, isr=[0, 1], elr=[2]))
    leader.isr = leader.maximal_isr = [0]
    rejects("quorum_superset", lambda: isrs.quorum_superset(next_of(run, isr=[0, 1, 2])))
    leader.isr = leader.maximal_isr = [0, 1]
    leader.pe += 1  # the record of it has arrived
    rejects("quorum_superset", lambda: isrs.quorum_superset(next_of(run, isr=[0, 1, 2])))


def test_quorum_superset_lets_a_leader_forget_nobody_whose_leaving_the_record_before_has_ended() -> None:
    """STATE-6, AP-6: a pending removal counts on all the same."""
    run = started()
    leader, isrs = copy_on(run, 0), parts_of(run).isrs
    leader.isr = leader.maximal_isr = [0, 1]
    leader.pending, leader.pending_isr = PENDING_SHRINK, [0, 2]
    isrs.overtaken(leader)
    rejects("quorum_superset", lambda: isrs.quorum_superset(next_of(run, isr=[0, 1, 2])))


def outrun() -> tuple[World, Partition]:
    """Broker 2, which was to join and had not caught up in time, has three records when the leader forgets it."""
    run = started()
    leader = forgets(run, 2)
    copy_on(run, 2).log.truncate(3)
    joiner = remote_of(leader, 2)
    joiner.leo, joiner.caught_up_at = 3, NEVER
    return run, leader


def test_the_mark_passes_who_was_to_join_only_if_it_is_not_waited_for() -> None:
    """STATE-6, HW-1 (seed 7201545)."""
    run, leader = outrun()
    hws, ghost, joiner = parts_of(run).hws, parts_of(run).ghosts.of(0), remote_of(leader, 2)
    joiner.caught_up_at = leader.broker.sim.now
    rejects("quorum_superset", lambda: hws._outrun(leader, ghost, "t-0", ""))
    joiner.caught_up_at = NEVER
    hws._outrun(leader, ghost, "t-0", "")
    assert ghost.outrun == [2]


def test_the_mark_passes_who_was_to_join_and_is_not_eligible_at_the_leader() -> None:
    """STATE-6, ISR-6: the controller has unfenced it already, the leader has not heard (seed 7100174)."""
    run, leader = outrun()
    hws, ghost, joiner = parts_of(run).hws, parts_of(run).ghosts.of(0), remote_of(leader, 2)
    joiner.caught_up_at = leader.broker.sim.now
    leader.broker.image.brokers[2] = BrokerState(2, joiner.be, REG_FENCED)
    hws._outrun(leader, ghost, "t-0", "")
    assert ghost.outrun == [2]


def test_strong_isr_asks_for_it_again_of_whom_the_mark_has_passed_when_that_one_has_caught_up() -> None:
    """STATE-6; and of all others always."""
    run, leader = outrun()
    hws, isrs, ghost = parts_of(run).hws, parts_of(run).isrs, parts_of(run).ghosts.of(0)
    rejects("strong_isr", lambda: hws.strong_isr(0))
    hws._outrun(leader, ghost, "t-0", "")
    isrs.fetched(leader, remote_of(leader, 2))
    hws.strong_isr(0)
    copy_on(run, 1).log.truncate(3)
    rejects("strong_isr", lambda: hws.strong_isr(0))
    run, leader = outrun()
    hws, isrs, ghost = parts_of(run).hws, parts_of(run).isrs, parts_of(run).ghosts.of(0)
    hws._outrun(leader, ghost, "t-0", "")
    ghost.lost = [2]
    remote_of(leader, 2).leo = ghost.now.length
    isrs.fetched(leader, remote_of(leader, 2))
    rejects("strong_isr", lambda: hws.strong_isr(0))


def test_a_member_whose_joining_was_forgotten_begins_a_branch_when_it_leads() -> None:
    """STATE-6: Kafka loses what was acknowledged while the leader did not count on it."""
    run = started()
    hws, ghost, member = parts_of(run).hws, parts_of(run).ghosts.of(0), copy_on(run, 2)
    member.log.truncate(3)
    member.hw, member.epoch = 3, 5
    run.cluster.quorum.image.partitions[0] = next_of(run, epoch=5, leader=2, isr=[1, 2])
    rejects("no_acked_loss", lambda: hws.activated(member))
    ghost.outrun = [2]
    hws.activated(member)
    assert (int(ghost.now.epoch), int(ghost.now.length), ghost.outrun) == (5, 3, [])


def test_an_isr_of_m_has_all_that_is_acknowledged_only_without_those_whom_the_mark_has_passed() -> None:
    """STATE-6: so long it takes fewer lost disks to lose something (durable_somewhere)."""
    run = started()
    hws, ghost = parts_of(run).hws, parts_of(run).ghosts.of(0)
    for passed, hurt in (([2], [1]), ([], [])):
        ghost.outrun, ghost.hurt = passed, [1]
        hws.committed(next_of(run, isr=[0, 2]), False)
        assert ghost.hurt == hurt
