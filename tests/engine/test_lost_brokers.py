"""Clients, administrators and fetchers while brokers are silent, dead or just back (PC-12, PC-13, QUO-8, FET-16)."""

from simengine.clients.producer.producer import Producer
from simengine.facts.decisive import ConfigChanged, PartitionChanged, RequestRefused, RequestWaits
from simengine.facts.errors import ERR_NOT_CONTROLLER
from simengine.facts.traffic import CallsSettled
from simengine.world.world import World
from tests.engine.cluster import SECOND, facts, world

EVERY_BROKER = ("kill 0", "kill 1", "kill 2")


def run_of(steps: list[tuple[float, str]], **document: object) -> World:
    return world(
        producers=[{"id": "P", "topic": "t", "rate": 0, "acks": "1", "via": [0], "state": "closed"}],
        timeline=[{"at": f"{int(at * 1000)}ms", "do": verb} for at, verb in steps],
        **document,
    )


def producer(run: World) -> Producer:
    found = run.cluster_parts.producers[0]
    assert isinstance(found, Producer)
    return found


def test_nothing_is_sent_to_a_paused_broker_on_a_new_connection_before_it_answers_the_first_request() -> None:
    """PC-12, f089: the kernel accepts the connection, but only the process answers ApiVersions."""
    run = run_of([(1, "pause 0"), (2, "open P"), (2, "send P t-0 3"), (5, "resume 0")])
    run.run(4_900_000)
    assert [int(calls.in_flight) for calls in producer(run).calls] == [0]
    run.run(7 * SECOND)
    settled = facts(run, CallsSettled)
    assert [(fact.error, fact.t / SECOND > 5) for fact in settled] == [(0, True)] * len(settled)
    assert sum(fact.count for fact in settled) == 3


def test_a_connection_that_waits_for_its_first_answer_breaks_when_the_paused_process_dies() -> None:
    """PC-12, PC-7."""
    run = run_of([(1, "pause 0"), (2, "open P"), (2, "send P t-0 1"), (4, "kill 0"), (30, "start 0")])
    run.run(80 * SECOND)
    assert [fact.error for fact in facts(run, CallsSettled)] == [0]


def test_a_client_that_has_lost_all_brokers_tries_one_a_second() -> None:
    """PC-13, f059: every failed connection counts as a failed refresh, which backs off to 1 s."""
    run = run_of([(1, "open P"), (1, "rate P 5 t-0"), *((5.0, verb) for verb in EVERY_BROKER)])
    run.run(20 * SECOND)
    sender = producer(run)._sender
    assert sender is not None
    before = sum(int(connection.conn) for connection in sender.connections)
    run.run(40 * SECOND)
    attempts = (sum(int(connection.conn) for connection in sender.connections) - before) // 2
    assert 15 <= attempts <= 45, attempts


def test_a_setting_takes_effect_when_a_broker_is_back_within_a_minute() -> None:
    """QUO-8, f095."""
    steps = [*((5.0, verb) for verb in EVERY_BROKER), (20, "config t min.insync.replicas 1"), (40, "start 1")]
    run = run_of(steps)
    run.run(90 * SECOND)
    changed = facts(run, ConfigChanged, RequestRefused, RequestWaits)
    assert [type(fact) for fact in changed] == [RequestWaits, ConfigChanged] and changed[0].broker == -1
    assert 41 < changed[1].t / SECOND < 60


def test_a_setting_that_nobody_carries_for_a_minute_is_refused() -> None:
    """QUO-7."""
    run = run_of([*((5.0, verb) for verb in EVERY_BROKER), (20, "config t min.insync.replicas 1"), (90, "start 1")])
    run.run(120 * SECOND)
    changed = facts(run, ConfigChanged, RequestRefused)
    assert [type(fact) for fact in changed] == [RequestRefused]
    assert changed[0].error == ERR_NOT_CONTROLLER
    assert 80 <= changed[0].t / SECOND <= 81.1


def test_an_election_without_a_controller_runs_on_activation() -> None:
    """QUO-8."""
    document = {"cluster": {"brokers": [0, 1, 2], "controllers": [100, 101, 102], "active": 100}}
    steps = [(5, "kill 0"), (20, "start 0"), (45, "kill 100"), (45.5, "elect preferred t-0")]
    run = run_of([(float(at), verb) for at, verb in steps], **document)
    run.run(60 * SECOND)
    leaders = [(fact.leader, fact.t / SECOND) for fact in facts(run, PartitionChanged) if fact.t / SECOND > 45]
    assert [leader for leader, _ in leaders] == [0]
    assert leaders[0][1] < 50


def test_the_first_fetch_of_a_process_that_only_led_takes_its_time_once() -> None:
    """FET-16: none at the beginning of a run, up to 1.5 s later."""
    joined = []
    for seed in range(1, 9):
        run = run_of([(5, "pause 0"), (25, "resume 0")], seed=seed)
        run.run(40 * SECOND)
        joined += [fact.t / SECOND - 25 for fact in facts(run, PartitionChanged) if fact.t / SECOND > 25]
    assert len(joined) == 8
    assert max(joined) > 0.4 and max(joined) < 3


def test_refreshes_that_fail_are_kept_apart_by_a_pause_that_doubles_up_to_a_second() -> None:
    """PC-13: 100 ms, 200, 400, 800, and then 1 s, give or take 20 %."""
    run = run_of([(1, "open P")])
    run.run(2 * SECOND)
    sender = producer(run)._sender
    assert sender is not None
    metadata = sender.metadata
    for pause_ms in (100, 200, 400, 800, 1000, 1000):
        metadata.refresh_failed()
        waited_ms = (metadata._allowed_at - run.now_us) / 1000
        assert 0.79 * pause_ms <= waited_ms <= min(1.21 * pause_ms, 1000)
