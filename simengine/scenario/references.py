"""The names that actions and links may use: nodes, racks, topics, partitions, clients, configuration keys."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from simengine.scenario import config_keys
from simengine.scenario.actions import SUBJECT_BROKER, SUBJECT_CLUSTER, Action, created_partitions, is_emptied
from simengine.scenario.arguments import split_ends, split_link, split_partition
from simengine.scenario.durations import format_duration
from simengine.scenario.model import Document
from simengine.scenario.near import nearest
from simengine.scenario.not_simulated import CONTROLLER_DISK
from simengine.scenario.problems import FieldError, Problem
from simengine.scenario.topic_checks import spelled
from simengine.scenario.verbs import KILL_RACK, POWER_LOSS, START_RACK

OFFSETS_TOPIC = "__consumer_offsets"
SHOWN_MAX = 20  # names listed as allowed


@dataclass(slots=True)
class Names:
    """Everything that can be named at one moment of a timeline; `add` takes note of what an action creates."""

    brokers: list[int]
    controllers: list[int]
    racks: list[str]
    topics: dict[str, Sequence[int]]  # name -> partition numbers
    producers: dict[str, str]  # id -> topic
    consumers: list[str]
    elr: bool
    reads: dict[str, list[str]] = field(default_factory=dict)  # consumer -> topics
    groups: dict[str, list[str]] = field(default_factory=dict)  # group -> its consumers
    has_group_offsets: bool = True  # there is a __consumer_offsets
    is_one_of_several: bool = False
    interceptions: list[str] = field(default_factory=list)
    created: list[str] = field(default_factory=list)  # topics that an action was to create
    deleted: list[str] = field(default_factory=list)  # topics that an action was to delete

    @classmethod
    def of(cls, doc: Document) -> "Names":
        """The names of `doc` at t=0."""
        groups: dict[str, list[str]] = {}
        for consumer in doc.consumers:
            if consumer.group:
                groups.setdefault(consumer.group, []).append(consumer.id)
        topics = {topic.name: topic.numbers for topic in doc.topics}
        racks = [*(broker.rack for broker in doc.brokers), *(controller.rack for controller in doc.controllers)]
        return cls(
            brokers=[broker.id for broker in doc.brokers],
            controllers=[controller.id for controller in doc.controllers],
            racks=list(dict.fromkeys(rack for rack in racks if rack is not None)),
            topics=topics,
            producers={producer.id: producer.topic for producer in doc.producers},
            consumers=[consumer.id for consumer in doc.consumers],
            elr=doc.elr,
            reads={
                one.id: list(dict.fromkeys([*one.topics, *(t for t, _ in one.partitions)])) for one in doc.consumers
            },
            groups=groups,
            has_group_offsets=bool(groups) or bool(doc.mirrors) or OFFSETS_TOPIC in topics,
        )

    def end_problem(self, end: str) -> FieldError | None:
        """The fault of one end of a link, or None."""
        nodes = [str(number) for number in (*self.brokers, *self.controllers)]
        names = (*nodes, *self.producers, *self.consumers, *self.racks)
        return None if end in names else _unknown("node, client or rack", end, names)

    def add(self, action: Action) -> None:
        """Takes note of what `action` creates, for the actions after it."""
        named = action.named
        if "new_topic" in named:
            self._add_topic(named["new_topic"], created_partitions(action.args))
        elif "size" in named and named["whole_topic"] in self.topics:
            self._grow(named["whole_topic"], int(named["size"]))
        elif "whole_topic" in named and "size" not in named:
            self.deleted.append(named["whole_topic"])
        elif "new_name" in named:
            self.interceptions.append(named["new_name"])

    def _add_topic(self, name: str, count: int) -> None:
        if name not in self.topics or name in self.deleted:
            self.created.append(name)
        if name in self.created:  # a second time: the first may have been refused
            self.topics[name] = range(max(count, len(self.topics.get(name, ()))))

    def _grow(self, name: str, count: int) -> None:
        known = self.topics[name]
        self.topics[name] = [*known, *range(max(known, default=-1) + 1, count)]

    def check(self, action: Action) -> None:
        """Raises FieldError when `action` names what does not exist, or a key that cannot be changed."""
        named = action.named
        if is_emptied(*action) and action.args[0] in [str(number) for number in self.controllers]:
            node = action.args[0]
            raise FieldError(
                f"{node} is a controller, and {CONTROLLER_DISK}", node, f"start {node}: with the log that it had"
            )
        for kind, name in named.items():
            if kind in _CHECKS:
                _CHECKS[kind](self, name, named)

    def _in_one_cluster(self, name: str, allowed: str) -> None:
        if not self.is_one_of_several:
            raise FieldError("this document has one cluster", name, allowed)

    def _replicas(self, text: str) -> None:
        for broker in text.split(","):
            self._node(broker, brokers_only=True)

    def _new_topic(self, name: str) -> None:
        if name in self.topics and name not in self.created and name not in self.deleted:
            raise FieldError(f"topic {name!r} exists already", name, "another name, or delete it before")

    def _factor(self, text: str) -> None:
        if int(text) > len(self.brokers):
            allowed = f"1 to {len(self.brokers)}"
            raise FieldError(f"replication factor {text} with {len(self.brokers)} brokers", text, allowed)

    def _whole_topic(self, name: str) -> None:
        """The topics that are deleted or grow. Only the run shows if an earlier action took effect."""
        self._topic(name)
        if name == OFFSETS_TOPIC:
            raise FieldError("the groups' committed offsets stand in it: it stays as it is", name, "another topic")

    def _size(self, text: str, name: str) -> None:
        has = 1 + max(self.topics[name], default=-1)
        if int(text) <= has and name not in (*self.created, *self.deleted):
            allowed = f"{has + 1} or more: partitions are only ever added"
            raise FieldError(f"topic {name!r} has {has} partitions", text, allowed)

    def _assignment(self, text: str) -> None:
        lists = [replicas.split(",") for replicas in text.split("/")]
        if any(len(replicas) != len(lists[0]) for replicas in lists):
            raise FieldError("all partitions of a topic have equally many replicas", text)
        for replicas in text.split("/"):
            self._replicas(replicas)

    def _node(self, text: str, brokers_only: bool) -> None:
        if brokers_only and text in [str(number) for number in self.controllers]:
            allowed = ", ".join(str(number) for number in self.brokers[:SHOWN_MAX])
            raise FieldError(f"{text} is a controller, and only a broker can be meant here", text, allowed)
        numbers = self.brokers if brokers_only else [*self.brokers, *self.controllers]
        member(
            "broker" if brokers_only else "node",
            text,
            [str(number) for number in numbers],
        )

    def _hosts(self, text: str) -> None:
        nodes = [str(number) for number in (*self.brokers, *self.controllers)]
        for end in split_ends(text) if text != "all" else ():
            member("node or rack", end, [*nodes, *self.racks])

    def _topic(self, name: str) -> None:
        member("topic", name, list(self.topics))

    def moving(self, name: str) -> list[str]:
        """The clients that a move names: one by its id, or the members of a group. Raises FieldError."""
        if name in self.producers or name in self.reads:
            return [name]
        member("client or group", name, (*self.producers, *self.consumers, *self.groups))
        return self.groups[name]

    def group_of(self, consumer: str) -> str:
        """The group of a consumer; "" without one."""
        return next((group for group, members in self.groups.items() if consumer in members), "")

    def take_in(self, client: str, topics: list[str], group: str, is_producer: bool) -> None:
        """Takes note of a client that moves here; one that was here before stays as it was."""
        if client in self.producers or client in self.reads:
            return
        if is_producer:
            self.producers[client] = topics[0]
            return
        self.consumers.append(client)
        self.reads[client] = topics
        if group:
            self.groups.setdefault(group, []).append(client)

    def clients(self, kind: str) -> list[str]:
        """The ids of all clients of a kind, producer or consumer."""
        return list(self.producers) if kind == "producer" else self.consumers

    def partition(self, text: str) -> tuple[str, int]:
        """(topic, number) of a partition that exists. Raises FieldError."""
        topic, number = split_partition(text)
        self._topic(topic)
        if number not in self.topics[topic]:
            raise FieldError(
                f"there is no partition {text!r}",
                text,
                spelled(self.topics[topic], f"{topic}-"),
            )
        return topic, number

    def _link(self, text: str) -> None:
        left, _, right = split_link(text)
        sides = [split_ends(left), split_ends(right)]
        for end in (*sides[0], *sides[1]):
            wrong = self.end_problem(end)
            if wrong is not None:
                raise wrong
        if sides[0] == sides[1] and len(sides[0]) == 1 and sides[0][0] not in self.racks:
            both = sides[0][0]
            raise FieldError(f"a link has two ends, and {both} would be both", both, "two different ends, such as 1|2")

    def _config(self, subject: str, name: str, value: str) -> None:
        scope = config_keys.TOPIC
        if subject == SUBJECT_CLUSTER and subject not in self.topics:
            scope = config_keys.BROKER
        elif subject.startswith(SUBJECT_BROKER) and subject not in self.topics:
            scope = config_keys.BROKER
            self._node(subject.removeprefix(SUBJECT_BROKER), brokers_only=True)
            if self.elr and name == "min.insync.replicas":
                raise FieldError(
                    "with ELR on a single broker may not set min.insync.replicas (ELR-7)",
                    subject,
                    "cluster or a topic",
                )
        else:
            self._topic(subject)
        config_keys.read(scope, name, value)
        key = config_keys.SIMULATED[scope].get(name)
        if key is not None and not key.dynamic:
            changeable = [other.name for other in config_keys.SIMULATED[scope].values() if other.dynamic]
            raise FieldError(
                f"{name!r} cannot be changed while the cluster runs",
                name,
                ", ".join(changeable),
            )


# by kind of argument: what has to be there, or may not be; of the names, the argument, and all arguments of the action
_CHECKS: Final[dict[str, Callable[[Names, str, dict[str, str]], object]]] = {
    "node": lambda names, node, _: names._node(node, brokers_only=False),
    "host": lambda names, node, _: names._node(node, brokers_only=True),
    "broker": lambda names, node, _: names._node(node, brokers_only=True),
    "hosts": lambda names, hosts, _: names._hosts(hosts),
    "rack": lambda names, rack, _: member("rack", rack, names.racks),
    "site": lambda names, site, _: names._in_one_cluster(site, f"{KILL_RACK}, {START_RACK} and {POWER_LOSS} all"),
    "mover": lambda names, client, _: names._in_one_cluster(client, "close and open"),
    "link": lambda names, link, _: names._link(link),
    "client": lambda names, client, _: member("client", client, (*names.producers, *names.consumers)),
    "producer": lambda names, client, _: member("producer", client, list(names.producers)),
    "consumer": lambda names, client, _: member("consumer", client, names.consumers),
    "interception": lambda names, name, _: member("interception", name, names.interceptions),
    "topic": lambda names, topic, _: names._topic(topic),
    "whole_topic": lambda names, topic, _: names._whole_topic(topic),
    "size": lambda names, size, named: names._size(size, named["whole_topic"]),
    "new_topic": lambda names, topic, _: names._new_topic(topic),
    "factor": lambda names, factor, _: names._factor(factor),
    "assignment": lambda names, lists, _: names._assignment(lists),
    "partition": lambda names, partition, _: names.partition(partition),
    "scope": lambda names, scope, _: None if scope == "all" else names.partition(scope),
    "replicas": lambda names, replicas, _: names._replicas(replicas),
    "subject": lambda names, subject, named: names._config(subject, named["key"], named["value"]),
}


class Checker(Protocol):
    """Knows what actions may name, and takes note of what they create."""

    def check(self, action: Action) -> None:
        """Raises FieldError when `action` names what does not exist."""

    def add(self, action: Action) -> None:
        """Takes note of what `action` creates."""


def timeline_problems(doc: Document, names: Checker) -> Iterator[Problem]:
    """Actions that name what does not exist, or come out of order."""
    before_us = 0
    for i, entry in enumerate(doc.timeline):
        path = f"timeline[{i}]"
        if entry.at_us < before_us:
            earlier = format_duration(before_us)
            yield Problem(
                f"{path}.at", format_duration(entry.at_us), "earlier than the action before it", f"{earlier} or later"
            )
        before_us = max(before_us, entry.at_us)
        try:
            names.check(entry.action)
        except FieldError as wrong:
            yield wrong.at(f"{path}.do")
        names.add(entry.action)  # also where it is wrong: what it was to create may be named from here on


def member(what: str, name: str, names: list[str] | tuple[str, ...]) -> None:
    """Raises FieldError when `name` is none of `names`."""
    if name not in names:
        raise _unknown(what, name, names)


def _unknown(what: str, name: str, names: list[str] | tuple[str, ...]) -> FieldError:
    known = list(dict.fromkeys(names))  # an id that is taken twice is a problem of its own
    allowed = ", ".join(known[:SHOWN_MAX]) + (", …" if len(known) > SHOWN_MAX else "")
    return FieldError(
        f"there is no {what} {name!r}",
        name,
        allowed or "none exist",
        nearest(name, known),
    )
