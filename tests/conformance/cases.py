"""The records that a number of rules 4 and 6, or a wait of rules 5 and 6, is about: named in sentences."""

from typing import Any, NamedTuple

Counts = dict[str, int]


class Case(NamedTuple):
    """One record: when (s) it was sent or read, when its call ended (None: never, or it was read), and its offset."""

    value: str
    t: float
    done: float | None
    offset: int | None


class Extent(NamedTuple):
    """The first and the last record of a category."""

    first: Case
    last: Case


class CaseWait(NamedTuple):
    """A wait: how long, since when (s), and the record it began with (a value that waited, or the offset read last)."""

    seconds: float
    since: float
    record: str


NO_WAIT = CaseWait(0.0, 0.0, "")


class Cases:
    """Counts by category, and the extent of each."""

    def __init__(self, *categories: str) -> None:
        self.counts: Counts = dict.fromkeys(categories, 0)
        self.extents: dict[str, Extent] = {}

    def add(self, category: str, case: Case, by: int = 1) -> None:
        """Count a record, ``by`` times; records come in their order."""
        self.counts[category] = self.counts.get(category, 0) + by
        known = self.extents.get(category)
        self.extents[category] = Extent(case if known is None else known.first, case)


def span(numbers: list[float] | list[int], form: str = ".2f") -> str:
    """``2.00 to 3.00``, or ``2.00`` where all are alike."""
    low, high = (format(number, form) for number in (min(numbers), max(numbers)))
    return low if low == high else f"{low} to {high}"


def either(seen: list[Any], most: int = 3) -> str:
    """The different ones, joined by ``or``; some of them where they are many."""
    shown = list(dict.fromkeys(map(str, seen)))
    more = f" or {len(shown) - most} others" if len(shown) > most else ""
    return " or ".join(shown[:most]) + more
