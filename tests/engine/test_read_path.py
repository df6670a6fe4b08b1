"""For how long a partition could not be read, where brokers send readers to a follower nearby (STOP-4, FFR-1..5)."""

from typing import Any

import pytest

from simengine.scenario import load
from simengine.world.world import build

SECOND = 1_000_000
SELECTOR = "config: {replica.selector.class: org.apache.kafka.common.replica.RackAwareReplicaSelector}"
DOCUMENT = """
format: 1
elr: false
seed: 1
until: 90s
cluster:
  brokers: [{id: 0, rack: a}, {id: 1, rack: b}, {id: 2, rack: c}]
  controllers: [100, 101, 102]
  SELECTOR
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, rate: 20, acks: 1}]
consumers:
  - {id: C, topics: [t], rack: c}
  MORE
phases: {preferred: 250s}
timeline:
"""


def read_down(*actions: str, selector: str = SELECTOR, more: str = "") -> tuple[int, int]:
    """Time not readable: by the state of the servers, and as the worst consumer saw it."""
    text = DOCUMENT.replace("SELECTOR", selector).replace("MORE", more)
    world = build(load((text + "".join(f"  - {{{action}}}\n" for action in actions)).encode()))
    world.run(90 * SECOND)
    topics: Any = world.verdict()["topics"]
    return topics[0]["read_down_us"], topics[0]["read_down_client_us"]


def test_a_reader_of_a_follower_reads_on_while_the_leader_is_gone_and_nobody_knows() -> None:
    """The last it knows to be committed: what the leader alone knew (FFR-4) is what the consumer waits for."""
    assert read_down("at: 20s, do: kill 0")[0] == 0
    by_servers, _ = read_down("at: 20s, do: kill 0", selector="")
    assert 8 * SECOND < by_servers < 11 * SECOND


def test_a_reader_whose_follower_hangs_cannot_read_though_the_leader_is_well() -> None:
    """FFR-1: the leader sends it to the replica in its rack for as long as that is in the ISR."""
    by_servers, by_client = read_down("at: 20s, do: pause 2", "at: 27s, do: resume 2 fast")
    assert 6.5 * SECOND < by_servers < 7.5 * SECOND
    assert 6 * SECOND < by_client < 9 * SECOND
    by_servers, by_client = read_down("at: 20s, do: pause 2", "at: 27s, do: resume 2 fast", selector="")
    assert by_servers == 0
    assert 6 * SECOND < by_client < 9 * SECOND, "the high watermark stands until that member of the ISR is back"


def test_when_the_follower_leaves_the_isr_the_leader_serves_its_readers_again() -> None:
    """FFR-2: candidates are members of the ISR."""
    by_servers, _ = read_down("at: 20s, do: kill 2")
    assert 8 * SECOND < by_servers < 11 * SECOND
    assert read_down("at: 20s, do: stop 2")[0] == 0


@pytest.mark.parametrize("other", ["{id: D, topics: [t]}", "{id: D, topics: [t], rack: a}"])
def test_a_partition_that_some_of_its_consumers_can_read_is_readable(other: str) -> None:
    assert read_down("at: 20s, do: pause 2", "at: 27s, do: resume 2", more=f"- {other}")[0] == 0


def test_a_partition_without_leader_is_not_readable_anywhere() -> None:
    """ELEC-7: its followers follow nobody, and send readers away."""
    by_servers, _ = read_down("at: 5s, do: stop 1", "at: 10s, do: cut 0|2", "at: 60s, do: kill 0")
    assert by_servers == 30 * SECOND  # the only member of the ISR is gone
