"""The result of a run without an action, or with one a bit sooner: found by running the document again.

The action that decided a loss is the one without which the same document loses nothing. It need be neither the last
election nor the last click. Where several actions would do, the latest is named that came before the loss: a later one
only keeps records from coming back. Each topic has its own decision, from the same runs. What the fault model draws is
tried like what the timeline says. Not compiled: it builds worlds.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from heapq import merge
from itertools import takewhile
from typing import Any, Final, NamedTuple

from simengine.explain.lost_calls import LostAt, Records, count, lost_calls, of_topic
from simengine.kernel.random import Stream
from simengine.kernel.site import SEPARATOR
from simengine.kernel.titles import split_title
from simengine.scenario.action_words import NodeName, inside
from simengine.scenario.actions import Action, is_emptied
from simengine.scenario.model import Document, Faults, TimelineEntry
from simengine.scenario.parts import parts_of
from simengine.scenario.problems import FieldError
from simengine.scenario.sites import WorldNames
from simengine.scenario.verb import REPAIR, USE
from simengine.scenario.verbs import verbs_of, with_trait
from simengine.verdict.words import read_down_us, write_down_us
from simengine.world.faults import STREAM, UNDO
from simengine.world.world import build

RUNS_MAX: Final = 200  # made for one document
HARMLESS: Final = (*with_trait(REPAIR), *with_trait(USE))
MAKERS: Final = (*verbs_of("new_topic"), "partitions")  # of topics and partitions that later actions name
SHOWN_BY: Final = {  # a kind of harm, and the figure without which a run could not have had it
    "lost": "acked",
    "hidden": "acked",
    "vanished": "handed_over",
    "writes": "calls",
    "reads": "delivered",
}


class Harm(NamedTuple):
    """The harm of a topic: records lost, records that cannot be read, times without writes and reads in us.

    ``vanished``: records that were handed over with acks=0 and are in no leader's log.

    ``hidden``: records above the high watermark, and all records where there has been no leader for longer than theta.
    ``records``: those that are lost, named so that another run's can be compared with them. ``shown``: the kinds of
    harm that the run could have had. A run in which a reader got no record does not show that reads went on.
    ``waiting``: the partitions whose calls wait at the end, and the coordinators that are out.
    """

    lost: int = 0
    hidden: int = 0
    writes: int = 0
    reads: int = 0
    records: Records = {}
    vanished: int = 0
    shown: tuple[str, ...] = tuple(SHOWN_BY)
    waiting: frozenset[int] = frozenset()


Run = Callable[[Document, int], dict[str, Harm]]


@dataclass(frozen=True, slots=True)
class Decision:
    """An action, and what a topic (or the run) loses with and without it.

    ``index``: its place in the timeline, -1 for a failure that the fault model drew.
    """

    index: int
    at_us: int
    text: str
    lost_with: int
    lost_without: int
    tried: int

    def plain(self) -> dict[str, Any]:
        """As JSON has it; ``without``: how the check left the action out."""
        return {**asdict(self), "without": without_it(self.text)}


def harm_of(verdict: dict[str, Any]) -> dict[str, Harm]:
    """The harm of each topic of a verdict."""
    return {one["topic"]: _harm_to(one) for one in verdict["topics"]}


def _harm_to(topic: dict[str, Any]) -> Harm:
    lost, hidden, vanished = (int(topic[key]) for key in ("lost", "unreadable", "vanished"))
    shown = tuple(kind for kind, figure in SHOWN_BY.items() if topic[figure])
    waiting = frozenset(number for number, one in enumerate(topic["partitions"]) if one["waits"])
    return Harm(lost, hidden, write_down_us(topic), read_down_us(topic), {}, vanished, shown, waiting)


def harm_to(topic: str, harm: dict[str, Harm]) -> Harm:
    """The harm of a topic in a rerun. The topic may still be there in it, though it was deleted in the run."""
    name, behind = split_title(topic)
    none = Harm(shown=())
    if topic in harm or not behind:
        return harm.get(topic, none)
    still = harm.get(name, none)
    return still._replace(records={(topic, *key[1:]): spans for key, spans in still.records.items()})


def harm_in(doc: Document, until_us: int) -> dict[str, Harm]:
    """The harm of each topic of a document at a time."""
    world = build(doc)
    world.run(until_us)
    records = lost_calls(world)
    harm = harm_of(world.verdict())
    return {topic: one._replace(records=of_topic(records, topic)) for topic, one in harm.items()}


def harm_in_all(doc: Document, until_us: int) -> dict[str, Harm]:
    """The acknowledged records that a document has lost at a time, all topics as one that is called ""."""
    found = harm_in(doc, until_us)
    records = {key: spans for harm in found.values() for key, spans in harm.records.items()}
    shown = tuple(dict.fromkeys(kind for harm in found.values() for kind in harm.shown))
    return {"": Harm(sum(harm.lost for harm in found.values()), records=records, shown=shown)}


def lost_in(doc: Document, until_us: int) -> dict[str, int]:
    """Acknowledged records that each topic of a document has lost at a time; topics that lost none are left out."""
    return {topic: harm.lost for topic, harm in harm_in(doc, until_us).items() if harm.lost}


def may_harm(action: Action) -> bool:
    """True if an action is worth trying to leave out."""
    return action.verb not in HARMLESS or is_emptied(*action)  # the copy is gone


def with_its_disk(args: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments of a start without what became of the disk before."""
    return (args[0], *args[2:]) if is_emptied("start", args) else args


def without_entry(doc: Document, index: int) -> Document:
    """The same document with one action of its timeline left out; a broker whose disk was emptied has its own.

    What is done later to a topic or a partition that the action would have made is left out with it.
    """
    entry = doc.timeline[index]
    own: list[TimelineEntry] = []
    if entry.action.verb == "start":
        own = [entry.model_copy(update={"action": Action("start", with_its_disk(entry.action.args))})]
    made = doc.model_copy(update={"timeline": [*doc.timeline[:index], *own, *doc.timeline[index + 1 :]]})
    return _of_what_there_is(made) if entry.action.verb in MAKERS else made


def _of_what_there_is(doc: Document) -> Document:
    """The document without actions that name what it does not have."""
    names = WorldNames(parts_of(doc))
    kept: list[TimelineEntry] = []
    for entry in doc.timeline:
        try:
            names.check(entry.action)
        except FieldError:
            continue
        names.add(entry.action)
        kept.append(entry)
    return doc.model_copy(update={"timeline": kept})


def written_out(doc: Document, until_us: int) -> Document:
    """The same document with the failures that its fault model draws up to a time as actions of its timeline.

    So each can be left out like any other action: the rest keep their moments, as every broker has a stream of its own.
    """
    if doc.faults is None:
        return doc
    drawn = takewhile(lambda entry: entry.at_us <= until_us, drawn_failures(doc))
    timeline = sorted([*doc.timeline, *drawn], key=lambda entry: entry.at_us)
    return doc.model_copy(update={"faults": None, "timeline": timeline})


def drawn_failures(doc: Document) -> Iterator[TimelineEntry]:
    """The failures and repairs that the fault models of all clusters draw, as actions in the order of time.

    They may have no end.
    """
    drawn = [
        _of_broker(doc, part.faults, f"{name}{SEPARATOR}" if name else "", broker.id)
        for name, part in parts_of(doc).items()
        if part.faults is not None
        for broker in part.brokers
    ]
    return merge(*drawn, key=lambda entry: entry.at_us)


def _of_broker(doc: Document, faults: Faults, prefix: str, broker: int) -> Iterator[TimelineEntry]:
    stream = Stream(doc.seed, f"{prefix}broker {broker}", STREAM)
    at_us, is_down = 0, False
    while True:
        at_us += 1 + int(stream.exponential(faults.broker_mttr_us if is_down else faults.broker_mttf_us))
        if not is_down and faults.until_us is not None and at_us > faults.until_us:
            return
        verb = UNDO[faults.kind] if is_down else faults.kind
        yield TimelineEntry.model_construct(at_us=at_us, action=Action(verb, (f"{prefix}{broker}",)))
        is_down = not is_down


def sooner(doc: Document, entry: TimelineEntry, at_us: int) -> Document:
    """The document with an action of its timeline at a sooner moment as well; its own then changes nothing."""
    moved = entry.model_copy(update={"at_us": at_us})
    return doc.model_copy(update={"timeline": sorted([*doc.timeline, moved], key=lambda one: one.at_us)})


class Reruns:
    """Runs a document without one action or the other, each at most once for all questions, RUNS_MAX in all.

    ``candidates``: the actions worth leaving out, by their places in the ``whole`` timeline, latest first.
    """

    def __init__(self, doc: Document, until_us: int, run: Run = harm_in, most: int = RUNS_MAX) -> None:
        self.whole = written_out(doc, until_us)
        entries = enumerate(self.whole.timeline)
        self.candidates = [i for i, entry in entries if entry.at_us <= until_us and may_harm(entry.action)][::-1]
        self._places = {id(entry): index for index, entry in enumerate(doc.timeline)}
        self._until_us = until_us
        self._run = run
        self._most = most
        self._made: dict[int, dict[str, Harm]] = {}

    def without(self, index: int) -> dict[str, Harm] | None:
        """The harm of each topic without an action; None: no more runs are made."""
        if index not in self._made and len(self._made) < self._most:
            self._made[index] = self._run(without_entry(self.whole, index), self._until_us)
        return self._made.get(index)

    def place(self, index: int) -> int:
        """The place of an action in the document's own timeline, -1 for a failure that the fault model drew."""
        return self._places.get(id(self.whole.timeline[index]), -1)


def decisions(reruns: Reruns, lost: list[LostAt], topics: Iterable[str]) -> dict[str, Decision | None]:
    """For each topic that lost records: the latest action without which it loses none; None where no single one is.

    Of the actions up to the first loss. ``topics``: "" for the whole run.
    """
    found: dict[str, Decision | None] = dict.fromkeys(topics)
    mine = {topic: [(at_us, of_topic(records, topic)) for at_us, records in lost] for topic in found}
    first_us = {topic: min((at_us for at_us, records in some if records), default=-1) for topic, some in mine.items()}
    tried = 0
    for index in reruns.candidates:
        entry = reruns.whole.timeline[index]
        open_ = [topic for topic, one in found.items() if one is None and entry.at_us <= first_us[topic]]
        if not open_:
            continue
        left = reruns.without(index)
        if left is None:
            break
        tried += 1
        for topic in open_:
            harm = harm_to(topic, left)
            if not harm.lost and "lost" in harm.shown:
                with_it = sum(count(records) for _, records in mine[topic])
                found[topic] = Decision(reruns.place(index), entry.at_us, str(entry.action), with_it, 0, tried)
    return found


def without_it(text: str) -> str:
    """The words on what a check left out: an action, or of a start with an empty disk that it was emptied."""
    return "With its disk kept" if _is_emptied(text) else "Without it"


def without_words(at_us: int, text: str, name: NodeName) -> str:
    """``without the action at 9.000 s (broker 2 is killed)``, as a check left it out."""
    what = f"the action at {at_us / 1e6:.3f} s ({inside(text, name)})"
    return f"with the disk kept in {what}" if _is_emptied(text) else f"without {what}"


def _is_emptied(text: str) -> bool:
    verb, *args = text.split(" ")
    return is_emptied(verb, args)
