"""Racks and observers out of Confluent's ``confluent.placement.constraints``, which stands among a topic's configs.

It says how many replicas each rack gets, and how many of them are observers. Replicas stand before observers in the
replica list. A rack is told where it is the only one left for a broker; where several fit, nothing is guessed.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from simengine.importers.jsontext import as_int
from simengine.importers.model import NO_LEADER, PastedCluster, PastedPartition, PastedTopic, PasteResult
from simengine.words.phrases import listed

KEY: Final = "confluent.placement.constraints"


@dataclass(slots=True)
class _Group:
    """Brokers of one partition that have these racks, each as often as said."""

    line: int
    topic: str
    brokers: list[int]
    counts: dict[str, int] = field(default_factory=dict)


def contribute(cluster: PastedCluster, reading: PasteResult) -> None:
    """Give brokers the racks that constraints tell, and topics the observers that stay observers."""
    groups: list[_Group] = []
    for topic in cluster.topics.values():
        constraint = _constraint(topic)
        for row in topic.rows.values() if constraint else ():
            groups += _groups(topic, row, constraint)
        _take_observers(topic, constraint, reading)
    found: dict[int, str] = {}
    for _ in range(2):  # a second time: what one topic tells may decide another
        for group in groups:
            _decide(group, found, reading)
    for number, rack in found.items():
        broker = cluster.brokers.get(number)
        if broker is not None and broker.rack is None:
            broker.rack, broker.source = rack, KEY


def _constraint(topic: PastedTopic) -> dict[str, Any]:
    text = (topic.configs or {}).get(KEY)
    if not text:
        return {}
    try:
        value: Any = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _counts(entries: Any) -> dict[str, int]:
    """Rack -> how many replicas; {} if an entry names no rack."""
    counts: dict[str, int] = {}
    for entry in entries if isinstance(entries, list) else []:
        rack = entry.get("constraints", {}).get("rack") if isinstance(entry, dict) else None
        number = as_int(entry.get("count")) if isinstance(entry, dict) else None
        if not isinstance(rack, str) or number is None:
            return {}
        counts[rack] = counts.get(rack, 0) + number
    return counts


def _observers_of(row: PastedPartition, constraint: dict[str, Any]) -> tuple[int, ...]:
    """The observers of a partition: the listed ones, else as many as are wanted, at the end of its replicas."""
    wanted = sum(_counts(constraint.get("observers")).values())
    if 0 < wanted < len(row.replicas):
        last = row.replicas[-wanted:]
        if all(broker in last for broker in row.observers):
            return last
    return row.observers


def _groups(topic: PastedTopic, row: PastedPartition, constraint: dict[str, Any]) -> list[_Group]:
    observers = _observers_of(row, constraint)
    replicas = [broker for broker in row.replicas if broker not in observers]
    found = []
    for brokers, key in ((replicas, "replicas"), (list(observers), "observers")):
        counts = _counts(constraint.get(key))
        if counts and sum(counts.values()) == len(brokers):
            found.append(_Group(topic.line or row.line, topic.name, brokers, counts))
    return found


def _decide(group: _Group, found: dict[int, str], reading: PasteResult) -> None:
    left = dict(group.counts)
    for broker in group.brokers:
        rack = found.get(broker)
        if rack is not None and left.get(rack, 0) > 0:
            left[rack] -= 1
        elif rack is not None:
            reading.warn(f"Line {group.line}: {KEY} of {group.topic} does not fit rack {rack} of broker {broker}.")
            return
    open_racks = [rack for rack, number in left.items() if number > 0]
    unknown = [broker for broker in group.brokers if broker not in found]
    if len(open_racks) == 1 and left[open_racks[0]] == len(unknown):
        found.update(dict.fromkeys(unknown, open_racks[0]))


def _take_observers(topic: PastedTopic, constraint: dict[str, Any], reading: PasteResult) -> None:
    """The observers that the engine can keep out of every ISR of the topic: all, or they are ordinary replicas."""
    observers: dict[int, None] = {}
    members: set[int] = set()
    for row in topic.rows.values():
        watching = _observers_of(row, constraint)
        observers.update(dict.fromkeys(watching))
        members.update(_members(row, watching))
    usable = [broker for broker in observers if broker not in members]
    topic.observers = tuple(usable)
    rest = [str(broker) for broker in observers if broker not in usable]
    if rest:
        are, kind = (
            ("is an observer", "an ordinary replica") if len(rest) == 1 else ("are observers", "ordinary replicas")
        )
        told = f"{listed(rest)} {are}, and in an ISR or {kind} as well: simulated as {kind}."
        reading.warn(f"{topic.name}: {told}")


def _members(row: PastedPartition, observers: tuple[int, ...]) -> Iterator[int]:
    """The brokers that are, or may become, more than observers of a partition; an id may come more than once."""
    yield from (broker for broker in row.replicas if broker not in observers)
    if row.leader != NO_LEADER:
        yield row.leader
    yield from (*row.isr, *(row.elr or ()), *row.last_known, row.replicas[0])
