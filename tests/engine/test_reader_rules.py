"""The replica that a consumer reads from and for how long, and the checks of its position (FFR-1..3, CON-3..5)."""

from dataclasses import dataclass, field

import pytest

from simengine.clients.consumer.finder import PendingOffset
from simengine.clients.consumer.position import FETCHING, INITIALIZING, RESETTING, VALIDATING, Position
from simengine.clients.consumer.reader import Reader
from simengine.facts import errors
from simengine.facts.decisive import ConsumerError
from simengine.facts.kinds import REG_FENCED, REG_SHUTTING_DOWN
from simengine.kafka.broker.consumer_fetch import preferred_replica
from simengine.kafka.shared.metadata import BrokerState
from simengine.kafka.wire.api import BY_TIME, EARLIEST, LATEST, OffsetAnswer
from simengine.world.world import World
from tests.engine.cluster import SECOND, copy_on, facts, remote_of, world


@dataclass
class Case:
    """Broker 0 leads in zone a; 1 and 2 are in zone b, 1 is two records behind; somebody in b asks for offset 20."""

    name: str
    reader: str = "b"
    leader: str = "a"
    isr: list[int] = field(default_factory=lambda: [0, 1, 2])
    leo: dict[int, int] = field(default_factory=lambda: {1: 38, 2: 40})
    start: dict[int, int] = field(default_factory=dict)
    state: dict[int, int] = field(default_factory=dict)
    preferred: int = 2


CASES = [
    Case("the most caught-up of a zone"),
    Case("which may be another one", leo={1: 40, 2: 38}, preferred=1),
    Case("the leader for readers of its own zone", leader="b", preferred=-1),
    Case("the leader where the zone has no broker", reader="c", preferred=-1),
    Case("only members of the ISR", isr=[0, 1], preferred=1),
    Case("nobody who has not the offset yet", isr=[0, 1], leo={1: 19}, preferred=-1),
    Case("whoever is at the offset", isr=[0, 1], leo={1: 20}, preferred=1),
    Case("nobody whose log begins later", start={2: 21}, preferred=1),
    Case("whoever's log begins there", start={2: 20}),
    Case("nobody who is fenced", state={2: REG_FENCED}, preferred=1),
    Case("whoever is in shutdown", state={2: REG_SHUTTING_DOWN}),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_leader_sends_a_reader_to(case: Case) -> None:
    """FFR-1, FFR-2; of two as good ones see test_elections_directed.py."""
    brokers = [{"id": i, "rack": rack} for i, rack in enumerate("abb")]
    run = world(cluster={"brokers": brokers, "controllers": [100]})
    run.run(SECOND)
    leader = copy_on(run, 0)
    leader.broker.rack = case.leader
    leader.isr = case.isr
    for broker, leo in case.leo.items():
        remote_of(leader, broker).leo = leo
    for broker, start in case.start.items():
        remote_of(leader, broker).start = start
    image = leader.broker.image
    for broker, state in case.state.items():
        image.brokers[broker] = BrokerState(broker, image.broker_epoch(broker), state)
    assert preferred_replica(leader.broker, leader, 20, case.reader) == case.preferred


@pytest.mark.parametrize(("now", "source"), [(9, 2), (10, 0), (11, 0)])
def test_a_preferred_replica_is_read_from_for_a_time(now: int, source: int) -> None:
    """FFR-3: then the leader is asked again."""
    position = Position(0)
    position.leader, position.preferred, position.preferred_until = 0, 2, 10
    assert position.source(now) == source
    assert position.source(8) == source, "what has expired is not taken up again"


# -- CON-3, CON-4, CON-5


@pytest.mark.parametrize(
    ("leader", "leader_epoch", "epoch", "state", "then"),
    [
        (0, 4, 4, FETCHING, FETCHING),  # nothing new
        (1, 5, 4, FETCHING, VALIDATING),
        (0, 5, 4, FETCHING, VALIDATING),  # the same broker, elected again: it may have lost its tail
        (1, 4, 4, FETCHING, VALIDATING),
        (1, 5, -1, FETCHING, FETCHING),  # nothing to validate by
        (1, -1, 4, FETCHING, FETCHING),
        (0, 5, 4, VALIDATING, VALIDATING),
        (0, 5, 4, RESETTING, RESETTING),
        (0, 5, 4, INITIALIZING, INITIALIZING),
    ],
)
def test_a_position_is_validated_when_the_leader_or_its_epoch_changes(
    leader: int, leader_epoch: int, epoch: int, state: int, then: int
) -> None:
    """CON-3, FFR-3: and what was preferred to the old leader holds no longer; fetches under way count no more."""
    position = Position(0)
    position.leader, position.leader_epoch = 0, 4
    position.offset, position.epoch, position.state = 17, epoch, state
    position.preferred, position.asked_on, position.retry_at = 2, 2, 99
    is_new = (leader, leader_epoch) != (0, 4)
    assert position.follow_leader(leader, leader_epoch) is is_new
    assert position.state == then
    assert (position.leader, position.leader_epoch) == (leader, leader_epoch)
    assert position.preferred == (-1 if is_new else 2)
    if is_new and state in (FETCHING, VALIDATING):
        assert (position.asked_on, position.wire.offset, position.wire.epoch) == (-1, 17, leader_epoch)
        assert position.retry_at == 0


def asking(policy: str, state: int, **config: int) -> tuple[World, Reader, Position]:
    """A consumer at offset 17 of epoch 4, which has asked its leader something."""
    settings = {"auto.offset.reset": policy, **{key.replace("_", "."): value for key, value in config.items()}}
    run = world(consumers=[{"id": "C", "partitions": [["t", 0]], "config": settings}])
    run.run(2 * SECOND)
    facts(run)
    reader = run.cluster_parts.consumers[0].reader()
    position = reader.assignment.positions[0]
    position.seek(17, 4)
    position.state, position.is_asking = state, True
    return run, reader, position


RESET_TO = {"earliest": EARLIEST, "latest": LATEST}


@pytest.mark.parametrize(
    ("offset", "epoch", "policy", "state", "then", "error"),
    [
        (17, 4, "earliest", FETCHING, 17, 0),
        (30, 4, "earliest", FETCHING, 17, 0),
        (12, 3, "earliest", FETCHING, 12, 0),  # truncation detected
        (12, 3, "none", VALIDATING, 17, errors.ERR_LOG_TRUNCATION),
        (-1, -1, "earliest", RESETTING, 17, 0),  # no such epoch: by the policy
        (-1, -1, "latest", RESETTING, 17, 0),
        (-1, -1, "none", VALIDATING, 17, errors.ERR_LOG_TRUNCATION),
    ],
)
def test_what_the_leader_says_of_the_last_epoch_keeps_cuts_or_resets_a_position(
    offset: int, epoch: int, policy: str, state: int, then: int, error: int
) -> None:
    """CON-4."""
    run, reader, position = asking(policy, VALIDATING)
    answer = OffsetAnswer(0, 4, errors.ERR_NONE, epoch, offset)
    assert reader.finder.offset_answered(PendingOffset(0, position), answer)
    assert (position.state, position.offset) == (state, then)
    assert [fact.error for fact in facts(run, ConsumerError)] == ([error] if error else [])
    if state == RESETTING:
        assert position.reset == RESET_TO[policy]
    if then == 12:
        assert position.epoch == 3


@pytest.mark.parametrize(
    ("state", "what", "is_asking", "counts"),
    [
        (VALIDATING, 4, True, True),
        (VALIDATING, 3, True, False),  # of an older epoch of its own
        (VALIDATING, LATEST, True, False),
        (RESETTING, LATEST, True, True),
        (RESETTING, EARLIEST, True, True),
        (RESETTING, 4, True, False),
        (FETCHING, 4, True, False),
        (VALIDATING, 4, False, False),
    ],
)
def test_only_the_answer_to_the_question_of_the_moment_counts(
    state: int, what: int, is_asking: bool, counts: bool
) -> None:
    """CON-3, CON-5."""
    _, reader, position = asking("earliest", state)
    position.is_asking = is_asking
    request = PendingOffset(0, position)
    assert reader.finder.offset_answered(request, OffsetAnswer(0, what, errors.ERR_NONE, 4, 17)) is counts
    position.state, position.is_asking = state, is_asking
    position.offset = 18
    assert not reader.finder.offset_answered(request, OffsetAnswer(0, what, errors.ERR_NONE, 4, 17))


@pytest.mark.parametrize("state", [VALIDATING, RESETTING])
@pytest.mark.parametrize("backoff", [100, 700])
def test_a_question_that_was_refused_is_asked_again_after_the_retry_back_off(state: int, backoff: int) -> None:
    """CON-5, PC-4: retry.backoff.ms of the consumer; and the metadata are asked for."""
    _, reader, position = asking("earliest", state, retry_backoff_ms=backoff)
    what = 4 if state == VALIDATING else EARLIEST
    answer = OffsetAnswer(0, what, errors.ERR_NOT_LEADER_OR_FOLLOWER, -1, -1)
    assert reader.finder.offset_answered(PendingOffset(0, position), answer)
    assert (position.state, position.retry_at) == (state, reader.sim.now + backoff * 1000)
    assert reader.metadata._is_stale
    position.is_asking = True
    reader.on_lost(reader.connections[0], PendingOffset(0, position), False)
    assert (position.is_asking, position.retry_at) == (False, reader.sim.now + backoff * 1000)


def test_a_reset_by_duration_that_finds_nothing_leaves_the_position_as_it_is() -> None:
    """CON-5."""
    _, reader, position = asking("by_duration:PT1S", RESETTING)
    position.retry_at = 12345
    assert reader.finder.offset_answered(PendingOffset(0, position), OffsetAnswer(0, BY_TIME, errors.ERR_NONE, 0, -1))
    assert (position.state, position.offset, position.retry_at, position.is_asking) == (RESETTING, 17, 12345, False)
