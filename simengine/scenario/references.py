"""What actions and links may name: nodes, racks, topics, partitions, clients, configuration keys."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from simengine.scenario import actions, config_keys
from simengine.scenario.actions import Action
from simengine.scenario.durations import format_duration
from simengine.scenario.model import Document
from simengine.scenario.near import nearest
from simengine.scenario.problems import FieldError, Problem
from simengine.scenario.topic_checks import spelled

BROKER_FORMS = (("empty",), ("wiped",), ("fast",), ("slow",))  # of start and resume: no controller is meant
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
        """What is wrong with one end of a link, or None."""
        nodes = [str(number) for number in (*self.brokers, *self.controllers)]
        names = (*nodes, *self.producers, *self.consumers, *self.racks)
        return None if end in names else _unknown("node, client or rack", end, names)

    def add(self, action: Action) -> None:
        """Takes note of what `action` creates, for the actions after it."""
        if action.verb == "create":
            name, count = action.args[0], actions.created_partitions(action.args)
            if name not in self.topics or name in self.deleted:
                self.created.append(name)
            if name in self.created:  # a second time: the first may have been refused
                self.topics[name] = range(max(count, len(self.topics.get(name, ()))))
        elif action.verb == "delete":
            self.deleted.append(action.args[0])
        elif action.verb == "partitions" and action.args[0] in self.topics:
            self._grow(action.args[0], int(action.args[1]))
        elif action.verb == "intercept":
            self.interceptions.append(action.args[0])

    def _grow(self, name: str, count: int) -> None:
        known = self.topics[name]
        self.topics[name] = [*known, *range(max(known, default=-1) + 1, count)]

    def check(self, action: Action) -> None:
        """Raises FieldError when `action` names what does not exist, or a key that cannot be changed."""
        verb, args = action
        if verb in (*actions.NODE_VERBS, "slow", "late-heartbeat"):
            brokers_only = verb in ("slow", "late-heartbeat") or args[1:2] in BROKER_FORMS
            self._node(args[0], brokers_only)
        elif verb == "power-loss":
            self._hosts(args[0])
        elif verb in (*actions.SITE_VERBS, "move"):
            if not self.is_one_of_several:
                allowed = "close and open" if verb == "move" else "kill-rack, start-rack and power-loss all"
                raise FieldError("this document has one cluster", args[0], allowed)
        elif verb in actions.RACK_VERBS:
            member("rack", args[0], self.racks)
        elif verb in ("cut", "heal", "slow-link"):
            self._link(args)
        elif verb in actions.CLIENT_VERBS:
            member("client", args[0], (*self.producers, *self.consumers))
        elif verb in actions.MESSAGE_VERBS:
            return  # a message that is not under way: nothing follows
        elif verb == "config":
            self._config(args)
        else:
            self._topic_action(verb, args)

    def _topic_action(self, verb: str, args: tuple[str, ...]) -> None:
        if verb == "acks":
            self._topic(args[0])
        elif verb == "elect":
            if args[1] != "all":
                self.partition(args[1])
        elif verb == "reassign":
            self.partition(args[0])
            for broker in args[1].split(",") if args[1] != "cancel" else ():
                self._node(broker, brokers_only=True)
        elif verb == "create":
            self._create(args)
        elif verb in ("delete", "partitions"):
            self._topic_as_a_whole(verb, args)
        else:
            self._client_action(verb, args)

    def _client_action(self, verb: str, args: tuple[str, ...]) -> None:
        if verb == "release":
            member("interception", args[0], self.interceptions)
        elif verb == "commit":
            member("consumer", args[0], self.consumers)
            if len(args) > 1:
                self.partition(args[1])
        else:
            self._producer(verb, args)

    def _create(self, args: tuple[str, ...]) -> None:
        name = args[0]
        if name in self.topics and name not in self.created and name not in self.deleted:
            raise FieldError(f"topic {name!r} exists already", name, "another name, or delete it before")
        if len(args) == 2:
            self._assignment(args[1])
        elif int(args[1]) > len(self.brokers):
            allowed = f"1 to {len(self.brokers)}"
            raise FieldError(f"replication factor {args[1]} with {len(self.brokers)} brokers", args[1], allowed)

    def _topic_as_a_whole(self, verb: str, args: tuple[str, ...]) -> None:
        """What deletes a topic or adds partitions to it. Whether an earlier action took effect is seen when it runs."""
        name = args[0]
        self._topic(name)
        if name == OFFSETS_TOPIC:
            raise FieldError("the groups' committed offsets stand in it: it stays as it is", name, "another topic")
        has = 1 + max(self.topics[name], default=-1)
        if verb == "partitions" and int(args[1]) <= has and name not in (*self.created, *self.deleted):
            allowed = f"{has + 1} or more: partitions are only ever added"
            raise FieldError(f"topic {name!r} has {has} partitions", args[1], allowed)

    def _assignment(self, text: str) -> None:
        lists = [replicas.split(",") for replicas in text.split("/")]
        if any(len(replicas) != len(lists[0]) for replicas in lists):
            raise FieldError("all partitions of a topic have equally many replicas", text)
        for replicas in lists:
            for broker in replicas:
                self._node(broker, brokers_only=True)

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
        for end in actions.split_ends(text) if text != "all" else ():
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
        topic, number = actions.split_partition(text)
        self._topic(topic)
        if number not in self.topics[topic]:
            raise FieldError(
                f"there is no partition {text!r}",
                text,
                spelled(self.topics[topic], f"{topic}-"),
            )
        return topic, number

    def _producer(self, verb: str, args: tuple[str, ...]) -> None:
        """The producer of rate, send, resend and intercept, and the partition it is told to write to."""
        place = 1 if verb == "intercept" else 0
        member("producer", args[place], list(self.producers))
        if len(args) > 2:
            self.partition(args[1 if verb in ("send", "resend") else 2])

    def _link(self, args: tuple[str, ...]) -> None:
        if not args:
            return
        sides = [actions.split_ends(side) for side in (args[0], args[2])]
        for end in (*sides[0], *sides[1]):
            wrong = self.end_problem(end)
            if wrong is not None:
                raise wrong
        if sides[0] == sides[1] and len(sides[0]) == 1 and sides[0][0] not in self.racks:
            both = sides[0][0]
            raise FieldError(f"a link has two ends, and {both} would be both", both, "two different ends, such as 1|2")

    def _config(self, args: tuple[str, ...]) -> None:
        subject, name, value = args
        scope = config_keys.TOPIC
        if subject == actions.SUBJECT_CLUSTER and subject not in self.topics:
            scope = config_keys.BROKER
        elif subject.startswith(actions.SUBJECT_BROKER) and subject not in self.topics:
            scope = config_keys.BROKER
            self._node(subject.removeprefix(actions.SUBJECT_BROKER), brokers_only=True)
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


class Checker(Protocol):
    """Knows what actions may name, and takes note of what they create."""

    def check(self, action: Action) -> None:
        """Raises FieldError when `action` names what does not exist."""

    def add(self, action: Action) -> None:
        """Takes note of what `action` creates."""


def timeline_problems(doc: Document, names: Checker) -> list[Problem]:
    """Actions that name what does not exist, or come out of order."""
    problems: list[Problem] = []
    before_us = 0
    for i, entry in enumerate(doc.timeline):
        path = f"timeline[{i}]"
        if entry.at_us < before_us:
            earlier = format_duration(before_us)
            problems.append(
                Problem(
                    f"{path}.at",
                    format_duration(entry.at_us),
                    "earlier than the action before it",
                    f"{earlier} or later",
                )
            )
        before_us = max(before_us, entry.at_us)
        try:
            names.check(entry.action)
        except FieldError as wrong:
            problems.append(wrong.at(f"{path}.do"))
        names.add(entry.action)  # also where it is wrong: what it was to create may be named from here on
    return problems


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
