"""The committed offsets of a group: who may be told of them, and the leader epoch that they carry (CON-6, CON-7)."""

from typing import Any

import pytest

from simengine.clients.consumer.position import FETCHING, INITIALIZING, VALIDATING
from simengine.facts import errors
from simengine.facts.decisive import ConsumerReset
from simengine.facts.kinds import REG_ACTIVE, REG_FENCED, REG_SHUTTING_DOWN
from simengine.kafka.group.coordinator import GroupCoordinator
from simengine.kafka.shared.metadata import BrokerState
from simengine.kafka.wire.api import CommitAnswer, CommitRequest, CommittedRequest, ConsumerPart, MetadataRequest
from simengine.world.world import World
from tests.engine.cluster import SECOND, facts, world


class Channel:
    """A connection that keeps what is answered on it."""

    def __init__(self) -> None:
        self.conn = 1
        self.got: list[Any] = []

    def answer(self, answer: Any) -> None:
        self.got.append(answer)

    def next_request(self) -> None:
        """Nothing else waits."""


def reading(**settings: Any) -> World:
    """A consumer of a group, five seconds on, in an epoch above 0."""
    config = {"auto.offset.reset": "earliest", **settings}
    state = {"leader": 0, "epoch": 4, "isr": [0, 1, 2]}
    run = world(
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "initial": {0: state}}],
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        consumers=[{"id": "C", "group": "g", "partitions": [["t", 0]], "config": config}],
    )
    run.run(5 * SECOND)
    return run


def coordinator_of(run: World) -> GroupCoordinator:
    """The broker that leads the group's partition."""
    found = [broker.coordinator for broker in run.cluster.brokers if broker.coordinator is not None]
    return next(coordinator for coordinator in found if coordinator.lead() is not None)


def told(coordinator: GroupCoordinator) -> tuple[int, int]:
    """(offset, epoch) that the coordinator names for the group and t-0."""
    channel = Channel()
    coordinator.handle_committed(channel, CommittedRequest("g", [0]))  # type: ignore[arg-type]
    return channel.got[0].offsets[0], channel.got[0].epochs[0]


def test_a_commit_is_told_only_once_it_is_committed_itself() -> None:
    """CON-6: above the high watermark it may still be lost."""
    run = reading(**{"enable.auto.commit": False})
    coordinator = coordinator_of(run)
    channel = Channel()
    coordinator.handle_commit(channel, CommitRequest("g", [0], [7], [4]))  # type: ignore[arg-type]
    assert channel.got == [], "its own answer waits for the followers as well"
    assert told(coordinator) == (-1, -1)
    run.run(run.now_us + SECOND)
    assert channel.got[0].error == errors.ERR_NONE
    assert told(coordinator) == (7, 4)
    coordinator.handle_commit(Channel(), CommitRequest("g", [0], [9], [5]))  # type: ignore[arg-type]
    assert told(coordinator) == (7, 4), "the older one stands"


def test_a_commit_that_is_not_replicated_within_5_s_fails_and_may_be_tried_again() -> None:
    """CON-6: offsets.commit.timeout.ms; the client is told COORDINATOR_NOT_AVAILABLE, not that time is up."""
    run = reading(**{"enable.auto.commit": False})
    coordinator = coordinator_of(run)
    for broker in run.cluster.brokers:
        if broker is not coordinator.broker:
            run.act(run.now_us + 1, f"pause {int(broker.id)}")
    run.run(run.now_us + 100_000)
    channel, begun = Channel(), run.now_us
    coordinator.handle_commit(channel, CommitRequest("g", [0], [7], [4]))  # type: ignore[arg-type]
    run.run(begun + 5 * SECOND - 10_000)
    assert channel.got == []
    run.run(begun + 5 * SECOND + 10_000)
    assert [answer.error for answer in channel.got] == [errors.ERR_COORDINATOR_NOT_AVAILABLE]
    assert told(coordinator) == (-1, -1)


def test_a_new_coordinator_reads_the_log_up_to_the_high_watermark_and_no_further() -> None:
    """CON-6: what it knew by heart before counts no longer."""
    run = reading(**{"enable.auto.commit": False})
    coordinator = coordinator_of(run)
    coordinator.handle_commit(Channel(), CommitRequest("g", [0], [7], [4]))  # type: ignore[arg-type]
    run.run(run.now_us + SECOND)
    coordinator.handle_commit(Channel(), CommitRequest("g", [0], [9], [5]))  # type: ignore[arg-type]
    coordinator.process_ended()
    assert told(coordinator) == (7, 4)


def test_a_commit_carries_the_epoch_of_the_last_record_read() -> None:
    """CON-7: and the one who goes on from it knows which branch it was."""
    run = reading(**{"auto.commit.interval.ms": 1_000})
    offset, epoch = told(coordinator_of(run))
    assert offset > 20
    assert epoch == 4


@pytest.mark.parametrize(("epoch", "state"), [(3, VALIDATING), (-1, FETCHING)])
def test_a_committed_position_is_validated_if_its_epoch_is_known(epoch: int, state: int) -> None:
    """CON-3, CON-7."""
    run = reading()
    reader = run.cluster_parts.consumers[0].reader()
    position = reader.assignment.positions[0]
    position.state = INITIALIZING
    reader.finder.found_committed(CommitAnswer(True, errors.ERR_NONE, [0], [12], [epoch]))
    assert (position.offset, position.epoch, position.committed, position.state) == (12, epoch, 12, state)


@pytest.mark.parametrize("branch", ["lost", "kept"])
def test_a_group_that_starts_again_notices_that_its_branch_is_gone(branch: str) -> None:
    """CON-3, CON-7: the commit says epoch 0; its records were lost with broker 0, or are still there."""
    topic = {"name": "t", "assignment": [[0, 1]], "config": {"unclean.leader.election.enable": True}}
    steps: list[tuple[str, str]] = [("4s", "rate P 0"), ("5s", "cut 0|1")]
    if branch == "lost":
        steps += [
            ("6s", "send Q t-0 30"),
            ("70s", "crash C"),
            ("71s", "kill 0"),
            ("90s", "heal"),
            ("91s", "send Q t-0 90"),
        ]
    else:
        steps += [("70s", "crash C"), ("71s", "kill 0"), ("90s", "heal"), ("91s", "send Q t-0 90")]
    run = world(
        topics=[topic, {"name": "u", "assignment": [[2]]}],
        cluster={"brokers": [0, 1, 2, 3, 4], "controllers": [100]},
        producers=[
            {"id": "P", "topic": "t", "rate": 10, "acks": "1"},
            {"id": "Q", "topic": "t", "acks": "1", "config": {"batch.size": 200}},
        ],
        consumers=[
            {
                "id": "C",
                "group": "g",
                "partitions": [["t", 0]],
                "config": {"auto.offset.reset": "earliest", "auto.commit.interval.ms": 1_000},
            }
        ],
        timeline=[{"at": at, "do": do} for at, do in (*steps, ("100s", "open C"))],
    )
    run.run(120 * SECOND)
    resets = [(fact.new, fact.why) for fact in facts(run, ConsumerReset) if fact.t / SECOND > 99]
    if branch == "lost":
        assert [why for _, why in resets] == [4, 3], "committed offset, then truncation detected"
        assert resets[1][0] < resets[0][0]
    else:
        assert [why for _, why in resets] == [4]


def test_a_reader_takes_the_leader_that_an_error_names() -> None:
    """CON-2, KIP-951: it need not wait for metadata; an older one it does not take."""
    run = reading()
    reader = run.cluster_parts.consumers[0].reader()
    position = reader.assignment.positions[0]
    connection: Any = reader.connections[0]
    for epoch, leader in ((9, 1), (8, 2)):
        position.preferred = 2
        part = ConsumerPart(0, errors.ERR_NOT_LEADER_OR_FOLLOWER, [], -1)
        part.leader, part.leader_epoch = leader, epoch
        reader._fetch_failed(connection, position, part)
        assert (reader.metadata.leaders[0], reader.metadata.epochs[0]) == (1, 9)
        assert position.preferred == -1
        assert reader.metadata._is_stale, "and asks all the same"


@pytest.mark.parametrize(
    ("state", "alive"), [(REG_ACTIVE, [0, 1, 2]), (REG_SHUTTING_DOWN, [0, 1, 2]), (REG_FENCED, [0, 1])]
)
def test_metadata_name_all_brokers_that_are_not_fenced(state: int, alive: list[int]) -> None:
    """LIVE-7: one that is leaving still serves; leaders and epochs are as this broker knows them."""
    run = reading()
    broker = run.cluster.by_id[0]
    broker.image.brokers[2] = BrokerState(2, broker.image.broker_epoch(2), state)
    channel = Channel()
    broker.handle_metadata(channel, MetadataRequest([0, 77], False))  # type: ignore[arg-type]
    [answer] = channel.got
    assert (answer.alive, answer.leaders, answer.epochs) == (alive, [0, -1], [4, -1])
