"""Reads what ZooKeeper keeps of a cluster older than 4.0, as ``zookeeper-shell.sh`` and ``zkCli.sh`` print its nodes.

The command above a value names the node: ``/brokers/ids``, ``/brokers/ids/1``, ``/brokers/topics/t`` (replicas) and
``/brokers/topics/t/partitions/0/state`` (leader and ISR).
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from typing import Any, Final

from simengine.importers.evidence import PastedValue
from simengine.importers.fields import topic_name
from simengine.importers.jsontext import as_id, as_ids, as_int, json_lines, placed_values
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
from simengine.importers.row_checks import settled
from simengine.importers.text import Paste
from simengine.importers.values import are_replicas
from simengine.scenario.limits import PARTITION_NUMBER_MAX

KIND: Final = "zookeeper"
LABEL: Final = "zookeeper-shell.sh"
_NODE = re.compile(
    r"/brokers/(?:ids(?:/(?P<id>\d{1,10}))?|topics/(?P<topic>[\w.-]{1,249})"
    r"(?:/partitions/(?P<number>\d{1,9})/state)?)(?![\w./-])"
)
_MARKS: Final = ("/brokers/", '"partitions"')
_STAT = re.compile(
    r"\s*(?:[cmp]Zxid|ctime|mtime|cversion|dataVersion|aclVersion|ephemeralOwner|dataLength|numChildren) = |"
    r"\s*(?:Connecting to \S+|WATCHER::|WatchedEvent state:.*)\s*$"
)  # what the tools print around a value
_OF_NODES: Final = ("isr", "partitions", "endpoints", "host")


def read(paste: Paste) -> PasteResult | None:
    """The brokers and partitions that the nodes tell; None if none of them is in the paste."""
    text = paste.joined()
    if not any(mark in text for mark in _MARKS):
        return None
    paths = list(_NODE.finditer(text))
    starts = [path.start() for path in paths]
    nodes = _Nodes(PasteResult(KIND, LABEL, cluster=PastedCluster()))
    for one in placed_values(text, paste):
        nodes.line = one.line
        at = bisect_right(starts, one.start) - 1
        nodes.take(paths[at] if at >= 0 else None, one.value)
    if not nodes.used:
        return None
    reading = nodes.finished()
    assert reading.cluster is not None
    lines_read = reading.cluster.evidence.lines_read
    lines_read += json_lines(paste, lambda value: isinstance(value, list) or any(key in value for key in _OF_NODES))
    lines_read += [line.no for line in paste.lines if _NODE.search(line.text) or _STAT.match(line.text)]
    return reading


@dataclass(slots=True)
class _Nodes:
    """The nodes so far. ``line``: where the value that is being read begins."""

    reading: PasteResult
    line: int = 0
    used: int = 0
    running: dict[int, PastedBroker] = field(default_factory=dict)
    listed_at: int = 0  # the line of the list of running brokers, 0 without one
    placed: dict[tuple[str, int], PastedPartition] = field(default_factory=dict)
    states: dict[tuple[str, int], tuple[int, tuple[int, ...], int]] = field(default_factory=dict)

    def take(self, path: re.Match[str] | None, value: Any) -> None:
        """Take a value; ``path``: its node."""
        if isinstance(value, dict) and isinstance(value.get("partitions"), dict):
            self._take_topic(path["topic"] if path and path["topic"] else UNNAMED, value)
        elif path is None:
            return
        elif path["number"] and isinstance(value, dict):
            self._take_state(path["topic"], int(path["number"]), value)
        elif path["id"] and isinstance(value, dict) and ("host" in value or "endpoints" in value):
            rack = value.get("rack")
            self._add(int(path["id"]), rack if isinstance(rack, str) and rack else None)
        elif not path["topic"] and not path["id"] and isinstance(value, list) and (ids := as_ids(value)) is not None:
            self.listed_at = self.line
            for broker in ids:
                self._add(broker, None)

    def _add(self, broker: int, rack: str | None) -> None:
        self.used += 1
        if 0 <= broker <= BROKER_ID_MAX:
            known = self.running.get(broker)
            rack = rack or (known.rack if known else None)
            self.running[broker] = PastedBroker(
                broker, rack, True, self.line, LABEL, "ZooKeeper has its node in /brokers/ids"
            )

    def _take_topic(self, topic: str, value: dict[str, Any]) -> None:
        if topic == UNNAMED:
            self.reading.warn(
                "This is ZooKeeper's node of a topic, and no command above it names the topic: "
                f"taken for one topic, {UNNAMED}."
            )
        for word, replicas in value["partitions"].items():
            ids = as_ids(replicas) or ()
            if not are_replicas(ids) or not re.fullmatch(r"[0-9]{1,9}", word) or topic_name(topic) is None:
                continue
            number = int(word)
            if number > PARTITION_NUMBER_MAX:
                continue
            adding, removing = (_members(value, key, word) for key in ("adding_replicas", "removing_replicas"))
            self.used += 1
            cluster = PastedCluster()
            cluster.add_placed(topic, number, ids, adding, self.line, removing)
            self.placed[topic, number] = cluster.topics[topic].rows[number]

    def _take_state(self, topic: str, number: int, value: dict[str, Any]) -> None:
        isr, leader = as_ids(value.get("isr")), as_int(value.get("leader"))
        if isr is not None and leader is not None:
            self.used += 1
            told = NO_LEADER if as_id(leader) is None else leader
            self.states[topic, number] = told, isr, self.line

    def finished(self) -> PasteResult:
        """The reading of all nodes."""
        cluster = self.reading.cluster
        assert cluster is not None
        cluster.evidence.is_zookeeper = PastedValue("ZooKeeper", self.line, LABEL)
        for place, placed in self.placed.items():
            cluster.put(self._with_state(placed, *self.states[place]) if place in self.states else placed)
        for topic, number in self.states:
            if (topic, number) not in self.placed:
                self.reading.leave_out(
                    f"The state of {topic}-{number} tells its leader and ISR and not its replicas, so it is left out. "
                    f"Paste get /brokers/topics/{topic} as well."
                )
        cluster.brokers = dict(self.running)
        cluster.name_brokers()
        for broker in cluster.brokers.values() if self.listed_at else ():
            if broker.id not in self.running:
                broker.alive, broker.line = False, self.listed_at
                broker.why = "ZooKeeper's /brokers/ids does not list it"
        self.reading.facts = count(cluster)
        return self.reading

    def _with_state(self, row: PastedPartition, leader: int, isr: tuple[int, ...], line: int) -> PastedPartition:
        return settled(replace(row, leader=leader, isr=isr, line=line, state_told=True), self.reading.warn)


def _members(value: dict[str, Any], key: str, number: str) -> tuple[int, ...]:
    lists = value.get(key)
    return (as_ids(lists.get(number)) or ()) if isinstance(lists, dict) else ()
