"""The shrinker leaves out whatever a failure does not need: nodes, copies, partitions, and what is said of them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simengine.scenario import load
from tests.long_form import runs
from tests.swarm import leave_out, run, shrink
from tests.swarm.draw import document_of, draw

ROOT = Path(__file__).parent.parent.parent
MUTATED = """
import json, sys
from tests.mutants.patching import install
from tests.mutants.table import MUTANTS

install(next(mutant for mutant in MUTANTS if mutant.id == "M21"))
from tests.swarm import run, shrink

CPU_MAX_S = 600  # a hundred times what it takes: the result must not depend on it
for seed in json.loads(sys.argv[1]):
    outcome = run.run_seed(seed)
    plan = shrink.shrink(outcome.plan, outcome.kind, CPU_MAX_S)
    print(json.dumps([outcome.kind, outcome.plan, plan, run.run_plan(plan).kind]))
"""


def factor(plan: dict[str, Any]) -> int:
    """The most copies that a partition has."""
    return max(len(members) for topic in plan["topics"] for members in topic["assignment"])


def test_a_failure_of_a_mutated_engine_on_many_brokers_needs_two_of_them() -> None:
    """M21: the high watermark moves below M, which takes a leader, a follower and M=2, whatever was drawn."""
    environment = {**os.environ, "HIGHWATER_ENGINE": "interpreted"}
    command = [sys.executable, "-c", MUTATED, json.dumps([2, 40])]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [factor(before) for _, before, _, _ in rows] == [3, 4]
    for kind, _, plan, again in rows:
        assert again == kind == "strict_min_isr_hw"
        assert len(plan["cluster"]["brokers"]) == factor(plan) == 2
        assert len(plan["cluster"]["controllers"]) == 1
        assert [len(topic["assignment"]) for topic in plan["topics"]] == [1]
        assert len(plan["timeline"]) <= 2


def planted(plan: dict[str, Any], heals: bool = True) -> run.Outcome:
    """Breaks as long as partition t0-1 has two copies with M=2, and something happens to broker 2."""
    topic = next((topic for topic in plan["topics"] if topic["name"] == "t0"), None)
    there = topic is not None and 1 in leave_out.numbers_of(topic)
    members = topic["assignment"][leave_out.numbers_of(topic).index(1)] if topic is not None and there else []
    is_broken = len(members) >= 2 and any(entry["do"] == "kill 2" for entry in plan["timeline"])
    return run.Outcome(plan["seed"], "planted" if is_broken else "")


def test_brokers_copies_and_partitions_go_though_all_hold_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrink, "run_plan", planted)
    config = {"min.insync.replicas": 4}
    topics = [
        {"name": "t0", "assignment": [[0, 1, 2, 3], [3, 4, 0, 1], [1, 2, 3, 4]], "config": config},
        {"name": "t1", "assignment": [[4, 3, 2]], "config": {}},
    ]
    cluster = {"brokers": [{"id": b} for b in range(5)], "controllers": [100, 101, 102], "config": {}}
    said = ("cut 0,3|1,2,4,100,101", "kill 2", "reassign t1-0 0,1", "reassign t0-2 4,3,2,0", "heal")
    timeline = [{"at": f"{5 + i}000000us", "do": text} for i, text in enumerate(said)]
    producers = [{"id": "P0", "topic": "t1", "rate": 1, "acks": "1", "config": {}}]
    heal = {"brokers": [0, 4], "controllers": [101, 102], "how": "cut"}
    plan = {**draw(3), "topics": topics, "cluster": cluster, "timeline": timeline, "producers": producers, "heal": heal}
    small = shrink.shrink(plan, "planted")
    assert [entry["do"] for entry in small["timeline"]] == ["kill 2"]
    assert [(topic["name"], topic["partitions"]) for topic in small["topics"]] == [("t0", [1])]
    assert factor(small) == 2
    brokers = [broker["id"] for broker in small["cluster"]["brokers"]]
    assert len(brokers) == 2
    assert 2 in brokers
    assert small["producers"][0]["topic"] == "t0"
    load(document_of(small))


@pytest.mark.parametrize("seed", range(1, 1 + runs("random plans whose smaller plans are loaded")))
def test_every_smaller_plan_is_a_document(seed: int) -> None:
    for variants in (leave_out.fewer_nodes, leave_out.fewer_copies, shrink.without_topics):
        for tried in variants(draw(seed)):
            load(document_of(shrink.with_known_ends(tried)))


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("kill 2", ""),
        ("start 2 empty", ""),
        ("pause 1", "pause 1"),
        ("config broker.2 min.insync.replicas 1", ""),
        ("config t0 min.insync.replicas 2", "config t0 min.insync.replicas 2"),
        ("cut 2|0", ""),
        ("cut 2,0>1,101", "cut 0>1,101"),
        ("heal", "heal"),
        ("power-loss 2 7", ""),
        ("power-loss 1,2 7", "power-loss 1 7"),
        ("power-loss all", "power-loss all"),
        ("reassign t0-0 2,1", "reassign t0-0 1"),
        ("reassign t0-0 2", ""),
        ("reassign t0-0 cancel", "reassign t0-0 cancel"),
        ("create new 2,1/0,2", "create new 1/0"),
        ("create new 2", "create new 0"),
        ("create new 3 5", "create new 2 5"),
    ],
)
def test_what_is_said_of_a_broker_goes_with_it(said: str, left: str) -> None:
    assert leave_out.said_without(said, [2], [0, 1]) == left


def test_a_start_state_goes_on_without_a_broker() -> None:
    log = {"leo": 9, "epochs": [[1, 0]], "start": 0}
    state = {"leader": 2, "isr": [2], "elr": [1], "epoch": 1, "logs": {"2": log, 1: log}, "lag": {0: 3}}
    topic = {"name": "t", "assignment": [[2, 1, 0]], "initial": {"0": state}}
    found = leave_out.topic_on([0, 1], topic, moves=False)
    assert found["assignment"] == [[1, 0]]
    assert found["initial"] == {
        0: {"leader": 1, "isr": [1], "elr": [], "epoch": 1, "logs": {1: log}, "lag": {0: 3}},
    }


def test_a_failure_before_the_heal_is_sought_without_it() -> None:
    assert run.run_plan(draw(3), heals=False).simulated_us == shrink.us(draw(3)["until"])
