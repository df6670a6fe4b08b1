"""The idempotent producer against scripted brokers (IDEM-1..8)."""

from simengine.clients.network.settings import IDEMPOTENCE_ON, ProducerSettings
from simengine.facts.errors import (
    ERR_DELIVERY_TIMEOUT,
    ERR_NONE,
    ERR_NOT_ENOUGH_REPLICAS,
    ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
)
from tests.doubles import SECOND, FakeWorld


def one_by_one(**changes: int) -> ProducerSettings:
    settings = ProducerSettings()
    settings.batch_records = 1
    for name, value in changes.items():
        setattr(settings, name, value)
    return settings


def sequences(world: FakeWorld, broker: int = 0) -> list[tuple[int, int]]:
    """(producer epoch, sequence) of every batch that arrived."""
    return [(batch.pid_epoch, batch.seq) for _, request in world.brokers[broker].requests for batch in request.batches]


def test_idempotence_is_on_by_default_and_off_with_acks_1_or_without_retries() -> None:
    """IDEM-1."""
    assert ProducerSettings().is_idempotent()
    assert not one_by_one(acks=1).is_idempotent()
    assert not one_by_one(retries=0).is_idempotent()
    assert "acks" in one_by_one(acks=1, idempotence=IDEMPOTENCE_ON).conflict()
    assert "retries" in one_by_one(retries=0, idempotence=IDEMPOTENCE_ON).conflict()
    assert "max.in.flight" in one_by_one(max_in_flight=6, idempotence=IDEMPOTENCE_ON).conflict()


def test_sequences_count_records_per_partition_and_are_kept_on_retry() -> None:
    """IDEM-2."""
    world = FakeWorld()
    world.leaders[1] = 0
    world.producer.send(0, 3)
    world.producer.send(1, 2)
    world.run(1)
    world.brokers[0].script = [ERR_NOT_ENOUGH_REPLICAS]
    world.producer.send(0, 1)
    world.run(2)
    batches = [batch for _, request in world.brokers[0].requests for batch in request.batches]
    assert [(batch.p, batch.seq) for batch in batches] == [(0, 0), (1, 0), (0, 3), (0, 3)]


def test_after_an_error_order_is_preserved_by_sending_one_at_a_time() -> None:
    """IDEM-6."""
    world = FakeWorld(one_by_one())
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].script = [ERR_NOT_ENOUGH_REPLICAS]
    world.producer.send(0, 5)
    world.run(5)
    assert world.brokers[0].log == {0: [0, 1, 2, 3, 4, 5]}
    assert [error for _, _, error in world.settled()] == [ERR_NONE] * 6
    # the first of five is refused, the four behind it come out of order; then each is sent alone
    assert sequences(world)[1:6] == [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]
    assert sequences(world)[6:] == [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]


def test_a_dropped_connection_keeps_the_order() -> None:
    """IDEM-6: the same fault that reverses the batches of PC-10."""
    world = FakeWorld(one_by_one())
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].silent = True
    world.producer.send(0, 6)
    world.run(1.1)
    world.brokers[0].die()
    world.leaders[0] = 1
    world.epochs[0] = 1
    world.run(5)
    assert world.brokers[1].log == {0: [1, 2, 3, 4, 5, 6]}


def test_an_out_of_order_answer_to_the_next_expected_batch_bumps_the_epoch() -> None:
    """IDEM-5."""
    world = FakeWorld(one_by_one())
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].script = [ERR_OUT_OF_ORDER_SEQUENCE_NUMBER]
    world.producer.send(0, 1)
    world.run(2)
    assert sequences(world) == [(0, 0), (0, 1), (1, 0)]
    assert world.brokers[0].log == {0: [0, 1]}


def test_a_bumped_epoch_reaches_other_partitions_once_they_have_nothing_in_flight() -> None:
    """IDEM-5."""
    world = FakeWorld(one_by_one())
    world.leaders[1] = 0
    world.producer.send(0, 1)
    world.producer.send(1, 1)
    world.run(1)
    world.brokers[0].script = [ERR_OUT_OF_ORDER_SEQUENCE_NUMBER]
    world.producer.send(0, 1)
    world.run(2)
    world.producer.send(1, 1)
    world.run(3)
    last = world.brokers[0].requests[-1][1].batches[0]
    assert (last.p, last.pid_epoch, last.seq) == (1, 1, 0)
    assert world.brokers[0].log[1] == [0, 1]


def test_without_state_a_later_batch_is_accepted_and_the_earlier_one_fails_at_its_delivery_timeout() -> None:
    """IDEM-4, IDEM-5/6 as measured (s07-c): nothing new is held back meanwhile; afterwards the sequence goes on."""
    world = FakeWorld(one_by_one(delivery_timeout_us=40 * SECOND))
    world.brokers[0].script = [ERR_NOT_ENOUGH_REPLICAS]
    world.producer.send(0, 2)
    world.run(1)
    assert world.brokers[0].log == {0: [1]}
    world.producer.send(0, 1)
    world.run(3)
    assert world.brokers[0].log == {0: [1, 2]}
    world.run(41)
    assert (0, -1, ERR_DELIVERY_TIMEOUT) in world.settled()
    world.producer.send(0, 1)
    world.run(42)
    assert world.brokers[0].log == {0: [1, 2, 3]}
    assert sequences(world)[-1] == (0, 3)


def test_an_expired_retried_batch_with_nothing_acked_after_it_bumps_the_epoch() -> None:
    """IDEM-7 as measured (s02, s03-b)."""
    world = FakeWorld(one_by_one(delivery_timeout_us=40 * SECOND))
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].script = [ERR_NOT_ENOUGH_REPLICAS] * 1000
    world.producer.send(0, 1)
    world.run(42)
    world.brokers[0].script = []
    world.producer.send(0, 1)
    world.run(43)
    assert sequences(world)[-1] == (1, 0)
    assert world.brokers[0].log == {0: [0, 2]}
