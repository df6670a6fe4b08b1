"""Lines of a properties file as ``java.util.Properties`` reads them: comments, continued lines, escapes."""

import re
from collections.abc import Iterator
from typing import Final

from simengine.importers import values
from simengine.importers.text import Line

KEY: Final = re.compile(r"\s*((?:\\.|[\w.>-])+)\s*[=:]\s*(.*)", re.ASCII)  # key and value, both with their escapes
_SPELLED: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def logical_lines(lines: list[Line]) -> Iterator[Line]:
    """The lines without comments, those that a backslash continues made one; each with the number of its first."""
    start, parts = 0, list[str]()
    for line in lines:
        text = line.text.lstrip() if parts else line.text
        if not parts:
            start = line.no
            if text.lstrip().startswith(("#", "!")):
                continue
        goes_on = (len(text) - len(text.rstrip("\\"))) % 2 == 1
        parts.append(text[:-1] if goes_on else text)
        if not goes_on:
            yield Line(start, "".join(parts))
            parts = []
    if parts:
        yield Line(start, "".join(parts))


def unescaped(text: str) -> str:
    """The text that an escaped one stands for; a backslash that escapes nothing is dropped, as Java drops it."""
    return values.unescaped(text, _SPELLED)
