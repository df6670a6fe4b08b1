"""The rows of tables of partitions that another tool or a person made: a head line of columns, a line a partition.

Columns are parted by bars, tabs, commas, semicolons or two blanks, in each row as in its head; ids stand as
``[1 2 3]``, ``(1,2,3)`` or ``1,2,3``.
"""

import csv
import re
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from simengine.importers.model import PastedCounts

_BAR = re.compile(r"[|\u2502\u2503\u2551]")
_BARS_OF_A_HEAD = re.compile(r"[|]{2,}")  # a wiki's
_GAP = re.compile(r"\t|\s{2,}")
_CELL = re.compile(r"[\[({][\d, ]*[\])}]|\S+(?:, ?\d{1,10})*")
_RULER = re.compile(r"[\s|+:=\u2500-\u257f-]*$")
_NAME: Final = re.compile(
    r"(?P<topic>topics?(?: name)?)"
    r"|(?P<partition>partitions?(?:[ _-]?id)?|id)"
    r"|(?P<leader>(?:partition )?leader(?:[ _-]?(?:id|broker|node))?)"
    r"|(?P<replicas>(?:assigned )?replicas?(?:[ _-]?(?:id|node)s?)?)"
    r"|(?P<isr>isrs?|in[ _-]?sync(?:[ _-]?replicas?)?(?:[ _-]?(?:id|node)s?)?)"
    r"|(?P<elr>elr|eligible leader replicas)"
    r"|(?P<last_known>last[ _-]?known[ _-]?elr)"
    r"|(?P<offline>offline(?:[ _-]?replicas?)?)"
)
_NEEDED: Final = ("partition", "leader", "replicas")
_CELLS_MAX: Final = 40
_LINE_CHARS_MAX: Final = 5_000


class PartitionTable(NamedTuple):
    """A table; ``rows``: cells by column, by the place of their line; ``head_at``: of its head."""

    columns: list[str]
    rows: dict[int, dict[str, str]]
    head_at: int


def tables(lines: list[str]) -> list[PartitionTable]:
    """The rows under each head line."""
    found: list[PartitionTable] = []
    part: Callable[[str], list[str]] = str.split
    for at, line in enumerate(lines):
        head = _head(line) if len(line) <= _LINE_CHARS_MAX else None
        if head:
            columns, part = head
            found.append(PartitionTable(columns, {}, at))
        elif found and len(line) <= _LINE_CHARS_MAX and not _RULER.match(line):
            table = found[-1]
            row = dict(zip(table.columns, _cells(line, part, len(table.columns)), strict=False))
            if _is_row(row):
                table.rows[at] = row
    return found


def count_table(lines: list[str]) -> PastedCounts | None:
    """The counts in the rows under the last head line; None without a head line and a row under it."""
    table = next(reversed(tables(lines)), None)
    if table is None or not table.rows:
        return None
    by_place = {(row.get("topic", ""), row["partition"]): row for row in table.rows.values()}
    return _facts(list(by_place.values()), table.columns)


def _by_bars(line: str) -> list[str]:
    return [cell.strip() for cell in _BAR.split(line.strip())] if _BAR.search(line) else []


def _by_tabs(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("\t")] if "\t" in line else []


def _separated(line: str, mark: str) -> list[str]:
    """The cells of a line of CSV; those that hold the mark are quoted."""
    if mark not in line:
        return []
    return [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])]


def _by_gaps(line: str) -> list[str]:
    return [cell for cell in _GAP.split(line.strip()) if cell]


_PARTS: Final[tuple[Callable[[str], list[str]], ...]] = (
    _by_bars,
    _by_tabs,
    partial(_separated, mark=","),
    partial(_separated, mark=";"),
    _by_gaps,
    str.split,
)


def _head(line: str) -> tuple[list[str], Callable[[str], list[str]]] | None:
    """The columns of a head line by their common names, others as written, and how they are parted; None if it is
    no head.
    """
    lower = line.lower()
    if "leader" not in lower or "replica" not in lower or "leader:" in lower:
        return None
    line = _BARS_OF_A_HEAD.sub("|", line)
    for part in _PARTS:
        columns = [_common(cell) for cell in _fitted(part(line)[:_CELLS_MAX], 0)]
        if all(name in columns for name in _NEEDED):
            return columns, part
    return None


def _common(cell: str) -> str:
    word = cell.strip("*`_ ").lower()
    known = _NAME.fullmatch(word)
    return str(known.lastgroup) if known else word


def _cells(line: str, part: Callable[[str], list[str]], wanted: int) -> list[str]:
    cells = _fitted(part(line), wanted)
    return cells if len(cells) == wanted else _CELL.findall(line)[:_CELLS_MAX]


def _fitted(cells: list[str], wanted: int) -> list[str]:
    """The cells without the empty ones that the sides of a table make."""
    while len(cells) > wanted and cells and not cells[-1]:
        cells = cells[:-1]
    return cells[1:] if len(cells) > wanted and cells and not cells[0] else cells


def _is_row(row: dict[str, str]) -> bool:
    return row.get("partition", "").isdigit() and bool(ids_in(row.get("replicas", "")))


def ids_in(cell: str) -> list[str]:
    """The broker ids in a cell; [] where it is no list of such."""
    return re.findall(r"\d{1,10}", cell) if re.fullmatch(r"[\[({]?[\d,;|/ ]*[\])}]?", cell) else []


def _facts(rows: list[dict[str, str]], columns: list[str]) -> PastedCounts:
    leaders = [row.get("leader", "").strip() for row in rows]
    brokers = dict.fromkeys(leader for leader in leaders if leader.isdigit())
    for row in rows:
        brokers.update(dict.fromkeys(ids_in(row["replicas"]) + ids_in(row.get("isr", ""))))
    under = sum(len(ids_in(row.get("isr", ""))) < len(ids_in(row["replicas"])) for row in rows)
    topics = dict.fromkeys(row["topic"] for row in rows if row.get("topic"))
    return PastedCounts(
        brokers=len(brokers),
        topics=len(topics),
        partitions=len(rows),
        under_replicated=under if "isr" in columns else None,
        leaderless=sum(not leader.isdigit() for leader in leaders),
    )
