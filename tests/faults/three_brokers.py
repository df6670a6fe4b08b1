"""The document of a visitor's small room: three brokers in three racks, one topic, a producer and a group."""

from typing import Any


def three_brokers(rate: int) -> dict[str, Any]:
    """``rate``: records/s of the producer."""
    return {
        "format": 1,
        "title": "Three brokers",
        "seed": 11,
        "cluster": {
            "brokers": [{"id": 1, "rack": "a"}, {"id": 2, "rack": "b"}, {"id": 3, "rack": "c"}],
            "controllers": [100, 101, 102],
        },
        "topics": [{"name": "orders", "assignment": [[1, 2, 3], [2, 3, 1]], "config": {"min.insync.replicas": 2}}],
        "producers": [{"id": "writer", "topic": "orders", "rate": rate, "acks": "all"}],
        "consumers": [{"id": "reader", "group": "g", "topics": ["orders"]}],
    }
