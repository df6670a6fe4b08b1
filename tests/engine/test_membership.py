"""The member's side of a group: when it commits, how long a join may take, and how it leaves."""

import pytest

from simengine.clients.consumer.membership import JOIN_MARGIN_US, ConsumerCoordinator
from simengine.clients.consumer.position import FETCHING, REVOKED
from simengine.facts import errors
from simengine.facts.decisive import ConsumerReset
from simengine.kafka.wire.api import NO_MEMBER
from simengine.kafka.wire.group_api import HEARTBEAT, JOIN, LEAVE, GroupAnswer
from simengine.kernel.connecting import DOWN
from simengine.world.world import World
from tests.engine.cluster import SECOND, channels_of, facts, world
from tests.engine.group_world import running


def member_of() -> tuple[World, ConsumerCoordinator]:
    """A consumer that is in its group and reads, and what it thinks of that."""
    run, _ = running()
    run.run(6 * SECOND)
    membership = run.cluster_parts.consumers[0].reader().membership
    assert membership._is_in
    return run, membership


@pytest.mark.parametrize(
    ("error", "commits", "is_known"),
    [(errors.ERR_REBALANCE_IN_PROGRESS, True, True), (errors.ERR_UNKNOWN_MEMBER_ID, False, False)],
)
def test_a_member_commits_before_a_rebalance_and_not_when_its_session_ran_out(
    error: int, commits: bool, is_known: bool
) -> None:
    """CON-6: others may have its partitions by then; either way it gives all up and joins again."""
    _, membership = member_of()
    reader = membership.reader
    position = reader.assignment.positions[0]
    assert position.state == FETCHING
    mine, jobs = int(membership._member), len(reader.commits._jobs)
    membership._timer = None  # a heartbeat has just been sent
    membership.answered(GroupAnswer(HEARTBEAT, error, mine, []))
    assert position.state == REVOKED
    assert len(reader.commits._jobs) - jobs == int(commits)
    assert membership._member == (mine if is_known else NO_MEMBER)
    assert membership._is_asking, "a join is under way"


def test_a_join_may_take_longer_than_any_other_request() -> None:
    """It is answered when the slowest member has joined: max.poll.interval.ms and 5 s."""
    _, membership = member_of()
    connection = membership.reader.commits.coordinator()
    assert connection is not None
    membership._ask(JOIN)
    assert connection.pending[len(connection.pending) - 1].limit_us == 300 * SECOND + JOIN_MARGIN_US


def test_an_answer_ends_a_members_growing_pauses() -> None:
    _, membership = member_of()
    membership._attempts = 5
    membership.answered(GroupAnswer(HEARTBEAT, errors.ERR_NONE, int(membership._member), []))
    assert membership._backoff() == SECOND // 10


@pytest.mark.parametrize(("error", "asked"), [(errors.ERR_UNKNOWN_MEMBER_ID, 1), (errors.ERR_REBALANCE_IN_PROGRESS, 0)])
def test_a_member_asks_for_a_new_id_when_the_coordinator_does_not_know_it(error: int, asked: int) -> None:
    """KIP-394: by this count the coordinator tells a request that was sent again from a new member."""
    _, membership = member_of()
    before = membership._memberships
    membership.answered(GroupAnswer(HEARTBEAT, error, int(membership._member), []))
    assert membership._memberships - before == asked


@pytest.mark.parametrize("is_in", [True, False])
def test_who_closes_says_farewell_to_a_group_it_is_in(is_in: bool) -> None:
    """The others need not wait for its session to run out; the process ends when that is answered."""
    _, membership = member_of()
    membership._is_in = is_in
    membership.leave()
    assert membership.is_idle() is not is_in
    membership.answered(GroupAnswer(LEAVE, errors.ERR_NONE, int(membership._member), []))
    assert membership.is_idle()


@pytest.mark.parametrize("is_in", [True, False])
def test_who_has_closed_joins_no_more_whatever_comes(is_in: bool) -> None:
    """Its last commit may keep it for 30 s; it joined again meanwhile, and kept its partitions for ever (10007935)."""
    _, membership = member_of()
    membership._is_in = is_in
    membership.leave()
    membership.answered(GroupAnswer(LEAVE, errors.ERR_NONE, int(membership._member), []))
    membership.answered(GroupAnswer(HEARTBEAT, errors.ERR_REBALANCE_IN_PROGRESS, int(membership._member), []))
    membership.lost(HEARTBEAT)
    membership.push()
    assert not membership._is_asking and membership._timer is None


def test_who_hangs_up_as_its_last_commit_is_lost_connects_to_nobody_again() -> None:
    """The process ends, and with it all work after the broken connection, above all a search for the coordinator."""
    run, membership = member_of()
    consumer, connection = run.cluster_parts.consumers[0], membership.reader.commits.coordinator()
    assert connection is not None
    run.run(run.now_us + SECOND)  # something to commit
    connection.broker.pause()
    consumer.close(0)
    assert not membership.reader.commits.is_idle()
    connection.close()
    connection.broke(True)
    run.run(run.now_us + 1)
    assert {channel.state for channel in channels_of(consumer)} == {DOWN}
    run.run(run.now_us + 400 * SECOND)
    assert {channel.state for channel in channels_of(consumer)} == {DOWN}


# -- the coordinator cannot be reached: measured in five runs of 4.2.1


def cut_off(session_ms: int, cut: str, seconds: int) -> World:
    """A member without commits that is cut from these brokers from 10 s on, and goes on 20 s after the heal."""
    config = {"auto.offset.reset": "latest", "enable.auto.commit": False, "session.timeout.ms": session_ms}
    run = world(
        topics=[{"name": "t", "assignment": [[0, 1, 2]]}],
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        consumers=[{"id": "C", "group": "g", "topics": ["t"], "config": config}],
        timeline=[{"at": "10s", "do": f"cut C|{cut}"}, {"at": f"{10 + seconds}s", "do": "heal"}],
    )
    run.run((30 + seconds) * SECOND)
    return run


@pytest.mark.parametrize(("session_ms", "seconds"), [(10_000, 30), (10_000, 45), (45_000, 60)])
def test_a_member_that_was_cut_off_joins_again_soon_after_the_heal(session_ms: int, seconds: int) -> None:
    """CON-11: it does not wait for TCP to repeat the heartbeat that it sent into the cut.

    An empty group waits 3 s for more members (CON-13); a connection attempt is repeated within 4 s.
    """
    run = cut_off(session_ms, "0,1,2", seconds)
    heal = (10 + seconds) * SECOND
    again = [fact.t for fact in facts(run, ConsumerReset) if fact.t > 10 * SECOND]
    assert again and max(again) < heal + 8 * SECOND


def test_a_member_gives_its_coordinator_up_when_the_session_has_run_out() -> None:
    """CON-11: counted from the last response, and again from the moment at which it finds the coordinator."""
    run, _ = running()
    run.run(10 * SECOND)
    membership = run.cluster_parts.consumers[0].reader().membership
    connection = membership.reader.commits.coordinator()
    assert connection is not None
    membership._heard_at = run.sim.now
    membership._ask(HEARTBEAT)
    assert connection.pending[len(connection.pending) - 1].limit_us == 30 * SECOND
    membership.settings.session_timeout_us = 6 * SECOND
    membership._heard_at = run.sim.now - 4 * SECOND
    membership._ask(HEARTBEAT)
    assert connection.pending[len(connection.pending) - 1].limit_us == 2 * SECOND
    run.run(10 * SECOND + 2 * SECOND)
    membership.coordinator_found()
    assert membership._heard_at == run.sim.now


def test_a_leader_that_has_forgotten_all_topics_joins_again() -> None:
    """CON-11: with no broker left to ask, the client begins anew; its coordinator's connection still stands."""
    _, membership = member_of()
    reader = membership.reader
    membership._timer = None
    assert membership._is_leader
    reader.look_at_topics()
    assert membership._is_in, "it knows them"
    reader.metadata.nodes = []
    reader.look_at_topics()
    assert not reader.membership._is_in
    assert reader.assignment.positions[0].state == REVOKED


def test_a_leader_that_has_lost_its_coordinator_too_finds_its_topics_unchanged() -> None:
    """By the time it has a coordinator again it knows its topics again, too (S04c)."""
    _, membership = member_of()
    reader = membership.reader
    reader.metadata.nodes = []
    reader.commits.lose_coordinator()
    reader.look_at_topics()
    assert membership._is_in


@pytest.mark.parametrize(
    ("rack", "profile", "generations"), [("a", "4.2", 1), ("a", "4.3", 1), ("a", "4.4", 0), (None, "4.2", 0)]
)
def test_up_to_4_3_a_leader_with_a_rack_has_it_shared_out_anew_when_a_broker_goes(
    rack: str | None, profile: str, generations: int
) -> None:
    """CON-12: the racks of a partition's replicas change with a broker that is down."""
    brokers = [{"id": broker, "rack": name} for broker, name in enumerate("abc")]
    client = {"id": "C", "group": "g", "topics": ["t"], **({"rack": rack} if rack else {})}
    run = world(
        profile=profile,
        cluster={"brokers": brokers, "controllers": [100]},
        topics=[{"name": "t", "assignment": [[0, 1, 2]]}],
        consumers=[client],
    )
    run.run(8 * SECOND)
    membership = run.cluster_parts.consumers[0].reader().membership
    coordinator = membership.reader.commits.coordinator()
    assert coordinator is not None
    before = int(membership._generation)
    victim = next(broker for broker in (2, 1) if broker != coordinator.broker.id)
    run.act(8 * SECOND + 1, f"kill {victim}")
    run.run(30 * SECOND)
    membership.reader.metadata.request_update()
    run.run(45 * SECOND)
    assert membership._generation - before == generations
