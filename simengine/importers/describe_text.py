"""The state of a run as ``kafka-topics.sh --describe`` of its Kafka version prints it; ``describe.py`` reads it back.

The tool prints Elr columns, also empty ones, of every cluster since 4.0; that of 3.7 knows none. What its text cannot
carry is listed in docs/scenario-documents.md.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from simengine.importers.shown_configs import shown_configs
from simengine.scenario.model import Document

NO_LEADER = -1


def describe_text(view: Mapping[str, Any], document: Document) -> str:
    """The listing of a snapshot of the document's run (`simengine.world.view`): topics by name, partitions by
    number.
    """
    rows: dict[int, list[Mapping[str, Any]]] = {}
    for partition in view["partitions"]:
        rows.setdefault(int(partition["topic"]), []).append(partition)
    topics = sorted(enumerate(view["topics"]), key=lambda entry: str(entry[1]["name"]))
    counts = document.partition_counts()
    lines: list[str] = []
    for index, topic in topics:
        name = str(topic["name"])
        listed = sorted(rows.get(index, []), key=lambda partition: int(partition["number"]))
        if listed and not any(partition["replicas"] for partition in listed):
            continue  # a topic that was refused, or is not created yet
        least = max((int(partition["number"]) + 1 for partition in listed), default=0)
        configs = shown_configs(document, view, topic.get("config", {}))
        lines.append(_header(name, listed, counts.get(name, least), configs))
        lines += [_row(name, partition, document.version.elr_possible) for partition in listed]
    return "\n".join(lines) + "\n" if lines else ""


def _header(name: str, listed: Sequence[Mapping[str, Any]], count: int, configs: Mapping[str, str]) -> str:
    factor = len(listed[0]["replicas"]) - len(listed[0].get("adding", ())) if listed else 0
    cells = [
        f"Topic: {name}",
        f"TopicId: {_topic_id(name)}",
        f"PartitionCount: {count}",
        f"ReplicationFactor: {factor}",
        f"Configs: {','.join(f'{key}={value}' for key, value in configs.items())}",
    ]
    return "\t".join(cells)


def _row(name: str, partition: Mapping[str, Any], has_elr: bool) -> str:
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
    if has_elr:
        cells.append(f"Elr: {_ids(partition.get('elr', ()))}")
        cells.append(f"LastKnownElr: {_ids(partition.get('last_known', ()))}")
    return "\t".join(cells)


def _ids(ids: Sequence[int]) -> str:
    return ",".join(str(broker) for broker in ids)


def _topic_id(name: str) -> str:
    """An id in Kafka's form (22 characters); the simulated cluster has none, so it is derived from the name."""
    digest = hashlib.sha256(name.encode()).digest()[:16]
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
