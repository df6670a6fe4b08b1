"""Rules of detail, each by an outcome that it alone brings: shutdown, readers, TCP, heartbeats, pauses, requests."""

from typing import Any

import pytest

from simengine.clients.consumer.position import FETCHING, RESETTING
from simengine.clients.consumer.reader_connection import ReaderConnection
from simengine.facts import errors
from simengine.facts.decisive import BrokerRegistration, ConsumerReset
from simengine.facts.kinds import MSG_NAMES, PROCESS_DOWN, REG_ACTIVE
from simengine.facts.traffic import Flight
from simengine.kafka.broker.consumer_fetch import check_reader
from simengine.kafka.log.log import Batch
from simengine.kafka.replica.replica import Partition
from simengine.kafka.wire.api import ACKS_ALL, ConsumerPart, ConsumerPosition, ProduceBatch, ProduceRequest
from simengine.kafka.wire.fetch_api import FetchAnswer, FetchPart
from simengine.kernel.random import Stream
from simengine.kernel.retransmission import next_retransmission
from simengine.world.world import World
from tests.engine.cluster import SECOND, broker_of, copy_on, facts, fetcher_of, world

HEARTBEAT = MSG_NAMES.index("Heartbeat")
MS = 1_000


# -- SHUT-5


def test_a_broker_that_leaves_copies_nothing_from_the_moment_it_sees_itself_leave() -> None:
    """SHUT-5: it lives on until it may exit, but its fetchers have stopped; the next process fetches again."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 100}], timeline=[{"at": "3s", "do": "stop 2"}])
    run.run(3 * SECOND)
    broker, copy = run.cluster.by_id[2], copy_on(run, 2)
    while broker.image.broker_state(2) == REG_ACTIVE:
        run.run(run.now_us + MS)
    leo, ends = int(copy.log.leo), int(copy_on(run, 0).log.leo)
    while broker.process != PROCESS_DOWN:
        run.run(run.now_us + MS)
    assert copy.log.leo == leo
    assert copy_on(run, 0).log.leo >= ends + 10, "records came while it waited for its exit"
    run.act(run.now_us + 1, "start 2")
    run.run(run.now_us + 30 * SECOND)
    assert copy.log.leo > ends


# -- CON-2, CON-5


@pytest.mark.parametrize(
    ("broker", "epoch", "error"),
    [
        (0, 5, errors.ERR_NONE),
        (0, 4, errors.ERR_FENCED_LEADER_EPOCH),
        (0, 6, errors.ERR_UNKNOWN_LEADER_EPOCH),
        (0, -1, errors.ERR_NONE),
        (1, 5, errors.ERR_NONE),
        (1, 4, errors.ERR_FENCED_LEADER_EPOCH),
        (1, 6, errors.ERR_UNKNOWN_LEADER_EPOCH),
    ],
)
def test_a_broker_compares_the_epoch_of_a_reader_with_its_own_as_con_2_says(
    broker: int, epoch: int, error: int
) -> None:
    """CON-2, FFR-5: leader and follower alike, both in epoch 5; a reader that knows no epoch says -1."""
    run = world()
    run.run(2 * SECOND)
    replica = copy_on(run, broker)
    replica.epoch = 5
    assert check_reader(replica.broker, replica, ConsumerPosition(0, 0, epoch)) == error


def reading_nearby() -> World:
    """A consumer in zone c, which reads from broker 2; broker 0 leads."""
    run = world(
        cluster={
            "brokers": [{"id": i, "rack": rack} for i, rack in enumerate("abc")],
            "controllers": [100],
            "config": {"replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector"},
        },
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        consumers=[{"id": "C", "rack": "c", "partitions": [["t", 0]], "config": {"auto.offset.reset": "latest"}}],
    )
    run.run(5 * SECOND)
    return run


@pytest.mark.parametrize(("broker", "resets"), [(2, False), (0, True)])
def test_only_the_leader_says_that_a_position_is_out_of_range(broker: int, resets: bool) -> None:
    """CON-5: a follower may not know the newest records yet; the leader is asked before anything is reset."""
    run = reading_nearby()
    reader = run.cluster_parts.consumers[0].reader()
    position = reader.assignment.positions[0]
    assert (position.preferred, position.leader, position.state) == (2, 0, FETCHING)
    facts(run)
    connection = next(c for c in reader.connections if c.broker.id == broker)
    assert isinstance(connection, ReaderConnection)
    offset = position.offset
    reader._fetch_failed(connection, position, ConsumerPart(0, errors.ERR_OFFSET_OUT_OF_RANGE, [], 0))
    assert position.state == (RESETTING if resets else FETCHING)
    assert position.offset == offset
    if not resets:
        assert position.preferred == -1
        run.run(run.now_us + 5 * SECOND)
        assert facts(run, ConsumerReset) == []


# -- TCP-1, PROD-12


def test_tcp_repeats_after_a_fifth_of_a_second_and_doubling_pauses() -> None:
    """TCP-1: at 0.204 (2^k - 1) s, each pause longer by up to a grain of the timer wheel: an eighth at most."""
    most = [4, 32, 32, 32, 256, 256, 256]
    early = [204 * (2**k - 1) for k in range(1, 8)]
    late = [at + sum(most[: k + 1]) for k, at in enumerate(early)]
    for seed in range(40):
        before = 0
        for first, last in zip(early, late, strict=True):
            at = next_retransmission(7, 7 + before + 1, Stream(seed, "link 1>2", "retransmission")) - 7
            assert first * MS <= at < last * MS
            assert next_retransmission(7, 7 + at, Stream(seed, "link 1>2", "retransmission")) == 7 + at
            before = at


def test_a_request_that_waits_for_the_high_watermark_holds_up_the_next_of_its_connection() -> None:
    """PROD-12: the followers of t-1 are all there, but only one request of a connection is in hand."""
    run = world(
        topics=[{"name": "t", "assignment": [[0, 1], [0, 2]], "config": {"min.insync.replicas": 2}}],
        producers=[{"id": "P", "topic": "t", "rate": 0, "acks": "all", "config": {"linger.ms": 0}}],
        timeline=[
            {"at": "3s", "do": "cut 0|1"},
            {"at": "4s", "do": "send P t-0 1"},
            {"at": "5s", "do": "send P t-1 1"},
        ],
    )
    run.run(10 * SECOND)
    other = run.cluster.by_id[0].replica(1)
    assert other is not None
    assert (copy_on(run, 0).log.leo, other.log.leo) == (1, 0)
    run.act(run.now_us + 1, "heal")
    run.run(run.now_us + 40 * SECOND)
    assert other.log.leo == 1


# -- LIVE-1


def test_a_heartbeat_that_is_not_answered_is_given_up_after_2_s_and_repeated_after_2_s_more() -> None:
    run = world(cluster={"brokers": [0, 1, 2], "controllers": [100]}, timeline=[{"at": "5s", "do": "cut 100>2"}])
    run.run(5 * SECOND)
    facts(run)
    lifecycle = run.cluster.by_id[2].lifecycle
    channel = lifecycle.channel
    assert channel is not None
    conn = channel.conn
    while channel.conn == conn:
        run.run(run.now_us + 10 * MS)
        assert run.now_us < 20 * SECOND
    sent = [f.t / SECOND for f in facts(run, Flight) if (f.src, f.dst) == (2, 100) and f.msg == HEARTBEAT]
    assert 3.98 <= run.now_us / SECOND - sent[0] <= 4.02
    assert len(sent) == 1


# -- REG-1


def test_a_broker_asks_to_be_unfenced_as_soon_as_it_has_applied_its_own_registration() -> None:
    """REG-1: no heartbeat interval passes in between (what else a process does after a quick start is soon done)."""
    run = world()
    run.run(2 * SECOND)
    lifecycle = run.cluster.by_id[2].lifecycle
    run.act(run.now_us + 1, "stop 2")
    run.act(run.now_us + 20 * SECOND, "start 2 after 0.5s")
    run.run(run.now_us + 60 * SECOND)
    states = [(f.t / SECOND, f.state) for f in facts(run, BrokerRegistration) if f.broker == 2 and f.t / SECOND > 20]
    registered = [at for at, state in states if state != REG_ACTIVE]
    active = [at for at, state in states if state == REG_ACTIVE]
    assert lifecycle.state == 4
    assert len(registered) == len(active) == 1
    assert active[0] - registered[0] < 1.8


# -- FLT-7


@pytest.mark.parametrize(("pause", "least", "most"), [(35, 1.0, 3.5), (20, 0.0, 1.0)])
def test_a_follower_paused_for_longer_than_a_fetch_may_take_gives_it_up_and_waits_once(
    pause: int, least: float, most: float
) -> None:
    """FLT-7: timers come before what waits in its sockets (back after 1.33 s; after a short pause 0.14 to 0.74 s)."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 50, "acks": "all"}])
    run.run(3 * SECOND)
    run.act(run.now_us + 1, "pause 2")
    run.act(run.now_us + pause * SECOND, "resume 2")
    run.run(run.now_us + pause * SECOND)
    copy = copy_on(run, 2)
    resumed, leo = run.now_us, int(copy.log.leo)
    while copy.log.leo <= leo + 50:
        run.run(run.now_us + 10 * MS)
        assert run.now_us < resumed + 20 * SECOND
    assert least <= (run.now_us - resumed) / SECOND <= most


# -- FET-11, LOG-9


def answer_to(follower: Partition, part: FetchPart) -> None:
    """The follower's fetcher takes in an answer with one part."""
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    answer = FetchAnswer()
    answer.tell([part])
    fetcher.process(answer)


def test_a_follower_drops_batches_above_the_epoch_it_fetched_with() -> None:
    """LOG-9: the leader may have been elected anew between the request and the answer."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 10}])
    run.run(3 * SECOND)
    follower = copy_on(run, 1)
    leo, epoch = int(follower.log.leo), int(follower.epoch)
    batches = [Batch(leo, 1, epoch, 0, 0, -1, -1, -1, 0), Batch(leo + 1, 1, epoch + 1, 0, 0, -1, -1, -1, 0)]
    answer_to(follower, FetchPart(0, errors.ERR_NONE, epoch, leo, 0, 0, batches))
    assert (follower.log.leo, follower.log.cache.last()) == (leo + 1, epoch)


# -- PROD-3


class Answered:
    """A connection that keeps what is answered on it."""

    def __init__(self) -> None:
        self.conn = 0  # as in a request that nobody has sent
        self.got: list[Any] = []

    def answer(self, answer: Any) -> None:
        self.got.append(answer)


def two_partitions() -> World:
    """Broker 0 leads t-0 with one replica in sync and alone-0, whose only copy is its own; two are wanted of t."""
    run = world(
        topics=[
            {"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}},
            {"name": "alone", "assignment": [[0]]},
        ],
        producers=[{"id": "P", "topic": "t"}],
    )
    run.run(2 * SECOND)
    copy_on(run, 0).isr = [0]
    return run


def test_a_request_is_decided_partition_by_partition() -> None:
    """PROD-3: what one partition refuses another takes; test, append and high watermark are one step of each."""
    run = two_partitions()
    refuses, takes = copy_on(run, 0, 0), copy_on(run, 0, 1)
    channel: Any = Answered()
    batches = [ProduceBatch(p, 0, 0, 3, -1, -1, -1) for p in (0, 1)]
    broker_of(refuses).handle_produce(channel, ProduceRequest(1, ACKS_ALL, 30 * SECOND, batches))
    assert (refuses.log.leo, takes.log.leo, takes.hw) == (0, 3, 3)
    [answer] = channel.got
    assert [(r.error, r.offset) for r in answer.results] == [(errors.ERR_NOT_ENOUGH_REPLICAS, -1), (errors.ERR_NONE, 0)]


@pytest.mark.parametrize("first", [0, 1])
def test_a_request_waits_for_all_its_partitions_while_each_is_visible_on_its_own(first: int) -> None:
    """PROD-3, PROD-5: t-0 waits for its followers; what alone-0 took can be read meanwhile."""
    run = two_partitions()
    waits, takes = copy_on(run, 0, 0), copy_on(run, 0, 1)
    waits.isr = [0, 1, 2]
    waits.refresh_maximal_isr()
    channel: Any = Answered()
    batches = [ProduceBatch(p, 0, 0, 3, -1, -1, -1) for p in (first, 1 - first)]
    broker_of(waits).handle_produce(channel, ProduceRequest(1, ACKS_ALL, 30 * SECOND, batches))
    assert (waits.hw, takes.hw, channel.got) == (0, 3, [])
    run.run(run.now_us + SECOND)
    assert [r.error for r in channel.got[0].results] == [errors.ERR_NONE, errors.ERR_NONE]
