"""Rooms of a broker, one step at a time: its fetcher, its log, its requests, the metadata that it follows."""

from typing import Any, cast

import pytest

from simengine.facts import errors
from simengine.facts.kinds import REG_ACTIVE
from simengine.kafka.broker.metadata_publisher import apply_metadata
from simengine.kafka.broker.process_start import DISK_WIPED
from simengine.kafka.controller.alter_partition import check_proposal, decide_proposals
from simengine.kafka.log.log import Batch, EpochCache, Log
from simengine.kafka.replica.follower_session import FetchSession
from simengine.kafka.replica.produce_wait import DelayedProduce
from simengine.kafka.replica.remote import NEVER
from simengine.kafka.replica.replica import PENDING_EXPAND
from simengine.kafka.shared.metadata import PartitionRegistration, broker_record, partition_record
from simengine.kafka.wire.api import ACKS_ALL, ProduceBatch, ProduceRequest, ProduceResult
from simengine.kafka.wire.controller_api import (
    AlterAnswer,
    AlterRequest,
    IsrProposal,
    MetadataAnswerBatch,
    MetadataPoll,
)
from simengine.kafka.wire.fetch_api import FetchPart, FetchPosition
from simengine.world.world import World
from tests.engine.cluster import SECOND, broker_of, control_of, copy_on, fetcher_of, known, remote_of, started, world


class Channel:
    """A connection that keeps what is answered on it."""

    def __init__(self) -> None:
        self.conn = 0  # as in a request that nobody has sent
        self.got: list[Any] = []

    def answer(self, answer: Any) -> None:
        self.got.append(answer)


def batch(base: int, count: int, time: int = 0) -> Batch:
    return Batch(base, count, 0, 0, base, -1, -1, -1, time)


# -- FET-2, FET-4, FET-7, FET-12, TRUNC-2


def test_a_joiner_is_proposed_before_its_progress_moves_the_high_watermark() -> None:
    """FET-7, HW-9: the mark is behind since min.insync.replicas was lowered; first moved, it would pass the joiner."""
    leader = copy_on(started(), 0)
    end = int(leader.log.leo)
    leader.isr, leader.hw = [0, 1], end - 5
    leader.refresh_maximal_isr()
    for broker, leo in ((1, end), (2, end - 4)):
        remote = remote_of(leader, broker)
        remote.start_over()
        remote.leo, remote.caught_up_at, remote.last_leader_leo = leo, NEVER, -1
    position = FetchPosition(0, end - 3, leader.log.cache.last(), leader.epoch, 0)
    assert FetchSession(leader.broker, 2)._take_position(position, leader.broker.image.broker_epoch(2), 0) is None
    assert (leader.pending, leader.pending_isr, leader.hw) == (PENDING_EXPAND, [0, 1, 2], end - 3)


def test_a_fetch_of_what_the_leader_does_not_host_says_whether_it_knows_it() -> None:
    """FET-4."""
    leader = copy_on(started(), 0)
    session = FetchSession(leader.broker, 2)
    found = [session._check(None, FetchPosition(p, 0, 0, 0, 0)) for p in (0, 99)]
    assert found == [errors.ERR_NOT_LEADER_OR_FOLLOWER, errors.ERR_UNKNOWN_TOPIC_OR_PARTITION]


@pytest.mark.parametrize(("beyond", "error"), [(0, None), (1, errors.ERR_OFFSET_OUT_OF_RANGE)])
def test_a_fetch_beyond_the_log_end_without_an_epoch_is_out_of_range(beyond: int, error: int | None) -> None:
    """TRUNC-2, FET-13: no epoch by which the leader could say where the logs part (LEG-3)."""
    leader = copy_on(started(), 0)
    position = FetchPosition(0, leader.log.leo + beyond, -1, leader.epoch, 0)
    part = FetchSession(leader.broker, 2)._take_position(position, -1, 0)
    assert (None if part is None else part.error) == error


def test_a_copy_that_has_appended_has_not_failed() -> None:
    """FET-12."""
    follower = copy_on(started(), 2)
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    follower.fetch_failed = True
    end = int(follower.log.leo)
    fetcher._take(follower, FetchPart(0, errors.ERR_NONE, 0, end, end, 0, []))
    assert follower.fetch_failed, "an empty answer brings nothing"
    fetcher._take(follower, FetchPart(0, errors.ERR_NONE, 0, end, end, 0, [batch(end, 1)]))
    assert not follower.fetch_failed


def test_a_fetch_waits_as_long_as_its_own_broker_says() -> None:
    """FET-2: replica.fetch.wait.max.ms is the follower's."""
    brokers: list[Any] = [0, 1, {"id": 2, "config": {"replica.fetch.wait.max.ms": 90}}]
    run = world(cluster={"brokers": brokers, "controllers": [100]})
    run.run(3 * SECOND)
    waits = []
    for broker in (1, 2):
        fetcher = fetcher_of(copy_on(run, broker))
        assert fetcher is not None
        waits.append(int(fetcher._request.max_wait_us))
    assert waits == [500_000, 90_000]


def test_a_process_is_slow_at_its_first_fetch_alone() -> None:
    """FET-16."""
    run = started()
    broker = run.cluster.by_id[2]
    assert broker.has_fetched
    broker.fetchers.reset()
    assert not broker.has_fetched


# -- LOG-5, LOG-7, LOG-8, CON-5


@pytest.mark.parametrize(
    ("start", "entries"),
    [(0, [(1, 0), (2, 40), (4, 70)]), (39, [(1, 39), (2, 40), (4, 70)]), (40, [(2, 40), (4, 70)]), (90, [(4, 90)])],
)
def test_epochs_below_a_new_log_start_become_one(start: int, entries: list[tuple[int, int]]) -> None:
    """LOG-7: the one that goes on there."""
    cache = EpochCache()
    cache.epochs, cache.starts = [1, 2, 4], [0, 40, 70]
    cache.start_at(start)
    assert list(zip(cache.epochs, cache.starts, strict=True)) == entries


def test_what_is_cut_was_never_flushed() -> None:
    """LOG-5, LOG-8: what is appended in its place is not on the disk."""
    log = Log()
    log.append(batch(0, 10))
    log.flushed = 10
    log.truncate(4)
    log.append(batch(4, 6))
    assert log.flushed == 4


@pytest.mark.parametrize(("time", "offset"), [(0, 0), (10, 0), (11, 3), (20, 3), (21, -1)])
def test_the_first_record_since_a_time_is_one_of_that_time_or_later(time: int, offset: int) -> None:
    """CON-5."""
    log = Log()
    log.append(batch(0, 3, 10))
    log.append(batch(3, 2, 20))
    assert log.offset_at(time, 5) == offset
    assert log.offset_at(time, 3) == (offset if offset < 3 else -1)


# -- PROD-1, PROD-8, PROD-9


@pytest.mark.parametrize(
    ("p", "error", "leader"),
    [(0, errors.ERR_NOT_LEADER_OR_FOLLOWER, (0, 0)), (99, errors.ERR_UNKNOWN_TOPIC_OR_PARTITION, (-1, -1))],
)
def test_a_write_to_the_wrong_broker_is_told_who_leads(p: int, error: int, leader: tuple[int, int]) -> None:
    """PROD-1, KIP-951."""
    channel, broker = Channel(), broker_of(copy_on(started(), 2))
    request = ProduceRequest(1, ACKS_ALL, 30 * SECOND, [ProduceBatch(p, 0, 0, 1, -1, -1, -1)])
    broker.handle_produce(cast("Any", channel), request)
    [result] = channel.got[0].results
    assert (result.error, result.leader, result.leader_epoch) == (error, *leader)


@pytest.mark.parametrize("how", ["time is up", "the leader steps down", "committed"])
def test_a_write_that_waits_is_answered_once_by_whatever_ends_it(how: str) -> None:
    """PROD-6, PROD-8, PROD-9: and who is told of another leader, is told which."""
    leader, channel = copy_on(started(), 0), Channel()
    end = int(leader.log.leo) + 1
    result = ProduceResult(0, errors.ERR_NONE, end - 1, 0)
    wait = DelayedProduce(cast("Any", channel), 1, [result], 60 * SECOND)
    wait.add(result, end)
    leader.wait_for_hw(wait, end)
    if how == "time is up":
        broker_of(leader).produce_purgatory._time_out(wait)
    elif how == "committed":
        leader.hw = end
        leader._settle_waiters()
    else:
        leader.fail_waiters(errors.ERR_NOT_LEADER_OR_FOLLOWER)
    assert len(channel.got) == 1
    error = {"time is up": errors.ERR_REQUEST_TIMED_OUT, "committed": errors.ERR_NONE}
    assert result.error == error.get(how, errors.ERR_NOT_LEADER_OR_FOLLOWER)
    assert (result.leader >= 0) is (how == "the leader steps down")
    assert len(leader.waiters) == 0


# -- ISR-9, ELEC-5: the controller's answer


@pytest.mark.parametrize(("is_sorted", "isr"), [(True, [0, 1, 2]), (False, [2, 0, 1])])
def test_an_isr_is_stored_in_ascending_order_since_4_2(is_sorted: bool, isr: list[int]) -> None:
    """ISR-9: and the leader's word that it has recovered with it (ELEC-5)."""
    run = started()
    control = control_of(run)
    control.config.isr_sorted = is_sorted
    base = control.image.partition(0)
    assert base is not None
    base = base.copy()
    base.isr, base.recovering = [2, 0], True
    control.image.partitions[0] = base
    proposal = IsrProposal(0, base.epoch, base.pe, [2, 0, 1], [-1, -1, -1], True)
    records, _ = decide_proposals(
        control.image, control.config, AlterRequest(1, 0, control.image.broker_epoch(0), [proposal])
    )
    assert records[0].partition is not None
    assert (records[0].partition.isr, records[0].partition.recovering) == (isr, False)


@pytest.mark.parametrize(
    ("sender", "epoch", "pe", "isr", "error"),
    [
        (1, 1, -1, [0], errors.ERR_NOT_CONTROLLER),
        (0, -1, 1, [0], errors.ERR_NOT_CONTROLLER),
        (1, -1, -1, [0], errors.ERR_FENCED_LEADER_EPOCH),
        (1, 0, -1, [0], errors.ERR_INVALID_REQUEST),
        (0, 0, -1, [1], errors.ERR_INVALID_UPDATE_VERSION),
        (0, 0, 0, [0, 7], errors.ERR_INVALID_REQUEST),
    ],
)
def test_of_several_faults_of_a_proposal_the_first_in_kafkas_order_is_told(
    sender: int, epoch: int, pe: int, isr: list[int], error: int
) -> None:
    """AP-2: broker 0 leads; 7 is no replica, and not registered either."""
    run = started()
    control = control_of(run)
    base = control.image.partition(0)
    assert base is not None
    proposal = IsrProposal(0, base.epoch + epoch, base.pe + pe, isr, [-1] * len(isr), True)
    assert check_proposal(control.image, sender, proposal, base) == error


# -- QUO-5, STATE-6: following the metadata log


def test_whoever_waits_for_metadata_is_told_when_the_controller_leads_no_more() -> None:
    """QUO-5: it need not wait for the end of its poll."""
    run = started()
    control, channel = control_of(run), Channel()
    control.polls.take(cast("Any", channel), MetadataPoll(7, len(run.cluster.quorum.log)))
    assert channel.got == []
    control.close()
    assert [(answer.request_id, answer.error) for answer in channel.got] == [(7, errors.ERR_NOT_CONTROLLER)]


def test_a_poll_is_answered_after_500_ms_with_what_there_is() -> None:
    """QUO-5."""
    run = started()
    control, channel = control_of(run), Channel()
    begun = run.now_us
    control.polls.take(cast("Any", channel), MetadataPoll(7, len(run.cluster.quorum.log)))
    run.run(begun + 499_000)
    assert channel.got == []
    run.run(begun + 501_000)
    assert [(answer.error, answer.records) for answer in channel.got] == [(errors.ERR_NONE, [])]


def test_a_broker_turns_to_the_controller_that_a_refusal_names() -> None:
    """QUO-5: with its heartbeats too. Its proposals go on to the old one, until that says it is not active (AP-1)."""
    run = started()
    broker = run.cluster.by_id[2]
    listener = broker.listener
    other = next(one for one in run.cluster.controllers if one is not listener.leader)
    assert listener.leader is not None
    proposals = broker.controller_channel(listener.leader, broker.alter_manager)
    broker.alter_manager.channel = proposals
    answer = MetadataAnswerBatch(listener._request_id, errors.ERR_NOT_CONTROLLER, [])
    answer.hint = other.id
    listener.on_answer(answer)
    assert listener.leader is other
    assert listener.channels[listener._at].controller is other
    channel = broker.lifecycle.channel
    assert channel is None or channel.controller is other, "its next heartbeat goes there"
    assert broker.alter_manager._target() is proposals
    broker.alter_manager.on_answer(AlterAnswer(broker.alter_manager._request_id, errors.ERR_NOT_CONTROLLER, []))
    found = broker.alter_manager._target()
    assert found is not None
    assert found.controller is other


def test_records_out_of_place_are_not_taken() -> None:
    """metadata_prefix: the answer to an older question."""
    run = started()
    listener = run.cluster.by_id[2].listener
    record = broker_record(2, 4711, REG_ACTIVE, 0)
    for ahead in (1, -1):
        record.offset = listener.fetched + ahead
        answer = MetadataAnswerBatch(listener._request_id, errors.ERR_NONE, [record])
        answer.channel = listener.channels[listener._at]
        fetched, queued = int(listener.fetched), len(listener._queue)
        listener.on_answer(answer)
        assert (int(listener.fetched), len(listener._queue)) == (fetched, queued)


def test_batches_of_metadata_are_applied_in_their_order() -> None:
    """STATE-6: one that is quick waits for one that is slow."""
    run = started()
    listener = run.cluster.by_id[2].listener
    listener._apply_at = run.now_us + 30 * SECOND
    record = broker_record(2, run.cluster.by_id[2].be, REG_ACTIVE, 0)
    record.offset = listener.fetched
    answer = MetadataAnswerBatch(listener._request_id, errors.ERR_NONE, [record])
    answer.channel = listener.channels[listener._at]
    listener.on_answer(answer)
    assert listener._apply_at == run.now_us + 30 * SECOND


def test_an_empty_disk_knows_of_no_metadata() -> None:
    """STATE-7: neither how far it had read nor who led, nor what it had been told."""
    run = started()
    broker = run.cluster.by_id[2]
    broker.kill()
    assert broker.image.partition(0) is not None
    broker.empty_disk(DISK_WIPED)
    assert (broker.applied, broker.listener._elected, broker.image.partition(0)) == (-1, None, None)


def test_of_two_records_of_a_partition_in_one_batch_the_later_one_counts() -> None:
    """STATE-6, ORD-1: a leadership that is over when it is heard of does not begin."""
    leader = copy_on(started(), 0)
    epoch = int(leader.epoch)
    records = []
    for k, to in ((1, 1), (2, 0), (3, 2)):
        made: PartitionRegistration = known(leader, leader=to, epoch=epoch + k)
        made.pe += k
        records.append(partition_record(made, 0, 0, 0))
    apply_metadata(broker_of(leader), records)
    assert (leader.epoch, leader.leader) == (epoch + 3, 2)
    assert leader.log.cache.epochs[-1] == epoch, "it has led in no epoch between"


def test_a_copy_that_is_assigned_elsewhere_is_gone_and_nobody_waits_for_it() -> None:
    """REA-4, PROD-9, FET-8."""
    run: World = started()
    leader, channel = copy_on(run, 0), Channel()
    end = int(leader.log.leo) + 1
    result = ProduceResult(0, errors.ERR_NONE, end - 1, 0)
    wait = DelayedProduce(cast("Any", channel), 1, [result], 60 * SECOND)
    wait.add(result, end)
    leader.wait_for_hw(wait, end)
    remote = remote_of(leader, 2)
    remote.covered = True
    apply_metadata(broker_of(leader), [partition_record(known(leader, leader=1, replicas=[1, 2], isr=[1, 2]), 0, 0, 0)])
    assert leader.broker.replica(0) is None and leader not in leader.broker.hosted
    assert [answer.results[0].error for answer in channel.got] == [errors.ERR_NOT_LEADER_OR_FOLLOWER]
    assert not remote.covered


def test_the_request_behind_one_that_a_deleted_copy_answers_finds_no_copy() -> None:
    """PROD-12: an answer lets the next request of its connection in, at once; it must not wait where nobody looks."""

    class Next(Channel):
        def answer(self, answer: Any) -> None:
            super().answer(answer)
            if len(self.got) == 1:
                behind = ProduceRequest(2, ACKS_ALL, 30 * SECOND, [ProduceBatch(0, 0, 0, 1, -1, -1, -1)])
                broker.handle_produce(cast("Any", self), behind)

    leader, channel = copy_on(started(), 0), Next()
    broker, end = broker_of(leader), int(leader.log.leo) + 1
    wait = DelayedProduce(cast("Any", channel), 1, [ProduceResult(0, errors.ERR_NONE, end - 1, 0)], 60 * SECOND)
    wait.add(wait.results[0], end)
    leader.wait_for_hw(wait, end)
    broker.drop(leader, 0)
    first, second = channel.got
    assert first.results[0].error == errors.ERR_NOT_LEADER_OR_FOLLOWER
    assert second.results[0].error != errors.ERR_NONE
    assert len(leader.waiters) == 0
