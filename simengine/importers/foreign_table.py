"""Counts the partitions in a table that another tool or a person made: a head line of columns, a line a partition.

Columns are parted by bars, tabs or two blanks; ids stand as ``[1 2 3]``, ``(1,2,3)`` or ``1,2,3``. Only counted.
"""

import itertools
import re
from typing import Final

from simengine.importers.model import PastedCounts

_BAR = re.compile(r"[|\u2502\u2503\u2551]")
_APART = re.compile(r"\t|\s{2,}")
_CELL = re.compile(r"[\[({][\d, ]*[\])}]|\S+(?:, ?\d{1,10})*")
_RULER = re.compile(r"[\s|+:=\u2500-\u257f-]*$")
_NAMES: Final = {
    "topic": r"topics?(?: name)?",
    "partition": r"partitions?(?:[ _-]?id)?|id",
    "leader": r"(?:partition )?leader(?:[ _-]?(?:id|broker))?",
    "replicas": r"(?:assigned )?replicas?(?:[ _-]?ids?)?",
    "isr": r"isrs?|in[ _-]?sync(?:[ _-]?replicas?)?",
}
_NEEDED: Final = ("partition", "leader", "replicas")
_LINES_MAX: Final = 20_000
_CELLS_MAX: Final = 40


def count_table(lines: list[str]) -> PastedCounts | None:
    """The counts in the rows under the last head line; None without a head line and a row under it."""
    columns: list[str] | None = None
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for line in itertools.islice(lines, _LINES_MAX):
        head = _head(line)
        if head:
            columns, rows = head, {}
        elif columns is not None and not _RULER.match(line):
            row = dict(zip(columns, _cells(line, len(columns)), strict=False))
            if _is_row(row):
                rows[row.get("topic", ""), row["partition"]] = row
    return _facts(list(rows.values()), columns) if columns and rows else None


def _head(line: str) -> list[str]:
    """The columns of a head line by their common names, others as written; [] if the line is none."""
    lower = line.lower()
    if "leader" not in lower or "replica" not in lower:
        return []
    for cells in (_parted(line), line.split()):
        columns = [_common(cell) for cell in cells[:_CELLS_MAX]]
        if all(name in columns for name in _NEEDED):
            return columns
    return []


def _common(cell: str) -> str:
    word = cell.strip("*`_ ").lower()
    return next((name for name, pattern in _NAMES.items() if re.fullmatch(pattern, word)), word)


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
    return row.get("partition", "").isdigit() and bool(_ids(row.get("replicas", "")))


def _ids(cell: str) -> list[str]:
    return re.findall(r"\d{1,10}", cell) if re.fullmatch(r"[\[({]?[\d, ]*[\])}]?", cell) else []


def _facts(rows: list[dict[str, str]], columns: list[str]) -> PastedCounts:
    leaders = [row.get("leader", "").strip() for row in rows]
    brokers = dict.fromkeys(leader for leader in leaders if leader.isdigit())
    for row in rows:
        brokers.update(dict.fromkeys(_ids(row["replicas"]) + _ids(row.get("isr", ""))))
    under = sum(len(_ids(row.get("isr", ""))) < len(_ids(row["replicas"])) for row in rows)
    topics = dict.fromkeys(row["topic"] for row in rows if row.get("topic"))
    return PastedCounts(
        brokers=len(brokers),
        topics=len(topics),
        partitions=len(rows),
        under_replicated=under if "isr" in columns else None,
        leaderless=sum(not leader.isdigit() for leader in leaders),
    )
