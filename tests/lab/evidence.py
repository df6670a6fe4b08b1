"""The evidence of a run: lines of its nodes and clients, its metadata log and the logs of its replicas."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.lab.cluster import LabCluster
from tests.lab.distribution import Distribution
from tests.lab.errors import LabError, told
from tests.lab.plain import Plain

METADATA: Final = "__cluster_metadata-0"
MEMORY_MB: Final = 512


@dataclass(frozen=True)
class LabEvidence:
    """All times (`at`) are milliseconds on the machine's clock."""

    zero_ms: int  # time 0 of the script
    actions: list[list[Any]]  # rows of the recording: start and end (s since time 0), verb, arguments
    nodes: list[Plain]  # lines of all nodes by time: events, states of replicas
    clients: list[Plain]  # lines of the clients
    metadata: list[Plain]  # records of the metadata log
    logs: dict[str, dict[int, list[list[Any]]]]  # partition -> broker -> [offset, epoch, value]


def collect(
    cluster: LabCluster, distribution: Distribution, zero_ms: int, actions: list[list[Any]], clients: list[Plain]
) -> LabEvidence:
    """The evidence of a cluster whose nodes have ended. Raises LabError."""
    metadata: list[Plain] = []
    logs: dict[str, dict[int, list[list[Any]]]] = {}
    folders = {f"{broker} {folder.name}": folder for broker, folder in _replica_folders(cluster)}
    for line in _dumped(cluster, distribution, {"meta": _longest_metadata_log(cluster), **folders}):
        if line["label"] == "meta":
            metadata.append(line)
        else:
            broker, _, partition = line["label"].partition(" ")
            log = logs.setdefault(partition, {}).setdefault(int(broker), [])
            log.append([line["offset"], line["epoch"], line["value"]])
    nodes = [line for node in cluster.nodes.values() for line in node.lines()]
    return LabEvidence(zero_ms, actions, sorted(nodes, key=lambda line: int(line["at"])), clients, metadata, logs)


def _replica_folders(cluster: LabCluster) -> Iterator[tuple[int, Path]]:
    """The folder of each replica, without internal topics and what Kafka is about to delete."""
    for broker in cluster.given.brokers:
        for folder in sorted(cluster.nodes[broker].data.glob("*-*")):
            name = folder.name
            if folder.is_dir() and not (name.startswith("__") or name.endswith(("-delete", "-stray"))):
                yield broker, folder


def _longest_metadata_log(cluster: LabCluster) -> Path:
    """The metadata log of the controller that has most of it."""
    folders = [cluster.nodes[controller].data / METADATA for controller in cluster.given.controllers]
    return max(folders, key=lambda folder: sum(file.stat().st_size for file in folder.glob("*.log")))


def _dumped(cluster: LabCluster, distribution: Distribution, folders: dict[str, Path]) -> list[Plain]:
    arguments: list[str] = []
    for label, folder in folders.items():
        arguments += ["meta" if label == "meta" else "data", label, str(folder)]
    log = cluster.nodes[cluster.given.controllers[0]].folder / "dump.log"
    command = distribution.java(log, MEMORY_MB, "LabDump", *arguments)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"the logs could not be read:\n{told(done.stderr)}")
    return [json.loads(line) for line in done.stdout.splitlines()]
