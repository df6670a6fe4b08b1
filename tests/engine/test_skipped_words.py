"""The words on skipped records name why the group had no offset to begin at (CON-6, CON-8)."""

from pathlib import Path
from typing import Any

from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import SECOND, taken, world
from tests.recount.fates import KINDS, Recount
from tests.swarm.draw import document_of, draw

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


def recounted(made: World) -> tuple[dict[str, Any], Recount]:
    """The verdict on the first topic at the end of a run, and a recount of the same facts."""
    made.trace.keep_kinds(list(KINDS))
    recount = Recount(made)
    made.run(made.doc.until_us)
    recount.feed(taken(made))
    verdict: Any = made.verdict()
    return verdict["topics"][0], recount


def test_records_that_were_lost_later_are_not_missed() -> None:
    """FATE-7: C2 jumps over three records at 17 s. The leader of 19.4 s has others at their offsets."""
    made = build(load(document_of(draw(910012))))
    topic, recount = recounted(made)
    assert any(reader.skipped for reader in made.book.account(0).reading.readers)
    assert recount.reads("C2", 0)["skipped"] == 0
    assert "missed" not in topic["sentence"]


def test_the_figure_counts_what_came_before_a_reader_noticed_a_new_partition() -> None:
    path = Path("tests/scenarios/s54-latest-misses-new-partitions.yaml")
    topic, recount = recounted(build(load(path.read_bytes())))
    skipped = [recount.reads("g", part["partition"])["skipped"] for part in topic["partitions"]]
    assert topic["skipped"] == sum(skipped[2:]) > 100
    assert f"C missed {topic['skipped']} records of t-2 and t-3" in topic["sentence"]
