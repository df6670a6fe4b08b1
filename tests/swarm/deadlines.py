"""The debts of a healed cluster and their deadlines (docs/liveness-bounds.md): every property has its own bound.

A debt begins when what it follows from is there, and ends when it is paid or when that is there no more. Its clock
begins at the later of that moment and one that the debt itself names, where its cause is not seen in the state (the end
of a silence that a connection may still wait for). A debt that is owed for longer than its bound is a violation.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from tests.invariants.violation import demand

LOOK_US: Final = 500_000  # how often the state is looked at: a debt is noticed so much later at most
AT_ONCE: Final = -1  # the bound of what is done in one write with its cause: no look may see it undone


class Debt(NamedTuple):
    """Something that is owed now: the property, to whom, by what cause, from when at the earliest, and how long."""

    name: str
    where: str
    cause: tuple[int | str, ...]  # another cause is another debt
    from_us: int
    bound_us: int
    story: str


class Deadlines:
    """Since when each debt has been owed without a break, and the longest bound it has had."""

    def __init__(self, debts: Callable[[], Iterator[Debt]]) -> None:
        self._debts = debts
        self._owed: dict[tuple[str, str, tuple[int | str, ...]], tuple[int, int]] = {}

    def look(self, now: int) -> None:
        """Hold every debt of this moment to its bound. Raises Violation."""
        owed: dict[tuple[str, str, tuple[int | str, ...]], tuple[int, int]] = {}
        for debt in self._debts():
            key = (debt.name, debt.where, debt.cause)
            since, bound = self._owed.get(key, (now, debt.bound_us))
            bound = max(bound, debt.bound_us)
            owed[key] = (since, bound)
            late = now - max(since, debt.from_us)
            demand(late <= bound, debt.name, debt.where, f"owed for {late} us, at most {bound}: {debt.story}")
        self._owed = owed
