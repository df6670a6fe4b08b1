"""The moment at which the heal phase takes a cluster for settled, so that its end may be looked at."""

from simengine.kafka.replica.isr_changes import propose
from simengine.kafka.replica.replica import COMMITTED, PENDING_EXPAND
from tests.engine.canaries import SECOND, copy_on
from tests.engine.test_heal_canaries import CLUSTER, committed, healed
from tests.swarm import heal
from tests.swarm.healed import CONVERGE_US, Healed


def rejoined(interval_s: int) -> Healed:
    """Broker 0, the first replica, has just come back into the ISR; the tick of the preferred elections is to come."""
    state = healed(cluster={**CLUSTER, "config": {"leader.imbalance.check.interval.seconds": interval_s}})
    world = state.world
    world.act(world.now_us + 1, "stop 0")
    world.run(world.now_us + 2 * SECOND)
    world.act(world.now_us + 1, "start 0")
    while 0 not in committed(state).isr:
        world.run(world.now_us + SECOND // 10)
    assert committed(state).leader != 0
    return state


def test_the_end_waits_for_the_election_of_a_first_replica_that_has_just_joined() -> None:
    """PREF-1: it may have joined behind an unclean election late in the quiet time (UNC-2)."""
    state = rejoined(40)
    heal.let_settle(state)
    assert committed(state).leader != 0
    heal.let_settle(state, (*heal.SETTLING, "preferred_returns"))
    heal.check_partitions(state)
    assert committed(state).leader == 0


def test_the_end_waits_for_readers_of_what_is_led_anew() -> None:
    """CON-7, PC-6: to find the leader and fetch from it may take longer than members need; but not for ever."""
    state = healed()
    world = state.world
    reader = world.cluster_parts.consumers[0].reader()
    position = reader.assignment.positions[0]
    world.run(world.now_us + 5 * SECOND)
    world.act(world.now_us + 1, "cut 0,1,2|C")
    world.act(world.now_us + 2, "send P t-0 1")
    world.run(world.now_us + SECOND)
    world.act(world.now_us + 1 * SECOND, "heal")
    assert position.offset == 10
    heal.let_settle(state)
    assert position.offset == 11
    reader.stop()
    world.act(world.now_us + 1, "send P t-0 1")
    world.run(world.now_us + SECOND)
    begun = world.now_us
    heal.let_settle(state)
    assert heal.SETTLE_MAX_US <= world.now_us - begun <= heal.SETTLE_MAX_US + CONVERGE_US


def test_a_mark_that_waited_for_a_refused_joiner_waits_for_the_next_append_or_for_that_joiner() -> None:
    """AP-5, HW-4: a leader that goes back to the ISR it had looks at no high watermark (seed 10005132)."""
    for released_by in ("send P t-0 1", "start 2"):
        state = healed(checks=False)  # else the guard of proposals would not let it ask for a dead broker
        world = state.world
        leader = copy_on(world, 0)
        world.act(world.now_us + 1, "kill 2")
        world.run(world.now_us + 45 * SECOND)  # longer than replica.lag.time.max.ms
        world.act(world.now_us + 1, "slow-link 0|100,101,102 500ms")
        world.run(world.now_us + 1)
        propose(leader, PENDING_EXPAND, [0, 1, 2], 0)
        world.act(world.now_us + 1, "send P t-0 1")
        world.run(world.now_us + SECOND // 2)
        assert not state.is_frozen(leader), "it waits for whom it asked for"
        world.run(world.now_us + 5 * SECOND)
        assert (leader.pending, leader.isr, leader.hw) == (COMMITTED, [0, 1], leader.log.leo - 1)
        assert state.is_frozen(leader) and not state.can_commit(leader)
        world.act(world.now_us + 1, released_by)
        world.run(world.now_us + 40 * SECOND)
        assert leader.hw == leader.log.leo and state.can_commit(leader)
