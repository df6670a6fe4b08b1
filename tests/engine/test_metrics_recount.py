"""metrics_recomputed of what only a run's traffic tells of: lags (MET-11) and expired writes (MET-12)."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simengine.facts.decisive import FollowerStarted, LeaderActivated, ProcessChanged, ReplicaGone
from simengine.facts.kinds import PROCESS_DOWN, PROCESS_PAUSED, PROCESS_RUNNING
from simengine.facts.traffic import Appended, HwMoved
from simengine.scenario import load
from simengine.world.world import World, build
from tests.checked import checked
from tests.engine.cluster import LAGGING, copy_on
from tests.engine.made_facts import made
from tests.invariants.violation import Violation
from tests.recount.changes import Changes
from tests.recount.expired import REAPED_US, Expired
from tests.recount.metrics import metrics_recomputed
from tests.recount.told import Told

ROOT = Path(__file__).parent.parent.parent
SECOND = 1_000_000


def recounted(document: Any, until_us: int) -> tuple[World, Callable[[], None]]:
    """A run whose metrics are recounted every second, and a further recount of it."""
    world = checked(load(document))
    changes, told = Changes(world.cluster), Told(world, [])

    def recount() -> None:
        metrics_recomputed(world.cluster, changes, told)

    while world.now_us < until_us:
        world.run(min(world.now_us + SECOND, until_us))
        recount()
    return world, recount


@pytest.mark.parametrize("wrong", [-1, 1])
def test_another_number_of_expired_writes_is_rejected(wrong: int) -> None:
    document = (ROOT / "tests" / "scenarios" / "s03b-failed-is-no-proof-of-absence.yaml").read_bytes()
    world, recount = recounted(document, 60 * SECOND)
    counts = world.cluster.by_id[0].metrics
    assert counts.expired_produces == 1
    recount()
    counts.expired_produces += wrong
    with pytest.raises(Violation, match="metrics_recomputed at broker 0: ExpiresPerSec says"):
        recount()


@pytest.mark.parametrize(("told", "said"), [(0, "says 0"), (9_000, "says "), (-1, "is not said")])
def test_another_lag_of_a_follower_is_rejected(told: int, said: str) -> None:
    world, recount = recounted(LAGGING, 16 * SECOND)
    follower = copy_on(world, 2)
    assert 0 < follower.log.leo < follower.leader_hw < 9_000
    recount()
    follower.leader_hw = told
    with pytest.raises(Violation, match=f"metrics_recomputed at broker 2: ConsumerLag,.*topic=t,partition=0 {said}"):
        recount()


LEADS = made(LeaderActivated, epoch=1, pe=1, start=5, hw=5, leo=5)
DEADLINE = 30 * SECOND


@pytest.mark.parametrize(
    ("facts", "now", "bounds"),
    [
        ([], DEADLINE - 1, (0, 0)),
        ([], DEADLINE, (0, 1)),
        ([], DEADLINE + REAPED_US + 1, (1, 1)),
        ([made(HwMoved, 0, 1, broker=0, hw=7)], DEADLINE + SECOND, (0, 0)),
        ([made(HwMoved, 0, 1, broker=0, hw=6)], DEADLINE + SECOND, (1, 1)),
        ([made(HwMoved, 0, 1, broker=1, hw=7)], DEADLINE + SECOND, (1, 1)),
        ([made(HwMoved, 0, DEADLINE + 5, broker=0, hw=7)], DEADLINE + SECOND, (0, 1)),
        ([made(HwMoved, 0, DEADLINE + SECOND, broker=0, hw=7)], DEADLINE + SECOND, (1, 1)),
        ([made(FollowerStarted, 0, 1, epoch=2, leader=1, hw=5, leo=7)], DEADLINE + SECOND, (0, 0)),
        ([made(ReplicaGone, 0, 1)], DEADLINE + SECOND, (0, 0)),
        ([made(ProcessChanged, 0, DEADLINE + SECOND, state=PROCESS_DOWN)], DEADLINE + SECOND, (0, 0)),
        ([made(ProcessChanged, 0, 1, state=PROCESS_PAUSED)], DEADLINE + SECOND, (0, 1)),
        (
            [made(ProcessChanged, 0, 1, state=PROCESS_PAUSED), made(ProcessChanged, 0, 2, state=PROCESS_RUNNING)],
            DEADLINE + SECOND,
            (1, 1),
        ),
    ],
)
def test_a_wait_expires_unless_it_was_decided_before(facts: list[Any], now: int, bounds: tuple[int, int]) -> None:
    producers = [{"id": "P", "topic": "t", "rate": 0, "acks": "all", "config": {"request.timeout.ms": 30_000}}]
    nodes = {"brokers": [0, 1], "controllers": [100]}
    topics = [{"name": "t", "assignment": [[0, 1]]}]
    world = build(load({"format": 1, "cluster": nodes, "topics": topics, "producers": producers}))
    expired = Expired(world)
    client = int(world.cluster_parts.producers[0].number)
    append = made(Appended, base=5, count=2, client=client)  # of offsets 5 and 6 by broker 0, at 0 s
    for fact in (LEADS, append, *facts):
        expired.readers[type(fact)](fact)
    assert expired.bounds(0, now) == bounds


EXPIRED = "kafka.replica.produce_purgatory:ProducePurgatory._time_out"
COUNT = "self.broker.metrics.expired_produces"
LAG = "verdict.metrics:_lags"
BROKEN = """
import sys
from tests.mutants.mutant import mutant
from tests.mutants.patching import install

install(mutant("X", "", sys.argv[1], sys.argv[2], sys.argv[3]))
from tests.swarm import run

for seed in range(10, 200, 5):
    outcome = run.run_seed(seed)
    if outcome.name:
        sys.exit(outcome.name + " " + outcome.story[0])
"""


@pytest.mark.parametrize(
    ("place", "old", "new", "said"),
    [
        (EXPIRED, f"{COUNT} += 1", f"{COUNT} += 0", "ExpiresPerSec says 0"),
        pytest.param(EXPIRED, f"{COUNT} += 1", f"{COUNT} += 2", "ExpiresPerSec says", marks=pytest.mark.only_long),
        (LAG, "replica.leader_hw - replica.log.leo", "replica.leader_hw + 1 - replica.log.leo", "Lag"),
    ],
)
def test_the_swarm_sees_a_wrong_count(place: str, old: str, new: str, said: str) -> None:
    environment = {**os.environ, "HIGHWATER_ENGINE": "interpreted"}
    command = [sys.executable, "-c", BROKEN, place, old, new]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr.startswith("metrics_recomputed metrics_recomputed does not hold at broker ")
    assert said in done.stderr
