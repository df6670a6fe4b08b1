"""REA-3, ELR-2: the same reassignment on Kafka 4.2 and 4.4, while a replica that it keeps is down."""

from typing import Any, NamedTuple

import pytest

from simengine.facts.decisive import IsrRefused, ReplicaGone, RequestRefused
from simengine.facts.errors import ERR_NO_REASSIGNMENT_IN_PROGRESS
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked
from tests.engine.cluster import SECOND, control_of, copy_on, stated

REASSIGNED = 40  # s: by then a broker that was killed before is out of the ISR


class Expected(NamedTuple):
    """The partition as the controller has it; ``waits``: the reassignment is under way."""

    replicas: list[int]
    isr: list[int]
    leader: int
    elr: list[int]
    waits: bool


def moved(profile: str, *actions: str, to: str = "3,1,2", until: int = 60, **document: Any) -> World:
    """A run in which t-0 is moved at 40 s; actions as "5s kill 2". All invariants hold."""
    timeline = [action.split(maxsplit=1) for action in (*actions, f"{REASSIGNED}s reassign t-0 {to}")]
    timeline.sort(key=lambda one: float(one[0].removesuffix("s")))
    least = document.pop("least", 2)
    base: dict[str, Any] = {
        "profile": profile,
        "elr": True,
        "cluster": {"brokers": [0, 1, 2, 3, 4], "controllers": [100, 101, 102]},
        "topics": [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": least}}],
        "producers": [{"id": "P", "topic": "t", "rate": 10}],
        "phases": {"preferred": "280s"},
        "timeline": [{"at": at, "do": do} for at, do in timeline],
    }
    run = checked(load({"format": 1, "seed": 5, "until": "600s", **base, **document}))
    run.run(until * SECOND)
    return run


def state_of(run: World) -> Expected:
    """t-0 as the controller has it."""
    r = control_of(run).image.partition(0)
    assert r is not None
    return Expected(r.replicas, r.isr, int(r.leader), sorted(r.elr), bool(r.adding or r.removing))


@pytest.mark.parametrize("elr", [True, False])
def test_since_4_3_a_kept_replica_that_is_down_does_not_hold_up_a_move(elr: bool) -> None:
    """R1 of KAFKA-19975: one record brings the added replica in and ends the move."""
    waits = moved("4.2", "5s kill 2", elr=elr)
    assert state_of(waits) == Expected([3, 1, 2, 0], [0, 1, 3], 0, [], waits=True)
    ends = moved("4.4", "5s kill 2", elr=elr)
    assert state_of(ends) == Expected([3, 1, 2], [1, 3], 3, [], waits=False)
    assert [fact.broker for fact in stated(ends, ReplicaGone)] == [0]
    assert [fact.broker for fact in stated(ends, IsrRefused)] == [0], "NEW_LEADER_ELECTED: it leads no longer"
    assert copy_on(ends, 3).hw > 550, "M members are left: writes go on"


def test_the_move_of_4_2_ends_when_the_kept_replica_is_back() -> None:
    run = moved("4.2", "5s kill 2", "62s start 2", until=90)
    assert state_of(run) == Expected([3, 1, 2], [1, 2, 3], 3, [], waits=False)


def test_with_both_kept_replicas_down_the_added_one_is_left_alone() -> None:
    """R2: with M=2 the members that the move takes out stay in the ELR, broker 0 too, which is no replica any more."""
    down = ("5s kill 2", "20s kill 1")
    assert state_of(moved("4.2", *down)).waits
    assert state_of(moved("4.4", *down, least=1)) == Expected([3, 1, 2], [3], 3, [], waits=False)
    run = moved("4.4", *down)
    assert state_of(run) == Expected([3, 1, 2], [3], 3, [0, 1], waits=False)
    run = moved("4.4", *down, "62s start 1", until=90)
    assert state_of(run) == Expected([3, 1, 2], [1, 3], 3, [], waits=False)


def test_a_removed_member_of_the_elr_is_not_elected() -> None:
    """ELEC-3: broker 0 is up and in the ELR when broker 3 dies, and nobody leads."""
    run = moved("4.4", "5s kill 2", "20s kill 1", "62s kill 3", until=90)
    assert state_of(run) == Expected([3, 1, 2], [], -1, [0, 1, 3], waits=False)


@pytest.mark.parametrize("profile", ["4.2", "4.4"])
def test_a_move_to_fewer_replicas_waits_for_the_kept_ones(profile: str) -> None:
    """R3: more brokers are removed than added."""
    topics = [{"name": "t", "assignment": [[0, 1, 2, 3]], "config": {"min.insync.replicas": 2}}]
    run = moved(profile, "5s kill 3", to="1,2,3", topics=topics)
    assert state_of(run) == Expected([1, 2, 3, 0], [0, 1, 2], 0, [], waits=True)


def test_a_move_to_more_replicas_ends_when_the_new_one_joins() -> None:
    """R3, the other way round."""
    assert state_of(moved("4.2", "5s kill 2", to="0,1,2,3")).waits
    run = moved("4.4", "5s kill 2", to="0,1,2,3")
    assert state_of(run) == Expected([0, 1, 2, 3], [0, 1, 3], 0, [], waits=False)


def test_of_an_isr_that_had_m_members_fewer_may_be_left() -> None:
    """M=3: broker 3 joins and the high watermark moves again; broker 4 joins and the move ends below M."""
    run = moved("4.4", "5s kill 2", to="3,4,2", least=3)
    assert state_of(run) == Expected([3, 4, 2], [3, 4], 3, [0, 1], waits=False)


def test_nothing_is_left_to_cancel() -> None:
    """R4, REA-6."""
    run = moved("4.4", "5s kill 2", "55s reassign t-0 cancel")
    assert [fact.error for fact in stated(run, RequestRefused)] == [ERR_NO_REASSIGNMENT_IN_PROGRESS]
    run = moved("4.2", "5s kill 2", "55s reassign t-0 cancel")
    assert state_of(run) == Expected([1, 2, 0], [0, 1], 0, [], waits=False)


@pytest.mark.parametrize("profile", ["4.2", "4.4"])
def test_a_cancelled_move_leaves_the_added_replica_in_the_elr(profile: str) -> None:
    """ELR-2, REA-6: broker 3 had joined, and the ISR without it is below M."""
    run = moved(profile, "5s kill 2", "20s kill 1", "55s reassign t-0 cancel", to="3,1")
    assert state_of(run) == Expected([1, 0, 2], [0], 0, [3], waits=False)


def test_a_broker_that_was_removed_and_is_added_again_may_lead_with_an_empty_log() -> None:
    """ELR-2, the trap: broker 0 is a replica again, still in the ELR, cut from its leader, and the leader dies.

    The election is clean for Kafka, and committed records are gone.
    """
    again = ("62s cut 0|3", "63s reassign t-0 0,3,2", "70s kill 3")
    run = moved("4.4", "5s kill 2", "20s kill 1", *again, until=100)
    r = state_of(run)
    assert (r.leader, r.isr) == (0, [0])
    assert copy_on(run, 0).log.leo < 100
    assert run.book.account(0).losses.lost


def test_a_run_may_begin_with_a_removed_broker_in_the_elr() -> None:
    """ELR-2: as a pasted cluster has it, and a run that goes on from another."""
    down = [{"id": broker, "state": "down"} for broker in (1, 2)]
    initial = {"0": {"leader": 3, "isr": [3], "elr": [0], "epoch": 1}}
    topics = [{"name": "t", "assignment": [[3, 1, 2]], "config": {"min.insync.replicas": 2}, "initial": initial}]
    run = moved("4.4", topics=topics, until=1, cluster={"brokers": [0, *down, 3], "controllers": [100]})
    assert state_of(run) == Expected([3, 1, 2], [3], 3, [0], waits=False)
