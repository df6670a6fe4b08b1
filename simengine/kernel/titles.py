"""The one way in which people read the name of a partition: ``orders-0``, ``orders-0 (deleted)``."""

from typing import Final

DELETED: Final = " (deleted)"  # stands behind the name of a topic that is no longer there


def partition_title(topic: str, number: int) -> str:
    """The name of a partition by its topic's title, which may end in ``DELETED``: that goes behind the number."""
    if topic.endswith(DELETED):
        return f"{topic[: -len(DELETED)]}-{number}{DELETED}"
    return f"{topic}-{number}"
