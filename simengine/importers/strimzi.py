"""Reads Strimzi's Kubernetes resources: Kafka, KafkaNodePool, KafkaTopic. They declare a cluster, not its state.

Other operators have resources of the kind Kafka too; those are told apart by their apiVersion (`operators.py`).
"""

import re
from typing import Any, Final

from simengine.importers import foreign as foreign_forms
from simengine.importers import operators
from simengine.importers.jsontext import as_int
from simengine.importers.model import PastedCounts, PasteResult, UnreadLine
from simengine.importers.strimzi_cluster import LABEL, declared
from simengine.importers.text import Paste
from simengine.importers.yamltext import YamlError, at, documents, first_line
from simengine.words.phrases import listed

KIND: Final = "strimzi"
_MARK = re.compile(
    r"strimzi\.io/|^[ \t]{0,40}kind:\s*[\"']?Kafka(?:NodePool|Topic|Cluster)?[\"']?\s*(?:#.*)?$", re.MULTILINE
)
_PLACEHOLDER = re.compile(r"\$\{[^}\n]{0,200}\}|\{\{[^}\n]{0,200}\}\}")
_PARTITIONS = re.compile(r"^[ \t]{0,40}partitions:\s*(\d{1,9})", re.MULTILINE)
_KINDS: Final = ("Kafka", "KafkaNodePool", "KafkaTopic")
_CLUSTER_LABEL: Final = ("metadata", "labels", "strimzi.io/cluster")


def read(paste: Paste) -> PasteResult | None:
    """The declarations of the resources; None if there is none."""
    text = paste.joined()
    if not ("strimzi.io/" in text or "kind:" in text) or not _MARK.search(text):
        return None
    if "API Version:" in text and "apiVersion" not in text:
        return None  # kubectl describe
    reading = PasteResult(KIND, LABEL)
    counts = [int(found) for found in _PARTITIONS.findall(text)]
    reading.facts = PastedCounts(topics=len(counts), partitions=sum(counts))
    try:
        found = documents(paste)
    except YamlError as error:
        reading.rejected = str(error)
        return foreign_forms.kubectl_table(text) or reading
    foreign = operators.read(found)
    if foreign is not None:
        return foreign
    resources = [item for item in found if item.get("kind") in _KINDS]
    if not resources:
        reading.rejected = _without_cluster(found)
        return foreign_forms.kubectl_table(text) or reading
    _count(resources, reading)
    _check(resources, text, reading)
    reading.cluster, left_out = declared(resources)
    reading.cluster.evidence.lines_read = _lines_used(paste, found, resources, reading)
    if left_out:
        reading.warn(f"Only the first cluster is built; left out: {left_out}.")
    others = dict.fromkeys(str(item["kind"]) for item in found if item.get("kind") and item not in resources)
    if others:
        reading.notes.append(f"Only {listed(_KINDS)} make a cluster; left out: {', '.join(others)}.")
    if "KafkaMirrorMaker2" in others:
        reading.note(f"KafkaMirrorMaker2: {foreign_forms.MIRROR_MAKER_CURE}")
    return reading


def _lines_used(
    paste: Paste, found: list[dict[str, Any]], resources: list[dict[str, Any]], reading: PasteResult
) -> list[int]:
    """The lines of the documents; one of another kind is listed as unread, at its first line."""
    others = {first_line(item): item for item in found if item not in resources}
    texts = {line.no: line.text for line in paste.lines}
    for number, item in others.items():
        what = f"a {item['kind']} makes no cluster" if item.get("kind") else "no resource: it has no kind"
        reading.unread.append(UnreadLine(number, texts.get(number, ""), what))
    return [number for number in paste.yaml if number not in others]


def _without_cluster(found: list[dict[str, Any]]) -> str:
    kinds = ", ".join(dict.fromkeys(str(item["kind"]) for item in found if item.get("kind")))
    if not kinds:
        return "This looks like a part of a Strimzi resource, but no document in it has a kind."
    if kinds == "KafkaMirrorMaker2":
        return f"This holds KafkaMirrorMaker2. {foreign_forms.MIRROR_MAKER_CURE}"
    return (
        f"This holds {kinds}, which declares no brokers. Paste the Kafka, KafkaNodePool and KafkaTopic resources of "
        "the cluster, or the output of kafka-topics.sh --describe."
    )


def _count(resources: list[dict[str, Any]], reading: PasteResult) -> None:
    topics = [item for item in resources if item["kind"] == "KafkaTopic"]
    partitions = [as_int(at(topic, "spec", "partitions")) for topic in topics]
    reading.facts = PastedCounts(_brokers(resources, reading), len(topics), sum(number or 0 for number in partitions))
    configs = [at(item, "spec", "kafka", "config", "num.partitions") for item in resources]
    if None in partitions and not any(configs):
        reading.alone.append(
            "A KafkaTopic without a number of partitions takes the cluster's default, which is unknown here."
        )


def _brokers(resources: list[dict[str, Any]], reading: PasteResult) -> int:
    """Brokers of all pools, and of each Kafka resource that has no pool."""
    pools = [item for item in resources if item["kind"] == "KafkaNodePool"]
    kafkas = [item for item in resources if item["kind"] == "Kafka"]
    owners = [at(pool, *_CLUSTER_LABEL) for pool in pools]
    total = sum(_number(at(pool, "spec", "replicas"), reading) for pool in pools if _has_broker_role(pool))
    for kafka in kafkas:
        has_pool = bool(pools) and (len(kafkas) == 1 or None in owners or at(kafka, "metadata", "name") in owners)
        total += 0 if has_pool else _own_brokers(kafka, reading)
    names = [str(at(kafka, "metadata", "name")) for kafka in kafkas] + [str(owner) for owner in owners if owner]
    clusters = list(dict.fromkeys(names))
    if len(clusters) > 1:
        reading.warn(f"The resources belong to {len(clusters)} clusters; import them one at a time.")
    return total


def _own_brokers(kafka: dict[str, Any], reading: PasteResult) -> int:
    """Brokers of a Kafka resource without a pool in this paste."""
    if str(at(kafka, "metadata", "annotations", "strimzi.io/node-pools")) == "enabled":
        reading.warn(
            "Node pools are enabled, so spec.kafka.replicas is ignored: paste the KafkaNodePool resources too."
        )
    elif at(kafka, "spec", "kafka", "replicas") is None:
        reading.warn("No resource of this paste gives the number of brokers.")
    else:
        return _number(at(kafka, "spec", "kafka", "replicas"), reading)
    return 0


def _has_broker_role(pool: dict[str, Any]) -> bool:
    roles = at(pool, "spec", "roles")
    return not isinstance(roles, list) or "broker" in roles


def _number(value: Any, reading: PasteResult) -> int:
    number = as_int(value)
    if number is None:
        reading.warn(f"replicas is {value!r}, which is no number.")
    return number or 0


def _check(resources: list[dict[str, Any]], text: str, reading: PasteResult) -> None:
    for resource in resources:
        if not isinstance(resource.get("apiVersion"), str):
            written = re.search(r"apiVersion:\s*(.*)", text)
            what = (
                f"apiVersion is {written[1].strip()}: a template whose placeholders are not filled in"
                if written
                else ""
            )
            missing = f"A {resource['kind']} without apiVersion is incomplete"
            cure = "Paste the resource as it is in the cluster (kubectl get -o yaml)."
            reading.rejected = f"{what or missing}. {cure}"
    if _PLACEHOLDER.search(text):
        reading.warn("Placeholders of a template are left in it: names and numbers may differ in the cluster.")
