"""The majority of the controllers, and the time of a commit by it (QUO-1), for any number of voters."""

import pytest

from simengine.facts.decisive import ControllerChanged
from simengine.world.world import World
from tests.engine.cluster import SECOND, control_of, facts, world


def voters(count: int, lost: list[str], **document: object) -> World:
    """So many controllers, 100 the active one at first; at 1 s something happens to them."""
    nodes = {"brokers": [0, 1, 2], "controllers": [100 + k for k in range(count)], "active": 100}
    config = {"controller.quorum.append.linger.ms": 0}
    timeline = [{"at": "1s", "do": verb} for verb in lost]
    return world(cluster={**nodes, "config": config}, timeline=timeline, **document)


@pytest.mark.parametrize(
    ("count", "lost", "is_majority"),
    [
        (1, [], True),
        (2, [], True),
        (2, ["kill 101"], False),
        (3, ["kill 101"], True),
        (3, ["kill 101", "pause 102"], False),
        (4, ["kill 101"], True),
        (4, ["kill 101", "kill 102"], False),
        (5, ["kill 101", "kill 102"], True),
        (5, ["kill 101", "pause 102", "cut 103>100"], False),
        (3, ["cut 100>101"], True),
        (3, ["cut 100>101", "cut 102>100"], False),
        (3, ["cut 101|102"], True),
    ],
)
def test_a_controller_needs_more_than_half_of_all_voters(count: int, lost: list[str], is_majority: bool) -> None:
    """QUO-1, QUO-3: itself among them, and with each of them in both directions; what they say to others is theirs."""
    run = voters(count, lost)
    run.run(SECOND + 1)
    quorum = run.cluster.quorum
    assert quorum.reaches_majority(run.cluster.controllers[0]) is is_majority
    run.run(2 * SECOND)
    control = control_of(run)
    written = len(quorum.log)
    run.act(run.now_us + 1, "config t min.insync.replicas 1")
    run.run(run.now_us + SECOND)
    assert (len(quorum.log) > written) is is_majority, "a write commits with a majority only"
    assert control is control_of(run)
    run.run(10 * SECOND)
    changes = [fact.controller for fact in facts(run, ControllerChanged) if fact.t / SECOND > 1]
    assert (changes == []) is is_majority


def test_a_dead_or_paused_controller_reaches_nobody() -> None:
    run = voters(3, ["pause 101", "kill 102"])
    run.run(SECOND + 1)
    assert [run.cluster.quorum.reaches_majority(voter) for voter in run.cluster.controllers] == [False] * 3


@pytest.mark.parametrize(
    ("count", "lost", "milliseconds"),
    [
        (2, [], 20),
        (3, [], 20),
        (4, [], 40),
        (5, [], 40),
        (3, ["kill 101"], 40),
        (4, ["pause 101"], 80),
    ],
)
def test_a_commit_takes_a_round_trip_to_the_slowest_of_the_quickest_majority(
    count: int, lost: list[str], milliseconds: int
) -> None:
    """QUO-1: voters 101, 102, ... are 10, 20, 40 and 80 ms away."""
    links = [{"between": [100, 101 + k], "latency": f"{10 << k}ms"} for k in range(count - 1)]
    run = voters(count, lost, network={"latency": "1ms", "jitter": "0ms", "links": links})
    run.run(SECOND + 1)
    assert run.cluster.quorum.commit_delay(run.cluster.controllers[0]) == milliseconds * 1000


@pytest.mark.parametrize(("profile", "parked"), [("4.2", 0), ("4.1", 0), ("4.0", 3)])
def test_a_commit_is_told_at_once_since_4_1_and_with_the_next_poll_before(profile: str, parked: int) -> None:
    """QUO-5, KIP-1166: half a second later at most, then each broker has it."""
    run = voters(3, [], profile=profile)
    run.run(10 * SECOND)
    control, quorum = control_of(run), run.cluster.quorum
    while len(control.polls._parked) < 3:
        run.run(run.now_us + 1_000)
    written = len(quorum.log)
    run.act(run.now_us + 1, "config t min.insync.replicas 1")
    while len(quorum.log) == written:
        run.run(run.now_us + 1)
    assert len(control.polls._parked) == parked
    run.run(run.now_us + 510_000)
    assert [broker.listener.fetched for broker in run.cluster.brokers] == [len(quorum.log)] * 3


def test_a_controller_that_is_stopping_stands_for_no_election() -> None:
    """QUO-2: it has taken its leave; the vote is among the others."""
    run = voters(4, [])
    run.run(SECOND)
    quorum = run.cluster.quorum
    run.cluster.controllers[2].stopping = True
    found = [quorum._candidate() for _ in range(40)]
    assert {int(candidate.id) for candidate in found if candidate is not None} == {101, 103}


def test_every_loss_of_the_active_controller_is_timed_from_its_own_moment() -> None:
    """QUO-2, QUO-3."""
    run = voters(3, [])
    run.run(SECOND)
    timers = run.cluster.quorum.timers
    timers.lost(False)
    run.run(3 * SECOND)
    timers.lost(True)
    assert (timers._lost_at, timers._was_announced) == (SECOND, False)
    timers.led()
    timers.lost(True)
    assert (timers._lost_at, timers._was_announced) == (3 * SECOND, True)


def test_a_voter_that_comes_back_does_not_put_off_an_election_under_way() -> None:
    """QUO-2."""
    run = voters(3, ["kill 100"])
    run.run(SECOND + 1)
    quorum = run.cluster.quorum
    due = int(quorum._election_at)
    assert due > run.now_us
    quorum.reconsider(False, True)
    assert quorum._election_at == due


def test_a_new_controller_ends_the_leadership_of_whoever_hears_of_it() -> None:
    """QUO-1: at once, and what that one had not got committed is gone."""
    run = voters(3, [])
    run.run(SECOND)
    controllers = run.cluster.controllers
    assert [one.control is None for one in controllers] == [False, True, True]
    run.cluster.quorum._activate(controllers[1], 0)
    assert [one.control is None for one in controllers] == [True, False, True]


def test_a_controller_that_was_paused_while_another_was_elected_leads_no_more_though_it_is_cut_off() -> None:
    """QUO-3: the timer by which it resigns has run out meanwhile."""
    run = voters(3, ["pause 100"])
    run.act(10 * SECOND, "cut 100|101,102")
    run.act(11 * SECOND, "resume 100")
    run.run(10 * SECOND)
    leads = [one.control is not None for one in run.cluster.controllers]
    assert leads.count(True) == 2
    assert leads[0]
    run.run(12 * SECOND)
    assert [one.control is not None for one in run.cluster.controllers] == [False, *leads[1:]]


def handovers(profile: str, *steps: str, until: int = 60) -> list[tuple[float, int]]:
    """(time, active controller or -1) after the start, while something happens to others of three."""
    nodes = {"brokers": [0, 1, 2], "controllers": [100, 101, 102], "active": 100}
    timeline = [dict(zip(("at", "do"), step.split(" ", 1), strict=True)) for step in steps]
    run = world(cluster=nodes, timeline=timeline, profile=profile)
    run.run(until * SECOND)
    return [(fact.t / SECOND, int(fact.controller)) for fact in facts(run, ControllerChanged) if fact.t > 0]


RETURNS = [
    ["10s cut 102|100,101", "30s heal"],
    ["10s cut 102>100,101", "30s heal"],
    ["10s pause 102", "30s resume 102"],
]


@pytest.mark.parametrize("steps", RETURNS, ids=["cut", "one way", "paused"])
def test_before_pre_vote_a_controller_that_comes_back_deposes_the_active_one(steps: list[str]) -> None:
    """KIP-996, KAFKA-16164: it has raised its epoch round after round. Its own log is behind: another is elected."""
    [(ended, nobody), (elected, winner)] = handovers("3.7", *steps)
    assert 30 < ended < 32.1
    assert nobody == -1
    assert 1 < elected - ended < 2.1
    assert winner in (100, 101)


@pytest.mark.parametrize("profile", ["4.0", "4.2"])
@pytest.mark.parametrize("steps", RETURNS, ids=["cut", "one way", "paused"])
def test_with_pre_vote_the_active_controller_goes_on(profile: str, steps: list[str]) -> None:
    """KIP-996: the others still hear their leader, and refuse."""
    assert handovers(profile, *steps) == []


@pytest.mark.parametrize(
    "steps",
    [
        ["10s cut 102|100,101", "11s heal"],
        ["10s pause 102", "11900ms resume 102"],
        ["10s kill 102", "30s start 102"],
        ["10s cut 102|100,101"],
        ["10s cut 101|102", "30s heal"],
        ["10s slow-link 102|100 200ms", "30s heal"],
    ],
    ids=["short cut", "short pause", "a new process", "nobody hears it", "it hears the active one", "slow"],
)
def test_without_pre_vote_nothing_happens_to_one_that_asks_nobody(steps: list[str]) -> None:
    """QUO-2: only who hears nothing for controller.quorum.fetch.timeout.ms asks, and only who is heard disturbs."""
    assert handovers("3.7", *steps) == []


def test_without_pre_vote_a_controller_cut_off_from_the_active_one_alone_moves_the_leadership() -> None:
    """Its requests reach the third voter; whoever leads then must be heard by all, or is deposed again."""
    changes = handovers("3.7", "10s cut 102|100", until=120)
    assert 12 < changes[0][0] < 14.1
    assert changes[-1][1] == 101
    assert handovers("4.0", "10s cut 102|100", until=120) == []
