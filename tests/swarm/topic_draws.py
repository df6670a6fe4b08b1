"""The draws of topics over time: retention, and topics that are deleted, created again and given partitions.

Each from a stream of its own, so that a seed without it stays as it was.
"""

from typing import Any, Final

from simengine.kernel.random import Stream
from tests.swarm.luck import chance, pick

RETENTION_PERCENT: Final = 5
LIFE_PERCENT: Final = 5
CONSUMER_AGE_MS: Final = 5_000
LATE_US: Final = 10_000_000

Plan = dict[str, Any]
Timed = list[tuple[int, str]]  # moments (us) and actions


def retention(seed: int, topics: list[Plan], cluster: Plan) -> None:
    """Let the brokers remove old segments of the first topic, by time or by size."""
    stream = Stream(seed, "swarm", "retention")
    if not chance(stream, RETENTION_PERCENT):
        return
    cluster["config"]["log.retention.check.interval.ms"] = int(pick(stream, (1_000, 5_000)))
    cluster["config"]["log.initial.task.delay.ms"] = int(pick(stream, (500, 5_000)))
    config = topics[0]["config"]
    config["segment.ms"] = int(pick(stream, (500, 2_000, 10_000)))
    if chance(stream, 70):
        config["retention.ms"] = int(pick(stream, (1_000, 5_000, 20_000)))
    else:
        config["retention.bytes"] = int(pick(stream, (500, 5_000)))
        config["segment.bytes"] = int(pick(stream, (200, 1_000)))


def lives(seed: int, topics: list[Plan], brokers: list[int], clients: list[Plan], from_us: int, until_us: int) -> Timed:
    """The last topic is given partitions, or deleted and (mostly) created again, and both now and then."""
    stream = Stream(seed, "swarm", "topic life")
    if not chance(stream, LIFE_PERCENT) or until_us - from_us < 2 * LATE_US:
        return []
    for client in clients:
        client["config"] = {"metadata.max.age.ms": CONSUMER_AGE_MS, **client["config"]}
    name, count = topics[-1]["name"], len(topics[-1]["assignment"])
    at = int(stream.between(from_us, until_us - LATE_US))
    found: Timed = []
    if chance(stream, 60):
        count += 1 + int(stream.below(3))
        found.append((at, f"partitions {name} {count}"))
        at += int(stream.exponential(3_000_000))
    if chance(stream, 60) or not found:
        found.append((at, f"delete {name}"))
        at += 1 + int(stream.exponential(3_000_000))
        if chance(stream, 80):
            factor = 1 + int(stream.below(min(3, len(brokers))))
            found.append((at, f"create {name} {factor} {1 + int(stream.below(count + 1))}"))
    return found
