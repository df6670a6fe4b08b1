"""A scrape of a world: the metrics that its alert rules read, as series with the names that documents use."""

from typing import TYPE_CHECKING

from simengine.alerts.incidents import Broken, is_whole
from simengine.alerts.readings import SeriesReading
from simengine.kernel.titles import partition_title
from simengine.verdict.metrics import MetricReading, group_lags, readings
from simengine.world.mirrors.metrics import mirror_readings

if TYPE_CHECKING:
    from simengine.alerts.watch import AlertWatch
    from simengine.world.cluster_run import ClusterRun
    from simengine.world.mirrors.assembly import MirrorAssembly


def scraped(runs: list["ClusterRun"], mirrors: "MirrorAssembly", watch: "AlertWatch") -> list[SeriesReading]:
    """The readings of all processes that answer now; those that no rule reads are left out."""
    found = [
        one
        for run in runs
        for reading in _of_cluster(run, watch)
        if (one := _named(run, reading, watch.metrics)) is not None
    ]
    if watch.needs_mirrors:
        found += [one for row in mirror_readings(mirrors) if (one := _of_mirror(row)).metric in watch.metrics]
    return found


def broken_at_start(runs: list["ClusterRun"]) -> set[Broken]:
    """The processes that are down and the partitions that lack a leader or members of their ISR, at time 0."""
    broken: set[Broken] = set()
    for run in runs:
        cluster = run.cluster
        broken |= {("process", int(one.id), 0) for one in (*cluster.brokers, *cluster.controllers) if not one.up}
        for one in cluster.quorum.image.partitions:
            if one is not None and not is_whole(one):
                broken.add(("partition", int(one.p), 0))
    return broken


def _of_cluster(run: "ClusterRun", watch: "AlertWatch") -> list[MetricReading]:
    lags = group_lags(run.cluster) if watch.needs_groups else []
    return [*readings(run.cluster, watch.needs_copies), *lags]


def _named(run: "ClusterRun", reading: MetricReading, wanted: set[str]) -> SeriesReading | None:
    """The reading of a process of one cluster; None if no rule reads its metric."""
    if reading.name.partition("name=")[2].partition(",")[0] not in wanted:
        return None
    bean, _, properties = reading.name.partition(":")
    keys = dict(part.split("=", 1) for part in properties.split(","))
    topic = run.site.prefix + keys["topic"] if "topic" in keys else ""
    partition = partition_title(topic, int(keys["partition"])) if topic else ""
    if "group" in keys:
        group = run.site.prefix + keys["group"]
        return SeriesReading(keys["name"], int(reading.value), "", "", topic, partition, group)
    role = "controller" if bean == "kafka.controller" else "broker"
    called = run.site.called(reading.node)
    return SeriesReading(keys["name"], int(reading.value), called, role, topic, partition)


def _of_mirror(row: dict[str, object]) -> SeriesReading:
    """A row of MirrorMaker: of a remote partition, called by its target cluster."""
    keys = dict(part.split("=", 1) for part in str(row["name"]).partition(":")[2].split(","))
    topic = f"{keys['target']}/{keys['topic']}"
    partition = partition_title(topic, int(keys["partition"]))
    group = keys.get("group", "")
    return SeriesReading(
        str(row["attribute"]), int(str(row["value"])), str(row["process"]), "", topic, partition, group
    )
