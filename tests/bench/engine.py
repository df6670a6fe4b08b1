"""The engine alone: against SimPy on the reference workload, by size of the cluster, and how long a replay takes."""

import statistics
import time
from importlib import resources
from typing import Any, Final

import yaml

from playground.rooms.limits import RUN_EVENTS_MAX
from simengine import engine_form
from simengine.scenario import load
from simengine.world.world import World, build
from tests.bench.simpy_model import Model

MINUTES: Final = 10
MINUTE_US: Final = 60_000_000
ROUNDS: Final = 3  # of each side, one after the other; the median counts
BATCHES_A_SECOND: Final = 50  # a partition
SMALL, LARGE = 12, 1_200  # partitions
LARGE_SECONDS: Final = 10  # simulated
TAKE_US: Final = 1_000_000  # facts are taken over as a room does, once a simulated second


def document(partitions: int = SMALL) -> dict[str, Any]:
    """The reference workload: the built-in document, with as many partitions at the same rate each."""
    text = resources.files("simengine.scenario.builtin").joinpath("reference.yaml").read_text()
    content: dict[str, Any] = yaml.safe_load(text)
    brokers = len(content["cluster"]["brokers"])
    content["topics"][0]["assignment"] = [
        [(number + slot) % brokers for slot in range(3)] for number in range(partitions)
    ]
    content["producers"][0]["rate"] = partitions * BATCHES_A_SECOND
    return content


def run_with_facts(world: World, until_us: int) -> float:
    """Run, facts on, to a time; returns wall seconds."""
    world.trace.keep_traffic = True
    started = time.perf_counter()
    while world.now_us < until_us:
        world.run(min(until_us, world.now_us + TAKE_US))
        world.trace.take()
    return time.perf_counter() - started


def against_simpy() -> dict[str, float]:
    """Wall seconds a simulated minute of both, side by side in this process."""
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(run_with_facts(build(load(document())), MINUTES * MINUTE_US) / MINUTES)
        model = Model()
        started = time.perf_counter()
        model.run(MINUTES * MINUTE_US)
        theirs.append((time.perf_counter() - started) / MINUTES)
    mine, simpy = statistics.median(ours), statistics.median(theirs)
    print(f"engine {mine:.4f} s a simulated minute, SimPy {simpy:.4f} s ({ROUNDS} rounds of {MINUTES} minutes each)")
    return {
        "seconds_per_simulated_minute": round(mine, 4),
        "ratio_to_simpy": round(simpy / mine, 2),
        "us_per_batch": round(mine * 1e6 / (60 * SMALL * BATCHES_A_SECOND), 2),
    }


def by_size() -> dict[str, float]:
    """The cost of a partition in a cluster of a hundred times as many, against its cost in the small cluster."""
    cost = {}
    for partitions in (SMALL, LARGE):
        world = build(load(document(partitions)))
        run_with_facts(world, TAKE_US)  # the first second starts everything
        cost[partitions] = run_with_facts(world, TAKE_US * (1 + LARGE_SECONDS)) / partitions
        print(
            f"{partitions} partitions: {cost[partitions] * 1e6 / LARGE_SECONDS:.0f} us a partition and simulated second"
        )
    return {"cost_per_partition_ratio_1200_to_12": round(cost[LARGE] / cost[SMALL], 2)}


def replay() -> dict[str, float]:
    """Seconds to replay a run that is as long as a room lets it become."""
    limit = RUN_EVENTS_MAX[engine_form()]
    world = build(load({**document(), "until": "24h"}))
    started = time.perf_counter()
    while world.events < limit:
        world.run(world.now_us + MINUTE_US, limit - world.events)
    seconds = time.perf_counter() - started
    print(f"replay of {limit:,} events: {seconds:.1f} s")
    return {"replay_seconds_at_event_limit": round(seconds, 1)}
