"""The facts that a recount needs, decisive ones and traffic, handed on in their order."""

from collections.abc import Callable
from typing import Any

from simengine.facts.kinds import FIRST_TRAFFIC
from simengine.world import World

Row = list[Any]  # fact, time (us), kind, cause, values
Readers = dict[int, Callable[[Row], None]]  # who takes in the facts of a kind


class Rows:
    """Stores a run's traffic from its first event on, and hands it on."""

    def __init__(self, world: World, readers: list[Readers]) -> None:
        self._world = world
        self._readers = {kind: [r[kind] for r in readers if kind in r] for kind in {k for r in readers for k in r}}
        self._hand_on([fact.row() for fact in world.trace.decisive])  # of the start
        world.trace.keep_kinds(sorted(kind for kind in self._readers if kind >= FIRST_TRAFFIC))

    def read(self) -> None:
        """Hand on what has happened since the last time."""
        rows: list[Any] = self._world.trace.take().rows()
        self._hand_on(rows)

    def _hand_on(self, rows: list[Any]) -> None:
        for row in rows:
            for reader in self._readers.get(row[2], ()):
                reader(row)
