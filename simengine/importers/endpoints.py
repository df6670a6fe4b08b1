"""Reads tables of brokers with the heads ``ID HOST PORT RACK``: id, rack, and where it stands, whether one is fenced.
kafkactl and kaf print ``ID ADDRESS``.

``kafka-cluster.sh list-endpoints`` prints ENDPOINT_TYPE too, and since 4.0 STATE; ``rpk cluster info`` and other tools
print the four, topicctl between bars. Below them ``rpk cluster info`` lists topics (``NAME PARTITIONS REPLICAS``):
declared, not placed.
"""

import re
from typing import Final

from simengine.importers.evidence import DeclaredTopic, PastedValue
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import PastedBroker, PastedCluster, PastedCounts, PasteResult
from simengine.importers.text import Line, Paste

KIND: Final = "endpoints"
LABEL: Final = "kafka-cluster.sh list-endpoints"
TABLE: Final = "a table of brokers (ID HOST PORT RACK)"
ADDRESSES: Final = "a table of brokers (ID ADDRESS)"
_HEAD = re.compile(r"\bID\*?[\s|]+HOST[\s|]+PORT[\s|]+RACK\b(?P<state>\s+STATE\b)?(?P<of_tool>\s+ENDPOINT_TYPE\b)?")
_HEAD_OF_ADDRESSES = re.compile(r"^\W*ID\s+ADDRESS(?:\s+CONTROLLER)?\s*$")
_ROW_OF_ADDRESSES = re.compile(r"^\W*(\d{1,10})\s+[\w.-]{1,253}:\d{1,5}(?:\s+(?:true|false))?\s*$")
_TOPICS = re.compile(r"^\W*NAME\s+PARTITIONS\s+REPLICAS\s*$")
_TOPIC = re.compile(r"^\W*([A-Za-z0-9._-]{1,249})\s+(\d{1,6})\s+(\d{1,3})\s*$")
_ROW = re.compile(
    r"^\W*(\d{1,10})\*?[\s|]+(\S+)[\s|]+(\d{1,5})(?:[\s|]+([^\s|]+))?(?:\s+(fenced|unfenced))?"
    r"(?:\s+(broker|controller))?(?:[\s|]+\d{4}-\d\d-\d\dT\S+)?[\s|]*$"
)


def read(paste: Paste) -> PasteResult | None:
    """The brokers (not the controllers) of the table; None without its head line."""
    cluster = PastedCluster()
    label = ""
    is_topics = has_addresses = False
    for line in paste.lines:
        has_addresses = has_addresses or "ADDRESS" in line.text and bool(_HEAD_OF_ADDRESSES.match(line.text))
        _take_address(line, has_addresses, cluster)
        head = _HEAD.search(line.text) if "RACK" in line.text else None
        if head:
            label = LABEL if head["of_tool"] else label or TABLE
            cluster.evidence.lines_read.append(line.no)
            if head["state"]:
                cluster.evidence.since_4_0 = PastedValue("a column STATE", line.no, LABEL)
        is_topics = bool(label) and (is_topics or bool(_TOPICS.match(line.text)))
        topic = _TOPIC.match(line.text) if is_topics else None
        if topic:
            _declare(cluster, topic.group(1), int(topic.group(2)), int(topic.group(3)), line.no)
        match = _ROW.match(line.text) if label and not head and not is_topics else None
        if match and match.group(6) != "controller" and int(match.group(1)) <= BROKER_ID_MAX:
            number, rack = int(match.group(1)), match.group(4)
            alive = None if match.group(5) is None else match.group(5) == "unfenced"
            named = None if rack in (None, "null", "-") else rack
            cluster.brokers[number] = PastedBroker(number, named, alive, line.no, label)
    label = label or (ADDRESSES if has_addresses and cluster.brokers else "")
    if not label:
        return None
    declared = cluster.evidence.declared.values()
    partitions = sum(one.partitions or 0 for one in declared)
    facts = PastedCounts(brokers=len(cluster.brokers), topics=len(declared), partitions=partitions)
    return PasteResult(KIND, label, cluster=cluster, facts=facts)


def _take_address(line: Line, is_below_head: bool, cluster: PastedCluster) -> None:
    """Take a row of the table of kafkactl and kaf, or its head."""
    row = _ROW_OF_ADDRESSES.match(line.text) if is_below_head else None
    if row and int(row[1]) <= BROKER_ID_MAX:
        cluster.brokers[int(row[1])] = PastedBroker(int(row[1]), line=line.no, source=ADDRESSES)
    if row or is_below_head and _HEAD_OF_ADDRESSES.match(line.text):
        cluster.evidence.lines_read.append(line.no)


def _declare(cluster: PastedCluster, name: str, partitions: int, factor: int, line: int) -> None:
    cluster.evidence.declared[name] = DeclaredTopic(name, partitions, factor, {}, line, TABLE)
