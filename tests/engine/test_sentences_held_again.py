"""Sentences that a reader found false once. Each document is small, and its facts decide what is true of it."""

from typing import Any

from simengine.explain.examine import examine
from simengine.facts.decisive import PartitionChanged, RecordsLost
from simengine.scenario import load
from simengine.world.world import World, build

DELETED = """
format: 1
profile: "4.2"
seed: 51
until: 70s
cluster: {brokers: [1, 2, 3, 4], controllers: [100]}
topics:
  - {name: a, assignment: [[1, 2]]}
  - {name: b, assignment: [[3, 4]]}
producers: [{id: Q, topic: b, rate: 10}]
timeline:
  - {at: 10s, do: kill 3}
  - {at: 30s, do: kill 4}
  - {at: 45s, do: delete b}
"""
PAUSES = """
format: 1
profile: "4.2"
seed: 33
until: 120s
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: a, assignment: [[1, 2, 3], [2, 3, 1], [3, 1, 2]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: a, rate: 15, acks: 1}]
consumers: [{id: C, group: g, topics: [a], config: {auto.offset.reset: earliest}}]
faults: {broker-mttf: 40s, broker-mttr: 12s, kind: pause, until: 100s}
"""
MODES = """
format: 1
profile: "4.2"
seed: 5
until: 60s
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: a, assignment: [[1, 2], [3, 2]], config: {min.insync.replicas: 2}}]
producers:
  - {id: P, topic: a, rate: 10, acks: all}
  - {id: O, topic: a, rate: 10, acks: 1}
timeline:
  - {at: 20s, do: kill 100}
  - {at: 21s, do: kill 2}
  - {at: 22s, do: kill 3}
"""


CRASHED = """
format: 1
profile: "4.2"
seed: 9403
until: 80s
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: r, assignment: [[2, 3, 1]], config: {min.insync.replicas: 1}}]
producers: [{id: B, topic: r, rate: 10}]
consumers:
  - {id: C, group: g, topics: [r], config: {auto.offset.reset: earliest}}
  - {id: D, group: h, topics: [r], config: {auto.offset.reset: latest}}
timeline:
  - {at: 10s, do: kill 2}
  - {at: 50s, do: crash C}
  - {at: 70s, do: open C}
"""
TWO_CAUSES = """
format: 1
profile: "4.2"
seed: 9402
until: 100s
cluster: {brokers: [1, 2, 3, 4], controllers: [100]}
topics: [{name: q, assignment: [[1, 2], [3, 4]], config: {min.insync.replicas: 1}}]
producers: [{id: A, topic: q, rate: 10, acks: all}]
timeline:
  - {at: 10s, do: kill 1}
  - {at: 30s, do: start 1}
  - {at: 40s, do: kill 2}
  - {at: 60s, do: start 2}
  - {at: 70s, do: pause 3}
  - {at: 84s, do: resume 3}
"""
UNHEARD = """
format: 1
profile: "4.2"
seed: 7
until: 60s
cluster: {brokers: [0, 1], controllers: [100]}
topics: [{name: t, assignment: [[0, 1]]}, {name: __consumer_offsets, assignment: [[0, 1]]}]
producers: [{id: P, topic: t, rate: 10, acks: 1}]
consumers: [{id: C, group: g, topics: [t], config: {auto.commit.interval.ms: 500}}]
timeline:
  - {at: 8s, do: "cut 0|1"}
  - {at: 8.1s, do: "cut 0|100"}
  - {at: 8.2s, do: "cut 1|100"}
  - {at: 22s, do: "heal 0|1"}
"""


def run(text: str) -> World:
    """The whole run of a document."""
    world = build(load(text.encode()))
    world.run(world.doc.until_us)
    return world


def topic_of(world: World) -> dict[str, Any]:
    """The verdict on the first topic."""
    verdict: Any = world.verdict()
    found: dict[str, Any] = verdict["topics"][0]
    return found


def test_a_stop_that_goes_on_without_the_deletion_does_not_go_back_to_it() -> None:
    """The topic is called ``b (deleted)``, and ``b`` in the run without the deletion."""
    doc = load(DELETED.encode())
    stop: Any = examine(doc, doc.until_us)["stops"]["b (deleted)"]
    assert stop["text"] == "kill 3"


def test_a_late_acknowledgement_of_a_replaced_leader_is_lost_by_the_election() -> None:
    """The registration has changed since: its ISR has grown, which took no record."""
    world = run(PAUSES)
    elections = {f.seq for f in world.trace.decisive if isinstance(f, PartitionChanged) and f.election > 0}
    lost_by = [fact.cause for fact in world.trace.decisive if isinstance(fact, RecordsLost)]
    assert len(lost_by) > 3
    assert elections.issuperset(lost_by)


def test_elections_of_one_commit_are_told_together() -> None:
    assert ", and 2 more partitions of the topic got a leader" in topic_of(run(PAUSES))["deciding"]["text"]


def test_a_mode_of_acks_that_goes_on_in_one_partition_is_not_said_to_have_stopped_in_all() -> None:
    said = topic_of(run(MODES))["sentence"]
    assert "Writes with acks=all and to 1 of 2 partitions with acks=1 have been stopped for " in said


def test_a_group_whose_member_crashed_was_stopped_by_no_broker() -> None:
    """The other group reads on, and the servers are well."""
    topic = topic_of(run(CRASHED))
    assert round(topic["stop_since_us"] / 1e6) == 50
    assert topic["deciding"] is None


def test_the_longest_stop_is_one_stretch_and_not_the_partition_with_the_greatest_sum() -> None:
    topic = topic_of(run(TWO_CAUSES))
    assert topic["stop_since_us"] > 69_000_000
    assert topic["deciding"]["text"] == "broker 3 was paused"


def test_a_coordinator_that_no_controller_hears_stores_commits_once_its_follower_fetches_again() -> None:
    """CON-6, HW-1: nobody leads it by the controllers' record; its high watermark stood from 8 s to 33 s."""
    world = run(UNHEARD)
    verdict: Any = world.verdict()
    (said,) = [one["sentence"] for one in verdict["topics"] if one["topic"] == "__consumer_offsets"]
    assert "can join or commit" not in said
    assert said.startswith("No group could join or commit for 2")
