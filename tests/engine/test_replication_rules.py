"""The rules of detail of leaders and followers, on states made by hand: fetches, logs, proposals, metadata."""

import pytest

from simengine.facts import errors
from simengine.facts.decisive import FollowerStarted, IsrProposed, LeaderActivated
from simengine.facts.kinds import PROCESS_DOWN, REASON_FENCED
from simengine.facts.traffic import StartMoved
from simengine.kafka.broker.isr import Submission
from simengine.kafka.broker.metadata_publisher import apply_metadata
from simengine.kafka.log.log import EpochCache
from simengine.kafka.replica.fetcher import DELAYED, NOT_FETCHING
from simengine.kafka.replica.follower_session import FetchSession
from simengine.kafka.replica.isr_changes import maybe_shrink, propose
from simengine.kafka.replica.remote import NEVER
from simengine.kafka.replica.replica import COMMITTED, PENDING_EXPAND, PENDING_SHRINK, Partition
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.shared.metadata import partition_record
from simengine.kafka.wire.controller_api import IsrDecision
from simengine.kafka.wire.fetch_api import FetchPart, FetchPosition
from simengine.world.world import World
from tests.engine.cluster import SECOND, broker_of, copy_on, facts, fetcher_of, known, remote_of, started, world


def asked(leader: Partition, follower: int, position: FetchPosition) -> FetchPart | None:
    """The leader's response to one position of a fetch; None: it is recorded, records may follow."""
    session = FetchSession(leader.broker, follower)
    return session._take_position(position, leader.broker.image.broker_epoch(follower), 0)


def at(leader: Partition, offset: int, last_epoch: int | None = None) -> FetchPosition:
    """A follower's position, in the leader's epoch."""
    epoch = int(leader.log.cache.last()) if last_epoch is None else last_epoch
    return FetchPosition(0, offset, epoch, leader.epoch, 0)


# -- FET-3, FET-4, FET-5, FET-7, FET-12


def test_a_fetch_of_a_broker_without_a_replica_is_told_of_an_unknown_epoch() -> None:
    """FET-4: it may have been assigned in metadata that the leader has not seen."""
    leader = copy_on(started(), 0)
    part = asked(leader, 7, at(leader, int(leader.log.leo)))
    assert part is not None
    assert part.error == errors.ERR_UNKNOWN_LEADER_EPOCH


@pytest.mark.parametrize(("behind", "is_caught_up"), [(0, True), (1, False)])
def test_who_has_all_that_the_leader_had_at_the_fetch_before_was_caught_up_then(
    behind: int, is_caught_up: bool
) -> None:
    """FET-5: a follower that is always one fetch behind a busy leader stays in the ISR."""
    run = started()
    leader = copy_on(run, 0)
    remote = remote_of(leader, 2)
    remote.start_over()
    remote.caught_up_at = NEVER
    remote.last_fetch_at, remote.last_leader_leo = 2 * SECOND, leader.log.leo - 5
    asked(leader, 2, at(leader, int(leader.log.leo) - 5 - behind))
    assert remote.caught_up_at == (2 * SECOND if is_caught_up else NEVER)


@pytest.mark.parametrize("rate", [0.3, 0.4, 0.5])
def test_a_follower_on_a_slow_link_stays_in_the_isr_of_a_partition_that_is_often_at_rest(rate: float) -> None:
    """FET-5, ISR-2: a fetch that names no partition is a fetch of every one in its session, also of one with news.

    Two round trips of 2 s are less than the lag of 5.4 s; a third one must not be counted.
    """
    brokers = {"replica.lag.time.max.ms": 5400, "replica.fetch.wait.max.ms": 90}
    run = world(
        cluster={"brokers": [0, 1], "controllers": [100], "config": brokers},
        topics=[{"name": "t", "assignment": [[0, 1]]}],
        producers=[{"id": "P", "topic": "t", "rate": rate, "acks": "1"}],
        network={"links": [{"between": [0, 1], "latency": "1s"}]},
    )
    run.run(120 * SECOND)
    assert facts(run, IsrProposed) == []


@pytest.mark.parametrize("moves", [True, False])
def test_a_fetch_that_brings_nothing_new_moves_no_high_watermark(moves: bool) -> None:
    """FET-7: after a change of min.insync.replicas a follower's next new record moves it, its next fetch does not."""
    leader = copy_on(started(), 0)
    end = int(leader.log.leo)
    leader.hw = end - 2
    for broker in (1, 2):
        remote_of(leader, broker).start_over()
        remote_of(leader, broker).leo = end
    if moves:
        remote_of(leader, 2).leo = end - 2
    asked(leader, 2, at(leader, end))
    assert leader.hw == (end if moves else end - 2)


@pytest.mark.parametrize(
    ("error", "state"), [(errors.ERR_FENCED_LEADER_EPOCH, NOT_FETCHING), (errors.ERR_UNKNOWN_LEADER_EPOCH, DELAYED)]
)
def test_a_follower_of_an_old_epoch_waits_for_metadata_one_of_a_new_epoch_for_its_leader(
    error: int, state: int
) -> None:
    """FET-12: FENCED_LEADER_EPOCH ends the fetching of the partition; any other error delays it."""
    follower = copy_on(started(), 2)
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    fetcher._take_error(follower, FetchPart(0, error, follower.epoch, follower.log.leo, 0, 0, []))
    assert follower.fetch_state == state
    assert (fetcher_of(follower) is None) == (state == NOT_FETCHING)


@pytest.mark.parametrize(("has_epochs", "cut"), [(False, 3), (True, 0)])
def test_only_a_log_without_epochs_is_cut_to_its_high_watermark(has_epochs: bool, cut: int) -> None:
    """FET-3, TRUNC-1: with epochs the leader says where the logs part."""
    follower = copy_on(started(), 2)
    end = int(follower.log.leo)
    follower.hw = end - 3
    if not has_epochs:
        follower.log.cache = EpochCache()
    take_registration(follower, known(follower, leader=1, epoch=follower.epoch + 1), 0)
    assert follower.log.leo == end - cut


# -- TRUNC-2, LOG-3, LOG-6, LOG-7, LOG-11


@pytest.mark.parametrize(("before_start", "error"), [(1, errors.ERR_OFFSET_OUT_OF_RANGE), (0, errors.ERR_NONE)])
def test_a_position_before_the_log_start_is_out_of_range_even_where_the_logs_part(
    before_start: int, error: int
) -> None:
    """TRUNC-2: the follower's epoch 3 is unknown to the leader, which goes from epoch 2 to 5 at offset 10."""
    leader = copy_on(started(), 0)
    cache = EpochCache()
    cache.epochs, cache.starts = [2, 5], [0, 10]
    leader.log.cache = cache
    leader.log.start = 12
    part = asked(leader, 2, at(leader, 12 - before_start, 3))
    assert part is not None
    assert part.error == error
    assert part.diverging_epoch == (-1 if error else 2)


@pytest.mark.parametrize(
    ("epoch", "start", "entries"),
    [
        (5, 10, [(2, 0), (5, 10)]),
        (5, 12, [(2, 0), (5, 10)]),  # the same epoch goes on
        (5, 8, [(2, 0), (5, 8)]),  # the same epoch began earlier
        (7, 10, [(2, 0), (7, 10)]),
        (7, 12, [(2, 0), (5, 10), (7, 12)]),
    ],
)
def test_an_epoch_is_entered_where_it_first_began(epoch: int, start: int, entries: list[tuple[int, int]]) -> None:
    """LOG-3."""
    cache = EpochCache()
    cache.epochs, cache.starts = [2, 5], [0, 10]
    cache.assign(epoch, start)
    assert list(zip(cache.epochs, cache.starts, strict=True)) == entries


@pytest.mark.parametrize("is_clean", [True, False])
def test_a_broker_that_stops_in_order_writes_its_high_watermark(is_clean: bool) -> None:
    """SHUT-3, LOG-6: a killed one is left with the checkpoint of up to five seconds before."""
    run = started()
    follower = copy_on(run, 2)
    broker = broker_of(follower)
    broker.set_checkpoint_phase(0)
    follower.hw_tick = broker.checkpoint_tick()
    follower.hw_saved = follower.hw - 3
    hw = int(follower.hw)
    if is_clean:
        broker.exit()
    else:
        broker.kill()
    follower.load(0)
    assert follower.hw == (hw if is_clean else hw - 3)


@pytest.mark.parametrize("enabled", [True, False])
def test_a_broker_that_may_not_negotiate_its_stop_writes_the_marker_all_the_same(enabled: bool) -> None:
    """SHUT-3, REG-3: controlled.shutdown.enable says whether the controller is asked, not how the logs are closed."""
    run = world(
        cluster={
            "brokers": [0, 1, 2],
            "controllers": [100],
            "config": {"controlled.shutdown.enable": enabled},
        },
        timeline=[{"at": "3s", "do": "stop 2"}],
    )
    broker = run.cluster.by_id[2]
    be = int(broker.be)
    run.run(3 * SECOND + 1)
    assert (broker.process == PROCESS_DOWN) is not enabled
    run.run(8 * SECOND)
    assert (broker.process, int(broker.clean_be)) == (PROCESS_DOWN, be)


@pytest.mark.parametrize("end", ["stop", "kill", "power-loss"])
@pytest.mark.parametrize("has_read_its_logs", [False, True])
def test_a_broker_that_ends_while_it_starts_has_its_marker_until_it_reads_its_logs(
    end: str, has_read_its_logs: bool
) -> None:
    """REG-3, LOG-10: before its start-up is over Kafka has nothing to shut down; it deletes the marker as it loads."""
    run = world(
        timeline=[
            {"at": "3s", "do": "stop 2"},
            {"at": "8s", "do": "start 2 after 1s"},
            {"at": "9.5s" if has_read_its_logs else "8.5s", "do": f"{end} 2"},
        ]
    )
    broker = run.cluster.by_id[2]
    run.run(8 * SECOND - 1)
    written = int(broker.clean_be)
    assert written >= 0
    run.run(10 * SECOND + 1)
    assert broker.process == PROCESS_DOWN
    assert broker.clean_be == (-1 if has_read_its_logs else written)


def test_a_follower_begins_its_log_where_its_leader_does() -> None:
    """LOG-7, FET-2: it adopts the start, joins the epochs below it, and tells the leader."""
    old = {"leo": 120, "epochs": [[1, 0], [2, 30], [3, 50]]}
    begun = {"leo": 120, "epochs": [[2, 40], [3, 50]], "start": 40}
    state = {"leader": 0, "epoch": 3, "isr": [0, 1, 2], "logs": {0: begun, 1: begun, 2: old}}
    run = world(topics=[{"name": "t", "assignment": [[0, 1, 2]], "initial": {0: state}}])
    run.run(2 * SECOND)
    leader, follower = copy_on(run, 0), copy_on(run, 2)
    assert (follower.log.start, follower.log.leo) == (40, 120)
    assert (follower.log.cache.epochs, follower.log.cache.starts) == ([2, 3], [40, 50])
    assert [int(remote_of(leader, broker).start) for broker in (1, 2)] == [40, 40]
    assert [(f.broker, f.start) for f in facts(run, StartMoved)] == [(2, 40)]


@pytest.mark.parametrize(("past", "epochs"), [(0, [0]), (-1, [0, 4])])
def test_an_epoch_without_records_is_forgotten_at_a_restart(past: int, epochs: list[int]) -> None:
    """LOG-11: the broker led in epoch 4 and wrote nothing."""
    follower = copy_on(started(), 2)
    follower.log.cache.epochs, follower.log.cache.starts = [0, 4], [0, int(follower.log.leo) + past]
    follower.load(0)
    assert follower.log.cache.epochs == epochs


@pytest.mark.parametrize(("clean_be", "saved", "epochs"), [(-1, -1, [0]), (-1, 4, []), (7, -1, [])])
def test_recovery_after_an_unclean_stop_enters_the_epochs_of_records_that_are_newer_than_the_file(
    clean_be: int, saved: int, epochs: list[int]
) -> None:
    """LOG-10: a clean stop is not followed by a recovery; the file may name an epoch whose records are gone."""
    follower = copy_on(started(), 2)
    follower.log.cache = EpochCache()
    follower.epoch_saved = saved
    broker_of(follower).clean_be = clean_be
    follower.load(0)
    assert follower.log.cache.epochs == epochs


def on_disk(copy: Partition) -> tuple[int, int]:
    """The high watermark and the epoch that a replica's disk keeps."""
    return int(copy.hw_saved), int(copy.epoch_saved)


def test_a_process_that_ends_before_it_has_read_its_logs_leaves_the_disk_as_it_was() -> None:
    """LOG-6, LOG-10: it writes no checkpoint, and no epochs (seed 7402281)."""
    run = started()
    follower = copy_on(run, 2)
    run.act(run.now_us + 1, "kill 2")
    run.run(run.now_us + SECOND)
    saved = (int(follower.hw) - 5, 4)
    follower.hw_saved, follower.epoch_saved = saved
    run.act(run.now_us + 10 * SECOND, "start 2 after 5s")
    run.act(run.now_us + 12 * SECOND, "kill 2")
    run.run(run.now_us + 13 * SECOND)
    assert on_disk(follower) == saved
    run.act(run.now_us + 1, "start 2 after 1s")
    run.act(run.now_us + 10 * SECOND, "kill 2")
    run.run(run.now_us + 11 * SECOND)
    hw, epoch = on_disk(follower)
    assert hw > saved[0] and epoch == 0


@pytest.mark.parametrize("starts_over", [True, False])
def test_a_follower_that_drops_its_whole_log_forgets_the_producers(starts_over: bool) -> None:
    """FET-13, IDEM-8: it starts again beyond all their batches; one that is only cut keeps what ended below."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}])
    run.run(3 * SECOND)
    follower = copy_on(run, 2)
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    end = int(follower.log.leo)
    known_before = len(follower.producers.entries)
    fetcher._out_of_range(follower, end + 100 if starts_over else end - 1, end + 50 if starts_over else 0)
    assert follower.log.leo == (end + 50 if starts_over else end - 1)
    assert known_before == 1
    assert len(follower.producers.entries) == (0 if starts_over else 1)


# -- ISR-3, ISR-4, AP-4, AP-5


@pytest.mark.parametrize("is_pending", [True, False])
def test_nobody_is_taken_out_of_the_isr_while_another_change_is_pending(is_pending: bool) -> None:
    """ISR-3."""
    leader = copy_on(started(), 0)
    leader.isr = [0, 1]
    remote = remote_of(leader, 1)
    remote.leo, remote.caught_up_at = leader.log.leo - 1, NEVER
    if is_pending:
        propose(leader, PENDING_EXPAND, [0, 1, 2], 0)
    maybe_shrink(leader)
    assert leader.pending == (PENDING_EXPAND if is_pending else PENDING_SHRINK)


@pytest.mark.parametrize("is_new", [True, False])
def test_in_a_new_epoch_only_the_isr_is_taken_for_caught_up(is_new: bool) -> None:
    """ISR-4, HW-5: whether the leader has led before or not; who is outside has to show that it keeps up."""
    leader = copy_on(started(), 0)
    if is_new:
        leader.remotes = []
    take_registration(leader, known(leader, isr=[0, 1], epoch=leader.epoch + 1), 0)
    assert [int(remote_of(leader, broker).caught_up_at) for broker in (1, 2)] == [3 * SECOND, NEVER]


WAITS, WITHDRAWN, AGAIN = "waits for metadata", "withdrawn", "sent again"


@pytest.mark.parametrize(
    ("error", "then"),
    [
        (errors.ERR_FENCED_LEADER_EPOCH, WAITS),
        (errors.ERR_INVALID_UPDATE_VERSION, WAITS),
        (errors.ERR_INVALID_REQUEST, WAITS),
        (errors.ERR_UNKNOWN_TOPIC_OR_PARTITION, WAITS),
        (errors.ERR_NEW_LEADER_ELECTED, WAITS),
        (errors.ERR_INELIGIBLE_REPLICA, WITHDRAWN),
        (errors.ERR_OPERATION_NOT_ATTEMPTED, WITHDRAWN),
        (errors.ERR_REQUEST_TIMED_OUT, AGAIN),
    ],
)
def test_a_refused_proposal_waits_is_withdrawn_or_sent_again(error: int, then: str) -> None:
    """AP-5."""
    leader, submission = proposed()
    manager = broker_of(leader).alter_manager
    manager._settle(submission, IsrDecision(0, error, [], -1, -1, -1))
    assert (leader.pending == COMMITTED) == (then == WITHDRAWN)
    assert manager._unanswered == ([submission] if then == AGAIN else []), "as it was, with the broker epochs of then"


@pytest.mark.parametrize(
    ("leader_id", "epoch", "pe", "is_adopted"),
    [(0, 0, 1, True), (0, 0, 0, True), (0, 0, -1, False), (0, 1, 1, False), (1, 0, 1, False)],
)
def test_an_answer_is_adopted_when_it_is_not_older_than_what_the_leader_knows(
    leader_id: int, epoch: int, pe: int, is_adopted: bool
) -> None:
    """AP-4: same leader and E, PE at least its own."""
    leader, submission = proposed()
    leader.pe = 7
    decision = IsrDecision(0, errors.ERR_NONE, [0, 1], leader_id, leader.epoch + epoch, 7 + pe)
    failed = int(leader.broker.metrics.failed_isr_updates)
    broker_of(leader).alter_manager._settle(submission, decision)
    assert leader.broker.metrics.failed_isr_updates == failed + (not is_adopted), "MET-5"
    assert (leader.isr == [0, 1]) is is_adopted
    assert (leader.pending == COMMITTED) is is_adopted


def proposed() -> tuple[Partition, Submission]:
    """A leader that has asked for the ISR [0, 1], and its proposal on its way."""
    leader = copy_on(started(), 0)
    propose(leader, PENDING_SHRINK, [0, 1], 0)
    manager = broker_of(leader).alter_manager
    sent = manager._unanswered
    manager._in_flight, manager._unanswered = [], []
    return leader, sent[0]


# -- ORD-2


def test_a_broker_begins_to_lead_before_it_begins_to_follow() -> None:
    """ORD-2: one batch of metadata makes it follower of t-0, and then leader of t-1."""
    run: World = world(
        topics=[{"name": "t", "assignment": [[0, 1, 2], [1, 0, 2]], "config": {"min.insync.replicas": 2}}]
    )
    run.run(SECOND)
    facts(run)
    follows, leads = copy_on(run, 0, 0), copy_on(run, 0, 1)
    changes = [known(follows, leader=1, epoch=follows.epoch + 1), known(leads, leader=0, epoch=leads.epoch + 1)]
    apply_metadata(broker_of(follows), [partition_record(change, REASON_FENCED, 0, 0) for change in changes])
    taken = [type(f) for f in facts(run, LeaderActivated, FollowerStarted) if f.broker == 0]
    assert taken == [LeaderActivated, FollowerStarted]
