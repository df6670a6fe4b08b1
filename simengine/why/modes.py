"""In which mode of acks producers made their calls: somebody may change it while they run."""

from bisect import bisect_right
from typing import Final, NamedTuple

from simengine.facts.decisive import ClientChanged
from simengine.facts.kinds import CLIENT_OPEN
from simengine.scenario.model import Document
from simengine.why.past import Past
from simengine.why.sentences import acks_word

FROM_THE_START: Final = -1


class Change(NamedTuple):
    """What holds of a producer from a moment on, in us."""

    t: int
    mode: str
    is_open: bool


class Modes:
    """The modes of every producer over time: "all", "1" or "0"."""

    def __init__(self, doc: Document, past: Past) -> None:
        self._changes = [[Change(FROM_THE_START, producer.acks, False)] for producer in doc.producers]
        for fact in past.of(ClientChanged):
            if fact.client < len(self._changes):
                self._changes[fact.client].append(Change(fact.t, acks_word(fact.acks), fact.state == CLIENT_OPEN))

    def at(self, client: int, at_us: int) -> str:
        """The mode of the calls that a producer makes at a moment."""
        return self._changes[client][self._index(client, at_us)].mode

    def while_open(self, client: int, from_us: int, until_us: int) -> list[str]:
        """The mode that a producer has at a moment, and those it is set to up to another; none while it is closed."""
        changes = self._changes[client][self._index(client, from_us) :]
        return [change.mode for change in changes if change.t <= until_us and change.is_open]

    def _index(self, client: int, at_us: int) -> int:
        return bisect_right(self._changes[client], at_us, key=lambda change: change.t) - 1
