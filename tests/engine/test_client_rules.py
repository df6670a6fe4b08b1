"""Clients' rules of detail: connections, sequences after a bump, batches in the queue, what an error is worth."""

from typing import Any, cast

import pytest
from librt.vecs import append

from simengine.clients.consumer.position import FETCHING, INITIALIZING, RESETTING, Position
from simengine.clients.network.metadata import RecoveryTimer
from simengine.clients.network.network_client import Pending
from simengine.clients.network.settings import ProducerSettings, doubled
from simengine.clients.producer.accumulator import PartitionQueue
from simengine.clients.producer.calls import SendCalls
from simengine.clients.producer.readiness import Readiness
from simengine.clients.producer.sequences import Sequences
from simengine.facts import errors
from simengine.kafka.wire.api import CommitAnswer, CommitRequest, ConsumerAnswer, ConsumerPart, MetadataAnswer
from simengine.world.world import World
from tests.doubles import FakeWorld
from tests.engine.cluster import SECOND, world


def queue_of(made: FakeWorld, *batches: int, at: int = 0) -> PartitionQueue:
    """A queue with batches of so many calls."""
    queue = PartitionQueue(0, SendCalls(made.producer, 0))
    n = 0
    for count in batches:
        queue.append(n, count, count, at)
        n += count
    return queue


def idempotent(queue: PartitionQueue) -> Sequences:
    """Sequences that all batches of a queue have got."""
    sequences = Sequences()
    sequences.start(True, 7)
    for batch in list(queue.waiting):
        sequences.assign(queue, batch)
    return sequences


# -- IDEM-2, IDEM-5, IDEM-7


@pytest.mark.parametrize(
    ("error", "attempts_left", "epoch"),
    [
        (errors.ERR_INVALID_PRODUCER_EPOCH, True, 1),
        (errors.ERR_INVALID_PRODUCER_EPOCH, False, 0),  # retries are used up: Kafka adjusts no sequences then
        (errors.ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, False, 1),
        (errors.ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, True, 1),
    ],
)
def test_a_batch_that_is_given_up_bumps_the_epoch(error: int, attempts_left: bool, epoch: int) -> None:
    """IDEM-7: its sequence is missing from now on."""
    queue = queue_of(FakeWorld(), 1, 1)
    sequences = idempotent(queue)
    sequences.failed(queue, queue.waiting[0], error, attempts_left)
    sequences.settle()
    assert sequences.epoch == epoch


@pytest.mark.parametrize("is_here", [True, False], ids=["its own", "another partition's"])
def test_sequences_begin_at_0_in_a_new_epoch(is_here: bool) -> None:
    """IDEM-5, IDEM-2: those on their way are numbered anew; elsewhere it is so from the next batch on."""
    made = FakeWorld()
    queue, other = queue_of(made, 3, 2, 1), queue_of(made, 1)
    sequences = idempotent(queue)
    sequences.acknowledged(queue, queue.waiting[0])
    assert (int(queue.last_acked), int(queue.next_seq)) == (2, 6)
    sequences._bump_for(queue if is_here else other)
    if is_here:
        sequences.settle()
        assert [int(batch.seq) for batch in queue.in_order] == [0, 2]
        assert (int(queue.last_acked), int(queue.next_seq), int(queue.epoch)) == (-1, 3, 1)
        return
    for batch in list(queue.in_order):
        sequences.acknowledged(queue, batch)
    sequences.settle()
    assert (int(queue.last_acked), int(queue.epoch)) == (5, 0)
    queue.append(6, 1, 1, 0)
    sequences.assign(queue, queue.waiting[3])
    assert int(queue.waiting[3].seq) == 0
    assert (int(queue.last_acked), int(queue.next_seq), int(queue.epoch)) == (-1, 1, 1)


def test_the_last_sequence_that_was_acknowledged_never_falls() -> None:
    """IDEM-7, PC-2: answers of different connections overtake one another."""
    queue = queue_of(FakeWorld(), 1, 1, 1)
    sequences = idempotent(queue)
    for which, last in ((1, 1), (0, 1), (2, 2)):
        sequences.acknowledged(queue, queue.waiting[which])
        assert queue.last_acked == last


class Wire:
    """A connection that keeps what goes out."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def request(self, message: Any, pending: Any) -> None:
        self.sent.append(message)


def test_a_batch_goes_out_in_the_epoch_that_its_partition_is_in() -> None:
    """IDEM-2, IDEM-5: another partition has bumped the producer's epoch meanwhile."""
    made, wire = FakeWorld(), Wire()
    sender = made.producer.sender()
    assert sender is not None
    queue = queue_of(made, 1)
    batch = queue.waiting[0]
    sender.sequences.assign(queue, batch)
    sender.sequences.epoch = 3
    sender._transmit(cast("Any", wire), [queue], [batch])
    [sent] = wire.sent[0].batches
    assert (sent.pid, sent.pid_epoch, sent.seq) == (sender.sequences.pid, 0, 0)


@pytest.mark.parametrize("may_be_written", [True, False])
def test_of_a_batch_that_waits_for_another_attempt_a_crash_leaves_it_open(may_be_written: bool) -> None:
    """PC-11: whether its record is in the log."""
    made = FakeWorld()
    made.leaders[0] = -1
    made.run(0.1)
    made.producer.send(0, 1)
    made.run(0.2)
    sender = made.producer.sender()
    assert sender is not None
    [batch] = list(sender.queues[0].waiting)
    batch.may_be_written = may_be_written
    made.producer.crash(0)
    assert made.book.abandoned_calls == [(0, 0, 1, may_be_written)]


# -- PC-1, PC-3, PC-4


@pytest.mark.parametrize(("known", "ready"), [(3, 900), (4, 900), (5, 0)])
def test_only_a_newer_leader_than_the_one_that_was_tried_ends_a_back_off(known: int, ready: int) -> None:
    """PC-4: the batch was sent in leader epoch 4."""
    made = FakeWorld()
    queue = queue_of(made, 1)
    sender = made.producer.sender()
    assert sender is not None
    sender.metadata.want([0])
    head = queue.waiting[0]
    head.attempts, head.retry_at, head.leader_epoch = 1, 900, 4
    sender.metadata.epochs[0] = known
    assert sender.readiness.at(queue) == ready


@pytest.mark.parametrize(("count", "ready"), [(159, 5_000), (160, 0)])
def test_a_full_batch_lingers_no_longer(count: int, ready: int) -> None:
    """PC-1: batch.size 16384 of records of 100 bytes."""
    made = FakeWorld()
    sender = made.producer.sender()
    assert sender is not None
    readiness = Readiness(made.sim, sender.metadata, sender.sequences, sender.buffer_pool)
    readiness.start(ProducerSettings())
    assert readiness.at(queue_of(made, count)) == ready


@pytest.mark.parametrize(("before", "expired"), [(99, 0), (100, 3)])
def test_a_batch_expires_when_it_is_as_old_as_its_delivery_timeout(before: int, expired: int) -> None:
    """PC-3: those on the wire too, unless they have ended already."""
    made = FakeWorld()
    queue = queue_of(made, 1, 1, 1, 1, at=100)
    for _ in range(3):
        queue.on_wire = append(queue.on_wire, queue.take_head())
    queue.on_wire[1].is_done = True
    assert len(queue.expire(before)) == expired
    assert len(queue.waiting) == (1 if before < 100 else 0)


def test_calls_that_do_not_follow_one_another_are_in_batches_of_their_own() -> None:
    """A call that blocked in vain has taken a number, and no place."""
    queue = queue_of(FakeWorld(), 2)
    queue.waiting[0].is_open = True
    assert queue.append(2, 3, 160, 0) == 0
    assert queue.append(6, 1, 160, 0) == 1
    assert [(int(batch.n), int(batch.count)) for batch in queue.waiting] == [(0, 5), (6, 1)]


# -- TCP-1, PC-7


def test_a_connection_is_given_more_time_with_every_attempt_that_failed_until_one_succeeds() -> None:
    """socket.connection.setup.timeout.ms and its maximum."""
    made = FakeWorld()
    sender = made.producer.sender()
    assert sender is not None
    connection = sender.connections[0]
    given = []
    for failures in (0, 1, 2, 3):
        connection._failures = failures
        connection.open()
        given.append(int(connection.connect_timeout) // SECOND)
    assert given == [10, 20, 30, 30]
    connection.on_connected()
    assert connection._failures == 0


def test_a_request_is_given_up_when_the_client_looks() -> None:
    """PC-7, open point 4: some milliseconds after its limit, which may be its own."""
    sender = FakeWorld().producer.sender()
    assert sender is not None
    request = Pending(7 * SECOND)
    assert sender.given_up_at(request) == 37 * SECOND
    request.late_us, request.limit_us = 15_000, 300 * SECOND
    assert sender.given_up_at(request) == 307 * SECOND + 15_000


# -- PC-5, PC-6, PC-8, PC-13


@pytest.mark.parametrize(
    ("leader", "epoch", "known", "is_news", "asks_again"),
    [
        (1, 4, (1, 4), True, False),  # not older
        (0, 4, (0, 4), False, False),
        (1, 5, (1, 5), True, False),
        (1, 3, (0, 4), False, False),
        (-1, 5, (-1, 5), True, True),  # LEADER_NOT_AVAILABLE
        (-1, -1, (0, 4), False, True),  # UNKNOWN_TOPIC_OR_PARTITION
    ],
)
def test_a_client_takes_what_is_not_older_and_asks_on_while_nobody_leads(
    leader: int, epoch: int, known: tuple[int, int], is_news: bool, asks_again: bool
) -> None:
    """PC-6, PC-8: it knows broker 0 as leader in epoch 4."""
    sender = FakeWorld().producer.sender()
    assert sender is not None
    metadata = sender.metadata
    metadata.want([0])
    metadata.leaders[0], metadata.epochs[0], metadata._is_stale = 0, 4, False
    assert metadata._take(MetadataAnswer([0], [leader], [epoch], [0, 1])) is is_news
    assert (metadata.leaders[0], metadata.epochs[0]) == known
    assert metadata._is_stale is asks_again


def test_an_answer_ends_a_row_of_failed_refreshes_and_a_new_beginning_takes_any_epoch() -> None:
    """PC-13; metadata.recovery.strategy=rebootstrap."""
    sender = FakeWorld().producer.sender()
    assert sender is not None
    metadata = sender.metadata
    metadata.want([0])
    metadata._failures = 5
    metadata.refreshed(MetadataAnswer([0], [1], [9], [0, 1]))
    assert (metadata._failures, metadata.leaders[0], metadata.epochs[0]) == (0, 1, 9)
    metadata._rebootstrap()
    assert (metadata.nodes, metadata.leaders[0], metadata.epochs[0]) == ([], -1, -1)


@pytest.mark.parametrize(("age_s", "times"), [(5, 3), (7, 2), (300, 0)])
def test_metadata_are_asked_for_anew_when_they_are_old(age_s: int, times: int) -> None:
    """PC-5: metadata.max.age.ms; within 17 s in which nothing else asks for them."""
    settings = ProducerSettings()
    settings.metadata_max_age_us = age_s * SECOND
    made = FakeWorld(settings)
    made.producer.send(0, 1)
    made.run(2)
    before = sum(len(broker.metadata_requests) for broker in made.brokers)
    made.run(17)
    assert sum(len(broker.metadata_requests) for broker in made.brokers) - before == times


@pytest.mark.parametrize(("since_s", "begins_anew"), [(10, False), (9, True)])
def test_a_client_whose_refreshes_fail_for_five_minutes_begins_anew(since_s: int, begins_anew: bool) -> None:
    """KIP-1102: it is 310 s now; at five minutes exactly it goes on."""
    made = FakeWorld()
    made.producer.send(0, 1)
    made.run(310)
    sender = made.producer.sender()
    assert sender is not None
    metadata = sender.metadata
    assert metadata.nodes
    metadata._attempted_since, metadata._recovery = since_s * SECOND, RecoveryTimer(metadata, made.producer)
    metadata.recover(metadata._recovery)
    assert (metadata.nodes == []) is begins_anew
    assert metadata._attempted_since == (310 if begins_anew else since_s) * SECOND


@pytest.mark.parametrize(("in_flight", "retries", "acks", "is_on"), [(5, 1, -1, True), (6, 1, -1, False)])
def test_more_than_five_in_flight_are_not_idempotent(in_flight: int, retries: int, acks: int, is_on: bool) -> None:
    """IDEM-1: a broker remembers five batches."""
    settings = ProducerSettings()
    settings.max_in_flight, settings.retries, settings.acks = in_flight, retries, acks
    assert settings.is_idempotent() is is_on


def test_a_batch_larger_than_the_buffer_finds_room_all_the_same() -> None:
    """PC-1."""
    settings = ProducerSettings()
    settings.batch_records = 1_000_000
    assert settings.buffer_batches() == 1
    settings.batch_records = 160
    assert settings.buffer_batches() == 2048


@pytest.mark.parametrize(
    ("attempts", "pause"), [(0, 100), (1, 100), (2, 200), (3, 400), (4, 800), (5, 1000), (9, 1000)]
)
def test_pauses_double_with_every_attempt_after_the_first(attempts: int, pause: int) -> None:
    """PC-4."""
    assert doubled(100, attempts, 1000) == pause


# -- CON-2, CON-5, CON-6


def reading() -> World:
    """A consumer of a group, three seconds on."""
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 10}],
        consumers=[{"id": "C", "group": "g", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}],
    )
    run.run(3 * SECOND)
    return run


def test_a_broker_that_is_behind_is_asked_again_and_nothing_else() -> None:
    """CON-2: UNKNOWN_LEADER_EPOCH says nothing about who leads, nor about the follower that said so (FFR-3)."""
    reader = reading().cluster_parts.consumers[0].reader()
    position = reader.assignment.positions[0]
    position.preferred = 2
    part = ConsumerPart(0, errors.ERR_UNKNOWN_LEADER_EPOCH, [], -1)
    reader._fetch_failed(cast("Any", reader.connections[2]), position, part)
    assert (position.state, position.preferred) == (FETCHING, 2)
    assert position.retry_at == 3 * SECOND + SECOND // 10
    assert not reader.metadata._is_stale


def test_a_consumer_looks_for_its_coordinator_when_that_refuses() -> None:
    """CON-6: and counts as committed what was."""
    reader = reading().cluster_parts.consumers[0].reader()
    commits = reader.commits
    for error in (errors.ERR_NONE, errors.ERR_NOT_LEADER_OR_FOLLOWER):
        commits.commit([0], [17 if error == errors.ERR_NONE else 23], [0], False)
        job = commits._jobs[-1]
        reader.metadata._is_stale = False
        commits.answered(job, CommitAnswer(False, error, job.partitions, job.offsets, job.epochs))
        assert reader.metadata._is_stale is (error != errors.ERR_NONE)
        assert reader.assignment.positions[0].committed == 17
    request = CommitRequest("g", job.partitions, job.offsets, job.epochs)
    assert (request.offsets, job.is_sent, int(job.attempts)) == ([23], False, 1), "it is tried again"


def test_a_committed_offset_of_0_is_one() -> None:
    """CON-5, CON-6: the reset policy is for those who have none."""
    reader = reading().cluster_parts.consumers[0].reader()
    position = reader.assignment.positions[0]
    for offset, state in ((0, FETCHING), (-1, RESETTING)):
        position.state = INITIALIZING
        reader.finder.found_committed(CommitAnswer(True, errors.ERR_NONE, [0], [offset], [-1]))
        assert position.state == state


def test_a_reader_stays_with_a_follower_for_as_long_as_its_metadata_do() -> None:
    """FFR-3: metadata.max.age.ms; a follower that has not the offset sends it back at once (CON-5)."""
    reader = reading().cluster_parts.consumers[0].reader()
    position = reader.assignment.positions[0]
    connection = cast("Any", reader.connections[int(position.leader)])
    position.state, position.asked_on = FETCHING, connection.broker.id
    part = ConsumerPart(0, errors.ERR_NONE, [], 0)
    part.preferred = 2
    reader.fetched(connection, ConsumerAnswer([part]))
    assert (position.preferred, position.preferred_until) == (2, 303 * SECOND)
    refusal = ConsumerPart(0, errors.ERR_OFFSET_OUT_OF_RANGE, [], 0)
    reader._fetch_failed(cast("Any", reader.connections[2]), position, refusal)
    assert (position.preferred, position.state, position.retry_at) == (-1, FETCHING, 0)


@pytest.mark.parametrize(("auto_us", "jobs"), [(5 * SECOND, 1), (0, 0)])
def test_who_commits_by_hand_gives_up_partitions_without_a_commit(auto_us: int, jobs: int) -> None:
    """CON-6: enable.auto.commit=false."""
    reader = reading().cluster_parts.consumers[0].reader()
    reader.settings.auto_commit_us = auto_us
    before = len(reader.commits._jobs)
    reader.give_up(True)
    assert len(reader.commits._jobs) - before == jobs


def test_a_new_process_throws_anew() -> None:
    """CON-5: what its predecessor has thrown, nobody has caught here."""
    position = Position(0)
    position.has_thrown = True
    position.forget()
    assert not position.has_thrown
