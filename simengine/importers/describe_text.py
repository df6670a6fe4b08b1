"""The state of a run as ``kafka-topics.sh --describe`` of Kafka 4.x prints it; ``describe.py`` reads it back."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

NO_LEADER = -1


def describe_text(view: Mapping[str, Any], counts: Mapping[str, int] | None = None) -> str:
    """The listing of a snapshot (the view that `simengine.view` makes): topics by name, partitions by number.

    ``counts``: how many partitions a topic has in all, where the run holds only some of them (else as many as there
    must be for the numbers that are listed).
    """
    rows: dict[int, list[Mapping[str, Any]]] = {}
    for partition in view["partitions"]:
        rows.setdefault(int(partition["topic"]), []).append(partition)
    topics = sorted(enumerate(view["topics"]), key=lambda entry: str(entry[1]["name"]))
    lines: list[str] = []
    for index, topic in topics:
        listed = sorted(rows.get(index, []), key=lambda partition: int(partition["number"]))
        least = max((int(partition["number"]) + 1 for partition in listed), default=0)
        lines.append(_header(topic, listed, (counts or {}).get(str(topic["name"]), least)))
        lines += [_row(str(topic["name"]), partition) for partition in listed]
    return "\n".join(lines) + "\n" if lines else ""


def _header(topic: Mapping[str, Any], listed: Sequence[Mapping[str, Any]], count: int) -> str:
    name = str(topic["name"])
    factor = len(listed[0]["replicas"]) - len(listed[0].get("adding", ())) if listed else 0
    configs = ",".join(f"{key}={_config_value(value)}" for key, value in sorted(topic.get("config", {}).items()))
    cells = [
        f"Topic: {name}",
        f"TopicId: {_topic_id(name)}",
        f"PartitionCount: {count}",
        f"ReplicationFactor: {factor}",
        f"Configs: {configs}",
    ]
    return "\t".join(cells)


def _row(name: str, partition: Mapping[str, Any]) -> str:
    leader = int(partition["leader"])
    cells = [
        "",
        f"Topic: {name}",
        f"Partition: {partition['number']}",
        f"Leader: {'none' if leader == NO_LEADER else leader}",
        f"Replicas: {_ids(partition['replicas'])}",
        f"Isr: {_ids(partition['isr'])}",
    ]
    if partition.get("adding") or partition.get("removing"):
        cells.append(f"Adding Replicas: {_ids(partition.get('adding', ()))}")
        cells.append(f"Removing Replicas: {_ids(partition.get('removing', ()))}")
    cells.append(f"Elr: {_ids(partition.get('elr', ()))}")
    cells.append(f"LastKnownElr: {_ids(partition.get('last_known', ()))}")
    return "\t".join(cells)


def _ids(ids: Sequence[int]) -> str:
    return ",".join(str(broker) for broker in ids)


def _config_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _topic_id(name: str) -> str:
    """An id in Kafka's form (22 characters); the simulated cluster has none, so it is derived from the name."""
    digest = hashlib.sha256(name.encode()).digest()[:16]
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
