"""Reads YAML into plain data, as YAML 1.2 does, and safely: no objects, no duplicate keys, bounded depth and size.

Works on the parser's events (libyaml's where PyYAML was built with it, which is some ten times as fast), so that a
document of the largest size is read in seconds. Merge keys (``<<``) are ordinary keys.
"""

from typing import Any, Final

import yaml

from simengine.scenario.limits import NESTING_MAX, SCALARS_MAX, UPLOAD_BYTES_MAX
from simengine.scenario.problems import DocumentError, Problem
from simengine.scenario.yaml_scalars import scalar

_PARSER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CORE: Final = "tag:yaml.org,2002:"
_STRING_TAGS: Final = (_CORE + "str", "!")
_PLAIN_TAGS: Final = (*_STRING_TAGS, *(_CORE + name for name in ("map", "seq", "int", "float", "bool", "null")))


def read_yaml(text: str) -> object:
    """The plain data in `text`; None for an empty one. Raises DocumentError with line and column."""
    try:
        return _Builder(yaml.parse(text, Loader=_PARSER)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise DocumentError([Problem(where, "", f"not YAML: {error.problem or error.context}")]) from None
    except yaml.YAMLError as error:
        raise DocumentError([Problem("document", "", f"not YAML: {' '.join(str(error).split())}")]) from None


class _Builder:
    """Builds data from a stream of events."""

    def __init__(self, events: Any) -> None:
        self._events = events
        self._anchors: dict[str, tuple[Any, int, int]] = {}  # name -> data, its number of values and of characters
        self._size = 0
        self._characters = 0
        self._depth = 0

    def document(self) -> object:
        """The data of the only document."""
        data: object = None
        seen = False
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if seen:
                    raise DocumentError([Problem(_line(event), "", "a second document begins here; one is read")])
                seen = True
            elif isinstance(event, yaml.NodeEvent):
                data = self._node(event)
        return data

    def _node(self, event: Any) -> Any:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if event.tag is not None and event.tag not in _PLAIN_TAGS:
            raise DocumentError([Problem(_line(event), event.tag, "not YAML: tags of one's own are not read")])
        size, characters = self._size, self._characters
        self._grow(1, len(event.value) if isinstance(event, yaml.ScalarEvent) else 0, event)
        data = self._value(event)
        if event.anchor:
            self._anchors[event.anchor] = (data, self._size - size, self._characters - characters)
        return data

    def _value(self, event: Any) -> Any:
        if isinstance(event, yaml.ScalarEvent):
            is_text = not event.implicit[0] or event.tag in _STRING_TAGS
            return event.value if is_text else self._scalar(event)
        self._depth += 1
        if self._depth > NESTING_MAX:
            raise DocumentError([Problem(_line(event), "", f"nested deeper than {NESTING_MAX} levels")])
        data = self._map() if isinstance(event, yaml.MappingStartEvent) else self._list()
        self._depth -= 1
        return data

    def _scalar(self, event: Any) -> Any:
        try:
            return scalar(event.value)
        except ValueError as error:  # a number of thousands of digits
            raise DocumentError([Problem(_line(event), "", f"not YAML: {error}")]) from None

    def _list(self) -> list[Any]:
        data: list[Any] = []
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            data.append(self._node(event))
        return data

    def _map(self) -> dict[Any, Any]:
        data: dict[Any, Any] = {}
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self._node(event)
            if isinstance(key, dict | list):
                raise DocumentError([Problem(_line(event), "", "a list or map cannot be a key")])
            if key in data:
                raise DocumentError([Problem(_line(event), str(key), f"the key {str(key)!r} stands twice in one map")])
            data[key] = self._node(next(self._events))
        return data

    def _alias(self, event: Any) -> Any:
        if event.anchor not in self._anchors:
            raise DocumentError([Problem(_line(event), event.anchor, "this alias names nothing before it")])
        data, size, characters = self._anchors[event.anchor]
        self._grow(size, characters, event)
        return data

    def _grow(self, count: int, characters: int, event: Any) -> None:
        """Counts values and characters, those behind aliases each time: a small text must not stand for a huge one."""
        self._size += count
        self._characters += characters
        if self._size > SCALARS_MAX:
            raise DocumentError([Problem(_line(event), "", f"more than {SCALARS_MAX:,} values")])
        if self._characters > UPLOAD_BYTES_MAX:
            told = f"with its aliases written out longer than {UPLOAD_BYTES_MAX:,} characters"
            raise DocumentError([Problem(_line(event), "", told)])


def _line(event: Any) -> str:
    mark = getattr(event, "start_mark", None)
    return f"line {mark.line + 1}" if mark is not None else ""
