"""Reads Docker Compose files with Kafka in them: which services are nodes, and in how many clusters.

A service is a broker if its environment says so (roles, a broker id, listeners with ZooKeeper), or if its image is
one of Kafka's broker images and it runs no tool instead. Profiles, env files and other compose files are not followed.
"""

import re
from typing import Any, Final

from simengine.importers import env_lines
from simengine.importers.compose_cluster import LABEL, properties, take_node
from simengine.importers.jsontext import as_int
from simengine.importers.model import PastedCluster, PastedCounts, PasteResult
from simengine.importers.text import Paste
from simengine.importers.yamltext import YamlError, at, documents

KIND: Final = "compose"
COPIES_MAX: Final = 1_000
_MARK = re.compile(r"^[ \t{]{0,40}(?:services[ \t]{0,9}:|[\"']services[\"'][ \t]{0,9}:\s{0,9}\{)", re.MULTILINE)
_KAFKA = re.compile(r"KAFKA_|kafka", re.IGNORECASE)
_ANY_ID = re.compile(r"KAFKA_(?:CFG_)?(?:BROKER|NODE)_ID['\"]?\s*[:=]\s*['\"]?(\d{1,10})")
_PREFIXES: Final = ("KAFKA_CFG_", "KAFKA_")
_BROKER_IMAGE = re.compile(
    r"(?:kafka|cp-kafka|cp-server|cp-enterprise-kafka|confluent-local|kafka-native|docker-kafka|kafka-docker|"
    r"kafka-kraft|docker-kafka-kraft|kafka-zookeeper|docker-kafka-zookeeper|fast-data-dev)(?:[:@$].*)?$"
)
_TOOL = re.compile(
    r"\bkafka-(?!server-start|run)[a-z]{3,20}|\bsleep\b|tail -f|kafka-ready|kafka-run-class|"
    r"\bconnect-(?:distributed|standalone|mirror)"
)
_STARTS: Final = ("server-start", "/etc/confluent/docker/run", "/etc/kafka/docker/run", "scripts/kafka/run.sh")
_ID = re.compile(r"-?\d{1,10}|.*[${].*")
_LISTENERS: Final = ("ADVERTISED_LISTENERS", "ADVERTISED_HOST_NAME", "ADVERTISED_PORT", "LISTENERS")


def read(paste: Paste) -> PasteResult | None:
    """The brokers among the services; None if this is no compose file about Kafka."""
    text = paste.joined()
    is_part = not _MARK.search(text)
    if is_part and not (env_lines.MARK.search(text) or _is_chart(text)) or not _KAFKA.search(text):
        return None
    reading = PasteResult(KIND, _label(text) if is_part else LABEL)
    services, error = _services(paste, is_part)
    if error:
        reading.rejected = error
        reading.facts = PastedCounts(brokers=len(dict.fromkeys(_ANY_ID.findall(text))))
        return reading
    brokers = _brokers(services)
    reading.facts = PastedCounts(brokers=sum(_copies(broker) for broker in brokers))
    if not brokers:
        cure = " Paste the whole file, from the line services: on." if is_part else ""
        reading.rejected = f"This is {reading.label}, and none of its services is a Kafka broker.{cure}"
    _warn(brokers, reading)
    controllers = [
        service
        for group in services
        if isinstance(group, dict)
        for service in group.values()
        if isinstance(service, dict) and _is_controller(service)
    ]
    reading.cluster = _cluster(brokers, controllers, reading)
    reading.cluster.evidence.lines_read += paste.yaml
    reading.cluster.evidence.lines_read += [line for node in brokers for line in node.get("lines", ())]
    return reading


def _label(text: str) -> str:
    """The kind of a text without ``services:``, by its form."""
    if "extraEnv" in text or _is_chart(text):
        return "the values of a Helm chart"
    if "apiVersion:" in text and "kind:" in text:
        return "a Kubernetes manifest"
    return "a part of a Docker Compose file" if "environment" in text or "image:" in text else "settings of containers"


def _is_chart(text: str) -> bool:
    return "replicaCount:" in text and bool(env_lines.CHART.search(text))


def _services(paste: Paste, is_part: bool) -> tuple[list[Any], str]:
    """The services by their names, one mapping a document, and why there are none ("": there are).

    A part of a file is read as YAML where that gives brokers, else line by line.
    """
    try:
        found = documents(paste)
        services = [_of_part(document) if is_part else at(document, "services") for document in found]
    except YamlError as error:
        if not is_part:
            return [], str(error)
        services = []
    if is_part and not (_brokers(services) and not _is_chart(paste.joined())):
        nodes = env_lines.services(paste)
        services = [{f"{one['name']}-{index}": one} for index, one in enumerate(nodes)]
    return services, ""


def _brokers(services: list[Any]) -> list[dict[str, Any]]:
    """The services that are brokers. Beside brokers with settings, one without any that runs a command is a tool."""
    named = [(str(name), one) for group in services if isinstance(group, dict) for name, one in group.items()]
    found = [one for name, one in named if isinstance(one, dict) and _is_broker(name, one)]
    if not any(map(_has_settings, found)):
        return found
    return [one for one in found if _has_settings(one) or not _command(one) or _starts_a_server(one)]


def _has_settings(service: dict[str, Any]) -> bool:
    """True if its environment sets anything of a broker; an env file, which is not read, may."""
    return bool(properties(_environment(service))) or "env_file" in service


def _of_part(document: dict[str, Any]) -> dict[str, Any]:
    """The services of a file that begins below its line ``services:``, or the one whose body alone is pasted."""
    return {"kafka": document} if "environment" in document else document


def _is_controller(service: dict[str, Any]) -> bool:
    """True if the service is a node of the quorum and no broker."""
    return (_setting(_environment(service), "PROCESS_ROLES") or "").strip() == "controller"


def _cluster(brokers: list[dict[str, Any]], controllers: list[dict[str, Any]], reading: PasteResult) -> PastedCluster:
    """The cluster with the most brokers; the ids that a file gives are taken before those that are counted."""
    groups = _groups([_environment(broker) for broker in brokers])
    sizes = [sum(_belongs(broker, group) for broker in brokers) for group in groups]
    mine = groups[sizes.index(max(sizes))] if groups else None
    cluster = PastedCluster()
    nodes = [node for node in [*brokers, *controllers] if mine is None or _belongs(node, mine)]
    for node in sorted(nodes, key=lambda one: not _gives_id(one)):
        take_node(_environment(node), _copies(node), reading.label, cluster)
        cluster.evidence.ids_guessed = cluster.evidence.ids_guessed or node.get("is_counted") is True
    if len(groups) > 1:
        reading.warn(f"Built is the largest of them, with {len(cluster.brokers)} brokers.")
    absent = [str(number) for number in cluster.controllers if not _is_service(number, nodes)]
    if absent:
        reading.warn(f"The quorum has voters that no service of the paste shows: {', '.join(absent)}.")
    return cluster


def _belongs(service: dict[str, Any], group: set[str]) -> bool:
    members = _members(_environment(service))
    return not members or bool(members & group)


def _gives_id(service: dict[str, Any]) -> bool:
    environment = _environment(service)
    return any((_setting(environment, key) or "").isdigit() for key in ("NODE_ID", "BROKER_ID"))


def _is_service(number: int, nodes: list[dict[str, Any]]) -> bool:
    """True if a node of the quorum is among the services; one without an id may be any."""
    environments = [_environment(node) for node in nodes]
    ids = [_setting(environment, "NODE_ID") for environment in environments]
    return str(number) in ids or not all((word or "").isdigit() for word in ids)


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


def _is_broker(name: str, service: dict[str, Any]) -> bool:
    environment = _environment(service)
    roles = _setting(environment, "PROCESS_ROLES")
    if roles is not None:
        return "broker" in roles
    ids = [_setting(environment, key) for key in ("BROKER_ID", "NODE_ID")]
    if any(number is not None for number in ids):
        is_controller = "controller" in name and "broker" not in name
        return not is_controller and any(_ID.fullmatch(number or "") for number in ids)
    has_listeners = any(_setting(environment, key) is not None for key in _LISTENERS)
    if _setting(environment, "ZOOKEEPER_CONNECT") and has_listeners:
        return True
    return _has_broker_image(service) and not _runs_a_tool(service)


def _has_broker_image(service: dict[str, Any]) -> bool:
    return bool(_BROKER_IMAGE.match(str(service.get("image") or "").rpartition("/")[2]))


def _runs_a_tool(service: dict[str, Any]) -> bool:
    return bool(_TOOL.search(_command(service))) and not _starts_a_server(service)


def _starts_a_server(service: dict[str, Any]) -> bool:
    return any(start in _command(service) for start in _STARTS)


def _command(service: dict[str, Any]) -> str:
    """The command that the service runs instead of its image's own; "" if it runs that."""
    return f"{service.get('entrypoint') or ''} {service.get('command') or ''}".strip()


def _copies(service: dict[str, Any]) -> int:
    """The number of containers that the service asks for."""
    copies = as_int(service.get("scale"))
    copies = as_int(at(service, "deploy", "replicas")) if copies is None else copies
    return 1 if copies is None else min(max(copies, 0), COPIES_MAX)


def _warn(brokers: list[dict[str, Any]], reading: PasteResult) -> None:
    environments = [_environment(broker) for broker in brokers]
    clusters = max(1, len(_groups(environments)))
    if clusters > 1:
        reading.warn(f"The brokers belong to {clusters} clusters; import them one at a time.")
    is_file = reading.label == LABEL
    if is_file and any(not any(broker.get(key) for key in ("image", "build", "extends")) for broker in brokers):
        reading.warn("Some brokers have no image: this looks like an override of another file.")
    ids = [_setting(environment, "NODE_ID") or _setting(environment, "BROKER_ID") for environment in environments]
    known = [number for number in ids if number and number != "-1"]
    if len(dict.fromkeys(known)) < len(known) and clusters == 1:
        reading.warn("Two brokers have the same id.")


def _groups(environments: list[dict[str, str]]) -> list[set[str]]:
    """The clusters that the brokers name: those that share a voter or a ZooKeeper are one."""
    groups: list[set[str]] = []
    for environment in environments:
        members = _members(environment)
        if members:
            touching = [group for group in groups if group & members]
            groups = [group for group in groups if not group & members]
            groups.append(members.union(*touching))
    return groups


def _members(environment: dict[str, str]) -> set[str]:
    """The identity of a cluster: its voters, bootstrap controllers, or ZooKeeper with its path; else the cluster id."""
    for name in ("CONTROLLER_QUORUM_VOTERS", "CONTROLLER_QUORUM_BOOTSTRAP_SERVERS"):
        voters = _setting(environment, name)
        if voters:
            return {voter.strip().rpartition("@")[2] for voter in voters.split(",")}
    servers, _, path = (_setting(environment, "ZOOKEEPER_CONNECT") or "").partition("/")
    if servers:
        return {f"{server.strip()}/{path}" for server in servers.split(",")}
    return {environment["CLUSTER_ID"]} if environment.get("CLUSTER_ID") else set()
