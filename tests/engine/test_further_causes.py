"""Stops with a second cause beside the event that began them, and the waits of the reader that got nothing."""

import re
from typing import Any

import pytest

from simengine.commands.run import verdict_lines
from simengine.explain.examine import examine
from simengine.explain.fact_index import FactIndex
from simengine.explain.longest_stop import READER
from simengine.explain.phases import DETECT
from simengine.explain.reader_waits import POSITION, reader_waits
from simengine.facts.decisive import PartitionChanged
from simengine.scenario import load
from simengine.verdict.moment_words import moment_words
from simengine.world.world import World, build
from tests.engine.cluster import SECOND

THREE = """
format: 1
until: 60s
seed: 3
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: LEAST}}]
producers: [{id: A, topic: t, acks: all, rate: 10}]
consumers: [{id: C, group: g, topics: [t]}]
timeline:
"""
OFFSETS = """
format: 1
until: 90s
seed: 3
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[2]]}, {name: __consumer_offsets, assignment: [[0, 1]]}]
producers: [{id: A, topic: t, acks: all, rate: 10}]
consumers: [{id: C, group: g, topics: [t]}]
timeline:
  - {at: 12s, do: kill 1}
  - {at: 13s, do: kill 0}
  - {at: 40s, do: start 0 empty}
  - {at: 60s, do: start 1}
"""
DELETED = """
format: 1
until: 40s
seed: 3
cluster: {brokers: [0, 1], controllers: [100]}
topics: [{name: t, assignment: [[0]]}, {name: u, assignment: [[1]]}]
producers: [{id: Q, topic: t, acks: 1, rate: 10}]
timeline:
"""


def run(text: str, *actions: tuple[str, str], least: int = 2) -> World:
    """The whole run of a document with some actions."""
    timeline = "".join(f"  - {{at: {at}, do: {do}}}\n" for at, do in actions)
    world = build(load((text.replace("LEAST", str(least)) + timeline).encode()))
    world.run(world.doc.until_us)
    return world


def topic_of(world: World, name: str = "t") -> dict[str, Any]:
    """The verdict on a topic."""
    verdict: Any = world.verdict()
    found: dict[str, Any] = next(one for one in verdict["topics"] if one["topic"] == name)
    return found


def test_a_stop_that_slow_fetches_began_and_a_power_loss_kept_up_names_both() -> None:
    said = moment_words(topic_of(run(THREE, ("8s", "slow 0 serving 5"), ("14s", "power-loss 0"))))
    assert ", caused by what happened at 8.000 s: broker 0 served fetches with at most 5 records/s" in said
    assert said.endswith("; kept up by what happened at 14.000 s: Broker 0 loses power")


def test_the_check_of_a_stop_stands_beside_what_kept_it_up() -> None:
    """Without either action the other one stops the reader as long."""
    text = THREE.replace("LEAST", "2") + "  - {at: 8s, do: slow 0 serving 5}\n  - {at: 14s, do: power-loss 0}\n"
    doc = load(text.encode())
    stop: Any = examine(doc, doc.until_us)["stops"]["t"]
    assert (stop["text"], stop["kept_up"]) == ("", "14.000 s: Broker 0 loses power")


def test_a_second_death_that_keeps_writes_out_is_named_beside_the_first() -> None:
    said = moment_words(topic_of(run(THREE, ("8s", "pause 2"), ("14s", "kill 0"), least=1)))
    assert ", caused by what happened at 8.000 s: broker 2 was paused; kept up by what happened at 14.000 s: " in said


@pytest.mark.parametrize(
    "actions",
    [
        (("8s", "kill 0"),),
        (("8s", "kill 0"), ("40s", "pause 2"), ("44s", "resume 2")),  # the longest stop is over
        (("8s", "kill 0"), ("9s", "kill 100"), ("12s", "start 100")),  # the controllers are nobody's write path
        (("8s", "kill 0"), ("8s", "kill 2"), ("20s", "start 2")),  # a repair
    ],
)
def test_a_stop_of_one_cause_names_no_other(actions: tuple[tuple[str, str], ...]) -> None:
    found = topic_of(run(THREE, *actions))
    assert found["deciding"]["t"] == 8 * SECOND
    assert "kept up" not in moment_words(found)


def test_what_kept_up_a_longer_stop_before_is_not_said_of_the_one_that_goes_on() -> None:
    before = ("8s", "slow 0 serving 5"), ("14s", "power-loss 0"), ("36s", "start 0"), ("36s", "slow 0 serving off")
    said = moment_words(topic_of(run(THREE, *before, ("56s", "kill 1"), ("56s", "kill 2"))))
    assert said.startswith("the stop that goes on is kept up by what happened at 56.000 s: ")
    assert "also by" not in said


def test_lost_offsets_and_the_stop_of_groups_have_a_cause_each() -> None:
    """CON-6: the empty broker leads at 62 s; from 12 s on no commit was stored."""
    found = topic_of(run(OFFSETS), "__consumer_offsets")
    assert found["groups_lost"] == 1
    assert found["groups_down_us"] > 45 * SECOND
    said = moment_words(found)
    assert said.startswith("the offsets were lost by what happened at 62.")
    assert said.endswith("; the longest stop of groups was caused by what happened at 12.000 s: broker 1 died")


def test_records_of_a_topic_that_was_deleted_before_it_had_a_leader_again_were_undecided() -> None:
    """Nothing of it is lost or kept: nobody will ever know."""
    doc = load((DELETED + "  - {at: 5s, do: kill 0}\n  - {at: 20s, do: delete t}\n").encode())
    (incident,) = examine(doc, doc.until_us)["incidents"]
    assert incident["words"][0] == (
        "RPO: 50 acknowledged records were undecided: topic t was deleted at 20.019 s while it had no leader"
    )
    led = load(
        (DELETED + "  - {at: 5s, do: kill 0}\n  - {at: 10s, do: start 0}\n  - {at: 30s, do: delete t}\n").encode()
    )
    (incident,) = examine(led, led.until_us)["incidents"]
    assert incident["words"][0].startswith("RPO observed: 0")


def test_records_of_an_added_partition_are_undecided_too() -> None:
    """It was writable all the time before both of its brokers died within one session."""
    text = DELETED.replace("[0, 1], c", "[0, 1, 2], c").replace("seed: 3", "seed: 2").replace("40s", "60s")
    text = text.replace("[[0]]}, {name: u, assignment: [[1]]}", "[[0, 1]]}")
    text = text.replace("rate: 10}", "rate: 10, config: {metadata.max.age.ms: 5000}}")
    actions = "2s, do: partitions t 2", "20s, do: kill 1", "20s, do: kill 0", "50s, do: delete t"
    doc = load((text + "".join(f"  - {{at: {one}}}\n" for one in actions)).encode())
    world = build(doc)
    world.run(doc.until_us)
    changes = {fact.p: fact.leader for fact in world.trace.decisive if isinstance(fact, PartitionChanged)}
    assert set(changes.values()) == {-1}, "both partitions had no leader when their topic was deleted"
    acked = [part["acked"] for part in topic_of(world, "t (deleted)")["partitions"]]
    assert min(acked) > 50
    words = [line for one in examine(doc, doc.until_us)["incidents"] for line in one["words"]]
    assert any(f"RPO: {sum(acked)} acknowledged records were undecided" in line for line in words)


def test_the_reader_that_got_nothing_is_told_with_what_it_waited_for() -> None:
    """PC-7: its metadata request hangs at the paused broker."""
    world = run(THREE, ("8s", "pause 2"), ("14s", "kill 0"), least=1)
    topic = topic_of(world)
    waits = reader_waits(world, FactIndex(world.trace.decisive), world.book.account(topic["reader_p"]))
    assert sum(waits.values()) == topic["read_down_client_us"] > 30 * SECOND
    assert list(waits)[:2] == [READER, DETECT]
    (line,) = [one for one in verdict_lines(world) if "a reader without records for " in one and "no response" in one]
    assert re.search(r" s \(it waited \d+\.\d s to get through to a broker that serves it, \d+\.\d s for the f", line)


def test_a_reader_without_a_position_waited_for_that() -> None:
    consumer = "consumers: [{id: C, group: g, topics: [t], config: {auto.offset.reset: none}}]"
    world = run(THREE.replace("consumers: [{id: C, group: g, topics: [t]}]", consumer), ("50s", "kill 100"))
    waits = reader_waits(world, FactIndex(world.trace.decisive), world.book.account(0))
    assert waits == {POSITION: topic_of(world)["read_down_client_us"]}
