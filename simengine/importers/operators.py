"""Names the Kafka resources of other Kubernetes operators than Strimzi, with the brokers that they declare."""

from typing import Any, Final

from simengine.importers.foreign import named
from simengine.importers.jsontext import as_int
from simengine.importers.model import PastedCounts, PasteResult
from simengine.importers.yamltext import at

_OPERATORS: Final = {
    "platform.confluent.io": "a resource of Confluent for Kubernetes",
    "cluster.confluent.com": "a resource of Confluent's operator",
    "kubedb.com": "a resource of KubeDB",
    "kafka.kubedb.com": "a resource of KubeDB",
    "kafka.banzaicloud.io": "a resource of Koperator",
    "kafka.services.k8s.aws": "a resource of AWS Controllers for Kubernetes",
    "kafka.stackable.tech": "a resource of Stackable",
    "apps.kubeblocks.io": "a resource of KubeBlocks",
    "cluster.redpanda.com": "a resource of Redpanda's operator",
    "aiven.io": "a resource of Aiven's operator",
}
_KINDS: Final = ("Kafka", "KafkaCluster", "KafkaTopic", "Cluster", "Redpanda")
_REPLICAS: Final = (("spec", "replicas"), ("spec", "topology", "broker", "replicas"))


def read(resources: list[dict[str, Any]]) -> PasteResult | None:
    """The reading of the first resource that another operator owns; None if there is none."""
    owned = [(item, label) for item in resources if item.get("kind") in _KINDS and (label := _operator(item))]
    if not owned:
        return None
    return named(owned[0][1], PastedCounts(brokers=sum(_brokers(item) for item, _ in owned)))


def _operator(resource: dict[str, Any]) -> str | None:
    return _OPERATORS.get(str(resource.get("apiVersion")).partition("/")[0])


def _brokers(resource: dict[str, Any]) -> int:
    if resource.get("kind") == "KafkaTopic":
        return 0
    listed = at(resource, "spec", "brokers")
    if isinstance(listed, list):
        return len(listed)
    return next((number for path in _REPLICAS if (number := as_int(at(resource, *path))) is not None), 0)
