"""What a stop of writes or reads goes back to, checked as a loss is: by running the same document without it.

The verdict names the fact that began the longest stop; what somebody did, or the fault model drew, to bring that about
is left out first. If the run then stops as long as before, the other actions are tried, latest first, within what a
loss of the same document has left of ``CANDIDATES_MAX`` runs. Stopped: as the verdict counts it, longer than theta.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

from simengine.decide import CANDIDATES_MAX, HARMLESS, without_entry, written_out
from simengine.scenario.action_words import NodeName, inside
from simengine.scenario.model import Document, TimelineEntry
from simengine.verdict.words import seconds, write_down_us
from simengine.why.past import Past
from simengine.world import build

NOT_TRIED: Final = f"Not checked: at most {CANDIDATES_MAX} runs are made for one question."
FROM_THE_START: Final = "Nobody did anything that brought it about: the run began so."

Json = dict[str, Any]
Times = dict[str, tuple[int, int]]  # by topic: how long it could not be written, as it is written, and not read
Run = Callable[[Document, int], Times]


@dataclass(frozen=True, slots=True)
class Stop:
    """A topic's stop, and the action without which it is none or shorter.

    ``text``: the action, "" where no single one makes it shorter; ``is_named``: it is what the verdict goes back to;
    ``us``, ``us_without``: the time that it was stopped with and without the action.
    """

    what: str  # writes or reads
    us: int
    us_without: int
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
            return f"No single action decided it: left out alone, {tried} the {self.what} stop for less (checked)."
        left = f"stop for {seconds(self.us_without)} only" if self.us_without else "never stop"
        but = "" if self.is_named else f"without what it goes back to {self.what} stop as long; "
        given = f"without the action at {self.at_us / 1e6:.3f} s ({inside(self.text, name)}) {self.what} {left}"
        return f"Checked: {but}{given}."


def times_in(doc: Document, until_us: int) -> Times:
    """How long each topic of a document is stopped up to a time."""
    world = build(doc)
    world.run(until_us)
    return times_of(world.verdict())


def times_of(verdict: Json) -> Times:
    """How long each topic of a verdict is stopped."""
    return {topic["topic"]: (write_down_us(topic), int(topic["read_down_us"])) for topic in verdict["topics"]}


def stops_of(
    doc: Document, until_us: int, verdict: Json, past: Past, left: int = CANDIDATES_MAX, run: Run = times_in
) -> dict[str, Stop]:
    """Each topic that lost nothing, has nothing twice, and was stopped; ``left``: runs that may still be made."""
    search = Search(doc, until_us, past, left, run)
    found: dict[str, Stop] = {}
    for topic in verdict["topics"]:
        us = times_of(verdict)[topic["topic"]]
        if any(us) and not topic["lost"] and not topic["duplicated"]:
            found[topic["topic"]] = search.stop(topic["topic"], 0 if us[0] else 1, us[0] or us[1], topic)
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
        self._known: dict[int, Times] = {}

    def stop(self, name: str, way: int, us: int, topic: Json) -> Stop:
        """What one topic's stop goes back to; ``way``: 0 for writes, 1 for reads."""
        named = self._named(topic["deciding"]["seq"]) if topic["deciding"] else -1
        others = [i for i in range(len(self._whole.timeline) - 1, -1, -1) if i != named and self._may_harm(i)]
        best, least, tried = -1, us, 0
        for index in ([named] if named >= 0 else []) + others:
            without = self._without(index)
            if without is None:
                break
            tried += 1
            left = without.get(name, (0, 0))[way]
            if left < least:
                best, least = index, left
            if not least or best == named >= 0:
                break
        entry = self._whole.timeline[best] if best >= 0 else None
        place, at_us, text = (-1, -1, "") if entry is None else self._plain(entry)
        is_open = tried < len(others) + (named >= 0) and bool(least) and not best == named >= 0
        return Stop(("writes", "reads")[way], us, least, place, at_us, text, best == named >= 0, tried, is_open)

    def _plain(self, entry: TimelineEntry) -> tuple[int, int, str]:
        return self._places.get(id(entry), -1), entry.at_us, str(entry.action)

    def _may_harm(self, index: int) -> bool:
        entry = self._whole.timeline[index]
        return entry.at_us <= self._until_us and entry.action.verb not in HARMLESS

    def _without(self, index: int) -> Times | None:
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
