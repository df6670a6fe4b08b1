"""The topics and partitions of a cluster by index and by name. Indices are never used twice, names may be.

What was deleted keeps its indices; a name stands for the newest topic that has it.
"""

from collections.abc import Sequence
from typing import final

from simengine.kafka.cluster.cluster import Cluster
from simengine.kafka.shared.config import Topic


@final
class TopicTable:
    """Of each name, the index of the topic or partition that has it now."""

    __slots__ = ("cluster", "partition_index", "topic_index")

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.topic_index: dict[str, int] = {}
        self.partition_index: dict[tuple[str, int], int] = {}

    def add_topic(self, name: str, numbers: Sequence[int]) -> Topic:
        """Another topic, with partitions of these numbers."""
        topic = Topic(len(self.cluster.topics), name, self.cluster.site)
        self.cluster.topics.append(topic)
        for number in numbers:
            self._add_partition(topic, number)
        self._point_to(topic)
        return topic

    def add_created(self, name: str, count: int) -> Topic:
        """Room for a topic that an action is to create."""
        topic = self.add_topic(name, range(count))
        topic.exists = False
        return topic

    def add_partitions(self, index: int, count: int) -> list[int]:
        """Room for further partitions of a topic, numbered on from its last one; their indices."""
        topic = self.cluster.topics[index]
        first = 1 + max([self.cluster.partition_names[p][1] for p in topic.partitions])
        made = [self._add_partition(topic, first + i) for i in range(count)]
        self._point_to(topic)
        return made

    def take_back_created(self, name: str) -> None:
        """The newest topic was refused by the controller: it does not exist."""
        cluster = self.cluster
        topic = cluster.topics.pop()
        assert topic.name == name, "only the newest topic can be taken back"
        for _ in topic.partitions:
            index, number = cluster.partition_names.pop()
            assert index == topic.index, "the newest partitions are those of the newest topic"
            del self.partition_index[name, number]
        del self.topic_index[name]
        for older in cluster.own_topics():
            if older.name == name:
                self._point_to(older)

    def partitions_called(self, name: str, number: int) -> list[int]:
        """Every partition of this name and number that there was, the oldest first."""
        cluster = self.cluster
        return [
            p
            for topic in cluster.own_topics()
            if topic.name == name
            for p in topic.partitions
            if cluster.partition_names[p][1] == number
        ]

    def _add_partition(self, topic: Topic, number: int) -> int:
        p = len(self.cluster.partition_names)
        topic.partitions.append(p)
        self.cluster.partition_names.append((int(topic.index), number))
        return p

    def _point_to(self, topic: Topic) -> None:
        """The name of a topic, and those of its partitions, stand for this one."""
        self.topic_index[topic.name] = int(topic.index)
        for p in topic.partitions:
            self.partition_index[topic.name, self.cluster.partition_names[p][1]] = p
