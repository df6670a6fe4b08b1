"""Rows of a describe listing that break off behind an id of their ISR, as the last line of a copied screen does.

The tool prints the same columns in each row of a listing: a row without the Elr columns of its neighbours is cut. What
stands there of its ISR need not be all of it, so all its replicas are taken for in sync, and the doubt is told.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from simengine.importers.listing import Listings
from simengine.importers.model import NO_LEADER, PastedPartition

HEADER_AND_ROW: Final = 2  # lines
ARROWS: Final = (">", "\u203a", "\u00bb")
ELR: Final = "elr"
OTHER: Final = "other"  # another column stands behind the ISR, so that is whole


def taken_whole(row: PastedPartition, warn: Callable[[str], None]) -> PastedPartition:
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
    """True if a list of ids breaks off, by what stands behind its last id: pagers and editors draw an arrow there."""
    return (
        tail.startswith(",") and not tail.startswith((",'", ',"')) or tail.startswith((".", "\u2026")) or tail in ARROWS
    )


def mend(
    rows: list[PastedPartition], behind_isr: Sequence[str], listings: Listings, last: int, warn: Callable[[str], None]
) -> None:
    """Take the ISR of each row whole that lacks the Elr columns of its listing.

    ``behind_isr``: what stands behind the ISR of each row; ``last``: the number of the line without an end.
    """
    if ELR not in behind_isr or "" not in behind_isr:
        return
    with_columns = {(row.topic, row.moment) for row, shown in zip(rows, behind_isr, strict=True) if shown == ELR}
    for at, row in enumerate(rows):
        if behind_isr[at] or len(row.isr) >= len(row.replicas):
            continue
        is_alone = at > 0 and behind_isr[at - 1] == ELR and not (at + 1 < len(rows) and not behind_isr[at + 1])
        is_near = at > 0 and (row.line == last or row.line - rows[at - 1].line <= HEADER_AND_ROW)
        is_one_text = at > 0 and listings.is_one_text(rows[at - 1].line, row.line)
        if (row.topic, row.moment) in with_columns or is_alone and is_near and is_one_text:
            rows[at] = taken_whole(row, warn)
            listings.replace(row, rows[at])
