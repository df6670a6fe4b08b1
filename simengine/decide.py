"""The action that decided a loss: the one without which the same document loses nothing, checked by running it without.

It need be neither the last election nor the last click. Where several actions would do, the latest is named: up to then
nothing was lost yet. Each topic has its own decision, from the same runs. Not compiled: it builds worlds.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

from simengine.scenario.model import Document

CANDIDATES_MAX: Final = 200  # actions tried, latest first
HARMLESS: Final = ("start", "start-rack", "resume", "heal", "send", "rate", "open", "commit", "release")

Lost = Callable[[Document, int], dict[str, int]]


@dataclass(frozen=True, slots=True)
class Decision:
    """An action of the timeline, and what a topic (or the run) loses with and without it."""

    index: int
    at_us: int
    text: str
    lost_with: int
    lost_without: int
    tried: int

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


def lost_in(doc: Document, until_us: int) -> dict[str, int]:
    """Acknowledged records that each topic of a document has lost at a time; topics that lost none are left out."""
    from simengine.world import build

    world = build(doc)
    world.run(until_us)
    topics = world.verdict()["topics"]
    assert isinstance(topics, list), "a verdict lists its topics"
    return {topic["topic"]: int(topic["lost"]) for topic in topics if topic["lost"]}


def without_entry(doc: Document, index: int) -> Document:
    """The same document with one action of its timeline left out."""
    return doc.model_copy(update={"timeline": [e for i, e in enumerate(doc.timeline) if i != index]})


def decisions(doc: Document, until_us: int, lost: dict[str, int], run: Lost = lost_in) -> dict[str, Decision | None]:
    """For each topic that lost records: the latest action without which it loses none; None where no single one is."""
    found: dict[str, Decision | None] = dict.fromkeys(lost)
    tried = 0
    for index in range(len(doc.timeline) - 1, -1, -1):
        if all(found.values()) or tried == CANDIDATES_MAX:
            break
        entry = doc.timeline[index]
        if entry.at_us > until_us or entry.action.verb in HARMLESS:
            continue
        tried += 1
        left = run(without_entry(doc, index), until_us)
        for topic, with_all in lost.items():
            if found[topic] is None and not left.get(topic):
                found[topic] = Decision(index, entry.at_us, str(entry.action), with_all, 0, tried)
    return found


def deciding_action(doc: Document, until_us: int, run: Lost = lost_in) -> Decision | None:
    """The latest action without which the run loses nothing; None if nothing is lost, or no single one decides it."""
    lost = run(doc, until_us)
    if not lost:
        return None
    whole = decisions(doc, until_us, {"": sum(lost.values())}, lambda d, t: {"": sum(run(d, t).values())})
    return whole[""]
