"""The failovers of a plan that are not over at the end of its run, and what is then only in the cluster they left."""

from typing import Any

from simengine.words.phrases import plural
from simengine.world.failovers import NOT_YET
from simengine.world.mirrors.verdict import mirror_verdicts
from simengine.world.unmirrored import not_copied_by
from simengine.world.world import World

Json = dict[str, Any]


def not_over(world: World, found: list[Json]) -> str:
    """The sentences on them at the end of a run; "" if all are over. ``found``: all failovers."""
    return " ".join(_words(world, one) for one in found if one["rto_us"] == NOT_YET)


def _words(world: World, one: Json) -> str:
    source, target = one["from"], one["to"]
    if one["waiting"]:
        why = plural(len(one["waiting"]), "producer that did not move waits", "producers that did not move wait")
    elif one["switch_us"] == NOT_YET:
        why = f"not every producer has written in {target}"
    else:
        why = f"groups have not read {target} to its end"
    return " ".join([f"The way from {source} to {target} did not end: {why}.", *_left_words(world, one)])


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
