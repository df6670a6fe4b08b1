"""No figure of the run shows what a sentence of the verdict denies: random documents, and sentences that are false."""

import re
from typing import Any

import pytest

from simengine import engine_form
from simengine.explain.examine import why
from simengine.explain.fact_index import FactIndex
from simengine.facts.kinds import PROCESS_DOWN
from simengine.scenario import load
from simengine.verdict.sentence import NOTHING_WRONG
from simengine.world.world import World, build
from tests.engine.cluster import SECOND, world
from tests.engine.test_last_copies import CANCELLED
from tests.engine.test_recount import mixed
from tests.invariants.violation import Violation
from tests.recount.rows import Rows
from tests.swarm.denied import NOTHING_YET, Denied
from tests.swarm.draw import document_of, draw
from tests.swarm.size import seeds

IS_COMPILED = engine_form() == "compiled"
RUNS = 120 if IS_COMPILED else 24
SEEDS = seeds(RUNS)
UNTIL_US = 40 * SECOND  # of a drawn document: its first faults


def watched(run: World, until_us: int) -> Denied:
    """A run up to a moment, read by the recount."""
    denied = Denied(run)
    rows = Rows(run, [denied.readers])
    run.run(until_us)
    rows.read()
    return denied


@pytest.mark.parametrize("seed", SEEDS)
def test_no_sentence_of_a_random_run_denies_what_its_facts_show(seed: int) -> None:
    run = build(load(document_of(mixed(draw(seed)))))
    denied = Denied(run)
    rows = Rows(run, [denied.readers])
    until = min(run.doc.until_us, UNTIL_US)
    for at in (until // 2, until):
        run.run(at)
        rows.read()
        denied.check()


def says(denied: Denied, sentence: str, **figures: Any) -> str:
    """The objection of the recount to a sentence on the first topic; "" for none."""
    verdict: Any = denied._world.verdict()
    topic = {**verdict["topics"][0], "sentence": sentence, "severity": "warn", "deciding": None, **figures}
    try:
        denied.check_topic(topic, denied.counted([0]))
    except Violation as violation:
        return str(violation)
    return ""


def test_a_topic_whose_last_copies_were_deleted_is_not_said_to_have_lost_nothing() -> None:
    denied = watched(build(load(CANCELLED.encode())), 50 * SECOND)
    denied.check()
    assert "10 records that no log holds" in says(denied, "Nothing lost yet. Writes wait.")
    assert "later event that it goes back to" in says(
        denied, "10 acknowledged records are gone.", deciding={"t": 45 * SECOND, "text": "an election"}
    )


def killed(**document: Any) -> Denied:
    return watched(world(timeline=[{"at": "3s", "do": "kill 0"}], **document), 20 * SECOND)


def test_a_topic_whose_producer_waited_is_not_said_not_to_have_stopped() -> None:
    denied = killed(producers=[{"id": "P", "topic": "t", "rate": 10}])
    denied.check()
    for sentence in (NOTHING_WRONG, "By the servers writes stopped for 9.0 s; no send() waited longer than 1 s."):
        assert "us that a send() waited" in says(denied, sentence)
    assert "acknowledged records" in says(denied, NOTHING_YET)
    assert "us that a send() waited" in says(denied, "Nothing acknowledged was lost.", severity="ok")


def test_a_topic_whose_leader_lacks_records_is_not_said_to_have_lost_nothing() -> None:
    denied = killed(producers=[{"id": "P", "topic": "t", "rate": 200, "acks": 1}], network={"latency": "50ms"})
    denied.check()
    assert "that the leader's log lacks" in says(denied, "Nothing acknowledged was lost.")


def test_a_topic_with_records_above_the_high_watermark_is_not_praised() -> None:
    """HW-2: two of three are down, and min.insync.replicas is 2."""
    denied = watched(
        world(
            producers=[{"id": "P", "topic": "t", "rate": 10, "acks": 1}],
            timeline=[{"at": "3s", "do": "kill 1"}, {"at": "3s", "do": "kill 2"}],
        ),
        20 * SECOND,
    )
    denied.check()
    assert "above the high watermark" in says(denied, "Nothing acknowledged was lost.", severity="ok")


def test_a_topic_whose_reader_waited_is_not_said_not_to_have_stopped() -> None:
    """FLT-4: it is cut off from the leader for 8 s; the producer is not."""
    denied = watched(
        world(
            producers=[{"id": "P", "topic": "t", "rate": 10, "acks": 1}],
            consumers=[{"id": "C", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}],
            timeline=[{"at": "5s", "do": "cut C|0"}, {"at": "13s", "do": "heal"}],
        ),
        30 * SECOND,
    )
    denied.check()
    assert "us from an append to its reader" in says(denied, NOTHING_WRONG)


def test_a_topic_whose_reader_still_waits_is_not_said_not_to_have_stopped() -> None:
    """FLT-4: its reader is cut off from the leader and nothing is delivered any more."""
    denied = watched(
        world(
            producers=[{"id": "P", "topic": "t", "rate": 10, "acks": 1}],
            consumers=[{"id": "C", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}],
            timeline=[{"at": "5s", "do": "cut C|0"}],
        ),
        20 * SECOND,
    )
    denied.check()
    assert "us from an append to its reader" in says(denied, NOTHING_WRONG)


MANY = [{"name": name, "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}} for name in "tuvw"]


def test_the_sentence_on_all_topics_is_held_against_each_of_them() -> None:
    """PROD-3: one of four topics is written with acks=1 and loses records, and its producer waits for a new leader."""
    denied = killed(
        topics=MANY, producers=[{"id": "P", "topic": "t", "rate": 200, "acks": 1}], network={"latency": "50ms"}
    )
    denied.check()
    own = [denied.counted([p]) for p in range(len(MANY))]
    with pytest.raises(Violation, match="that the leader's log lacks"):
        denied.check_whole("Nothing acknowledged was lost.", [], own)
    with pytest.raises(Violation, match=r"us that a send\(\) waited"):
        denied.check_whole("1 acknowledged record is gone; no send() waited longer than 1 s.", [], own)
    with pytest.raises(Violation, match="groups without committed offsets"):
        denied.check_whole("Nothing acknowledged was lost.", [{"groups_lost_names": ["g"]}], own[1:])
    denied.check_whole(NOTHING_WRONG, [{"groups_lost_names": []}], own[1:])
    with pytest.raises(Violation, match="that the leader's log lacks"):  # few topics: the gravest speaks for all
        denied.check_whole("u: Nothing acknowledged was lost.", [], own[:2])
    denied.check_whole("u: No send() waited longer than 1 s; by the servers writes stopped for 2.0 s.", [], own[:2])


LOSING = seeds(60 if IS_COMPILED else 8)


@pytest.mark.parametrize("seed", LOSING)
def test_no_story_of_a_random_run_contradicts_its_facts(seed: int) -> None:
    """A broker that acknowledges is up; a loss is counted once; there is none that the rules forbid."""
    run = build(load(document_of(mixed(draw(seed)))))
    until = min(run.doc.until_us, UNTIL_US)
    run.run(until)
    found = why(run, until, {}, True)
    past = FactIndex(run.trace.decisive)
    for chain in found["chains"]:
        for link in chain["links"]:
            who = re.match(r"broker (\d+)\b.* acknowledged ", link["text"]) if link["role"] == "acked" else None
            if who is not None:
                assert past.process(int(who[1]), link["seq"])[0] != PROCESS_DOWN, link
        assert chain["links"][-1]["t"] <= until
    lost = sum(chain["count"] + sum(other["count"] for other in chain["alike"]) for chain in found["chains"])
    counted = sum(incident["rpo"]["all"] + incident["rpo"]["1"] for incident in found["incidents"])
    assert counted <= lost
