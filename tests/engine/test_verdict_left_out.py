"""Facts that a calm sentence once left out: the client's wait, records from before, groups, the cause of a stop."""

from pathlib import Path
from typing import Any

import pytest

from simengine.commands.expect import wrongs_of
from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import SECOND
from tests.swarm.draw import document_of, draw

SCENARIOS = Path(__file__).parents[1] / "scenarios"
ZONES = """
format: 1
until: 60s
cluster:
  brokers: [{id: 1, rack: az-a}, {id: 2, rack: az-b}, {id: 3, rack: az-c}, {id: 4, rack: az-a}]
  controllers: [{id: 100, rack: az-a}, {id: 101, rack: az-b}, {id: 102, rack: az-c}]
topics:
  - {name: orders, assignment: [[1, 2, 3], [4, 2, 3]], config: {min.insync.replicas: 2}}
  - {name: metrics, assignment: [[1]], initial: {"0": {leader: 1, epoch: 3, isr: [1], leo: 1000}}}
  - {name: __consumer_offsets, assignment: [[1]]}
producers: [{id: P, topic: metrics, rate: 10}, {id: Q, topic: orders, rate: 10}]
consumers: [{id: C, group: g, topics: [orders], config: {auto.commit.interval.ms: 1000}}]
timeline:
"""
SLOW_MEMBER = """
format: 1
until: 60s
closing: 60s
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, rate: 20}]
timeline: [{at: 10s, do: ACTION}]
"""
MINIMUM_LOWERED = """
format: 1
until: 60s
cluster: {brokers: [0, 1, 2, 3], controllers: [100]}
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, rate: 10}]
timeline:
  - {at: 5s, do: stop 0}
  - {at: 12s, do: stop 1}
  - {at: 20s, do: stop 2}
  - {at: 30s, do: config t min.insync.replicas 1}
  - {at: 40s, do: start 0}
  - {at: 45s, do: start 1}
"""


def ran(text: str, until_s: int, *actions: str) -> tuple[World, dict[str, Any], dict[str, Any]]:
    """A run, its verdict, and what it says of each topic."""
    world = build(load((text + "".join(f"  - {{{action}}}\n" for action in actions)).encode()))
    world.run(until_s * SECOND)
    verdict: dict[str, Any] = world.verdict()
    return world, verdict, {topic["topic"]: topic for topic in verdict["topics"]}


@pytest.mark.parametrize("action", ["slow 1 5", "slow-link 1|0 2s"])
def test_a_member_of_the_isr_that_is_slow_stops_writes_whatever_the_reason(action: str) -> None:
    """HW-1: the high watermark stands while calls wait; nobody has died, and nobody is cut off."""
    _, verdict, topics = ran(SLOW_MEMBER.replace("ACTION", action), 60)
    found = topics["t"]
    assert found["write_down_all_us"] > 10 * SECOND
    assert found["write_down_client_us"] == pytest.approx(found["write_down_all_us"], rel=0.2)
    assert found["no_response"] == {"all": found["write_down_client_us"]}
    assert "nothing stopped" not in verdict["sentence"]
    assert verdict["severity"] == "warn"
    assert found["deciding"]["t"] == 10 * SECOND


def test_records_from_before_the_run_are_said_to_be_gone() -> None:
    """An emptied disk with the only copy: what stood there before counts, and stays counted."""
    world, verdict, topics = ran(ZONES, 60, "at: 15s, do: kill 1", "at: 30s, do: start 1 empty")
    assert topics["metrics"]["lost_before"] == topics["metrics"]["before"] == 1000
    assert "1,000" in topics["metrics"]["sentence"]
    assert verdict["sentence"].startswith("metrics: ")
    assert (topics["metrics"]["severity"], verdict["severity"]) == ("bad", "bad")
    assert world.book.figures()["1"]["lost_before"] == 1000


def test_records_from_before_the_run_that_still_stand_are_not_lost() -> None:
    _, _, topics = ran(ZONES, 60, "at: 15s, do: kill 1", "at: 30s, do: start 1")
    assert (topics["metrics"]["before"], topics["metrics"]["lost_before"]) == (1000, 0)


def test_groups_that_cannot_commit_are_the_headline() -> None:
    """CON-6: the coordinator's partition has one replica, on the broker that is down."""
    world, verdict, topics = ran(ZONES, 26, "at: 15s, do: kill 1")
    told = "No group can join or commit (1 of 1 coordinator partitions has no working leader)."
    assert topics["__consumer_offsets"]["sentence"] == told
    assert verdict["sentence"].startswith(told)
    assert (topics["__consumer_offsets"]["groups_down"], topics["__consumer_offsets"]["coordinators"]) == (1, 1)
    assert topics["__consumer_offsets"]["groups_down_us"] > 10 * SECOND
    assert verdict["severity"] == "bad"
    assert world.book.figures()["2"]["groups_down"] == 1


def test_records_that_nobody_can_read_come_before_groups_that_are_out() -> None:
    """S10 asks what acks=1 lost: the dead leader alone has five records, and it led the group's coordinator too."""
    world = build(load((SCENARIOS / "s10-unreplicated-data.yaml").read_bytes()))
    said = []
    for until_s in (16, 24):
        world.run(until_s * SECOND)
        verdict: Any = world.verdict()
        said.append(verdict["sentence"])
    assert said[0].startswith("5 acknowledged records cannot be read. No group can join or commit")
    assert said[1].startswith("5 acknowledged records are gone. No group can join or commit")


def test_committed_offsets_that_are_gone_are_told_of_their_group() -> None:
    actions = ("at: 15s, do: kill 1", "at: 30s, do: start 1 wiped")
    _, _, topics = ran(ZONES, 60, *actions)
    assert topics["__consumer_offsets"]["groups_lost_names"] == ["g"]
    assert topics["__consumer_offsets"]["sentence"].startswith("The committed offsets of group g are gone.")


WIPED = ("at: 15s, do: kill 1", "at: 30s, do: start 1 wiped")
REPLICATED = ZONES.replace("__consumer_offsets, assignment: [[1]]", "__consumer_offsets, assignment: [[1, 2, 3]]")


def test_committed_offsets_that_the_next_leader_has_are_not_gone() -> None:
    """Broker 1 is back with an empty disk before it is fenced and leads a while with an empty log; broker 2 has all."""
    actions = ("at: 16.352s, do: kill 1", "at: 18.825s, do: start 1 empty")
    _, _, topics = ran(REPLICATED, 60, *actions)
    assert topics["__consumer_offsets"]["groups_lost"] == 0
    assert "gone" not in topics["__consumer_offsets"]["sentence"]


def test_where_committed_offsets_are_gone_nothing_acknowledged_was_lost_is_not_said() -> None:
    alone = ZONES.replace("{id: P, topic: metrics, rate: 10}, ", "")
    alone = "".join(line for line in alone.splitlines(keepends=True) if "metrics" not in line)
    _, verdict, topics = ran(alone, 60, *WIPED)
    assert topics["orders"]["sentence"].startswith("Nothing acknowledged was lost.")
    assert "committed offsets of group g are gone" in verdict["sentence"]
    assert "Nothing acknowledged was lost" not in verdict["sentence"]


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (("at: 15s, do: kill-rack az-a",), "az-a is taken down (2 brokers, 1 controller)"),
        (
            ("at: 15s, do: kill 1", "at: 15s, do: kill 100", "at: 15s, do: kill 4"),
            "az-a is taken down (2 brokers, 1 controller)",
        ),
        (("at: 15s, do: kill 1", "at: 15s, do: kill 4"), "all brokers of az-a died"),
        (('at: 15s, do: "power-loss 1,2"',), "Brokers 1 and 2 lose power"),
        (("at: 15s, do: kill 1",), "broker 1 died"),
        (("at: 15s, do: kill 1", "at: 15s, do: kill 2"), "brokers 1 and 2 died"),
        (("at: 15s, do: kill 1", "at: 15s, do: kill 101"), "broker 1 and controller 101 died"),
    ],
)
def test_a_cause_is_what_was_done_and_not_one_of_its_brokers(actions: tuple[str, ...], words: str) -> None:
    _, _, topics = ran(ZONES, 20, *actions)
    assert topics["metrics"]["deciding"]["text"] == words


def test_a_response_ends_the_wait_though_its_broker_does_not_know_yet_that_it_is_elected_anew() -> None:
    """REA-4: the epoch grew between the append and the response; the broker that leads on has the record."""
    world = build(load(document_of(draw(7435))))
    world.run(26 * SECOND)
    verdict: Any = world.verdict()
    assert (verdict["sentence"], verdict["severity"]) == ("Nothing was lost and nothing stopped.", "ok")


def test_two_of_three_controllers_are_gone() -> None:
    """QUO-3: without a majority nobody elects, whatever the brokers do."""
    _, verdict, _ = ran(ZONES, 40, "at: 15s, do: kill-rack az-a", "at: 15s, do: kill-rack az-b")
    assert verdict["sentence"].startswith("2 of 3 controllers are gone: nobody can elect a leader. ")
    _, verdict, _ = ran(ZONES, 10, "at: 5s, do: kill 100", "at: 5s, do: kill 101")
    assert verdict["severity"] == "warn"
    _, verdict, _ = ran(ZONES, 10, "at: 5s, do: kill 100")
    assert (verdict["sentence"], verdict["severity"]) == ("Nothing was lost and nothing stopped.", "ok")


def test_a_partition_that_nobody_may_ever_lead_is_the_headline_with_all_its_records() -> None:
    """ELR-7: lowering the minimum while nobody leads wipes the eligible replicas."""
    _, verdict, topics = ran(MINIMUM_LOWERED, 60)
    assert verdict["sentence"] == (
        f"Nobody may lead t-0: no replica is in the ISR or the ELR. {topics['t']['acked']} acknowledged records "
        "cannot be read."
    )
    assert topics["t"]["deciding"]["text"] == "min.insync.replicas changed: the eligible replicas of t-0 were forgotten"
    assert topics["t"]["deciding"]["rules"] == ["ELR-7"]
    assert 30 * SECOND <= topics["t"]["deciding"]["t"] < 31 * SECOND


def test_what_a_verdict_says_of_groups_and_of_the_application_can_be_expected() -> None:
    """Of a topic of Kafka's own also where nothing is wrong with it."""
    wanted = [
        {"verdict": "__consumer_offsets", "groups_down": 0, "groups_lost": 0, "coordinators": 1},
        {"verdict": "metrics", "lost_before": 0, "before": 1000, "write_down_client_us": "0s"},
        {"verdict": "orders", "longest_wait_us": ["0s", "1s"], "longest_read_us": ["0s", "1s"]},
    ]
    document = load((ZONES.removesuffix("timeline:\n") + f"expect: {wanted}").encode())
    assert wrongs_of(document.model_copy(update={"until_us": 10 * SECOND})) == []


def test_a_client_that_is_cut_off_is_told_with_its_cause_though_the_servers_never_stopped() -> None:
    """Another producer of the same partition is answered all the time: that is no response to this one."""
    text = SLOW_MEMBER.replace(
        "[{id: P, topic: t, rate: 20}]", "[{id: P, topic: t, rate: 20}, {id: Q, topic: t, rate: 9}]"
    )
    _, verdict, topics = ran(text.replace("ACTION", "'cut P|0'"), 30)
    found = topics["t"]
    assert (found["write_down_all_us"], found["write_down_client_us"] // SECOND) == (0, 19)
    told = "Writes have stood still for 20.0 s (the topic itself stayed writable)."
    assert verdict["sentence"] == f"Nothing acknowledged was lost. {told}"
    assert (found["deciding"]["t"], found["deciding"]["text"]) == (
        10 * SECOND,
        "the links between P and broker 0 are cut",
    )
