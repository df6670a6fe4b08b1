"""The cluster that the services of a Docker Compose file make up: ids, roles, racks, voters, defaults of topics."""

import re
from collections.abc import Mapping
from typing import Final

from simengine.importers.evidence import DeclaredTopic, PastedValue
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import ControllerRead, PastedBroker, PastedCluster
from simengine.importers.server_properties import take_configs

LABEL: Final = "a Docker Compose file"
_ID = re.compile(r"\d{1,10}$")
_DEFAULT = re.compile(r"\$\{[^}:]{1,100}:?-([^}]{0,300})\}")
_VOTER = re.compile(r"(\d{1,10})@")
_CREATED = re.compile(r"(?<![A-Za-z0-9._-])([A-Za-z0-9._-]{1,249}):(\d{1,6}):(\d{1,3})(?::\S+)?")
_PREFIX = re.compile(r"KAFKA_(?:CFG_)?")


def take_node(environment: Mapping[str, str], copies: int, label: str, cluster: PastedCluster) -> None:
    """Add a service that is a node; ``copies``: how many containers it asks for, ``label``: what it stands in."""
    settings = {key: _filled(value) for key, value in properties(environment).items()}
    said = {key: PastedValue(value, 0, label) for key, value in settings.items()}
    roles = settings.get("process.roles", "broker")
    rack = settings.get("broker.rack") or None
    for _ in range(copies):
        number = _number(settings, cluster)
        if "broker" in roles:
            cluster.brokers[number] = PastedBroker(number, rack, source=label)
        if "controller" in roles and _may_vote(number, settings):
            cluster.controllers[number] = ControllerRead(number, rack, 0, label)
    for voter in _VOTER.findall(settings.get("controller.quorum.voters", "")):
        if int(voter) <= BROKER_ID_MAX:
            cluster.controllers.setdefault(int(voter), ControllerRead(int(voter), None, 0, label))
    if "zookeeper.connect" in settings:
        cluster.evidence.is_zookeeper = PastedValue("ZooKeeper", 0, label)
    take_configs(said, cluster.evidence)
    for name, partitions, factor in _CREATED.findall(settings.get("create.topics", "")):
        cluster.evidence.declared[name] = DeclaredTopic(name, int(partitions), int(factor), {}, 0, label)


def _may_vote(number: int, settings: Mapping[str, str]) -> bool:
    """True if a controller is among the voters: where these are listed, a node whose id is not theirs is none."""
    voters = _VOTER.findall(settings.get("controller.quorum.voters", ""))
    return not voters or str(number) in voters or not settings.get("node.id", "").isdigit()


def properties(environment: Mapping[str, str]) -> dict[str, str]:
    """The broker's properties in an environment: ``KAFKA_CFG_NODE_ID`` is ``node.id``."""
    found: dict[str, str] = {}
    for key, value in environment.items():
        prefix = _PREFIX.match(key)
        if prefix:
            name = key[prefix.end() :].replace("__", "-").replace("_", ".").lower()
            found[name] = value.strip("'\" ")
    return found


def _filled(value: str) -> str:
    """A value whose variables have defaults, as Compose fills them in."""
    return _DEFAULT.sub(lambda match: match.group(1), value)


def _number(settings: Mapping[str, str], cluster: PastedCluster) -> int:
    """The id of a node; the next free one where the file gives none or gives it twice."""
    for key in ("node.id", "broker.id"):
        word = settings.get(key, "")
        if _ID.match(word) and int(word) <= BROKER_ID_MAX and int(word) not in cluster.brokers:
            return int(word)
    cluster.evidence.ids_guessed = True
    number = 1
    while number in cluster.brokers or number in cluster.controllers:
        number += 1
    return number
