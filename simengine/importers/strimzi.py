"""Names Strimzi's Kubernetes resources: Kafka, KafkaNodePool, KafkaTopic. They declare a cluster, not its state."""

import re
from typing import Any, Final

from simengine.importers.jsontext import as_int
from simengine.importers.model import Facts, Reading
from simengine.importers.text import Paste
from simengine.importers.yamltext import YamlError, at, documents

KIND: Final = "strimzi"
LABEL: Final = "a Strimzi resource"
_MARK = re.compile(r"strimzi\.io/|^[ \t+]{0,40}kind:\s*[\"']?Kafka(?:NodePool|Topic)?[\"']?\s*(?:#.*)?$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\$\{[^}\n]{0,200}\}|\{\{[^}\n]{0,200}\}\}")
_PARTITIONS = re.compile(r"^[ \t+]{0,40}partitions:\s*(\d{1,9})", re.MULTILINE)
_KINDS: Final = ("Kafka", "KafkaNodePool", "KafkaTopic")


def read(paste: Paste) -> Reading | None:
    """What the resources declare; None if there is none."""
    text = paste.joined()
    if not _MARK.search(text):
        return None
    reading = Reading(KIND, LABEL)
    counts = [int(found) for found in _PARTITIONS.findall(text)]
    try:
        resources = [item for item in documents(paste) if item.get("kind") in _KINDS]
    except YamlError as error:
        reading.rejected = str(error)
        reading.facts = Facts(topics=len(counts), partitions=sum(counts))
        return reading
    if not resources:
        reading.rejected = "This looks like a part of a Strimzi resource, but no document in it has a kind."
        reading.facts = Facts(topics=len(counts), partitions=sum(counts))
        return reading
    _count(resources, reading)
    _check(resources, text, reading)
    return reading


def _count(resources: list[dict[str, Any]], reading: Reading) -> None:
    topics = [item for item in resources if item["kind"] == "KafkaTopic"]
    partitions = [as_int(at(topic, "spec", "partitions")) for topic in topics]
    reading.facts = Facts(_brokers(resources, reading), len(topics), sum(number or 0 for number in partitions))
    if None in partitions:
        reading.warn("A KafkaTopic without a number of partitions takes the cluster's default, which is unknown here.")


def _brokers(resources: list[dict[str, Any]], reading: Reading) -> int:
    pools = [item for item in resources if item["kind"] == "KafkaNodePool"]
    if pools:
        return sum(_replicas(pool, reading) for pool in pools if _has_broker_role(pool))
    total = 0
    for kafka in (item for item in resources if item["kind"] == "Kafka"):
        if str(at(kafka, "metadata", "annotations", "strimzi.io/node-pools")) == "enabled":
            reading.warn(
                "Node pools are enabled, so spec.kafka.replicas is ignored: paste the KafkaNodePool resources too."
            )
        elif at(kafka, "spec", "kafka", "replicas") is None:
            reading.warn("The number of brokers stands in no resource of this paste.")
        else:
            total += _number(at(kafka, "spec", "kafka", "replicas"), reading)
    return total


def _has_broker_role(pool: dict[str, Any]) -> bool:
    roles = at(pool, "spec", "roles")
    return not isinstance(roles, list) or "broker" in roles


def _replicas(pool: dict[str, Any], reading: Reading) -> int:
    return _number(at(pool, "spec", "replicas"), reading)


def _number(value: Any, reading: Reading) -> int:
    number = as_int(value)
    if number is None:
        reading.warn(f"replicas is {value!r}, which is no number.")
    return number or 0


def _check(resources: list[dict[str, Any]], text: str, reading: Reading) -> None:
    for resource in resources:
        if not isinstance(resource.get("apiVersion"), str):
            written = re.search(r"apiVersion:\s*(.*)", text)
            reading.rejected = (
                f"apiVersion is {written.group(1).strip() if written else 'missing'}: a template whose placeholders "
                "are not filled in. Paste the resource as it is in the cluster (kubectl get -o yaml)."
            )
    if _PLACEHOLDER.search(text):
        reading.warn("Placeholders of a template are left in it: names and numbers may differ in the cluster.")
