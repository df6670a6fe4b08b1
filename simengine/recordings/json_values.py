"""Values of a recording's JSON, each checked: what is wrong is refused with its place and what is allowed there."""

import json
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeVar

from simengine.recordings.errors import RecordingError
from simengine.recordings.model import Details

T = TypeVar("T")

BYTES_MAX: Final = 64 * 1024 * 1024  # a recording of two hours at 100 records/s
ROWS_MAX: Final = 2_000_000  # rows of one list
NUMBER: Final = (int, float)
OPTIONAL_NUMBER: Final = (int, float, type(None))
OPTIONAL_TEXT: Final = (str, type(None))
OPTIONAL_INT: Final = (int, type(None))
KINDS_SHOWN: Final = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}


def read_file(path: str | Path, parse: Callable[[str], T]) -> T:
    """The result of `parse` for the text of a file. Raises RecordingError, naming the file."""
    name = Path(path).name
    try:
        return parse(_text_in(Path(path)))
    except UnicodeDecodeError as error:
        raise RecordingError(name, f"not UTF-8: {error}") from None
    except RecordingError as error:
        raise error.within(name) from None


def _text_in(file: Path) -> str:
    """The text of a file of at most BYTES_MAX. Raises RecordingError, UnicodeDecodeError."""
    try:
        size = file.stat().st_size
        if size > BYTES_MAX:
            raise RecordingError("the file", "is too large", size, f"at most {BYTES_MAX} bytes")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordingError("the file", f"cannot be read: {error.strerror}") from None


def json_object(text: str) -> Details:
    """The object that a JSON text holds. Raises RecordingError."""
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RecordingError(f"line {error.lineno}", f"not JSON: {error.msg}") from None
    except RecursionError:
        raise RecordingError("the file", "is nested too deeply") from None
    found: Details = checked(data, "recording", dict)
    return found


def _refuse_constant(word: str) -> float:
    raise RecordingError("the file", "not JSON", word, "finite numbers")


def config_of(value: object, path: str) -> dict[str, str]:
    """Settings as texts, as Kafka takes them; true and false as Kafka writes them."""
    config: dict[str, str] = {}
    for key, item in checked(value, path, dict).items():
        scalar = checked(item, f"{path}.{key}", str, int, float, bool)
        config[key] = str(scalar).lower() if isinstance(scalar, bool) else str(scalar)
    return config


def table(data: Details, key: str, types: tuple[object, ...], path: str = "") -> list[list[Any]]:
    """The rows under a key that must be there."""
    place = f"{path}.{key}" if path else key
    return rows_of(get(data, key, path), place, types)


def rows_of(value: object, path: str, types: tuple[object, ...]) -> list[list[Any]]:
    """A list of rows that begin with these columns, without those that follow."""
    rows: list[Any] = checked(value, path, list)
    if len(rows) > ROWS_MAX:
        raise RecordingError(path, "too many rows", len(rows), f"at most {ROWS_MAX}")
    wanted = [kind if isinstance(kind, tuple) else (kind,) for kind in types]
    for i, row in enumerate(rows):
        if not isinstance(row, list) or len(row) < len(wanted):
            raise RecordingError(f"{path}[{i}]", f"a row here has {len(wanted)} values", row)
        for k, kinds in enumerate(wanted):
            if not isinstance(row[k], kinds) or isinstance(row[k], (bool, float)):
                checked(row[k], f"{path}[{i}][{k}]", *kinds)
    return [row[: len(wanted)] for row in rows]


def get(data: Details, key: str, path: str) -> Any:
    """The value under a key that must be there; `path`: the place of `data`, "" for the whole."""
    if key not in data:
        raise RecordingError(f"{path}.{key}" if path else key, "missing")
    return data[key]


def text_of(data: Details, key: str, path: str) -> str:
    """The text under a key that must be there."""
    text: str = checked(get(data, key, path), f"{path}.{key}" if path else key, str)
    return text


def checked(value: Any, path: str, *kinds: type) -> Any:
    """The value, if it is of one of these kinds (true and false only where bool is named)."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        shown = [kind for kind in kinds if kind is not int or float not in kinds]  # a whole number is a number
        names = " or ".join(KINDS_SHOWN.get(kind, "nothing") for kind in shown)
        raise RecordingError(path, "wrong kind of value", value, names)
    if isinstance(value, float) and not isfinite(value):
        raise RecordingError(path, "too large a number", value, "finite numbers")
    return value


def ints(value: object, path: str) -> list[int]:
    """A list of whole numbers."""
    return [checked(item, f"{path}[{i}]", int) for i, item in enumerate(checked(value, path, list))]


def node_id(key: str, path: str) -> int:
    """The id of a node, which JSON has as the key of an object."""
    if not key.isdecimal():
        raise RecordingError(path, "a node id is a whole number", key)
    return int(key)
