"""Topics that are declared and not listed, placed as a controller places them (PLACE-1..5, `kafka/placement.py`).

Where a paste names brokers and no topic at all, one topic with the cluster's defaults stands for them. Racks count only
if the brokers have some. Nothing of this stands in the paste, and the assumptions say so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from simengine.importers.assumed import Assumed
from simengine.importers.evidence import Declared, Evidence
from simengine.importers.limits import PARTITIONS_MAX
from simengine.importers.model import Broker, Cluster, Topic
from simengine.kafka.placement import make_placer
from simengine.kernel.random import Stream
from simengine.scenario.limits import REPLICAS_MAX

OFFSETS: Final = "__consumer_offsets"
OFFSETS_PARTITIONS: Final = 50  # Kafka's default
NAME: Final = "topic-1"
FACTOR: Final = 3
SEED: Final = 1


@dataclass(slots=True)
class Placement:
    """The cluster with its placed topics, and of each with what its numbers were taken from."""

    cluster: Cluster
    declared: list[str] = field(default_factory=list)  # names of placed topics that the paste declares
    invented: str = ""  # the name of the topic that stands for all, if the paste has none
    defaults: list[str] = field(default_factory=list)  # what was taken from defaults, in words


def is_needed(cluster: Cluster) -> bool:
    """Whether no partition of the cluster is listed."""
    return not any(topic.rows for topic in cluster.topics.values())


def with_placed(cluster: Cluster, racks: Mapping[int, str | None], assumed: Assumed) -> Placement:
    """The cluster with all its declared topics placed; unchanged if any partition is listed."""
    if not is_needed(cluster) or not cluster.brokers:
        return Placement(cluster)
    placement = Placement(replace(cluster, topics=dict(cluster.topics)))
    evidence = cluster.evidence
    topics = [entry for entry in evidence.declared.values() if entry.name != OFFSETS]
    if not topics:
        placement.invented = NAME
        topics = [Declared(NAME, assumed.topic_partitions, assumed.topic_replicas, {}, 0, "")]
    for entry in [*topics, *_offsets(evidence)]:
        _place(entry, placement, racks)
        if entry.source:
            placement.declared.append(entry.name)
    return placement


def _offsets(evidence: Evidence) -> list[Declared]:
    """``__consumer_offsets``, if the paste tells how many replicas it gets: groups depend on them."""
    factor = evidence.cluster_config("offsets.topic.replication.factor")
    if factor is None:
        return []
    count = evidence.cluster_config("offsets.topic.num.partitions")
    partitions = _whole(count.value if count else None) or OFFSETS_PARTITIONS
    return [Declared(OFFSETS, partitions, _whole(factor.value), {}, factor.line, factor.source)]


def _place(entry: Declared, placement: Placement, racks: Mapping[int, str | None]) -> None:
    cluster = placement.cluster
    evidence = cluster.evidence
    brokers = sorted(cluster.brokers)
    count = entry.partitions or _default(evidence, "num.partitions", len(brokers), entry, placement)
    factor = entry.factor or _default(evidence, "default.replication.factor", FACTOR, entry, placement)
    if factor > len(brokers):
        placement.defaults.append(f"{entry.name}: {factor} replicas are declared and there are {len(brokers)} brokers")
    factor = min(factor, len(brokers), REPLICAS_MAX)
    aware = [(racks.get(broker) or "") if evidence.is_rack_aware else "" for broker in brokers]
    placer = make_placer(aware, brokers, [False] * len(brokers), Stream(SEED, "placement", entry.name))
    topic = cluster.topics.get(entry.name)
    configs = {**entry.configs, **((topic.configs or {}) if topic else {})}
    cluster.topics[entry.name] = Topic(entry.name, count, configs, line=entry.line)
    for number in range(min(count, PARTITIONS_MAX)):
        cluster.add_placed(entry.name, number, tuple(placer.place(factor)), line=entry.line)


def _default(evidence: Evidence, key: str, assumed: int, entry: Declared, placement: Placement) -> int:
    """The cluster's default, told or assumed, of a number that a topic does not declare."""
    said = evidence.cluster_config(key)
    told = _whole(said.value) if said else None
    value = told or assumed
    why = f"{said.place()}" if said and told else "assumed"
    placement.defaults.append(f"{entry.name}: {key} {value} ({why})")
    return value


def _whole(value: str | None) -> int | None:
    word = (value or "").strip("'\" ")
    return int(word) if word.isascii() and word.isdigit() and 0 < len(word) <= 4 and int(word) > 0 else None


def assumed_brokers(cluster: Cluster, count: int | None) -> Cluster:
    """The cluster with another number of brokers, where the paste tells none."""
    if not cluster.evidence.brokers_assumed or count is None:
        return cluster
    return replace(cluster, brokers={number: Broker(number) for number in range(count)})
