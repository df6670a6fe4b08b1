"""Reads ``kafka-configs.sh --describe``: configs of topics, and those of all brokers. It names no broker to build."""

import re
from typing import Final

from simengine.importers.commands_said import ENTITY, ENTITY_NAME, whole_commands
from simengine.importers.configs import parse_configs
from simengine.importers.evidence import PastedEvidence, PastedValue
from simengine.importers.model import PastedCluster, PasteResult
from simengine.importers.text import Paste
from simengine.importers.values import bare_value
from simengine.scenario.config_keys import BROKER, SIMULATED

KIND: Final = "foreign"  # alone it makes no cluster
LABEL: Final = "kafka-configs.sh --describe"
_HEAD = re.compile(
    r"^\s{0,40}(?:(?:Dynamic|All|Default) (?:default )?)?configs for (topics?|brokers?)\b[ '\"]{0,2}"
    r"([A-Za-z0-9._-]{1,249})?['\"]?[^\n]{0,60}? are:?\s*(.*)$",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"^\s{1,40}([A-Za-z][\w.]{1,100})=(\S{0,1000})(?:\s+sensitive=(?:true|false)\b.*|[\s|\u2502,;\"'`]*)$"
)
_OTHER_WORDS: Final = ("in", "are")


def read(paste: Paste) -> PasteResult | None:
    """The configs; None if neither a head line of the tool nor a command of it has any.

    A filter such as ``grep`` drops the head line: the command tells the entity then.
    """
    evidence = PastedEvidence()
    entity: tuple[str, str] | None = None
    found = False
    asked = {last: _asked(text) for _, last, text in whole_commands(paste)}
    for line in paste.lines:
        if line.no in asked:
            entity = asked[line.no]
            continue
        head = _HEAD.match(line.text[:1000]) if "onfigs for" in line.text[:200] else None
        if head:
            found = True
            name = head.group(2) if head.group(2) not in _OTHER_WORDS else None
            entity = (head.group(1)[:5].lower(), name or "")
            for key, value in parse_configs(head.group(3)).items() if "=" in head.group(3) else ():
                _take(entity, key, value, line.no, evidence)
            continue
        setting = _SETTING.match(line.text) if entity else None
        if setting and entity:
            found = True
            _take(entity, setting.group(1), setting.group(2), line.no, evidence)
        elif line.text.strip():
            entity = None
    if not found:
        return None
    cluster = PastedCluster(evidence=evidence)
    return PasteResult(KIND, LABEL, cluster=cluster)


def _asked(command: str) -> tuple[str, str] | None:
    """The entity whose configs a command prints; None for other commands."""
    if "kafka-configs" not in command or "--describe" not in command:
        return None
    kind, name = ENTITY.search(command), ENTITY_NAME.search(command)
    return (kind.group(1)[:5], (name and name.group(1)) or "") if kind else None


def _take(entity: tuple[str, str], key: str, value: str, line: int, evidence: PastedEvidence) -> None:
    said = PastedValue(bare_value(value), line, LABEL)
    if entity[0] == "topic" and entity[1]:
        evidence.topic_configs.append((entity[1], key, said))
    elif entity[0] == "broke" and key in SIMULATED[BROKER]:
        evidence.cluster_configs.append((key, said))
