"""Sessions, registrations and shutdowns of detail: at the controller, and in the broker's own process."""

from typing import Any, cast

import pytest

from simengine.facts import errors
from simengine.facts.decisive import BrokerRegistration, RequestRefused
from simengine.facts.kinds import FLIGHT, MSG_HEARTBEAT, PROCESS_DOWN, REG_ACTIVE, REG_FENCED
from simengine.facts.traffic import Flight
from simengine.kafka.broker.lifecycle import CATCHING_UP, PENDING_SHUTDOWN, RUNNING
from simengine.kafka.shared.metadata import broker_record
from simengine.kafka.wire.controller_api import HeartbeatAnswer, HeartbeatRequest, RegisterAnswer, RegisterRequest
from simengine.world.world import World
from tests.engine.cluster import SECOND, control_of, facts, world

DOWN = {"brokers": [0, 1, {"id": 2, "state": "down"}], "controllers": [100]}


class Answers:
    """A connection that keeps what is answered on it."""

    def __init__(self) -> None:
        self.conn = 1
        self.got: list[Any] = []

    def answer(self, answer: Any) -> None:
        self.got.append(answer)


def registers(run: World, incarnation: int, marker: int = -1) -> RegisterAnswer | None:
    """Broker 2 asks to be registered; the answer if there is one at once."""
    answers = Answers()
    control_of(run)._register(cast("Any", answers), RegisterRequest(1, 2, incarnation, marker))
    return answers.got[0] if answers.got else None


# -- LIVE-2, LIVE-6, REG-2, STATE-9


def test_a_registration_begins_a_session_and_repeating_it_another() -> None:
    """REG-2: the next incarnation waits from then on, although this one has sent no heartbeat yet."""
    run = world(cluster=DOWN)
    run.run(2 * SECOND)
    tracker = control_of(run).tracker
    assert registers(run, 50) is None, "it is answered when it is committed"
    assert tracker.last_at(2) == 2 * SECOND
    run.run(3 * SECOND)
    granted, refused = registers(run, 50), registers(run, 51)
    assert granted is not None and granted.error == errors.ERR_NONE
    assert refused is not None and refused.error == errors.ERR_DUPLICATE_BROKER_REGISTRATION
    assert tracker.last_at(2) == 3 * SECOND


def test_a_broker_epoch_is_the_offset_of_the_registration() -> None:
    """STATE-9: records that are written and not committed yet come before it."""
    run = world(cluster=DOWN)
    run.run(2 * SECOND)
    control = control_of(run)
    control.write([broker_record(1, control.image.broker_epoch(1), REG_ACTIVE, 0)] * 3, None)
    registers(run, 50)
    run.run(3 * SECOND)
    log = run.cluster.quorum.log
    offset = next(int(record.offset) for record in log if record.broker is not None and record.broker.incarnation == 50)
    assert run.cluster.quorum.image.broker_epoch(2) == offset


@pytest.mark.parametrize("by", [-1, 1])
def test_a_heartbeat_of_another_incarnation_renews_no_session(by: int) -> None:
    """LIVE-2, STATE-9: the controller knows one broker epoch of each broker."""
    run = world()
    run.run(SECOND)
    control = control_of(run)
    before = int(control.tracker.last_at(2))
    answers = Answers()
    be = int(control.image.broker_epoch(2))
    control._heartbeat(cast("Any", answers), HeartbeatRequest(1, 2, be + by, be, False, False))
    assert answers.got[0].error == errors.ERR_STALE_BROKER_EPOCH
    assert control.tracker.last_at(2) == before < SECOND


def test_an_active_broker_that_wants_to_be_fenced_is() -> None:
    """LIVE-6, LIVE-4: at once, with its leaderships."""
    run = world()
    control = control_of(run)
    be = int(control.image.broker_epoch(0))
    control._heartbeat(cast("Any", Answers()), HeartbeatRequest(1, 0, be, be, True, False))
    known = control.image.partition(0)
    assert known is not None
    assert (control.image.broker_state(0), known.leader, known.isr) == (REG_FENCED, 1, [1, 2])


def test_of_two_brokers_that_fell_silent_together_the_second_is_fenced_10_ms_after_the_first() -> None:
    """LIVE-3: one commit each; the next ordinary check would be 1.125 s later."""
    run = world(timeline=[{"at": "3s", "do": "pause 1"}, {"at": "3s", "do": "pause 2"}])
    run.run(4 * SECOND)
    tracker = control_of(run).tracker
    for broker in (1, 2):
        tracker.touch(broker, control_of(run).image.broker_epoch(broker), 3 * SECOND)
    run.run(15 * SECOND)
    fenced = [fact.t / SECOND for fact in facts(run, BrokerRegistration) if fact.state == REG_FENCED]
    assert len(fenced) == 2
    assert 0 < fenced[1] - fenced[0] < 0.06


# -- LIVE-1, REG-3, SHUT-1, SHUT-2: the broker's own process


@pytest.mark.parametrize(("failures", "pause"), [(0, 0.1), (1, 0.2), (5, 3.2), (6, 4.5), (16, 4.5)])
def test_before_4_1_a_heartbeat_is_repeated_at_growing_pauses_up_to_half_a_session(failures: int, pause: float) -> None:
    """LIVE-1: and one that succeeds ends the row."""
    run = world(profile="4.0")
    run.run(SECOND)
    life = run.cluster.by_id[2].lifecycle
    life._failures = failures
    assert life._next_retry_us() == round(pause * SECOND)
    life._beaten(HeartbeatAnswer(1, errors.ERR_NONE, False, False))
    assert life._next_retry_us() == SECOND // 10


@pytest.mark.parametrize("heal", [12, 13, 14, 15])
def test_a_heartbeat_waits_2_s_for_its_connection_and_the_next_comes_2_s_later(heal: int) -> None:
    """LIVE-1: a connection that comes up in between stands idle until then (f020)."""
    run = world(timeline=[{"at": "5s", "do": "cut 2|100,101,102"}, {"at": f"{heal}s", "do": "heal"}])
    run.trace.keep_kinds([FLIGHT])
    run.trace.keep_traffic = True
    run.run(30 * SECOND)
    sent = [one.t for one in facts(run, Flight) if one.msg == MSG_HEARTBEAT and one.src == 2]
    last = max(t for t in sent if t < heal * SECOND)
    after = min(t for t in sent if t >= heal * SECOND)
    assert (after - last) % (4 * SECOND) <= 2 * SECOND


def test_a_new_process_tries_its_controllers_anew() -> None:
    """TCP-1: its first attempt takes 10 s, however long those of the last process had become (f040)."""
    actions = [("5s", "cut 2|100,101,102"), ("40s", "kill 2"), ("41s", "start 2 after 1s")]
    run = world(timeline=[{"at": at, "do": do} for at, do in actions])
    run.run(39 * SECOND)
    channel = run.cluster.brokers[2].lifecycle.channel
    assert channel is not None and channel.connect_timeout > 10 * SECOND
    run.run(45 * SECOND)
    channel = run.cluster.brokers[2].lifecycle.channel
    assert channel is not None and channel.connect_timeout == 10 * SECOND


def test_a_fenced_broker_that_asks_to_shut_down_may_and_is_fenced_once_more() -> None:
    """SHUT-1: the answer comes with a record (f047, f066)."""
    run = world(cluster=DOWN)
    run.run(2 * SECOND)
    registers(run, 50)
    run.run(3 * SECOND)
    control = control_of(run)
    be, known = int(control.image.broker_epoch(2)), len(run.cluster.quorum.log)
    answers = Answers()
    control._heartbeat(cast("Any", answers), HeartbeatRequest(1, 2, be, be, False, True))
    run.run(4 * SECOND)
    [record] = [one.broker for one in run.cluster.quorum.log[known:] if one.broker is not None]
    assert (record.broker, record.state) == (2, REG_FENCED)
    assert answers.got[0].may_shut_down


def test_a_broker_that_is_stopped_while_it_catches_up_leaves_no_marker() -> None:
    """REG-3, SHUT-1: registered and fenced, it is still starting; the process just ends, and asks nobody."""
    run = world()
    run.run(SECOND)
    broker = run.cluster.by_id[2]
    broker.lifecycle.state = CATCHING_UP
    broker.stop()
    assert (broker.process, int(broker.clean_be)) == (PROCESS_DOWN, -1)


def test_a_stop_that_no_controller_grants_takes_its_time_and_then_happens_all_the_same() -> None:
    """SHUT-2: after five minutes (three seconds here) the broker ends in order, and leaves its marker."""
    steps = [("1s", "kill 100"), ("2s", "stop 2")]
    nodes = {"brokers": [0, 1, 2], "controllers": [100]}
    run = world(cluster=nodes, timeline=[{"at": at, "do": do} for at, do in steps])
    broker = run.cluster.by_id[2]
    assert broker.config.shutdown_wait_us == 300 * SECOND
    broker.config.shutdown_wait_us = 3 * SECOND
    be = int(broker.be)
    run.run(5 * SECOND - 1)
    assert broker.lifecycle.state == PENDING_SHUTDOWN
    run.run(5 * SECOND)
    assert (broker.process, int(broker.clean_be)) == (PROCESS_DOWN, be)


@pytest.mark.parametrize("then", [[], ["kill 2", "start 2 after 1s"]])
def test_a_paused_broker_stops_when_it_is_resumed_and_not_its_next_incarnation(then: list[str]) -> None:
    """SIGTERM waits for a stopped process, and goes with it."""
    steps = [(2, "pause 2"), (3, "stop 2"), *((4, do) for do in then), (6, "resume 2" if not then else "pause 2")]
    steps += [] if not then else [(7, "resume 2")]
    run = world(timeline=[{"at": f"{at}s", "do": do} for at, do in steps])
    broker = run.cluster.by_id[2]
    run.run(6 * SECOND - 1)
    assert broker.lifecycle.state != PENDING_SHUTDOWN
    run.run(7 * SECOND + 1)
    assert (broker.lifecycle.state == PENDING_SHUTDOWN or broker.process == PROCESS_DOWN) is not bool(then)
    assert not facts(run, RequestRefused)


def test_what_a_process_counted_ends_with_it() -> None:
    """STATE-7, MET-4, MET-5, MET-12."""
    run = world()
    run.run(SECOND)
    broker = run.cluster.by_id[1]
    counts = broker.metrics
    counts.isr_shrinks = counts.isr_expands = counts.failed_isr_updates = counts.expired_produces = 7
    broker.kill()
    now = broker.metrics
    assert [now.isr_shrinks, now.isr_expands, now.failed_isr_updates, now.expired_produces] == [0] * 4
    assert broker.lifecycle.state != RUNNING
