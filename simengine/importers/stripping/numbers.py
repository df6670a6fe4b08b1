"""Takes off line numbers: a column that rises by one from line to line, as ``cat -n``, ``grep -n`` and editors do it.

The first column of a table may rise as well: where a head without a number stands above, the numbers are data.
"""

import re
from itertools import pairwise
from typing import Final, NamedTuple

from simengine.importers.noise import why_noise
from simengine.importers.stripping.anchors import begins
from simengine.importers.stripping.found import StrippedLines
from simengine.importers.text import Line

NUMBERED_MIN: Final = 3
NUMBERED_AT_ANCHOR_MIN: Final = 2
NOTE: Final = "The numbers in front of the lines were taken for line numbers and left out."
NOTE_BETWEEN: Final = "The numbers between the lines were taken for line numbers and left out."
_MARKS: Final = ("", r"\t", r" {0,3}[|\u2502]", ":", r"\)", r"\]", "-", r"\.(?!\d)")
_FRONTS: Final = tuple(
    re.compile(rf"\s{{0,10}}L?(\d{{1,6}})({mark})(?=\s|$|(?<=\D))([^\S\n]*)", re.ASCII) for mark in _MARKS
)
_LONE = re.compile(r"\s{0,8}\d{1,6}\s*", re.ASCII)
_LONE_CHARS: Final = 14
_CELLS_APART = re.compile(r"\s*\t\s*|\s{2,}")
CELLS_MIN: Final = 3  # of a row behind its number
_CELL_GAP = re.compile(r"\S(?:\s{2,}|\t|\s*[|\u2502]\s*)\S")
_RULER = re.compile(r"[\W_]*")


class _Numbered(NamedTuple):
    """A line with a number in front: its index, the number, where that and its mark end, and where the text begins."""

    at: int
    number: int
    end: int
    start: int
    is_empty: bool


def without_numbers(lines: list[Line]) -> StrippedLines | None:
    """The lines without the numbers in front of them or between them; None if they have none."""
    lone = _lone_numbers(lines)
    if lone:
        return StrippedLines([line for line in lines if line.no not in lone], note=NOTE_BETWEEN)
    if not _may_be_numbered(lines):
        return None
    by_mark = [[run for run in _runs(lines, front) if _are_line_numbers(run, lines)] for front in _FRONTS]
    best = max(reversed(by_mark), key=lambda runs: sum(map(len, runs)))
    if not best:
        return None
    cut: dict[int, int] = {}
    for run in best:
        cut |= _cuts(run)
    return StrippedLines([Line(line.no, line.text[cut.get(at, 0) :]) for at, line in enumerate(lines)], note=NOTE)


def _may_be_numbered(lines: list[Line]) -> bool:
    """True if two lines behind each other begin with a digit, which most pastes have nowhere."""
    firsts = [text[:2].lstrip("L")[:1].isdigit() for line in lines if (text := line.text.lstrip())]
    return any(one and other for one, other in pairwise(firsts))


def _runs(lines: list[Line], front: re.Pattern[str]) -> list[list[_Numbered]]:
    """Lines behind each other whose numbers rise by one; a blank line without a number may have been counted."""
    runs: list[list[_Numbered]] = []
    run: list[_Numbered] = []
    blanks = 0
    for at, line in enumerate(lines):
        if not line.text.strip():
            blanks += 1
            continue
        match = front.match(line.text)
        one = _Numbered(at, int(match[1]), match.end(2), match.end(), match.end() == len(line.text)) if match else None
        if not (run and one and 0 < one.number - run[-1].number <= 1 + blanks):
            runs.append(run)
            run = []
        run += [one] if one else []
        blanks = 0
    return [run for run in [*runs, run] if len(run) >= NUMBERED_AT_ANCHOR_MIN]


def _are_line_numbers(run: list[_Numbered], lines: list[Line]) -> bool:
    """True if the numbers are none of the output's own."""
    has_anchor = any(begins(lines[one.at].text[one.end :]) for one in run[:NUMBERED_MIN])
    above = next((line.text for line in lines[: run[0].at][::-1] if not _RULER.fullmatch(line.text)), "")
    is_under_head = begins(above) or bool(_CELL_GAP.search(above)) and why_noise(above) is None
    return not is_under_head and (has_anchor or len(run) >= NUMBERED_MIN and not _are_rows(run, lines))


def _are_rows(run: list[_Numbered], lines: list[Line]) -> bool:
    """True if the lines are rows of a table that lost its head, or numbers alone."""
    counts = {len(_CELLS_APART.split(lines[one.at].text[one.end :].strip())) for one in run}
    return all(one.is_empty for one in run) or len(counts) == 1 and min(counts) >= CELLS_MIN


def _cuts(run: list[_Numbered]) -> dict[int, int]:
    """The column at which each line's text begins: one for all if the numbers are padded, else behind its number."""
    filled = [one for one in run if not one.is_empty] or run
    column = min(one.start for one in filled)
    if all(one.end < column for one in filled):
        return {one.at: column for one in run}
    gap = min(one.start - one.end for one in filled)
    return {one.at: one.end + gap for one in run}


def _lone_numbers(lines: list[Line]) -> dict[int, bool]:
    """The lines that only number the next one, as pages with code in a table are copied: 1, 2, 3 without a gap."""
    numbers = {line.no: int(line.text) for line in lines if _is_lone(line.text)}
    follow_on = all(after == before + 1 for before, after in pairwise(numbers.values()))
    apart = all(after > before + 1 for before, after in pairwise(numbers))
    return dict.fromkeys(numbers, True) if len(numbers) >= NUMBERED_MIN and follow_on and apart else {}


def _is_lone(text: str) -> bool:
    """True if a line is a number; most are none by their first characters."""
    return text[:_LONE_CHARS].strip().isdigit() and _LONE.fullmatch(text) is not None
