"""The chain of each loss of records: from the decisive event to the loss, as the named scenarios tell it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simengine.explain.decide import without_entry
from simengine.explain.examine import examine
from simengine.explain.lines import lines_of
from simengine.facts.decisive import BrokerRegistration, ProcessChanged
from simengine.facts.kinds import REG_FENCED
from simengine.scenario import load
from simengine.scenario.action_words import node_names
from simengine.world.world import build
from tests.engine.cluster import stated
from tests.engine.examining import SCENARIOS, document, examined

CHAINS = Path(__file__).parent / "chains"  # what `python -m simengine why` says of each scenario


NAMES = sorted(path.stem for path in CHAINS.glob("*.txt"))


def story_of(name: str) -> str:
    return "\n".join(lines_of(examined(name), node_names(document(name)))) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_the_chain_to_the_loss_is_the_scenarios_story(name: str) -> None:
    """``python -m tests.engine.test_why`` writes the files anew; read the difference. Seconds may differ by jitter."""
    told = story_of(name)
    assert untimed(told) == untimed((CHAINS / f"{name}.txt").read_text(encoding="utf-8"))


def untimed(text: str) -> str:
    """A story without its seconds."""
    return re.sub(r" *[\d.]+ s\b", " … s", text)


def test_the_named_scenarios_have_their_chains() -> None:
    named = {"s10", "s13", "s14", "s15", "s16", "s18", "s18b", "s25", "s26", "s28", "s30"}
    assert named <= {name.partition("-")[0] for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_link_names_a_fact_of_the_run_and_its_moment(name: str) -> None:
    doc = document(name)
    world = build(doc)
    world.trace.keep_traffic = True
    world.run(doc.until_us)
    times = {row[0]: row[1] for row in world.trace.take().rows()}
    times |= {fact.seq: fact.t for fact in world.trace.decisive}
    links = [link for chain in examined(name)["chains"] for link in chain["links"]]
    assert [times[link["seq"]] for link in links] == [link["t"] for link in links]


@pytest.mark.parametrize("name", NAMES)
def test_the_chains_tell_of_every_lost_record(name: str) -> None:
    found = examined(name)
    lost = {topic["topic"]: topic["lost"] for topic in found["verdict"]["topics"] if topic["lost"]}
    told: dict[str, int] = {}
    for chain in found["chains"]:
        told[chain["topic"]] = told.get(chain["topic"], 0) + chain["count"]
    assert told == lost
    assert found["untold"] == 0


def test_a_loss_without_any_fault_has_chains_and_no_incident() -> None:
    """Planned work with acks=1: an election of the preferred leader takes records."""
    found = examined("s61-planned-work-with-acks-1")
    assert found["chains"]
    assert found["incidents"] == []


def test_a_run_that_loses_nothing_has_no_chain() -> None:
    found = examined("s08-leader-dies")
    assert found["chains"] == []
    assert found["decided"] == {}


def test_each_topic_has_its_own_decision() -> None:
    """Two topics, each lost by another kill: no single action saves the run, one saves each topic."""
    doc = load(
        """
        format: 1
        elr: false
        until: 80s
        cluster: {brokers: [0, 1, 2, 3], controllers: [100]}
        topics:
          - {name: a, assignment: [[0, 1]]}
          - {name: b, assignment: [[2, 3]]}
        producers:
          - {id: A, topic: a, acks: 1}
          - {id: B, topic: b, acks: 1}
        timeline:
          - {at: 5s, do: "cut 0|1"}
          - {at: 5s, do: "cut 2|3"}
          - {at: 6s, do: send A a-0 3}
          - {at: 6s, do: send B b-0 4}
          - {at: 10s, do: kill 0}
          - {at: 12s, do: kill 2}
        """
    )
    found = examine(doc, doc.until_us)
    assert {topic: one["text"] for topic, one in found["decided"].items()} == {"a": "kill 0", "b": "kill 2"}


def test_a_broker_that_died_is_fenced_because_it_died_though_its_links_healed_since() -> None:
    doc = document("s13-broker-1-is-fenced-last")
    world = build(doc)
    world.run(doc.until_us)
    by_seq = {fact.seq: fact for fact in world.trace.decisive}
    fenced = [one for one in stated(world, BrokerRegistration) if one.state == REG_FENCED and one.t > 0]
    causes = [by_seq[one.cause] for one in fenced[:2]]
    assert [isinstance(one, ProcessChanged) and one.node for one in causes] == [0, 1]


def test_an_incident_has_its_rpo_with_the_age_of_the_oldest_lost_record() -> None:
    incident = examined("s10-unreplicated-data")["incidents"][1]
    assert (incident["at_us"], incident["text"]) == (15_000_000, "kill 0")
    assert (incident["rpo"]["all"], incident["rpo"]["1"]) == (0, 5)
    assert 3_900_000 < incident["rpo"]["age_us"] == incident["rpo"]["before_us"] < 4_000_000


def test_a_zombies_losses_grow_older_after_the_fault() -> None:
    """Age = max(fault, last lost acknowledgement) - earliest lost acknowledgement (S26)."""
    rpo = examined("s26-zombie")["incidents"][0]["rpo"]
    assert rpo["1"] == 10
    assert 18_900_000 < rpo["age_us"] < 19_100_000
    assert rpo["before_us"] == 0


def test_records_without_a_leader_are_undecided() -> None:
    assert (
        "RPO: 8 acknowledged records undecided until a leader is elected"
        in examined("s13-unclean-off")["incidents"][-1]["words"][0]
    )


def test_a_loss_says_when_it_was_acknowledged_seen_from_the_fault() -> None:
    assert "acknowledged 20.0 s to 20.3 s after the fault" in examined("s28-fast-resume")["incidents"][0]["words"][0]
    assert "acknowledged 1.0 s to 20.0 s after the fault" in examined("s26-zombie")["incidents"][0]["words"][0]


def test_what_is_lost_within_a_second_is_one_link_of_the_chain() -> None:
    links = examined("s28-fast-resume")["chains"][0]["links"]
    lost = [link for link in links if link["role"] == "lost"]
    assert len(lost) == 1
    assert 30_000_000 < lost[0]["t"] < 30_100_000


def test_a_partition_that_never_came_back_says_what_it_needs() -> None:
    doc = load(
        """
        format: 1
        elr: false
        until: 75s
        cluster: {brokers: [0, 1], controllers: [100]}
        topics: [{name: t, assignment: [[0, 1]]}]
        producers: [{id: P, topic: t, acks: 1}]
        timeline:
          - {at: 5s, do: send P t-0 1}
          - {at: 10s, do: "cut 0|1"}
          - {at: 11s, do: send P t-0 3}
          - {at: 60s, do: kill 0}
          - {at: 61s, do: send P t-0 1}
        """
    )
    incident = examine(doc, doc.until_us)["incidents"][-1]
    never = incident["rto"]["1"]["never"]
    of = {"partition": "t-0", "topic": "t"}
    assert never == [{**of, "needs": "broker 0", "would_lose": 3, "gone": "", "open_us": -1}]
    assert incident["words"][1] == (
        "RTO acks=1: none so far; t-0 needs broker 0 or an unclean election (would lose 3 records)"
    )


def test_the_command_tells_the_chain_with_its_rules() -> None:
    path = str(SCENARIOS / "s10-unreplicated-data.yaml")
    text = subprocess.run([sys.executable, "-m", "simengine", "why", path], capture_output=True, text=True, check=True)
    lines = text.stdout.splitlines()
    assert lines[0] == (
        "t: 15.000 s decided it: Broker 0 is killed. "
        "Without it the same run loses none of this topic's records (checked)."
    )
    assert lines[2] == "Why 5 records of t-0, acknowledged with acks=1, were lost:"
    assert lines[5] == "*      15.000 s  broker 0 died [FLT-3]"
    as_json = subprocess.run(
        [sys.executable, "-m", "simengine", "why", path, "--json"], capture_output=True, text=True, check=True
    )
    assert json.loads(as_json.stdout)["decided"]["t"]["at_us"] == 15_000_000


if __name__ == "__main__":
    for scenario in NAMES:
        (CHAINS / f"{scenario}.txt").write_text(story_of(scenario), encoding="utf-8")


EMPTY_DISK = """
format: 1
until: 60s
cluster: {brokers: [1, 2], controllers: [100]}
topics: [{name: t, assignment: [[1]]}]
producers: [{id: P, topic: t, rate: 20, acks: 1}]
timeline: [{at: 5s, do: kill 1}, {at: 20s, do: start 1 wiped}]
"""


def test_an_empty_disk_is_what_decides_the_loss_and_no_truncation() -> None:
    """Killing the only replica loses nothing: the same broker with its own disk has all records."""
    doc = load(EMPTY_DISK.encode())
    found = examine(doc, doc.until_us)
    assert found["decided"]["t"]["text"] == "start 1 wiped"
    links = {link["text"]: link for link in found["chains"][0]["links"]}
    link = links["broker 1's log of t-0 was gone: its disk was empty (broker 1 starts with its data wiped)"]
    assert (link["rules"], link["decides"]) == (["STATE-7"], True)
    assert not any("TRUNC-2" in link["rules"] for link in links.values())
    killed, emptied = found["incidents"]
    assert killed["rpo"]["1"] == 0
    assert emptied["rpo"]["1"] == found["verdict"]["topics"][0]["lost"] > 0


def test_the_loss_stands_under_the_fault_that_decided_it() -> None:
    """LOG-8: the first power loss alone loses nothing of acks=all, the second one's log is the one that leads."""
    text = """
    format: 1
    seed: 7
    until: 90s
    cluster: {brokers: [2, 3], controllers: [100]}
    topics: [{name: u, assignment: [[2, 3]]}]
    producers: [{id: Q, topic: u, rate: 20}]
    timeline:
      [{at: 40s, do: power-loss 2 5}, {at: 42s, do: power-loss 3 5}, {at: 60s, do: start 3}, {at: 70s, do: start 2}]
    """
    doc = load(text.encode())
    found = examine(doc, doc.until_us)
    assert found["decided"]["u"]["text"] == "power-loss 3 5"
    first, second = found["incidents"]
    assert (first["rpo"]["all"], second["rpo"]["all"]) == (0, found["verdict"]["topics"][0]["lost"])
    assert second["rpo"]["all"] > 0


FORGOTTEN = """
format: 1
until: 120s
seed: 1
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, rate: 10}]
phases: {preferred: 900s}
timeline:
  - {at: 5s, do: stop 0}
  - {at: 12s, do: stop 1}
  - {at: 20s, do: stop 2}
  - {at: 30s, do: config t min.insync.replicas 1}
  - {at: 40s, do: start 0}
  - {at: 45s, do: start 1}
  - {at: 90s, do: elect unclean t-0}
"""


def test_a_chain_tells_why_only_an_unclean_election_was_left() -> None:
    """ELR-7: broker 1 is back, but the minimum was changed, and nobody is eligible any more."""
    doc = load(FORGOTTEN.encode())
    links = {link["text"]: link["rules"] for link in examine(doc, doc.until_us)["chains"][0]["links"]}
    gone = "brokers 1 and 2 left the ELR of t-0 as min.insync.replicas changed; the ELR is now empty"
    assert links[gone] == ["ELR-7"]


NAMED_LATER = (
    ("create new 1 3", "rate P 3 new-0"),
    ("create new 1 3", "delete new"),
    ("create new 1 3", "elect preferred new-0"),
    ("create new 1 3", "partitions new 3"),
    ("partitions t 3", "rate P 3 t-2"),
    ("partitions t 3", "send P t-2 1"),
    ("partitions t 3", "reassign t-2 1,2"),
)


@pytest.mark.parametrize(("made", "named"), NAMED_LATER)
def test_a_topic_that_is_left_out_takes_along_what_is_done_to_it(made: str, named: str) -> None:
    doc = load(
        "{format: 1, until: 9s, cluster: {brokers: [1, 2, 3]}, topics: [{name: t, assignment: [[1, 2, 3]]}],"
        "producers: [{id: P, topic: t, rate: 10}],"
        f"timeline: [{{at: 2s, do: {made}}}, {{at: 3s, do: '{named}'}}, {{at: 4s, do: kill 3}}]}}"
    )
    left = without_entry(doc, 0)
    assert [str(entry.action) for entry in left.timeline] == ["kill 3"]
    world = build(left)
    world.run(doc.until_us)
    assert len(without_entry(doc, 2).timeline) == 2


def test_that_a_topic_was_created_is_no_cause_of_its_stop() -> None:
    doc = load(
        "{format: 1, until: 20s, cluster: {brokers: [1, 2, 3]}, topics: [{name: t, assignment: [[1, 2, 3]]}],"
        "producers: [{id: P, topic: t, rate: 10}], timeline: [{at: 2s, do: 'create new 1 3'},"
        "{at: 3s, do: rate P 5 new-0}, {at: 8s, do: kill 1}, {at: 8s, do: kill 2}, {at: 8s, do: kill 3}]}"
    )
    told = "\n".join(lines_of(examine(doc, doc.until_us), node_names(doc)))
    assert "topic new is created" not in told
