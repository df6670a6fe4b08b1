"""The producer's rules of detail, on states made by hand: sequences (IDEM), order and retries (PC)."""

import pytest
from librt.vecs import append

from simengine.clients.accumulator import PartitionQueue, ProducerBatch
from simengine.clients.calls import Calls
from simengine.clients.retries import Retries
from simengine.clients.sequences import Sequences
from simengine.clients.settings import IDEMPOTENCE_OFF, ProducerSettings
from simengine.kernel.errors import ERR_NONE, ERR_NOT_ENOUGH_REPLICAS, ERR_OUT_OF_ORDER_SEQUENCE_NUMBER
from tests.engine.doubles import SECOND, FakeWorld


def sent(world: FakeWorld, sequences: Sequences, batches: int) -> tuple[PartitionQueue, list[ProducerBatch]]:
    """A queue of batches of one record that are on their way, none of them acknowledged."""
    queue = PartitionQueue(0, Calls(world.producer, 0))
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
