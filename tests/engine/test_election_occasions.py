"""The controller's elections by its commits: their occasions, the order of work in one change, and the candidates."""

from typing import Any

import pytest

from simengine.facts.decisive import LeaderActivated, PartitionChanged
from simengine.facts.kinds import (
    ELECTION_ELR,
    REASON_FENCED,
    REASON_NAMES,
    REG_ACTIVE,
    REG_FENCED,
    REG_NONE,
    REG_SHUTTING_DOWN,
)
from simengine.kafka.controller.alter_partition import is_eligible
from simengine.kafka.controller.election import ELECT_ANY, ELECT_CLEAN, ELECT_PREFERRED, ELECT_UNCLEAN, PartitionChange
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import BrokerState, MetadataImage, PartitionRegistration, partition_record
from simengine.world.world import World
from tests.engine.cluster import SECOND, facts, world

UNCLEAN = "unclean.leader.election.enable"

# -- ELEC-1


def of_two(*timeline: str, **document: Any) -> dict[str, Any]:
    """Two replicas, one wanted in sync; ``5s kill 0`` is an entry of the timeline."""
    entries = [dict(zip(("at", "do"), entry.split(" ", 1), strict=True)) for entry in timeline]
    return {
        "cluster": {
            "brokers": [0, 1, 2],
            "controllers": [100],
            "config": {"leader.imbalance.check.interval.seconds": 300, "unclean.leader.election.interval.ms": 60_000},
        },
        "phases": {"preferred": "250s", "unclean": "60s"},
        "topics": [{"name": "t", "assignment": [[0, 1]], "config": {"min.insync.replicas": 1}}],
        "producers": [{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        "timeline": entries,
        "until": "100s",
        **document,
    }


BACK_AS_FOLLOWER = ("5s kill 0", "20s start 0")  # 1 leads, 0 is in sync again
STRANDED = ("5s kill 1", "20s kill 0", "35s start 1")  # 0 alone was in sync; 1 is back and may not lead
OCCASIONS: dict[str, tuple[dict[str, Any], float, str, int]] = {  # document, from when on (s), reason, leader
    "a broker is fenced": (of_two("5s kill 0"), 5, "broker fenced", 1),
    "a broker is unfenced": (of_two("5s kill 1", "20s kill 0", "35s start 0"), 35, "broker unfenced", 0),
    "a broker shuts down": (of_two("5s stop 0"), 5, "controlled shutdown", 1),
    "a new incarnation registers": (
        of_two("10s kill 0", "10500ms start 0 after 1500ms", phases={"heartbeat": {0: "700ms"}, "fencing": "500ms"}),
        10,
        "new incarnation registered",
        1,
    ),
    "a leader proposes an ISR": (of_two("5s reassign t-0 2,1"), 5.5, "AlterPartition", 2),
    "a reassignment is asked for": (of_two("5s reassign t-0 1"), 5, "reassignment", 1),
    "the preferred task": (of_two(*BACK_AS_FOLLOWER, phases={"preferred": "60s"}), 60, "preferred election", 0),
    "a preferred request": (of_two(*BACK_AS_FOLLOWER, "60s elect preferred t-0"), 60, "preferred election", 0),
    "the unclean task": (of_two(*STRANDED, f"50s config t {UNCLEAN} true"), 59.9, "unclean election", 1),
    "an unclean request": (of_two(*STRANDED, "50s elect unclean t-0"), 50, "unclean election", 1),
}


def moves(run: World) -> list[PartitionChanged]:
    """The committed changes that brought another leader than the change before."""
    found = facts(run, PartitionChanged)
    before = [0, *(fact.leader for fact in found)]
    return [fact for fact, leader in zip(found, before, strict=False) if fact.leader != leader]


@pytest.mark.parametrize("name", OCCASIONS)
def test_the_controller_elects_at_each_of_its_occasions(name: str) -> None:
    """ELEC-1: the change of the leader is part of what is committed for that occasion."""
    document, since, reason, leader = OCCASIONS[name]
    run = world(**document)
    run.run(100 * SECOND)
    elected = [fact for fact in moves(run) if fact.t / SECOND >= since and fact.leader >= 0]
    assert (REASON_NAMES[elected[0].reason], elected[0].leader) == (reason, leader)


def test_no_broker_leads_before_the_controller_has_said_so() -> None:
    """ELEC-1: in all of these runs each leadership that begins was committed before, for that broker and epoch."""
    for document, *_ in OCCASIONS.values():
        run = world(**document)
        run.run(100 * SECOND)
        said = {(0, 0)}
        for fact in facts(run, PartitionChanged, LeaderActivated):
            if isinstance(fact, PartitionChanged):
                said.add((fact.leader, fact.epoch))
            else:
                assert (fact.broker, fact.epoch) in said


@pytest.mark.parametrize("action", [f"config t {UNCLEAN} true", "config t min.insync.replicas 2", "create u 3 1"])
def test_nothing_else_elects(action: str) -> None:
    """ELEC-1, UNC-2: a leaderless partition stays so until one of the occasions comes, here the task at 60 s."""
    run = world(**of_two(*STRANDED, f"50s {action}"))
    run.run(59 * SECOND)
    assert [fact for fact in moves(run) if fact.t / SECOND > 50 and fact.p == 0] == []


# -- ELEC-2


def change_of(
    base: PartitionRegistration, states: dict[int, int], min_insync: int = 1, kind: int = ELECT_ANY
) -> PartitionChange:
    """A change of a partition in a cluster of these brokers, ELR on."""
    image = MetadataImage()
    image.default_min_insync = min_insync
    image.apply(partition_record(base, 0, 0, 0))
    for broker, state in states.items():
        if state != REG_NONE:
            image.brokers[broker] = BrokerState(broker, broker, state)
    return PartitionChange(base, image, ClusterConfig(), kind)


def committed(change: PartitionChange) -> tuple[PartitionRegistration, int]:
    """The partition as one record makes it, and the kind of its election."""
    record = change.build(REASON_FENCED, 0)
    assert record is not None
    assert record.partition is not None
    return record.partition, int(record.election)


def test_a_reassignment_is_finished_before_the_leader_is_chosen() -> None:
    """ELEC-2, REA-3: the new ISR has all of the target, so broker 0, which leaves, does not lead on."""
    base = PartitionRegistration(0, 0, [3, 1, 2, 0], [0, 1, 2], 0, 3, 7)
    base.adding, base.removing = [3], [0]
    change = change_of(base, dict.fromkeys(range(4), REG_ACTIVE))
    change.target_isr = [0, 1, 2, 3]
    now, _ = committed(change)
    assert (now.replicas, now.isr, now.leader, now.adding, now.removing) == ([3, 1, 2], [1, 2, 3], 3, [], [])
    assert (now.epoch, now.pe) == (4, 8), "all in one record"


def test_who_is_eligible_is_reckoned_before_the_leader_is_chosen_and_the_isr_written_after() -> None:
    """ELEC-2, ELR-2, ELR-4: broker 0 leaves the ISR last and 1 is eligible since before: one record has all of it."""
    base = PartitionRegistration(0, 0, [0, 1, 2], [0], 0, 3, 7)
    base.elr = [1]
    change = change_of(base, {0: REG_FENCED, 1: REG_ACTIVE, 2: REG_ACTIVE}, min_insync=2)
    change.target_isr = []
    now, how = committed(change)
    assert (now.leader, now.isr, now.elr, now.last_known, how) == (1, [1], [0], [], ELECTION_ELR)
    assert (now.epoch, now.pe) == (4, 8)


# -- STATE-8

STATES = {"unregistered": REG_NONE, "fenced": REG_FENCED, "active": REG_ACTIVE, "shutting down": REG_SHUTTING_DOWN}


@pytest.mark.parametrize("kind", [ELECT_ANY, ELECT_PREFERRED, ELECT_UNCLEAN, ELECT_CLEAN])
@pytest.mark.parametrize("state", STATES)
def test_only_an_active_broker_may_lead(state: str, kind: int) -> None:
    """STATE-8, ELEC-4: broker 0 is the first of the list, is in the ISR and led last."""
    base = PartitionRegistration(0, 0, [0, 1], [0, 1], -1, 3, 7)
    base.last_known = [0]
    now, _ = committed(change_of(base, {0: STATES[state], 1: REG_ACTIVE}, kind=kind))
    assert now.leader == (0 if state == "active" else 1)


@pytest.mark.parametrize("elected", ["from the ELR", "last known", "unclean"])
@pytest.mark.parametrize("state", STATES)
def test_nor_may_another_lead_for_want_of_one(state: str, elected: str) -> None:
    """STATE-8, ELR-6, UNC-1: whichever way would let broker 0 lead, alone as it is."""
    base = PartitionRegistration(0, 0, [0], [1] if elected == "unclean" else [], 1, 3, 7)
    base.elr = [0] if elected == "from the ELR" else []
    base.last_known = [0] if elected == "last known" else []
    kind = ELECT_UNCLEAN if elected == "unclean" else ELECT_ANY
    change = change_of(base, {0: STATES[state]}, min_insync=2, kind=kind)
    now, _ = committed(change)
    assert now.leader == (0 if state == "active" else -1)


@pytest.mark.parametrize("state", STATES)
def test_only_an_active_broker_may_enter_an_isr(state: str) -> None:
    """STATE-8, AP-2, ISR-6: at the controller, and in the metadata of a leader."""
    run = world()
    run.run(2 * SECOND)
    control = run.cluster.control()
    assert control is not None
    leader = run.cluster.by_id[0]
    replica = leader.replica(0)
    assert replica is not None
    remote = replica.remote(2)
    assert remote is not None
    be = int(control.image.broker_epoch(2))
    for image in (control.image, leader.image):
        del image.brokers[2]
        if STATES[state] != REG_NONE:
            image.brokers[2] = BrokerState(2, be, STATES[state])
    assert is_eligible(control.image, 2, be) == (state == "active")
    assert leader.is_eligible(remote) == (state == "active")
