"""Documents of two clusters with a mirror, for tests."""

from typing import Any

Plain = dict[str, Any]
QUIET = {"emit.heartbeats.enabled": False}


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
