"""The ways of a plan that are not over at the end of its run, and what is only in the cluster that clients left."""

from collections.abc import Iterator
from typing import Any

from simengine.facts.kinds import PROCESS_DOWN
from simengine.kafka.log.log import Log
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.words.phrases import plural
from simengine.world.failovers import NOT_YET
from simengine.world.mirrors.compare import compared, remote_runs
from simengine.world.mirrors.counted import counted_copy
from simengine.world.mirrors.process import RunningFlow
from simengine.world.mirrors.verdict import began_at, mirror_verdicts
from simengine.world.unmirrored import not_copied_by
from simengine.world.world import World

Json = dict[str, Any]


def not_over(world: World, found: list[Json]) -> str:
    """The sentences on them at the end of a run; "" if all are over. ``found``: all failovers, the way back second."""
    told = [(one, _why(world, one, is_back=k > 0)) for k, one in enumerate(found)]
    return " ".join(
        " ".join([f"The way from {one['from']} to {one['to']} did not end: {why}.", *_left_words(world, one)])
        for one, why in told
        if why
    )


def _why(world: World, one: Json, is_back: bool) -> str:
    """The reason why a failover is not over; "" if it is."""
    source, target = one["from"], one["to"]
    if one["rto_us"] != NOT_YET:
        is_missing = is_back and any(_missing(world, source, target))
        return "clients moved before the copy was complete, and it is not complete yet" if is_missing else ""
    if one["waiting"]:
        return plural(len(one["waiting"]), "producer that did not move waits", "producers that did not move wait")
    if one["switch_us"] == NOT_YET:
        return f"not every producer has written in {target}"
    return f"groups have not read {target} to its end"


def _missing(world: World, source: str, target: str) -> Iterator[int]:
    """Of each partition that a flow copies now: records that stood in the source at the last move, and have no copy."""
    moves = [one for one in world.moves.moved if (one.here.site.name, one.there.site.name) == (source, target)]
    moved_us = max(one.at_us for one in moves)
    for process in world.mirrors.processes:
        for running in process.flows if process.state != PROCESS_DOWN else ():
            if running.name == f"{source}->{target}":
                yield from (_without_copy(world, running, pair, moved_us) for pair in running.flow.partitions)


def _without_copy(world: World, running: RunningFlow, pair: MirroredPartition, until_us: int) -> int:
    clusters = world.mirrors.clusters
    source = counted_copy(clusters[running.source.name].cluster, int(pair.source_p))
    remote = counted_copy(clusters[running.target.name].cluster, int(pair.p))
    if source is None or remote is None:
        return 0
    producers = [int(producer.number) for producer in running.flow.target.producers]
    runs = remote_runs(remote.log, producers, pair.copied)
    return compared(source.log, _end_at(source.log, until_us), 0, runs, began_at(pair, source.log)).left


def _end_at(log: Log, at_us: int) -> int:
    """The end of a log at a time, of what it holds now."""
    ends = [int(one.end if one.until <= at_us else one.since(at_us + 1)) for one in log.batches if one.time <= at_us]
    return max(ends, default=int(log.start))


def _left_words(world: World, one: Json) -> list[str]:
    """The sentence on the records that a flow has not brought to the target; none without a flow."""
    source, target = one["from"], one["to"]
    flows = [flow for flow in mirror_verdicts(world.mirrors) if flow["flow"] == f"{source}->{target}"]
    if not flows:
        return []
    left = sum(topic["left"] for flow in flows for topic in flow["topics"])
    left += sum(topic.records for flow in flows for topic in not_copied_by(world.cluster_runs, flow))
    moved = max(0, one["rpo_records"])
    if not left and not moved:
        return [f"Every record of {source} was in {target} when clients moved."]
    return [f"Only in {source}: {plural(moved, 'record', 'records')} when clients moved, {left:,} at the end."]
