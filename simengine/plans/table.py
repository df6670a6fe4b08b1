"""The rows of the table of plans: what each plan costs."""

from typing import Any

from simengine.plans.documents import Plan, PlanDocuments
from simengine.plans.price import price_of
from simengine.plans.story import PlanStory
from simengine.scenario import Document, to_plain
from simengine.world.failovers import failovers
from simengine.world.world import build

Json = dict[str, Any]


def heads_of(plans: dict[str, Plan], documents: PlanDocuments) -> list[Json]:
    """A head for each row, in the order of the plans; ``refused``: why it has no figures, "" if it gets some."""
    return [
        {"plan": key, "title": plan.title, "about": documents.abouts[key], "refused": documents.refused.get(key, "")}
        for key, plan in plans.items()
    ]


def row_of(key: str, plan: Plan, doc: Document) -> Json:
    """Run one plan to its end: its price, its failovers and its document."""
    world = build(doc.model_copy(update={"closing_us": 0}))  # nobody reads its verdict, which takes a third of the time
    story = PlanStory()
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
