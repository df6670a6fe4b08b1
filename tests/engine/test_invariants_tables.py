"""Rules held directly against tables: the code that a cluster runs, on states made by hand."""

from dataclasses import dataclass

import pytest

from simengine.clients.network.ledger import ClientListener
from simengine.facts import errors
from simengine.facts.kinds import REG_FENCED, REG_SHUTTING_DOWN
from simengine.kafka.controller.alter_partition import check_proposal
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.log.producer_state import ProducerStates
from simengine.kafka.replica.follower_session import FetchSession
from simengine.kafka.replica.isr_changes import maybe_expand
from simengine.kafka.replica.observer import Observer
from simengine.kafka.replica.replica import Partition
from simengine.kafka.shared.metadata import BrokerState
from simengine.kafka.wire.controller_api import IsrProposal
from simengine.kafka.wire.fetch_api import FetchPart, FetchPosition
from tests.engine.cluster import SECOND, copy_on, fetcher_of, remote_of, started, world
from tests.invariants.checks import CheckedLedger, Checks

# -- AP-2: name, sender, E and PE relative to the controller's, ISR, BE of broker 2 relative to its registration, error
AP_2 = [
    ("all as it should be", 0, 0, 0, [0, 1, 2], 0, errors.ERR_NONE),
    ("BE -1 is exempt (REG-5)", 0, 0, 0, [0, 1, 2], None, errors.ERR_NONE),
    ("E of the future", 0, 1, 0, [0, 1, 2], 0, errors.ERR_NOT_CONTROLLER),
    ("PE of the future", 0, 0, 1, [0, 1, 2], 0, errors.ERR_NOT_CONTROLLER),
    ("E of the past", 0, -1, 0, [0, 1, 2], 0, errors.ERR_FENCED_LEADER_EPOCH),
    ("E and PE of the past", 0, -1, -1, [0, 1, 2], 0, errors.ERR_FENCED_LEADER_EPOCH),
    ("not the leader", 1, 0, 0, [0, 1, 2], 0, errors.ERR_INVALID_REQUEST),
    ("PE of the past", 0, 0, -1, [0, 1, 2], 0, errors.ERR_INVALID_UPDATE_VERSION),
    ("the leader leaves itself out", 0, 0, 0, [1, 2], 0, errors.ERR_INVALID_REQUEST),
    ("a member that is no replica", 0, 0, 0, [0, 7], 0, errors.ERR_INVALID_REQUEST),
    ("fetched in an older incarnation", 0, 0, 0, [0, 1, 2], -1, errors.ERR_INELIGIBLE_REPLICA),
    ("fetched in a newer incarnation", 0, 0, 0, [0, 1, 2], 1, errors.ERR_INELIGIBLE_REPLICA),
]


@pytest.mark.parametrize(("name", "sender", "epoch", "pe", "isr", "be", "error"), AP_2, ids=[row[0] for row in AP_2])
def test_the_controller_answers_a_proposal_as_ap_2_says(
    name: str, sender: int, epoch: int, pe: int, isr: list[int], be: int | None, error: int
) -> None:
    run = started()
    control = run.cluster.control()
    assert control is not None
    base = control.image.partition(0)
    assert base is not None
    base = base.copy()
    base.epoch, base.pe = 5, 9
    bes = [int(control.image.broker_epoch(member)) if member < 3 else -1 for member in isr]
    bes[-1] = -1 if be is None else bes[-1] + be
    proposal = IsrProposal(0, base.epoch + epoch, base.pe + pe, isr, bes, True)
    assert check_proposal(control.image, sender, proposal, base) == error


def test_the_controller_knows_no_proposal_for_an_unknown_partition() -> None:
    control = started().cluster.control()
    assert control is not None
    wrong = errors.ERR_UNKNOWN_TOPIC_OR_PARTITION
    assert check_proposal(control.image, 0, IsrProposal(9, 0, 0, [0], [0], True), None) == wrong


@pytest.mark.parametrize("state", [REG_FENCED, REG_SHUTTING_DOWN])
def test_the_controller_refuses_a_member_that_is_not_active(state: int) -> None:
    control = started().cluster.control()
    assert control is not None
    base = control.image.partition(0)
    assert base is not None
    be = control.image.broker_epoch(2)
    control.image.brokers[2] = BrokerState(2, be, state)
    bes = [int(control.image.broker_epoch(member)) for member in (0, 1, 2)]
    proposal = IsrProposal(0, base.epoch, base.pe, [0, 1, 2], bes, True)
    assert check_proposal(control.image, 0, proposal, base) == errors.ERR_INELIGIBLE_REPLICA


@pytest.mark.parametrize(
    ("be", "is_fenced", "eligible"),
    [(0, False, True), (None, False, True), (-1, False, False), (1, False, False), (0, True, False)],
)
def test_a_leader_takes_a_replica_for_eligible_as_isr_6_says(be: int | None, is_fenced: bool, eligible: bool) -> None:
    run = started()
    leader = copy_on(run, 0)
    remote = remote_of(leader, 2)
    image = leader.broker.image
    known = image.broker_epoch(2)
    remote.be = -1 if be is None else known + be
    if is_fenced:
        image.brokers[2] = BrokerState(2, known, REG_FENCED)
    assert leader.broker.is_eligible(remote) is eligible


# -- ISR-5: offset of the joiner relative to HW, start of the epoch relative to HW, whether it is proposed
@pytest.mark.parametrize(
    ("offset", "epoch_start", "proposed"), [(0, 0, True), (3, 0, True), (-1, -5, False), (2, 3, False), (3, 3, True)]
)
def test_a_leader_proposes_a_joiner_at_hw_and_at_the_start_of_its_epoch(
    offset: int, epoch_start: int, proposed: bool
) -> None:
    run = started()
    leader = copy_on(run, 0)
    leader.isr = [0, 1]
    remote = remote_of(leader, 2)
    leader.epoch_start = leader.hw + epoch_start
    remote.leo = leader.hw + offset
    maybe_expand(leader, remote)
    assert leader.pending == (1 if proposed else 0)


# -- FET-4, FET-6: name, E relative to the leader's, BE relative to the registration's, error
FET_4 = [
    ("the leader's epoch", 0, 0, errors.ERR_NONE),
    ("an older epoch", -1, 0, errors.ERR_FENCED_LEADER_EPOCH),
    ("a newer epoch", 1, 0, errors.ERR_UNKNOWN_LEADER_EPOCH),
    ("an older incarnation (FET-6)", 0, -1, errors.ERR_NOT_LEADER_OR_FOLLOWER),
    ("a newer incarnation", 0, 1, errors.ERR_NONE),
    ("not registered yet (REG-5)", 0, None, errors.ERR_NONE),
]


def asked(leader: Partition, follower: int, position: FetchPosition, be: int) -> FetchPart | None:
    session = FetchSession(leader.broker, follower)
    return session._take_position(position, be, 0)


@pytest.mark.parametrize(("name", "epoch", "be", "error"), FET_4, ids=[row[0] for row in FET_4])
def test_a_leader_admits_a_fetch_as_fet_4_and_fet_6_say(name: str, epoch: int, be: int | None, error: int) -> None:
    leader = copy_on(started(), 0)
    known = int(leader.broker.image.broker_epoch(1))
    position = FetchPosition(0, leader.log.leo, leader.log.cache.last(), leader.epoch + epoch, 0)
    part = asked(leader, 1, position, -1 if be is None else known + be)
    assert (part.error if part is not None else errors.ERR_NONE) == error


def test_a_follower_is_asked_in_vain() -> None:
    follower = copy_on(started(), 1)
    part = asked(follower, 2, FetchPosition(0, 0, -1, follower.epoch, 0), -1)
    assert part is not None
    assert part.error == errors.ERR_NOT_LEADER_OR_FOLLOWER


def test_a_diverging_fetch_records_no_progress() -> None:
    leader = copy_on(started(), 0)
    remote = remote_of(leader, 1)
    remote.leo = 1
    leader.log = log_of([(0, 0), (2, 4)], 6)
    part = asked(leader, 1, FetchPosition(0, 5, 1, leader.epoch, 0), -1)
    assert part is not None
    assert (part.diverging_epoch, part.diverging_end) == (0, 4)
    assert remote.leo == 1


# -- TRUNC-2, TRUNC-3, LOG-4, LOG-5


def log_of(cache: list[tuple[int, int]], leo: int, start: int = 0) -> Log:
    """A log of one-record batches with this epoch cache."""
    log = Log()
    log.start = log.leo = start
    for offset in range(start, leo):
        epoch = next(e for e, s in reversed(cache) if s <= offset)
        log.append(Batch(offset, 1, epoch, 0, offset, -1, -1, -1, 0))
    for epoch, begin in cache:
        if begin == leo:
            log.cache.assign(epoch, begin)
    return log


@dataclass
class Vector:
    name: str
    follower: tuple[list[tuple[int, int]], int]
    leader: tuple[list[tuple[int, int]], int]
    rounds: list[tuple[int, int]]  # the fetches: offset and last epoch (-1: none)
    result: tuple[list[tuple[int, int]], int]


VECTORS = [
    Vector("V1", ([(0, 0)], 8), ([(0, 0), (1, 6)], 6), [(8, 0), (6, 0)], ([(0, 0)], 6)),
    Vector("V2", ([(0, 0)], 6), ([(0, 0), (1, 5)], 9), [(6, 0), (5, 0)], ([(0, 0), (1, 5)], 9)),
    Vector(
        "V3",
        ([(0, 0), (2, 10)], 15),
        ([(0, 0), (1, 10), (3, 12)], 14),
        [(15, 2), (10, 0)],
        ([(0, 0), (1, 10), (3, 12)], 14),
    ),
    Vector("V4", ([(0, 0), (5, 8)], 8), ([(0, 0), (6, 8)], 8), [(8, 5), (8, 0)], ([(0, 0)], 8)),
    Vector("V5", ([(0, 0)], 8), ([(0, 0), (2, 4)], 5), [(8, 0), (4, 0)], ([(0, 0), (2, 4)], 5)),
    Vector("V8", ([], 0), ([(0, 0), (4, 7)], 9), [(0, -1)], ([(0, 0), (4, 7)], 9)),
    Vector("V9", ([(1, 0)], 2), ([(1, 0), (2, 4)], 4), [(2, 1)], ([(1, 0)], 4)),
    Vector("V10", ([(1, 0)], 2), ([(1, 0), (2, 2), (3, 4)], 4), [(2, 1)], ([(1, 0), (2, 2)], 4)),
    Vector("V11", ([(1, 0)], 4), ([(1, 0), (2, 2)], 2), [(4, 1), (2, 1)], ([(1, 0)], 2)),
    Vector("V12", ([(1, 0), (2, 2)], 4), ([(1, 0), (3, 2)], 2), [(4, 2), (2, 1)], ([(1, 0)], 2)),
    Vector("V13", ([(1, 0), (2, 2)], 4), ([(1, 0), (3, 2), (4, 4)], 4), [(4, 2), (2, 1)], ([(1, 0), (3, 2)], 4)),
    Vector("V14", ([(1, 0), (2, 1)], 3), ([(1, 0), (3, 2)], 2), [(3, 2), (1, 1)], ([(1, 0)], 2)),
    Vector("V15", ([(2, 0)], 1), ([(1, 0), (3, 1), (4, 2)], 2), [(1, 2), (0, -1)], ([(1, 0), (3, 1)], 2)),
    Vector(
        "V16",
        ([(0, 0), (2, 10)], 15),
        ([(0, 0), (1, 5), (3, 8)], 8),
        [(15, 2), (10, 0), (5, 0)],
        ([(0, 0), (1, 5)], 8),
    ),
    Vector(
        "V17",
        ([(1, 0), (3, 4), (8, 5)], 5),
        ([(1, 0), (2, 1), (5, 8), (10, 9)], 9),
        [(5, 8), (5, 3), (4, 1), (1, 1)],
        ([(1, 0), (2, 1), (5, 8)], 9),
    ),
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_a_follower_finds_the_fork_in_the_rounds_of_the_vector(vector: Vector) -> None:
    run = started()
    leader, follower = copy_on(run, 0), copy_on(run, 1)
    leader.log, follower.log = log_of(*vector.leader), log_of(*vector.follower)
    leader.hw = follower.hw = 0
    leader.epoch_start = leader.log.leo
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    rounds: list[tuple[int, int]] = []
    while len(rounds) < len(vector.follower[0]) + 2:
        log = follower.log
        rounds.append((int(log.leo), int(log.cache.last())))
        part = asked(leader, 1, FetchPosition(0, log.leo, log.cache.last(), leader.epoch, 0), -1)
        if part is None:
            break
        assert part.error == errors.ERR_NONE
        fetcher._reconcile(follower, part.diverging_epoch, part.diverging_end)
    for batch in leader.log.batches:
        if batch.base >= follower.log.leo:
            follower.log.append(batch)
    cache = follower.log.cache
    assert rounds == vector.rounds
    assert (list(zip(cache.epochs, cache.starts, strict=True)), follower.log.leo) == vector.result


def test_a_fetch_below_what_the_leader_can_compare_is_out_of_range() -> None:
    """V7: nothing in common any more."""
    leader = copy_on(started(), 0)
    leader.log = log_of([(3, 100)], 120, 100)
    part = asked(leader, 1, FetchPosition(0, 70, 2, leader.epoch, 0), -1)
    assert part is not None
    assert (part.error, part.start, part.hw) == (errors.ERR_OFFSET_OUT_OF_RANGE, 100, 120)


def test_a_truncation_below_hw_takes_hw_with_it() -> None:
    follower = copy_on(started(), 1)
    follower.log = log_of([(0, 0)], 20)
    follower.hw = 15
    follower.truncate(9, 0)
    assert (follower.log.leo, follower.hw) == (9, 9)


# -- HW-1, HW-2


def test_a_caught_up_eligible_joiner_holds_the_high_watermark_back() -> None:
    leader = copy_on(started(), 0)
    leader.isr, leader.hw = [0, 1], leader.log.leo - 5
    leader.refresh_maximal_isr()
    member, joiner = remote_of(leader, 1), remote_of(leader, 2)
    member.leo = leader.log.leo
    joiner.leo = leader.log.leo - 3
    joiner.caught_up_at = leader.broker.sim.now
    assert leader.advance_hw()
    assert leader.hw == leader.log.leo - 3


def test_a_replica_outside_the_isr_that_lags_does_not_hold_the_high_watermark_back() -> None:
    leader = copy_on(started(), 0)
    leader.isr, leader.hw = [0, 1], leader.log.leo - 5
    leader.refresh_maximal_isr()
    member, joiner = remote_of(leader, 1), remote_of(leader, 2)
    member.leo = leader.log.leo
    joiner.leo = leader.log.leo - 3
    joiner.caught_up_at = leader.broker.sim.now - leader.broker.config.lag_us - 1
    assert leader.advance_hw()
    assert leader.hw == leader.log.leo


def test_the_high_watermark_stands_still_below_min_insync_replicas() -> None:
    leader = copy_on(started(), 0)
    leader.isr, leader.hw = [0], leader.log.leo - 5
    leader.refresh_maximal_isr()
    assert not leader.advance_hw()


def test_min_insync_replicas_above_the_replication_factor_counts_as_the_factor() -> None:
    run = world(topics=[{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 4}}])
    run.run(SECOND)
    assert copy_on(run, 0).min_isr == 3


def test_a_killed_broker_finds_the_high_watermark_of_its_last_checkpoint() -> None:
    """LOG-6: replication.offset.checkpoint is written every 5 s."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 50}])
    run.run(9 * SECOND)
    replica = copy_on(run, 1)
    broker = replica.broker
    tick = broker.checkpoint_tick()
    before = after = int(replica.hw)
    while broker.checkpoint_tick() == tick:
        before = int(replica.hw)
        run.run(run.now_us + 5_000)
        after = int(replica.hw)
    run.run(run.now_us + 3 * SECOND)
    at_kill = int(replica.hw)
    run.act(run.now_us + 1, "kill 1")
    run.run(run.now_us + 10)
    assert before <= replica.hw_saved <= after
    assert replica.hw_saved < at_kill - 100


# -- IDEM-3, IDEM-4


def test_a_broker_remembers_the_last_five_batches_of_a_producer() -> None:
    states = ProducerStates()
    for n in range(7):
        states.update(Batch(2 * n, 2, 0, 0, 2 * n, 9, 0, 2 * n, 0))
    remembered = [n for n in range(7) if states.find_duplicate(9, 0, 2 * n, 2) is not None]
    assert remembered == [2, 3, 4, 5, 6]
    assert states.find_duplicate(9, 0, 6, 1) is None
    assert states.find_duplicate(9, 1, 6, 2) is None


@pytest.mark.parametrize(
    ("pid", "epoch", "seq", "error"),
    [
        (9, 1, 14, errors.ERR_NONE),
        (9, 1, 15, errors.ERR_OUT_OF_ORDER_SEQUENCE_NUMBER),
        (9, 1, 12, errors.ERR_OUT_OF_ORDER_SEQUENCE_NUMBER),
        (9, 2, 0, errors.ERR_NONE),
        (9, 2, 14, errors.ERR_OUT_OF_ORDER_SEQUENCE_NUMBER),
        (9, 0, 14, errors.ERR_INVALID_PRODUCER_EPOCH),
        (8, 0, 5, errors.ERR_NONE),
    ],
)
def test_a_broker_checks_sequences_as_idem_4_says(pid: int, epoch: int, seq: int, error: int) -> None:
    states = ProducerStates()
    states.update(Batch(0, 14, 0, 0, 0, 9, 1, 0, 0))
    assert states.sequence_error(pid, epoch, seq) == error


def test_a_follower_rebuilds_the_producers_from_its_log() -> None:
    follower = copy_on(started(), 1)
    follower.log = Log()
    for n in range(3):
        follower.append_fetched(Batch(2 * n, 2, 0, 0, 2 * n, 9, 0, 2 * n, 0))
    assert follower.producers.find_duplicate(9, 0, 4, 2) is not None
    follower.truncate(4, 0)
    assert follower.producers.find_duplicate(9, 0, 4, 2) is None
    assert follower.producers.find_duplicate(9, 0, 2, 2) is not None


@pytest.mark.parametrize(("checks", "base"), [(Checks, Observer), (CheckedLedger, ClientListener)])
def test_a_checked_run_hands_everything_on_to_the_verdict(checks: type, base: type) -> None:
    """Else the verdict of a checked run is another one than that of the run that people see."""
    reports = [name for name in vars(base) if not name.startswith("_")]
    assert [name for name in reports if name not in vars(checks)] == []
    assert reports
