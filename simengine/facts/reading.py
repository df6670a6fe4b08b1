"""Rows as facts: by object, by name of a field, or a key of some fields. Nothing else knows the places in a row."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Final

from simengine.facts import decisive, traffic
from simengine.facts.schema import BY_NAME, FACTS

Row = Sequence[Any]

HEAD: Final = 4  # of a row: seq, t, kind, cause
READERS: Final[dict[int, Callable[[Row], Any]]] = {
    fact.number: getattr(decisive if fact.is_decisive else traffic, fact.name).read for fact in FACTS
}
NAMES: Final[dict[int, tuple[str, ...]]] = {
    fact.number: (*fact.ints, *fact.lists, *([fact.text] if fact.text else [])) for fact in FACTS
}
_PLACES: Final = {fact.name: {name: HEAD + place for place, name in enumerate(NAMES[fact.number])} for fact in FACTS}


def read(row: Row) -> Any:
    """The fact of a row, an object of the class of its kind; ``Class.read`` where the kind is known."""
    return READERS[row[2]](row)


def fields_of(row: Row) -> dict[str, Any]:
    """The fields of a row by name, in their order; an empty text is left out."""
    return dict(zip(NAMES[row[2]], row[HEAD:], strict=False))


def with_fields(row: Row, values: Sequence[Any]) -> list[Any]:
    """The row of the same fact with other values of its fields, in their order."""
    return [*row[:HEAD], *values]


def field(row: Row, kind: str, name: str) -> Any:
    """One field of a row of a kind; raises KeyError for a name that the kind has not."""
    place = _PLACES[kind][name]
    return row[place] if place < len(row) else ""


def key_of(kind: str, *names: str) -> Callable[[Row], Any]:
    """A function that takes some integers out of a row of a kind: a tuple, or the integer alone where it is one."""
    return itemgetter(*(_PLACES[kind][name] for name in names))


def field_names(kind: str) -> tuple[str, ...]:
    """The names of the fields of a kind of fact."""
    return NAMES[BY_NAME[kind].number]
