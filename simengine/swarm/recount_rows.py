"""The facts that a recount of metrics needs beyond the decisive ones, handed on in their order."""

from typing import Any, Final, Protocol

from simengine.kernel.facts import APPENDED, FLIGHT, FLIGHT_ENDED, HW_MOVED
from simengine.world import World

Row = list[Any]  # fact, time (us), kind, cause, values
KINDS: Final = (APPENDED, FLIGHT, FLIGHT_ENDED, HW_MOVED)


class Reader(Protocol):
    """Who takes in facts."""

    def read(self, row: Row) -> None:
        """Take in a fact."""


class Rows:
    """Stores a run's traffic from its first event on, and hands it on."""

    def __init__(self, world: World, readers: list[Reader]) -> None:
        self._world = world
        self._readers = readers
        self._hand_on([fact.row() for fact in world.trace.decisive])  # of the start
        world.trace.keep_kinds(list(KINDS))

    def read(self) -> None:
        """Hand on what has happened since the last time."""
        rows: list[Any] = self._world.trace.take().rows()
        self._hand_on(rows)

    def _hand_on(self, rows: list[Any]) -> None:
        for row in rows:
            for reader in self._readers:
                reader.read(row)
