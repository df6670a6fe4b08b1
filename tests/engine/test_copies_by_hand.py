"""Copies of a partition, their leaders' books and what readers are told, on states made by hand."""

from typing import Any, cast

import pytest

from simengine.facts import errors
from simengine.facts.kinds import REG_ACTIVE, REG_FENCED
from simengine.kafka.broker.consumer_fetch import check_reader, handle_offset, read_part
from simengine.kafka.log.log import Batch
from simengine.kafka.log.producer_state import ProducerStates
from simengine.kafka.replica.follower_session import FetchSession
from simengine.kafka.replica.isr_changes import adopt, propose
from simengine.kafka.replica.produce_wait import DelayedProduce
from simengine.kafka.replica.remote import NEVER, NOT_FETCHED
from simengine.kafka.replica.replica import COMMITTED, FOLLOWER, LEADER, PENDING_EXPAND, PENDING_SHRINK, Partition
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.shared.config import TopicSettings
from simengine.kafka.shared.metadata import (
    CLUSTER_SETTINGS,
    BrokerState,
    MetadataImage,
    PartitionRegistration,
    partition_record,
    topic_record,
)
from simengine.kafka.wire.api import EARLIEST, LATEST, ConsumerPosition, OffsetRequest, ProduceResult
from simengine.kafka.wire.fetch_api import FetchPart, FetchPosition
from simengine.world.world import World
from tests.engine.cluster import SECOND, broker_of, copy_on, fetcher_of, known, remote_of, session_of, started, world


class Channel:
    """A connection that keeps what is answered on it."""

    def __init__(self) -> None:
        self.conn = 1
        self.got: list[Any] = []

    def answer(self, answer: Any) -> None:
        self.got.append(answer)


def restarted(run: World, broker: int) -> Partition:
    """A broker's copy when its next process has read it from the disk."""
    node = run.cluster.by_id[broker]
    node.kill()
    node.up = True
    node.booted(SECOND)
    return copy_on(run, broker)


# -- STATE-5, STATE-6, STATE-7


def test_a_new_process_takes_up_its_role_by_the_metadata_on_its_disk() -> None:
    """STATE-6, STATE-7: they may be older than what its predecessor knew from an AlterPartition answer."""
    run = started()
    leader = copy_on(run, 0)
    adopt(leader, leader.isr, leader.pe + 3)
    again = restarted(run, 0)
    assert (again.role, again.pending) == (LEADER, COMMITTED)
    assert again.registration is not None
    assert again.pe == again.registration.pe


@pytest.mark.parametrize(
    ("pending", "isr", "maximal"),
    [(PENDING_SHRINK, [0], [0, 1]), (PENDING_EXPAND, [0, 1, 2], [0, 1, 2]), (COMMITTED, [0, 1, 2], [0, 1])],
)
def test_a_member_counts_from_when_it_is_to_come_until_it_has_gone(
    pending: int, isr: list[int], maximal: list[int]
) -> None:
    """STATE-5, AP-6: the committed ISR is 0 and 1; 2 is out of sync."""
    leader = copy_on(started(), 0)
    leader.isr, leader.pending, leader.pending_isr = [0, 1], pending, isr
    leader.refresh_maximal_isr()
    assert leader.maximal_isr == maximal
    assert [int(remote.broker) for remote in leader.remotes if remote.in_maximal_isr] == maximal[1:]


@pytest.mark.parametrize(("is_observer", "holds"), [(False, True), (True, False)])
def test_an_observer_never_holds_the_high_watermark_back(is_observer: bool, holds: bool) -> None:
    """HW-1, OBS-1: caught up and active, but it will not join."""
    leader = copy_on(started(), 0)
    remote = remote_of(leader, 2)
    remote.start_over()
    remote.leo, remote.caught_up_at, remote.is_observer = leader.log.leo - 1, leader.broker.sim.now, is_observer
    leader.isr = [0, 1]
    leader.refresh_maximal_isr()
    assert leader.may_join(remote) is holds


# -- PROD-5, IDEM-4


def test_requests_wait_in_the_order_of_the_offsets_that_they_wait_for() -> None:
    """PROD-5, PROD-11: a duplicate waits for its original, which others may have overtaken."""
    leader = copy_on(started(), 0)
    end = int(leader.log.leo)
    waits = []
    for to in (end + 5, end + 1, end + 3):
        result = ProduceResult(0, errors.ERR_NONE, to - 1, 0)
        wait = DelayedProduce(cast("Any", Channel()), 1, [result], 60 * SECOND)
        wait.add(result, to)
        leader.wait_for_hw(wait, to)
        waits.append(wait)
    assert [int(wait.end_of(leader.p)) for wait in leader.waiters] == [end + 1, end + 3, end + 5]
    leader.hw = end + 3
    leader._settle_waiters()
    assert [int(wait.open) for wait in waits] == [1, 0, 0]


def test_a_producers_new_epoch_begins_with_nothing() -> None:
    """IDEM-3, IDEM-4: batches of the old one are neither duplicates nor what the next must follow."""
    states = ProducerStates()
    for epoch, seq in ((0, 0), (0, 1), (1, 0)):
        states.update(Batch(seq, 1, 0, 0, seq, 9, epoch, seq, 0))
    assert states.find_duplicate(9, 0, 1, 1) is None
    assert states.sequence_error(9, 1, 1) == errors.ERR_NONE
    assert states.sequence_error(9, 0, 2) == errors.ERR_INVALID_PRODUCER_EPOCH


# -- FET-5, FET-6, FET-12, FET-13, MET-11


@pytest.mark.parametrize("start", [0, 99])
def test_a_follower_that_was_out_of_range_has_not_failed(start: int) -> None:
    """FET-12, FET-13: its next divergence is no reason to back off once more."""
    follower = copy_on(started(), 2)
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    follower.fetch_failed = True
    end = int(follower.log.leo)
    fetcher._take_error(follower, FetchPart(0, errors.ERR_OFFSET_OUT_OF_RANGE, 0, end, end + 100, start, []))
    assert not follower.fetch_failed
    assert (follower.log.leo, follower.log.cache.epochs) == ((99, []) if start else (end, [0])), "LOG-7"


def test_what_an_old_leader_told_is_forgotten_with_it() -> None:
    """MET-11: until the new one has answered there is no lag to tell."""
    follower = copy_on(started(), 2)
    assert follower.leader_hw >= 0
    take_registration(follower, known(follower, leader=1, epoch=follower.epoch + 1), 0)
    assert follower.leader_hw == -1


def test_a_session_that_begins_anew_leaves_what_the_old_one_meant() -> None:
    """FET-5: every fetch of it was one of a partition at rest, whose follower had all there was."""
    run = started()
    leader = copy_on(run, 0)
    remote = remote_of(leader, 2)
    session = session_of(remote)
    assert session is not None
    remote.covered = remote.clean = True
    remote.caught_up_at = remote.last_fetch_at = NEVER
    session.last_arrival = 2 * SECOND
    session._clear()
    assert (remote.caught_up_at, remote.last_fetch_at, remote.last_leader_leo) == (
        2 * SECOND,
        2 * SECOND,
        remote.leo,
    )
    assert remote.session is None


@pytest.mark.parametrize(
    ("state", "error"), [(REG_ACTIVE, errors.ERR_NOT_LEADER_OR_FOLLOWER), (REG_FENCED, errors.ERR_NONE)]
)
def test_a_fetch_is_outdated_when_a_later_incarnation_is_alive(state: int, error: int) -> None:
    """FET-6: one that is registered and still fenced does not count."""
    leader = copy_on(started(), 0)
    be = int(leader.broker.image.broker_epoch(1))
    leader.broker.image.brokers[1] = BrokerState(1, be + 5, state)
    position = FetchPosition(0, leader.log.leo, leader.log.cache.last(), leader.epoch, 0)
    part = FetchSession(leader.broker, 1)._take_position(position, be, 0)
    assert (errors.ERR_NONE if part is None else part.error) == error


def test_a_fetch_tells_the_incarnation_for_all_partitions_of_its_session() -> None:
    """ISR-6: also for those at rest, which it does not name."""
    leader = copy_on(started(), 0)
    remote = remote_of(leader, 2)
    session = session_of(remote)
    assert session is not None and session in broker_of(leader).sessions.values()
    remote.covered = remote.clean = True
    session._tell_be(4711)
    assert remote.be == 4711


# -- AP-1, MET-4, MET-5


@pytest.mark.parametrize(("be", "told"), [(NOT_FETCHED, -1), (-1, -1), (77, 77)])
def test_a_proposal_names_the_incarnations_that_have_fetched(be: int, told: int) -> None:
    """AP-1, REG-5: -1 for who has not fetched since this leadership began."""
    leader = copy_on(started(), 0)
    remote_of(leader, 1).be = be
    leader.pending_isr = [0, 1]
    proposal = broker_of(leader).alter_manager._proposal(leader)
    assert (proposal.isr, proposal.bes) == ([0, 1], [leader.broker.be, told])


@pytest.mark.parametrize(
    ("pending", "isr", "counts"),
    [(PENDING_SHRINK, [0, 1], (1, 0)), (PENDING_EXPAND, [0, 1, 2], (0, 1)), (COMMITTED, [0, 1, 2], (0, 0))],
)
def test_a_leader_counts_the_changes_that_it_proposed(pending: int, isr: list[int], counts: tuple[int, int]) -> None:
    """MET-4."""
    leader = copy_on(started(), 0)
    if pending != COMMITTED:
        propose(leader, pending, isr, 0)
    adopt(leader, isr, leader.pe + 1)
    metrics = leader.broker.metrics
    assert (metrics.isr_shrinks, metrics.isr_expands) == counts


# -- CON-1, CON-2, FFR-5, HW-7, KIP-951


def test_a_reader_that_is_refused_is_told_who_leads() -> None:
    """KIP-951."""
    follower = copy_on(started(), 2)
    take_registration(follower, known(follower, leader=-1, epoch=follower.epoch + 1), 0)
    part = read_part(follower.broker, ConsumerPosition(0, 0, follower.epoch), "", 1000)
    registration = follower.broker.image.partition(0)
    assert part is not None and registration is not None
    assert part.error == errors.ERR_NOT_LEADER_OR_FOLLOWER
    assert (part.leader, part.leader_epoch) == (registration.leader, registration.epoch) == (0, 0)


@pytest.mark.parametrize(("leader", "error"), [(1, errors.ERR_NONE), (-1, errors.ERR_NOT_LEADER_OR_FOLLOWER)])
def test_a_follower_serves_while_it_has_a_leader(leader: int, error: int) -> None:
    """FFR-5."""
    follower = copy_on(started(), 2)
    take_registration(follower, known(follower, leader=leader, epoch=follower.epoch + 1), 0)
    assert follower.role == FOLLOWER
    assert check_reader(follower.broker, follower, ConsumerPosition(0, 0, follower.epoch)) == error


@pytest.mark.parametrize(("offset", "is_in_range"), [(4, False), (5, True), (-1, True), (0, False)])
def test_a_position_outside_the_log_is_out_of_range(offset: int, is_in_range: bool) -> None:
    """CON-1: the log begins at 5; -1 stands for its end, 0 for one beyond it."""
    leader = copy_on(started(), 0)
    leader.log.raise_start(5)
    wanted = offset if offset > 0 else int(leader.log.leo) + 1 + offset
    part = read_part(leader.broker, ConsumerPosition(0, wanted, leader.epoch), "", 1000)
    is_refused = part is not None and part.error == errors.ERR_OFFSET_OUT_OF_RANGE
    assert is_refused is not is_in_range


@pytest.mark.parametrize("what", [EARLIEST, LATEST, 0])
@pytest.mark.parametrize(("broker", "error"), [(0, errors.ERR_NONE), (2, errors.ERR_NOT_LEADER_OR_FOLLOWER)])
def test_only_a_leader_says_where_a_log_begins_and_ends(what: int, broker: int, error: int) -> None:
    """HW-7, CON-3."""
    copy, channel = copy_on(started(), broker), Channel()
    handle_offset(copy.broker, cast("Any", channel), OffsetRequest(0, what, copy.epoch, 0))
    [answer] = channel.got
    assert answer.error == error
    assert (answer.offset >= 0) is (error == errors.ERR_NONE)


# -- ELR-1, HW-3


def test_the_first_partition_of_a_topic_is_the_one_with_the_lowest_number() -> None:
    """ELR-1: in whatever order the records come; here 3 has two replicas and 5 has three."""
    for order in ((5, 3), (3, 5)):
        image = MetadataImage()
        image.default_min_insync = 3
        for p in order:
            replicas = [0, 1, 2] if p == 5 else [0, 1]
            image.apply(partition_record(PartitionRegistration(p, 0, replicas, replicas, 0, 0, 0), 0, 0, 0))
        assert image.effective_min_insync(0) == 2


@pytest.mark.parametrize(("is_dynamic", "minimum"), [(True, 1), (False, 2)])
def test_a_brokers_own_minimum_yields_to_a_default_that_was_set_in_mid_run(is_dynamic: bool, minimum: int) -> None:
    """HW-3: topic, dynamic, static."""
    image = MetadataImage()
    settings = TopicSettings(1, -1)
    settings.is_dynamic = is_dynamic
    image.apply(topic_record(CLUSTER_SETTINGS, settings, "", 0))
    assert image.min_insync_at(0, 1, 2) == minimum


def test_a_default_of_the_start_yields_to_a_brokers_own_minimum() -> None:
    run = world(cluster={"brokers": [{"id": 0, "config": {"min.insync.replicas": 3}}, 1, 2], "controllers": [100]})
    assert run.cluster.by_id[0].image.min_insync_at(1, 0, run.cluster.by_id[0].config.own_min_insync) == 3
