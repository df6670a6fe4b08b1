"""Neutral names for sharing a pasted cluster: topics, clients, groups and racks by number, the rest as it was.

A client's luck (delays, phases) is keyed by its name, so the copy may differ in detail from the run it was made of; its
digest and verdict are computed anew.
"""

import json
import re
from typing import Any, Final

from simengine.scenario import Action, Document, load, parse, to_plain
from simengine.scenario.arguments import split_partition
from simengine.scenario.sites import only_cluster

Plain = dict[str, Any]
Names = dict[str, str]

TOPIC_KINDS: Final = ("topic", "new_topic", "whole_topic", "subject")
PARTITION_KINDS: Final = ("partition", "scope")
END_KINDS: Final = ("link", "hosts", "rack", "client", "producer", "consumer")


def neutral(document: Document) -> Document:
    """The same scenario under names that say nothing: topic-1, producer-1, group-1, rack-1. Equal names stay equal."""
    plain: Plain = json.loads(json.dumps(to_plain(only_cluster(document))))
    topics = _numbered([topic.name for topic in document.topics], "topic")
    clients = _numbered([producer.id for producer in document.producers], "producer")
    clients |= _numbered([consumer.id for consumer in document.consumers], "consumer")
    groups = _numbered([consumer.group for consumer in document.consumers if consumer.group], "group")
    racks = _numbered(_racks(document), "rack")
    sites = [rack for rack in _client_racks(document) if rack not in racks]
    racks |= _numbered(sites, "site")
    plain["title"] = "A cluster under neutral names"
    plain.pop("about", None)
    plain.pop("captions", None)
    plain.pop("expect", None)
    _rename_parts(plain, topics, clients, groups, racks)
    ends = clients | racks
    for link in plain.get("network", {}).get("links", []):
        link["between"] = [ends.get(end, end) for end in link["between"]]
    for entry in plain.get("timeline", []):
        entry["do"] = _renamed_action(parse(entry["do"]), topics, ends)
    return load(plain)


def _racks(document: Document) -> list[str]:
    brokers = [broker.rack for broker in document.brokers]
    return [rack for rack in brokers + [controller.rack for controller in document.controllers] if rack]


def _client_racks(document: Document) -> list[str]:
    producers = [producer.rack for producer in document.producers]
    return [rack for rack in producers + [consumer.rack for consumer in document.consumers] if rack]


def _numbered(names: list[str], word: str) -> Names:
    return {name: f"{word}-{number}" for number, name in enumerate(dict.fromkeys(names), start=1)}


def _rename_parts(plain: Plain, topics: Names, clients: Names, groups: Names, racks: Names) -> None:
    for node in [*plain["cluster"]["brokers"], *plain["cluster"]["controllers"]]:
        if isinstance(node, dict) and node.get("rack"):
            node["rack"] = racks[node["rack"]]
    for topic in plain.get("topics", []):
        topic["name"] = topics[topic["name"]]
    for client in [*plain.get("producers", []), *plain.get("consumers", [])]:
        client["id"] = clients[client["id"]]
        if client.get("rack"):
            client["rack"] = racks[client["rack"]]
        if client.get("group"):
            client["group"] = groups[client["group"]]
        if "topic" in client:
            client["topic"] = topics[client["topic"]]
        if "topics" in client:
            client["topics"] = [topics[name] for name in client["topics"]]
        if "topic" not in client and "partitions" in client:
            client["partitions"] = [[topics[name], number] for name, number in client["partitions"]]
        if "committed" in client:
            client["committed"] = [[topics[name], *rest] for name, *rest in client["committed"]]


def _renamed_action(action: Action, topics: Names, ends: Names) -> str:
    args = zip(action.slots, action.args, strict=True)
    return str(Action(action.verb, tuple(_renamed(slot.kind, argument, topics, ends) for slot, argument in args)))


def _renamed(kind: str, argument: str, topics: Names, ends: Names) -> str:
    """An argument of a kind with the names of topics, or of clients and racks, that it holds changed."""
    if kind in TOPIC_KINDS:
        return topics.get(argument, argument)
    if kind in PARTITION_KINDS and argument != "all":
        topic, number = split_partition(argument)
        return f"{topics.get(topic, topic)}-{number}"
    if kind in END_KINDS:
        return "".join(ends.get(end, end) for end in re.split(r"([,|>])", argument))
    return argument
