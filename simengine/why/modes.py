"""In which mode of acks producers made their calls: somebody may change it while they run."""

from bisect import bisect_right
from typing import Final

from simengine.facts.decisive import ClientChanged
from simengine.scenario.model import Document
from simengine.why.past import Past
from simengine.why.sentences import acks_word

FROM_THE_START: Final = -1


class Modes:
    """The modes of every producer over time: "all", "1" or "0"."""

    def __init__(self, doc: Document, past: Past) -> None:
        self._changes = [[(FROM_THE_START, producer.acks)] for producer in doc.producers]
        for fact in past.of(ClientChanged):
            if fact.client < len(self._changes):
                self._changes[fact.client].append((fact.t, acks_word(fact.acks)))

    def at(self, client: int, at_us: int) -> str:
        """The mode of the calls that a producer makes at a moment."""
        changes = self._changes[client]
        return changes[bisect_right(changes, at_us, key=lambda change: change[0]) - 1][1]
