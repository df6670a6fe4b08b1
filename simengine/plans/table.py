"""The rows of the table of plans: what each plan costs."""

from typing import Any

from simengine.failovers import failovers
from simengine.plans.documents import Plan
from simengine.plans.price import price_of
from simengine.plans.story import Story
from simengine.scenario import Document, to_plain
from simengine.world import build

Json = dict[str, Any]


def row_of(key: str, plan: Plan, doc: Document) -> Json:
    """Run one plan to its end: its price, its failovers and its document."""
    world, story = build(doc), Story()
    story.follow(world, doc.until_us)
    return {
        "plan": key,
        "title": plan.title,
        "about": doc.about,
        **price_of(world, story).plain(),
        "failovers": failovers(world),
        "idle": [f"{doc.timeline[number].action}: {why}" for number, why in sorted(world.without_effect().items())],
        "scenario": to_plain(doc),
    }
