"""The names of topics in a plan whose flows keep names, or that has no flow: ``east.orders`` is ``orders``."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from simengine.scenario.mirror_plan import HEARTBEATS, PlannedFlow
from simengine.scenario.problems import FieldError

Plain = dict[str, Any]
NameOf = Callable[[str], str]  # of a topic; "" leaves the topic out


class PlainNames:
    """The names of a document's topics where the flows between two of its clusters put no name in front."""

    def __init__(self, flows: list[PlannedFlow], pair: set[str]) -> None:
        self._pair = pair
        self._origin = {
            (flow.mirror.target, remote): (flow, topic)
            for flow in flows
            for topic, remote in flow.copies.items()
            if not remote.endswith(HEARTBEATS)
        }

    def of(self, cluster: str, topic: str) -> str:
        """The name of a topic of a cluster."""
        found = self._origin.get((cluster, topic))
        if found is None:
            return topic
        flow, copied = found
        if copied == topic:
            return topic
        name = self.of(flow.mirror.source, copied)
        return name if self._is_plain(flow) else flow.policy.format_remote_topic(flow.mirror.source, name)

    def has_copies(self, cluster: str, topic: str) -> bool:
        """True if what a topic holds at t=0 are copies that a flow between the two clusters has made."""
        flow, copied = self._origin.get((cluster, topic), (None, ""))
        return flow is not None and self._is_plain(flow) and (copied != topic or flow.mirror.history)

    def _is_plain(self, flow: PlannedFlow) -> bool:
        return {flow.mirror.source, flow.mirror.target} == self._pair


def rename_all(plain: Plain, names: PlainNames) -> None:
    """Give the topics of a plain document, and what its clients name, other names. Raises FieldError."""
    for cluster, part in plain["clusters"].items():
        _rename_topics(part, cluster, names)
        rename_clients(part, partial(names.of, cluster))


def forget_copies(part: Plain, cluster: str, names: PlainNames) -> None:
    """Take what flows have copied out of a cluster of a plain document, and what groups have committed of it."""
    topics = [one for one in part.get("topics", []) if names.of(cluster, one["name"]) == one["name"]]
    for topic in topics:
        if names.has_copies(cluster, topic["name"]):
            topic.pop("initial", None)
    part["topics"] = topics
    for one in part.get("consumers", []):
        if "committed" in one:
            one["committed"] = [place for place in one["committed"] if not names.has_copies(cluster, place[0])]


def rename_clients(part: Plain, name_of: NameOf) -> None:
    """Let the clients of a cluster name other topics; clients of which none is left go."""
    producers = [{**one, "topic": name_of(one["topic"])} for one in part.get("producers", [])]
    consumers = [renamed(one, name_of) for one in part.get("consumers", [])]
    part["producers"] = [one for one in producers if one["topic"]]
    part["consumers"] = [one for one in consumers if one.get("topics") or one.get("partitions")]


def renamed(consumer: Plain, name_of: NameOf) -> Plain:
    """A consumer that names other topics. Of two committed offsets of one partition the greater stays."""
    found = {**consumer}
    if "topics" in consumer:
        found["topics"] = list(dict.fromkeys(filter(None, map(name_of, consumer["topics"]))))
    if "partitions" in consumer:
        places = [(name_of(topic), number) for topic, number in consumer["partitions"]]
        found["partitions"] = [list(place) for place in dict.fromkeys(places) if place[0]]
    if "committed" in consumer:
        found["committed"] = list(_committed(consumer["committed"], name_of))
    return found


def _committed(committed: list[Any], name_of: NameOf) -> Iterator[list[Any]]:
    offsets: dict[tuple[str, int], int] = {}
    for topic, number, offset in committed:
        place = name_of(topic), number
        offsets[place] = max(offset, offsets.get(place, offset))
    return ([*place, offset] for place, offset in offsets.items() if place[0])


def _rename_topics(part: Plain, cluster: str, names: PlainNames) -> None:
    """Of two topics that get one name the one with records stays. Raises FieldError if both have records."""
    found: dict[str, Plain] = {}
    for topic in part.get("topics", []):
        name = names.of(cluster, topic["name"])
        known = found.get(name)
        if known and has_records(known) and has_records(topic):
            both = " and ".join(sorted([known["name"], topic["name"]]))
            wrong = f"{cluster} has records in {both}, and the identity policy gives both one name, {name}"
            raise FieldError(f"{wrong}. The default policy keeps them apart: the first plan needs no new names")
        if known is None or has_records(topic):
            found[name] = topic
    part["topics"] = [{**topic, "name": name} for name, topic in found.items()]


def has_records(topic: Plain) -> bool:
    """True if a topic of a plain document holds records at t=0."""
    return any(one.get("leo") or one.get("logs") for one in topic.get("initial", {}).values())
