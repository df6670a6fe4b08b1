"""The sentence on a cluster of many topics: stated by the run as it goes, and the same in the whole verdict."""

from typing import Any

import pytest

from simengine.facts.kinds import CLUSTER_VERDICT_CHANGED
from simengine.facts.schema import FIGURES
from simengine.scenario import load
from simengine.verdict.sentence import NOTHING_YET
from simengine.verdict.whole import WholeFigures
from simengine.world.world import World, build
from tests.engine.cluster import SECOND, THREE_BROKERS

TOPICS = (
    THREE_BROKERS
    + """
topics:
ROWS
producers:
PRODUCERS
consumers: [{id: reader, topics: [t0], group: g}]
timeline: [{at: 10s, do: kill 1}, {at: 60s, do: start 1}]
"""
)


def cluster(acks: list[str]) -> World:
    """A topic for each acks: with "1" only broker 1 has it."""
    names = [(f"t{i}", mode) for i, mode in enumerate(acks)]
    rows = [f"  - {{name: {name}, assignment: [{'[1]' if mode == '1' else '[1, 2, 3]'}]}}" for name, mode in names]
    producers = [f'  - {{id: {name}-p, topic: {name}, rate: 20, acks: "{mode}"}}' for name, mode in names]
    text = TOPICS.replace("ROWS", "\n".join(rows)).replace("PRODUCERS", "\n".join(producers))
    return build(load(text.encode()))


def whole(*topics: dict[str, int], modes: str = "") -> str:
    said = WholeFigures()
    for i, some in enumerate(topics):
        figures = {**dict.fromkeys(FIGURES, 0), "acked": 50, **some}
        said.add(figures, is_all=modes[i : i + 1] != "1")
    return said.sentence()


@pytest.mark.parametrize(
    ("topics", "modes", "words"),
    [
        ([{"lost": 3}, {}, {}], "", "3 acknowledged records are gone in 1 topic."),
        ([{"lost": 3}, {"lost": 1}], "", "4 acknowledged records are gone."),
        (
            [{"lost": 1}, {"waiting": 2, "waiting_1": 2}, {}],
            "",
            "1 acknowledged record is gone in 1 topic. 2 of 3 topics keep working.",
        ),
        (  # a producer of a topic whose creation was refused waits: no server calls its partitions stopped
            [{"lost": 1}, {"client_waits_us": 5 * SECOND}, {}],
            "",
            "1 acknowledged record is gone in 1 topic. 2 of 3 topics keep working.",
        ),
        (
            [{"lost": 3, "recovered": 1, "lost_again": 1}, {"lost": 1}, {}],
            "",
            "2 acknowledged records are gone in 2 topics. 1 more came back: the application sent it again.",
        ),
        (
            [{"lost": 3, "recovered": 3}, {"waiting": 1}, {}],
            "",
            "3 acknowledged records were lost in 1 topic and came back: the application sent them again. "
            "2 of 3 topics keep working.",
        ),
        ([{"duplicated": 2}, {}], "", "2 records exist more than once."),
        (
            [{"duplicated": 2}, {"by_application": 3}, {"waiting": 1}],
            "",
            "5 records exist more than once, 3 of them because the application sent them again. "
            "2 of 3 topics keep working.",
        ),
        (
            [{"waiting": 3, "waiting_1": 1}, {}],
            "",
            "Writes to 1 partition wait for a leader and with acks=all to 2 partitions wait for members of the ISR. "
            "1 of 2 topics keeps working.",
        ),
        (
            [{"stopped_all": 1}, {"waiting": 1}],
            "1",
            "Writes with acks=all to 1 partition wait for members of the ISR. 1 of 2 topics keeps working.",
        ),
        ([{"waiting": 9, "waiting_1": 9}], "", "Writes to 9 partitions wait for a leader. No topic works as a whole."),
        (
            [{"hidden": 1, "unreadable": 1}, {}],
            "",
            "1 acknowledged record cannot be read. 1 of 2 topics keeps working.",
        ),
        (
            [{"hidden": 2, "unreadable": 2}, {"waiting": 1, "waiting_1": 1}],
            "",
            "2 acknowledged records cannot be read. Writes to 1 partition wait for a leader. "
            "No topic works as a whole.",
        ),
        (
            [{"write_down_all_us": 9 * SECOND}, {"write_down_all_us": 4 * SECOND}],
            "",
            "Nothing acknowledged was lost. No send() waited longer than 1 s. By the servers' record a partition took "
            "no acks=all writes for up to 9.0 s.",
        ),
        (
            [{"write_down_all_us": 19 * SECOND}, {"write_down_client_us": 14 * SECOND, "write_same_us": 9 * SECOND}],
            "",
            "Nothing acknowledged was lost. Writes stood still for up to 14.0 s (9.0 s by the servers).",
        ),
        (  # in brackets stands what is of the longest stop, which another topic had
            [
                {"write_down_client_us": 14 * SECOND, "write_same_us": SECOND, "write_down_all_us": SECOND},
                {"write_down_client_us": 9 * SECOND, "write_same_us": 8 * SECOND, "write_down_all_us": 8 * SECOND},
            ],
            "",
            "Nothing acknowledged was lost. Writes stood still for up to 14.0 s (1.0 s by the servers).",
        ),
        (
            [{"read_down_us": 2 * SECOND}],
            "",
            "Nothing acknowledged was lost. No send() waited longer than 1 s. By the servers' record a partition could "
            "not be read for up to 2.0 s.",
        ),
        ([{"lost_before": 3}, {}], "", "3 records from before the run are gone in 1 topic."),
        (
            [{"coordinators": 50, "groups_down": 17, "stopped_1": 17, "stopped_all": 17, "waits_all_us": SECOND}, {}],
            "",
            "No group of 17 of the 50 coordinator partitions can join or commit: they have no working leader. "
            "1 of 2 topics keeps working.",
        ),
        (
            [{"longest_wait_us": 2 * SECOND}],
            "",
            "Nothing acknowledged was lost. A send() waited 2.0 s for its response "
            "(the topics themselves stayed writable).",
        ),
        ([{"refused": 2}], "", "Nothing acknowledged was lost. 2 send() calls failed."),
        ([{"handed_over": 9, "vanished": 2}, {}], "1", "9 records were handed over with acks=0: 2 vanished."),
        ([{}, {}], "", "Nothing was lost and nothing stopped."),
        ([{"acked": 0}], "", NOTHING_YET),
    ],
)
def test_the_gravest_true_fact_on_all_topics_is_said(topics: list[dict[str, int]], modes: str, words: str) -> None:
    assert whole(*topics, modes=modes) == words


def test_a_run_of_many_topics_states_what_they_come_to_and_the_whole_verdict_says_the_same() -> None:
    """Kafka's own topic, which no document names, is not counted."""
    world = cluster(["all", "all", "1", "all"])
    seen: list[str] = []
    for second in range(1, 90):
        world.run(second * SECOND)
        verdict: Any = world.verdict()
        said = world.snapshot()["sentence"]
        assert said == verdict["sentence"], second
        seen.append(str(said))
    waits = "Writes to 1 partition wait for a leader. 3 of 4 topics keep working."
    assert f"200 acknowledged records cannot be read. {waits}" in seen
    assert seen[0] == "Nothing was lost and nothing stopped."
    assert seen[-1].startswith("Nothing acknowledged was lost. Writes stood still for up to ")
    facts = [fact.words for fact in world.trace.decisive if fact.kind == CLUSTER_VERDICT_CHANGED]
    assert len(facts) == len({*facts}), "each sentence is stated once"


def test_topics_that_are_told_one_by_one_have_no_sentence_on_all_of_them() -> None:
    world = cluster(["all", "1", "all"])
    world.run(30 * SECOND)
    assert world.snapshot()["sentence"] == ""
    assert not any(fact.kind == CLUSTER_VERDICT_CHANGED for fact in world.trace.decisive)
