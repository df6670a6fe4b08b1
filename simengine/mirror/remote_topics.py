"""The port through which a flow creates and alters topics on the target."""

from typing import Final

from mypy_extensions import i64

NO_PARTITION: Final = -1


class RemoteTopics:
    """Topics of the target by name. The base class has none."""

    __slots__ = ()

    def create(self, source: str, remote: str, count: i64, cause: i64) -> None:
        """Create a remote topic with ``count`` partitions and the replicated configs of ``source``."""

    def grow(self, remote: str, count: i64, cause: i64) -> None:
        """Add partitions to a remote topic, so that it has ``count``."""

    def create_storage(self, name: str) -> None:
        """Create the topic in which the worker stores its positions: compacted, with one partition."""

    def partition(self, remote: str, number: i64) -> i64:
        """The index of a partition of a topic on the target; NO_PARTITION while there is none."""
        return NO_PARTITION

    def sync_configs(self, source: str, remote: str) -> None:
        """Set the replicated configs of ``source`` that have another value on the remote topic."""
