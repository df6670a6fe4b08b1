"""A group at its coordinator, request by request (CON-6, classic protocol)."""

from typing import Any, cast

import pytest

from simengine.facts import errors
from simengine.facts.decisive import ConsumerReset
from simengine.kafka.group.coordinator import GroupCoordinator
from simengine.kafka.group.groups import COMPLETING, EMPTY, PREPARING, STABLE, Group, Groups
from simengine.kafka.group.member import Member
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.wire.api import ACKS_ALL, NO_GENERATION, NO_MEMBER, CommitRequest, ProduceBatch
from simengine.kafka.wire.group_api import HEARTBEAT, JOIN, LEAVE, GroupRequest
from simengine.world.world import World
from tests.engine.cluster import SECOND, facts, world
from tests.engine.group_world import running


class Channel:
    """A connection that keeps what is answered on it."""

    def __init__(self) -> None:
        self.conn = 1
        self.got: list[Any] = []

    def answer(self, answer: Any) -> None:
        self.got.append(answer)


def ask(groups: Groups, what: int, member: int = NO_MEMBER, client: int = 7, **more: int) -> Channel:
    """A client asks for something of the group h; where it is answered."""
    channel = Channel()
    request = GroupRequest(what, "h", client, member)
    request.membership = more.get("membership", 0)
    request.wanted = [0]
    request.session_us = more.get("session_us", 10 * SECOND)
    request.rebalance_us = more.get("rebalance_us", 60 * SECOND)
    groups.handle(cast("Any", channel), request)
    return channel


def formed(limits: tuple[int, ...] = (60, 60)) -> tuple[World, Groups, Group, list[Member]]:
    """The group h, stable, with a member for each rebalance timeout in seconds."""
    run, coordinator = running()
    groups = coordinator.groups
    for client, limit in enumerate(limits):
        ask(groups, JOIN, client=client, rebalance_us=limit * SECOND)
    run.run(run.now_us + 4 * SECOND)
    group = groups._of("h")
    assert (group.state, len(group.members)) == (STABLE, len(limits))
    return run, groups, group, group.members


# -- rebalances


@pytest.mark.parametrize(
    ("delay_ms", "limit_s", "waits_s"), [(0, 60, 0), (3_000, 60, 3), (8_000, 60, 8), (8_000, 5, 5)]
)
def test_an_empty_group_waits_for_further_members(delay_ms: int, limit_s: int, waits_s: int) -> None:
    """CON-13: as group.initial.rebalance.delay.ms says, and no longer than the member's max.poll.interval.ms."""
    run, coordinator = running(**{"group.initial.rebalance.delay.ms": delay_ms})
    began = run.now_us
    ask(coordinator.groups, JOIN, rebalance_us=limit_s * SECOND)
    group = coordinator.groups._of("h")
    if waits_s:
        run.run(began + waits_s * SECOND - 1_000)
        assert group.state == PREPARING
    run.run(began + waits_s * SECOND + 500_000)
    assert group.state == STABLE


# -- the coordinator


@pytest.mark.parametrize(
    ("state", "error"),
    [
        (STABLE, errors.ERR_NONE),
        (COMPLETING, errors.ERR_NONE),
        (PREPARING, errors.ERR_REBALANCE_IN_PROGRESS),
    ],
)
def test_a_heartbeat_tells_of_a_rebalance_while_members_are_to_join(state: int, error: int) -> None:
    _, groups, group, members = formed()
    group.state = state
    [answer] = ask(groups, HEARTBEAT, int(members[0].id)).got
    assert (answer.error, answer.member) == (error, members[0].id)


@pytest.mark.parametrize("what", [JOIN, HEARTBEAT, LEAVE])
def test_who_is_no_member_any_more_is_told_so_and_does_not_become_one_by_it(what: int) -> None:
    _, groups, group, _ = formed()
    assert [answer.error for answer in ask(groups, what, 4711).got] == [errors.ERR_UNKNOWN_MEMBER_ID]
    assert (group.state, len(group.members)) == (STABLE, 2)


def test_a_rebalance_waits_as_long_as_its_slowest_member_may_take() -> None:
    """max.poll.interval.ms; who has joined is not dropped meanwhile, although it sends no heartbeats."""
    run, groups, group, members = formed((20, 40, 30))
    begun = run.now_us
    joined = ask(groups, JOIN, int(members[0].id), rebalance_us=20 * SECOND)
    assert group.state == PREPARING
    for at in range(5, 40, 5):
        run.run(begun + at * SECOND)
        for other in members[1:]:
            ask(groups, HEARTBEAT, int(other.id))
    run.run(begun + 40 * SECOND - 1)
    assert (group.state, joined.got) == (PREPARING, [])
    run.run(begun + 41 * SECOND)
    told = [(answer.error, answer.member, answer.assigned) for answer in joined.got]
    assert told == [(errors.ERR_NONE, members[0].id, [0])]
    assert len(group.members) == 1


def test_a_client_that_joins_again_before_it_heard_its_id_is_the_same_member() -> None:
    """KIP-394: a client has its id before the rebalance completes. So a lost join leaves no member without a client."""
    _, groups, group, members = formed()
    again = ask(groups, JOIN, client=0)
    ask(groups, JOIN, int(members[1].id), client=1)
    assert (group.state, len(group.members)) == (COMPLETING, 2)
    record = group.snapshot()
    assert again.got == [], "its answer waits for the followers, and is lost with the coordinator"
    groups.forget()
    groups.load(record)
    loaded = groups._of("h")
    ask(groups, JOIN, client=0)
    ask(groups, JOIN, int(members[1].id), client=1)
    assert [member.id for member in loaded.members] == [member.id for member in members]
    assert loaded.state == COMPLETING, "nobody is waited for"


def test_a_client_that_lost_its_membership_becomes_another_member() -> None:
    _, groups, group, _ = formed()
    ask(groups, JOIN, client=0, membership=1)
    assert len(group.members) == 3


def test_sessions_begin_anew_when_a_rebalance_is_over() -> None:
    run, groups, group, members = formed()
    for member in members:
        member.seen_at = 0
    group.state = COMPLETING
    groups.completed(group, errors.ERR_NONE)
    assert [int(member.seen_at) for member in members] == [run.now_us] * 2


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (errors.ERR_NONE, errors.ERR_NONE),
        (errors.ERR_NOT_LEADER_OR_FOLLOWER, errors.ERR_NOT_LEADER_OR_FOLLOWER),
        (errors.ERR_NOT_ENOUGH_REPLICAS, errors.ERR_COORDINATOR_NOT_AVAILABLE),
        (errors.ERR_REQUEST_TIMED_OUT, errors.ERR_COORDINATOR_NOT_AVAILABLE),
    ],
)
def test_members_are_told_of_a_failed_write_in_the_words_of_their_protocol(error: int, told: int) -> None:
    """CON-6: the outcome of a rebalance could not be written."""
    _, groups, group, members = formed()
    channel = Channel()
    group.state = COMPLETING
    members[0].channel, members[0].conn = cast("Any", channel), 1
    groups.completed(group, error)
    assert [answer.error for answer in channel.got] == [told]


def test_a_new_coordinator_gives_the_members_it_reads_of_a_whole_session() -> None:
    run, groups, group, members = formed()
    record = group.snapshot()
    groups.forget()
    assert groups._of("h").state == EMPTY
    groups.load(record)
    known = groups._of("h")
    assert (known.state, [member.id for member in known.members]) == (STABLE, [member.id for member in members])
    assert [int(member.seen_at) for member in known.members] == [run.now_us] * 2


def test_members_hear_of_their_partitions_when_the_followers_have_the_outcome() -> None:
    """CON-6: so that the next coordinator knows it."""
    run, coordinator = running()
    replica = coordinator.lead()
    assert replica is not None
    first = ask(coordinator.groups, JOIN)
    group = coordinator.groups._of("h")
    group.waits_for_more = False
    coordinator.groups.look_at(group)
    assert (group.state, first.got) == (COMPLETING, [])
    run.run(run.now_us + SECOND)
    assert (group.state, first.got[0].assigned) == (STABLE, [0])


def test_a_commit_below_the_minimum_of_replicas_is_refused_and_not_written() -> None:
    """CON-6, PROD-2: commits are written with acks=all."""
    _, coordinator = running()
    replica = coordinator.lead()
    assert replica is not None
    replica.min_isr = len(replica.isr) + 1
    end, channel = int(replica.log.leo), Channel()
    coordinator.handle_commit(cast("Any", channel), CommitRequest("h", [0], [7], [4]))
    assert [answer.error for answer in channel.got] == [errors.ERR_COORDINATOR_NOT_AVAILABLE]
    assert replica.log.leo == end
    assert replica.append(ProduceBatch(0, 0, 0, 1, -1, -1, -1), 1).error == errors.ERR_NONE, "acks=1 would be"
    assert replica.append(ProduceBatch(0, 0, 0, 1, -1, -1, -1), ACKS_ALL).error == errors.ERR_NOT_ENOUGH_REPLICAS


def resigned(coordinator: GroupCoordinator) -> Partition:
    """The coordinator's broker hears that another one leads the group's partition."""
    replica = coordinator.lead()
    assert replica is not None
    assert replica.registration is not None
    other = replica.registration.copy()
    other.leader, other.epoch, other.pe = 1 if replica.broker.id != 1 else 2, replica.epoch + 1, replica.pe + 1
    take_registration(replica, other, 0)
    return replica


def elected(replica: Partition) -> None:
    """The broker hears that it leads, in the next epoch."""
    assert replica.registration is not None
    own = replica.registration.copy()
    own.leader, own.epoch, own.pe = replica.broker.id, replica.epoch + 1, replica.pe + 1
    take_registration(replica, own, 0)


def test_a_coordinator_that_is_elected_again_reads_its_log_again() -> None:
    """CON-6: what it has by heart may have been lost between two of its leaderships."""
    run, coordinator = running()
    coordinator.handle_commit(cast("Any", Channel()), CommitRequest("h", [0], [7], [4]))
    run.run(run.now_us + SECOND)
    ask(coordinator.groups, JOIN)
    coordinator._of("h", 0).offset = 99
    elected(resigned(coordinator))
    replica = coordinator.lead()
    assert replica is not None
    assert replica.role == LEADER
    assert coordinator._of("h", 0).offset == 7
    assert not coordinator.groups._of("h").members, "whose outcome was never written"


def test_a_coordinator_that_leads_on_in_another_epoch_goes_on_with_its_groups() -> None:
    """CON-6: nobody else led in between, and its log has lost nothing."""
    _, groups, _, members = formed()
    joined = ask(groups, JOIN, int(members[0].id))
    replica = groups.coordinator.lead()
    assert replica is not None
    elected(replica)
    assert groups._of("h").state == PREPARING
    assert joined.got == []


def test_who_waits_to_join_hears_at_once_that_the_coordinator_leads_no_more() -> None:
    """CON-6: a join would else hang there until somebody's session is over (seed 5000429)."""
    _, groups, _, members = formed()
    joined = ask(groups, JOIN, int(members[0].id))
    resigned(groups.coordinator)
    assert [answer.error for answer in joined.got] == [errors.ERR_NOT_LEADER_OR_FOLLOWER]
    assert groups._groups == []


def test_a_coordinator_whose_copy_is_deleted_gives_its_groups_up() -> None:
    """CON-6, REA-4."""
    _, groups, _, members = formed()
    joined = ask(groups, JOIN, int(members[0].id))
    replica = groups.coordinator.lead()
    assert replica is not None
    replica.broker.drop(replica, 0)
    assert [answer.error for answer in joined.got] == [errors.ERR_NOT_LEADER_OR_FOLLOWER]


def test_sessions_begin_with_the_leadership_of_a_new_coordinator() -> None:
    """CON-6: not when somebody first asks it for something; and it knows what no follower has yet."""
    run, groups, _, members = formed()
    replica = groups.coordinator.lead()
    assert replica is not None
    replica.hw = 0
    resigned(groups.coordinator)
    run.run(run.now_us + SECOND)
    elected(replica)
    begun = run.now_us
    assert "h" in [group.name for group in groups._groups]
    group = groups._of("h")
    assert [member.id for member in group.members] == [member.id for member in members]
    assert [int(member.seen_at) for member in group.members] == [begun] * 2


def test_a_rebalance_that_nobody_joins_leaves_the_group_empty() -> None:
    """The next member waits for further ones again."""
    _, groups, group, _ = formed()
    group.state = PREPARING
    groups._complete(group)
    assert (group.state, group.members) == (EMPTY, [])


# -- a member


@pytest.mark.parametrize(
    ("group", "member", "generation", "state", "error"),
    [
        ("nobody", NO_MEMBER, NO_GENERATION, STABLE, errors.ERR_NONE),
        ("nobody", 1, 3, STABLE, errors.ERR_GROUP_ID_NOT_FOUND),
        ("h", NO_MEMBER, NO_GENERATION, STABLE, errors.ERR_UNKNOWN_MEMBER_ID),
        ("h", 999, 0, STABLE, errors.ERR_UNKNOWN_MEMBER_ID),
        ("h", 0, 7, STABLE, errors.ERR_ILLEGAL_GENERATION),
        ("h", 0, 0, STABLE, errors.ERR_NONE),
        ("h", 0, 0, PREPARING, errors.ERR_NONE),
        ("h", 0, 0, COMPLETING, errors.ERR_REBALANCE_IN_PROGRESS),
    ],
)
def test_a_commit_of_another_generation_or_of_an_unknown_member_is_refused(
    group: str, member: int, generation: int, state: int, error: int
) -> None:
    """CON-9: ``OffsetMetadataManager.validateOffsetCommit``, ``ClassicGroup.validateOffsetCommit``.

    ``member`` is the place of a member in the group, ``generation`` counts from the group's own.
    """
    _, groups, known, members = formed()
    known.state = state
    request = CommitRequest(group, [0], [7], [4])
    request.member = members[member].id if 0 <= member < len(members) else member
    request.generation = known.generation + generation if generation != NO_GENERATION else NO_GENERATION
    assert groups.check_commit(request) == error


def test_a_heartbeat_makes_no_group() -> None:
    """CON-9: a group is known when somebody has joined it or has committed offsets without a group."""
    _, coordinator = running()
    groups = coordinator.groups
    assert ask(groups, HEARTBEAT, 4).got[0].error == errors.ERR_UNKNOWN_MEMBER_ID
    assert groups._find("h") is None


def test_a_commit_keeps_the_session_of_its_member() -> None:
    run, groups, known, members = formed()
    run.run(run.now_us + 2 * SECOND)
    request = CommitRequest("h", [0], [7], [4])
    request.member, request.generation = members[0].id, known.generation
    groups.check_commit(request)
    assert members[0].seen_at == run.now_us


def test_a_new_coordinator_goes_on_with_the_generation_that_the_log_has() -> None:
    _, groups, known, _ = formed()
    record = known.snapshot()
    groups.forget()
    groups.load(record)
    found = groups._find("h")
    assert found is not None
    assert found.generation == known.generation > 0


def test_the_members_of_a_group_whose_log_is_gone_join_again_and_are_reset() -> None:
    """CON-9, CON-5: recorded on 4.2.1 (recording s46). A commit meanwhile throws; it is not stored."""
    consumer = {"id": "C", "group": "g", "topics": ["t"], "config": {"auto.offset.reset": "earliest"}}
    slow = {"enable.auto.commit": False, "heartbeat.interval.ms": 12000, "auto.offset.reset": "earliest"}
    run = world(
        cluster={
            "brokers": [0, 1, 2],
            "controllers": [100, 101, 102],
            "config": {"offsets.topic.replication.factor": 1},
        },
        topics=[{"name": "t", "assignment": [[0, 1]], "config": {"min.insync.replicas": 1}}],
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        consumers=[consumer, {**consumer, "id": "D", "group": "h", "config": slow}],
        timeline=[
            {"at": "10s", "do": "commit D t-0 20"},
            {"at": "15s", "do": "kill 2"},
            {"at": "27s", "do": "start 2 wiped"},
        ],
    )
    run.run(27 * SECOND)
    run.run(60 * SECOND)
    resets = [(fact.client, fact.new) for fact in facts(run, ConsumerReset) if fact.t / SECOND > 27]
    assert sorted(resets) == [(1, 0), (2, 0)]
