"""A producer whose buffer.memory is used up: the batches that linger go out (PC-1)."""

from itertools import pairwise
from typing import Any

import pytest

from simengine.facts.traffic import CallsMade, CallsSettled
from simengine.world.world import World
from tests.engine.cluster import SECOND, facts, world

PARTITIONS = 40


def lingering(rate: int = 40, **config: Any) -> World:
    """A producer that lingers for two minutes, with room for 31 batches; its calls go round 40 partitions."""
    settings = {"linger.ms": 120_000, "batch.size": 1_048_576, "delivery.timeout.ms": 600_000, **config}
    return world(
        topics=[{"name": "t", "assignment": [[i % 3] for i in range(PARTITIONS)]}],
        producers=[{"id": "P", "topic": "t", "rate": rate, "config": settings}],
    )


def firsts(run: World, until: int) -> tuple[float, float, int]:
    """The time (s) of the 31st call, the time of the first end of a call, and the number of ends within 1 s of it."""
    run.run(until * SECOND)
    seen = facts(run, CallsMade, CallsSettled)
    made = [f.t / SECOND for f in seen if isinstance(f, CallsMade)]
    ended = [f.t / SECOND for f in seen if isinstance(f, CallsSettled)]
    assert ended, "nothing went out"
    return made[30], ended[0], len([at for at in ended if at < ended[0] + 1])


@pytest.mark.parametrize("timeout", [5, 12])
def test_who_waits_for_memory_makes_all_batches_ready_at_the_senders_next_look(timeout: int) -> None:
    """PC-1: nobody wakes the sender's thread, which sleeps for request.timeout.ms at most since the last new batch."""
    blocked, first, ended = firsts(lingering(**{"request.timeout.ms": timeout * 1000}), 30)
    assert abs(first - blocked - timeout) < 0.5
    assert ended > 16, "of both brokers that it is connected to; at the third the answers find memory free again"


def test_the_end_of_any_linger_sends_everything_while_somebody_waits_for_memory() -> None:
    """PC-1: it makes the sender look; the 31 batches are between 60 ms and 1.5 s old."""
    blocked, first, ended = firsts(lingering(**{"linger.ms": 4_000, "request.timeout.ms": 30_000}), 20)
    assert first - blocked < 4.1 - 0.7
    assert ended >= 31


def test_nothing_goes_out_early_while_there_is_memory() -> None:
    """PC-1: with room for 327 batches nobody waits."""
    run = lingering(**{"batch.size": 100_000, "request.timeout.ms": 5_000})
    run.run(60 * SECOND)
    assert facts(run, CallsSettled) == []
    run.run(130 * SECOND)
    assert facts(run, CallsSettled) != []


def test_memory_that_comes_free_lets_the_batches_linger_again() -> None:
    """PC-1: each wave goes out as a whole, when the sender has slept."""
    run = lingering(**{"request.timeout.ms": 5_000})
    run.run(40 * SECOND)
    ends = sorted({round(f.t / SECOND, 1) for f in facts(run, CallsSettled)})
    waves = [at for before, at in zip([0.0, *ends], ends, strict=False) if at - before > 1]
    assert len(waves) >= 5
    assert all(4.9 < b - a < 7.5 for a, b in pairwise(waves)), waves
