"""Sentences of ``why`` that a reader found false once, each with the document whose facts decide what is true."""

from typing import Any

import pytest

from simengine.explain.chain import ChainLinks
from simengine.explain.examine import examine
from simengine.explain.fact_index import FactIndex
from simengine.explain.link import MISSING
from simengine.explain.link_words import text_of
from simengine.explain.sentences import Words
from simengine.facts.decisive import ProcessChanged
from simengine.facts.kinds import PROCESS_PAUSED, PROCESS_RUNNING, PROCESS_STARTING
from simengine.scenario import load
from simengine.scenario.action_words import clauses
from tests.engine.made_facts import made

Json = dict[str, Any]

HEAD = """
format: 1
profile: "4.2"
elr: false
seed: 9603
until: {until}
cluster: {{brokers: [1, 2, 3], controllers: [100]}}
topics: [{{name: q, assignment: [{replicas}], config: {{min.insync.replicas: 1}}}}]
producers: [{{id: A, topic: q, rate: 10, acks: 1}}, {{id: B, topic: q, rate: 10, acks: {acks}}}]
timeline:
{timeline}
"""
ZOMBIE = ["10s, do: 'cut 1|2,3,100'", "25s, do: heal", "25.2s, do: kill 1", "29s, do: kill 3"]
POWER = [*ZOMBIE, "30s, do: power-loss 2 270", "31s, do: start 2"]


def told(timeline: list[str], until: int, replicas: str = "[1, 2, 3]", acks: str = "all") -> Json:
    """All that is told of a run."""
    entries = "\n".join(f"  - {{at: {one}}}" for one in timeline)
    text = HEAD.format(until=f"{until}s", replicas=replicas, acks=acks, timeline=entries)
    return examine(load(text), until * 1_000_000)


def test_a_loss_is_split_by_the_fact_that_took_it() -> None:
    """LOG-8, REG-5: an election took a former leader's records; the power loss took what its successor had of them."""
    found = told(POWER, 45)
    counts = {incident["text"]: incident["rpo"] for incident in found["incidents"]}
    lost = [fact["lost"] for fact in found["verdict"]["topics"][0]["also_lost_by"]]
    zombie, power = counts["cut 1|2,3,100"], counts["power-loss 2 270"]
    assert [zombie["all"] + zombie["1"]] == lost
    assert power["all"] + power["1"] == found["verdict"]["topics"][0]["deciding_lost"]
    assert zombie["before_us"] == 0, "what was acknowledged before the cut was on the successor"
    [rto] = [one["rto"]["1"] for one in found["incidents"] if one["text"] == "cut 1|2,3,100"]
    assert rto["worst_us"] < 16_000_000, "the power loss took a success of the new leader later"


def test_a_record_that_the_new_leader_never_had_is_not_taken_by_its_power_loss() -> None:
    """A former leader goes on while its successor is down: the election loses what it acknowledges."""
    timeline = ["10s, do: 'cut 1|2,3,100'", "22s, do: power-loss 2 50", "23s, do: start 2"]
    found = told(timeline, 30, "[1, 2]")
    ends = [chain["ranges"][-1][1] for chain in found["chains"]]
    assert len(found["chains"][0]["ranges"]) == 1, "all that the former leader wrote after the cut is one loss"
    assert ends[0] > 350 and max(ends[1:]) <= 200, "broker 2 began to lead at offset 200"


def test_an_unclean_election_would_lose_what_comes_back_with_the_broker_that_is_waited_for() -> None:
    """Broker 3 has all that the ISR had; broker 2 would lead without what its power loss took."""
    now = told(POWER, 45)
    [needs] = now["incidents"][-1]["rto"]["1"]["never"]
    back = told([*POWER, "45s, do: start 3"], 60)
    lost, kept = (run["verdict"]["topics"][0]["lost"] for run in (now, back))
    assert needs["would_lose"] == lost - kept > 0


def test_a_stop_that_outlasts_a_start_goes_back_to_the_newest_death() -> None:
    found = told(["10s, do: kill 1", "18s, do: start 1", "19s, do: kill 1"], 30, "[1]")
    assert found["verdict"]["topics"][0]["deciding"]["t"] == 19_000_000
    assert found["stops"]["q"]["is_named"]


@pytest.mark.parametrize(("before", "rule"), [(PROCESS_PAUSED, "FLT-2"), (PROCESS_STARTING, "REG-1")])
def test_a_process_that_was_started_is_not_said_to_be_resumed(before: int, rule: str) -> None:
    states = [made(ProcessChanged, seq, seq, node=2, state=state) for seq, state in ((1, before), (2, PROCESS_RUNNING))]
    words = Words({"topics": [], "partitions": [], "clients": [], "brokers": [{"id": 2}]})
    links = ChainLinks(0, FactIndex(states), words)
    links.happened(states[1], MISSING)
    assert [(text_of(link, words), link.rules) for link in links.ordered()] == [("broker 2 ran again", (rule,))]


def test_a_process_that_has_not_registered_is_not_said_to_shut_down_cleanly() -> None:
    """SHUT-1: only a registered broker hands its leaderships over, and ``stop`` may meet another."""
    assert clauses("stop 1", "broker {}".format) == "Broker 1 shuts down"


def test_a_call_that_a_new_topic_of_the_name_takes_has_waited_since_it_was_made() -> None:
    """It was made to a topic without leader, which was deleted."""
    found = told(["5s, do: kill 1", "15s, do: delete q", "18s, do: create q 1 1"], 30, "[1]")
    waits = {one["topic"]: one["longest_wait_us"] for one in found["verdict"]["topics"]}
    assert 10_000_000 < waits["q (deleted)"] < waits["q"]


def test_committed_offsets_that_are_gone_stand_in_the_rpo_of_what_took_them() -> None:
    text = """
format: 1
profile: "4.2"
seed: 9
cluster: {brokers: [1, 2], controllers: [100]}
topics: [{name: a, assignment: [[2]]}, {name: __consumer_offsets, assignment: [[1]]}]
producers: [{id: P, topic: a, rate: 10}]
consumers: [{id: C, group: g, topics: [a], config: {auto.offset.reset: earliest}}]
timeline: [{at: 12s, do: kill 1}, {at: 14s, do: start 1 wiped}]
"""
    killed, wiped = examine(load(text), 25_000_000)["incidents"]
    assert (killed["rpo"]["groups"], wiped["rpo"]["groups"]) == ([], ["g"])
    assert wiped["words"][0].endswith("; besides, the committed offsets of group g are gone")


def test_a_deletion_does_not_decide_what_was_lost_before_it() -> None:
    """Without the deletion the topic has its name still, and its records are lost as well."""
    found = told(["10s, do: 'cut 1|2'", "20s, do: power-loss 1 20", "40s, do: delete q"], 45, "[1, 2]", "1")
    [loss] = found["decided"].values()
    assert loss["text"] == "power-loss 1 20"
