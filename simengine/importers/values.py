"""Values as people, tools and programs write them: numbers, escapes, settings with marks around them.

A table, a quote, a list or a comment puts marks around a setting, and a value that ends a line takes whatever closes
the line: ``=2 |``, ``=2",``, ``=2)``, ``=2  # as set in May``.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final

from simengine.importers.limits import BROKER_ID_MAX

_CLOSERS: Final = {"}": "{", "]": "[", ")": "("}
_QUOTES: Final = "\"'`\u201c\u201d\u2018\u2019"
_MARKS: Final = f" \t|\u2502\u2503\u2551,;_\\{_QUOTES}"
_LITERAL_END = re.compile(r"(?:\\{1,4}[nrt])+[\s\"'`,;+)\]}]*$")
_COMMENT = re.compile(r"\s+(?:#|//|<|\(|--|->|=>|\u2190|\u27f5).*$")
_BOLD = re.compile(r"(?<=[\w\s])\*{1,3}$")  # an asterisk alone is a value
_ESCAPE: Final = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)")
TAIL_CHARS_MAX: Final = 400  # of a value, where marks are looked for


def bare_value(value: str) -> str:
    """The value alone. JSON stays as it is: a brace is a mark only where nothing opens it."""
    value = value.strip().lstrip(_QUOTES)
    if value.isalnum() or len(value) > TAIL_CHARS_MAX:
        return value
    if not value.startswith(("{", "[")):
        value = _COMMENT.sub("", value)
    value = _LITERAL_END.sub("", value)
    while value:
        shorter = _BOLD.sub("", value.rstrip(_MARKS))
        shorter = shorter[:-1] if _ends_in_a_mark(shorter) else shorter
        if shorter == value:
            break
        value = shorter
    return value


def _ends_in_a_mark(value: str) -> bool:
    """True if the last character is a brace that nothing opens, or the end of a sentence."""
    opening = _CLOSERS.get(value[-1:])
    if opening is not None:
        return value.count(value[-1]) > value.count(opening)
    return value.endswith(".") and not value.endswith("..")


def whole(word: str, digits: int = 15) -> int | None:
    """The whole number that a word is, of so many digits at the most; None for any other word."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= digits else None


def as_property(value: object) -> str:
    """A value out of JSON or YAML as a properties file has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def unescaped(text: str, spelled: Mapping[str, str]) -> str:
    """The text that an escaped one stands for; ``spelled``: letters that stand for others, any other for itself."""
    return _ESCAPE.sub(lambda found: _meant(found[1], spelled), text)


def _meant(code: str, spelled: Mapping[str, str]) -> str:
    return chr(int(code[1:], 16)) if len(code) > 1 else spelled.get(code, code)


def are_replicas(ids: Collection[int]) -> bool:
    """True for broker ids that a partition can be on: at least one, each once."""
    return bool(ids) and len({*ids}) == len(ids) and min(ids) >= 0 and max(ids) <= BROKER_ID_MAX
