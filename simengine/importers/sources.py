"""The source of each value that decides the effect of an AZ's loss: told, guessed, assumed, or set by hand."""

from typing import Final

from simengine.importers import version
from simengine.importers.assumed import AssumedValues, defaults, sized
from simengine.importers.model import PastedCluster

GUESSED: Final = "guessed"  # from what the paste does tell
ASSUMED_SO: Final = "assumed"  # nothing tells
DEFAULT: Final = "default"  # Kafka's own value
YOURS: Final = "yours"
READ: Final = "read"
FIELDS: Final = {  # the name that the AZ answer gives a value -> its name among the assumed ones
    "version": "profile",
    "latency_ms": "latency_ms",
    "records_per_s": "records_per_s",
    "log_gb": "log_gb",
    "copy_mb_per_s": "copy_mb_per_s",
    "request_timeout_ms": "request_timeout_ms",
    "min_insync_replicas": "min_insync_replicas",
    "elr": "elr",
    "log_end": "log_end",
    "backlog": "backlog",
    "rates": "rates",
}


def guessed_racks(cluster: PastedCluster) -> dict[int, str]:
    """The guess ``id mod 3`` as az-a, az-b, az-c; a rack that the paste names stays."""
    return {broker: cluster.brokers[broker].rack or f"az-{'abc'[broker % 3]}" for broker in sorted(cluster.brokers)}


def sources(
    cluster: PastedCluster, assumed: AssumedValues, racks: dict[int, str | None], controllers: str
) -> dict[str, str]:
    """The source of each value by its name; ``controllers``: that of their places."""
    usual = defaults(cluster)
    found = {"racks": _of_racks(cluster, racks), "controllers": controllers}
    for name, key in FIELDS.items():
        is_edited = getattr(assumed, key) != getattr(usual, key)
        found[name] = YOURS if is_edited else _unedited(cluster, name)
    return {name: source for name, source in found.items() if source}


def _unedited(cluster: PastedCluster, name: str) -> str:
    evidence = cluster.evidence
    if name == "version" and evidence.versions:
        return READ
    if name == "version":
        is_told = cluster.is_described or evidence.is_zookeeper is not None or evidence.since_4_0 is not None
        return GUESSED if is_told else ASSUMED_SO
    if name == "elr":
        return DEFAULT if version.told(cluster).elr is None else READ
    if name == "rates":
        return READ if evidence.rates else ASSUMED_SO
    if name == "records_per_s" and evidence.rates and all(topic in evidence.rates for topic in cluster.topics):
        return READ
    if name == "min_insync_replicas" and (evidence.min_isr_any or evidence.cluster_config("min.insync.replicas")):
        return READ
    if name == "log_gb" and sized(cluster):
        return READ
    return DEFAULT if name in ("request_timeout_ms", "min_insync_replicas") else ASSUMED_SO


def _of_racks(cluster: PastedCluster, racks: dict[int, str | None]) -> str:
    """The weakest source of a broker's AZ; "" where no broker has one."""
    guesses = guessed_racks(cluster)
    own = {broker: rack for broker, rack in racks.items() if rack and rack != cluster.brokers[broker].rack}
    if not any(racks.values()):
        return ""
    if not own:
        return READ
    return GUESSED if all(guesses[broker] == rack for broker, rack in own.items()) else YOURS
