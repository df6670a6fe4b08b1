"""Topics that are declared and not listed, placed as a controller places them (PLACE-1..5, `kafka/placement.py`).

Where a paste names brokers and no topic at all, one topic with the cluster's defaults stands for them. Racks count only
if the brokers have some. Nothing of this stands in the paste, and the assumptions say so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from simengine.importers.assumed import AssumedValues
from simengine.importers.describe_warnings import names
from simengine.importers.evidence import DeclaredTopic, PastedEvidence
from simengine.importers.limits import PARTITIONS_MAX
from simengine.importers.model import NO_LEADER, PastedBroker, PastedCluster, PastedTopic
from simengine.kafka.cluster.placement import make_placer
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

    cluster: PastedCluster
    declared: list[str] = field(default_factory=list)  # names of placed topics that the paste declares
    invented: str = ""  # the name of the topic that stands for all, if the paste has none
    defaults: list[tuple[str, str]] = field(default_factory=list)  # topic, and what it took from defaults


def is_needed(cluster: PastedCluster) -> bool:
    """True if no partition of the cluster is listed."""
    return not any(topic.rows for topic in cluster.topics.values())


def with_placed(cluster: PastedCluster, racks: Mapping[int, str | None], assumed: AssumedValues) -> Placement:
    """The cluster with all its declared topics placed; unchanged if any partition is listed."""
    if not is_needed(cluster) or not cluster.brokers:
        return Placement(cluster)
    placement = Placement(replace(cluster, topics=dict(cluster.topics)))
    evidence = cluster.evidence
    topics = [entry for entry in evidence.declared.values() if entry.name != OFFSETS]
    if not topics:
        placement.invented = NAME
        topics = [DeclaredTopic(NAME, assumed.topic_partitions, assumed.topic_replicas, {}, 0, "")]
    for entry in [*topics, *_offsets(evidence)]:
        _place(entry, placement, racks)
        if entry.source:
            placement.declared.append(entry.name)
    return placement


def _offsets(evidence: PastedEvidence) -> list[DeclaredTopic]:
    """``__consumer_offsets``, if the paste tells how many replicas it gets: groups depend on them."""
    factor = evidence.cluster_config("offsets.topic.replication.factor")
    if factor is None:
        return []
    count = evidence.cluster_config("offsets.topic.num.partitions")
    partitions = _whole(count.value if count else None) or OFFSETS_PARTITIONS
    return [DeclaredTopic(OFFSETS, partitions, _whole(factor.value), {}, factor.line, factor.source)]


def _place(entry: DeclaredTopic, placement: Placement, racks: Mapping[int, str | None]) -> None:
    cluster = placement.cluster
    evidence = cluster.evidence
    brokers = sorted(cluster.brokers)
    count = entry.partitions or _default(evidence, "num.partitions", len(brokers), entry, placement)
    factor = entry.factor or _default(evidence, "default.replication.factor", FACTOR, entry, placement)
    if factor > len(brokers):
        few = f"{factor} replicas are wanted of {len(brokers)} broker{'' if len(brokers) == 1 else 's'}"
        placement.defaults.append((entry.name, few))
    factor = min(factor, len(brokers), REPLICAS_MAX)
    aware = [(racks.get(broker) or "") if evidence.is_rack_aware else "" for broker in brokers]
    placer = make_placer(aware, brokers, [False] * len(brokers), Stream(SEED, "placement", entry.name))
    topic = cluster.topics.get(entry.name)
    configs = {**entry.configs, **((topic.configs or {}) if topic else {})}
    cluster.topics[entry.name] = PastedTopic(entry.name, count, configs, line=entry.line)
    for number in range(min(count, PARTITIONS_MAX)):
        cluster.add_placed(entry.name, number, tuple(placer.place(factor)), line=entry.line)
    _leave_out_fenced(cluster, entry.name)


def _leave_out_fenced(cluster: PastedCluster, topic: str) -> None:
    """Brokers that an output calls fenced lead none of its partitions and are in no ISR: they were there before."""
    fenced = [broker.id for broker in cluster.brokers.values() if broker.alive is False]
    rows = cluster.topics[topic].rows
    for number, row in rows.items() if fenced else ():
        alive = tuple(broker for broker in row.replicas if broker not in fenced)
        rows[number] = replace(row, leader=alive[0] if alive else NO_LEADER, isr=alive or row.replicas)


def _default(evidence: PastedEvidence, key: str, assumed: int, entry: DeclaredTopic, placement: Placement) -> int:
    """The cluster's default, told or assumed, of a number that a topic does not declare."""
    said = evidence.cluster_config(key)
    told = _whole(said.value) if said else None
    value = told or assumed
    why = f"{said.place()}" if said and told else "assumed"
    placement.defaults.append((entry.name, f"{key} {value} ({why})"))
    return value


def _whole(value: str | None) -> int | None:
    word = (value or "").strip("'\" ")
    return int(word) if word.isascii() and word.isdigit() and 0 < len(word) <= 4 and int(word) > 0 else None


def assumed_brokers(cluster: PastedCluster, count: int | None) -> PastedCluster:
    """The cluster with another number of brokers, where the paste tells none."""
    if not cluster.evidence.brokers_assumed or count is None:
        return cluster
    fresh = replace(cluster, brokers={number: PastedBroker(number) for number in range(count)})
    fresh.name_brokers()
    return fresh


def told(placement: Placement, new_names: Mapping[str, str]) -> list[tuple[str, Any, str, str]]:
    """The placed and assumed values: key, value, reason, and the key of `AssumedValues` that changes it ("": none)."""
    cluster, evidence = placement.cluster, placement.cluster.evidence
    where = _where(cluster)
    found: list[tuple[str, Any, str, str]] = []
    if evidence.brokers_assumed:
        found.append(("brokers", len(cluster.brokers), evidence.brokers_assumed, "brokers"))
    elif evidence.ids_guessed:
        ids = names([str(broker) for broker in cluster.brokers])
        found.append(("ids of brokers", ids, "counted in the order of the paste, which does not give them all", ""))
    if evidence.brokers_are_voters:
        found.append(("brokers", "the voters of the quorum", "no observer is named, as in combined mode", ""))
    if placement.declared:
        topics = names([new_names.get(name, name) for name in placement.declared])
        found.append(("placed by Kafka's rule", topics, f"no listing tells where their replicas are; {where}", ""))
    defaults = "; ".join(f"{new_names.get(name, name)}: {what}" for name, what in placement.defaults)
    if placement.invented:
        rows = cluster.topics[placement.invented].rows
        why = f"the paste has no topic: one stands for all, placed by Kafka's rule, {where}"
        found.append(("topic_partitions", len(rows), why, "topic_partitions"))
        found.append(("topic_replicas", len(rows[0].replicas), defaults or "set by hand", "topic_replicas"))
    elif defaults:
        found.append(("defaults of topics", defaults, "where a topic declares none of its own", ""))
    return found + ([] if placement.declared or placement.invented else _assumed_states(cluster, new_names))


def _assumed_states(cluster: PastedCluster, new_names: Mapping[str, str]) -> list[tuple[str, Any, str, str]]:
    rows = [f"{new_names[row.topic]}-{row.number}" for row in cluster.rows() if not row.state_told]
    why = "only its replicas are listed: taken for in sync, led by the first"
    return [("leader and ISR", names(rows), why, "")] if rows else []


def _where(cluster: PastedCluster) -> str:
    """The part of racks in a placement, in words."""
    if not cluster.evidence.is_rack_aware:
        return "without racks, as the paste gives brokers none"
    if any(broker.rack for broker in cluster.brokers.values()):
        return "over the racks"
    return "over the racks, whose names the paste does not tell"
