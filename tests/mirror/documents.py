"""Documents of two clusters with a mirror, for tests."""

from typing import Any

Plain = dict[str, Any]
QUIET = {"emit.heartbeats.enabled": False}
SYNCED = {
    "sync.group.offsets.enabled": True,
    "sync.group.offsets.interval.seconds": 10,
    "emit.checkpoints.interval.seconds": 10,
}
EVENTFUL = [  # what happens to a process of MirrorMaker, in 60 s
    {"at": "8s", "do": "kill mirror-maker"},
    {"at": "10s", "do": "start mirror-maker after 1s"},
    {"at": "25s", "do": "pause mirror-maker"},
    {"at": "26s", "do": "resume mirror-maker"},
    {"at": "28s", "do": "cut mirror-maker|west"},
    {"at": "45s", "do": "heal mirror-maker|west"},
    {"at": "50s", "do": "stop mirror-maker"},
]
GROWING = [  # what happens to topics, in 40 s
    {"at": "5s", "do": "create east/late 3 2"},
    {"at": "6s", "do": "send east/P east/late-1 40"},
    {"at": "10s", "do": "partitions east/orders 3"},
    {"at": "18s", "do": "delete east/late"},
]


def cluster(*topics: str, **more: Any) -> Plain:
    """Three brokers with these topics, of one partition each."""
    made = [{"name": name, "assignment": [[0, 1, 2]]} for name in topics]
    return {"cluster": {"brokers": [0, 1, 2]}, "topics": made, **more}


def mirrored(config: Plain | None = None, rate: int = 50, seed: int = 5, **more: Any) -> Plain:
    """A producer P and a group g on east's orders, which a flow copies to west; ``config``: of the flow."""
    east = cluster(
        "orders",
        producers=[{"id": "P", "topic": "orders", "rate": rate}],
        consumers=[{"id": "C", "topics": ["orders"], "group": "g", "config": {"auto.commit.interval.ms": 1000}}],
    )
    flow = {"source": "east", "target": "west", "config": {**QUIET, **(config or {})}}
    clusters = {"east": east, "west": cluster()}
    return {"format": 1, "seed": seed, "clusters": clusters, "mirrors": [flow], **more}
