"""Canaries for the bounds of docs/liveness-bounds.md: each property breaks once its own bound has passed."""

from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest

from simengine.clients.consumer.position import REVOKED
from simengine.facts.errors import ERR_INELIGIBLE_REPLICA, ERR_NONE
from simengine.facts.kinds import PROCESS_DOWN, PROCESS_STARTING
from simengine.kafka.broker.isr import Submission
from simengine.kafka.controller import control_tasks
from simengine.kafka.controller.quorum import Quorum
from simengine.kafka.replica import follower_session
from simengine.kafka.replica.replica import PENDING_SHRINK
from simengine.kafka.wire.controller_api import AlterAnswer, IsrDecision
from tests.engine.canaries import SECOND, copy_on
from tests.engine.cluster import broker_of
from tests.engine.test_heal_canaries import CLUSTER, committed, healed
from tests.invariants.violation import Violation
from tests.swarm import excused, heal
from tests.swarm.deadlines import AT_ONCE, Deadlines, Debt
from tests.swarm.healed import Healed


def watched(**document: Any) -> Healed:
    """The healed cluster of the canaries, with all debts looked at while it runs."""
    state = healed(**document)
    state.looks = [Deadlines(partial(heal.debts_of, state)).look]
    return state


def broken(state: Healed, seconds: int) -> tuple[str, float]:
    """The property that breaks within so many seconds, and after how many."""
    begun = state.world.now_us
    with pytest.raises(Violation) as raised:
        state.run(begun + seconds * SECOND)
    return raised.value.name, (state.world.now_us - begun) / SECOND


def test_a_healed_cluster_owes_nothing_for_long() -> None:
    state = watched()
    state.world.act(state.world.now_us + 1, "kill 0")
    state.world.act(state.world.now_us + 20 * SECOND, "start 0")
    state.world.act(state.world.now_us + 30 * SECOND, "send P t-0 10")
    state.run(state.world.now_us + 120 * SECOND)


def test_a_debt_has_its_clock_its_cause_and_its_longest_bound() -> None:
    owed: list[Debt] = []
    deadlines = Deadlines(lambda: iter(owed))
    owed[:] = [Debt("p", "w", (1,), 0, 5, ""), Debt("p", "later", (1,), 20, 5, "")]
    deadlines.look(10)
    deadlines.look(15)
    owed[0] = Debt("p", "w", (2,), 0, 9, "")  # another cause begins anew
    deadlines.look(20)
    owed[0] = Debt("p", "w", (2,), 0, 5, "")  # a bound that was longer stays so
    deadlines.look(25)
    with pytest.raises(Violation, match="p at later: owed for 6 us"):
        deadlines.look(26)
    owed[:] = [Debt("p", "w", (), 0, AT_ONCE, "")]
    with pytest.raises(Violation, match="p at w"):
        deadlines.look(30)


def test_controller_elected_within_five_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Quorum, "elect", lambda quorum: None)
    state = watched()
    state.world.act(state.world.now_us + 1, f"kill {state.world.active_controller()}")
    name, after = broken(state, 60)
    assert (name, after < 7) == ("controller_elected", True)


def test_broker_runs_within_a_session_and_what_a_start_takes() -> None:
    state = watched()
    state.cluster.by_id[1].process = PROCESS_STARTING
    name, after = broken(state, 60)
    assert (name, after < 30) == ("broker_runs", True)


def test_leader_elected_at_the_commit_that_allows_it_and_soon_after_the_leader_is_gone() -> None:
    state = watched()
    committed(state).leader = -1
    assert broken(state, 60) == ("leader_elected", 0.5)
    state = watched()
    state.cluster.by_id[0].process = PROCESS_DOWN  # but it is never fenced
    name, after = broken(state, 60)
    assert (name, 18 <= after < 20) == ("leader_elected", True)


def test_ap_resolved_within_five_seconds() -> None:
    state = watched()
    leader = copy_on(state.world, 0)
    leader.pending, leader.pending_isr = PENDING_SHRINK, [0, 1]
    name, after = broken(state, 60)
    assert (name, 5 <= after < 7) == ("ap_resolved", True)


def test_an_ineligible_proposal_is_no_longer_pending_and_owed_by_nobody() -> None:
    """AP-5 (ap_resolved): the leader, cut off, hears no metadata that would override what it has proposed."""
    state = watched()
    world = state.world
    world.act(world.now_us + 1, "cut 0|100,101,102")
    world.run(world.now_us + 2)
    leader = copy_on(world, 0)
    leader.pending, leader.pending_isr = PENDING_SHRINK, [0, 1]
    manager = broker_of(leader).alter_manager
    manager._in_flight = [Submission(leader, manager._proposal(leader), leader.pending_id)]
    manager._unanswered = list(manager._in_flight)
    decision = IsrDecision(0, ERR_INELIGIBLE_REPLICA, [], -1, -1, -1)
    manager.on_answer(AlterAnswer(manager._request_id, ERR_NONE, [decision]))
    state.run(world.now_us + 8 * SECOND)


def test_metadata_converges_within_two_seconds() -> None:
    state = watched()
    copy_on(state.world, 1).pe += 1
    name, after = broken(state, 60)
    assert (name, after < 3) == ("metadata_converges", True)


def test_isr_full_within_twenty_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    state = watched()
    world = state.world
    world.act(world.now_us + 1, "kill 2")
    world.act(world.now_us + 15 * SECOND, "start 2")
    monkeypatch.setattr(follower_session, "maybe_expand", lambda replica, remote: None)
    name, after = broken(state, 120)
    assert (name, 35 < after < 50) == ("isr_full", True)


def test_logs_converge_within_a_round_of_fetching() -> None:
    state = watched()
    copy = copy_on(state.world, 1)
    broker_of(copy).fetchers.stop(copy)
    state.world.act(state.world.now_us + 1, "send P t-0 1")
    name, after = broken(state, 60)
    assert (name, after < 4) == ("logs_converge", True)


def test_reassignment_completes_with_the_change_that_makes_it_complete() -> None:
    state = watched()
    committed(state).removing = [2]
    assert broken(state, 60) == ("reassignment_completes", 0.5)


def test_preferred_returns_within_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_tasks, "elect_preferred", lambda image, config: [])
    state = watched(cluster={**CLUSTER, "config": {"leader.imbalance.check.interval.seconds": 10}})
    committed(state).replicas = [1, 0, 2]
    name, after = broken(state, 60)
    assert (name, 11 <= after < 12.5) == ("preferred_returns", True)


def test_write_resolved_when_a_call_outlives_its_delivery_timeout() -> None:
    state = watched()
    state.world.cluster_parts.producers[0].calls[0].in_flight += 1
    name, after = broken(state, 200)
    assert (name, 121 <= after < 122.5) == ("write_resolved", True)


def test_reads_drain_within_ten_seconds_and_the_commit_follows_within_the_interval_and_ten() -> None:
    state = watched()
    state.world.cluster_parts.consumers[0].reader().stop()
    state.world.act(state.world.now_us + 1, "send P t-0 1")
    name, after = broken(state, 60)
    assert (name, 10 <= after < 12) == ("reads_drain", True)
    state = watched(
        consumers=[{"id": "C", "group": "g", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}]
    )
    state.run(state.world.now_us + 20 * SECOND)
    state.world.cluster_parts.consumers[0].reader().commits._auto = None
    state.world.act(state.world.now_us + 1, "send P t-0 1")
    name, after = broken(state, 60)
    assert (name, 15 <= after < 17) == ("reads_drain", True)


@pytest.mark.parametrize("owners", [0, 2])
def test_reads_drain_when_a_partition_of_a_group_has_no_owner_or_two(owners: int) -> None:
    members = [{"id": name, "group": "g", "topics": ["t"]} for name in ("A", "B")]
    state = watched(consumers=members)
    state.run(state.world.now_us + 20 * SECOND)
    positions = [consumer.reader().assignment.positions[0] for consumer in state.world.cluster_parts.consumers]
    idle = next(position for position in positions if position.state == REVOKED)
    owned = next(position for position in positions if position.state != REVOKED)
    if owners:
        idle.state = owned.state
        idle.offset = idle.commit_stated = owned.offset
    else:
        owned.state = REVOKED
    name, after = broken(state, 200)
    assert (name, 60 < after < 63) == ("reads_drain", True)


def test_no_churn_rejects_fetches_that_are_refused_while_nothing_changes() -> None:
    state = healed()
    with pytest.raises(Violation, match="no_churn at the followers: 1 fetches were refused"):
        heal.check_churn(state.world, state.world.now_us, heal.refused_fetches(state.world) - 1)


def lost() -> Healed:
    """Broker 1, the only replica of t-0, is left out of the core."""
    nodes = {"brokers": [0, 1], "controllers": [100]}
    config = {"unclean.leader.election.enable": False}
    state = healed(cluster=nodes, topics=[{"name": "t", "assignment": [[1]], "config": config}])
    state.world.act(state.world.now_us + 1, "kill 1")
    state.world.run(state.world.now_us + 20 * SECOND)
    core = Healed(state.world, {**nodes, "brokers": [0], "how": "kill"})
    core.looks = [excused.Excused(core).look]
    return core


def test_excused_fails_rejects_a_leader_where_nobody_could_lead() -> None:
    state = lost()
    state.run(state.world.now_us + 10 * SECOND)
    excused.check_excused(state)
    committed(state).leader = 0
    with pytest.raises(Violation, match="excused_fails at partition 0: nobody could lead it"):
        state.run(state.world.now_us + SECOND)


def alone_below_m() -> Healed:
    """Broker 0 leads alone with fewer members than M; the others are dead and not in the core."""
    world = healed().world
    for broker in (1, 2):
        world.act(world.now_us + 1, f"kill {broker}")
    world.run(world.now_us + 60 * SECOND)
    return Healed(world, {**CLUSTER, "brokers": [0], "how": "kill"})


def test_excused_fails_rejects_a_high_watermark_that_moves_below_m() -> None:
    core = alone_below_m()
    world = core.world
    assert excused.is_excused(core, committed(core))
    excused.check_excused(core)
    copy = copy_on(world, 0)

    def move(now: int) -> None:
        copy.hw = copy.hw - 1

    core.looks = [move]
    with pytest.raises(Violation, match="excused_fails at partition 0: mark"):
        excused.check_excused(core)


@pytest.mark.parametrize("offset", [-1, 1_000])
def test_excused_fails_lets_a_position_be_looked_up_anew_but_not_read_on(offset: int) -> None:
    """CON-6: a rebalance while it looks."""
    core = alone_below_m()
    position = core.world.cluster_parts.consumers[0].reader().assignment.positions[0]
    core.looks = [lambda _: setattr(position, "offset", offset)]
    with pytest.raises(Violation, match="read up to") if offset > 0 else nullcontext():
        excused.check_excused(core)


@pytest.mark.parametrize("is_late", [True, False])
def test_excused_fails_takes_it_for_no_recovery_when_m_is_lowered_while_it_looks(is_late: bool) -> None:
    """HW-9, QUO-7: an administrator's call may have been on its way for long; without it nothing may move."""
    core = alone_below_m()
    world = core.world
    if is_late:
        world.act(world.now_us + SECOND, "config t min.insync.replicas 1")
    acked = int(world.cluster_parts.producers[0].acked)
    excused.check_excused(core)
    assert (int(world.cluster_parts.producers[0].acked) > acked, excused.is_excused(core, committed(core))) == (
        is_late,
        not is_late,
    )
