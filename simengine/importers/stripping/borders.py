"""Takes off the sides of tables and boxes: a bar at both ends of each line, or at the right end alone.

Bars between columns stay for readers of tables, but in tables whose heads are those of Kafka's own tools.
"""

import re
from typing import Final

from simengine.importers.stripping.found import StrippedLines
from simengine.importers.text import Line, RemovedLine

RULER: Final = "a ruler of a table, no data"
_BARS: Final = "|\u2502\u2503\u2551"
_RULER_MARKS: Final = ("+", *_BARS, *map(chr, range(0x2500, 0x2580)))
_RULER = re.compile(
    r"[+\u250c\u2514\u251c\u2554\u255a\u2560\u256d\u2570\u255f\u255e\u250f\u2517\u2523][+=\u2500-\u257f-]+$|[|\u2502\u2503\u2551][:=\u2500-\u257f-]{3,}[|\u2502\u2503\u2551]$|"
    r"[|](?:\s*:?-+:?\s*[|]){2,}$"
)
_HEAD_RULER = re.compile(r"[|]\s*:?-{3,}:?\s*[|]$")  # below the head of a table of one column
_LEFT_SIDE = re.compile(rf"\s*[{_BARS}]")
_INNER = re.compile(rf"\s*[{_BARS}]\s*")
_TOOL_HEAD = re.compile(
    r"(?:NodeId|ReplicaId|GROUP|TOPIC|ID|PARTITION|HOST|BROKER)\s*[|\u2502\u2503\u2551]\s*[A-Z][\w()-]"
)


def without_borders(lines: list[Line]) -> StrippedLines | None:
    """The lines without the sides of their tables; None if there is no table of two lines or more."""
    cut: dict[int, str | None] = {}
    for block in _blocks(lines, at_left=True):
        cut |= _inside(block, lines)
    if not cut:
        return None
    kept = [Line(line.no, text) for at, line in enumerate(lines) if (text := cut.get(at, line.text)) is not None]
    left = [RemovedLine(lines[at], RULER, True) for at, text in cut.items() if text is None]
    return StrippedLines(kept, left)


def without_right_sides(lines: list[Line]) -> StrippedLines | None:
    """The lines without the right side of a box whose left side is gone: all are of one length."""
    cut: dict[int, str] = {}
    for block in _blocks(lines, at_left=False):
        if len({len(lines[at].text.rstrip()) for at in block}) == 1:
            cut |= {at: lines[at].text.rstrip()[:-1].rstrip() for at in block}
    return StrippedLines([Line(line.no, cut.get(at, line.text)) for at, line in enumerate(lines)]) if cut else None


def _blocks(lines: list[Line], at_left: bool) -> list[list[int]]:
    """Lines behind each other, two or more, with a bar at the right and one or none at the left; rulers belong to them.

    Rulers alone are none.
    """
    blocks: list[list[int]] = [[]]
    filled = 0
    for at, line in enumerate(lines):
        bare = line.text.strip()
        is_ruler = bare[:1] in _RULER_MARKS and _RULER.match(bare) is not None
        if bare and (is_ruler or bare[-1] in _BARS and (bare[0] in _BARS) == at_left):
            blocks[-1].append(at)
            filled += not is_ruler
        elif blocks[-1]:
            blocks[-1] = blocks[-1] if filled > 1 else []
            blocks += [[]] if blocks[-1] else []
            filled = 0
    return [block for block in blocks[:-1] if block] + ([blocks[-1]] if filled > 1 else [])


def _inside(block: list[int], lines: list[Line]) -> dict[int, str | None]:
    """The text between the sides of each line; None for a ruler."""
    inside: dict[int, str | None] = {}
    for place, at in enumerate(block):
        text = lines[at].text
        is_ruler = _RULER.match(text.strip()) or place == 1 and _HEAD_RULER.match(text.strip())
        inside[at] = None if is_ruler else _LEFT_SIDE.sub("", text.rstrip()[:-1], count=1).rstrip()
    texts = [text for text in inside.values() if text]
    if not texts:
        return {}
    gap = min(len(text) - len(text.lstrip()) for text in texts)
    head = texts[0].strip()
    is_of_tool = bool(_TOOL_HEAD.match(head))
    return {at: None if text is None else _columns(text) if is_of_tool else text[gap:] for at, text in inside.items()}


def _columns(text: str) -> str:
    """A row of a tool's table as the tool prints it; an empty cell is a dash."""
    return "  ".join(cell or "-" for cell in _INNER.split(text.strip()))
