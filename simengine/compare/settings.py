"""The settings in which documents differ: each by its path, with the value of each document."""

from collections.abc import Sequence
from typing import Any, Final

from simengine.scenario import Document

SETTINGS_MAX: Final = 50
TEXTS: Final = ("title", "about", "captions", "expect", "timeline", "format", "until")  # of a document: no setting
NAMES: Final = ("name", "id")  # of an entry of a list, the first that it has

Json = dict[str, Any]


def settings_apart(documents: Sequence[Document]) -> list[Json]:
    """The settings that are not the same in all documents: path and values, None where a document does not have it.

    A topic or client that some document lacks is one row: what it is in the others, defaults left out.
    """
    sides = [document.model_dump(mode="json", by_alias=True) for document in documents]
    plain = [{key: one for key, one in side.items() if key not in TEXTS} for side in sides]
    return _rows(plain, "")[:SETTINGS_MAX]


def _rows(values: list[Any], path: str) -> list[Json]:
    """The rows of a part of the documents: one, or those of what is inside it."""
    if all(value == values[0] for value in values):
        return []
    inside = [_named(value) for value in values]
    if any(one is None for one in inside):
        return [{"path": path, "values": [_short(value) for value in values]}]
    keys = {key: True for one in inside for key in one or {}}
    return [row for key in keys for row in _rows([(one or {}).get(key) for one in inside], f"{path}.{key}".strip("."))]


def _named(value: Any) -> Json | None:
    """The parts of a value by name; None for a value that has none."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return {_name(one, place): one for place, one in enumerate(value)}
    return None


def _name(entry: Json, place: int) -> str:
    return next((str(entry[key]) for key in NAMES if key in entry), str(place))


def _short(value: Any) -> Any:
    """A value without what it says by default."""
    if isinstance(value, dict):
        return {key: one for key, one in value.items() if one not in (None, [], {}) and key not in NAMES}
    return value


def value_words(value: Any) -> str:
    """A value as text: ``topic t, acks 1`` for one of several parts, ``–`` for none."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {value_words(one)}" for key, one in value.items())
    if isinstance(value, list):
        return " ".join(value_words(one) for one in value) or "none"
    if isinstance(value, bool):
        return str(value).lower()
    return "–" if value is None else str(value)
