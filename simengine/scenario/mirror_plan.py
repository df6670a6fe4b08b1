"""The topics that the flows of a document copy at t=0, and the topics that MirrorMaker has made for it.

A topic is copied if the flow admits it (MM-3); a copy may itself be copied on to a third cluster. Left out: Connect's
topics of configs and status, since a run needs neither.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from simengine.mirror.filters import ConfigPropertyFilter, NameFilter
from simengine.mirror.replication_policy import IdentityReplicationPolicy, ReplicationPolicy
from simengine.mirror.source_topics import SourceTopics
from simengine.scenario.limits import ID_MAX
from simengine.scenario.mirror_settings import NEVER, MirrorSettings, mirror_settings
from simengine.scenario.mirrors import Mirror, mirror_problems
from simengine.scenario.model import Document, TopicEntry

HEARTBEATS: Final = "heartbeats"
DEFAULT_FACTOR: Final = -1
TASKS_MAX: Final = 8  # source tasks of a flow, also where tasks.max is greater
BROKERS_DEFAULT_FACTOR: Final = 1  # default.replication.factor, which no broker of a run changes


@dataclass(slots=True)
class PlannedFlow:
    """One entry of ``mirrors:``, with what follows from it. ``copies``: remote topic by source topic.

    ``index``: its place in the document. ``endless``: a topic whose copies would be copied for ever.
    """

    index: int
    mirror: Mirror
    settings: MirrorSettings
    policy: ReplicationPolicy
    topics: SourceTopics
    copies: dict[str, str] = field(default_factory=dict)
    endless: str = ""

    @property
    def name(self) -> str:
        """As MirrorMaker writes it: east->west."""
        return f"{self.mirror.source}->{self.mirror.target}"

    @property
    def syncs_cluster(self) -> str:
        """The cluster that holds the offset syncs."""
        return self.mirror.source if self.settings.syncs_on_source else self.mirror.target

    @property
    def syncs_topic(self) -> str:
        """The topic of offset syncs, named after the other cluster."""
        other = self.mirror.target if self.settings.syncs_on_source else self.mirror.source
        return self.policy.offset_syncs_topic(other)

    @property
    def checkpoints_topic(self) -> str:
        """The topic of checkpoints, on the target."""
        return self.policy.checkpoints_topic(self.mirror.source)

    @property
    def offsets_topic(self) -> str:
        """The topic on the target in which the Connect worker stores its positions."""
        return f"mm2-offsets.{self.mirror.source}.internal"

    @property
    def worker_group(self) -> str:
        """The group on the target that the Connect worker joins."""
        return f"{self.mirror.source}-mm2"

    @property
    def tasks(self) -> int:
        """The source tasks for which the flow has room: at most ``tasks.max``."""
        return min(self.settings.tasks_max, TASKS_MAX)

    def travels(self, key: str) -> bool:
        """True if a config of a source topic is copied to its remote topic."""
        return key in ConfigPropertyFilter(self.settings.configs_exclude).target_configs({key: ""})

    def own_topics(self) -> list[tuple[str, str, int, str]]:
        """MirrorMaker's own topics: cluster, name, replication factor, and the key that sets the factor."""
        settings, target = self.settings, self.mirror.target
        syncs = "offset-syncs.topic.replication.factor"
        storage = "offset.storage.replication.factor"
        checkpoints = "checkpoints.topic.replication.factor"
        found = [
            (self.syncs_cluster, self.syncs_topic, settings.offset_syncs_factor, syncs),
            (target, self.offsets_topic, settings.offset_storage_factor, storage),
            (target, self.checkpoints_topic, settings.checkpoints_factor, checkpoints),
        ]
        if settings.emit_heartbeats_interval_us != NEVER:
            heartbeats = "heartbeats.topic.replication.factor"
            found.append((target, HEARTBEATS, settings.heartbeats_factor, heartbeats))
        return found


def replicas_by(factor: int) -> int:
    """The number of replicas for a replication factor; -1 is the default of the brokers."""
    return BROKERS_DEFAULT_FACTOR if factor == DEFAULT_FACTOR else factor


def flows_of(mirrors: list[Mirror], parts: dict[str, Document]) -> list[PlannedFlow]:
    """The flows that MirrorMaker can start, with the topics that each copies."""
    flows = [
        _planned(index, mirror, parts[mirror.target])
        for index, mirror in enumerate(mirrors)
        if mirror.source in parts
        and mirror.target in parts
        and not mirror_problems(mirror, len(parts[mirror.source].topics))
    ]
    held = {name: dict.fromkeys(topic.name for topic in part.topics) for name, part in parts.items()}
    for flow in flows:
        for cluster, name, _, _ in flow.own_topics():
            held[cluster][name] = None
    while any(_copy_more(flow, held) for flow in flows):  # a copy may be copied in turn
        pass
    return flows


def policy_of(mirror: Mirror, target: Document) -> ReplicationPolicy:
    """The replication policy of a flow."""
    settings = mirror_settings(mirror, target.version)
    separators = (settings.separator, settings.internal_separator)
    if settings.identity_policy:
        return IdentityReplicationPolicy(mirror.source, *separators)
    return ReplicationPolicy(*separators)


def _planned(index: int, mirror: Mirror, target: Document) -> PlannedFlow:
    settings, policy = mirror_settings(mirror, target.version), policy_of(mirror, target)
    admitted = NameFilter(settings.topics, settings.topics_exclude)
    return PlannedFlow(index, mirror, settings, policy, SourceTopics(mirror.source, mirror.target, policy, admitted))


def _copy_more(flow: PlannedFlow, held: dict[str, dict[str, None]]) -> bool:
    """Copy the topics that the source has by now; whether there was one more."""
    new = [name for name in held[flow.mirror.source] if name not in flow.copies and flow.topics.should_replicate(name)]
    found = False
    for name in new:
        remote = flow.topics.remote_topic(name)
        if len(remote) > ID_MAX:
            flow.endless = flow.endless or name
            continue
        flow.copies[name] = remote
        held[flow.mirror.target][remote] = None
        found = True
    return found


def made_topics(flows: list[PlannedFlow], parts: dict[str, Document]) -> dict[str, list[TopicEntry]]:
    """The topics that MirrorMaker has made in each cluster: its own, then remote ones. Written topics stay as they are.

    A factor above the number of brokers is cut here, and refused by ``mirror_checks``.
    """
    known = {name: {topic.name: topic for topic in part.topics} for name, part in parts.items()}
    made: dict[str, list[TopicEntry]] = {name: [] for name in parts}

    def add(cluster: str, topic: TopicEntry) -> None:
        if topic.name not in known[cluster]:
            known[cluster][topic.name] = topic
            made[cluster].append(topic)

    for flow in flows:
        for cluster, name, factor, _ in flow.own_topics():
            add(cluster, TopicEntry(name=name, assignment=placed(parts[cluster], factor, range(1))))
    left = [(flow, source, remote) for flow in flows for source, remote in flow.copies.items()]
    while left:
        waiting = [one for one in left if one[1] not in known[one[0].mirror.source]]
        for flow, source, remote in left:
            if source in known[flow.mirror.source]:
                target = flow.mirror.target
                add(target, _remote(flow, known[flow.mirror.source][source], remote, parts[target]))
        left = waiting
    return made


def _remote(flow: PlannedFlow, source: TopicEntry, remote: str, target: Document) -> TopicEntry:
    """A remote topic as ``MirrorSourceConnector`` creates it: as many partitions, and the configs that travel."""
    return TopicEntry(
        name=remote,
        assignment=placed(target, flow.settings.remote_factor, source.numbers),
        partitions=source.partitions,
        config={key: value for key, value in source.config.items() if flow.travels(key)},
    )


def placed(part: Document, factor: int, numbers: Iterable[int]) -> list[list[int]]:
    """A replica list for each partition: the next brokers in turn, racks alternating (PLACE-2)."""
    brokers = _by_racks_in_turn(part)
    count = min(replicas_by(factor), len(brokers))
    return [[brokers[(number + k) % len(brokers)] for k in range(count)] for number in numbers]


def _by_racks_in_turn(part: Document) -> list[int]:
    """The brokers, one of each rack in turn."""
    by_rack: dict[str, list[int]] = {}
    for broker in part.brokers:
        by_rack.setdefault(broker.rack or "", []).append(broker.id)
    longest = max(map(len, by_rack.values()))
    return [ids[k] for k in range(longest) for ids in by_rack.values() if k < len(ids)]
