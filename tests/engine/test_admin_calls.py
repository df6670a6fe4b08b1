"""The controller's responses to administrators: elections, reassignments on top of one another, settings."""

from typing import Any

import pytest

from simengine.facts import errors
from simengine.facts.decisive import RequestRefused, RequestWaits
from simengine.facts.kinds import CONFIG_CHANGED, PARTITION_CREATED, REG_FENCED, WAIT_CUT, WAIT_PAUSED
from simengine.kafka.cluster.admin import ElectionCall, Reassignment
from simengine.kafka.controller.election import ELECT_PREFERRED, ELECT_UNCLEAN
from simengine.kafka.shared.config import TopicSettings
from simengine.kafka.shared.metadata import BrokerState, PartitionRegistration
from simengine.world.world import World
from tests.engine.cluster import control_of, facts, world

FOUR = {"brokers": [0, 1, 2, 3], "controllers": [100]}


def hold(run: World, **fields: Any) -> PartitionRegistration:
    """Have the controller believe this of t-0; whoever is named ``away`` is fenced."""
    image = control_of(run).image
    base = image.partitions[0]
    assert base is not None
    base = base.copy()
    for broker in fields.pop("away", []):
        image.brokers[broker] = BrokerState(broker, image.broker_epoch(broker), REG_FENCED)
    for name, value in fields.items():
        setattr(base, name, value)
    image.partitions[0] = base
    return base


def now(run: World) -> PartitionRegistration:
    """The registration of t-0 that the controller has written."""
    known = control_of(run).image.partition(0)
    assert known is not None
    return known


@pytest.mark.parametrize(
    ("kind", "leader", "away", "error"),
    [
        (ELECT_PREFERRED, 1, [], None),
        (ELECT_PREFERRED, 0, [], errors.ERR_ELECTION_NOT_NEEDED),
        (ELECT_PREFERRED, 1, [0], errors.ERR_PREFERRED_LEADER_NOT_AVAILABLE),
        (ELECT_UNCLEAN, -1, [], None),
        (ELECT_UNCLEAN, 1, [], errors.ERR_ELECTION_NOT_NEEDED),
        (ELECT_UNCLEAN, -1, [0, 1, 2], errors.ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE),
    ],
)
def test_an_election_on_request_moves_the_leader_or_says_why_not(
    kind: int, leader: int, away: list[int], error: int | None
) -> None:
    """PREF-3, UNC-3."""
    run = world()
    hold(run, leader=leader, isr=[0, 1, 2] if leader >= 0 else [2], away=away)
    facts(run)
    run.cluster.admin.elect(control_of(run), ElectionCall([0], kind, 0))
    refused = [fact.error for fact in facts(run, RequestRefused)]
    assert refused == ([] if error is None else [error])
    assert (now(run).leader != leader) is (error is None)


@pytest.mark.parametrize(("away", "refused"), [([], []), ([1], [(1, errors.ERR_PREFERRED_LEADER_NOT_AVAILABLE)])])
def test_an_election_asked_of_all_partitions_is_told_only_of_those_that_want_one_and_cannot_have_it(
    away: list[int], refused: list[tuple[int, int]]
) -> None:
    """PREF-3: t-0 is led as it should be, t-1 is not, u-0 does not exist yet (Kafka's ``electLeaders``)."""
    run = world(
        topics=[{"name": "t", "assignment": [[0, 1, 2], [1, 2, 0]], "initial": {1: {"leader": 2, "isr": [0, 1, 2]}}}],
        timeline=[
            *({"at": "2s", "do": f"kill {b}"} for b in away),
            {"at": "20s", "do": "elect preferred all"},
            {"at": "30s", "do": "create u 3 1"},
        ],
    )
    run.run(25_000_000)
    assert [(f.p, f.error) for f in facts(run, RequestRefused)] == refused
    known = control_of(run).image.partition(1)
    assert known is not None
    assert known.leader == (2 if away else 1)


def test_nobody_calls_off_a_reassignment_that_there_is_not() -> None:
    """REA-6: the caller is told so."""
    run = world()
    facts(run)
    run.cluster.admin.cancel_reassignment(control_of(run), Reassignment(0, [], 0))
    assert [fact.error for fact in facts(run, RequestRefused)] == [errors.ERR_NO_REASSIGNMENT_IN_PROGRESS]


@pytest.mark.parametrize(
    ("target", "replicas", "adding", "removing"),
    [
        ([3, 1, 2, 0], [3, 1, 2, 0], [3], [0]),  # asks for nobody new and for nobody to go: both go on as they were
        ([3, 1, 0], [3, 1, 0, 2], [3], [2]),  # broker 0 is to stay after all
    ],
)
def test_a_reassignment_on_top_of_another_keeps_of_it_what_it_does_not_replace(
    target: list[int], replicas: list[int], adding: list[int], removing: list[int]
) -> None:
    """REA-1: Kafka sets the lists of those to be added and removed only where there are any (0 -> 3 is under way)."""
    run = world(cluster=FOUR)
    hold(run, replicas=[3, 1, 2, 0], adding=[3], removing=[0])
    run.cluster.admin.reassign(control_of(run), Reassignment(0, target, 0))
    assert (now(run).replicas, now(run).adding, now(run).removing) == (replicas, adding, removing)


def test_a_reassignment_may_add_while_another_removes() -> None:
    """REA-1: broker 2 is on its way out, and now broker 3 is to come as well; nobody has said that 2 may stay."""
    run = world(cluster=FOUR)
    hold(run, replicas=[0, 1, 2], removing=[2], isr=[0, 2])
    run.cluster.admin.reassign(control_of(run), Reassignment(0, [0, 1, 2, 3], 0))
    assert (now(run).replicas, now(run).adding, now(run).removing) == ([0, 1, 2, 3], [3], [2])


def test_what_is_eligible_no_longer_is_so_in_the_next_partition_epoch() -> None:
    """ELR-7, STATE-2."""
    run = world(elr=True)
    before = hold(run, isr=[0], elr=[1])
    settings = TopicSettings(1, -1)
    run.cluster.admin.set_topic(control_of(run), 0, settings, "min.insync.replicas=1", 0)
    assert (now(run).elr, now(run).pe, now(run).epoch) == ([], before.pe + 1, before.epoch)


def test_a_new_topic_has_its_settings_and_changes_none() -> None:
    """A changed setting is told as "key=value", which the page folds; a topic that is created sets nothing."""
    run = world(timeline=[{"at": "1s", "do": "create new 1 2"}])
    run.run(3_000_000)
    assert [entry for entry in run.trace.decisive if entry.kind == PARTITION_CREATED]
    assert not [entry for entry in run.trace.decisive if entry.kind == CONFIG_CHANGED]


@pytest.mark.parametrize(
    ("silence", "end", "first", "last"),
    [
        ("pause 0", "", 34, 35),  # request.timeout.ms, and a retry at another broker
        ("cut 0|100,101,102", "", 34, 35),
        ("pause 0", "resume 0", 10, 11),  # it was in its socket
        ("cut 0|100,101,102", "heal", 10, 11),  # it was in its forwarder
        ("pause 0", "kill 0", 10, 11),  # the connection is reset
    ],
)
def test_a_call_waits_at_the_broker_that_it_was_made_to(silence: str, end: str, first: int, last: int) -> None:
    """QUO-7: one of three takes connections and does not carry on what it is asked; now and then it is that one."""
    timeline = [{"at": "3s", "do": silence}, {"at": "4s", "do": "config t min.insync.replicas 3"}]
    timeline += [{"at": "10s", "do": end}] if end else []
    waited = 0
    for seed in range(1, 13):
        run = world(seed=seed, timeline=timeline)
        run.run(5_000_000)
        told = [(fact.broker, fact.why) for fact in facts(run, RequestWaits)]
        assert told == ([] if changes(run) else [(0, WAIT_PAUSED if silence == "pause 0" else WAIT_CUT)])
        if not changes(run):
            waited += 1
            run.run(first * 1_000_000)
            assert not changes(run)
        run.run(last * 1_000_000 + 100_000)
        assert len(changes(run)) == 1
    assert 1 <= waited <= 8


def changes(run: World) -> list[Any]:
    """The settings that have changed."""
    return [entry for entry in run.trace.decisive if entry.kind == CONFIG_CHANGED]
