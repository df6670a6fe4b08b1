"""Reads the records of ``__cluster_metadata`` as ``kafka-dump-log.sh --cluster-metadata-decoder`` prints them.

Each record is one line of JSON. They are applied in their order, as a controller replays them: the cluster is the one
after the last record. A log that begins after a snapshot changes topics that it does not name; these are left out.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from simengine.importers.evidence import PastedValue
from simengine.importers.fields import topic_name
from simengine.importers.jsontext import as_id, as_ids, as_int
from simengine.importers.model import (
    NO_LEADER,
    ControllerRead,
    PastedBroker,
    PastedCluster,
    PastedPartition,
    PastedTopic,
    PasteResult,
    count,
)
from simengine.importers.row_checks import settled
from simengine.importers.text import Paste
from simengine.scenario.config_keys import BROKER, SIMULATED
from simengine.scenario.limits import PARTITION_NUMBER_MAX

KIND: Final = "metadata"
LABEL: Final = "kafka-dump-log.sh --cluster-metadata-decoder"
_RECORD = re.compile(r"\{\"type\":\"(?P<type>[A-Z_]{1,60}_RECORD)\",\"version\":\d{1,3},\"data\":")
_AROUND = re.compile(r"\s*(?:Dumping |Log starting offset:|Snapshot |KRaft |baseOffset: \d|\|? ?offset: \d)")
_TOPIC, _BROKER = 2, 4  # types of a config's resource
# MetadataVersion: the first level of each release, in order
_LEVELS: Final = (7, 8, 9, 12, 15, 20, 21, 22, 26, 28, 30, 31)
_RELEASES: Final = ("3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "4.0", "4.1", "4.2", "4.3", "4.4")
_ELR: Final = "eligible.leader.replicas.version"
_CHECKPOINT: Final = "Paste the dump of the newest .checkpoint file in front of it."
_FENCED: Final = "it is fenced"

Json = dict[str, Any]
K = TypeVar("K")


def read(paste: Paste) -> PasteResult | None:
    """The cluster after the last record; None if the paste has no record."""
    image = _Image()
    for line in paste.lines:
        found = _RECORD.search(line.text)
        if found and (data := _data_of(line.text[found.start() :])) is not None:
            image.take(found["type"], data, line.no)
        elif _AROUND.match(line.text):
            image.around.append(line.no)
    return image.finished() if image.lines else None


def _data_of(text: str) -> Json | None:
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    data = value["data"]
    return data if isinstance(data, dict) else None


@dataclass(slots=True)
class _Image:
    """The metadata so far. ``lines``: those of records that are known; ``around``: what the tool prints beside them."""

    lines: list[int] = field(default_factory=list)
    around: list[int] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)  # topic id -> name
    nameless: set[str] = field(default_factory=set)  # ids of topics that were made before the first record
    topic_configs: dict[tuple[str, str], PastedValue] = field(default_factory=dict)  # by topic and key
    broker_configs: dict[str, PastedValue] = field(default_factory=dict)  # of all brokers
    reading: PasteResult = field(default_factory=lambda: PasteResult(KIND, LABEL, cluster=PastedCluster()))

    @property
    def cluster(self) -> PastedCluster:
        """The cluster that is being read."""
        assert self.reading.cluster is not None
        return self.reading.cluster

    def take(self, kind: str, data: Json, line: int) -> None:
        """Apply a record; one of a kind that tells nothing here is read as well."""
        self.lines.append(line)
        apply = _APPLY.get(kind)
        if apply is not None:
            apply(self, data, line)

    # -- brokers and controllers

    def register_broker(self, data: Json, line: int) -> None:
        """A broker registers, fenced at first."""
        broker, rack = as_id(data.get("brokerId")), data.get("rack")
        if broker is not None:
            self.cluster.brokers[broker] = PastedBroker(broker, rack if isinstance(rack, str) and rack else None)
            self._fence(broker, data.get("fenced", True) is not False, line)

    def change_broker(self, data: Json, line: int) -> None:
        """A broker is fenced (1) or unfenced (-1)."""
        fenced = as_int(data.get("fenced"))
        if fenced:
            self._fence(as_id(data.get("brokerId")), fenced > 0, line)

    def fence(self, data: Json, line: int) -> None:
        """The record of versions before 3.3."""
        self._fence(as_id(data.get("id")), True, line)

    def unfence(self, data: Json, line: int) -> None:
        """The record of versions before 3.3."""
        self._fence(as_id(data.get("id")), False, line)

    def unregister_broker(self, data: Json, line: int) -> None:
        """A broker is taken out of the cluster."""
        broker = as_id(data.get("brokerId"))
        if broker is not None:
            self.cluster.brokers.pop(broker, None)

    def register_controller(self, data: Json, line: int) -> None:
        """A controller registers (since 3.7)."""
        node = as_id(data.get("controllerId"))
        if node is not None:
            self.cluster.controllers[node] = ControllerRead(node, None, line, LABEL)

    def _fence(self, broker: int | None, is_fenced: bool, line: int) -> None:
        if broker is not None:
            known = self.cluster.brokers.setdefault(broker, PastedBroker(broker))
            known.alive, known.line, known.source = not is_fenced, line, LABEL
            known.why = _FENCED if is_fenced else ""

    # -- topics and partitions

    def add_topic(self, data: Json, line: int) -> None:
        """A topic is made."""
        name = topic_name(str(data.get("name", "")))
        if name is not None:
            self.names[str(data.get("topicId"))] = name
            self.cluster.topics[name] = PastedTopic(name, configs={}, line=line, tells_configs=True)

    def remove_topic(self, data: Json, line: int) -> None:
        """A topic is deleted, with its configs."""
        name = self.names.pop(str(data.get("topicId")), "")
        self.cluster.topics.pop(name, None)
        self.topic_configs = {place: said for place, said in self.topic_configs.items() if place[0] != name}

    def add_partition(self, data: Json, line: int) -> None:
        """A partition is made, or stands in a snapshot."""
        number, replicas, isr = as_int(data.get("partitionId")), _ids(data, "replicas"), _ids(data, "isr")
        topic = self._topic_of(data)
        if topic is None:
            return
        if number is None or not 0 <= number <= PARTITION_NUMBER_MAX or not replicas:
            self.reading.leave_out(f"Line {line}: a partition of {topic.name} that cannot be read is left out.")
            return
        leader = as_id(data.get("leader"))
        row = PastedPartition(topic.name, number, NO_LEADER if leader is None else leader, replicas, isr, line=line)
        topic.rows[number] = _changed(row, data, line)

    def change_partition(self, data: Json, line: int) -> None:
        """Some fields of a partition change; those that are not there stay."""
        topic, number = self._topic_of(data), as_int(data.get("partitionId"))
        if topic is not None and number in topic.rows:
            topic.rows[number] = _changed(topic.rows[number], data, line)

    def clear_elr(self, data: Json, line: int) -> None:
        """The ELR of a topic, or of all topics, is emptied (ELR-7)."""
        name = data.get("topicName")
        for topic in self.cluster.topics.values():
            if not name or topic.name == name:
                topic.rows = {number: replace(row, elr=(), last_known=()) for number, row in topic.rows.items()}

    def _topic_of(self, data: Json) -> PastedTopic | None:
        topic_id = str(data.get("topicId"))
        name = self.names.get(topic_id)
        if name is None:
            self.nameless.add(topic_id)
        return self.cluster.topics.get(name or "")

    # -- configs and features

    def set_config(self, data: Json, line: int) -> None:
        """A setting of a topic or of all brokers; one without a value is deleted."""
        kind, name, key, value = (data.get(one) for one in ("resourceType", "resourceName", "name", "value"))
        if not isinstance(key, str) or not isinstance(name, str):
            return
        if kind == _TOPIC:
            _set(self.topic_configs, (name, key), value, line)
        elif kind == _BROKER and not name and key in SIMULATED[BROKER]:
            _set(self.broker_configs, key, value, line)

    def set_feature(self, data: Json, line: int) -> None:
        """A feature has a level: the metadata.version tells the release."""
        level = as_int(data.get("featureLevel"))
        if level is None:
            return
        if data.get("name") == "metadata.version" and level >= _LEVELS[0]:
            release = _RELEASES[bisect_right(_LEVELS, level) - 1]
            self.cluster.evidence.versions.append(PastedValue(release, line, "metadata.version"))
        elif data.get("name") == _ELR:
            self.cluster.evidence.elr = PastedValue("on" if level else "off", line, _ELR)

    def finished(self) -> PasteResult:
        """The reading of all records."""
        cluster = self.cluster
        if self.nameless:
            self.reading.left_out += len(self.nameless)
            topics = "A topic" if len(self.nameless) == 1 else f"{len(self.nameless)} topics"
            self.reading.warn(
                f"{topics} changed that no record names, so the log begins after a snapshot. They are left out. "
                f"{_CHECKPOINT}"
            )
        for topic in cluster.topics.values():
            topic.rows = {number: settled(row, self.reading.warn) for number, row in topic.rows.items()}
        cluster.name_brokers()
        if not cluster.brokers:
            self.reading.rejected = f"The records of {LABEL} name no broker and no partition. {_CHECKPOINT}"
        evidence = cluster.evidence
        evidence.is_combined = any(node in cluster.brokers for node in cluster.controllers)
        evidence.topic_configs = [(*place, said) for place, said in self.topic_configs.items()]
        evidence.cluster_configs = list(self.broker_configs.items())
        evidence.lines_read = [*self.lines, *self.around]
        self.reading.facts = count(cluster)
        return self.reading


def _set(configs: dict[K, PastedValue], key: K, value: object, line: int) -> None:
    """Set a config; None deletes it."""
    configs.pop(key, None)
    if value is not None:
        configs[key] = PastedValue(str(value), line, LABEL)


def _ids(data: Json, key: str) -> tuple[int, ...]:
    return as_ids(data.get(key)) or ()


def _changed(row: PastedPartition, data: Json, line: int) -> PastedPartition:
    """A partition with the fields of a record; a leader of -1 is none."""
    lists: dict[str, Any] = {
        name: _ids(data, key)
        for name, key in (
            ("replicas", "replicas"),
            ("isr", "isr"),
            ("elr", "eligibleLeaderReplicas"),
            ("last_known", "lastKnownElr"),
            ("adding", "addingReplicas"),
            ("removing", "removingReplicas"),
        )
        if data.get(key) is not None
    }
    leader = as_int(data.get("leader"))
    if leader is None:
        return replace(row, line=line, **lists)
    return replace(row, line=line, leader=leader if leader >= 0 else NO_LEADER, **lists)


_APPLY: Final[dict[str, Callable[[_Image, Json, int], None]]] = {
    "REGISTER_BROKER_RECORD": _Image.register_broker,
    "BROKER_REGISTRATION_CHANGE_RECORD": _Image.change_broker,
    "FENCE_BROKER_RECORD": _Image.fence,
    "UNFENCE_BROKER_RECORD": _Image.unfence,
    "UNREGISTER_BROKER_RECORD": _Image.unregister_broker,
    "REGISTER_CONTROLLER_RECORD": _Image.register_controller,
    "TOPIC_RECORD": _Image.add_topic,
    "REMOVE_TOPIC_RECORD": _Image.remove_topic,
    "PARTITION_RECORD": _Image.add_partition,
    "PARTITION_CHANGE_RECORD": _Image.change_partition,
    "CLEAR_ELR_RECORD": _Image.clear_elr,
    "CONFIG_RECORD": _Image.set_config,
    "FEATURE_LEVEL_RECORD": _Image.set_feature,
}
