"""The value of a setting without the marks that a table, a quote, a list or a comment puts around it.

A value that ends a line takes whatever closes the line: ``=2 |``, ``=2",``, ``=2)``, ``=2  # as set in May``.
"""

import re
from typing import Final

_CLOSERS: Final = {"}": "{", "]": "[", ")": "("}
_QUOTES: Final = "\"'`\u201c\u201d\u2018\u2019"
_MARKS: Final = f" \t|\u2502\u2503\u2551,;_\\{_QUOTES}"
_LITERAL_END = re.compile(r"(?:\\{1,4}[nrt])+[\s\"'`,;+)\]}]*$")
_COMMENT = re.compile(r"\s+(?:#|//|<|\(|--|->|=>|\u2190|\u27f5).*$")
_BOLD = re.compile(r"(?<=[\w\s])\*{1,3}$")  # an asterisk alone is a value
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
