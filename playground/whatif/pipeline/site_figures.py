"""The figures of a run of several clusters: what MirrorMaker has copied, where groups continue, what a failover costs.

They are those of the horizon, before the run is closed. Of a flow whose clients moved, records that are not mirrored
and the groups are those of the moment when the first client moved: later a group commits in its new cluster. The first
failover counts; what follows is the way back. Of a cluster that is lost, or that clients left, records of topics that
the flow does not copy are not mirrored either.
"""

from collections.abc import Iterable
from typing import Final

from playground.whatif.pipeline.plan import Json
from playground.whatif.pipeline.schema import MIRROR_COUNTS, MIRROR_TIMES
from simengine.facts.kinds import PROCESS_DOWN
from simengine.world.failover_state import UnmirroredTopic
from simengine.world.failovers import NOT_YET, failovers
from simengine.world.mirrors.verdict import mirror_verdicts
from simengine.world.unmirrored import not_copied_by
from simengine.world.world import World

FLOW: Final = {
    "not_mirrored": "not_mirrored",
    "mirrored_twice": "doubled",
    "left_out": "skipped",
    "disagree": "disagree",
}
"""Row columns, and the words of the verdict on a topic of a flow."""

UNMIRRORED: Final = "unmirrored"
"""The part of records not mirrored that is in topics which the flow does not copy."""

GROUP: Final = {"group_skips": "skips", "group_rereads": "rereads"}
CLUSTER: Final = ("lost", "duplicated", "write_down_client_us")


def site_figures(world: World) -> Json:
    """The columns of a row that only runs of several clusters have; all null for a run of one."""
    found: Json = dict.fromkeys((*MIRROR_COUNTS, *MIRROR_TIMES))
    found["parts"] = []
    if not world.is_named:
        return found
    moves = failovers(world)
    found["failovers"] = len(moves)
    if world.mirrors.processes:
        flows = [_with_moment(world, flow) for flow in mirror_verdicts(world.mirrors)]
        parts = [part for flow in flows for part in _parts(flow)]
        for name in (*FLOW, *GROUP, "groups_without_offset"):
            found[name] = sum(part["value"] for part in parts if part["figure"] == name)
        found["not_mirrored_us"] = max(part["value"] for part in parts if part["figure"] == "not_mirrored_us")
        found["parts"] = parts
    if moves:
        first = moves[0]
        for column in ("rpo_records", "rpo_us", "rto_us"):
            found[column] = None if first[column] == NOT_YET else first[column]
    return found


def cluster_parts(topics: Iterable[Json]) -> list[Json]:
    """Of each cluster the records lost and doubled, and the longest time in which an application got no response."""
    by_cluster: dict[str, list[Json]] = {}
    for topic in topics:
        cluster, slash, _ = str(topic["topic"]).partition("/")
        if slash:
            by_cluster.setdefault(cluster, []).append(topic)
    return [
        part_of("cluster", name, figure, of_topics(of_one, figure))
        for name, of_one in by_cluster.items()
        for figure in CLUSTER
    ]


def of_topics(topics: Iterable[Json], figure: str) -> int:
    """A figure of several topics: the longest time, or the sum of records."""
    values = [int(topic[figure]) for topic in topics]
    return max(values, default=0) if figure.endswith("_us") else sum(values)


def _with_moment(world: World, flow: Json) -> Json:
    """The verdict of a flow, with its records not mirrored and its groups as they were when the first client moved."""
    source, _, target = str(flow["flow"]).partition("->")
    start = world.moves.starts.get((source, target))
    then = next((one for one in (start.flows if start else []) if one["flow"] == flow["flow"]), flow)
    waiting = {topic["topic"]: topic for topic in then["topics"]}
    topics = [
        {**topic, **{key: waiting.get(topic["topic"], topic)[key] for key in ("not_mirrored", "not_mirrored_us")}}
        for topic in flow["topics"]
    ]
    not_copied = start.unmirrored if start else _missed(world, flow)
    return {**flow, "topics": topics, "groups": then["groups"], "not_copied": not_copied}


def _missed(world: World, flow: Json) -> list[UnmirroredTopic]:
    """The topics that a flow does not copy; without records while their cluster is there: nobody misses a copy."""
    source = str(flow["flow"]).partition("->")[0]
    brokers = [broker for run in world.cluster_runs if run.site.name == source for broker in run.cluster.brokers]
    is_lost = all(broker.process == PROCESS_DOWN for broker in brokers)
    found = not_copied_by(world.cluster_runs, flow)
    return found if is_lost else [one._replace(records=0, us=0) for one in found]


def _parts(flow: Json) -> list[Json]:
    name, topics = str(flow["flow"]), flow["topics"]
    sums = [part_of("flow", name, column, sum(topic[word] for topic in topics)) for column, word in FLOW.items()]
    alone: list[UnmirroredTopic] = flow["not_copied"]
    unmirrored = sum(one.records for one in alone)
    sums[0]["value"] += unmirrored
    times = [*(topic["not_mirrored_us"] for topic in topics), *(one.us for one in alone)]
    of_alone = [part_of("flow", name, UNMIRRORED, unmirrored)] if alone else []
    found = [sums[0], *of_alone, part_of("flow", name, "not_mirrored_us", max(times, default=0)), *sums[1:]]
    for group in dict.fromkeys(one["group"] for one in flow["groups"]):
        of_group = [one for one in flow["groups"] if one["group"] == group]
        called = f"{group}, {name}"
        found += [
            part_of("group", called, column, sum(one[word] for one in of_group)) for column, word in GROUP.items()
        ]
        without = sum(one["continues"] < 0 for one in of_group)
        found.append(part_of("group", called, "groups_without_offset", without))
    return found


def part_of(kind: str, name: str, figure: str, value: int) -> Json:
    """An entry of `parts` of a row."""
    return {"kind": kind, "of": name, "figure": figure, "value": value}
