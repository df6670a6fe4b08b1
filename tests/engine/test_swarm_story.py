"""The story of a broken property speaks of partitions, clients, errors and states as Kafka does."""

from simengine.facts.decisive import ConsumerError
from simengine.facts.errors import ERR_LOG_TRUNCATION
from simengine.scenario import load
from simengine.world.world import World, build
from tests.invariants.violation import Violation
from tests.swarm.fact_words import FactWords
from tests.swarm.story import FACTS_TOLD, partition_of, story_of

SECOND = 1_000_000
DOCUMENT = b"""
format: 1
until: 40s
cluster: {brokers: [0, 1], controllers: [100]}
topics: [{name: a, assignment: [[0, 1]]}, {name: b, assignment: [[1, 0], [0, 1]]}]
producers: [{id: P, topic: b, rate: 2}]
consumers: [{id: C, partitions: [[b, 1]]}]
timeline: [{at: 5s, do: kill 0}, {at: 30s, do: start 0}]
"""


def after_a_kill() -> World:
    world = build(load(DOCUMENT))
    world.run(40 * SECOND)
    return world


def test_a_violation_is_told_with_names_and_keeps_its_index_for_the_search() -> None:
    world = after_a_kill()
    violation = Violation("ack_rule", "partition 2, consumer 1", "calls 3..4 of client 0 at 7, partition 99")
    assert partition_of(violation) == 2
    head = story_of(world, violation)[0]
    assert head == "ack_rule does not hold at partition b-1, consumer C: calls 3..4 of client P at 7, partition 99"
    assert FactWords(world).told("consumer C0 partition 1 on broker 1") == "consumer C0 partition b-0 on broker 1"


def test_facts_are_told_in_kafkas_words() -> None:
    text = "\n".join(story_of(after_a_kill(), Violation("ack_rule", "partition 2", "")))
    for part in (
        "ProcessChanged: node broker 0, state down",
        "BrokerRegistration: broker 0, be ",
        "state fenced",
        "partition b-1, leader 1, epoch 1, pe 1, reason broker fenced, election clean, replicas [0, 1], isr [1]",
        "LeaderActivated: broker 1, partition b-1",
    ):
        assert part in text, f"{part} in {text}"
    assert "=" not in text


def test_what_a_client_repeats_is_told_once_with_its_count() -> None:
    world = after_a_kill()
    for _ in range(3 * FACTS_TOLD):
        world.trace.state(ConsumerError(0, client=1, p=2, error=ERR_LOG_TRUNCATION))
    lines = [line for line in story_of(world, Violation("ack_rule", "partition 2", "")) if line.startswith("  ")]
    repeated = [line for line in lines if "ConsumerError" in line]
    assert len(repeated) == 1
    assert "client C, partition b-1, error LogTruncationException (60 times since 40.000000 s)" in repeated[0]
    assert any("ProcessChanged: node broker 0, state down" in line for line in lines)
