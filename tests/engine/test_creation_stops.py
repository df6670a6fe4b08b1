"""The creation of a partition is no outage of the servers, however long it takes (STOP-1)."""

from typing import Any

import pytest

from simengine.facts.decisive import LeaderActivated
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked
from tests.engine.cluster import stated

DOCUMENT = """
format: 1
until: 60s
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 2]]}]
producers: [{id: P, topic: t, rate: 10}]
timeline:
  - {at: 5s, do: pause 1}
  - {at: 5100ms, do: "create new 1,2"}
  - {at: 5200ms, do: "CALL"}
  - {at: 9s, do: resume 1}
  - {at: 20s, do: kill 1}
"""
QUIET, CALLED = DOCUMENT.replace("CALL", "send P t-0 5"), DOCUMENT.replace("CALL", "send P new-0 5")


def verdict(text: str, seconds: int) -> dict[str, Any]:
    """The verdict on the new topic, whose first leader is paused from before its creation to 9 s."""
    world = run_to(text, seconds)
    topics = world.verdict()["topics"]
    assert isinstance(topics, list)
    return next(one for one in topics if one["topic"] == "new")


def run_to(text: str, seconds: int) -> World:
    """A checked run of a document."""
    world = checked(load(text.encode()))
    world.run(seconds * 1_000_000)
    return world


@pytest.mark.parametrize("seconds", [8, 19])
def test_a_new_partition_is_not_out_before_its_first_leader(seconds: int) -> None:
    led = [fact for fact in stated(run_to(QUIET, 19), LeaderActivated) if fact.p == 1]
    assert led[0].t > 9_000_000
    new = verdict(QUIET, seconds)
    assert new["sentence"] == "Nothing has been acknowledged."
    assert new["severity"] == "ok"
    keys = ("write_down_all_us", "write_down_1_us", "read_down_us", "leaderless_us", "stopped_all", "stopped_1")
    assert {key: new[key] for key in keys} == dict.fromkeys(keys, 0)


def test_calls_that_wait_for_the_first_leader_are_a_stop_of_their_producer() -> None:
    """Their cause is what keeps that leader away, not the creation."""
    new = verdict(CALLED, 19)
    assert new["write_down_client_us"] > 3_000_000
    assert (new["write_down_all_us"], new["write_same_us"]) == (0, 0)
    assert "(the partition had no leader yet)." in new["sentence"]
    assert new["deciding"]["text"] == "broker 1 was paused"


def test_while_calls_wait_for_the_first_leader_that_is_said() -> None:
    new = verdict(CALLED, 8)
    assert (new["waiting"], new["waiting_1"]) == (1, 1)
    assert new["sentence"].endswith("and wait for a leader.")


def test_once_it_has_had_a_leader_it_is_out_without_one() -> None:
    new = verdict(QUIET, 40)
    assert 5_000_000 < new["write_down_1_us"] == new["leaderless_us"] < 10_000_000


def test_partitions_that_a_topic_is_given_follow_the_same_rule() -> None:
    added = QUIET.replace("create new 1,2", "partitions t 4").replace("pause 1", "pause 2")
    topics = run_to(added.replace("resume 1", "resume 2"), 19).verdict()["topics"]
    assert isinstance(topics, list)
    assert [one["leaderless_us"] for one in topics[0]["partitions"]] == [0, 0, 0, 0]
