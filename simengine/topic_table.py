"""The topics and partitions of a run by index and by name. Indices are never used twice, names may be.

What was deleted keeps its indices; a name stands for the newest topic that has it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simengine.kafka.config import Topic

if TYPE_CHECKING:
    from simengine.assembly import Assembly


def add_topic(parts: "Assembly", name: str, numbers: Sequence[int]) -> Topic:
    """Another topic, with partitions of these numbers."""
    topic = Topic(len(parts.cluster.topics), name, parts.site)
    parts.cluster.topics.append(topic)
    for number in numbers:
        _add_partition(parts, topic, number)
    _point_to(parts, topic)
    return topic


def add_created(parts: "Assembly", name: str, count: int) -> Topic:
    """Room for a topic that an action is to create."""
    topic = add_topic(parts, name, range(count))
    topic.exists = False
    return topic


def add_partitions(parts: "Assembly", index: int, count: int) -> list[int]:
    """Room for further partitions of a topic, numbered on from its last one; their indices."""
    topic = parts.cluster.topics[index]
    first = 1 + max([parts.cluster.partition_names[p][1] for p in topic.partitions])
    made = [_add_partition(parts, topic, first + i) for i in range(count)]
    topic.added.update(dict.fromkeys(made, True))
    _point_to(parts, topic)
    return made


def take_back_created(parts: "Assembly", name: str) -> None:
    """The newest topic was refused by the controller: it does not exist."""
    cluster = parts.cluster
    topic = cluster.topics.pop()
    assert topic.name == name, "only the newest topic can be taken back"
    for _ in topic.partitions:
        index, number = cluster.partition_names.pop()
        assert index == topic.index, "the newest partitions are those of the newest topic"
        del parts.partition_index[name, number]
    del parts.topic_index[name]
    for older in cluster.own_topics():
        if older.name == name:
            _point_to(parts, older)


def partitions_called(parts: "Assembly", name: str, number: int) -> list[int]:
    """Every partition of this name and number that there was, the oldest first."""
    cluster = parts.cluster
    return [
        p
        for topic in cluster.own_topics()
        if topic.name == name
        for p in topic.partitions
        if cluster.partition_names[p][1] == number
    ]


def _add_partition(parts: "Assembly", topic: Topic, number: int) -> int:
    p = len(parts.cluster.partition_names)
    topic.partitions.append(p)
    parts.cluster.partition_names.append((int(topic.index), number))
    return p


def _point_to(parts: "Assembly", topic: Topic) -> None:
    """The name of a topic, and those of its partitions, stand for this one."""
    parts.topic_index[topic.name] = int(topic.index)
    for p in topic.partitions:
        parts.partition_index[topic.name, parts.cluster.partition_names[p][1]] = p
