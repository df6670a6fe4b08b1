"""The cluster that Strimzi's resources declare: nodes by pool, topics, the Kafka resource's configs and version.

The operator gives the node ids when it makes the nodes, and the status of a pool names them. Ids that neither it nor
the annotation names are counted here in the order of the paste, and that is said.
"""

import re
from typing import Any, Final

from simengine.importers.evidence import DeclaredTopic, PastedValue
from simengine.importers.jsontext import as_id, as_int
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import ControllerRead, PastedBroker, PastedCluster
from simengine.importers.server_properties import take_configs
from simengine.importers.values import as_property
from simengine.importers.yamltext import at

LABEL: Final = "a Strimzi resource"
NODES_MAX: Final = 1_000
BROKERS_ASSUMED: Final = 3
_CLUSTER: Final = ("metadata", "labels", "strimzi.io/cluster")
_NEXT_IDS: Final = ("metadata", "annotations", "strimzi.io/next-node-ids")
_VERSION = re.compile(r"(\d\.\d{1,2})(?:\.\d{1,2})?(?:-IV\d)?$")
_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}$")


def declared(resources: list[dict[str, Any]]) -> tuple[PastedCluster, str]:
    """The cluster of the first name, and which others were left out ("" for none)."""
    names = list(dict.fromkeys(name for item in resources if (name := _cluster_of(item))))
    mine = [item for item in resources if _cluster_of(item) in (None, *names[:1])]
    cluster = PastedCluster()
    pools = [item for item in mine if item["kind"] == "KafkaNodePool"]
    for item in mine:
        if item["kind"] == "Kafka":
            _take_kafka(item, bool(pools), cluster)
    for pool in pools:
        _take_pool(pool, cluster)
    for item in mine:
        if item["kind"] == "KafkaTopic":
            _take_topic(item, cluster)
    if not cluster.brokers:
        _assume_brokers(cluster)
    return cluster, ", ".join(names[1:])


def _cluster_of(item: dict[str, Any]) -> str | None:
    name = at(item, "metadata", "name") if item["kind"] == "Kafka" else at(item, *_CLUSTER)
    return None if name is None else str(name)


def _take_kafka(item: dict[str, Any], has_pools: bool, cluster: PastedCluster) -> None:
    kafka = at(item, "spec", "kafka")
    evidence = cluster.evidence
    for value in (at(kafka, "version"), at(kafka, "metadataVersion")):
        match = _VERSION.match(str(value)) if value is not None else None
        if match:
            evidence.versions.append(PastedValue(match.group(1), 0, LABEL))
    evidence.is_rack_aware = at(kafka, "rack", "topologyKey") is not None
    configs = at(kafka, "config")
    if isinstance(configs, dict):
        take_configs({str(key): PastedValue(as_property(value), 0, LABEL) for key, value in configs.items()}, evidence)
    if at(item, "spec", "zookeeper") is not None and not has_pools:
        evidence.is_zookeeper = PastedValue("ZooKeeper", 0, LABEL)
    replicas = as_int(at(kafka, "replicas"))
    uses_pools = str(at(item, "metadata", "annotations", "strimzi.io/node-pools")) == "enabled"
    if not has_pools and not uses_pools and replicas:
        evidence.ids_guessed = True
        for number in range(min(replicas, NODES_MAX)):
            cluster.brokers[number] = PastedBroker(number, source=LABEL)


def _take_pool(pool: dict[str, Any], cluster: PastedCluster) -> None:
    roles = at(pool, "spec", "roles")
    names = [str(role) for role in roles] if isinstance(roles, list) else ["broker"]
    count = min(as_int(at(pool, "spec", "replicas")) or 0, NODES_MAX)
    ids = _ids(pool, count, cluster)
    for number in ids:
        if "broker" in names:
            cluster.brokers[number] = PastedBroker(number, source=LABEL)
        if "controller" in names:
            cluster.controllers[number] = ControllerRead(number, source=LABEL)


def _ids(pool: dict[str, Any], count: int, cluster: PastedCluster) -> list[int]:
    """The ids of a pool's nodes: those of its status, then those that its annotation gives, else the next free ones."""
    taken = {**cluster.brokers, **cluster.controllers}
    told = [number for number in _list(at(pool, "status", "nodeIds")) if number not in taken]
    if len(told) >= count:
        return told
    cluster.evidence.ids_guessed = True
    written = str(at(pool, *_NEXT_IDS) or "")
    wanted = list(told)
    for low, high in re.findall(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?", written):
        wanted += range(int(low), min(int(high or low), int(low) + NODES_MAX) + 1)
    wanted = [number for number in dict.fromkeys(wanted) if number not in taken and number <= BROKER_ID_MAX]
    free = (number for number in range(2 * NODES_MAX) if number not in taken and number not in wanted)
    return [*wanted[:count], *(next(free) for _ in range(max(0, count - len(wanted))))]


def _list(value: Any) -> list[int]:
    """The ids in a list of them, each once."""
    ids = [as_id(one) for one in value[:NODES_MAX]] if isinstance(value, list) else []
    return list(dict.fromkeys(one for one in ids if one is not None))


def _take_topic(item: dict[str, Any], cluster: PastedCluster) -> None:
    name = str(at(item, "spec", "topicName") or at(item, "metadata", "name") or "")
    if not _TOPIC.match(name):
        return
    configs = at(item, "spec", "config")
    plain = {str(key): as_property(value) for key, value in configs.items()} if isinstance(configs, dict) else {}
    numbers = [_positive(at(item, "spec", key)) for key in ("partitions", "replicas")]
    cluster.evidence.declared[name] = DeclaredTopic(name, numbers[0], numbers[1], plain, 0, LABEL)
    cluster.evidence.topic_configs += [(name, key, PastedValue(value, 0, LABEL)) for key, value in plain.items()]


def _positive(value: Any) -> int | None:
    number = as_int(value)
    return number if number is not None and number > 0 else None


def _assume_brokers(cluster: PastedCluster) -> None:
    """As many brokers as the largest topic needs, where no resource of the paste tells."""
    factors = [entry.factor or 0 for entry in cluster.evidence.declared.values()]
    count = max([BROKERS_ASSUMED, *factors])
    cluster.evidence.brokers_assumed = "no resource of the paste tells; paste the Kafka and KafkaNodePool resources"
    cluster.brokers = {number: PastedBroker(number) for number in range(min(count, NODES_MAX))}
