"""Rows of a describe listing that break off behind an id of their ISR, as the last line of a copied screen does.

The tool prints the same columns in each row of a listing: a row without the Elr columns of its neighbours is cut. What
stands there of its ISR need not be all of it, so all its replicas are taken for in sync, and the doubt is told.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from simengine.importers.listing import Listings
from simengine.importers.model import NO_LEADER, Row

HEADER_AND_ROW = 2  # lines


def taken_whole(row: Row, warn: Callable[[str], None]) -> Row:
    """A row whose ISR breaks off, with all its replicas in sync; of a partition without leader nothing is added."""
    rest = tuple(broker for broker in row.replicas if broker not in row.isr)
    if not rest:
        return row
    seen = ",".join(map(str, row.isr)) or "nothing"
    taken = "taken for in sync" if row.leader != NO_LEADER else "not taken for in sync, for it has no leader"
    warn(
        f"Line {row.line}: {row.topic}-{row.number} breaks off in its Isr ({seen} is left of it). "
        f"What the paste does not show of {','.join(map(str, rest))} is {taken}. Paste the whole row to have it told."
    )
    isr = (*row.isr, *rest) if row.leader != NO_LEADER else row.isr
    return replace(row, isr=isr, doubtful=tuple(dict.fromkeys((*row.doubtful, *rest))))


def ends_open(tail: str) -> bool:
    """Whether a list of ids breaks off, by what stands behind its last id."""
    return tail.startswith(",") and not tail.startswith((",'", ',"')) or tail.startswith((".", "\u2026"))


def mend(rows: list[Row], shows_elr: Sequence[bool], listings: Listings, warn: Callable[[str], None]) -> None:
    """Take the ISR of each row whole that lacks the Elr columns of its listing. ``shows_elr``: of each row."""
    if all(shows_elr) or not any(shows_elr):
        return
    with_columns = {(row.topic, row.moment) for row, shows in zip(rows, shows_elr, strict=True) if shows}
    for at, row in enumerate(rows):
        if shows_elr[at] or len(row.isr) >= len(row.replicas):
            continue
        if (row.topic, row.moment) in with_columns or _is_last_of_run(at, rows, shows_elr, listings):
            rows[at] = taken_whole(row, warn)
            listings.replace(row, rows[at])


def _is_last_of_run(at: int, rows: Sequence[Row], shows_elr: Sequence[bool], listings: Listings) -> bool:
    """Whether a row ends a listing whose row in front of it has the columns, with a header between them at most."""
    if at == 0 or not shows_elr[at - 1] or rows[at].line - rows[at - 1].line > HEADER_AND_ROW:
        return False
    return at + 1 == len(rows) or shows_elr[at + 1] or not listings.is_one_text(rows[at].line, rows[at + 1].line)
