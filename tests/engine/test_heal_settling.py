"""When the heal phase takes a cluster for settled, so that its end may be looked at."""

from simengine.swarm import heal
from simengine.swarm.healed import CONVERGE_US, Healed
from tests.engine.canaries import SECOND
from tests.engine.test_heal_canaries import CLUSTER, committed, healed


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
    reader = world.parts.consumers[0].reader()
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
