"""The rows of a table of partitions that another tool or a person made: a head line of columns, a line a partition.

Columns are parted by bars, tabs or two blanks; ids stand as ``[1 2 3]``, ``(1,2,3)`` or ``1,2,3``.
"""

import itertools
import re
from typing import Final, NamedTuple

from simengine.importers.model import PastedCounts

_BAR = re.compile(r"[|\u2502\u2503\u2551]")
_BARS_OF_A_HEAD = re.compile(r"[|]{2,}")  # a wiki's
_APART = re.compile(r"\t|\s{2,}")
_CELL = re.compile(r"[\[({][\d, ]*[\])}]|\S+(?:, ?\d{1,10})*")
_RULER = re.compile(r"[\s|+:=\u2500-\u257f-]*$")
_NAME: Final = re.compile(
    r"(?P<topic>topics?(?: name)?)"
    r"|(?P<partition>partitions?(?:[ _-]?id)?|id)"
    r"|(?P<leader>(?:partition )?leader(?:[ _-]?(?:id|broker))?)"
    r"|(?P<replicas>(?:assigned )?replicas?(?:[ _-]?ids?)?)"
    r"|(?P<isr>isrs?|in[ _-]?sync(?:[ _-]?replicas?)?)"
)
_NEEDED: Final = ("partition", "leader", "replicas")
_LINES_MAX: Final = 20_000
_CELLS_MAX: Final = 40


class PartitionTable(NamedTuple):
    """The last table of a text; ``rows``: cells by column, by the place of their line; ``head_at``: of its head."""

    columns: list[str]
    rows: dict[int, dict[str, str]]
    head_at: int


def last_table(lines: list[str]) -> PartitionTable:
    """The rows under the last head line; no columns without one."""
    table = PartitionTable([], {}, 0)
    for at, line in enumerate(itertools.islice(lines, _LINES_MAX)):
        head = _head(line)
        if head:
            table = PartitionTable(head, {}, at)
        elif table.columns and not _RULER.match(line):
            row = dict(zip(table.columns, _cells(line, len(table.columns)), strict=False))
            if _is_row(row):
                table.rows[at] = row
    return table


def count_table(lines: list[str]) -> PastedCounts | None:
    """The counts in the rows under the last head line; None without a head line and a row under it."""
    table = last_table(lines)
    by_place = {(row.get("topic", ""), row["partition"]): row for row in table.rows.values()}
    return _facts(list(by_place.values()), table.columns) if table.rows else None


def _head(line: str) -> list[str]:
    """The columns of a head line by their common names, others as written; [] if the line is none."""
    lower = line.lower()
    if "leader" not in lower or "replica" not in lower:
        return []
    for cells in (_parted(_BARS_OF_A_HEAD.sub("|", line)), line.split()):
        columns = [_common(cell) for cell in cells[:_CELLS_MAX]]
        if all(name in columns for name in _NEEDED):
            return columns
    return []


def _common(cell: str) -> str:
    word = cell.strip("*`_ ").lower()
    known = _NAME.fullmatch(word)
    return str(known.lastgroup) if known else word


def _parted(line: str) -> list[str]:
    """Cells by bars where there are any, else by tabs and wide gaps."""
    stripped = line.strip()
    if _BAR.search(stripped):
        return [cell.strip() for cell in _BAR.split(stripped.strip("|\u2502\u2503\u2551"))]
    return [cell for cell in _APART.split(stripped) if cell]


def _cells(line: str, wanted: int) -> list[str]:
    cells = _parted(line)
    return cells if len(cells) == wanted else _CELL.findall(line)[:_CELLS_MAX]


def _is_row(row: dict[str, str]) -> bool:
    return row.get("partition", "").isdigit() and bool(ids_in(row.get("replicas", "")))


def ids_in(cell: str) -> list[str]:
    """The broker ids in a cell; [] where it is no list of such."""
    return re.findall(r"\d{1,10}", cell) if re.fullmatch(r"[\[({]?[\d, ]*[\])}]?", cell) else []


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
