"""The cause of vanished or hidden records or of a stop of writes or reads, checked as a loss is: by a run without it.

The verdict names the fact since which records are hidden, or which began the longest stop; what somebody did, or the
fault model drew, to bring that about is left out first. If that changes next to nothing, the other actions are tried,
latest first, within what a loss of the same document has left of ``RUNS_MAX``. Hidden and stopped: as the verdict
counts it, for longer than theta. A stop that goes on is checked for itself: without what keeps it up it has to end.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final

from simengine.explain.decide import RUNS_MAX, Harm, Reruns, harm_of, harm_to, without_it, without_words
from simengine.explain.fact_index import FactIndex
from simengine.scenario.action_words import NodeName
from simengine.verdict.moment_words import at_words, goes_on, is_readers
from simengine.verdict.words import is_used
from simengine.words.phrases import plural, seconds

NOT_TRIED: Final = f"Not checked: at most {RUNS_MAX} runs are made for one question."
CLEARLY: Final = 10  # an action counts that leaves less by one part in so many (``_as_much``)
FROM_THE_START: Final = "Nobody did anything that brought it about: the run began so."
ENOUGH: Final = 2  # the named action stands if it leaves one part in so many, or no other one part of what it leaves
GROUPS: Final = "groups"  # what stops where writes of ``__consumer_offsets`` do
VANISHED: Final = "vanished"
COUNTED: Final = (VANISHED, "hidden")  # in records, all else in microseconds
SERVERS: Final = "servers"  # what stops where nobody writes
UNUSED: Final = (GROUPS, SERVERS)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TopicStop:
    """A topic's stop, vanished or hidden records, and the action without which there is less of it.

    ``text``: the action, "" where no single one changes it; ``is_named``: it is what the verdict goes back to, else the
    check has refuted that; ``amount``, ``amount_without``: microseconds or records, with and without the action.
    """

    what: str  # vanished, hidden, writes or reads as in Harm, or GROUPS, or SERVERS
    amount: int
    amount_without: int
    index: int  # the action's place in the timeline, -1 for a failure that the fault model drew
    at_us: int
    text: str
    is_named: bool
    tried: int
    is_open: bool  # not all that could have been tried was
    kept_up: str = ""  # the moment and text of another action that kept the stop up
    holds: bool = True  # False: the stop goes on at the end, too, without the action that the verdict says keeps it up

    def plain(self, name: NodeName) -> Json:
        """As JSON has it; ``words``: the check as a sentence, nodes called by ``name``."""
        return {**asdict(self), "without": without_it(self.text), "words": self._words(name)}

    def _words(self, name: NodeName) -> str:
        if not self.tried:
            return NOT_TRIED if self.is_open else FROM_THE_START
        if not self.text:
            which = f"whichever of the {self.tried} tried" if self.is_open else "whichever one"
            return f"No single action decided it: {which} is left out, {self._as_much()} (checked)."
        return f"Checked: {without_words(self.at_us, self.text, name)} {self._left()}."

    def _left(self) -> str:
        if self.what == VANISHED:
            left = plural(self.amount_without, "record", "records") if self.amount_without else "no record"
            less = f" instead of {self.amount:,}" if self.amount_without else ""
            return f"{left} sent with acks=0 {'vanishes' if self.amount_without < 2 else 'vanish'}{less}"
        if self.what == "hidden":
            left = plural(self.amount_without, "acknowledged record", "acknowledged records")
            less = f"{left} cannot be read instead of {self.amount:,}"
            return less if self.amount_without else "every acknowledged record can be read"
        left = f"for {seconds(self.amount_without)} in all instead of {seconds(self.amount)}"
        if self.what == SERVERS:
            return f"the servers are out {left}" if self.amount_without else "the servers are never out"
        return f"{self.what} stop {left}" if self.amount_without else f"{self.what} never stop"

    def _as_much(self) -> str:
        if self.what in COUNTED:
            return f"nine tenths of the records or more {'stay hidden' if self.what == 'hidden' else 'vanish'}"
        what = "the servers are out" if self.what == SERVERS else f"{self.what} stop"
        return f"{what} for {'half' if self.what == 'reads' else 'nine tenths'} of that time or more"


def stops_of(reruns: Reruns, verdict: Json, past: FactIndex) -> dict[str, TopicStop]:
    """The check of each topic whose records vanished or are hidden, or which stopped; none if one is lost or doubled.

    The topic of the coordinators has one only where no other is harmed.
    """
    found: dict[str, TopicStop] = {}
    harm = harm_of(verdict)
    topics = [topic for topic in verdict["topics"] if any(harm[topic["topic"]])]
    for topic in [one for one in topics if not one["coordinators"]] or topics:
        if not topic["lost"] and not topic["duplicated"] and _kinds(topic, harm[topic["topic"]]):
            found[topic["topic"]] = _stop(reruns, past, topic, harm[topic["topic"]])
    return found


def _kinds(topic: Json, harm: Harm) -> list[str]:
    """The kinds of harm that a topic has had, first the one that the verdict names (``moment_words``)."""
    is_read = is_readers(topic) and not (topic["deciding"] and goes_on(topic))
    kinds = (*COUNTED, "reads", "writes") if is_read else (*COUNTED, "writes", "reads")
    return [kind for kind in kinds if getattr(harm, kind) and (kind != "hidden" or topic["hidden"])]


def _stop(reruns: Reruns, past: FactIndex, topic: Json, harm: Harm) -> TopicStop:
    """The harm of a topic that the verdict names, and the action without which there is less of it."""
    kind = _kinds(topic, harm)[0]
    amount: int = getattr(harm, kind)
    named = _named(reruns, past, topic["deciding"]["seq"]) if topic["deciding"] else -1
    order = ([named] if named >= 0 else []) + [index for index in reruns.candidates if index != named]
    what = GROUPS if topic["coordinators"] else SERVERS if kind not in COUNTED and not is_used(topic) else kind
    best, least, tried = -1, amount, 0
    for index in order:
        without = reruns.without(index)
        if without is None:
            break
        tried += 1
        found = harm_to(topic["topic"], without)
        left = getattr(found, kind) if kind in found.shown or what in UNUSED else amount
        is_vague = kind == "reads" and index != named
        if _is_clear(left, least, amount, is_vague=is_vague, beside_named=best == named >= 0):
            best, least = index, left
        if not least or (best == named >= 0 and least * ENOUGH <= amount):
            break
    is_named = best == named >= 0
    is_open = tried < len(order) and bool(least) and not is_named
    later = topic["kept_up"] if kind not in COUNTED else None
    holds = not goes_on(topic) or named < 0 or _ends(reruns, topic["topic"], named, harm.waiting)
    if best < 0:
        kept_up = at_words(later) if later is not None else ""
        return TopicStop(what, amount, least, -1, -1, "", is_named, tried, is_open, kept_up, holds)
    entry = reruns.whole.timeline[best]
    text = str(entry.action)
    kept_up = at_words(later) if later is not None and later["t"] != entry.at_us else ""
    place = reruns.place(best)
    return TopicStop(what, amount, least, place, entry.at_us, text, is_named, tried, is_open, kept_up, holds)


def _ends(reruns: Reruns, topic: str, index: int, waiting: frozenset[int]) -> bool:
    """True if a partition that waits does not at the end of a run without an action; False if that is not known."""
    without = reruns.without(index)
    return without is not None and not waiting <= harm_to(topic, without).waiting


def _is_clear(left: int, least: int, amount: int, *, is_vague: bool, beside_named: bool) -> bool:
    """True if an action that leaves so much is the cause, rather than the one that leaves the least so far.

    ``is_vague``: of readers, who wait only where records are. Without any action these come at other moments.
    """
    if beside_named:
        return left * ENOUGH <= least
    return left < least and left * CLEARLY <= amount * (CLEARLY // ENOUGH if is_vague else CLEARLY - 1)


def _named(reruns: Reruns, past: FactIndex, seq: int) -> int:
    """The action that a fact goes back to; -1: none, it was so from the start."""
    fact = past.fact(seq)
    done = past.action(fact)
    if done is None:
        while fact is not None and fact.cause:
            fact = past.fact(fact.cause)
    at_us, text = (done.t, done.text) if done is not None else (fact.t if fact is not None else -1, "")
    for index, entry in enumerate(reruns.whole.timeline):
        if entry.at_us == at_us and (str(entry.action) == text or (not text and reruns.place(index) < 0)):
            return index
    return -1
