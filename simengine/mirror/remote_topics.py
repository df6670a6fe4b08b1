"""What a source connector has done on the target: the port to the calls of an administrator there."""

from typing import Final

from mypy_extensions import i64

NO_PARTITION: Final = -1


class RemoteTopics:
    """Topics of the target by name. The base class has none."""

    __slots__ = ()

    def create(self, source: str, remote: str, count: i64, cause: i64) -> None:
        """Create a remote topic with so many partitions, and with those configs of ``source`` that travel."""

    def grow(self, remote: str, count: i64, cause: i64) -> None:
        """Give a remote topic so many partitions in all."""

    def partition(self, remote: str, number: i64) -> i64:
        """The index of a remote partition; NO_PARTITION while there is none."""
        return NO_PARTITION

    def sync_configs(self, source: str, remote: str) -> None:
        """Set what the configs of ``source`` that travel say, where the remote topic has it otherwise."""
