"""The remote and internal topics of pasted clusters between which MirrorMaker runs, and the records that they hold.

The replication policy of each flow says which topics are remote. No application of the target writes to them or to
MirrorMaker's own topics, so clients that were assumed there are taken out. A remote topic is mirrored up to the end
that the paste tells, or wholly.
"""

import re
from typing import Any

from simengine.importers.clients import told_ends
from simengine.importers.groups import DEFAULT_GROUP
from simengine.importers.internal_hints import is_internal
from simengine.mirror.filters import NameFilter
from simengine.mirror.history import copies_before, syncs_before
from simengine.mirror.offset_sync_store import OffsetSyncStore
from simengine.scenario import load
from simengine.scenario.mirror_plan import HEARTBEATS, PlannedFlow, flows_of
from simengine.scenario.mirror_settings import NEVER
from simengine.scenario.parts import written_parts
from simengine.words.phrases import listed, plural

Plain = dict[str, Any]


def without_clients_of(part: Plain, topics: set[str]) -> Plain:
    """A cluster of a document without the assumed clients of some topics. Groups of the paste stay."""
    producers = [one for one in part["producers"] if one["topic"] not in topics]
    left = [_without(one, topics) for one in part["consumers"]]
    return {**part, "producers": producers, "consumers": [one for one in left if one["topics"]]}


def _without(consumer: Plain, topics: set[str]) -> Plain:
    if not is_assumed(consumer):
        return consumer
    return {**consumer, "topics": [name for name in consumer["topics"] if name not in topics]}


def is_assumed(consumer: Plain) -> bool:
    """True if the paste has no such group: it stands for all that read the topics."""
    return consumer["group"].partition("-")[0] == DEFAULT_GROUP and "committed" not in consumer


def internal_topics(part: Plain) -> set[str]:
    """The topics of a cluster that Kafka or MirrorMaker made."""
    return {topic["name"] for topic in part["topics"] if is_internal(topic["name"])}


def with_history(document: Plain) -> tuple[Plain, list[str]]:
    """The document of a pair in which its flows have run before, and sentences on what that is taken to mean."""
    checked = load(document)
    flows = flows_of(checked.mirrors, written_parts(checked))
    mirrors = [dict(one) for one in document["mirrors"]]
    clusters: dict[str, Plain] = {**document["clusters"]}
    told: list[str] = []
    for flow in flows:
        remote = _remote_topics(flow, flows, clusters)
        target = flow.mirror.target
        for cluster in (flow.mirror.source, target):  # a flow that does not run may have copied too
            own = {name for at, name, _, _ in flow.own_topics() if at == cluster}
            named = _named_remote(flow, cluster, clusters)
            clusters[cluster] = without_clients_of(clusters[cluster], {HEARTBEATS, *own, *named})
        clusters[target] = without_clients_of(clusters[target], {*remote.values()})
        if remote:
            mirrors[flow.index]["history"] = True
            clusters[target] = _mirrored(clusters[target], clusters[flow.mirror.source], remote)
            told.append(_told(flow, clusters, remote))
    for flow in flows:
        clusters[flow.mirror.target] = _with_synced(flow, clusters, mirrors[flow.index])
    return {**document, "clusters": clusters, "mirrors": mirrors}, told


def _remote_topics(flow: PlannedFlow, flows: list[PlannedFlow], clusters: dict[str, Plain]) -> dict[str, str]:
    """The remote topics of a flow that both pastes have, by source topic; none that is the origin of its own source."""
    here, there = (
        {topic["name"] for topic in clusters[name]["topics"]} for name in (flow.mirror.source, flow.mirror.target)
    )
    return {
        source: remote
        for source, remote in flow.copies.items()
        if source in here and remote in there and not _comes_from(flow, source, remote, flows)
    }


def _named_remote(flow: PlannedFlow, cluster: str, clusters: dict[str, Plain]) -> list[str]:
    """The topics of a cluster whose names say that they came from another, though its paste may not have them."""
    if flow.settings.identity_policy:
        return []
    names = [str(topic["name"]) for topic in clusters[cluster]["topics"]]
    return [name for name in names if flow.policy.topic_source(name) in clusters.keys() - {cluster}]


def _comes_from(flow: PlannedFlow, source: str, remote: str, flows: list[PlannedFlow]) -> bool:
    """True if an earlier flow has copied the remote topic to the source: flows that keep names go in a circle."""
    return any(
        other.index < flow.index
        and (other.mirror.source, other.mirror.target) == (flow.mirror.target, flow.mirror.source)
        and other.copies.get(remote) == source
        for other in flows
    )


def _ends(part: Plain, name: str) -> dict[str, int]:
    """The log end of each partition of a topic."""
    states = next(topic["initial"] for topic in part["topics"] if topic["name"] == name)
    return {number: int(state["leo"]) for number, state in states.items()}


def _mirrored(target: Plain, source: Plain, remote: dict[str, str]) -> Plain:
    """The target with remote logs that end where the source's do, unless the paste tells their end."""
    known = told_ends(target)
    of_remote = {name: _ends(source, topic) for topic, name in remote.items()}
    topics = [
        {**topic, "initial": _with_ends(topic, of_remote[topic["name"]], known)}
        if topic["name"] in of_remote
        else topic
        for topic in target["topics"]
    ]
    return {**target, "topics": topics}


def _with_ends(topic: Plain, ends: dict[str, int], known: set[tuple[str, str]]) -> Plain:
    states = dict(topic["initial"])
    for number, state in states.items():
        if number in ends and (topic["name"], number) not in known:
            lag = {broker: min(behind, ends[number]) for broker, behind in state.get("lag", {}).items()}
            states[number] = {**state, "leo": ends[number], **({"lag": lag} if lag else {})}
    return states


def _told(flow: PlannedFlow, clusters: dict[str, Plain], remote: dict[str, str]) -> str:
    """The sentence on how far the remote topics are taken as mirrored."""
    source, target = clusters[flow.mirror.source], clusters[flow.mirror.target]
    behind = 0
    for topic, name in remote.items():
        ends = _ends(target, name)
        behind += sum(max(0, end - ends.get(number, end)) for number, end in _ends(source, topic).items())
    names = listed(list(remote.values())) if len(remote) <= 3 else f"{len(remote)} topics"
    hold = "holds" if len(remote) == 1 else "hold"
    all_ = f"all but {plural(behind, 'that waits', 'that wait')}" if behind else "all of them"
    return f"{flow.name} has run before: {names} on {flow.mirror.target} {hold} its copies, {all_}."


def _with_synced(flow: PlannedFlow, clusters: dict[str, Plain], mirror: Plain) -> Plain:
    """The target with what sync.group.offsets has committed there for groups that its paste does not show."""
    settings, target = flow.settings, clusters[flow.mirror.target]
    off = NEVER in (settings.sync_group_offsets_interval_us, settings.emit_checkpoints_interval_us)
    if off or not settings.emit_offset_syncs or not mirror.get("history"):
        return target
    admitted, there = (
        NameFilter(settings.groups, settings.groups_exclude),
        {one["group"] for one in target["consumers"]},
    )
    consumers = list(target["consumers"])
    for one in clusters[flow.mirror.source]["consumers"]:
        group = one["group"]
        committed = _translated(flow, clusters, one.get("committed", [])) if admitted.admits(group) else []
        if committed and group not in there:
            topics = list(dict.fromkeys(topic for topic, _, _ in committed))
            synced = {"group": group, "topics": topics, "committed": committed, "state": "closed"}
            consumers.append({"id": _free_id(consumers), **synced})
    return {**target, "consumers": consumers}


def _translated(flow: PlannedFlow, clusters: dict[str, Plain], committed: list[list[Any]]) -> list[list[Any]]:
    """Offsets committed at the source as offsets of the remote topics, by the syncs that the flow has left."""
    source, target = clusters[flow.mirror.source], clusters[flow.mirror.target]
    held = {topic["name"] for topic in target["topics"]}
    found = []
    for topic, number, offset in committed:
        remote = flow.copies.get(topic)
        if remote is None or remote not in held:
            continue
        ends = _ends(source, topic).get(str(number), 0), _ends(target, remote).get(str(number), 0)
        run = copies_before((0, ends[0]), (0, ends[1]))
        store = OffsetSyncStore(True)
        for sync in [] if run is None else syncs_before(run, 0, flow.settings.offset_lag_max):
            store.handle_record(sync)
        store.read_to_end()
        downstream = int(store.translate_downstream(0, offset))
        if downstream >= 0:
            found.append([remote, number, downstream])
    return found


def _free_id(consumers: list[Plain]) -> str:
    """The next id that no consumer has."""
    numbers = [int(found[1]) for one in consumers if (found := re.fullmatch(r"consumer-(\d{1,6})", one["id"]))]
    return f"consumer-{max(numbers, default=0) + 1}"
