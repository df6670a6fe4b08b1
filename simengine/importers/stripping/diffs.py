"""Reads the new side of a diff: what it removes is listed as left out, its own lines are no data.

A part of a diff without its head is known by its columns: each line begins with a plus, a minus or a blank.
"""

import re
from typing import Final

from simengine.importers.stripping.anchors import begins
from simengine.importers.stripping.found import StrippedLines
from simengine.importers.text import Line, RemovedLine

_HEAD = re.compile(
    r"diff (?:--git|-[a-zA-Z]+) |index [0-9a-f]{6,40}\.\.|@@ -\d+(?:,\d+)? \+\d+|--- \S|\+\+\+ \S|"
    r"(?:new|deleted) file mode|\\ No newline at end"
)
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+\d+")
_NORMAL_HUNK = re.compile(r"\d+(?:,\d+)?[acd]\d+(?:,\d+)?$")  # of diff without -u
_RULER = re.compile(r"[+\-=|\s]+$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
REMOVED: Final = "the diff removes this line"
OWN: Final = "a line of the diff itself, no data"


def without_diff(lines: list[Line]) -> StrippedLines | None:
    """The new side of the diffs in the lines; None if there is none."""
    marks = _marks(lines)
    if not marks:
        return None
    kept: list[Line] = []
    left: list[RemovedLine] = []
    for at, line in enumerate(lines):
        mark = marks.get(at)
        if mark in ("-", "<"):
            left.append(RemovedLine(line, REMOVED, False))
        elif mark == "@":
            left.append(RemovedLine(line, OWN, True))
        elif mark is None:
            kept.append(line)
        else:
            kept.append(Line(line.no, line.text[2 if mark == ">" else 1 :]))
    return StrippedLines(kept, left, _note(left))


def _note(left: list[RemovedLine]) -> str:
    removed = sum(not one.is_noise for one in left)
    if not removed:
        return "The paste is a diff: its new side is read."
    lines = "1 line that it removes is" if removed == 1 else f"{removed} lines that it removes are"
    return f"The paste is a diff: its new side is read, {lines} left out."


def _marks(lines: list[Line]) -> dict[int, str]:
    """The mark of each line that belongs to a diff; ``@`` for the diff's own lines."""
    marks: dict[int, str] = {}
    if any(_HUNK.match(line.text) for line in lines):
        return _marks_below_heads(lines)
    if any(_NORMAL_HUNK.match(line.text) for line in lines):
        return _marks_of_normal(lines)
    for block in _blocks(lines):
        added = [lines[at].text[1:] for at in block if lines[at].text.startswith("+")]
        is_whole = len(added) == len(block) > 1
        if any(not _RULER.match(text) for text in added) and (
            is_whole or any(map(begins, added)) or _is_mixed(block, lines)
        ):
            marks |= {at: "@" if _HEAD.match(lines[at].text) else lines[at].text[:1] for at in block}
    return marks


def _is_mixed(block: list[int], lines: list[Line]) -> bool:
    """True if lines are added and others are removed or stay, and one of them begins an output."""
    firsts = {lines[at].text[:1] for at in block}
    return "+" in firsts and len(firsts) > 1 and any(begins(lines[at].text[1:]) for at in block)


def _marks_below_heads(lines: list[Line]) -> dict[int, str]:
    marks: dict[int, str] = {}
    is_open = False
    for at, line in enumerate(lines):
        if _HEAD.match(line.text):
            is_open = is_open or bool(_HUNK.match(line.text))
            marks[at] = "@"
        elif _FENCE.match(line.text):
            is_open = False
        elif is_open and line.text.strip():
            is_open = line.text[0] in "+- \\"
            if is_open:
                marks[at] = line.text[0]
    return marks


def _marks_of_normal(lines: list[Line]) -> dict[int, str]:
    marks: dict[int, str] = {}
    for at, line in enumerate(lines):
        if line.text[:2] in ("< ", "> ", "<", ">"):
            marks[at] = line.text[0]
        elif _NORMAL_HUNK.match(line.text) or line.text.rstrip() == "---" and marks.get(at - 1) == "<":
            marks[at] = "@"
    return marks


def _blocks(lines: list[Line]) -> list[list[int]]:
    """Lines behind each other that begin with a plus, a minus or a blank; a blank line parts none."""
    blocks: list[list[int]] = [[]]
    for at, line in enumerate(lines):
        if not line.text.strip():
            continue
        if line.text[0] in "+- ":
            blocks[-1].append(at)
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]
