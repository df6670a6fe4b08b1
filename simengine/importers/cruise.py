"""Reads what Cruise Control answers: ``kafka_cluster_state``, ``partition_load`` and ``load``, as text or as JSON."""

import json
import re
from typing import Any, Final

from simengine.importers import cruise_cluster
from simengine.importers.cruise_cluster import LABEL
from simengine.importers.foreign_table import count_table
from simengine.importers.jsontext import as_ids, as_int, json_lines, json_values
from simengine.importers.model import PastedCounts, PasteResult
from simengine.importers.text import Line, Paste
from simengine.importers.yamltext import at

KIND: Final = "cruise"
_STATE = re.compile(r"\bBROKER\s+LEADER\(S\)\s+REPLICAS\b")
_PARTITION_LOAD = re.compile(r"\bPARTITION\s+LEADER\s+FOLLOWERS\b")
_LOAD = re.compile(r"\bHOST\s+BROKER\s+(?:RACK\s+)?(?:LOGDIR\s+)?DISK")
_JSON = re.compile(r"\"(?:KafkaBrokerState|LeaderNwInRate)\"\s*:")
_SUMMARY = re.compile(r"has \d{1,9} brokers?, \d{1,9} replicas?, \d{1,9} leaders?, and (\d{1,9}) topics?")
_STATE_ROW = re.compile(r"^\s*(\d{1,10})\s+\d+\s+\d+\s+\d+\s+\d+\s+(?:true|false)\b")
_PARTITION_LOAD_ROW = re.compile(r"^\s*(\S+)-(\d{1,9})\s+(-?\d{1,10})\s+\[([\d, ]*)\]")
_LOAD_ROW = re.compile(r"^\s*[^\s,]+,\s*(\d{1,10}),")


def read(paste: Paste) -> PasteResult | None:
    """The counts in the response; None if it is none of these."""
    text = paste.joined()
    reading = PasteResult(KIND, LABEL)
    if "FOLLOWERS" in text and _PARTITION_LOAD.search(text):
        reading.facts = _partition_load(paste.lines)
        reading.cluster = cruise_cluster.partition_load(paste.lines)
        reading.alone.append("partition_load tells leaders and followers, but not who is in sync.")
    elif "LEADER(S)" in text and _STATE.search(text):
        reading.facts = _state(paste.lines, text)
        reading.cluster = cruise_cluster.state(paste.lines)
        if "All Partitions in the Cluster" not in text:
            reading.alone.append("kafka_cluster_state counts the partitions, it lists only those in trouble.")
    elif "DISK" in text and _LOAD.search(text):
        reading.facts = PastedCounts(brokers=len(_first_groups(_LOAD_ROW, paste.lines)))
        reading.cluster = cruise_cluster.load(paste.lines)
        reading.alone.append("load tells the brokers and their use, no partition.")
    elif _JSON.search(text):
        values = json_values(text, paste)
        reading.facts = _json(values)
        reading.cluster = cruise_cluster.from_json(values)
        reading.cluster.evidence.lines_read += json_lines(
            paste, lambda value: _JSON.search(json.dumps(value)) is not None
        )
        if not any(at(value, "KafkaPartitionState", "other") for value in values):
            reading.alone.append("Cruise Control's JSON counts the partitions, it lists only those in trouble.")
    else:
        return None
    reading.cluster.name_brokers()
    return reading


def _first_groups(pattern: re.Pattern[str], lines: list[Line]) -> dict[str, None]:
    return dict.fromkeys(match.group(1) for line in lines if (match := pattern.match(line.text)))


def _partition_load(lines: list[Line]) -> PastedCounts:
    rows = [match for line in lines if (match := _PARTITION_LOAD_ROW.match(line.text))]
    brokers: dict[str, None] = {}
    for row in rows:
        members = [row.group(3), *row.group(4).replace(",", " ").split()]
        brokers.update(dict.fromkeys(member for member in members if member != "-1"))
    topics = dict.fromkeys(row.group(1) for row in rows)
    leaderless = sum(row.group(3) == "-1" for row in rows)
    return PastedCounts(len(brokers), len(topics), len(rows), leaderless=leaderless)


def _state(lines: list[Line], text: str) -> PastedCounts:
    facts = count_table([line.text for line in lines]) or PastedCounts()
    summary = _SUMMARY.search(text)
    facts.brokers = len(_first_groups(_STATE_ROW, lines)) or facts.brokers
    facts.topics = int(summary.group(1)) if summary else facts.topics
    return facts


def _json(values: list[Any]) -> PastedCounts:
    """The counts of the last object that has them."""
    facts = PastedCounts()
    for value in values:
        replicas = at(value, "KafkaBrokerState", "ReplicaCountByBrokerId")
        hosts = at(value, "brokers")
        if isinstance(replicas, dict):
            facts = _json_state(value, len(replicas))
        elif isinstance(hosts, list):
            facts = PastedCounts(brokers=len(hosts))
    return facts


def _json_state(value: Any, brokers: int) -> PastedCounts:
    groups = at(value, "KafkaPartitionState")
    rows = [row for group in groups.values() for row in group] if isinstance(groups, dict) else []
    found = {(at(row, "topic"), at(row, "partition")): row for row in rows if isinstance(row, dict)}
    members = [(as_ids(row.get("in-sync")) or (), as_ids(row.get("replicas")) or ()) for row in found.values()]
    return PastedCounts(
        brokers=brokers,
        topics=as_int(at(value, "KafkaBrokerState", "Summary", "Topics")) or len({topic for topic, _ in found}),
        partitions=len(found),
        under_replicated=sum(len(isr) < len(replicas) for isr, replicas in members),
        leaderless=sum((as_int(row.get("leader")) or 0) < 0 for row in found.values()),
    )
