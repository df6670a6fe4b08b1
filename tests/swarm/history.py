"""The commits of a run so far, by their subject: read once, as the debts ask for it at every look."""

from collections.abc import Iterator
from typing import NamedTuple

from simengine.facts.decisive import ConfigChanged, IsrRefused, PartitionChanged
from simengine.world.world import World


class Refusal(NamedTuple):
    """A proposal that the controller refused: when (us), with which error, and the ISR that the leader asked for."""

    at_us: int
    error: int
    isr: set[int]


class History:
    """The changes of every partition, and those of settings, newest first; and how proposals were refused."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._read = 0  # so many decisive facts
        self._changes: dict[int, list[PartitionChanged]] = {}
        self._settings: list[ConfigChanged] = []
        self._refusals: dict[int, Refusal] = {}  # by proposal (the fact of it)

    def changes_of(self, p: int) -> Iterator[PartitionChanged]:
        """A partition's changes, the newest first."""
        self._catch_up()
        return reversed(self._changes.get(p, []))

    def settings(self) -> Iterator[ConfigChanged]:
        """All changes of settings, the newest first."""
        self._catch_up()
        return reversed(self._settings)

    def refusal_of(self, proposal: int) -> Refusal | None:
        """The last refusal of a proposed ISR, None if there was none."""
        self._catch_up()
        return self._refusals.get(proposal)

    def _catch_up(self) -> None:
        facts = self._world.trace.decisive
        for fact in facts[self._read :]:
            if isinstance(fact, PartitionChanged):
                self._changes.setdefault(fact.p, []).append(fact)
            elif isinstance(fact, ConfigChanged):
                self._settings.append(fact)
            elif isinstance(fact, IsrRefused):
                self._refusals[fact.cause] = Refusal(fact.t, fact.error, set(fact.isr))
        self._read = len(facts)
