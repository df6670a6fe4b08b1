"""Reads ``server.properties``: the node's id, roles and rack, the voters of the quorum, and the defaults of topics.

A file has one ``node.id`` or ``broker.id``; several in a paste are several nodes. A part of a file without it tells
voters and defaults. Files of clients, of Connect and of MirrorMaker have none of these.
"""

import re
from typing import Final

from simengine.importers.evidence import PastedEvidence, PastedValue
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import ControllerRead, PastedBroker, PastedCluster, PastedCounts, PasteResult
from simengine.importers.text import Line, Paste
from simengine.importers.values import bare_value
from simengine.scenario.config_keys import BROKER, SIMULATED

KIND: Final = "properties"
LABEL: Final = "a server.properties file"
DEFAULTS: Final = (
    "num.partitions",
    "default.replication.factor",
    "offsets.topic.replication.factor",
    "offsets.topic.num.partitions",
    "transaction.state.log.replication.factor",
)
_OF_SERVERS: Final = ("controller.quorum.voters", "min.insync.replicas", *DEFAULTS)  # part of a file, without its id
_PROPERTY = re.compile(r"^\s{0,20}([A-Za-z][\w.-]{1,100})\s{0,9}[=:]\s{0,9}(\S.{0,500})$")
_IDS: Final = ("node.id", "broker.id")
_VOTER = re.compile(r"(\d{1,10})@")


def read(paste: Paste) -> PasteResult | None:
    """The nodes that the files describe; None if no line is one of a server's own properties."""
    files: list[dict[str, PastedValue]] = []
    is_open = False
    for line in paste.lines:
        is_inside, text = is_open, line.text.rstrip()
        is_open = text.endswith(",") and (is_inside or "Configs:" in text) or text.endswith("Configs:")
        if is_inside:
            continue  # a topic's own settings, which a mail put on a line of their own
        key, value = _property(line)
        if key in _IDS and (not files or any(name in files[-1] for name in _IDS if name == key)):
            files.append(files.pop() if files and not any(name in files[-1] for name in _IDS) else {})
        if not files:
            files.append({})
        if key:
            files[-1].setdefault(key, PastedValue(value, line.no, LABEL))
    nodes = [file for file in files if any(key in file for key in (*_IDS, *_OF_SERVERS))]
    if not nodes:
        return None
    cluster = PastedCluster()
    for file in nodes:
        _take(file, cluster)
    return PasteResult(KIND, LABEL, PastedCounts(brokers=len(cluster.brokers)), cluster)


def _property(line: Line) -> tuple[str, str]:
    if "=" not in line.text or len(line.text) > 1_000 or " sensitive=" in line.text:
        return "", ""  # the last is a row of kafka-configs.sh --describe
    match = _PROPERTY.match(line.text.rstrip())
    return (match.group(1), bare_value(match.group(2))) if match else ("", "")


def _take(file: dict[str, PastedValue], cluster: PastedCluster) -> None:
    said = next((file[key] for key in _IDS if key in file), PastedValue("", 0, LABEL))
    roles = file["process.roles"].value if "process.roles" in file else "broker"
    if said.value.isascii() and said.value.isdigit() and int(said.value[:11]) <= BROKER_ID_MAX:
        number = int(said.value)
        rack = file["broker.rack"].value if "broker.rack" in file else None
        if "broker" in roles:
            cluster.brokers[number] = PastedBroker(number, rack, line=said.line, source=LABEL)
        if "controller" in roles:
            cluster.controllers[number] = ControllerRead(number, rack, said.line, LABEL)
    if "controller.quorum.voters" in file:
        voters = file["controller.quorum.voters"]
        for voter in _VOTER.findall(voters.value):
            if int(voter) <= BROKER_ID_MAX:
                cluster.controllers.setdefault(int(voter), ControllerRead(int(voter), None, voters.line, LABEL))
    take_configs(file, cluster.evidence)


def take_configs(file: dict[str, PastedValue], evidence: PastedEvidence) -> None:
    """The properties that a run obeys, and those that say how a topic is made."""
    for key, said in file.items():
        if key in SIMULATED[BROKER] or key in DEFAULTS:
            evidence.cluster_configs.append((key, said))
