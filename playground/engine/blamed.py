"""The runs that ended an engine process, by its death or for want of memory: they are not put beside others again.

A death in the first second of a request may have come from outside, as when somebody kills a process: it counts from
the third time on. Kept in the memory of the web process, so many and for so long (``BLAMED_MAX``, ``BLAMED_S``). A run
is known by the content of its document and its actions, under whatever link.
"""

import time
from collections import OrderedDict
from typing import NamedTuple

from playground.engine.engine import RunRefused
from playground.engine.limits import BLAMED_MAX, BLAMED_S, BLAMED_WORK_S, SUDDEN_DEATHS_MAX

TWICE = 2


class _Blame(NamedTuple):
    times: int = 0
    sudden: int = 0
    newest_at: float = 0.0  # monotonic


class BlameCounts:
    """Counts how often each run has ended a process lately."""

    def __init__(self) -> None:
        self._blames: OrderedDict[str, _Blame] = OrderedDict()

    def blame(self, key: str, worked_s: float) -> None:
        """A process has ended after working on this run for so long, or had not the memory for it."""
        before = self._of(key)
        sudden = before.sudden + (worked_s < BLAMED_WORK_S)
        counts = worked_s >= BLAMED_WORK_S or sudden > SUDDEN_DEATHS_MAX
        self._blames[key] = _Blame(before.times + counts, sudden, time.monotonic())
        self._blames.move_to_end(key)
        if len(self._blames) > BLAMED_MAX:
            self._blames.popitem(last=False)

    def is_blamed(self, key: str) -> bool:
        """True for a run that has to be alone in its process. Raises RunRefused for one that ended a second process."""
        times = self._of(key).times
        if times >= TWICE:
            raise RunRefused(
                f"This run ended the simulation's process {times} times: once beside others, and again in a process of "
                f"its own. Make a smaller document, with fewer partitions, replicas or clients, or try this one again "
                f"in {BLAMED_S / 60:.0f} minutes."
            )
        return times > 0

    def _of(self, key: str) -> _Blame:
        blame = self._blames.get(key, _Blame())
        return blame if time.monotonic() - blame.newest_at < BLAMED_S else _Blame()
