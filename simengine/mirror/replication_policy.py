"""MirrorMaker's names of topics: remote topics, their origin, and its own internal topics (MM-2, MM-3)."""

from typing import Final, final

SEPARATOR: Final = "."
HEARTBEATS: Final = "heartbeats"


class ReplicationPolicy:
    """Kafka's ``DefaultReplicationPolicy``: a remote topic bears the name of its source cluster in front.

    ``separator`` is ``replication.policy.separator``; ``internal_separator`` is that of MirrorMaker's own topics.
    """

    def __init__(self, separator: str = SEPARATOR, internal_separator: str = SEPARATOR) -> None:
        self.separator = separator
        self._internal_separator = internal_separator

    def format_remote_topic(self, source: str, topic: str) -> str:
        """The name on the target of a topic of cluster ``source``."""
        return source + self.separator + topic

    def topic_source(self, topic: str) -> str | None:
        """The cluster that a topic was copied from; None if its name does not tell one."""
        source, separator, rest = topic.partition(self.separator)
        has_rest = bool(rest.replace(self.separator, ""))
        return source if separator and has_rest else None

    def upstream_topic(self, topic: str) -> str | None:
        """The name of a remote topic on the cluster that it was copied from; None if it is not a remote topic."""
        source = self.topic_source(topic)
        return None if source is None else topic[len(source) + len(self.separator) :]

    def original_topic(self, topic: str) -> str:
        """The name where the topic was written, over any number of copies."""
        upstream = self.upstream_topic(topic)
        return topic if upstream is None or upstream == topic else self.original_topic(upstream)

    def offset_syncs_topic(self, other_cluster: str) -> str:
        """The topic of offset syncs; ``other_cluster`` is the flow's cluster that does not hold it."""
        return f"mm2-offset-syncs{self._internal_separator}{other_cluster}{self._internal_separator}internal"

    def checkpoints_topic(self, source: str) -> str:
        """The topic of checkpoints, on the target."""
        return f"{source}{self._internal_separator}checkpoints{self._internal_separator}internal"

    def is_heartbeats_topic(self, topic: str) -> bool:
        """True if it is the topic of heartbeats, or a copy of it."""
        return self.original_topic(topic) == HEARTBEATS

    def is_internal_topic(self, topic: str) -> bool:
        """True if it belongs to Kafka or MirrorMaker: such a topic is never copied (KIP-1074)."""
        internal = f"{self._internal_separator}internal"
        if topic.startswith(("__", ".")):
            return True
        is_checkpoints = topic.endswith(f"{self._internal_separator}checkpoints{internal}")
        return is_checkpoints or (topic.startswith("mm2") and topic.endswith(internal))


@final
class IdentityReplicationPolicy(ReplicationPolicy):
    """Kafka's ``IdentityReplicationPolicy``: a remote topic keeps its name, except for heartbeats.

    Its name does not tell where it came from. Kafka takes the flow's own source for every topic, so a loop of mirrors
    is not found: the copy is copied back.
    """

    def __init__(self, source: str, separator: str = SEPARATOR, internal_separator: str = SEPARATOR) -> None:
        super().__init__(separator, internal_separator)
        self._source = source

    def format_remote_topic(self, source: str, topic: str) -> str:
        return super().format_remote_topic(source, topic) if topic.endswith(HEARTBEATS) else topic

    def topic_source(self, topic: str) -> str | None:
        return super().topic_source(topic) if topic.endswith(HEARTBEATS) else self._source

    def upstream_topic(self, topic: str) -> str | None:
        return super().upstream_topic(topic) if topic.endswith(HEARTBEATS) else topic
