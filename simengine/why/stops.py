"""What hidden records or a stop of writes or reads go back to, checked as a loss is: by a run without it.

The verdict names the fact since which records are hidden, or which began the longest stop; what somebody did, or the
fault model drew, to bring that about is left out first. If that changes next to nothing, the other actions are tried,
latest first, within what a loss of the same document has left of ``CANDIDATES_MAX`` runs. Hidden and stopped: as the
verdict counts it, for longer than theta.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

from simengine.decide import CANDIDATES_MAX, may_harm, without_entry, written_out
from simengine.scenario.action_words import NodeName, inside
from simengine.scenario.model import Document, TimelineEntry
from simengine.verdict.sentence import plural, seconds
from simengine.verdict.words import read_down_us, write_down_us
from simengine.why.past import Past
from simengine.world import build

NOT_TRIED: Final = f"Not checked: at most {CANDIDATES_MAX} runs are made for one question."
CLEARLY: Final = 10  # an action counts that leaves less by one part in so many
FROM_THE_START: Final = "Nobody did anything that brought it about: the run began so."

Json = dict[str, Any]
Harm = dict[str, tuple[int, int, int]]  # by topic: the amount of each of ``KINDS``
Run = Callable[[Document, int], Harm]
GROUPS: Final = "groups"  # what stops where writes of ``__consumer_offsets`` do
KINDS: Final = ("hidden", "writes", "reads")  # records that cannot be read, times in us; what is graver comes first


@dataclass(frozen=True, slots=True)
class Stop:
    """A topic's stop or hidden records, and the action without which there is less of it.

    ``text``: the action, "" where no single one changes it; ``is_named``: it is what the verdict goes back to, else the
    check has refuted that; ``amount``, ``amount_without``:
    microseconds or records, with and without the action.
    """

    what: str  # one of KINDS, or GROUPS
    amount: int
    amount_without: int
    index: int  # the action's place in the timeline, -1 for a failure that the fault model drew
    at_us: int
    text: str
    is_named: bool
    tried: int
    is_open: bool  # not all that could have been tried was

    def plain(self, name: NodeName) -> Json:
        """As JSON has it; ``words``: the check as a sentence, nodes called by ``name``."""
        return {**asdict(self), "words": self._words(name)}

    def _words(self, name: NodeName) -> str:
        if not self.tried:
            return NOT_TRIED if self.is_open else FROM_THE_START
        if not self.text:
            tried = f"of the {self.tried} tried none makes" if self.is_open else "none of them makes"
            return f"No single action decided it: left out alone, {tried} {self._less()} (checked)."
        return f"Checked: without the action at {self.at_us / 1e6:.3f} s ({inside(self.text, name)}) {self._left()}."

    def _left(self) -> str:
        if self.what == "hidden":
            left = plural(self.amount_without, "acknowledged record", "acknowledged records")
            return f"only {left} cannot be read" if self.amount_without else "every acknowledged record can be read"
        left = f"stop for {seconds(self.amount_without)} only" if self.amount_without else "never stop"
        return f"{self.what} {left}"

    def _less(self) -> str:
        return "fewer records hidden" if self.what == "hidden" else f"the {self.what} stop for less"


def harm_in(doc: Document, until_us: int) -> Harm:
    """What each topic of a document has suffered at a time."""
    world = build(doc)
    world.run(until_us)
    return harm_of(world.verdict())


def harm_of(verdict: Json) -> Harm:
    """What each topic of a verdict has suffered."""
    return {one["topic"]: (int(one["hidden"]), write_down_us(one), read_down_us(one)) for one in verdict["topics"]}


def stops_of(
    doc: Document, until_us: int, verdict: Json, past: Past, left: int = CANDIDATES_MAX, run: Run = harm_in
) -> dict[str, Stop]:
    """Each topic that lost nothing, has nothing twice, and hides records or stopped.

    The topic of the coordinators only where no other is harmed. ``left``: runs that may still be made.
    """
    search = Search(doc, until_us, past, left, run)
    found: dict[str, Stop] = {}
    harm = harm_of(verdict)
    topics = [topic for topic in verdict["topics"] if any(harm[topic["topic"]]) or topic["lost"]]
    for topic in [one for one in topics if not one["coordinators"]] or topics:
        amounts = harm[topic["topic"]]
        if not topic["lost"] and not topic["duplicated"]:
            kind = next(i for i, amount in enumerate(amounts) if amount)
            found[topic["topic"]] = search.stop(topic["topic"], kind, amounts[kind], topic)
    return found


class Search:
    """Runs the document without one action or the other, each at most once for all topics."""

    def __init__(self, doc: Document, until_us: int, past: Past, left: int, run: Run) -> None:
        self._whole = written_out(doc, until_us)
        self._places = {id(entry): index for index, entry in enumerate(doc.timeline)}
        self._until_us = until_us
        self._past = past
        self._left = left
        self._run = run
        self._known: dict[int, Harm] = {}

    def stop(self, name: str, kind: int, amount: int, topic: Json) -> Stop:
        """What so much harm of one of ``KINDS`` goes back to."""
        named = self._named(topic["deciding"]["seq"]) if topic["deciding"] else -1
        others = [i for i in range(len(self._whole.timeline) - 1, -1, -1) if i != named and self._may_harm(i)]
        best, least, tried = -1, amount, 0
        for index in ([named] if named >= 0 else []) + others:
            without = self._without(index)
            if without is None:
                break
            tried += 1
            left = without.get(name, (0, 0, 0))[kind]
            if left < least and left * CLEARLY <= amount * (CLEARLY - 1):
                best, least = index, left
            if not least or best == named >= 0:
                break
        entry = self._whole.timeline[best] if best >= 0 else None
        place, at_us, text = (-1, -1, "") if entry is None else self._plain(entry)
        is_open = tried < len(others) + (named >= 0) and bool(least) and not best == named >= 0
        what = GROUPS if topic["coordinators"] else KINDS[kind]
        return Stop(what, amount, least, place, at_us, text, best == named >= 0, tried, is_open)

    def _plain(self, entry: TimelineEntry) -> tuple[int, int, str]:
        return self._places.get(id(entry), -1), entry.at_us, str(entry.action)

    def _may_harm(self, index: int) -> bool:
        entry = self._whole.timeline[index]
        return entry.at_us <= self._until_us and may_harm(entry.action)

    def _without(self, index: int) -> Harm | None:
        if index not in self._known and self._left > 0:
            self._left -= 1
            self._known[index] = self._run(without_entry(self._whole, index), self._until_us)
        return self._known.get(index)

    def _named(self, seq: int) -> int:
        """The action that a fact goes back to; -1: none, it was so from the start."""
        fact = self._past.fact(seq)
        done = self._past.action(fact)
        if done is None:
            while fact is not None and fact.cause:
                fact = self._past.fact(fact.cause)
        at_us, text = (done.t, done.text) if done is not None else (fact.t if fact is not None else -1, "")
        for index, entry in enumerate(self._whole.timeline):
            is_drawn = id(entry) not in self._places
            if entry.at_us == at_us and (str(entry.action) == text or (not text and is_drawn)):
                return index
        return -1
