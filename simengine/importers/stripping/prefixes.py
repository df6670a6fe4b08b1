"""Takes off what a tool or a person put in front of each line: a pod's name, a time, a level, quote or comment marks.

The text in front of an anchor gives the form of the prefix. Digits, levels and blanks in it may differ from line to
line. Comment marks count as a prefix only where the whole paste is commented.
"""

import re
from typing import Final

from simengine.importers.labels import ANY
from simengine.importers.stripping.anchors import Anchor, anchors, is_bare
from simengine.importers.stripping.found import StrippedLines
from simengine.importers.text import Line

FORMS_MAX: Final = 8  # different prefixes that are tried
COVERED: Final = 0.9  # share of the lines that carry a mark which may also be a part of the text
_TOKEN = re.compile(r"[A-Za-z0-9_]+|\s+|[^\w\s]|[^\x00-\x7f]+")
_LEVEL: Final = r"(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)"
_NUMBER_ONLY = re.compile(r"[\d\s|:.)\u2502-]*")
_COMMENT = re.compile(r"\s*(?:#|//|;|--|%)+\s*")
_QUOTE = re.compile(r"^\s*(?:[>|\u2502\u2503]\s?)+")


def without_prefixes(lines: list[Line]) -> StrippedLines | None:
    """The lines without the prefix of the first anchor that has one; None if there is none."""
    found = anchors(lines)
    has_bare = any(map(is_bare, found))
    tried: dict[str, None] = {}
    for anchor in found:
        shape = _shape(anchor.front)
        if shape is None or shape in tried or len(tried) >= FORMS_MAX:
            continue
        tried[shape] = None
        pattern = re.compile(rf"\s*{shape}([^\S\n]*)")
        if _is_prefix(pattern, anchor, lines, has_bare):
            return StrippedLines(_cut(pattern, lines))
    return None


def without_quotes(lines: list[Line]) -> StrippedLines | None:
    """The lines without quote marks, where nearly every line has one, as a forwarded mail does."""
    filled = [line.text for line in lines if line.text.strip()]
    marked = sum(text.lstrip().startswith((">", "|", "\u2502", "\u2503")) for text in filled)
    if marked < 2 or marked < COVERED * len(filled):
        return None
    return StrippedLines([Line(line.no, _QUOTE.sub("", line.text, count=1)) for line in lines])


def _shape(front: str) -> str | None:
    """A pattern of the prefixes like this one; None if the text is none."""
    bare = front.strip()
    if (
        not bare
        or bare in ("+", "-")
        or '"' in bare
        or "{" in bare
        or _NUMBER_ONLY.fullmatch(bare)
        or ANY.search(front)
    ):
        return None
    return "".join(map(_part, _TOKEN.findall(bare)))


def _part(token: str) -> str:
    if token.isspace():
        return r"\s+"
    if re.fullmatch(_LEVEL, token):
        return _LEVEL
    return r"\w+" if re.search(r"\d", token) else re.escape(token)


def _is_prefix(pattern: re.Pattern[str], anchor: Anchor, lines: list[Line], has_bare: bool) -> bool:
    """True if lines beside the anchor's have the prefix too."""
    if _COMMENT.fullmatch(anchor.front):
        filled = [line.text for line in lines if line.text.strip()]
        return not has_bare and sum(map(_is_match, [pattern] * len(filled), filled)) >= COVERED * len(filled)
    above, below = lines[: anchor.at][::-1], lines[anchor.at + 1 :]
    beside = [next((line.text for line in side if line.text.strip()), "") for side in (above, below)]
    return any(_is_match(pattern, text) for text in beside)


def _is_match(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.match(text) is not None


def _cut(pattern: re.Pattern[str], lines: list[Line]) -> list[Line]:
    """The lines without the prefix and the blanks that all of them have behind it."""
    matches = [pattern.match(line.text) for line in lines]
    gaps = [
        len(match.group(1))
        for line, match in zip(lines, matches, strict=True)
        if match and match.end() < len(line.text)
    ]
    gap = min(gaps, default=0)
    return [
        Line(line.no, line.text[match.start(1) + gap :] if match else line.text)
        for line, match in zip(lines, matches, strict=True)
    ]
