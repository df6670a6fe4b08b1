"""The words on skipped records name why the group had no offset to begin at (CON-6, CON-8)."""

from typing import Any

from simengine.world.world import World
from tests.engine.cluster import SECOND, world

LATEST = {"id": "C", "group": "g", "topics": ["t"], "config": {"auto.offset.reset": "latest"}}
TOPICS = [
    {"name": "t", "assignment": [[0, 1]]},
    {"name": "__consumer_offsets", "assignment": [[2]]},
]


def skipped(made: World) -> str:
    """The last sentence on topic t."""
    verdict: Any = made.verdict()
    return str(next(one for one in verdict["topics"] if one["topic"] == "t")["sentence"]).rsplit(". ", 1)[-1]


def test_an_offset_that_went_with_the_coordinators_disk_was_committed() -> None:
    acts = {"10s": "kill 2", "20s": "start 2 empty", "30s": "elect unclean all"}
    timeline = [{"at": at, "do": do} for at, do in acts.items()]
    made = world(topics=TOPICS, producers=[{"id": "P", "topic": "t", "rate": 8}], consumers=[LATEST], timeline=timeline)
    made.run(50 * SECOND)
    said = skipped(made)
    assert said.startswith("C missed "), said
    assert said.endswith(": its committed offset was gone, and auto.offset.reset=latest jumped over them.")
