"""The two moments at which a loss is asked about: now, as the document states it, and when all copies are in sync.

A follower outside the ISR is there for a reason that no listing tells: a disk, a limit, a fault. So it stays out "now",
through the whole run (`initial.failed`, FET-17). "When all are in sync" it has come back before the loss. Where every
running copy is in its ISR, the two moments are one. So they are where most controllers are down: nobody joins an ISR
then (AP-3). Brokers that are down stay down at both.
"""

from typing import Final

from simengine.questions.az.causes import has_quorum
from simengine.questions.az.edits import COME_BACK, STAY_OUT, Edits
from simengine.scenario import Document
from simengine.scenario.model import TopicEntry

WORDS: Final = {STAY_OUT: "Now, as pasted", COME_BACK: "When all are in sync"}
RUNNING: Final = "running"


def moments_of(doc: Document, edits: Edits) -> list[str]:
    """The moments that are asked about: STAY_OUT first, where it differs and the reader has not excluded it."""
    if edits.outside == COME_BACK or not outside(doc):
        return [edits.outside]
    if not has_quorum(doc):
        return [STAY_OUT]
    return [STAY_OUT, COME_BACK]


def at_moment(doc: Document, moment: str) -> Document:
    """The cluster at a moment: with STAY_OUT the followers outside the ISR copy nothing, with COME_BACK they all do."""
    out = outside(doc)
    if not out:
        return doc
    held = out if moment == STAY_OUT else {}
    return doc.model_copy(update={"topics": [_held(topic, held) for topic in doc.topics]})


def outside(doc: Document) -> dict[tuple[str, int], list[int]]:
    """The running followers outside the ISR of led partitions, by topic and number; without observers (OBS-1)."""
    runs = {broker.id: True for broker in doc.brokers if broker.state == RUNNING}
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


def _held(topic: TopicEntry, out: dict[tuple[str, int], list[int]]) -> TopicEntry:
    states = {
        number: state.model_copy(update={"failed": out.get((topic.name, number), [])})
        for number, state in topic.initial.items()
    }
    return topic.model_copy(update={"initial": states})
