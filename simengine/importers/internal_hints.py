"""Hints on internal topics whose loss stops every group: one replica, or min.insync.replicas as large as their number.

A coordinator appends each commit and each join with acks=all, so what stops acks=all on such a partition stops groups.
"""

from typing import Final

from simengine.importers.model import PastedCluster, PastedTopic, PasteResult
from simengine.mirror.replication_policy import ReplicationPolicy

OFFSETS_TOPIC: Final = "__consumer_offsets"
USES: Final = {
    OFFSETS_TOPIC: "no group that it coordinates can join or commit",
    "__transaction_state": "no transaction that it coordinates can begin or end",
}
_FACTORS: Final = {
    OFFSETS_TOPIC: "offsets.topic.replication.factor",
    "__transaction_state": "transaction.state.log.replication.factor",
}


def is_internal(topic: str) -> bool:
    """True if Kafka or MirrorMaker made the topic: no application writes to it."""
    return ReplicationPolicy().is_internal_topic(topic)


def hint(cluster: PastedCluster, reading: PasteResult) -> None:
    """Add a note for each internal topic that one broker's loss stops."""
    for name, use in USES.items():
        topic = cluster.topics.get(name)
        factor = cluster.evidence.cluster_config(_FACTORS[name])
        if topic is not None and topic.rows:
            _hint_at(topic, use, cluster, reading)
        elif factor is not None and factor.value == "1":
            reading.notes.append(
                f"{name} is made with one replica ({factor.place()}): while its broker is down, {use}."
            )


def _hint_at(topic: PastedTopic, use: str, cluster: PastedCluster, reading: PasteResult) -> None:
    single = sum(len(row.replicas) == 1 for row in topic.rows.values())
    if single:
        of = "" if single == len(topic.rows) == 1 else f" in {single} of {len(topic.rows)} partitions"
        reading.notes.append(f"{topic.name} has one replica{of}: while the broker of one is down, {use}.")
    default = cluster.evidence.cluster_config("min.insync.replicas")
    word = (topic.configs or {}).get("min.insync.replicas") or (default.value if default else "1")
    wanted = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else 1
    tight = sum(1 < len(row.replicas) <= wanted for row in topic.rows.values())
    if tight:
        of = "" if tight == len(topic.rows) == 1 else f" in {tight} of {len(topic.rows)} partitions"
        reading.notes.append(
            f"{topic.name} has as many replicas as min.insync.replicas ({wanted}){of}: while any is down, {use}."
        )
