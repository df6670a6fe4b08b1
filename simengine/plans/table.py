"""The plans of a document run one after the other, and what each costs beside the others."""

from typing import Any

from simengine.failovers import failovers
from simengine.plans.documents import WAYS, Times, ways_back
from simengine.plans.price import price_of
from simengine.plans.story import Story
from simengine.scenario import Document, to_plain
from simengine.world import build

Json = dict[str, Any]


def row_of(key: str, doc: Document) -> Json:
    """One plan, run to its end: its price, what its failovers came to, and its document."""
    world, story = build(doc), Story()
    story.follow(world, doc.until_us)
    return {
        "plan": key,
        "title": WAYS[key][0],
        "about": doc.about,
        **price_of(world, story).plain(),
        "failovers": failovers(world, world.verdict()),
        "idle": [f"{doc.timeline[number].action}: {why}" for number, why in sorted(world.without_effect().items())],
        "scenario": to_plain(doc),
    }


def table(doc: Document, source: str, target: str, times: Times) -> list[Json]:
    """A row for each plan that the document can follow. Raises FieldError or DocumentError."""
    return [row_of(key, plan) for key, plan in ways_back(doc, source, target, times).items()]
