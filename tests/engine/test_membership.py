"""The member's side of a group: when it commits, how long a join may take, and how it leaves."""

import pytest

from simengine.clients.consumer.membership import JOIN_MARGIN_US, ConsumerCoordinator
from simengine.clients.consumer.position import FETCHING, REVOKED
from simengine.facts import errors
from simengine.kafka.wire.api import NO_MEMBER
from simengine.kafka.wire.group_api import HEARTBEAT, JOIN, LEAVE, GroupAnswer
from simengine.kernel.connecting import DOWN
from simengine.world.world import World
from tests.engine.cluster import SECOND, channels_of
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
