"""The facts that a recount needs, decisive ones and traffic, handed on in their order."""

from collections.abc import Callable
from typing import Any

from simengine.facts.reading import read
from simengine.world.world import World

Reader = Callable[[Any], None]  # takes in one fact
Readers = dict[type[Any], Reader]  # by the class of the facts that it takes in


class Rows:
    """Stores a run's traffic from its first event on, and hands it on."""

    def __init__(self, world: World, readers: list[Readers]) -> None:
        self._world = world
        self._readers: dict[int, list[Reader]] = {}  # by the number of the kind
        for part in readers:
            for kind, reader in part.items():
                self._readers.setdefault(kind.KIND, []).append(reader)
        for fact in world.trace.decisive:  # of the start
            self._hand_on(fact)
        world.trace.keep_kinds(sorted(self._readers))

    def read(self) -> None:
        """Hand on what has happened since the last time."""
        rows: list[Any] = self._world.trace.take().rows()
        for row in rows:
            if row[2] in self._readers:
                self._hand_on(read(row))

    def _hand_on(self, fact: Any) -> None:
        for reader in self._readers.get(fact.KIND, ()):
            reader(fact)
