"""Reads JSON of any tool that tells of each partition its replicas and who is in sync, whatever it calls them.

``aws kafka describe-topic-partitions``, AKHQ, Kafka UI, REST proxies, KafkaJS, Java's PartitionInfo and clients in .NET
write such, and kafkactl as YAML. Programs print nearly such values (program_values.py). Keys are told by their letters
alone. ``kcat -L -J`` has a reader of its own (kcat_json.py).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from simengine.importers import foreign
from simengine.importers.addresses import is_address, known, led
from simengine.importers.configs import is_topic_key
from simengine.importers.evidence import PastedValue
from simengine.importers.fields import topic_name
from simengine.importers.jsontext import VALUES_MAX, json_lines, placed_values, straightened
from simengine.importers.kcat_json import is_listing
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import (
    NO_LEADER,
    UNNAMED,
    PastedBroker,
    PastedCluster,
    PastedPartition,
    PasteResult,
    count,
)
from simengine.importers.program_values import as_json
from simengine.importers.replica_rows import PastedReplica, rows_of
from simengine.importers.row_checks import settled
from simengine.importers.text import Paste
from simengine.importers.values import as_property
from simengine.importers.yamltext import YamlError, documents, first_line
from simengine.scenario.limits import PARTITION_NUMBER_MAX

KIND: Final = "metadata"
LABEL: Final = "the JSON of a client's metadata"
_MEMBERS: Final = (
    r"\b(?:is[_-]?(?:in)?)?(?:isrs?(?:[_-]?(?:node|id)s?)?|in[_-]?(?:isr|sync[\w-]{0,20}))[\"']?\s{0,9}(?::|=>)\s{0,40}"
)
_MARK = re.compile(_MEMBERS + r"(?:[\[tfTF]|- )", re.IGNORECASE)
_USED = re.compile(_MARK.pattern + r"|\"host\": |\"value\": ", re.IGNORECASE)  # a partition, a broker, a setting
_NAMED_ABOVE = re.compile(
    r"--topic-name[ =]+['\"]?([\w.-]{1,249})|/topics/(?:by-name/)?([\w.-]{1,249})/(?:partitions|\d)|"
    r"[\"'](?:topic(?:_?name)?|name)[\"']\s{0,9}:\s{0,9}[\"']([\w.-]{1,249})[\"']|"
    r"^\W{0,9}topic:?[ ]{1,9}[\"']?([\w.-]{1,249})[\"']?:?[ ]{0,9}$",
    re.IGNORECASE | re.MULTILINE,
)
_NOTHING_BETWEEN = re.compile(r"[\s,\]}]*")
_RECORD = re.compile(r"[A-Z_]{3,60}_RECORD")
_OF_CRUISE_CONTROL: Final = ("KafkaPartitionState", "KafkaBrokerState")
_LETTERS = re.compile(r"[^a-z]")
TOPIC: Final = ("topic", "topicname")
NUMBER: Final = ("partition", "partitionid", "partitionindex", "id")
LEADER: Final = ("leader", "leaderid", "leaderbroker", "leaderbrokerid")
REPLICAS: Final = ("replicas", "replicaids", "replicanodes", "assignedreplicas")
ISR: Final = ("isr", "isrs", "insyncreplicas", "insync", "isrnodes")
ELR: Final = ("elr", "eligibleleaderreplicas")
LAST_KNOWN: Final = ("lastknownelr",)
OFFLINE: Final = ("offlinereplicas", "offline")
NODE: Final = ("id", "nodeid", "brokerid", "broker", "replica", "replicaid")
IS_LEADER: Final = ("isleader", "leader")
IS_IN_SYNC: Final = ("isinsync", "insync", "isinisr", "inisr", "insyncreplica", "insyncreplicas", "isinsyncreplicas")
IS_OBSERVER: Final = ("isobserver", "observer")
NODES: Final = ("brokers", "nodes")
LOG_END: Final = ("logendoffset",)
CONFIGS: Final = ("configs", "config", "configuration")
CONFIG_NAME: Final = ("name", "key")
ABOVE_CHARS_MAX: Final = 1_000  # in front of a value, that may name its topic
_NO_LEADER_WORDS: Final = ("", "none", "-1")


def read(paste: Paste) -> PasteResult | None:
    """The partitions that the JSON lists; None if no value of it tells who is in sync."""
    if not _MARK.search(paste.joined()):
        return None
    text = straightened(paste.joined())
    found = _in(text, paste)
    if (not found.has_rows or found.unnamed) and (fresh := as_json(text)):
        again = _in(fresh, Paste(paste.lines))
        if again.has_rows and not (found.has_rows and again.unnamed):
            text, found = fresh, again
    if found.has_rows:
        numbers = json_lines(paste, lambda value: _USED.search(json.dumps(value)) is not None)
    else:
        found, numbers = _in_yaml(paste)
    cluster, reading = found.cluster, found.reading
    if not found.has_rows:
        return None
    reading.label = _label(text)
    for broker in cluster.brokers.values():
        broker.source = reading.label
    if text.count("{") != text.count("}"):
        reading.warn("The JSON is not whole: what is complete of it is used.")
    cluster.name_brokers()
    cluster.evidence.lines_read += numbers
    reading.cluster, reading.facts = cluster, count(cluster)
    return reading


def _in(text: str, paste: Paste) -> "_Found":
    """The partitions and nodes that the JSON in a text has."""
    found = _Found(PasteResult(KIND, LABEL), PastedCluster())
    values = placed_values(text, paste)
    if len(values) >= VALUES_MAX:
        found.reading.warn(
            f"Of the JSON the first {VALUES_MAX:,} values are read. Put them into one array to have all."
        )
    named, passed = "", 0
    for value, place, end, line in values:
        found.line = line
        if not _NOTHING_BETWEEN.fullmatch(text, passed, place):
            named = _named_above(text, max(passed, place - ABOVE_CHARS_MAX), place)
        passed = end
        found.take(value, named)
    found.finish(paste)
    return found


def _in_yaml(paste: Paste) -> tuple["_Found", list[int]]:
    """The partitions that the YAML in a paste has, and its lines. A blank line parts it from prose."""
    found = _Found(PasteResult(KIND, LABEL), PastedCluster())
    numbers: list[int] = []
    for is_filled, group in groupby(paste.lines, lambda line: bool(line.text.strip())):
        part = Paste(list(group))
        if not is_filled or not _MARK.search(part.joined()):
            continue
        try:
            values = documents(part)
        except YamlError:
            continue
        numbers += part.yaml
        for value in values:
            found.line = first_line(value)
            found.take(value, "")
    found.finish(paste)
    return found, numbers


def _label(text: str) -> str:
    """The tool by the form of its JSON."""
    named = foreign.read(text)
    is_json = named is not None and named.label.startswith(("the JSON", "KafkaJS"))
    return named.label if named is not None and is_json else LABEL


def _named_above(text: str, start: int, end: int) -> str:
    """The topic that the text in front of a value names: a command, or JSON that is not whole; "" for none."""
    names = [match[match.lastindex or 0] for match in _NAMED_ABOVE.finditer(text, start, end)]
    return names[-1] if names else ""


def tells_state(value: Any) -> bool:
    """True if partitions stand in a JSON value with members in sync: no plan of a reassignment has them."""
    entries = value.get("partitions") if isinstance(value, dict) else value
    items = entries if isinstance(entries, list) else []
    return any(
        isinstance(one, dict) and _is_state({letters(key): inner for key, inner in one.items()}) for one in items
    )


def letters(key: object) -> str:
    """A key as it is told here: inSync, in_sync and in-sync are one."""
    return _LETTERS.sub("", str(key).lower())


@dataclass(slots=True)
class _Found:
    """The rows and brokers of the values so far. ``line``: where the value that is being read begins."""

    reading: PasteResult
    cluster: PastedCluster
    line: int = 0
    rows: list[tuple[str, PastedPartition]] = field(default_factory=list)  # with the addresses of their leaders
    addresses: dict[str, int] = field(default_factory=dict)
    copies: list[PastedReplica] = field(default_factory=list)  # of partitions that are listed replica by replica
    unnamed: int = 0  # topics without a name
    numbers: set[int | None] = field(default_factory=set)  # the partitions of the last of them

    @property
    def has_rows(self) -> bool:
        """True if any partition can be used."""
        return any(topic.rows for topic in self.cluster.topics.values())

    def take(self, value: Any, named: str) -> None:
        """Take a JSON value; ``named``: the topic of rows that name none."""
        if is_listing(value) or isinstance(value, dict) and any(key in value for key in _OF_CRUISE_CONTROL):
            return
        if isinstance(value, dict) and _RECORD.fullmatch(str(value.get("type", ""))):
            return  # of a log: the state follows from all records, not from one
        rows = list(_objects(value, ""))
        nameless = {_whole(_get(entry, NUMBER)) for topic, entry in rows if not topic and _is_state(entry)}
        if nameless and not named:
            named = self._unnamed(nameless)
        for topic, entry in rows:
            self._take(topic or named, entry)

    def _unnamed(self, numbers: set[int | None]) -> str:
        """The name for a topic that no text names. A partition that it has already is one of the next such topic."""
        if not self.unnamed or numbers & self.numbers:
            self.unnamed += 1
            self.numbers = set()
        self.numbers |= numbers
        named = UNNAMED if self.unnamed == 1 else f"{UNNAMED}-{self.unnamed}"
        self.reading.warn(f"The JSON names no topic: its partitions were taken for those of one topic, {named}.")
        return named

    def _take(self, topic: str, entry: dict[str, Any]) -> None:
        copy = _copy(topic, entry, self.line)
        if copy is not None:
            self.copies.append(copy)
            return
        for key in NODES:
            for node in entry[key] if isinstance(entry.get(key), list) else ():
                self._add_broker(node, is_alive=True)
        if "host" in entry and ("port" in entry or "rack" in entry):
            self._add_broker(entry, is_alive=True)
        if topic_name(topic):
            self._take_configs(topic, entry)
        if not _is_state(entry):
            return
        row = _row(topic, entry, self.line)
        if row is None or topic_name(topic) is None:
            self.reading.leave_out(
                f"A partition of {topic} without number, replicas, leader or members in sync is left out."
            )
            return
        for node in _get(entry, REPLICAS):
            self._add_broker(node, is_alive=None)
        address = _get(entry, LEADER)
        self.rows.append((address if is_address(address) else "", row))

    def _take_configs(self, topic: str, entry: dict[str, Any]) -> None:
        """Take the settings of a topic: a mapping of keys, or an object with the name and the value of one."""
        written = _get(entry, CONFIGS)
        settings = dict(written) if isinstance(written, dict) else {}
        if "value" in entry and isinstance(name := _get(entry, CONFIG_NAME), str):
            settings[name] = entry["value"]
        for key, value in settings.items():
            if value is not None and not isinstance(value, dict | list) and is_topic_key(str(key)):
                said = PastedValue(as_property(value), self.line, LABEL)
                self.cluster.evidence.topic_configs.append((topic, str(key), said))

    def _add_broker(self, node: Any, is_alive: bool | None) -> None:
        """Add a node with its rack, where the JSON tells one."""
        number = _id(node)
        if number is None:
            return
        told = {letters(key): value for key, value in node.items()} if isinstance(node, dict) else {}
        rack = told.get("rack")
        broker = self.cluster.brokers.setdefault(
            number, PastedBroker(number, line=self.line, source=self.reading.label)
        )
        broker.rack = broker.rack or (rack if isinstance(rack, str) and rack else None)
        broker.alive = broker.alive or is_alive
        self.addresses[f"{told.get('host')}:{told.get('port')}"] = number

    def finish(self, paste: Paste) -> None:
        """Put the rows into the cluster; the copies of each partition together."""
        for row in [
            *led(self.rows, self.reading.warn, known(paste) | self.addresses),
            *rows_of(self.copies, self.cluster.evidence),
        ]:
            self.cluster.put(settled(row, self.reading.warn))


def _objects(value: Any, topic: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object, outer ones first, its keys as ``letters`` tells them, with the topic that it or an outer one names.

    What stands inside a partition is no object of its own.
    """
    waiting = [(value, topic)]
    while waiting:
        item, name = waiting.pop()
        if isinstance(item, list):
            waiting += ((one, name) for one in reversed(item) if isinstance(one, dict | list))
        elif isinstance(item, dict) and not _is_of_kcat(item):
            entry = {letters(key): inner for key, inner in item.items()}
            name = _name(entry) or name
            yield name, entry
            if not _is_state(entry):
                waiting += ((inner, name) for inner in reversed(item.values()) if isinstance(inner, dict | list))


def _is_of_kcat(item: dict[str, Any]) -> bool:
    """True for a partition as kcat_json.py reads it."""
    return "isrs" in item and ("partition" in item or "id" in item)


def _name(entry: dict[str, Any]) -> str:
    """The topic that an object names: ``name`` is one only beside partitions."""
    own = next((entry[key] for key in TOPIC if isinstance(entry.get(key), str)), "")
    beside = entry.get("name") if "partitions" in entry else ""
    return str(own or (beside if isinstance(beside, str) else ""))


def _get(entry: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """The value of the first key that is there."""
    return next((entry[key] for key in keys if key in entry), None)


def _is_state(entry: dict[str, Any]) -> bool:
    """True if an object is a partition with its replicas and with members in sync."""
    replicas = _get(entry, REPLICAS)
    if not isinstance(replicas, list) or not replicas:
        return False
    if isinstance(_get(entry, ISR), list):
        return True
    return all(isinstance(one, dict) and _flag(one, IS_IN_SYNC) is not None for one in replicas)


def _row(topic: str, entry: dict[str, Any], line: int) -> PastedPartition | None:
    nodes = _get(entry, REPLICAS)
    number, replicas = _whole(_get(entry, NUMBER)), _ids(nodes)
    isr = _ids(_get(entry, ISR))
    if isr is None:
        isr = tuple(broker for node in nodes if _flag(node, IS_IN_SYNC) and (broker := _id(node)) is not None)
    leader = _leader(entry, nodes)
    if number is None or number > PARTITION_NUMBER_MAX or not replicas or leader is None:
        return None
    elr = _ids(_get(entry, ELR))
    return PastedPartition(
        topic,
        number,
        leader,
        replicas,
        isr,
        elr,
        _ids(_get(entry, LAST_KNOWN)) or (),
        offline=_ids(_get(entry, OFFLINE)) or (),
        line=line,
    )


def _leader(entry: dict[str, Any], nodes: list[Any]) -> int | None:
    """The leader that the partition names, else the replica that says so of itself; None if it cannot be read.

    One that is named by its address is none here.
    """
    named = _get(entry, LEADER)
    found = _id(named)
    if found is None and named is None:
        found = next((_id(node) for node in nodes if isinstance(node, dict) and _flag(node, IS_LEADER)), None)
    if found is not None:
        return found
    is_word = isinstance(named, str) and not is_address(named) and named.lower() not in _NO_LEADER_WORDS
    return None if is_word else NO_LEADER


def _copy(topic: str, entry: dict[str, Any], line: int) -> PastedReplica | None:
    """One replica of a partition, where the JSON lists them one by one."""
    number, broker = _whole(_get(entry, NUMBER[:-1])), _whole(_get(entry, NODE[1:]))
    leads, in_sync = _flag(entry, IS_LEADER), _flag(entry, IS_IN_SYNC)
    if None in (number, broker, leads, in_sync) or topic_name(topic) is None:
        return None
    assert number is not None and broker is not None
    observes = bool(_flag(entry, IS_OBSERVER))
    return PastedReplica(
        topic, number, broker, bool(leads), bool(in_sync), observes, _whole(_get(entry, LOG_END)), line
    )


def _flag(node: Any, keys: tuple[str, ...]) -> bool | None:
    """A node's own value; None if it has none."""
    if not isinstance(node, dict):
        return None
    return next((value for key, value in node.items() if letters(key) in keys and isinstance(value, bool)), None)


def _whole(value: Any) -> int | None:
    """A whole number, also one that is written with a point or in quotes; None for another value, and below zero."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 10:
        value = int(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
    return int(value) if is_number and 0 <= value <= BROKER_ID_MAX else None


def _id(node: Any) -> int | None:
    """The id of a node, which stands alone or in an object."""
    if isinstance(node, dict):
        node = _get({letters(key): value for key, value in node.items()}, NODE)
    return _whole(node)


def _ids(nodes: Any) -> tuple[int, ...] | None:
    """The ids in a list, each once; None if it is none, or holds what is no node."""
    if not isinstance(nodes, list):
        return None
    ids = [_id(node) for node in nodes]
    return None if None in ids else tuple(dict.fromkeys(one for one in ids if one is not None))
