"""The beginning and the end of a leadership, of a process, of a write: the parts that others rely on."""

from typing import Any, cast

import pytest

from simengine.facts import errors
from simengine.facts.decisive import FollowerStarted
from simengine.facts.kinds import REG_ACTIVE
from simengine.kafka.broker.isr import IsrCheck
from simengine.kafka.replica.isr_changes import propose
from simengine.kafka.replica.remote import NEVER
from simengine.kafka.replica.replica import COMMITTED, PENDING_SHRINK
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.shared.config import TopicSettings
from simengine.kafka.shared.metadata import broker_record, topic_record
from simengine.kafka.wire.controller_api import AlterAnswer, IsrDecision, RegisterAnswer
from tests.engine.cluster import SECOND, broker_of, control_of, copy_on, facts, known, started, world

MS = 1_000


class Channel:
    """A connection that keeps what is answered on it."""

    def __init__(self) -> None:
        self.conn = 1
        self.got: list[Any] = []

    def answer(self, answer: Any) -> None:
        self.got.append(answer)


# -- STATE-3, STATE-5, LOG-2, HW-3, ISR-1


def test_a_record_that_says_what_an_answer_has_said_overtakes_what_was_proposed_since() -> None:
    """STATE-6, AP-4: as in f037 and f083; the answer to that proposal counts for nothing, its record does."""
    leader = copy_on(started(), 0)
    made = known(leader, isr=[0, 1, 2])
    leader.pe = made.pe
    propose(leader, PENDING_SHRINK, [0, 1], 0)
    manager = broker_of(leader).alter_manager
    take_registration(leader, made, 0)
    assert (leader.pending, leader.isr, leader.maximal_isr) == (COMMITTED, [0, 1, 2], [0, 1, 2])
    decision = IsrDecision(0, errors.ERR_NONE, [0, 1], 0, leader.epoch, leader.pe + 1)
    manager.on_answer(AlterAnswer(manager._request_id, errors.ERR_NONE, [decision]))
    assert (leader.isr, leader.pe) == ([0, 1, 2], made.pe)
    take_registration(leader, known(leader, isr=[0, 1]), 0)
    assert (leader.pending, leader.isr) == (COMMITTED, [0, 1])


def test_a_lower_partition_epoch_takes_no_proposal_back() -> None:
    """STATE-6."""
    leader = copy_on(started(), 0)
    made = known(leader, isr=[0, 2])
    leader.pe, leader.pending, leader.pending_isr = made.pe + 1, PENDING_SHRINK, [0, 1]
    take_registration(leader, made, 0)
    assert (leader.pending, leader.isr) == (PENDING_SHRINK, [0, 1, 2])


def test_an_epoch_starts_at_the_log_end_also_where_the_same_broker_leads_on() -> None:
    """LOG-2, HW-7, ISR-5."""
    leader = copy_on(started(), 0)
    end = int(leader.log.leo)
    assert leader.epoch_start == 0
    take_registration(leader, known(leader, epoch=leader.epoch + 1), 0)
    assert leader.epoch_start == end
    assert (leader.log.cache.epochs[-1], leader.log.cache.starts[-1]) == (leader.epoch, end)


def test_a_change_of_the_isr_does_not_disturb_a_follower() -> None:
    """STATE-3, FET-3."""
    run = started()
    follower = copy_on(run, 2)
    facts(run)
    take_registration(follower, known(follower, isr=[0, 2]), 0)
    assert facts(run, FollowerStarted) == []
    take_registration(follower, known(follower, leader=1, epoch=follower.epoch + 1), 0)
    assert len(facts(run, FollowerStarted)) == 1


def test_a_leader_of_a_new_topic_goes_by_its_minimum() -> None:
    """HW-3: from its first record on."""
    run = world(timeline=[{"at": "2s", "do": "create u 0,1,2"}])
    run.act(1 * SECOND, "config cluster min.insync.replicas 2")
    run.run(5 * SECOND)
    assert copy_on(run, 0, 1).min_isr == 2


def test_only_a_leader_looks_for_members_that_lag() -> None:
    """ISR-1."""
    follower = copy_on(started(), 2)
    take_registration(follower, known(follower, leader=2, epoch=follower.epoch + 1, isr=[0, 1, 2]), 0)
    take_registration(follower, known(follower, leader=0, epoch=follower.epoch + 1), 0)
    for remote in follower.remotes:
        remote.leo, remote.caught_up_at = 0, NEVER
    IsrCheck(follower.broker).run()
    assert follower.pending == COMMITTED


# -- REG-5, STATE-7, LIVE-1, QUO-9


def test_a_dead_process_has_no_epoch_and_remembers_nobody() -> None:
    """REG-5, STATE-7: the next one fetches as -1, and nobody has fetched from it yet."""
    run = world(consumers=[{"id": "C", "group": "g", "partitions": [["t", 0]]}])
    run.run(8 * SECOND)
    for broker in run.cluster.brokers:
        coordinator = broker.coordinator
        if coordinator is not None and coordinator.lead() is not None:
            coordinator._of("h", 0).offset = 9
            coordinator._applied = 7
            assert broker.sessions
            broker.kill()
            assert (coordinator._found, coordinator._applied, coordinator._is_active) == ([], 0, False)
            assert (broker.be, broker.sessions) == (-1, {})
            return
    raise AssertionError("nobody coordinates the group")


def test_a_new_process_begins_with_the_controller_that_its_disk_remembers() -> None:
    """QUO-9: the file quorum-state."""
    run = started()
    listener = run.cluster.by_id[2].listener
    remembered = listener.leader
    assert remembered is not None
    run.cluster.by_id[2].kill()
    assert listener.leader is None
    run.cluster.by_id[2].up = True
    listener.dial()
    listener.follow()
    assert listener.leader is remembered


def test_a_broker_that_knows_no_controller_beats_as_soon_as_it_knows_one_again() -> None:
    """LIVE-1: it looks every 100 ms; and when another one is active, at once."""
    run = started()
    life = run.cluster.by_id[2].lifecycle
    listener = life._listener
    active = listener.leader
    listener.leader = None
    life.beat_now()
    asked = int(life._request_id)
    listener.leader = active
    run.run(run.now_us + 110 * MS)
    assert life._request_id == asked + 1
    other = next(one for one in run.cluster.controllers if one is not active)
    listener.leader = other
    life.leader_changed()
    assert life.channel is None
    run.run(run.now_us + 50 * MS)
    assert life._request_id > asked + 1
    listener.leader = active


# -- AP-3, QUO-1, HW-3


def test_what_needs_no_record_is_answered_when_those_before_it_are_committed() -> None:
    """AP-3: it may rest on them; and a write is committed no earlier than the one before."""
    run = started()
    control, channel = control_of(run), Channel()
    be = control.image.broker_epoch(1)
    control.write([broker_record(1, be, REG_ACTIVE, 0)], None)
    control._writes[-1].due = run.now_us + 300 * MS
    control.write_and_answer([], cast("Any", channel), RegisterAnswer(1, errors.ERR_NONE, be))
    assert channel.got == []
    control.write([broker_record(2, control.image.broker_epoch(2), REG_ACTIVE, 0)], None)
    assert control._writes[-1].due >= control._writes[-2].due
    run.run(run.now_us + 400 * MS)
    assert len(channel.got) == 1


@pytest.mark.parametrize(("scope", "broker", "is_it"), [(0, 1, True), (-4, 2, True), (-4, 1, False), (-1, 1, True)])
def test_what_a_leaders_minimum_goes_back_to_is_the_setting_that_holds_for_it(
    scope: int, broker: int, is_it: bool
) -> None:
    """HW-3: the topic's, else its own, else the cluster's."""
    run = started()
    quorum = run.cluster.quorum
    quorum.min_insync_facts = {}
    quorum.commit([topic_record(scope, TopicSettings(2, -1), "min.insync.replicas=2", 0)])
    assert (quorum.min_insync_fact(0, broker) > 0) is is_it


def test_a_controller_keeps_what_it_had_when_it_was_cut_off() -> None:
    """QUO-1, MET-9."""
    run = started()
    quorum = run.cluster.quorum
    other = next(one for one in run.cluster.controllers if one.control is None)
    quorum.commit([broker_record(2, quorum.image.broker_epoch(2), REG_ACTIVE, 0)])
    had = len(quorum.log)
    for voter in run.cluster.controllers:
        run.cluster.net.cut(other, voter)
        run.cluster.net.cut(voter, other)
    quorum.commit([broker_record(2, quorum.image.broker_epoch(2), REG_ACTIVE, 0)])
    assert (int(quorum.held_by(other)), len(quorum.log)) == (had, had + 1)
