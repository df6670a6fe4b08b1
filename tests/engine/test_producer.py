"""The producer against scripted brokers: batching, retries, time limits, order (PC-1..11)."""

import itertools

import pytest

from simengine.clients.network.metadata import ClientMetadata
from simengine.clients.network.settings import IDEMPOTENCE_OFF, ProducerSettings
from simengine.facts.errors import (
    ERR_DELIVERY_TIMEOUT,
    ERR_NONE,
    ERR_NOT_ENOUGH_REPLICAS,
    ERR_REQUEST_TIMED_OUT,
)
from simengine.facts.kinds import CALLS_SETTLED
from simengine.facts.traffic import CallsSettled
from simengine.kafka.wire.api import ACKS_ALL
from tests.doubles import SECOND, FakeWorld


def plain(acks: int = ACKS_ALL, **changes: int) -> ProducerSettings:
    settings = ProducerSettings()
    settings.acks = acks
    settings.idempotence = IDEMPOTENCE_OFF
    for name, value in changes.items():
        setattr(settings, name, value)
    return settings


def test_a_record_is_acknowledged_with_its_offset() -> None:
    world = FakeWorld()
    world.producer.send(0, 3)
    world.run(1)
    assert world.settled() == [(0, 0, ERR_NONE), (1, 1, ERR_NONE), (2, 2, ERR_NONE)]
    assert (world.producer.acked, world.producer.failed) == (3, 0)


def test_records_linger_5_ms_and_travel_in_one_batch() -> None:
    """PC-1."""
    world = FakeWorld()
    world.producer.send(0, 1)
    world.run(1)
    sent_at = world.sim.now
    world.producer.send(0, 1)
    world.run(1.003)
    world.producer.send(0, 1)
    world.run(2)
    arrived, request = world.brokers[0].requests[-1]
    assert arrived == sent_at + 5_000 + 1_000
    assert [(batch.n, batch.count) for batch in request.batches] == [(1, 2)]


def test_a_full_batch_does_not_linger_and_drags_all_partitions_of_the_broker_along() -> None:
    """PC-1."""
    world = FakeWorld(plain(batch_records=2, linger_us=50_000))
    world.leaders[1] = 0
    world.producer.send(0, 2)
    world.producer.send(1, 2)
    world.run(1)
    world.brokers[0].requests.clear()
    world.producer.send(1, 1)
    world.producer.send(0, 2)
    world.run(2)
    arrived, request = world.brokers[0].requests[0]
    assert arrived == 1 * SECOND + 1_000
    assert [(batch.p, batch.count) for batch in request.batches] == [(1, 1), (0, 2)]


def test_no_more_than_max_in_flight_requests_wait_on_a_connection() -> None:
    """PC-2."""
    world = FakeWorld(plain(batch_records=1))
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].silent = True
    world.producer.send(0, 12)
    world.run(2)
    calls = world.producer.calls_to(0)
    assert (calls.in_flight, calls.queued) == (5, 7)


def test_a_batch_that_found_its_connection_taken_by_a_refresh_goes_out_when_that_is_answered() -> None:
    """PC-2, PC-5: though the answer brings nothing new, as where a topic is not there (seed 7400838)."""
    world = FakeWorld(plain(max_in_flight=1, linger_us=0), brokers=1)
    world.leaders = {0: 0, 1: -1}
    world.producer.send(0, 1)
    world.producer.send(1, 1)
    world.run(5)
    sender = world.producer.sender()
    assert sender is not None
    while sender.metadata.asked is None:
        world.sim.run(world.sim.now + 100, 0)
    world.producer.send(0, 1)
    assert world.producer.calls_to(0).in_flight == 0
    world.sim.run(world.sim.now + 10_000, 0)
    assert world.settled() == [(0, 0, ERR_NONE), (1, 1, ERR_NONE)]


def test_a_batch_that_waited_for_one_at_an_old_leader_goes_out_when_that_one_is_lost() -> None:
    """PC-2: with one request in flight, whatever broker it went to. The refresh that the loss asks for goes first."""
    world = FakeWorld(plain(max_in_flight=1, retries=0))
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].silent = True
    world.producer.send(0, 1)
    world.run(2)
    world.leaders, world.epochs = {0: 1}, {0: 1}
    sender = world.producer.sender()
    assert sender is not None
    sender.metadata.request_update()
    world.run(3)
    world.producer.send(0, 1)
    world.run(30)
    assert world.producer.calls_to(0).queued == 1
    while world.producer.failed == 0:
        world.sim.run(world.sim.now + 100, 0)
    refresh = sender.metadata.asked
    assert refresh is not None
    while sender.metadata.asked is refresh:
        world.sim.run(world.sim.now + 100, 0)
    assert world.producer.calls_to(0).in_flight == 1
    world.run(31.5)
    assert world.settled() == [(0, 0, ERR_NONE), (1, -1, ERR_REQUEST_TIMED_OUT), (2, 0, ERR_NONE)]


def waiting_for_room(records: int, **settings: int) -> tuple[FakeWorld, ClientMetadata]:
    """A producer at 2 s whose one connection is full, and its metadata: the broker holds back a response."""
    world = FakeWorld(plain(max_in_flight=1, **settings), brokers=1)
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].silent = True
    world.producer.send(0, records)
    world.run(2)
    sender = world.producer.sender()
    assert sender is not None
    return world, sender.metadata


def test_a_client_whose_connections_are_all_full_waits_for_room_and_forgets_nothing() -> None:
    """PC-2, KIP-899: it begins anew only where no connection stands."""
    world, metadata = waiting_for_room(1)
    broker = world.brokers[0]
    asked = len(broker.metadata_requests)
    metadata.request_update()
    world.run(4)
    assert (metadata.nodes, metadata.leaders[0], len(broker.metadata_requests)) == ([0], 0, asked)
    broker.answer(*broker.held[0])
    world.run(4.1)
    assert len(broker.metadata_requests) == asked + 1


def test_a_refresh_that_is_due_goes_before_the_batches_that_wait() -> None:
    """PC-5: while it is due no batch is sent, though one is ready whenever a response makes room."""
    world, metadata = waiting_for_room(3, linger_us=0, batch_records=1)
    broker = world.brokers[0]
    asked = len(broker.metadata_requests)
    metadata.request_update()
    world.run(4)
    broker.answer(*broker.held[0])
    world.run(4.1)
    assert len(broker.metadata_requests) == asked + 1
    world.run(5)
    assert world.producer.calls_to(0).in_flight == 1, "the next batch follows the refresh"


def test_refused_batches_are_retried_with_a_growing_back_off() -> None:
    """PC-3, PC-4: 100, 200, 400, 800, then 1000 ms, up to a fifth more but never above the limit."""
    world = FakeWorld()
    world.brokers[0].script = [ERR_NOT_ENOUGH_REPLICAS] * 7
    world.producer.send(0, 1)
    world.run(20)
    times = [arrived for arrived, _ in world.brokers[0].requests]
    gaps = [b - a - 2_000 for a, b in itertools.pairwise(times)]
    for gap, nominal in zip(gaps, [100, 200, 400, 800, 1000, 1000, 1000], strict=True):
        assert nominal * 1000 <= gap <= min(nominal * 1200, 1_000_000)
    assert world.settled() == [(0, 0, ERR_NONE)]
    assert len(world.brokers[0].metadata_requests) + len(world.brokers[1].metadata_requests) == 1  # PC-5


def test_without_retries_the_error_reaches_the_application() -> None:
    world = FakeWorld(plain(retries=0))
    world.brokers[0].script = [ERR_NOT_ENOUGH_REPLICAS]
    world.producer.send(0, 1)
    world.run(1)
    assert world.settled() == [(0, -1, ERR_NOT_ENOUGH_REPLICAS)]
    assert world.book.ended[0][5] is False


def test_a_batch_that_was_only_ever_refused_expires_as_certainly_not_written() -> None:
    """PC-3, PC-11."""
    world = FakeWorld()
    world.brokers[0].script = [ERR_NOT_ENOUGH_REPLICAS] * 1000
    world.producer.send(0, 1)
    world.run(119.9)
    assert world.settled() == []
    world.run(120.2)
    assert world.settled() == [(0, -1, ERR_DELIVERY_TIMEOUT)]
    assert world.book.ended[0][5] is False


def test_a_batch_on_the_wire_expires_as_perhaps_written() -> None:
    """PC-3, PC-11."""
    world = FakeWorld(plain(delivery_timeout_us=40 * SECOND))
    world.producer.send(0, 1)
    world.run(1)
    world.settled()
    world.brokers[0].silent = True
    world.producer.send(0, 1)
    world.run(60)
    assert world.settled() == [(1, -1, ERR_DELIVERY_TIMEOUT)]
    assert world.book.ended[1][5] is True


def test_a_leaderless_partition_waits_and_is_sent_when_a_leader_appears() -> None:
    """PC-8."""
    world = FakeWorld()
    world.leaders[0] = -1
    world.producer.send(0, 2)
    world.run(30)
    asked = len(world.brokers[0].metadata_requests) + len(world.brokers[1].metadata_requests)
    assert 28 <= asked <= 42  # the pauses grow to 1 s
    world.leaders[0] = 1
    world.epochs[0] = 1
    world.run(32)
    assert world.settled() == [(0, 0, ERR_NONE), (1, 1, ERR_NONE)]


def test_a_leaderless_partition_fails_its_calls_after_the_delivery_timeout() -> None:
    """PC-8: never sent, so certainly not written."""
    world = FakeWorld()
    world.leaders[0] = -1
    world.producer.send(0, 1)
    world.run(121)
    assert world.settled() == [(0, -1, ERR_DELIVERY_TIMEOUT)]
    assert world.book.ended[0][5] is False


def test_a_record_sent_in_the_moment_of_an_expiry_joins_the_old_batch_or_begins_a_new_one() -> None:
    """PC-15: the delivery timeout is ten periods, so that every expiry comes as a record is sent."""
    world = FakeWorld(plain(delivery_timeout_us=2 * SECOND))
    world.leaders[0] = -1
    period, calls = SECOND // 5, 1000
    for n in range(calls):
        world.producer.send(0, 1)
        world.run((n + 1) * period / SECOND)
    ended = [CallsSettled.read(row) for row in world.sim.trace.take().rows() if row[2] == CALLS_SETTLED]
    joined = sum(fact.t - (fact.n + fact.count - 1) * period < 5_000 for fact in ended)
    assert len(ended) > 80
    assert 0.2 < joined / len(ended) < 0.9


def test_not_leader_leads_to_a_refresh_and_the_new_leader_is_tried_without_back_off() -> None:
    """PC-4, PC-5."""
    world = FakeWorld()
    world.producer.send(0, 1)
    world.run(1)
    world.leaders[0] = 1
    world.epochs[0] = 1
    world.producer.send(0, 1)
    world.run(1.1)
    assert world.brokers[1].log == {0: [1]}
    arrived = world.brokers[1].requests[0][0]
    assert arrived < 1 * SECOND + 20_000


def test_older_metadata_is_ignored() -> None:
    """PC-6."""
    world = FakeWorld()
    world.epochs[0] = 5
    world.producer.send(0, 1)
    world.run(1)
    world.epochs[0] = 4
    world.leaders[0] = 1
    sender = world.producer._sender
    assert sender is not None
    sender.metadata.request_update()
    world.run(2)
    assert (sender.metadata.leaders[0], sender.metadata.epochs[0]) == (0, 5)


def test_a_dead_broker_resets_at_once_and_the_batch_is_retried() -> None:
    """PC-7: NETWORK_EXCEPTION, not the request timeout."""
    world = FakeWorld()
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].silent = True
    world.producer.send(0, 1)
    world.run(1.01)
    world.brokers[0].die()
    world.leaders[0] = 1
    world.epochs[0] = 1
    world.run(1.5)
    assert world.brokers[1].log == {0: [1]}


@pytest.mark.parametrize("notice_us", [0, 20_000])
def test_a_silent_broker_is_given_up_after_the_request_timeout(notice_us: int) -> None:
    """PC-7; the client looks for such requests when its poll ends (open point 4)."""
    world = FakeWorld(plain(retries=0, notice_us=notice_us))
    world.producer.send(0, 1)
    world.run(1)
    world.settled()
    world.cut(world.brokers[0], world.producer)
    world.producer.send(0, 1)
    world.run(31.004 + notice_us / 1e6)
    assert world.settled() == []
    world.run(31.006 + notice_us / 1e6)
    assert world.settled() == [(1, -1, ERR_REQUEST_TIMED_OUT)]
    assert world.book.ended[1][5] is True


def test_without_idempotence_a_dropped_connection_reverses_the_batches_in_flight() -> None:
    """PC-10 as measured."""
    world = FakeWorld(plain(batch_records=1))
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].silent = True
    world.producer.send(0, 6)
    world.run(1.1)
    world.brokers[0].die()
    world.leaders[0] = 1
    world.epochs[0] = 1
    world.run(3)
    assert world.brokers[1].log == {0: [5, 4, 3, 2, 1, 6]}


def test_acks_0_is_handed_over_and_a_wrong_leader_is_noticed_by_the_hang_up_only() -> None:
    """PC-9, PROD-10."""
    world = FakeWorld(plain(acks=0))
    world.producer.send(0, 1)
    world.run(1)
    world.leaders[0] = 1
    world.epochs[0] = 1
    world.producer.send(0, 1)
    world.run(2)
    world.producer.send(0, 1)
    world.run(3)
    assert world.settled() == [(0, -1, ERR_NONE), (1, -1, ERR_NONE), (2, -1, ERR_NONE)]
    assert world.brokers[0].log == {0: [0]}
    assert world.brokers[1].log == {0: [2]}
    assert (world.producer.acked, world.producer.handed_over) == (0, 3)


def test_a_rate_makes_calls_at_exact_distances() -> None:
    world = FakeWorld(plain(linger_us=0))
    world.producer.set_rate([0], 10_000, 0)
    world.run(10)
    assert world.producer.calls_to(0).made == 100
    times = [arrived for arrived, _ in world.brokers[0].requests]
    assert {b - a for a, b in itertools.pairwise(times[1:])} == {100_000}


def test_a_high_rate_bundles_calls_and_keeps_count() -> None:
    world = FakeWorld(plain(acks=1))
    world.producer.set_rate([0], 50_000_000, 0)
    world.run(10)
    assert 499_300 < world.producer.calls_to(0).made < 499_900
    world.producer.set_rate([0], 0, 0)
    world.run(11)
    assert world.producer.acked == world.producer.calls_to(0).made == world.book.made


def test_closing_sends_what_is_there_and_waits_for_the_answers() -> None:
    world = FakeWorld(plain(linger_us=SECOND))
    world.producer.send(0, 2)
    world.run(0.1)
    world.producer.close(0)
    world.run(0.2)
    assert world.settled() == [(0, 0, ERR_NONE), (1, 1, ERR_NONE)]


def test_a_crash_ends_no_call_and_says_which_may_be_written() -> None:
    world = FakeWorld(plain(batch_records=1, max_in_flight=1))
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].silent = True
    world.producer.send(0, 2)
    world.run(1.1)
    world.producer.crash(0)
    world.run(200)
    assert world.settled() == [(0, 0, ERR_NONE)]
    assert world.book.abandoned_calls == [(0, 1, 1, True), (0, 2, 1, False)]
    world.brokers[0].silent = False
    world.producer.open(0)
    world.producer.send(0, 1)
    world.run(202)
    assert world.settled() == [(3, 1, ERR_NONE)]


def test_changing_acks_opens_a_new_producer_while_the_old_one_drains() -> None:
    world = FakeWorld()
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].script = [ERR_NOT_ENOUGH_REPLICAS] * 2
    world.producer.send(0, 1)
    world.run(1.2)
    world.producer.set_acks(1, 0)
    world.producer.send(0, 1)
    world.run(5)
    assert {n: error for n, _, error in world.settled()} == {0: ERR_NONE, 1: ERR_NONE, 2: ERR_NONE}
    assert world.brokers[0].log == {0: [0, 2, 1]}
    pids = [request.batches[0].pid for _, request in world.brokers[0].requests]
    assert pids[0] >= 0
    assert -1 in pids  # acks=1: not idempotent (IDEM-1)
    assert world.producer.acked == 3


def test_a_full_buffer_blocks_the_application_until_there_is_room() -> None:
    world = FakeWorld(plain(batch_records=80, linger_us=0))
    world.producer.send(0, 1)
    world.run(1)
    world.brokers[0].silent = True
    world.producer.set_rate([0], 100_000_000, 0)
    world.run(8)
    calls = world.producer.calls_to(0)
    assert 327_000 < calls.queued + calls.in_flight <= 327_680
    assert calls.made == calls.queued + calls.in_flight + 1
    world.brokers[0].silent = False
    for channel, request in world.brokers[0].held:
        world.brokers[0].answer(channel, request)
    world.run(10)
    assert calls.made > 330_000
