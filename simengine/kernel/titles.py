"""The one way in which people read the name of a topic or a partition: ``orders-0``, ``orders-0 (deleted)``.

A topic may be created and deleted several times: from the second on its number stands in the title.
"""

from typing import Final

DELETED: Final = " (deleted"


def deleted_title(name: str, number: int) -> str:
    """The title of a deleted topic; ``number``: which of the deleted topics of this name it is, from 1 on."""
    return f"{name}{DELETED})" if number == 1 else f"{name}{DELETED}, no. {number})"


def split_title(topic: str) -> tuple[str, str]:
    """A topic's name, and what its title says behind it: "" unless it is deleted. No name has a space."""
    name, mark, rest = topic.partition(DELETED)
    return name, mark + rest


def partition_title(topic: str, number: int) -> str:
    """The name of a partition by its topic's title: what stands behind the name goes behind the number."""
    name, behind = split_title(topic)
    return f"{name}-{number}{behind}"
