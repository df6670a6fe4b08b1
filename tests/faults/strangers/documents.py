"""Documents that are valid and cost much: to open, to compute, or to store."""

import json
from typing import Any, Final

from tests.faults.strangers.visitor import DOCUMENT

SMALL: Final = json.dumps(DOCUMENT).encode()


def many_producers() -> bytes:
    """185 kB: 100 brokers, 100 topics of 100 partitions, 900 producers."""
    topics = [{"name": f"t{number}", "assignment": _placed(100, 100, 3)} for number in range(100)]
    producers = [{"id": f"p{number}", "topic": f"t{number % 100}", "rate": 10} for number in range(900)]
    return _written(brokers=100, topics=topics, producers=producers)


def many_subscriptions() -> bytes:
    """1.5 MB: 10,000 partitions of 20 replicas, 950 consumers of all topics."""
    names = [f"t{number}" for number in range(10)]
    topics = [{"name": name, "assignment": _placed(1_000, 100, 20)} for name in names]
    consumers = [{"id": f"c{number}", "group": f"g{number}", "topics": names} for number in range(950)]
    return _written(brokers=100, topics=topics, consumers=consumers)


def many_records() -> bytes:
    """A small cluster that writes so much that a minute of it takes longer than a question may."""
    producers = [{"id": f"p{number}", "topic": "orders", "rate": 1_000} for number in range(60)]
    return json.dumps({**DOCUMENT, "producers": producers, "until": "10m"}).encode()


def one_text_a_thousand_times() -> bytes:
    """41 kB of YAML: 999 captions stand for one text of 20,000 characters, 20 MB when written out."""
    captions = f'  - {{at: 1ms, text: &a "{"x" * 20_000}"}}\n' + "  - {at: 1ms, text: *a}\n" * 998
    return f"format: 1\ncluster: {{brokers: [1]}}\ncaptions:\n{captions}".encode()


def _placed(partitions: int, brokers: int, replicas: int) -> list[list[int]]:
    return [[(first + step) % brokers + 1 for step in range(replicas)] for first in range(partitions)]


def _written(brokers: int, **rest: Any) -> bytes:
    cluster = {"brokers": list(range(1, brokers + 1)), "controllers": [200, 201, 202]}
    return json.dumps({"format": 1, "cluster": cluster, **rest}, separators=(",", ":")).encode()
