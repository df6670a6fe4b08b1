"""The topics that one flow copies, their remote names, and the task of each partition (MM-3, MM-10)."""

from typing import final

from mypy_extensions import i64

from simengine.mirror.filters import NameFilter
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.mirror.replication_policy import ReplicationPolicy


@final
class SourceTopics:
    """The choice that ``MirrorSourceConnector`` makes for the flow from ``source`` to ``target``."""

    __slots__ = ("_copies_heartbeats", "_filter", "_policy", "source", "target")

    def __init__(
        self, source: str, target: str, policy: ReplicationPolicy, topics: NameFilter, copies_heartbeats: bool = True
    ) -> None:
        self.source = source
        self.target = target
        self._policy = policy
        self._filter = topics
        self._copies_heartbeats = copies_heartbeats

    def should_replicate(self, topic: str) -> bool:
        """True if a topic of the source is copied."""
        is_admitted = self._filter.admits(topic) or (
            self._copies_heartbeats and self._policy.is_heartbeats_topic(topic)
        )
        return is_admitted and not self._policy.is_internal_topic(topic) and not self.is_cycle(topic)

    def is_cycle(self, topic: str) -> bool:
        """True if a topic came from the target, over any number of clusters. The identity policy cannot know."""
        came_from = self._policy.topic_source(topic)
        if came_from is None or came_from == self.target:
            return came_from is not None
        upstream = self._policy.upstream_topic(topic)
        return upstream is not None and upstream != topic and self.is_cycle(upstream)

    def remote_topic(self, topic: str) -> str:
        """The topic on the target that gets the copies."""
        return self._policy.format_remote_topic(self.source, topic)

    def checkpoint_topic(self, topic: str) -> str:
        """The topic on the target in which a group of the source continues: a copy of it, or the one it is a copy of.

        The second case needs syncs of the way back, which a flow does not have: such positions are not translated.
        """
        if self._policy.topic_source(topic) == self.target:
            return self._policy.original_topic(topic)
        return self.remote_topic(topic)


def tasks_of(partitions: list[MirroredPartition], tasks_max: i64) -> list[list[MirroredPartition]]:
    """The partitions of each source task, dealt out in turn; no task is without one."""
    count = min(tasks_max, len(partitions))
    return [partitions[task::count] for task in range(count)]
