"""The brokers and partitions that Cruise Control's answers show, as far as they show them.

``partition_load`` lists leaders, followers and records in a second, not who is in sync; ``kafka_cluster_state`` lists
only partitions in trouble; ``load`` lists brokers with their racks.
"""

import re
from dataclasses import replace
from typing import Any, Final

from simengine.importers.evidence import PastedValue
from simengine.importers.fields import topic_name
from simengine.importers.jsontext import as_ids, as_int
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import NO_LEADER, PastedBroker, PastedCluster, PastedPartition
from simengine.importers.text import Line
from simengine.importers.values import are_replicas
from simengine.importers.yamltext import at

LABEL: Final = "Cruise Control"
_LOAD_ROW: Final = re.compile(
    r"^\s*(\S{1,249})-(\d{1,7})\s+(-?\d{1,10})\s+\[([\d, ]{0,300})\](?:\s+[\d.]{1,20}){0,4}\s+([\d.]{1,20})\s*$"
)
_LOAD_HEAD: Final = re.compile(r"\bPARTITION\s+LEADER\s+FOLLOWERS\b")
_RATE_IS_LAST: Final = re.compile(r"MSG_IN[^A-Z]*$")
_BROKER_ROW: Final = re.compile(
    r"^\s*(\d{1,10})\s+(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})\s+\d{1,9}\s+(?:true|false)\b"
)  # id, leaders, replicas, those out of sync
_HOST_ROW: Final = re.compile(r"^\s*[^\s,]+,\s*(\d{1,10}),\s*([A-Za-z][\w.-]{0,100})?")
_STATE_ROW: Final = re.compile(
    r"^\s*(\S{1,249})\s+(\d{1,7})\s+(-?\d{1,10})\s+\[([\d, ]{1,300})\]\s+\[([\d, ]{0,300})\]\s+\[[^\]]*\]\s+"
    r"\[([\d, ]{0,300})\](?:\s+(\d{1,3}))?\s*$"
)  # topic, partition, leader, replicas, those in sync, those offline, min.insync.replicas
_LINE_MAX: Final = 2_000
_COUNTS: Final = ("LeaderCountByBrokerId", "ReplicaCountByBrokerId", "OutOfSyncCountByBrokerId")


def partition_load(lines: list[Line]) -> PastedCluster:
    """Partitions with their replicas, leader first, and each topic's records in a second."""
    cluster = PastedCluster()
    rates: dict[str, tuple[float, int]] = {}
    has_rates = False
    for line in lines:
        if len(line.text) > _LINE_MAX:
            continue
        head = _LOAD_HEAD.search(line.text)
        has_rates = bool(_RATE_IS_LAST.search(line.text, head.end())) if head else has_rates
        match = _LOAD_ROW.match(line.text)
        if not match or topic_name(match.group(1)) is None:
            continue
        leader, followers = int(match.group(3)), _ids(match.group(4))
        replicas = tuple(dict.fromkeys([leader, *followers])) if leader >= 0 else followers
        if not replicas or max(replicas) > BROKER_ID_MAX:
            continue
        cluster.add_placed(match.group(1), int(match.group(2)), replicas, line=line.no)
        if has_rates and match.group(5).count(".") <= 1:
            rate, first = rates.get(match.group(1), (0.0, line.no))
            rates[match.group(1)] = rate + float(match.group(5).strip(".") or 0), first
    for topic, (rate, first) in rates.items():
        if rate > 0:
            cluster.evidence.rates[topic] = PastedValue(f"{rate:g}", first, LABEL)
    return cluster


def state(lines: list[Line]) -> PastedCluster:
    """Brokers, and the partitions in trouble with leader, ISR and min.insync.replicas."""
    cluster = PastedCluster()
    for line in lines:
        if len(line.text) > _LINE_MAX:
            continue
        broker = _BROKER_ROW.match(line.text)
        if broker and int(broker.group(1)) <= BROKER_ID_MAX:
            number, leads, replicas, out = map(int, broker.groups())
            cluster.brokers[number] = _counted(number, leads, replicas, out, line.no)
        row = _STATE_ROW.match(line.text)
        if row and topic_name(row.group(1)) is not None:
            found = PastedPartition(
                row.group(1),
                int(row.group(2)),
                int(row.group(3)),
                _ids(row.group(4)),
                _ids(row.group(5)),
                offline=_ids(row.group(6)),
                line=line.no,
            )
            _add(cluster, found, row.group(7))  # older releases have no such column
    return cluster


def load(lines: list[Line]) -> PastedCluster:
    """The brokers and their racks."""
    cluster = PastedCluster()
    has_rack = False
    for line in lines:
        has_rack = has_rack or bool(re.search(r"\bBROKER\s+RACK\b", line.text[:_LINE_MAX]))
        row = _HOST_ROW.match(line.text[:_LINE_MAX])
        if row and int(row.group(1)) <= BROKER_ID_MAX:
            rack = row.group(2) if has_rack else None
            cluster.brokers[int(row.group(1))] = PastedBroker(int(row.group(1)), rack, line=line.no, source=LABEL)
    return cluster


def from_json(values: list[Any]) -> PastedCluster:
    """The nodes and partitions in the last object with a broker state, or with a load."""
    cluster = PastedCluster()
    for value in values:
        replicas = at(value, "KafkaBrokerState", "ReplicaCountByBrokerId")
        for word in replicas if isinstance(replicas, dict) else ():
            if re.fullmatch(r"[0-9]{1,10}", word) and int(word) <= BROKER_ID_MAX:
                leads, replicas, out = (_count_of(value, key, word) for key in _COUNTS)
                cluster.brokers[int(word)] = _counted(int(word), leads, replicas, out)
        groups = at(value, "KafkaPartitionState")
        for rows in groups.values() if isinstance(groups, dict) else ():
            for row in rows if isinstance(rows, list) else ():
                _add_json(cluster, row)
        hosts = at(value, "brokers")
        for host in hosts if isinstance(hosts, list) else ():
            number = as_int(at(host, "Broker"))
            if number is not None and 0 <= number <= BROKER_ID_MAX:
                rack = at(host, "Rack")
                cluster.brokers[number] = PastedBroker(number, rack if isinstance(rack, str) else None, source=LABEL)
    return cluster


def _count_of(value: Any, key: str, broker: str) -> int:
    return as_int(at(value, "KafkaBrokerState", key, broker)) or 0


def _counted(broker: int, leads: int, replicas: int, out: int, line: int = 0) -> PastedBroker:
    """A broker by its counts: one that leads, or has a copy in sync, runs; of any other they do not tell."""
    if leads:
        return PastedBroker(broker, alive=True, line=line, why=f"{LABEL} counts {leads:,} partitions that it leads")
    if out < replicas:
        return PastedBroker(
            broker, alive=True, line=line, why=f"{LABEL} counts {replicas - out:,} copies of it in sync"
        )
    return PastedBroker(broker, line=line)


def _add_json(cluster: PastedCluster, row: Any) -> None:
    topic, number, leader = at(row, "topic"), as_int(at(row, "partition")), as_int(at(row, "leader"))
    replicas, isr = as_ids(at(row, "replicas")), as_ids(at(row, "in-sync"))
    if isinstance(topic, str) and topic_name(topic) and number is not None and replicas and isr is not None:
        led_by = NO_LEADER if leader is None else leader
        offline, least = as_ids(at(row, "offline")) or (), as_int(at(row, "min-isr"))
        found = PastedPartition(topic, number, led_by, replicas, isr, offline=offline)
        _add(cluster, found, None if least is None else str(least))


def _add(cluster: PastedCluster, row: PastedPartition, least: str | None) -> None:
    """Add a partition; ``least``: its topic's min.insync.replicas, if that is told."""
    replicas = row.replicas
    if are_replicas(replicas) and row.number >= 0:
        members = tuple(broker for broker in row.isr if broker in replicas)
        offline = tuple(broker for broker in row.offline if broker in replicas)
        cluster.put(replace(row, leader=max(row.leader, NO_LEADER), isr=members, offline=offline))
    if least is not None:
        said = PastedValue(least, row.line, LABEL)
        cluster.evidence.topic_configs.append((row.topic, "min.insync.replicas", said))


def _ids(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in re.findall(r"\d{1,10}", text))
