"""The two moments at which a loss is asked about: now, as the document states it, and when all copies are in sync.

A follower outside the ISR is there for a reason that no listing tells: a disk, a limit, a fault. So it stays out "now",
through the whole run (`initial.failed`, FET-17). So does a broker that is fenced: it reaches no controller (LIVE-4).
"When all are in sync" they have come back before the loss. Where no broker is fenced and every running copy is in its
ISR, the two moments are one. So they are where most controllers are down: nobody joins an ISR then (AP-3). Brokers that
are down stay down at both.
"""

from typing import Final

from simengine.questions.az.causes import has_quorum
from simengine.questions.az.edits import COME_BACK, STAY_OUT, Edits
from simengine.scenario import Action, Document
from simengine.scenario.model import TimelineEntry, TopicEntry

WORDS: Final = {STAY_OUT: "Now, as pasted", COME_BACK: "When all are in sync"}
DOWN: Final = "down"
FENCED: Final = "fenced"


def moments_of(doc: Document, edits: Edits) -> list[str]:
    """The moments that are asked about: STAY_OUT first, where it differs and the reader has not excluded it."""
    if edits.outside == COME_BACK or not is_sick(doc):
        return [edits.outside]
    if not has_quorum(doc):
        return [STAY_OUT]
    return [STAY_OUT, COME_BACK]


def at_moment(doc: Document, moment: str) -> Document:
    """The cluster at a moment: with STAY_OUT the followers outside the ISR copy nothing, with COME_BACK they all do.

    With STAY_OUT the fenced brokers are cut from the controllers too, and so stay fenced.
    """
    if not is_sick(doc):
        return doc
    held = outside(doc) if moment == STAY_OUT else {}
    topics = [_held(topic, held) for topic in doc.topics]
    return doc.model_copy(update={"topics": topics, "timeline": [*_cuts(doc, moment), *doc.timeline]})


def is_sick(doc: Document) -> bool:
    """True if the two moments differ: a broker is fenced, or a running follower is outside the ISR."""
    return bool(_fenced(doc) or outside(doc))


def outside(doc: Document) -> dict[tuple[str, int], list[int]]:
    """The followers outside the ISR of led partitions, by topic and number; without observers (OBS-1).

    Their processes run; fenced brokers have such.
    """
    runs = {broker.id: True for broker in doc.brokers if broker.state != DOWN}
    found: dict[tuple[str, int], list[int]] = {}
    for topic in doc.topics:
        for number, replicas in zip(topic.numbers, topic.assignment, strict=True):
            state = topic.initial.get(number)
            if state is None or state.leader < 0:
                continue
            inside = [*state.isr, *topic.observers]
            out = [broker for broker in replicas if broker in runs and broker not in inside]
            if out:
                found[topic.name, number] = out
    return found


def _fenced(doc: Document) -> list[int]:
    return [broker.id for broker in doc.brokers if broker.state == FENCED]


def _cuts(doc: Document, moment: str) -> list[TimelineEntry]:
    """The cut that keeps fenced brokers fenced; none where they come back."""
    fenced = _fenced(doc) if moment == STAY_OUT else []
    if not fenced:
        return []
    sides = [",".join(map(str, ids)) for ids in (fenced, [one.id for one in doc.controllers])]
    return [TimelineEntry.model_construct(at_us=0, action=Action("cut", ("|".join(sides),)))]


def _held(topic: TopicEntry, out: dict[tuple[str, int], list[int]]) -> TopicEntry:
    states = {
        number: state.model_copy(update={"failed": out.get((topic.name, number), [])})
        for number, state in topic.initial.items()
    }
    return topic.model_copy(update={"initial": states})
