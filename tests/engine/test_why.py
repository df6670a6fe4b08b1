"""Why records were lost: the chain from the decisive event to the loss, as the named scenarios tell it."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from simengine.scenario import load
from simengine.scenario.model import Document
from simengine.why.examine import examine
from simengine.why.telling import lines_of
from simengine.world import build

SCENARIOS = Path(__file__).parent.parent / "scenarios"

CHAINS = Path(__file__).parent / "chains"  # what `python -m simengine why` says of each scenario
NAMES = sorted(path.stem for path in CHAINS.glob("*.txt"))


def document(name: str) -> Document:
    return load((SCENARIOS / f"{name}.yaml").read_bytes())


@cache
def examined(name: str) -> dict[str, Any]:
    doc = document(name)
    return examine(doc, doc.until_us)


@pytest.mark.parametrize("name", NAMES)
def test_the_chain_to_the_loss_is_the_scenarios_story(name: str) -> None:
    """``python -m tests.engine.test_why`` writes the files anew; read the difference."""
    assert "\n".join(lines_of(examined(name))) + "\n" == (CHAINS / f"{name}.txt").read_text(encoding="utf-8")


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
    fenced = [fact for fact in by_seq.values() if fact.row()[2] == 3 and fact.row()[-1] == 1 and fact.t > 0]
    assert [by_seq[fact.cause].row()[2:5:2] for fact in fenced[:2]] == [[2, 0], [2, 1]]  # ProcessChanged of 0, of 1


def test_the_command_tells_the_chain_with_its_rules() -> None:
    path = str(SCENARIOS / "s10-unreplicated-data.yaml")
    text = subprocess.run([sys.executable, "-m", "simengine", "why", path], capture_output=True, text=True, check=True)
    lines = text.stdout.splitlines()
    assert lines[0] == "t: decided at 15.000 s: kill 0 (checked: without it the same run loses nothing of it)"
    assert lines[2] == "Why 5 records of t-0, acknowledged with acks=1, were lost:"
    assert lines[5] == "*      15.000 s  broker 0 died (kill 0) [FLT-3]"
    as_json = subprocess.run(
        [sys.executable, "-m", "simengine", "why", path, "--json"], capture_output=True, text=True, check=True
    )
    assert json.loads(as_json.stdout)["decided"]["t"]["at_us"] == 15_000_000


if __name__ == "__main__":
    for scenario in NAMES:
        (CHAINS / f"{scenario}.txt").write_text("\n".join(lines_of(examined(scenario))) + "\n", encoding="utf-8")
