"""The facts in pasted commands: the filter of a listing, and the topics that are created, with their configs."""

import re
from collections.abc import Iterator
from typing import Final

from simengine.importers.evidence import FILTERS, DeclaredTopic, DescribeCommand, PastedEvidence, PastedValue
from simengine.importers.noise import COMMAND, holds, is_continued, why_noise
from simengine.importers.text import Line, Paste

COMMAND_CHARS_MAX: Final = 4_000
_DESCRIBE = re.compile(r"--describe\b|\bkafka-topics(?:\.sh|\.bat)?\b")
_DESCRIBE_WORDS: Final = ("--describe", "kafka-topics")
_TOPIC = re.compile(r"--topic[ =]+['\"]?([A-Za-z0-9._-]{1,249})")
_NUMBER: Final = r"[ =]+['\"]?(\d{1,9})"
_PARTITIONS = re.compile(r"--partitions" + _NUMBER)
_FACTOR = re.compile(r"--replication-factor" + _NUMBER)
_CONFIG = re.compile(r"--config[ =]+['\"]?([A-Za-z][\w.]{1,100})=([^\s'\"]{1,300})")
_ADDED = re.compile(r"--add-config[ =]+['\"]?([^\s'\"]{1,1000})")
ENTITY = re.compile(r"--entity-type[ =]+['\"]?(topics|brokers)\b")
ENTITY_NAME = re.compile(r"--entity-name[ =]+['\"]?([A-Za-z0-9._-]{1,249})|--entity-default")
_SOURCE_CREATE: Final = "a command that creates a topic"
_SOURCE_ALTER: Final = "a command that alters configs"
SOURCES: Final = (_SOURCE_CREATE, _SOURCE_ALTER)


def whole_commands(paste: Paste) -> list[tuple[int, int, str]]:
    """Each command as one line, with the numbers of its first and last line; a shell goes on behind a backslash."""
    if paste.commands is None:
        paste.commands = list(_whole_commands(paste))
    return paste.commands


def _whole_commands(paste: Paste) -> Iterator[tuple[int, int, str]]:
    open_parts: list[str] = []
    first = chars = 0
    for line in paste.lines:
        if not open_parts and not _may_be_command(line):
            continue
        if not open_parts:
            first, chars = line.no, 0
        open_parts.append(line.text.strip().rstrip("\\`^"))
        chars += len(open_parts[-1]) + 1
        if is_continued(line.text) and chars <= COMMAND_CHARS_MAX:
            continue
        yield first, line.no, " ".join(open_parts)[:COMMAND_CHARS_MAX]
        open_parts = []


def _may_be_command(line: Line) -> bool:
    text = line.text[:COMMAND_CHARS_MAX]
    return ("--" in text or "kafka-" in text or is_continued(text)) and why_noise(text) == COMMAND


def described(paste: Paste) -> list[DescribeCommand]:
    """The commands that print a listing, in order."""
    if paste.described is None:
        paste.described = list(_described(paste))
    return paste.described


def _described(paste: Paste) -> Iterator[DescribeCommand]:
    for first, last, text in whole_commands(paste):
        flag = next((name for name in FILTERS if name in text), "") if "-partitions" in text else ""
        if not flag and not (holds(text, _DESCRIBE_WORDS) and _DESCRIBE.search(text)):
            continue
        topic = _topic(text)
        yield DescribeCommand(first, last, flag, topic.group(1) if topic else "", "|" in text.lstrip("|> \t"))


def contribute(paste: Paste, evidence: PastedEvidence) -> None:
    """Add the topics that commands create, and the configs that they set."""
    for first, _, text in whole_commands(paste):
        topic = _topic(text)
        if topic and "--create" in text:
            _take_create(topic.group(1), text, first, evidence)
        elif topic and "--alter" in text:
            for key, value in _CONFIG.findall(text):
                evidence.topic_configs.append((topic.group(1), key, PastedValue(value, first, _SOURCE_ALTER)))
        added = _ADDED.search(text) if "--add-config" in text else None
        if added:
            _take_added(added.group(1), text, first, evidence)


def _topic(text: str) -> re.Match[str] | None:
    return _TOPIC.search(text) if "--topic" in text else None


def _take_create(name: str, text: str, line: int, evidence: PastedEvidence) -> None:
    partitions, factor = _PARTITIONS.search(text), _FACTOR.search(text)
    configs = dict(_CONFIG.findall(text))
    numbers = [int(found.group(1)) if found else None for found in (partitions, factor)]
    evidence.declared[name] = DeclaredTopic(name, numbers[0], numbers[1], configs, line, _SOURCE_CREATE)
    for key, value in configs.items():
        evidence.topic_configs.append((name, key, PastedValue(value, line, _SOURCE_CREATE)))


def _take_added(configs: str, text: str, line: int, evidence: PastedEvidence) -> None:
    """Settings of ``kafka-configs.sh --alter --add-config``, of one topic or of all brokers."""
    kind, entity = ENTITY.search(text), ENTITY_NAME.search(text)
    pairs = [part.partition("=") for part in configs.split(",") if "=" in part]
    if kind is None or entity is None:
        return
    for key, _, value in pairs:
        said = PastedValue(value, line, _SOURCE_ALTER)
        if kind.group(1) == "topics" and entity.group(1):
            evidence.topic_configs.append((entity.group(1), key, said))
        elif kind.group(1) == "brokers" and entity.group(1) is None:
            evidence.cluster_configs.append((key, said))
