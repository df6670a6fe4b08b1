"""Kafka's settings as environment variables outside a whole compose file: each line that sets one is read for itself.

So stand they in a part of a compose file, in the values of a Helm chart (``extraEnvVars``), in ``docker run -e`` and in
env files. A node begins where a service or a container does, and where a variable is set again.
"""

import re
from typing import Any, Final

from simengine.importers.text import Paste

SERVER_KEYS: Final = (
    "NODE_ID|BROKER_ID|PROCESS_ROLES|CONTROLLER_QUORUM_VOTERS|CONTROLLER_QUORUM_BOOTSTRAP_SERVERS|ZOOKEEPER_CONNECT|"
    "ADVERTISED_LISTENERS|ADVERTISED_HOST_NAME|MIN_INSYNC_REPLICAS|DEFAULT_REPLICATION_FACTOR"
)
MARK: Final = re.compile(
    rf"(?<![\w$#])KAFKA_(?:CFG_)?(?:{SERVER_KEYS})['\"]?(?:\s{{0,9}}[:=]|\s{{0,9}}$)", re.MULTILINE
)
CHART: Final = re.compile(
    r"^(?:controller|broker):[ \t]{0,9}(?:\n[ \t][^\n]*){0,40}?\n[ \t]{1,40}replicaCount:", re.MULTILINE
)
_SETTING = re.compile(r"(?<![\w$#])(KAFKA_[A-Z][A-Z0-9_]{2,80})['\"]?\s{0,9}[:=]\s{0,9}")
_NAMED = re.compile(r"^\s{0,40}-?\s{0,9}name:\s{0,9}['\"]?(KAFKA_[A-Z][A-Z0-9_]{2,80})['\"]?\s*$")
_VALUE = re.compile(r"^\s{0,40}value:\s{0,9}(.{0,500})$")
_IMAGE = re.compile(r"\bimage:\s{0,9}['\"]?([\w./:@-]{3,200})")
_HEAD = re.compile(r"^\s{0,40}([A-Za-z][\w.-]{0,60}):\s*$")
_COUNT = re.compile(r"^\s{0,40}(?:replicaCount|replicas|scale):\s{0,9}(\d{1,4})\s*$")
_CONTROLLER_ONLY = re.compile(r"^\s{0,40}controllerOnly:\s{0,9}true\b")
_RUN = re.compile(r"\b(?:docker|podman)\s+(?:container\s+)?run\b")
_RUN_IMAGE = re.compile(r"(?:^|\s)((?:[\w.-]+/){0,3}[\w.-]*kafka[\w.-]*(?::[\w.-]+)?)(?=\s|$)")
_PARTS: Final = (
    "environment|env|extraEnvVars|extraEnv|ports|volumes|depends_on|networks|labels|healthcheck|deploy|command|kafka|"
    "entrypoint|resources|limits|requests|expose|persistence|service|kraft|zookeeper|listeners|extraConfig"
).split("|")  # what stands below a service and begins no other
POOLS: Final = ("controller", "broker")  # of Bitnami's chart
FIRST_BROKER: Final = 100  # the first id of the pool broker in Bitnami's chart
LINE_CHARS_MAX: Final = 4_000
NODES_MAX: Final = 1_000


def services(paste: Paste) -> list[dict[str, Any]]:
    """The nodes as services of a compose file: environment, image, scale, and the name that stands above."""
    reader = _Reader()
    for line in paste.lines:
        text = line.text[:LINE_CHARS_MAX]
        if len(reader.services) > NODES_MAX:
            break
        if text.lstrip()[:1] != "#":
            reader.take(text, line.no)
    found = [one for one in reader.services if one["environment"] or one.get("image") or one.get("scale")]
    return [node for one in found for node in _ordinals(one)]


class _Reader:
    def __init__(self) -> None:
        self.services: list[dict[str, Any]] = []
        self.waiting = ""  # a variable whose value stands in the next line
        self.indent = -1  # of the head that names the service
        self._begin("kafka", -1)

    def take(self, text: str, line: int) -> None:
        named, value = _NAMED.match(text), _VALUE.match(text)
        if named:
            self.waiting = named.group(1)
            return
        if value and self.waiting:
            self._set(self.waiting, value.group(1), line)
            self.waiting = ""
            return
        if _RUN.search(text):
            self._begin("kafka")
        head, image, count = _HEAD.match(text), _IMAGE.search(text), _COUNT.match(text)
        if head and head.group(1) not in _PARTS:
            self._take_head(head.group(1), len(text) - len(text.lstrip()))
        if image:
            self._set_once("image", image.group(1))
        elif (run := _RUN_IMAGE.search(text)) and (_RUN.search(text) or "-e " in text):
            self._set_once("image", run.group(1))
        if count:
            self._set_once("scale", int(count.group(1)))
        if _CONTROLLER_ONLY.match(text):
            self.services[-1]["controllers_only"] = True
        self._take_settings(text, line)

    def _take_head(self, name: str, indent: int) -> None:
        """A mapping opens: another service, or the same further inside, as long as nothing of it is known."""
        current = self.services[-1]
        if indent <= self.indent:
            self._begin(name, indent)
        elif not (current["environment"] or current.get("image") or current["name"] in POOLS):
            current["name"], self.indent = name, indent

    def _take_settings(self, text: str, line: int) -> None:
        """The variables that a line sets: one, or several of which each ends at a blank."""
        matches = list(_SETTING.finditer(text))
        for match in matches:
            rest = text[match.end() :]
            ends_at_blank = len(matches) > 1 or "-e " in text[: match.start()] or "--env" in text[: match.start()]
            self._set(match.group(1), rest.split()[0] if ends_at_blank and rest.split() else rest, line)

    def _begin(self, name: str, indent: int = 0) -> None:
        self.indent = indent
        self.services.append({"name": name, "environment": {}, "lines": []})

    def _set(self, key: str, value: str, line: int) -> None:
        if key in self.services[-1]["environment"]:
            self._begin(self.services[-1]["name"], self.indent)
        self.services[-1]["environment"][key] = value.partition(" #")[0].strip().strip("'\"\\ ").strip()
        self.services[-1]["lines"].append(line)

    def _set_once(self, key: str, value: Any) -> None:
        if key in self.services[-1]:
            self._begin(self.services[-1]["name"], self.indent)
        self.services[-1][key] = value


def _ordinals(service: dict[str, Any]) -> list[dict[str, Any]]:
    """The pods of a chart, each with its number as its id, as a StatefulSet gives them; any other service alone."""
    environment, name = service["environment"], service["name"]
    has_id = any(
        f"{prefix}{key}" in environment for prefix in ("KAFKA_", "KAFKA_CFG_") for key in ("NODE_ID", "BROKER_ID")
    )
    if "scale" not in service or has_id:
        return [service]
    roles = {} if any(key.endswith("PROCESS_ROLES") for key in environment) else _roles(service)
    first = FIRST_BROKER if name == "broker" else 0
    pods = range(first, first + service["scale"])
    rest = {key: value for key, value in service.items() if key != "scale"}
    return [
        {**rest, "environment": {**environment, **roles, "KAFKA_NODE_ID": str(number)}, "is_counted": True}
        for number in pods
    ]


def _roles(service: dict[str, Any]) -> dict[str, str]:
    """The roles of a pool of Bitnami's chart, by its name."""
    if service["name"] == "controller":
        return {"KAFKA_PROCESS_ROLES": "controller" if service.get("controllers_only") else "controller,broker"}
    return {"KAFKA_PROCESS_ROLES": "broker"} if service["name"] == "broker" else {}
