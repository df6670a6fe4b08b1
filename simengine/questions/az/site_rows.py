"""The effect of the loss of each cluster on a document of several: by rule, and in a run of the engine.

By rule: a cluster without brokers takes no writes and no reads (ELEC-7), and a process that dies keeps its disk. What
another cluster has of it, a flow of MirrorMaker has copied (MM-3), and a group continues there from an offset that a
flow has translated and synced (MM-6, MM-7). How much that is at the moment of the loss, only the run tells.
"""

from collections.abc import Iterator
from typing import Any, Final

from simengine.questions.az.run import begun
from simengine.scenario import Document
from simengine.scenario.actions import Action
from simengine.scenario.mirror_plan import PlannedFlow, flows_of
from simengine.scenario.mirror_settings import NEVER
from simengine.scenario.model import ConsumerEntry, TimelineEntry
from simengine.scenario.own_topics import is_own_topic
from simengine.scenario.parts import written_parts
from simengine.scenario.verbs import KILL_SITE
from simengine.words.phrases import listed, plural
from simengine.world.behind_words import assumed_words
from simengine.world.mirrors.assembly import groups_filter
from simengine.world.mirrors.verdict import mirror_verdicts
from simengine.world.unmirrored import not_copied_by
from simengine.world.world import World, build

S: Final = 1_000_000
LOSS_US: Final = 150 * S  # work that MirrorMaker repeats every 60 s by default has been done twice
DARK_US: Final = 30 * S  # clients and the other cluster have noticed
RANGE_US: Final = 60 * S  # work of MirrorMaker that is repeated has been done at least once in it, by default
MOMENTS: Final = 13  # no divisor of that, so the moments meet each phase of the work
NAMED_MAX: Final = 3  # topics or groups; more are counted

Json = dict[str, Any]


def site_rows(doc: Document) -> Iterator[Json]:
    """A row for each cluster: ``site``, ``title``, sentences ``by_rule`` and ``in_run``, and ``figures`` of the run.

    ``figures``: records not mirrored, those of them in topics that no flow copies (``unmirrored``), the time between
    the first and the last in us, records that groups skip and read again; null where no flow copies from the cluster.
    ``range``: the least and the most of each, had the cluster been lost at one of ``MOMENTS`` moments in the
    ``RANGE_US`` before; null likewise.
    """
    parts = written_parts(doc)
    flows = flows_of(doc.mirrors, parts)
    for site in doc.clusters:
        world, before = _lost(doc, site)
        yield {
            "site": site,
            "title": f"{site} goes dark",
            "by_rule": by_rule(site, parts, flows),
            **_of_run(world, site, before),
        }


def loss_document(doc: Document, site: str) -> Document:
    """The document of a row: as the given one begins, and nothing happens but the loss."""
    loss = TimelineEntry.model_construct(at_us=LOSS_US, action=Action(KILL_SITE, (site,)))
    changes = {"timeline": [*begun(doc), loss], "expect": [], "captions": [], "closing_us": None}
    clusters = {name: part.model_copy(update={"faults": None}) for name, part in doc.clusters.items()}
    return doc.model_copy(update={**changes, "clusters": clusters, "until_us": LOSS_US + DARK_US})


def _lost(doc: Document, site: str) -> tuple[World, list[Json]]:
    """The run in which a cluster is lost, and the figures at the moments before, without that loss."""
    world = build(loss_document(doc, site))
    before = []
    for k in range(MOMENTS if doc.mirrors else 0):
        world.run(LOSS_US - RANGE_US + RANGE_US * k // MOMENTS)
        before.append(_figures(world, _flows_from(mirror_verdicts(world.mirrors), site)))
    world.run(LOSS_US + DARK_US)
    return world, before


# -- by rule


def by_rule(site: str, parts: dict[str, Document], flows: list[PlannedFlow]) -> list[str]:
    """Sentences that follow from the document alone."""
    part = parts[site]
    partitions = sum(len(topic.assignment) for topic in part.topics)
    found = []
    if partitions:
        count = plural(partitions, f"partition of {site} has", f"partitions of {site} have")
        found.append(
            f"{count} no leader until it is back: no writes, no reads. Acknowledged records stay on the disks."
        )
    away = [flow for flow in flows if flow.mirror.source == site]
    if not away:
        found.append(f"No flow copies from {site}: what is written there is nowhere else.")
    for flow in away:
        found += _flow_from(flow, part)
    found += [
        f"{flow.name} stops: records of {flow.mirror.source} are not mirrored until {site} is back."
        for flow in flows
        if flow.mirror.target == site
    ]
    return found


def _flow_from(flow: PlannedFlow, part: Document) -> list[str]:
    target = flow.mirror.target
    if flow.mirror.state != "running":
        return [f"{flow.name} does not run: what it has not copied yet is not on {target}."]
    used = [topic.name for topic in part.topics if _is_of_application(flow, topic.name)]
    copied, left = [name for name in used if name in flow.copies], [name for name in used if name not in flow.copies]
    found = []
    if left:
        found.append(f"{flow.name} does not copy {_named(left, 'topics')}: what is written there is not on {target}.")
    if copied:
        late = "records of the last moments can be missing"
        found.append(f"{flow.name} copies {_named(copied, 'topics')} after the writes: {late}.")
    return [*found, *_groups(flow, part)]


def _is_of_application(flow: PlannedFlow, topic: str) -> bool:
    """False for topics that Kafka and MirrorMaker keep, and for copies that came from the target."""
    return not is_own_topic(topic, flow.policy) and not flow.topics.is_cycle(topic)


def _groups(flow: PlannedFlow, part: Document) -> list[str]:
    """Sentences on the groups of the lost cluster that read a copied topic: where they continue."""
    settings, target = flow.settings, flow.mirror.target
    readers = [one for one in part.consumers if any(topic in flow.copies for topic in topics_read(one))]
    groups = list(dict.fromkeys(one.group for one in readers if one.group))
    admitted = groups_filter(flow)
    taken = [group for group in groups if admitted.admits(group)]
    left = [group for group in groups if group not in taken]
    found = (
        [f"{_named(left, 'groups')}: not translated, since the keys groups and groups.exclude say so."] if left else []
    )
    if not taken:
        return found
    names = _named(taken, "groups")
    checkpoints, syncs = settings.emit_checkpoints_interval_us, settings.sync_group_offsets_interval_us
    if checkpoints == NEVER or not settings.emit_offset_syncs:
        return [*found, f"{names}: no checkpoints are written, so auto.offset.reset decides on {target}."]
    if syncs == NEVER:
        why = "sync.group.offsets.enabled is false"
        return [*found, f"{names}: {why}, so no offset is committed on {target} and auto.offset.reset decides."]
    age = f"{(checkpoints + syncs) / S:,.0f} s"
    lower = f"up to {plural(settings.offset_lag_max, 'record', 'records')} lower in each partition (offset.lag.max)"
    old = f"the offset on {target} is translated. It can be {age} old, and {lower}, more for a group that lags"
    return [*found, f"{names}: {old}. What lies after it is read again."]


def topics_read(consumer: ConsumerEntry) -> list[str]:
    """The topics that a consumer reads."""
    return [*consumer.topics, *(topic for topic, _ in consumer.partitions)]


def _named(names: list[str], what: str) -> str:
    return listed(names) if len(names) <= NAMED_MAX else f"{len(names)} {what}"


# -- in the run


def _of_run(world: World, site: str, before: list[Json]) -> Json:
    verdict: Json = world.verdict()
    flows = _flows_from(verdict.get("mirrors", []), site)
    figures = _figures(world, flows)
    ranges = {key: [pick(one[key] for one in (*before, figures)) for pick in (min, max)] for key in figures}
    clusters = [f"{one['cluster']}: {one['sentence']}" for one in verdict["clusters"]]
    groups = [group for flow in flows for group in flow["groups"]]
    copied = (str(flow["sentence"]) for flow in flows)
    told = [*_not_copied_told(world, flows), *copied, *_groups_told(groups), *_left_told(world, flows), *clusters]
    if not flows:
        return {"in_run": told, "figures": dict.fromkeys(figures), "range": dict.fromkeys(figures)}
    return {"in_run": told, "figures": figures, "range": ranges}


def _flows_from(flows: list[Json], site: str) -> list[Json]:
    return [flow for flow in flows if flow["flow"].startswith(f"{site}->")]


def _figures(world: World, flows: list[Json]) -> Json:
    topics = [topic for flow in flows for topic in flow["topics"]]
    groups = [group for flow in flows for group in flow["groups"]]
    alone = [topic for flow in flows for topic in not_copied_by(world.cluster_runs, flow)]
    unmirrored = sum(topic.records for topic in alone)
    times = [*(topic["not_mirrored_us"] for topic in topics), *(topic.us for topic in alone)]
    return {
        "not_mirrored": unmirrored + sum(topic["left"] for topic in topics),
        "unmirrored": unmirrored,
        "not_mirrored_us": max(times, default=0),
        "skips": sum(group["skips"] for group in groups),
        "rereads": sum(group["rereads"] for group in groups),
    }


def _not_copied_told(world: World, flows: list[Json]) -> Iterator[str]:
    """The sentences on topics that a flow does not copy, with the number of their records."""
    for flow in flows:
        alone = [topic for topic in not_copied_by(world.cluster_runs, flow) if topic.records]
        if alone:
            names = _named([topic.topic for topic in alone], "topics")
            records = plural(sum(topic.records for topic in alone), "record is", "records are")
            target = str(flow["flow"]).partition("->")[2]
            yield f"{flow['flow']} does not copy {names}: {records} not on {target}{assumed_words(alone)}."


def _left_told(world: World, flows: list[Json]) -> Iterator[str]:
    """The sentences on groups that read topics which a flow does not copy: they find nothing to read."""
    for flow in flows:
        source, _, target = str(flow["flow"]).partition("->")
        alone = {topic.topic for topic in not_copied_by(world.cluster_runs, flow)}
        read: dict[str, set[str]] = {}
        for one in world.doc.clusters[source].consumers:
            if one.group:
                read.setdefault(one.group, set()).update({*one.topics, *(name for name, _ in one.partitions)} & alone)
        lacking = [group for group, topics in read.items() if topics]
        if lacking:
            topics = sorted(set().union(*read.values()))
            finds = "finds" if len(lacking) == 1 else "find"
            yield f"{_named(lacking, 'groups')} {finds} no copy of {_named(topics, 'topics')} on {target}."


def _groups_told(groups: list[Json]) -> list[str]:
    """Sentences on where groups continue: those that skip most, then those that read most again; more are counted."""
    worst = sorted(groups, key=lambda group: (-group["skips"], -group["rereads"]))
    told = [str(group["sentence"]) for group in worst[:NAMED_MAX]]
    more = len(worst) - NAMED_MAX
    return told if more <= 0 else [*told, f"So do groups on {plural(more, 'more partition', 'more partitions')}."]
