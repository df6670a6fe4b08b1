"""The topics of a cluster that no flow copies to another one, with the records that the other cluster lacks.

A topic that a flow has copied and no longer names leaves copies on the target: they are not only at the source.
"""

from typing import Any, Final

from simengine.kafka.log.log import BEFORE_RUN, Log
from simengine.mirror.copies import CopiedRun
from simengine.mirror.history import copies_before
from simengine.mirror.replication_policy import ReplicationPolicy
from simengine.scenario.mirror_plan import policy_of
from simengine.scenario.own_topics import is_own_topic
from simengine.world.cluster_parts import ClusterParts
from simengine.world.cluster_run import ClusterRun
from simengine.world.failover_state import UnmirroredTopic
from simengine.world.mirrors.counted import counted_copy

NOTHING: Final = CopiedRun(0, 0, BEFORE_RUN, 0, 0)


def unmirrored_topics(here: ClusterParts, there: ClusterParts, mirrored: set[str]) -> list[UnmirroredTopic]:
    """The topics of applications in ``here`` that are not among those that a flow copies to ``there``."""
    copies = {source_p: run for source_p, _, run in earlier_copies(here, there)}
    return [_topic(here, one, copies) for one in _own_topics(here) if one.title not in mirrored]


def not_copied_by(runs: list[ClusterRun], flow: dict[str, Any]) -> list[UnmirroredTopic]:
    """The topics of applications that a flow does not copy; ``flow``: its verdict."""
    parts = {run.site.name: run.parts for run in runs}
    source, _, target = str(flow["flow"]).partition("->")
    return unmirrored_topics(parts[source], parts[target], {topic["topic"] for topic in flow["topics"]})


def earlier_copies(here: ClusterParts, there: ClusterParts) -> list[tuple[int, int, CopiedRun]]:
    """Copies from before the run that stand in ``there``: the source partition, the remote partition, and which."""
    mirror = next(
        (one for one in here.doc.mirrors if (one.source, one.target) == (here.site.name, there.site.name)), None
    )
    if mirror is None:
        return []
    policy = policy_of(mirror, there.doc)
    found = []
    for topic in _own_topics(here):
        kept = policy.format_remote_topic(mirror.source, topic.name)
        named = ReplicationPolicy(policy.separator).format_remote_topic(mirror.source, topic.name)
        names = [named] if kept == topic.name and not mirror.history else [kept, named]
        for p in map(int, topic.partitions):
            number = here.cluster.partition_names[p][1]
            places = [there.partition_index[name, number] for name in names if (name, number) in there.partition_index]
            runs = [(p, remote_p, _copied(here, p, there, remote_p)) for remote_p in dict.fromkeys(places)]
            found += [one for one in runs if one[2].count][:1]
    return found


def _copied(here: ClusterParts, p: int, there: ClusterParts, remote_p: int) -> CopiedRun:
    source, remote = counted_copy(here.cluster, p), counted_copy(there.cluster, remote_p)
    if source is None or remote is None:
        return NOTHING
    return copies_before(_before_run(source.log), _before_run(remote.log)) or NOTHING


def _before_run(log: Log) -> tuple[int, int]:
    """From the start of a log to the end of the records that stood there before the run."""
    start = int(log.start)
    return start, max((int(batch.end) for batch in log.batches if batch.client == BEFORE_RUN), default=start)


def _own_topics(here: ClusterParts) -> list[Any]:
    """The topics that applications of a cluster write."""
    there = [one for one in here.cluster.own_topics() if one.exists and not one.is_going]
    own = [one for one in there if not one.is_made and not one.is_remote]
    return [one for one in own if not is_own_topic(one.name)]


def _topic(here: ClusterParts, topic: Any, copies: dict[int, CopiedRun]) -> UnmirroredTopic:
    told = {place[:2] for one in here.doc.consumers for place in one.committed}  # whose ends a paste tells
    records, assumed, times = 0, 0, []
    for p in map(int, topic.partitions):
        copy = counted_copy(here.cluster, p)
        if copy is None:
            continue
        _, before = _before_run(copy.log)
        is_told = here.doc.basis is None or (topic.name, here.cluster.partition_names[p][1]) in told
        for low, high in _lacking(copy.log, copies.get(p, NOTHING)):
            records += high - low
            assumed += 0 if is_told else max(0, min(high, before) - low)
            kept = [batch for batch in copy.log.batches if batch.end > low and batch.base < high]
            times += [int(kept[0].time_of(max(low, int(kept[0].base)))), int(kept[-1].time_of(high - 1))]
    return UnmirroredTopic(topic.title, records, max(times, default=0) - min(times, default=0), assumed)


def _lacking(log: Log, run: CopiedRun) -> list[tuple[int, int]]:
    """The ranges of a log without the records that are copied."""
    start, end = int(log.start), int(log.leo)
    low, high = max(start, int(run.upstream)), min(end, int(run.upstream + run.count))
    spans = [(start, low), (high, end)] if low < high else [(start, end)]
    return [span for span in spans if span[0] < span[1]]
