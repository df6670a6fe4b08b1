"""The action that decided a loss: the one without which the same document loses nothing, checked by running it without.

It need be neither the last election nor the last click. Where several actions would do, the latest is named: up to then
nothing was lost yet. Not compiled: it builds worlds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from simengine.scenario.model import Document

CANDIDATES_MAX: Final = 200  # actions tried, latest first
HARMLESS: Final = ("start", "start-rack", "resume", "heal", "send", "rate", "open", "commit", "release")

Lost = Callable[[Document, int], int]


@dataclass(frozen=True, slots=True)
class Decision:
    """An action of the timeline, and what the run loses with and without it."""

    index: int
    at_us: int
    text: str
    lost_with: int
    lost_without: int
    tried: int


def lost_in(doc: Document, until_us: int) -> int:
    """Acknowledged records that a document has lost at a time."""
    from simengine.world import build

    world = build(doc)
    world.run(until_us)
    topics = world.verdict()["topics"]
    assert isinstance(topics, list), "a verdict lists its topics"
    return sum(int(topic["lost"]) for topic in topics)


def without_entry(doc: Document, index: int) -> Document:
    """The same document with one action of its timeline left out."""
    return doc.model_copy(update={"timeline": [e for i, e in enumerate(doc.timeline) if i != index]})


def deciding_action(doc: Document, until_us: int, lost: Lost = lost_in) -> Decision | None:
    """The latest action without which nothing is lost; None if nothing is lost, or no single action decides it."""
    with_all = lost(doc, until_us)
    if with_all == 0:
        return None
    tried = 0
    for index in range(len(doc.timeline) - 1, -1, -1):
        entry = doc.timeline[index]
        if entry.at_us > until_us or entry.action.verb in HARMLESS:
            continue
        if tried == CANDIDATES_MAX:
            return None
        tried += 1
        if lost(without_entry(doc, index), until_us) == 0:
            return Decision(index, entry.at_us, str(entry.action), with_all, 0, tried)
    return None
