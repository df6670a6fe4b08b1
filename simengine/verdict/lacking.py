"""The election since which the leaders' logs of one partition lack a record (FATE-3).

A broker that does not know that it was replaced goes on acknowledging in its epoch. Such a record is lost by the first
election whose leader lacks it. The elections after that one change nothing.
"""

from typing import final

from mypy_extensions import i64, mypyc_attr

from simengine.kafka.log.log import Log
from simengine.verdict.presence import present_range


@mypyc_attr(acyclic=True)
@final
class LackingSince:
    """For each earlier epoch: where its records end in the leaders' logs, and the election since which they do.

    The ends of an epoch fall. The last is that of the newest leader's log.
    """

    __slots__ = ("_ends",)

    def __init__(self) -> None:
        self._ends: dict[int, list[tuple[int, int]]] = {}  # by epoch: offset, fact of the election

    def elected(self, log: Log, fact: i64, before: i64) -> None:
        """A leader was elected by a fact; ``before``: the epoch of the one before it, -1 for none."""
        if before >= 0:
            self._ends.setdefault(int(before), [])
        for epoch in self._ends:
            end = int(present_range(log, epoch)[1])
            ends = self._ends[epoch]
            since = int(fact)
            while ends and ends[-1][0] <= end:
                since = ends.pop()[1]
            ends.append((end, since))

    def parts(self, epoch: i64, base: i64, end: i64) -> list[tuple[int, int, int]]:
        """Records base .. end-1 of an epoch in parts: first offset, end, and the election since which leaders lack it.

        0: the newest leader had them when it was elected, or no later leader than that of the epoch is known.
        """
        found: list[tuple[int, int, int]] = []
        rest = int(end)
        for low, fact in self._ends.get(int(epoch), []):
            first = max(low, int(base))
            if first < rest:
                found.append((first, rest, fact))
                rest = first
        if base < rest:
            found.append((int(base), rest, 0))
        return found[::-1]
