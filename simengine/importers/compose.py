"""Names Docker Compose files with Kafka in them: which services are brokers, in how many clusters, in which racks."""

import re
from typing import Any, Final

from simengine.importers.model import Facts, Reading
from simengine.importers.text import Paste
from simengine.importers.yamltext import YamlError, at, documents

KIND: Final = "compose"
LABEL: Final = "a Docker Compose file"
_MARK = re.compile(r"^[ \t]{0,40}services[ \t]{0,9}:", re.MULTILINE)
_KAFKA = re.compile(r"KAFKA_|kafka", re.IGNORECASE)
_ANY_ID = re.compile(r"KAFKA_(?:CFG_)?(?:BROKER|NODE)_ID['\"]?\s*[:=]\s*['\"]?(\d{1,10})")
_PREFIXES: Final = ("KAFKA_CFG_", "KAFKA_")


def read(paste: Paste) -> Reading | None:
    """The brokers among the services; None if this is no compose file about Kafka."""
    text = paste.joined()
    if not _MARK.search(text) or not _KAFKA.search(text):
        return None
    reading = Reading(KIND, LABEL)
    try:
        services = [at(document, "services") for document in documents(paste)]
    except YamlError as error:
        reading.rejected = str(error)
        reading.facts = Facts(brokers=len(dict.fromkeys(_ANY_ID.findall(text))))
        return reading
    brokers = [
        service
        for group in services
        if isinstance(group, dict)
        for service in group.values()
        if isinstance(service, dict) and _is_broker(service)
    ]
    reading.facts = Facts(brokers=len(brokers))
    if not brokers:
        reading.rejected = "This compose file holds no Kafka broker."
    _warn(brokers, reading)
    return reading


def _environment(service: dict[str, Any]) -> dict[str, str]:
    """``environment`` as a mapping; it may be a list of ``KEY=value``."""
    raw = service.get("environment")
    if isinstance(raw, list):
        pairs = (str(item).partition("=") for item in raw)
        return {key.strip(): value.strip() for key, _, value in pairs}
    if isinstance(raw, dict):
        return {str(key): "" if value is None else str(value) for key, value in raw.items()}
    return {}


def _setting(environment: dict[str, str], name: str) -> str | None:
    for prefix in _PREFIXES:
        if prefix + name in environment:
            return environment[prefix + name].strip("'\" ")
    return None


def _is_broker(service: dict[str, Any]) -> bool:
    environment = _environment(service)
    roles = _setting(environment, "PROCESS_ROLES")
    if roles is not None:
        return "broker" in roles
    if _setting(environment, "BROKER_ID") is not None or _setting(environment, "NODE_ID") is not None:
        return True
    has_listeners = _setting(environment, "ADVERTISED_LISTENERS") is not None
    return bool(_setting(environment, "ZOOKEEPER_CONNECT")) and has_listeners


def _warn(brokers: list[dict[str, Any]], reading: Reading) -> None:
    environments = [_environment(broker) for broker in brokers]
    clusters = {_cluster(environment): None for environment in environments}
    if len(clusters) > 1:
        reading.warn(f"The brokers belong to {len(clusters)} clusters; import them one at a time.")
    if any(not broker.get("image") and not broker.get("build") and not broker.get("extends") for broker in brokers):
        reading.warn("Some brokers have no image: this looks like an override of another file.")
    ids = [_setting(environment, "NODE_ID") or _setting(environment, "BROKER_ID") for environment in environments]
    if len(dict.fromkeys(ids)) < len(ids) and len(clusters) == 1:
        reading.warn("Two brokers have the same id, or none.")


def _cluster(environment: dict[str, str]) -> str:
    """What tells clusters apart: the voters, the ZooKeeper address, or the cluster id."""
    return (
        _setting(environment, "CONTROLLER_QUORUM_VOTERS")
        or _setting(environment, "ZOOKEEPER_CONNECT")
        or environment.get("CLUSTER_ID", "")
    )
