"""The rows of the table of plans: what each plan costs."""

from typing import Any

from simengine.plans.documents import Plan, PlanDocuments
from simengine.plans.left_behind import left_behind
from simengine.plans.not_over import not_over
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
    """Run one plan to its end: its price, its failovers, what of them is not over ("" for nothing), its document."""
    world = build(doc.model_copy(update={"closing_us": 0}))  # nobody reads its verdict, which takes a third of the time
    story = PlanStory()
    left = left_behind(world, story, doc.until_us)
    story.follow(world, doc.until_us)
    found = failovers(world)
    return {
        "plan": key,
        "title": plan.title,
        "about": doc.about,
        **price_of(world, story).plain(),
        "left": left,
        "left_range": _left_range(found),
        "failovers": found,
        "not_over": not_over(world, found),
        "idle": [f"{doc.timeline[number].action}: {why}" for number, why in sorted(world.without_effect().items())],
        "scenario": to_plain(doc),
    }


def _left_range(found: list[Json]) -> list[int] | None:
    """The records left behind had the loss come at other moments: p50, p99 and the worst. None without a mirror."""
    if not found or "lag_records" not in found[0]:
        return None
    unmirrored = sum(topic["records"] for topic in found[0]["unmirrored"])
    return [unmirrored + records for records in found[0]["lag_records"]]
