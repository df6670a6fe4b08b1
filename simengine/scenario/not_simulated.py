"""Kafka keys of a document that would change a real cluster's run, and change nothing here: told beside every answer.

Keys of sizes, security and names change nothing that is simulated; ``check`` alone lists them.
"""

from typing import Final

from simengine.scenario.model import Document
from simengine.scenario.parts import parts_of
from simengine.scenario.settings import ignored_values

INSTEAD: Final = {  # what holds here, whatever the key says
    "group.protocol": "groups use the classic protocol",
    "group.coordinator.rebalance.protocols": "groups use the classic protocol",
    "group.remote.assignor": "groups use the classic protocol",
    "partition.assignment.strategy": "partitions are assigned by range",
    "group.instance.id": "members are dynamic: one that comes back is a new member",
    "transactional.id": "nothing is written in transactions",
    "transaction.timeout.ms": "nothing is written in transactions",
    "transaction.max.timeout.ms": "nothing is written in transactions",
    "buffer.memory": "a producer's buffer has no end",
    "log.flush.interval.ms": "a log is flushed by number of records only",
    "flush.ms": "a log is flushed by number of records only",
    "leader.replication.throttled.rate": "replication is not throttled",
    "follower.replication.throttled.rate": "replication is not throttled",
    "leader.replication.throttled.replicas": "replication is not throttled",
    "follower.replication.throttled.replicas": "replication is not throttled",
    "remote.storage.enable": "there is no tiered storage",
    "remote.log.storage.system.enable": "there is no tiered storage",
}
DEFAULTS: Final = {"group.protocol": "classic"}  # a value that is so here too

KEYS_MAX: Final = 3  # of one effect that are named


def not_simulated(doc: Document) -> list[str]:
    """A line for each effect that is missing: the keys that ask for it, and what holds instead."""
    by_effect: dict[str, dict[str, bool]] = {}
    for part in parts_of(doc).values():
        for _, key, value in ignored_values(part):
            if key in INSTEAD and value != DEFAULTS.get(key):
                by_effect.setdefault(INSTEAD[key], {})[key] = True
    return [f"without effect here: {_names(list(keys))} ({effect})" for effect, keys in by_effect.items()]


def _names(keys: list[str]) -> str:
    more = len(keys) - KEYS_MAX
    return ", ".join(keys[:KEYS_MAX]) + (f" and {more} more" if more > 0 else "")
