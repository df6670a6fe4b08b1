"""The size of a run: the numbers that its cost grows with, counted without building it.

Replicas, connections, and who reads and writes which partition. What the timeline creates counts as if it were there
from the start, for the clients of that topic too. A flow of MirrorMaker counts as a consumer and a producer of each
partition that it copies.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from itertools import accumulate
from math import sqrt
from typing import Final

from simengine.kernel.site import SEPARATOR
from simengine.scenario import Action, Document
from simengine.scenario.actions import created_partitions
from simengine.scenario.mirror_plan import PlannedFlow, flows_of
from simengine.scenario.model import ConsumerEntry, Link, ProducerEntry
from simengine.scenario.parts import parts_of, written_parts

REPLICAS_GUESS: Final = 3  # of a partition that is added to a topic
REQUESTS_OF_PRODUCER_MAX: Final = 350  # a second, measured: what it writes beyond that makes its batches larger
TOPICS: Final = ("new_topic", "whole_topic", "topic")  # the kinds of argument that name a topic
ALL: Final = -1  # stands for all partitions of a topic
ALONE: Final = "\0"  # before the id of a consumer without a group, which reads like a group of its own


@dataclass(frozen=True)
class Size:
    """The size of one run. Every number is a count.

    ``connections``: from a client to a broker, from a follower to a leader. ``writes``: a producer and a partition.
    ``reads``: a consumer and a partition. ``pairs``: two that read the same partition, each by itself or with a group.
    ``mates``: two members of a group, and a partition. ``shares``: the comparisons of a leader that shares out, which
    are members times the square of the group's partitions. ``members``: of all groups. ``known``: partitions in the
    metadata of all clients. ``delays``: two nodes between which the document sets a latency. ``requests``: of all
    producers a second, at most: a producer of many records puts several into one.
    """

    partitions: int = 0
    replicas: int = 0
    nodes: int = 0
    connections: int = 0
    writes: int = 0
    reads: int = 0
    pairs: int = 0
    mates: int = 0
    shares: int = 0
    members: int = 0
    known: int = 0
    delays: int = 0
    requests: int = 0

    @classmethod
    def of(cls, plain: dict[str, int]) -> "Size":
        """A size as a row tells it, perhaps one of an earlier version."""
        return cls(**{one.name: plain.get(one.name, 0) for one in fields(cls)})

    def __add__(self, other: "Size") -> "Size":
        return Size(**{name: number + getattr(other, name) for name, number in asdict(self).items()})

    def shared_out(self, partitions: int) -> "Size":
        """The size if every group may read so many further partitions: exact for one group, more for several."""
        root = sqrt(self.shares / self.members) if self.members else 0.0
        return replace(self, shares=round(self.members * (root + partitions) ** 2))


def size_of(document: Document) -> Size:
    """The size of a run of a document."""
    parts = parts_of(document)
    actions = [entry.action for entry in document.timeline]
    found = sum((_of_cluster(part, _in_cluster(actions, name)) for name, part in parts.items()), Size())
    if document.clusters:
        racks = {
            f"{name}{SEPARATOR}{rack}": count for name, part in parts.items() for rack, count in _racks(part).items()
        }
        found += Size(delays=_delays(document.network.links, racks))
    if not document.mirrors:
        return found
    flows = flows_of(document.mirrors, written_parts(document))
    return sum((_of_flow(flow, parts) for flow in flows), found)


def created(actions: Iterable[Action]) -> Size:
    """The size of topics and partitions that actions create; of a topic that grows, all its partitions at most."""
    found = Size()
    for action in actions:
        if "new_topic" in action.named:
            number = created_partitions(action.args)
            factor = int(action.args[1]) if len(action.args) == 3 else len(action.args[1].split("/")[0].split(","))
            found += Size(partitions=number, replicas=number * factor)
        elif "size" in action.named:
            number = int(action.named["size"])
            found += Size(partitions=number, replicas=number * REPLICAS_GUESS)
    return found


def _in_cluster(actions: list[Action], cluster: str) -> list[Action]:
    """The actions that create topics, partitions or replicas in a cluster."""
    creating = [action for action in actions if action.named.keys() & {"new_topic", "size", "factor"}]
    return [action for action in creating if _topic(action)[0] in ("", cluster)]


def _topic(action: Action) -> tuple[str, str]:
    """The cluster that an action names, "" for none, and the topic that it makes or grows."""
    named = action.named
    cluster, _, name = next(named[kind] for kind in TOPICS if kind in named).rpartition(SEPARATOR)
    return cluster, name


def _raised(actions: list[Action], numbers: dict[str, int]) -> int:
    """The replicas of topics that get another replication factor."""
    factors = [(_topic(action)[1], int(action.named["factor"])) for action in actions if "topic" in action.named]
    return sum(numbers.get(name, 0) * factor for name, factor in factors)


def _numbers(part: Document, later: list[Action]) -> dict[str, int]:
    """The most partitions that each topic has. A topic that is created again has the larger number."""
    numbers = {topic.name: len(topic.assignment) for topic in part.topics}
    for action in later:
        if "topic" in action.named:
            continue
        number = created_partitions(action.args) if "new_topic" in action.named else int(action.named["size"])
        name = _topic(action)[1]
        numbers[name] = max(numbers.get(name, 0), number)
    return numbers


def _of_cluster(part: Document, later: list[Action]) -> Size:
    brokers, clients = len(part.brokers), len(part.producers) + len(part.consumers)
    numbers = _numbers(part, later)
    ends = dict(zip(numbers, accumulate(numbers.values()), strict=True))  # partitions of the topics up to this one
    copies = [members for topic in part.topics for members in topic.assignment]
    followed = {(follower, members[0]) for members in copies for follower in members[1:]}
    return (
        _of_readers(part.consumers, numbers, ends)
        + created(later)
        + Size(
            partitions=len(copies),
            replicas=sum(map(len, copies)) + _raised(later, numbers),
            nodes=brokers + len(part.controllers) + clients,
            connections=clients * brokers + len(followed),
            writes=sum(_written(producer, numbers) for producer in part.producers),
            known=sum(ends.get(producer.topic, 0) for producer in part.producers),
            delays=_delays(part.network.links, _racks(part)),
            requests=sum(min(producer.rate_milli // 1000, REQUESTS_OF_PRODUCER_MAX) for producer in part.producers),
        )
    )


def _written(producer: ProducerEntry, numbers: dict[str, int]) -> int:
    return numbers.get(producer.topic, 0) if producer.partitions is None else len(producer.partitions)


def _of_readers(consumers: list[ConsumerEntry], numbers: dict[str, int], ends: dict[str, int]) -> Size:
    """The size that the consumers of a cluster add. A consumer that names partitions counts for each of them."""
    members: dict[tuple[str, int], Counter[str]] = {}  # by topic and partition: how many of which group
    known = 0
    for consumer in consumers:
        named = [(name, ALL) for name in consumer.topics] + consumer.partitions
        known += max((ends.get(name, 0) for name, _ in named), default=0)
        for one in named:
            members.setdefault(one, Counter())[consumer.group or f"{ALONE}{consumer.id}"] += 1
    return _of_members(members, numbers) + Size(known=known)


def _of_members(members: dict[tuple[str, int], Counter[str]], numbers: dict[str, int]) -> Size:
    reads = pairs = mates = 0
    groups_size: Counter[str] = Counter()  # by group: its members
    groups_partitions: Counter[str] = Counter()
    for (topic, number), groups in members.items():
        partitions = numbers.get(topic, 0) if number == ALL else 1
        reads += partitions * groups.total()
        pairs += partitions * len(groups) ** 2
        mates += partitions * sum(count**2 for count in groups.values())
        groups_size |= groups
        groups_partitions.update(dict.fromkeys(groups, partitions))
    shares = sum(count * groups_partitions[group] ** 2 for group, count in groups_size.items() if group[0] != ALONE)
    members_of_groups = sum(count for group, count in groups_size.items() if group[0] != ALONE)
    return Size(reads=reads, pairs=pairs, mates=mates, shares=shares, members=members_of_groups)


def _racks(part: Document) -> dict[str, int]:
    """The number of nodes of each rack."""
    kinds = (part.brokers, part.controllers, part.producers, part.consumers)
    return Counter(node.rack for nodes in kinds for node in nodes if node.rack)


def _delays(links: list[Link], racks: dict[str, int]) -> int:
    """The number of pairs of nodes that the links of a network name: a rack stands for all nodes in it."""
    return sum(racks.get(link.between[0], 1) * racks.get(link.between[1], 1) for link in links)


def _of_flow(flow: PlannedFlow, parts: dict[str, Document]) -> Size:
    numbers = {topic.name: len(topic.assignment) for topic in parts[flow.mirror.source].topics}
    copied = sum(numbers.get(name, 0) for name in flow.copies)
    brokers = sum(len(parts[name].brokers) for name in (flow.mirror.source, flow.mirror.target))
    legs = flow.tasks
    return Size(nodes=legs, connections=legs * brokers, writes=copied, reads=copied, known=legs * copied)
