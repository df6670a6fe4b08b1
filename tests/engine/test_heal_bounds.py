"""The time that each bound of docs/liveness-bounds.md has to leave, and the faults that it still may not let pass."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from simengine.facts.decisive import PartitionChanged
from simengine.facts.kinds import (
    ELECTION_NONE,
    REASON_ALTER_PARTITION,
    REASON_FENCED,
    REASON_PREFERRED,
    REASON_UNCLEAN,
)
from simengine.kafka.wire.api import MetadataRequest
from tests.checked import checks_of
from tests.engine.canaries import SECOND, copy_on
from tests.engine.cluster import broker_of
from tests.engine.made_facts import made
from tests.engine.test_heal_canaries import CLUSTER, EVERYBODY, committed, healed
from tests.engine.test_heal_deadlines import broken
from tests.invariants.violation import Violation
from tests.swarm import excused, frozen, heal
from tests.swarm.client_debts import debts_of_clients
from tests.swarm.deadlines import Deadlines
from tests.swarm.healed import CONVERGE_US, Healed
from tests.swarm.healed_clients import is_astray

BUSY = {"id": "P", "topic": "t", "rate": 300, "acks": "1"}
SLOW_PAIR = {"latency": "1ms", "links": [{"between": ["0", "2"], "latency": "1s"}]}


def rejoining(**document: Any) -> Healed:
    """Broker 2 comes back over a slow link to the leader, 15,000 records behind, while others are being written."""
    state = healed(network=SLOW_PAIR, producers=[BUSY], **document)
    world = state.world
    world.act(world.now_us + 1, "kill 2")
    world.act(world.now_us + 2, "send P t-0 12000")
    world.run(world.now_us + 20 * SECOND)
    world.act(world.now_us + 1, "start 2")
    world.run(world.now_us + 10 * SECOND)
    state.looks = [Deadlines(partial(heal.debts_of, state)).look]
    return state


def test_isr_full_leaves_a_joiner_time_for_what_is_appended_while_it_catches_up() -> None:
    """At 500 records a second it gains 200 (seed 6000542)."""
    state = rejoining()
    begun = state.world.now_us
    while 2 not in committed(state).isr:
        state.run(state.world.now_us + SECOND)
    assert state.world.now_us - begun > 60 * SECOND


def test_isr_full_rejects_a_joiner_that_gets_no_further() -> None:
    state = rejoining()
    state.run(state.world.now_us + 10 * SECOND)
    copy = copy_on(state.world, 2)
    broker_of(copy).fetchers.stop(copy)
    name, after = broken(state, 100)
    bound = 20 + 4 * state.round_trip_us / SECOND
    assert (name, bound - 3 < after < bound + 1) == ("isr_full", True)


def test_reassignment_completes_only_with_the_change_after_an_election_from_the_elr() -> None:
    """REA-3, ELR-5: completeness is looked at before the election makes the ISR (seed 6000407)."""
    state = healed()
    world = state.world
    for verb in ("kill 1", "pause 2", "kill 0", "start 1"):
        world.act(world.now_us + 1, verb)
        world.run(world.now_us + 15 * SECOND)
    assert (committed(state).leader, sorted(committed(state).elr)) == (-1, [0, 2])
    world.act(world.now_us + 1, "reassign t-0 2")
    while not committed(state).removing:  # the call may first lie with broker 2 (QUO-7)
        world.run(world.now_us + SECOND)
    world.act(world.now_us + 1, "resume 2")
    core = Healed(world, {**EVERYBODY, "brokers": [1, 2]})
    core.looks = [Deadlines(partial(heal.debts_of, core)).look]
    while committed(core).leader < 0:
        world.run(world.now_us + SECOND // 100)
    assert (committed(core).isr, sorted(committed(core).removing)) == ([2], [0, 1])
    core.run(world.now_us + 15 * SECOND)


def test_the_drain_does_not_wait_for_a_copy_that_fetches_no_more() -> None:
    """LOG-3, REG-5, FET-3."""
    state = healed()
    copy = copy_on(state.world, 2)
    broker_of(copy).fetchers.stop(copy)
    state.world.act(state.world.now_us + 1, "send P t-0 1")
    state.run(state.world.now_us + SECOND)
    assert state.backlog() == 1
    checks_of(state.world.only).parts.logs.shadow(copy).is_mislabelled = True
    assert state.backlog() == 0


def test_reads_drain_asks_of_a_reader_no_more_than_its_follower_has() -> None:
    """FFR-4: it is served up to that one's own high watermark."""
    racks = {"brokers": [{"id": b, "rack": f"az-{b}"} for b in (0, 1, 2)], "controllers": [100, 101, 102]}
    config = {"replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector"}
    reader = {"id": "C", "rack": "az-2", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}
    state = healed(cluster={**racks, "config": config}, consumers=[reader])
    world = state.world
    assert world.cluster_parts.consumers[0].reader().assignment.positions[0].preferred == 2
    world.act(world.now_us + 1, "slow 2 5")
    world.act(world.now_us + 2, "send P t-0 100")
    world.run(world.now_us + SECOND)
    core = Healed(world, EVERYBODY)
    core.looks = [Deadlines(partial(debts_of_clients, core)).look]
    core.run(world.now_us + 18 * SECOND)
    assert copy_on(world, 2).hw < copy_on(world, 2).log.leo or copy_on(world, 2).log.leo < 110
    core.run(world.now_us + 20 * SECOND)
    assert world.cluster_parts.consumers[0].reader().assignment.positions[0].offset == 110


def test_no_churn_leaves_a_preferred_election_time_before_it_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """FET-15: a follower may ask before the new leader has heard that it is one (seed 6000823)."""
    state = healed()
    listened: list[int] = []

    def change(state: Healed) -> None:
        state.world.act(state.world.now_us + 1, "elect preferred t-0")
        state.run(state.world.now_us + SECOND // 10)

    monkeypatch.setattr(heal, "check_churn", lambda world, since, refused, leaders: listened.append(since))
    monkeypatch.setattr(heal, "drain", change)
    state.world.act(state.world.now_us + 1, "stop 0")
    state.world.run(state.world.now_us + 10 * SECOND)
    heal.converge(state.world, EVERYBODY)
    moved = max(int(fact.t) for fact in state.world.trace.decisive if isinstance(fact, PartitionChanged))
    assert listened[0] - moved >= CONVERGE_US


def change(reason: int, isr: list[int], replicas: tuple[int, ...] = (0, 1, 2)) -> PartitionChanged:
    """A change of t-0."""
    marks = {"p": 0, "leader": isr[0], "epoch": 5, "pe": 7, "reason": reason, "election": ELECTION_NONE}
    return made(PartitionChanged, **marks, replicas=list(replicas), isr=isr)


def test_no_churn_lets_members_join_whom_the_unclean_task_has_elected() -> None:
    """UNC-2, ISR-5, REA-3: its interval may end late in the quiet time (seed 7401852)."""
    world = healed().world
    elected, joined = change(REASON_UNCLEAN, [0]), change(REASON_ALTER_PARTITION, [0, 1])
    completed = change(REASON_ALTER_PARTITION, [1, 2], (1, 2))
    assert heal.follows_election(world, [change(REASON_FENCED, [2]), elected, joined, completed])
    assert not heal.follows_election(world, [elected, change(REASON_FENCED, [0]), joined])
    assert not heal.follows_election(world, [joined])
    assert not heal.follows_election(world, [elected, joined, change(REASON_ALTER_PARTITION, [0])])


def test_no_churn_lets_a_member_fall_out_behind_a_new_leader_only_where_links_are_slow() -> None:
    """TCP-1, ISR-2: four round trips to its first fetch."""
    moved, left = change(REASON_PREFERRED, [0, 1]), change(REASON_ALTER_PARTITION, [0])
    config = {"replica.lag.time.max.ms": 4000}
    for latency, falls_out in (("400ms", False), ("600ms", True)):
        world = healed(network={"latency": latency}, cluster={**CLUSTER, "config": config}).world
        assert heal.follows_election(world, [moved, left]) is falls_out


def test_the_quiet_time_begins_when_those_outside_have_joined() -> None:
    """ISR-5: as long as that is owed to them, over a slow link."""
    state = healed(network=SLOW_PAIR)
    world = state.world
    world.act(world.now_us + 1, "kill 2")
    world.run(world.now_us + 20 * SECOND)
    world.act(world.now_us + 1, "start 2")
    while not state.runs(2):
        world.run(world.now_us + SECOND // 10)
    assert 2 not in committed(state).isr
    heal.let_settle(state)
    assert 2 in committed(state).isr


def forsaken(**document: Any) -> Healed:
    """Broker 1, the only member of the ISR, is left out of the core; broker 0 runs."""
    config = {"unclean.leader.election.enable": False}
    nodes = {"brokers": [0, 1], "controllers": [100]}
    state = healed(cluster=nodes, topics=[{"name": "t", "assignment": [[1, 0]], "config": config}], **document)
    world = state.world
    world.act(world.now_us + 1, "kill 0")
    world.run(world.now_us + 20 * SECOND)
    world.act(world.now_us + 1, "kill 1")
    world.run(world.now_us + 20 * SECOND)
    world.act(world.now_us + 1, "start 0")
    world.run(world.now_us + 20 * SECOND)
    return Healed(world, {**nodes, "brokers": [0], "how": "kill"})


def test_an_unclean_task_begins_its_wait_anew_with_a_new_controller() -> None:
    """UNC-2, QUO-4: it may only just have waited for long when the controller changes."""
    core = forsaken()
    world = core.world
    world.act(world.now_us + 1, "config t unclean.leader.election.enable true")
    world.run(world.now_us + 301 * SECOND)
    committed(core).leader, committed(core).isr = -1, [1]
    core.controller_since_us = world.now_us - 2 * SECOND
    assert core.candidates(committed(core)) == []
    core.controller_since_us = 0
    assert core.candidates(committed(core)) == [0]


@pytest.mark.parametrize(("profile", "leader"), [("3.7", -1), ("4.2", 0)])
def test_without_the_unclean_task_nobody_is_elected_where_unclean_elections_are_allowed_late(
    profile: str, leader: int
) -> None:
    """UNC-2: 3.7 has no such task, and nothing else happens to the partition (seed 8101744)."""
    core = forsaken(profile=profile, elr=False)
    world = core.world
    world.act(world.now_us + 1, "config t unclean.leader.election.enable true")
    world.run(world.now_us + 302 * SECOND)
    assert committed(core).leader == leader
    committed(core).leader, committed(core).isr = -1, [1]
    assert core.candidates(committed(core)) == [b for b in (leader,) if b >= 0]


def test_an_unclean_election_on_request_is_no_recovery_that_nobody_expected() -> None:
    """UNC-3: who asks does so again until a controller answers (seed 6010178)."""
    core = forsaken()
    world = core.world
    core.looks = [excused.Excused(core).look]
    core.run(world.now_us + 20 * SECOND)
    assert committed(core).leader == -1
    world.act(world.now_us + 1, "elect unclean t-0")
    core.run(world.now_us + 10 * SECOND)
    assert committed(core).leader == 0
    committed(core).leader, committed(core).isr = -1, [1]
    core.run(world.now_us + 100 * SECOND)
    committed(core).leader = 0
    with pytest.raises(Violation, match="excused_fails at partition 0: nobody could lead it"):
        core.run(world.now_us + SECOND)


def last_known_is_gone(profile: str) -> Healed:
    """Broker 1, which led t-0 last, came back uncleanly and is gone for good (ELR-5); broker 0 comes back."""
    nodes = {"brokers": [0, 1], "controllers": [100], "config": {"auto.leader.rebalance.enable": False}}
    state = healed(profile=profile, cluster=nodes, topics=[{"name": "t", "assignment": [[1, 0]]}])
    world = state.world
    for verb in ("kill 0", "kill 1"):
        world.act(world.now_us + 1, verb)
        world.run(world.now_us + 15 * SECOND)
    assert (committed(state).leader, committed(state).elr, committed(state).last_known) == (-1, [1], [1])
    committed(state).elr = []
    core = Healed(world, {**nodes, "brokers": [0], "how": "kill"})
    core.looks = [excused.Excused(core).look]
    core.run(world.now_us + 10 * SECOND)
    world.act(world.now_us + 1, "start 0")
    core.run(world.now_us + 20 * SECOND)
    return core


def test_a_silent_last_known_leader_is_no_recovery_that_nobody_expected() -> None:
    """KAFKA-19522, ELR-6: 4.0 elects it with the next change, fenced as it is (seed 7302657); 4.1 does not."""
    core = last_known_is_gone("4.0")
    assert committed(core).leader == 1
    assert committed(last_known_is_gone("4.1")).leader == -1
    committed(core).leader, committed(core).isr, committed(core).last_known = -1, [], [1]
    core.run(core.world.now_us + 10 * SECOND)
    committed(core).leader = 0
    with pytest.raises(Violation, match="excused_fails at partition 0: nobody could lead it"):
        core.run(core.world.now_us + SECOND)


def minority(**document: Any) -> Healed:
    """Two of three controllers are gone for good."""
    state = healed(**document)
    world = state.world
    for voter in (101, 102):
        world.act(world.now_us + 1, f"kill {voter}")
    return Healed(world, {**EVERYBODY, "controllers": [100]})


def test_frozen_without_quorum_lets_produce_go_on_where_all_members_are_there() -> None:
    """QUO-6."""
    state = minority()
    assert not frozen.has_majority(state)
    before = int(state.world.cluster_parts.producers[0].acked)
    frozen.check_frozen(state)
    assert state.world.cluster_parts.producers[0].acked == before + 1


def test_frozen_without_quorum_expects_nothing_where_a_member_is_gone_for_good() -> None:
    """QUO-6: nobody takes it out of the ISR, so what it lacks is not committed."""
    state = minority()
    world = state.world
    world.run(world.now_us + 10 * SECOND)
    world.act(world.now_us + 1, "kill 2")
    before = int(world.cluster_parts.producers[0].acked)
    frozen.check_frozen(state)
    assert world.cluster_parts.producers[0].acked == before


def test_frozen_without_quorum_expects_nothing_behind_an_older_call_that_waits_in_vain_on_the_connection() -> None:
    """PROD-12, open point 4: of t-1 and t-2 a member is gone; t-1 has the leader of t-0 (seeds 7101771, 7102344)."""
    topic = {"name": "t", "assignment": [[0, 1], [0, 2], [1, 2]]}
    traffic = {"topic": "t", "rate": 0, "acks": "all"}
    for older, expected in ((1, 0), (2, 1)):
        state = minority(topics=[topic], producers=[{"id": "P", **traffic}], timeline=[])
        world = state.world
        producer = world.cluster_parts.producers[0]
        world.act(world.now_us + 1, "send P t-0 1")
        world.run(world.now_us + 10 * SECOND)
        world.act(world.now_us + 1, "kill 2")
        world.act(world.now_us + frozen.SETTLE_US - 1_000, f"send P t-{older} 1")
        world.run(world.now_us + frozen.SETTLE_US)
        before = int(producer.acked)
        assert [count - before for _, count in frozen.write_on(state)] == [expected] * expected
        world.run(world.now_us + frozen.TRY_US)
        assert producer.acked - before == expected


def spoilt(state: Healed, harm: Callable[[], None]) -> str:
    """The place of the violation when ``harm`` is done during the look at the core, after it has settled."""
    begun = state.world.now_us

    def look(now: int) -> None:
        if now > begun + frozen.SETTLE_US + SECOND:
            harm()

    state.looks = [look]
    with pytest.raises(Violation) as raised:
        frozen.check_frozen(state)
    assert raised.value.name == frozen.NAME
    return raised.value.where


def test_frozen_without_quorum_rejects_whatever_only_a_controller_could_have_done() -> None:
    state = minority()
    log = state.cluster.quorum.log
    assert spoilt(state, lambda: log.append(log[-1])) == "the quorum"
    state = minority()
    state.world.act(state.world.now_us + 1, "start 101")
    with pytest.raises(Violation, match="the quorum: somebody is active"):
        frozen.check_frozen(state)


def test_frozen_without_quorum_rejects_calls_that_are_lost_and_marks_that_move() -> None:
    state = minority()
    producer = state.world.cluster_parts.producers[0]
    assert spoilt(state, lambda: setattr(producer, "acked", 10)) == "producer P"
    state = minority()
    state.world.run(state.world.now_us + 10 * SECOND)
    state.world.act(state.world.now_us + 1, "kill 2")
    copy = copy_on(state.world, 1)
    assert spoilt(state, lambda: setattr(copy, "hw", 11)) == "partition 0"


def test_a_client_that_waits_for_metadata_from_a_silent_broker_has_not_found_back() -> None:
    """PC-7: one connection that still stands is asked after the other, 30 s each (seed 6100107)."""
    world = healed().world
    core = Healed(world, {**EVERYBODY, "brokers": [0], "how": "cut"})
    reader = world.cluster_parts.consumers[0].reader()
    silent = reader.connections[1]
    silent.want()
    world.run(world.now_us + SECOND)
    assert not is_astray(core, reader)
    silent.ask_metadata(MetadataRequest([0], False))
    assert is_astray(core, reader)
