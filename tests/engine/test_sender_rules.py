"""The producer's rules of detail, on states made by hand: sequences (IDEM), order and retries (PC)."""

import pytest
from librt.vecs import append

from simengine.clients.network.settings import IDEMPOTENCE_OFF, ProducerSettings
from simengine.clients.producer.accumulator import PartitionQueue
from simengine.clients.producer.calls import SendCalls
from simengine.clients.producer.produce_errors import asks_for_metadata, is_retriable, leaves_doubt
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.clients.producer.retries import Retries
from simengine.clients.producer.sequences import Sequences
from simengine.facts.errors import (
    ERR_DELIVERY_TIMEOUT,
    ERR_INVALID_PRODUCER_EPOCH,
    ERR_INVALID_REQUIRED_ACKS,
    ERR_LEADER_NOT_AVAILABLE,
    ERR_NETWORK_EXCEPTION,
    ERR_NONE,
    ERR_NOT_ENOUGH_REPLICAS,
    ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    ERR_NOT_LEADER_OR_FOLLOWER,
    ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
    ERR_REQUEST_TIMED_OUT,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)
from simengine.kafka.wire.api import ProduceBatch, ProduceResult
from tests.doubles import SECOND, FakeWorld


def sent(world: FakeWorld, sequences: Sequences, batches: int) -> tuple[PartitionQueue, list[ProducerBatch]]:
    """A queue of batches of one record that are on their way, none of them acknowledged."""
    queue = PartitionQueue(0, SendCalls(world.producer, 0))
    queue.append(0, batches, 1, 0)
    made = list(queue.waiting)
    for batch in made:
        sequences.assign(queue, batch)
    return queue, made


def idempotent() -> Sequences:
    sequences = Sequences()
    sequences.start(True, 7)
    return sequences


@pytest.mark.parametrize(
    ("which", "unresolved", "renumbered", "epoch"),
    [
        (0, False, False, 1),  # the next one: what was before it is gone for good
        (0, False, True, 0),  # it got its sequence anew a moment ago
        (1, False, False, 0),  # the one before it may still come
        (1, True, False, 1),  # it never will
        (0, True, True, 1),
    ],
)
def test_an_out_of_order_answer_bumps_the_epoch_where_waiting_would_not_help(
    which: int, unresolved: bool, renumbered: bool, epoch: int
) -> None:
    """IDEM-5: for the first of two batches on their way, or the second."""
    sequences = idempotent()
    queue, batches = sent(FakeWorld(), sequences, 2)
    queue.unresolved = unresolved
    batches[which].is_renumbered = renumbered
    sequences.retries_out_of_order(queue, batches[which])
    sequences.settle()
    assert sequences.epoch == epoch


@pytest.mark.parametrize(("attempts", "epoch"), [(0, 0), (1, 1)])
def test_only_an_expired_batch_that_was_tried_again_leaves_its_sequence_in_doubt(attempts: int, epoch: int) -> None:
    """IDEM-7: nobody knows whether it is in the log."""
    sequences = idempotent()
    queue, batches = sent(FakeWorld(), sequences, 1)
    batches[0].attempts = attempts
    sequences.expired(queue, batches[0])
    assert queue.unresolved is (attempts > 0)
    sequences.settle()
    assert sequences.epoch == epoch


HELD = "held back"
MAY_GO = "may go"


@pytest.mark.parametrize(
    ("case", "first", "new", "then"),
    [
        ("in order", True, False, MAY_GO),
        ("the one before it is under way", False, False, HELD),
        ("new, behind one under way", False, True, MAY_GO),
        ("new, behind one in doubt", False, True, HELD),
        ("new, after all that is in doubt", None, True, HELD),
        ("new, of an epoch to come, behind one of this", False, True, HELD),
        ("new, of an epoch to come, behind none", None, True, MAY_GO),
        ("not idempotent", False, False, MAY_GO),
    ],
)
def test_a_batch_that_was_sent_before_waits_until_it_is_the_lowest_again(
    case: str, first: bool | None, new: bool, then: str
) -> None:
    """IDEM-6, IDEM-7: the second of two batches, or a third that has no sequence yet; new ones wait only in doubt."""
    sequences = idempotent()
    queue, batches = sent(FakeWorld(), sequences, 2)
    if first is None:
        for batch in batches:
            sequences.acknowledged(queue, batch)
    elif first:
        sequences.acknowledged(queue, batches[0])
    queue.unresolved = "in doubt" in case
    sequences.epoch += 1 if "to come" in case else 0
    sequences.is_on = case != "not idempotent"
    head = ProducerBatch(0, 2, 0) if new else batches[1]
    assert sequences.holds_back(queue, head) is (then == HELD)


def test_retried_batches_go_out_one_after_the_other_in_order() -> None:
    """IDEM-6: the first of five has failed, and each of the others after it; the broker sees each of them once more."""
    settings = ProducerSettings()
    settings.batch_records = 1
    world = FakeWorld(settings)
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].script = [ERR_NOT_ENOUGH_REPLICAS] * 5
    world.producer.send(0, 5)
    world.run(5)
    sent_again = [batch.seq for _, request in world.brokers[0].requests[6:] for batch in request.batches]
    assert sent_again == [1, 2, 3, 4, 5]
    times = [at for at, _ in world.brokers[0].requests[6:]]
    assert len(set(times)) == 5, "each waits for the answer of the one before"


# -- PC-3, PC-5, PC-11: error, retriable, asks for metadata, may have been written
ANSWERS = [
    (ERR_NOT_LEADER_OR_FOLLOWER, True, True, True),
    (ERR_NETWORK_EXCEPTION, True, True, True),
    (ERR_REQUEST_TIMED_OUT, True, False, True),  # open point 4: the retry goes to the same broker
    (ERR_NOT_ENOUGH_REPLICAS, True, False, False),
    (ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND, True, False, True),
    (ERR_UNKNOWN_TOPIC_OR_PARTITION, True, True, False),
    (ERR_LEADER_NOT_AVAILABLE, True, True, False),
    (ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, False, False, False),
    (ERR_INVALID_PRODUCER_EPOCH, False, False, False),
    (ERR_INVALID_REQUIRED_ACKS, False, False, False),
    (ERR_DELIVERY_TIMEOUT, False, False, False),
    (ERR_NONE, False, False, False),
]


@pytest.mark.parametrize(("error", "retriable", "asks", "doubtful"), ANSWERS)
def test_what_a_producer_makes_of_an_error(error: int, retriable: bool, asks: bool, doubtful: bool) -> None:
    assert (is_retriable(error), asks_for_metadata(error), leaves_doubt(error)) == (retriable, asks, doubtful)


@pytest.mark.parametrize(("error", "asks"), [(ERR_REQUEST_TIMED_OUT, False), (ERR_LEADER_NOT_AVAILABLE, True)])
def test_a_request_that_timed_out_at_the_broker_is_repeated_there_without_asking_who_leads(
    error: int, asks: bool
) -> None:
    """PC-5, open point 4."""
    world = FakeWorld()
    world.producer.send(0, 1)
    world.run(1)
    broker = world.brokers[0]
    asked = len(broker.metadata_requests) + len(world.brokers[1].metadata_requests)
    broker.script = [error]
    world.producer.send(0, 1)
    world.run(5)
    assert len(broker.log[0]) == 2
    assert len(broker.metadata_requests) + len(world.brokers[1].metadata_requests) == asked + asks


@pytest.mark.parametrize(("leader", "epoch", "goes_to"), [(1, 5, 1), (1, 4, 0), (1, 3, 0), (-1, 5, 0)])
def test_a_producer_takes_the_leader_that_an_error_names_if_it_is_newer_than_what_it_knows(
    leader: int, epoch: int, goes_to: int
) -> None:
    """PC-4, PC-6, KIP-951: no metadata that any broker gives tells of it; it knows of epoch 4."""
    world = FakeWorld()
    world.epochs[0] = 4
    world.run(1)
    took: list[int] = []

    def hinting(batch: ProduceBatch) -> ProduceResult:
        took.append(0)
        if len(took) > 1:
            return ProduceResult(batch.p, ERR_NONE, 0, 4)
        result = ProduceResult(batch.p, ERR_NOT_LEADER_OR_FOLLOWER, -1, -1)
        result.leader, result.leader_epoch = leader, epoch
        return result

    def taking(batch: ProduceBatch) -> ProduceResult:
        took.append(1)
        return ProduceResult(batch.p, ERR_NONE, 0, 5)

    world.brokers[0].append = hinting  # type: ignore[method-assign]
    world.brokers[1].append = taking  # type: ignore[method-assign]
    world.producer.send(0, 1)
    world.run(3)
    assert took == [0, goes_to]


def test_the_leader_named_beside_a_success_is_not_taken() -> None:
    """PC-6: only errors carry a hint."""
    world = FakeWorld()
    world.run(1)

    def hinting(batch: ProduceBatch) -> ProduceResult:
        result = ProduceResult(batch.p, ERR_NONE, 0, 0)
        result.leader, result.leader_epoch = 1, 9
        return result

    world.brokers[0].append = hinting  # type: ignore[method-assign]
    world.producer.send(0, 1)
    world.run(2)
    sender = world.producer.sender()
    assert sender is not None
    assert (sender.metadata.leaders[0], sender.metadata.epochs[0]) == (0, 0)


@pytest.mark.parametrize(
    ("backoff", "limit", "gaps"),
    [(100, 1_000, [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]), (1_000, 4_000, [1, 2, 4, 4]), (500, 300, [0.3, 0.3, 0.3])],
)
def test_a_client_asks_who_leads_at_the_pace_of_its_retry_back_off(backoff: int, limit: int, gaps: list[float]) -> None:
    """PC-5, PC-13: doubled up to retry.backoff.max.ms, +-20 %; here nobody leads."""
    settings = ProducerSettings()
    settings.retry_backoff_us, settings.retry_backoff_max_us = backoff * 1000, limit * 1000
    world = FakeWorld(settings, brokers=1)
    world.leaders = {0: -1}
    world.producer.send(0, 1)
    world.run(30)
    times = world.brokers[0].metadata_requests[1:]
    assert len(times) > len(gaps)
    for gap, first, second in zip(gaps, times, times[1:], strict=False):
        assert 0.79 * gap <= (second - first) / SECOND <= min(1.21 * gap, limit / 1000) + 0.01


@pytest.mark.parametrize(("in_flight", "may_go"), [(1, False), (2, True)])
def test_one_in_flight_keeps_a_partition_waiting_for_its_answer(in_flight: int, may_go: bool) -> None:
    """PC-2: from whatever broker it will come; that of another connection counts as well."""
    settings = ProducerSettings()
    settings.idempotence, settings.max_in_flight = IDEMPOTENCE_OFF, in_flight
    world = FakeWorld(settings)
    sender = world.producer.sender()
    assert sender is not None
    readiness = sender.readiness
    queue, _ = sent(world, sender.sequences, 2)
    assert readiness.may_go_along(queue)
    queue.on_wire = append(queue.on_wire, queue.take_head())
    assert readiness.may_go_along(queue) is may_go


@pytest.mark.parametrize(
    ("error", "age", "attempts", "may"),
    [
        (ERR_NOT_ENOUGH_REPLICAS, 119, 0, True),
        (ERR_NOT_ENOUGH_REPLICAS, 120, 0, False),
        (ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, 119, 0, True),
        (ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, 120, 0, False),
        (ERR_NOT_ENOUGH_REPLICAS, 119, 3, False),
        (ERR_NONE, 0, 0, False),
    ],
)
def test_a_batch_is_retried_until_its_delivery_timeout(error: int, age: int, attempts: int, may: bool) -> None:
    """PC-3, PC-4, IDEM-5: two minutes from its first record on, and as often as retries says."""
    world = FakeWorld()
    sequences = idempotent()
    settings = ProducerSettings()
    settings.retries = 3
    retries = Retries(world.sim, sequences, world.sim.stream("test", "retries"))
    retries.start(settings)
    queue, batches = sent(world, sequences, 1)
    batches[0].attempts = attempts
    world.run(age)
    assert world.sim.now == age * SECOND
    assert retries.may_retry(queue, batches[0], error) is may
