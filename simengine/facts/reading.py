"""Rows as facts: an object of its kind's class, with a field for each name."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from simengine.facts import decisive, traffic
from simengine.facts.schema import FACTS

READERS: Final[dict[int, Callable[[Sequence[Any]], Any]]] = {
    fact.number: getattr(decisive if fact.is_decisive else traffic, fact.name).read for fact in FACTS
}


def read(row: Sequence[Any]) -> Any:
    """The fact of a row; who knows its kind calls ``read`` of the class instead, and has its fields typed."""
    return READERS[row[2]](row)
