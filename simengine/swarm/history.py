"""What a run has committed so far, by what it is about: read once, as the debts ask for it at every look."""

from collections.abc import Iterator
from typing import NamedTuple

from simengine.facts.kinds import CONFIG_CHANGED, ISR_REFUSED, PARTITION_CHANGED
from simengine.facts.trace import Row
from simengine.world import World


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
        self._changes: dict[int, list[Row]] = {}
        self._settings: list[Row] = []
        self._refusals: dict[int, Refusal] = {}  # by proposal (the fact of it)

    def changes_of(self, p: int) -> Iterator[Row]:
        """The rows of a partition's changes, the newest first."""
        self._catch_up()
        return reversed(self._changes.get(p, []))

    def settings(self) -> Iterator[Row]:
        """The rows of all changes of settings, the newest first."""
        self._catch_up()
        return reversed(self._settings)

    def refusal_of(self, proposal: int) -> Refusal | None:
        """How a proposed ISR was refused last, None if it was not."""
        self._catch_up()
        return self._refusals.get(proposal)

    def _catch_up(self) -> None:
        facts = self._world.trace.decisive
        for fact in facts[self._read :]:
            if fact.kind == PARTITION_CHANGED:
                row = fact.row()
                self._changes.setdefault(int(str(row[4])), []).append(row)
            elif fact.kind == CONFIG_CHANGED:
                self._settings.append(fact.row())
            elif fact.kind == ISR_REFUSED:
                self._refusals[int(fact.cause)] = Refusal(int(fact.t), int(fact.values[2]), set(fact.lists[0]))
        self._read = len(facts)
