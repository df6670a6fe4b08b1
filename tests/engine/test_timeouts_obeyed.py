"""Time limits that a document sets: who waits for what goes by its own key (docs/rules/settings.md)."""

from itertools import pairwise
from typing import Any

import pytest

from simengine.facts.decisive import ControllerChanged
from simengine.facts.kinds import MSG_NAMES
from simengine.facts.traffic import Flight
from simengine.kafka.broker.lifecycle import PORT_OPENS_MIN_US, RUNNING
from simengine.kafka.replica.isr_changes import propose
from simengine.kafka.replica.replica import PENDING_SHRINK
from simengine.world.world import World
from tests.engine.cluster import SECOND, copy_on, facts, fetcher_of, world

MS = 1_000
HEARTBEAT = MSG_NAMES.index("Heartbeat")


def cluster(config: dict[str, Any], timeline: list[tuple[str, str]], controllers: int = 3, seed: int = 5) -> World:
    """Brokers 0, 1, 2 and some controllers, of which 100 is active at first."""
    nodes = {"brokers": [0, 1, 2], "controllers": [100, 101, 102][:controllers], "active": 100, "config": config}
    return world(cluster=nodes, timeline=[{"at": at, "do": do} for at, do in timeline], seed=seed)


def reigns(run: World) -> list[tuple[float, int]]:
    """(time, controller) of every change of the active one, -1: none."""
    return [(fact.t / SECOND, fact.controller) for fact in facts(run, ControllerChanged) if fact.t / SECOND > 0]


# -- QUO-2, QUO-3


@pytest.mark.parametrize(("fetch_ms", "least", "most"), [(2_000, 3.2, 3.75), (20_000, 30.2, 30.75), (1_000, 1.7, 2.25)])
def test_a_controller_without_a_majority_gives_up_after_one_and_a_half_fetch_timeouts(
    fetch_ms: int, least: float, most: float
) -> None:
    """QUO-3: and a link that is cut later on does not make it wait anew."""
    config = {"controller.quorum.fetch.timeout.ms": fetch_ms}
    run = cluster(config, [("5s", "cut 100|101,102"), ("5500ms", "cut 101|102")])
    run.run(60 * SECOND)
    [(at, controller)] = reigns(run)
    assert controller == -1
    assert least <= at - 5 <= most + 0.5


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("fetch_ms", "least", "most"), [(2_000, 1.7, 4.5), (20_000, 19.7, 22.5), (1_000, 0.7, 3.5)])
def test_followers_wait_one_fetch_timeout_for_a_controller_that_fell_silent(
    fetch_ms: int, least: float, most: float, seed: int
) -> None:
    """QUO-2: the vote comes on top; a change elsewhere does not make them wait anew."""
    run = cluster(
        {"controller.quorum.fetch.timeout.ms": fetch_ms},
        [("5s", "kill 100"), ("5500ms", "cut 0|101")],
        seed=seed,
    )
    run.run(60 * SECOND)
    (lost, nobody), (elected, controller) = reigns(run)
    assert (lost, nobody) == (5, -1)
    assert controller in (101, 102)
    assert least <= elected - 5 <= most + 0.5


def test_a_controller_that_stops_in_order_is_followed_at_once_whatever_the_fetch_timeout() -> None:
    """QUO-2: it tells its followers."""
    run = cluster({"controller.quorum.fetch.timeout.ms": 20_000}, [("5s", "stop 100")])
    run.run(60 * SECOND)
    (lost, nobody), (elected, controller) = reigns(run)
    assert (nobody, controller > 0) == (-1, True)
    assert 5 < lost < elected < 6.1


@pytest.mark.parametrize(("verb", "least", "most"), [("kill 100", 23, 23.1), ("stop 100", 9.3, 10.6)])
def test_a_vote_that_comes_back_is_not_used_before_the_others_have_waited_for_their_leader(
    verb: str, least: float, most: float
) -> None:
    """QUO-2: 101 died before; the fetch timer of 102 runs from the loss of 100 on, unless that one took its leave."""
    config = {"controller.quorum.fetch.timeout.ms": 20_000}
    run = cluster(config, [("4s", "kill 101"), ("5s", verb), ("8s", "start 101 after 1s")])
    run.run(60 * SECOND)
    at, controller = reigns(run)[-1]
    assert controller > 0
    assert least <= at <= most


# -- AP-1, LIVE-1, FET-14


@pytest.mark.parametrize(
    ("key", "seconds"),
    [("controller.socket.timeout.ms", 3), ("replica.socket.timeout.ms", 30), ("request.timeout.ms", 30)],
)
def test_a_proposal_without_answer_is_given_up_when_the_channel_to_the_controller_says(key: str, seconds: int) -> None:
    """AP-1: not when a fetcher would give up."""
    run = cluster({key: 3_000, "broker.session.timeout.ms": 60_000}, [("5s", "pause 100")], controllers=1)
    run.run(6 * SECOND)
    propose(copy_on(run, 0), PENDING_SHRINK, [0, 1], 0)
    manager = run.cluster.by_id[0].alter_manager
    while not manager._in_flight:
        run.run(run.now_us + 10 * MS)
    begun, conn = run.now_us, manager.channel.conn if manager.channel else -1
    while manager.channel is None or manager.channel.conn == conn:
        run.run(run.now_us + 10 * MS)
    assert abs((run.now_us - begun) / SECOND - seconds) < 0.1


@pytest.mark.parametrize(("key", "seconds"), [("controller.socket.timeout.ms", 3.0), ("request.timeout.ms", 4.0)])
def test_a_heartbeat_is_given_up_no_later_than_any_request_to_the_controller(key: str, seconds: float) -> None:
    """LIVE-1: the shorter of the two limits, and 2 s more until it is repeated."""
    run = cluster({key: 1_000}, [("5s", "cut 100>2")], controllers=1)
    run.run(5 * SECOND)
    facts(run)
    channel = run.cluster.by_id[2].lifecycle.channel
    assert channel is not None
    conn = channel.conn
    while channel.conn == conn:
        run.run(run.now_us + 10 * MS)
    sent = [f.t / SECOND for f in facts(run, Flight) if (f.src, f.dst, f.msg) == (2, 100, HEARTBEAT)]
    assert abs(run.now_us / SECOND - sent[0] - seconds) <= 0.02


@pytest.mark.parametrize(
    ("key", "seconds"),
    [("request.timeout.ms", 3), ("replica.socket.timeout.ms", 30), ("controller.socket.timeout.ms", 30)],
)
def test_a_fetch_without_answer_is_given_up_after_the_brokers_request_timeout(key: str, seconds: int) -> None:
    """FET-14: the socket's own limit is one for connecting only."""
    run = cluster({key: 3_000}, [("5s", "pause 0")])
    run.run(5 * SECOND)
    fetcher = fetcher_of(copy_on(run, 2))
    assert fetcher is not None
    conn = fetcher.channel.conn
    run.run((5 + seconds) * SECOND - 600 * MS)
    assert fetcher.channel.conn == conn
    run.run((5 + seconds) * SECOND + 100 * MS)
    assert fetcher.channel.conn != conn


def test_every_partition_of_a_write_that_times_out_is_counted() -> None:
    """PROD-8, MET-12: one request with two partitions, whose followers are paused."""
    run = world(
        cluster={"brokers": [0, 1, 2], "controllers": [100], "config": {"broker.session.timeout.ms": 60_000}},
        topics=[{"name": "t", "assignment": [[0, 1, 2], [0, 1, 2]], "config": {"min.insync.replicas": 2}}],
        producers=[
            {"id": "P", "topic": "t", "config": {"linger.ms": 50, "request.timeout.ms": 3_000, "retries": 0}},
        ],
        timeline=[
            {"at": "3s", "do": "send P t-0 1"},
            {"at": "3s", "do": "send P t-1 1"},
            {"at": "5s", "do": "pause 1"},
            {"at": "5s", "do": "pause 2"},
            {"at": "6s", "do": "send P t-0 1"},
            {"at": "6s", "do": "send P t-1 1"},
        ],
    )
    run.run(8 * SECOND)
    metrics = run.cluster.by_id[0].metrics
    assert metrics.expired_produces == 0
    run.run(10 * SECOND)
    assert metrics.expired_produces == 2


def test_a_broker_opens_its_port_a_little_after_it_is_unfenced() -> None:
    """ELEC-9: the first connections to a returning sole candidate are refused."""
    run = world(timeline=[{"at": "3s", "do": "stop 2"}, {"at": "20s", "do": "start 2 after 1s"}])
    run.run(20 * SECOND)
    broker = run.cluster.by_id[2]
    while broker.lifecycle.state != RUNNING:
        run.run(run.now_us + 1_000)
    told = run.now_us
    steps = 0
    while not broker.listening:
        run.run(run.now_us + 1_000)
        steps += 1
    assert run.now_us - told >= PORT_OPENS_MIN_US
    assert 10 < steps < 3_000


@pytest.mark.parametrize(("socket_ms", "least", "most"), [(3_000, 3.0, 3.0), (30_000, 8.0, 12.0)])
def test_a_connection_attempt_of_a_fetcher_ends_with_the_sockets_timeout(
    socket_ms: int, least: float, most: float
) -> None:
    """FET-14, TCP-1: or with that of connection setup, 10 s +-20 %, if this one is shorter."""
    config = {"request.timeout.ms": 2_000, "replica.socket.timeout.ms": socket_ms, "replica.fetch.backoff.ms": 0}
    run = cluster(config, [("5s", "cut 0|2")])
    run.run(5 * SECOND)
    fetcher = fetcher_of(copy_on(run, 2))
    assert fetcher is not None
    ends: list[int] = []
    conn = fetcher.channel.conn
    while len(ends) < 4:
        run.run(run.now_us + 10 * MS)
        if fetcher.channel.conn != conn:
            conn = fetcher.channel.conn
            ends.append(run.now_us)
    attempts = [(b - a) / SECOND for a, b in pairwise(ends[1:])]
    assert all(least - 0.02 <= attempt <= most + 0.02 for attempt in attempts), attempts
