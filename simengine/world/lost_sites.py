"""The first sentence on a cluster of several that is down: the records that only it has, and the writes that wait.

The clients' loss comes first. The cluster's own sentence, which begins with its controllers and coordinators, is left
out of the run's sentence, unless records are gone in it; it stands under ``clusters``.
"""

from collections.abc import Iterable
from typing import Any, Final

from simengine.facts.kinds import PROCESS_DOWN
from simengine.verdict.sites import sentence_of
from simengine.words.phrases import listed, plural, seconds
from simengine.world.behind_words import assumed_words, range_words
from simengine.world.cluster_run import ClusterRun
from simengine.world.mirrors.assembly import MirrorAssembly
from simengine.world.mirrors.lag import lag_of
from simengine.world.mirrors.words import wrong_words
from simengine.world.unmirrored import not_copied_by

NAMES_MAX: Final = 3
GRAVE: Final = ("lost", "lost_before", "duplicated", "vanished")  # in such a cluster its own sentence is told too

Json = dict[str, Any]


def with_lost_sites(runs: list[ClusterRun], mirrors: MirrorAssembly, left: Iterable[str], verdict: Json) -> Json:
    """The verdict of several clusters; its sentence begins with those that are down.

    ``left``: the clusters from which clients have moved. The sentence on the failover tells what was not mirrored.
    """
    lost = [run for run in runs if all(one.process == PROCESS_DOWN for one in run.cluster.brokers)]
    if not lost:
        return verdict
    names = {run.site.name for run in lost}
    own = {one["cluster"]: one for one in verdict["clusters"]}
    flows = verdict.get("mirrors", [])
    told = [
        _words(run, own[run.site.name], [] if run.site.name in left else _left_words(runs, mirrors, run, flows))
        for run in lost
    ]
    told += [
        str(flow["sentence"]) for flow in flows if flow["matters"] and (_source(flow) not in names or _is_wrong(flow))
    ]
    calm = [name for name in names if not any(topic.get(key) for topic in own[name]["topics"] for key in GRAVE)]
    rest = sentence_of([one for one in verdict["clusters"] if one["cluster"] not in calm])
    return {**verdict, "sentence": " ".join([*told, *([rest] if rest else [])])}


def _words(run: ClusterRun, own: Json, records: list[str]) -> str:
    parts = [f"{run.site.name} is down.", *records]
    waiting = [topic for topic in own["topics"] if topic["silent_us"]]
    if waiting:
        parts.append(f"Writes to {_topics(waiting)} have waited {seconds(max(one['silent_us'] for one in waiting))}.")
    return " ".join(parts)


def _left_words(runs: list[ClusterRun], mirrors: MirrorAssembly, run: ClusterRun, flows: list[Json]) -> list[str]:
    """The records that only this cluster has, a sentence for each cluster to which it is copied."""
    name = run.site.name
    found = [flow for flow in flows if _source(flow) == name]
    if not found:
        is_target = any(str(flow["flow"]).endswith(f"->{name}") for flow in flows)
        if is_target and not run.doc.producers:  # all that it has are copies
            return []
        which = "the records of its own topics" if is_target else "all its records"
        return [f"No flow copies from {name}: {which} are only there."]
    return [_flow_words(runs, mirrors, flow) for flow in found]


def _source(flow: Json) -> str:
    return str(flow["flow"]).partition("->")[0]


def _is_wrong(flow: Json) -> bool:
    return any(wrong_words(topic) for topic in flow["topics"])


def _flow_words(runs: list[ClusterRun], mirrors: MirrorAssembly, flow: Json) -> str:
    name, target = str(flow["flow"]).split("->")
    left = sum(topic["left"] for topic in flow["topics"])
    us = max((topic["not_mirrored_us"] for topic in flow["topics"]), default=0)
    alone = not_copied_by(runs, flow)
    of_what = f"the mirrored topics of {name}" if alone else name
    are = "is" if left == 1 else "are"
    told = f"Every record of {of_what} is in {target}."
    if left:
        told = f"{plural(left, 'record', 'records')} of {of_what} ({seconds(us)}) {are} not in {target}."
    if lag := lag_of(mirrors, str(flow["flow"])):
        told = f"{told} {range_words(lag.us, name)}"
    if not alone:
        return told
    have = "has" if len(alone) == 1 else "have"
    records = plural(sum(one.records for one in alone), "record is", "records are")
    names = _topics([one._asdict() for one in alone])
    return f"{names} {have} no mirror: {records} only in {name}{assumed_words(alone)}. {told}"


def _topics(topics: list[Json]) -> str:
    names = [str(topic["topic"]) for topic in topics]
    return listed(names) if len(names) <= NAMES_MAX else f"{len(names):,} topics"
