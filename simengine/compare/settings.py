"""The settings in which documents differ: each by its path, with the value of each document."""

from collections.abc import Sequence
from typing import Any, Final

from simengine.scenario import Document, to_plain

SETTINGS_MAX: Final = 50
TEXTS: Final = ("title", "about", "captions", "expect", "timeline", "format", "until")  # of a document: no setting
NAMES: Final = ("name", "id")  # of an entry of a list, the first that it has

Json = dict[str, Any]


def settings_apart(documents: Sequence[Document]) -> list[Json]:
    """The settings that are not the same in all documents: path and values, None where a document does not say it."""
    sides = [dict(_flat({key: one for key, one in to_plain(doc).items() if key not in TEXTS})) for doc in documents]
    paths = {path: True for side in sides for path in side}
    rows = [{"path": path, "values": [side.get(path) for side in sides]} for path in paths]
    return [row for row in rows if any(value != row["values"][0] for value in row["values"])][:SETTINGS_MAX]


def _flat(value: Any, path: str = "") -> list[tuple[str, Any]]:
    """(path, value) of each leaf; entries of a list are named where they have a name, else numbered."""
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        items = [(_name(one, place), one) for place, one in enumerate(value)]
    else:
        return [(path, value)]
    return [leaf for key, one in items for leaf in _flat(one, f"{path}.{key}" if path else str(key))]


def _name(entry: Any, place: int) -> str:
    named = [str(entry[key]) for key in NAMES if key in entry] if isinstance(entry, dict) else []
    return named[0] if named else str(place)
