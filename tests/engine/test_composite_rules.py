"""Rules that follow from others, held as a whole: slow and half-cut brokers, added replicas, sites, transactions."""

import pytest

from simengine.facts.decisive import BrokerRegistration, IsrProposed, PartitionChanged
from simengine.facts.kinds import REG_ACTIVE, REG_FENCED
from simengine.facts.traffic import CallsMade, CallsSettled, Delivered
from simengine.kafka.replica.replica import LEADER
from simengine.world.world import World
from tests.engine.cluster import SECOND, copy_on, facts, remote_of, world


def changes(run: World, p: int = 0) -> list[PartitionChanged]:
    """The committed changes of a partition since the last look."""
    return [fact for fact in facts(run, PartitionChanged) if fact.p == p]


# -- FLT-1, FLT-6


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_slow_broker_leaves_what_it_follows_and_goes_on_leading(seed: int) -> None:
    """FLT-1, ISR-2: its heartbeats are in time. Until it has left, acks=all is as slow as it; then as before."""
    run = world(
        seed=seed,
        topics=[
            {"name": "followed", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}},
            {"name": "led", "assignment": [[2, 0, 1]], "config": {"min.insync.replicas": 2}},
        ],
        producers=[
            {"id": "P", "topic": "followed", "rate": 100, "acks": "all"},
            {"id": "Q", "topic": "led", "rate": 100, "acks": "all"},
        ],
        timeline=[{"at": "5s", "do": "slow 2 1"}],
        phases={"preferred": "250s"},
    )
    caught_up = 0
    while not (left := changes(run)):
        caught_up = int(remote_of(copy_on(run, 0), 2).caught_up_at)
        run.run(run.now_us + SECOND // 10)
        assert run.now_us < 100 * SECOND
    assert [(f.leader, f.isr) for f in left] == [(0, [0, 1])]
    assert caught_up > 5 * SECOND and 30 < left[0].t / SECOND - caught_up / SECOND < 45.5
    run.run(run.now_us + 30 * SECOND)
    found = facts(run, PartitionChanged, BrokerRegistration)
    assert found == [], "broker 2 leads on, unfenced"
    assert copy_on(run, 2, 1).role == LEADER


def test_while_a_slow_broker_is_in_the_isr_acks_all_is_as_slow_as_it() -> None:
    """FLT-1, HW-1: some two records a second arrive at it, and no more than those are acknowledged."""
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 100, "acks": "all", "config": {"batch.size": 1}}],
        timeline=[{"at": "5s", "do": "slow 2 2"}],
    )
    run.run(10 * SECOND)
    facts(run)
    run.run(30 * SECOND)
    assert changes(run) == []
    end = int(copy_on(run, 2).log.leo)
    run.run(run.now_us + 1)
    assert copy_on(run, 0).hw <= end < copy_on(run, 0).log.leo


def test_a_follower_that_no_controller_hears_is_fenced_although_it_copies() -> None:
    """FLT-6, ISR-6: and it joins again by a fetch that its leader receives after it is unfenced there."""
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        timeline=[{"at": "10s", "do": "cut 2|100,101,102"}, {"at": "60s", "do": "heal"}],
    )
    run.run(25 * SECOND)
    found = facts(run, PartitionChanged, BrokerRegistration)
    assert [f.isr for f in found if isinstance(f, PartitionChanged)] == [[0, 1]]
    assert [(f.broker, f.state) for f in found if isinstance(f, BrokerRegistration)] == [(2, REG_FENCED)]
    assert all(16.9 < f.t / SECOND < 20.3 for f in found)
    run.run(60 * SECOND)
    assert copy_on(run, 2).log.leo == copy_on(run, 0).log.leo, "it copies all the same"
    assert facts(run, PartitionChanged, IsrProposed) == [], "and is not let in"
    run.run(80 * SECOND)
    unfenced, joined = facts(run, PartitionChanged, BrokerRegistration)
    assert (unfenced.state, joined.isr) == (REG_ACTIVE, [0, 1, 2])


# -- REA-2


def test_an_added_replica_copies_from_nothing_and_joins_when_it_has_all_that_is_committed() -> None:
    """REA-2, ISR-5: a reassignment waits for it, and does not go on while it copies nothing."""
    run = world(
        cluster={"brokers": [0, 1, 2, 3], "controllers": [100]},
        producers=[{"id": "P", "topic": "t", "rate": 100, "acks": "all"}],
        timeline=[
            {"at": "9s", "do": "slow 3 200"},
            {"at": "10s", "do": "reassign t-0 3,1,2"},
        ],
    )
    run.run(13 * SECOND)
    added, leader = copy_on(run, 3), copy_on(run, 0)
    assert (added.log.leo, int(leader.hw) > 1000) == (0, True), "it takes in 200 records a second"
    assert [(f.isr, f.adding, f.removing) for f in changes(run)] == [([0, 1, 2], [3], [0])]
    while not (joined := facts(run, IsrProposed)):
        assert added.log.leo < leader.hw
        run.run(run.now_us + 10_000)
    assert joined[0].isr == [0, 1, 2, 3]
    assert added.log.leo >= 1000, "all that was committed when it was added, and since"
    run.run(run.now_us + 5 * SECOND)
    now = copy_on(run, 3).registration
    assert now is not None
    assert (now.replicas, now.leader) == ([3, 1, 2], 3)


# -- STR-1


def stretched(sites: str, *timeline: dict[str, str]) -> World:
    """A broker a letter; P writes with acks=all to the leader beside it; site c is 80 ms away, b is 10."""
    return world(
        cluster={"brokers": [{"id": i, "rack": site} for i, site in enumerate(sites)], "controllers": [100]},
        producers=[{"id": "P", "topic": "t", "rate": 5, "acks": "all", "config": {"linger.ms": 0}}],
        network={"links": [{"between": [0, 1], "latency": "10ms"}, {"between": [0, 2], "latency": "80ms"}]},
        timeline=list(timeline),
    )


def waits_of(run: World, since: float) -> list[float]:
    """The duration of each call that was made since that time, in seconds."""
    made: dict[int, float] = {}
    waits: list[float] = []
    for fact in facts(run, CallsMade, CallsSettled):
        for n in range(fact.n, fact.n + fact.count):
            if isinstance(fact, CallsMade):
                made[n] = fact.t / SECOND
            elif made.get(n, 0) >= since:
                waits.append(fact.t / SECOND - made[n])
    return waits


def test_acks_all_takes_as_long_as_the_slowest_site_of_the_isr() -> None:
    """STR-1, HW-1: a round trip to c is 160 ms; with c out of the ISR one to b decides, 20 ms."""
    run = stretched("abc", {"at": "20s", "do": "kill 2"})
    run.run(20 * SECOND)
    assert min(waits_of(run, 2)) > 0.08, "the record there, on a fetch that waits, and the next fetch back"
    run.run(60 * SECOND)
    after = waits_of(run, 35)
    assert len(after) > 100
    assert max(after) < 0.08


def test_the_racks_of_brokers_change_nothing_but_where_replicas_are_put() -> None:
    """STR-1: the same lists with and without racks, the same history, record by record."""
    histories = []
    for sites in ("abc", "aaa"):
        run = stretched(sites, {"at": "10s", "do": "kill 0"}, {"at": "25s", "do": "start 0"})
        run.run(50 * SECOND)
        histories.append([fact for fact in run.trace.take().rows() if fact])
    assert len(histories[0]) > 1000
    assert histories[0] == histories[1]


# -- HW-6


def test_the_last_stable_offset_is_the_high_watermark() -> None:
    """HW-6: who reads committed records only is served as anybody else, and neither is served what is not committed."""
    settings = {"auto.offset.reset": "earliest"}
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "1"}],
        consumers=[
            {"id": "A", "partitions": [["t", 0]], "config": settings},
            {"id": "B", "partitions": [["t", 0]], "config": {**settings, "isolation.level": "read_committed"}},
        ],
        timeline=[{"at": "10s", "do": "cut 0|1,2"}],
    )
    run.run(9 * SECOND)
    run.run(25 * SECOND)
    leader = copy_on(run, 0)
    assert leader.hw < leader.log.leo
    ends: dict[int, int] = {}
    for fact in facts(run, Delivered):
        ends[fact.client] = fact.offset + fact.count
    assert list(ends.values()) == [leader.hw, leader.hw]
