"""Documents and plans for the tests of experiments."""

from typing import Any

from playground.whatif.pipeline.plan import ExperimentPlan, grid, lettered
from simengine.scenario import load, to_plain
from simengine.world.world import World

SECOND = 1_000_000

DOCUMENT: dict[str, Any] = {
    "format": 1,
    "title": "Three zones",
    "seed": 1,
    "until": "20s",
    "cluster": {
        "brokers": [{"id": 1, "rack": "az-a"}, {"id": 2, "rack": "az-b"}, {"id": 3, "rack": "az-c"}],
        "controllers": [{"id": 100, "rack": "az-c"}, {"id": 101, "rack": "az-b"}, {"id": 102, "rack": "az-c"}],
    },
    "topics": [
        {"name": "orders", "assignment": [[1, 2, 3]], "config": {"min.insync.replicas": 2}},
        {"name": "audit", "assignment": [[2, 3, 1]], "config": {"min.insync.replicas": 1}},
    ],
    "producers": [
        {"id": "P", "topic": "orders", "rate": 300, "acks": "all"},
        {"id": "Q", "topic": "audit", "rate": 5, "acks": "1", "config": {"enable.idempotence": False}},
    ],
    "network": {"latency": "8ms"},
    "timeline": [
        {"at": "2s", "do": "acks orders 1"},
        {"at": "3s", "do": "kill 1"},
        {"at": "3s", "do": "config orders min.insync.replicas 1"},
        {"at": "4s", "do": "config audit min.insync.replicas 2"},
        {"at": "5s", "do": "start 1"},
        {"at": "7s", "do": "kill 100"},
        {"at": "19s", "do": "cut 1|2"},
    ],
}


def document() -> dict[str, Any]:
    """The document in its canonical form."""
    return to_plain(load(DOCUMENT))


def rack_death(start: int = 2 * SECOND, end: int = 6 * SECOND, back: int | None = None) -> dict[str, Any]:
    """A fault: az-a dies between two moments."""
    return {"kind": "rack", "rack": "az-a", "from_us": start, "to_us": end, "back_us": back}


def plan(seeds: int = 4, horizon_us: int = 8 * SECOND, **axes: list[Any]) -> ExperimentPlan:
    """A plan on the document: by default acks=1 against acks=all while az-a dies."""
    chosen = axes or {"acks": ["1", "all"], "fault": [rack_death(end=horizon_us - 2 * SECOND)]}
    return ExperimentPlan(document(), lettered(grid(chosen)), ("orders", "audit"), 1, seeds, horizon_us)


SITES: dict[str, Any] = {
    "format": 1,
    "title": "East fails over to west",
    "seed": 1,
    "until": "60s",
    "clusters": {
        "east": {
            "cluster": {"brokers": [{"id": 1, "rack": "az-a"}, {"id": 2, "rack": "az-b"}, 3], "controllers": [100]},
            "topics": [{"name": "orders", "assignment": [[1, 2]]}],
            "producers": [{"id": "app", "topic": "orders", "rate": 40}],
            "consumers": [{"id": "billing", "group": "g", "topics": ["orders"]}],
        },
        "west": {
            "cluster": {"brokers": [1, 2, 3], "controllers": [100]},
            "topics": [{"name": "orders", "assignment": [[1, 2]]}],
        },
    },
    "network": {"latency": "20ms"},
    "mirrors": [
        {
            "source": "east",
            "target": "west",
            "config": {
                "emit.checkpoints.interval.seconds": 5,
                "sync.group.offsets.enabled": True,
                "sync.group.offsets.interval.seconds": 5,
                "offset.flush.interval.ms": 5_000,
            },
            "phases": {"emit-checkpoints": "1s"},
        }
    ],
    "timeline": [
        {"at": "24s", "do": "kill mirror-maker"},
        {"at": "30s", "do": "kill-site east"},
        {"at": "36s", "do": "move east/app west"},
        {"at": "36s", "do": "move east/billing west"},
    ],
}
"""Two clusters: MirrorMaker dies, then east; producer and group move to west."""


def sites() -> dict[str, Any]:
    """The document of two clusters in its canonical form."""
    return to_plain(load(SITES))


def site_plan(seeds: int = 2, horizon_us: int = 60 * SECOND, **axes: list[Any]) -> ExperimentPlan:
    """A plan on the document of two clusters."""
    return ExperimentPlan(sites(), lettered(grid(axes)), ("east/orders", "west/orders"), 1, seeds, horizon_us)


def verdict_of(world: World) -> Any:
    """The verdict of a run."""
    return world.verdict()
