"""Two clusters in one world against the same clusters in two worlds, side by side in this process."""

import statistics
from typing import Any, Final

from simengine.scenario import load
from simengine.world.world import build
from tests.bench.engine import MINUTE_US, document, run_with_facts

MINUTES: Final = 3
ROUNDS: Final = 3  # of each side, one after the other; the median counts
NAMES: Final = ("east", "west")
OF_A_CLUSTER: Final = ("profile", "cluster", "topics", "producers", "consumers", "network", "phases", "faults")


def both() -> dict[str, Any]:
    """The reference workload twice, as two clusters of a document."""
    part = {key: value for key, value in document().items() if key in OF_A_CLUSTER}
    return {"format": 1, "clusters": dict.fromkeys(NAMES, part)}


def seconds(content: dict[str, Any]) -> float:
    """Wall seconds a simulated minute."""
    return run_with_facts(build(load(content)), MINUTES * MINUTE_US) / MINUTES


def measure() -> dict[str, float]:
    """The cost of two clusters in one world, against their cost in two worlds."""
    together, apart = [], []
    for _ in range(ROUNDS):
        together.append(seconds(both()))
        apart.append(sum(seconds(document()) for _ in NAMES))
    one, two = statistics.median(together), statistics.median(apart)
    print(f"two clusters in one world {one:.4f} s a simulated minute, in two worlds {two:.4f} s ({ROUNDS} rounds)")
    return {"two_clusters_ratio": round(one / two, 3)}
