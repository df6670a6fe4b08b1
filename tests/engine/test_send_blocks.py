"""A call of ``send`` that finds no metadata of its topic: it waits, and the application's thread with it (PC-14)."""

from typing import Any

from simengine.facts.errors import ERR_CLIENT_CLOSED, ERR_DELIVERY_TIMEOUT
from simengine.facts.traffic import CallsMade, CallsSettled
from tests.engine.cluster import SECOND, facts, world

# when the last broker dies the client knows of no other: the dead ones are fenced and out of its metadata
EVERY_BROKER: list[tuple[float, str]] = [(1, "kill 1"), (4, "kill 0"), (25, "kill 2")]


def told(steps: list[tuple[float, str]], until: int, **config: Any) -> list[Any]:
    """The facts about the calls of a producer of 5 records/s with acks=1."""
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 5, "acks": "1", "config": config}],
        timeline=[{"at": f"{int(at * 1000)}ms", "do": verb} for at, verb in steps],
    )
    run.run(until * SECOND)
    return facts(run, CallsMade, CallsSettled)


def calls_made(told: list[Any], first: float, last: float) -> int:
    """The number of calls made between two times (s)."""
    return sum(fact.count for fact in told if isinstance(fact, CallsMade) and first < fact.t / SECOND <= last)


def failures(told: list[Any]) -> list[tuple[int, int, int]]:
    """(error, count, whole second) of the calls that failed."""
    ended = [fact for fact in told if isinstance(fact, CallsSettled) and fact.error]
    return [(fact.error, fact.count, int(fact.t / SECOND)) for fact in ended]


def test_send_blocks_while_the_client_looks_for_a_cluster_and_the_calls_are_made_up_for_afterwards() -> None:
    """PC-14, f061, f083, f095: all brokers were gone, so the client began anew and knew no topic."""
    run = told([*EVERY_BROKER, (60, "start 2")], 90)
    assert calls_made(run, 28, 60) <= 1
    assert abs(calls_made(run, 0, 90) - 5 * 90) <= 1
    assert failures(run) == []


def test_a_blocked_call_fails_after_a_minute_and_the_next_one_blocks() -> None:
    """PC-14: TimeoutException, "Topic t not present in metadata after 60000 ms"."""
    run = told([*EVERY_BROKER, (160, "start 2")], 155)
    blocked = [failure for failure in failures(run) if failure[2] < 150]  # later the queue's own two minutes are over
    assert [(error, count) for error, count, _ in blocked] == [(ERR_DELIVERY_TIMEOUT, 1)] * 2
    assert 85 <= blocked[0][2] <= 88
    assert blocked[1][2] - blocked[0][2] in (60, 61)


def test_max_block_ms_says_how_long_a_call_waits() -> None:
    """PC-14."""
    run = told(EVERY_BROKER, 70, **{"max.block.ms": 10_000})
    assert [count for _, count, _ in failures(run)] == [1, 1, 1, 1]


def test_closing_the_client_ends_the_call_that_blocks_and_a_crash_leaves_it_without_an_answer() -> None:
    """PC-14: KafkaException, "Producer closed while send in progress"."""
    closed = told([*EVERY_BROKER, (40, "close P")], 45)
    assert (ERR_CLIENT_CLOSED, 1, 40) in failures(closed)
    crashed = told([*EVERY_BROKER, (40, "crash P"), (45, "open P"), (50, "start 2")], 80)
    assert failures(crashed) == []
    assert calls_made(crashed, 60, 80) > 90
