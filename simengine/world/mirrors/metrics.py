"""JMX metrics of MirrorMaker, under Kafka's names (``kafka.connect.mirror``)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from simengine.facts.kinds import PROCESS_RUNNING, PROCESS_STOPPING
from simengine.mirror.copy_metrics import NOTHING_YET
from simengine.world.mirrors.process import MirrorProcess, RunningFlow

if TYPE_CHECKING:
    from simengine.world.mirrors.assembly import MirrorAssembly

US_PER_MS = 1000
NO_NODE = -1

Json = dict[str, Any]


def mirror_readings(mirrors: "MirrorAssembly") -> list[Json]:
    """A row for each attribute of each flow, in the order of the document."""
    return [
        row
        for one in mirrors.flows()
        for process in mirrors.processes
        if one in process.flows
        for row in flow_readings(mirrors, process, one)
    ]


def flow_readings(mirrors: "MirrorAssembly", process: MirrorProcess, running: RunningFlow) -> list[Json]:
    """The rows of one flow; none while its process is down or paused, or its worker has no tasks."""
    if process.state not in (PROCESS_RUNNING, PROCESS_STOPPING) or not running.flow.herder.has_tasks:
        return []
    found = _Readings(mirrors, process.name, running)
    return [*found.of_partitions(), *found.of_groups()]


class _Readings:
    """The rows of one flow."""

    def __init__(self, mirrors: "MirrorAssembly", process: str, running: RunningFlow) -> None:
        self._process = process
        self._flow = running.flow
        self._clusters = f"source={running.source.name},target={running.target.name}"
        cluster = mirrors.clusters[running.target.name].cluster
        self._topics = cluster.topics
        self._names = cluster.partition_names

    def of_partitions(self) -> Iterator[Json]:
        """Metrics of MirrorSourceConnector: rows of each remote partition that a task copies to."""
        for pair in self._flow.partitions:
            metrics = pair.metrics
            name = f"type=MirrorSourceConnector,{self._clusters},{self._place(int(pair.p))}"
            yield self._row(name, "record-count", int(metrics.record_count), "MM-1")
            if metrics.age_us != NOTHING_YET:
                yield self._row(name, "record-age-ms", int(metrics.age_us) // US_PER_MS, "MM-1")
            if metrics.latency_us != NOTHING_YET:
                yield self._row(name, "replication-latency-ms", int(metrics.latency_us) // US_PER_MS, "MM-1")

    def of_groups(self) -> Iterator[Json]:
        """Metrics of MirrorCheckpointConnector: a row of each group and partition that has a checkpoint."""
        for group, of_group in self._flow.target.checkpoints.latencies.items():
            for p, latency_us in of_group.items():
                name = f"type=MirrorCheckpointConnector,{self._clusters},group={group},{self._place(p)}"
                yield self._row(name, "checkpoint-latency-ms", latency_us // US_PER_MS, "MM-6")

    def _place(self, p: int) -> str:
        topic, number = self._names[p]
        return f"topic={self._topics[topic].name},partition={number}"

    def _row(self, name: str, attribute: str, value: int, rule: str) -> Json:
        return {
            "node": NO_NODE,
            "process": self._process,
            "name": f"kafka.connect.mirror:{name}",
            "attribute": attribute,
            "value": value,
            "rule": rule,
        }
