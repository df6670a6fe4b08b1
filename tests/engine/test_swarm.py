"""The swarm: random clusters under random faults hold every invariant, and what fails is made small."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from simengine import engine_form
from simengine.scenario import load
from simengine.verdict import metrics
from simengine.world.world import build
from tests.checked import checked
from tests.invariants.violation import Violation
from tests.long_form import runs
from tests.recount import metrics as recount
from tests.recount.changes import Changes
from tests.swarm import many, rarer, run, shrink
from tests.swarm.command import line_of
from tests.swarm.draw import document_of, draw
from tests.swarm.size import seeds

ROOT = Path(__file__).parent.parent.parent
RUNS = runs("random clusters of the swarm") if engine_form() == "compiled" else 20
IN_A_HUNDRED_RUNS = ("unclean election", "ELR election", "truncation", "append by a zombie", "excused partition")


def test_random_clusters_hold_every_invariant_and_heal() -> None:
    broken: list[str] = []
    marks: Counter[str] = Counter()
    for outcome in many.on_processes(iter(seeds(RUNS)), jobs=2):
        marks.update(outcome.marks)
        if outcome.name:
            broken.append(f"seed {outcome.seed}: {outcome.name} {outcome.where}")
    assert not broken
    assert not [mark for mark in IN_A_HUNDRED_RUNS if RUNS >= 100 and not marks[mark]]


@pytest.mark.parametrize(
    "seed",
    [
        3000674,  # two brokers that stay cut off quarrel for ever: no churn of the core's
        3001002,  # one batch gives partition 0 fewer replicas, and by that another partition a lower M (ELR-1)
        3001058,  # a high watermark moves in the midst of a batch, after the partitions and before the settings
        3001111,  # unclean elections come on late: their task elects whom nobody could (UNC-2)
        4000563,  # a tick of the fencing check comes late (LIVE-3)
        5000315,  # an answer lets in a request that finds the copy which a reassignment is deleting (PROD-9, REA-4)
        5000429,  # members hung at a coordinator that led no more (CON-6)
        6000407,  # an election from the ELR makes the ISR by which a reassignment is complete only later (REA-3)
        6000823,  # a follower asks the new leader before it has heard, just when nothing may change any more (FET-15)
        6010178,  # an administrator's unclean election waits for a controller (UNC-3)
        5081,  # an operator elects leaders of Kafka's own partitions, which no action names
        70071,  # retention took the fork of a follower from its leader's log (LOG-7)
        3001947,  # a high watermark waited for a replica that had just caught up and is fenced since (HW-1)
    ],
)
def test_a_seed_that_once_broke_a_property_holds(seed: int) -> None:
    outcome = run.run_seed(seed)
    assert not outcome.name, outcome.where


def test_a_seed_draws_one_document() -> None:
    assert draw(7) == draw(7)
    assert draw(7) != draw(8)


def planted(plan: dict[str, Any], heals: bool = True) -> run.Outcome:
    """Breaks whenever broker 2 is killed after 20 s, whatever else happens."""
    late = [e for e in plan["timeline"] if e["do"] == "kill 2" and int(e["at"].removesuffix("us")) > 20_000_000]
    return run.Outcome(plan["seed"], "planted" if late else "")


def test_the_shrinker_keeps_only_what_a_planted_failure_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrink, "run_plan", planted)
    noise = [{"at": f"{n * 1_000_000}us", "do": f"pause {n % 3}"} for n in range(30)]
    plan = {**draw(3), "timeline": [*noise[:17], {"at": "21000000us", "do": "kill 2"}, *noise[17:]]}
    small = shrink.shrink(plan, "planted")
    assert small["timeline"] == [{"at": "21000000us", "do": "kill 2"}]
    assert small["consumers"] == []
    assert len(small["producers"]) == 1


def test_no_step_of_the_shrinker_undoes_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is left breaks: each rate is the least, each setting gone, as many brokers and voters as can be."""
    monkeypatch.setattr(shrink, "run_plan", planted)
    timeline = [{"at": "21000000us", "do": "kill 2"}]
    small = shrink.shrink({**draw(12), "timeline": timeline}, "planted")
    assert [producer["rate"] for producer in small["producers"]] == [1]
    assert small["cluster"]["config"] == {}
    assert (small["network"]["latency"], small["network"]["links"]) == ("1ms", [])
    assert len(small["cluster"]["controllers"]) == 1
    assert [len(topic["assignment"]) for topic in small["topics"]] == [1]


def test_a_document_that_cannot_be_loaded_breaks_nothing() -> None:
    assert not shrink.breaks({**draw(3), "timeline": [{"at": "1s", "do": "kill 77"}]}, "strong_isr")


BROKEN = """
from tests.invariants.log_checks import LogChecks
from tests.invariants.violation import Violation
from tests.swarm import run

def broken(self, replica, old):
    raise Violation("strict_min_isr_hw", f"partition {replica.p}", f"HW {old} moved")

LogChecks.hw_moved = broken
outcome = run.run_seed(3)
print(outcome.name, outcome.seed, outcome.event > 0, outcome.where)
print("\\n".join(outcome.story))
"""


def test_a_broken_property_is_told_with_its_name_seed_and_place() -> None:
    environment = {**os.environ, "HIGHWATER_ENGINE": "interpreted"}  # compiled methods cannot be replaced
    command = [sys.executable, "-c", BROKEN]
    told = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    assert re.match(r"strict_min_isr_hw 3 True partition [\w.]+-\d+\n", told), (
        "a partition goes by its name, not by its index"
    )
    for word in ("does not hold at partition t", "brokers: 0 ", "metadata: leader", "LEO"):
        assert word in told


def test_the_line_of_a_failure_says_profile_and_build() -> None:
    line = line_of(run.Outcome(3, "strong_isr", "partition 0", digest="00ff", plan={"profile": "3.7"}), "3")
    assert line.startswith("FAIL strong_isr partition 0 @0.000000s ev=0 seed=3 profile=3.7 build=")
    assert line.endswith(" digest=00ff | replay: python -m tests.swarm --replay 3")


def test_the_draws_hold_what_the_plan_names() -> None:
    """Client faults and idle spells, losses of sites, links undone in another order, profiles, latencies."""
    plans = [draw(seed) for seed in range(1, 120)]
    assert {plan["profile"] for plan in plans} == {"3.7", "4.0", "4.1", "4.2", "4.4"}
    assert max(int(plan["until"].removesuffix("us")) for plan in plans) > 250_000_000
    links = [plan["network"]["links"] for plan in plans]
    assert min(len({link["latency"] for link in of_one}) for of_one in links) > 5
    assert 10 < sum("jitter" not in of_one[-1] for of_one in links) < 40  # one slow pair in a fifth of the runs
    assert {sum("partitions" in consumer for consumer in plan["consumers"]) for plan in plans} == {1, 2, 3}
    verbs = Counter(entry["do"].split()[0] for plan in plans for entry in plan["timeline"])
    assert not [verb for verb in ("open", "close", "crash", "rate") if not verbs[verb]]
    for plan in plans:
        load(document_of(plan))


def test_the_draws_hold_what_is_rarer() -> None:
    """Even voters, narrow producers, settings above topics, subscribers and their coordinator, new topics, factors."""
    plans = [draw(seed) for seed in range(1, 200)]
    assert {len(plan["cluster"]["controllers"]) for plan in plans} == {1, 2, 3, 4, 5}
    producers = Counter(key for plan in plans for producer in plan["producers"] for key in producer["config"])
    assert min(producers[key] for key in ("max.in.flight.requests.per.connection", "retries", "batch.size")) > 20
    for key in ("min.insync.replicas", "unclean.leader.election.enable"):
        assert sum(key in plan["cluster"]["config"] for plan in plans) > 10
    assert sum("config" in broker for plan in plans for broker in plan["cluster"]["brokers"]) > 5
    assert {sum("topics" in consumer for consumer in plan["consumers"]) for plan in plans} == {0, 1, 2, 3}
    assert sum(target["role"] == "coordinator" for plan in plans for target in plan["targets"]) > 20
    assert sum("initial" in topic for plan in plans for topic in plan["topics"]) > 5
    assert sum(target["verb"] == "outdate" for plan in plans for target in plan["targets"]) > 3
    said = Counter(" ".join(e["do"].split()[:2]).rsplit(".", 1)[0] for plan in plans for e in plan["timeline"])
    assert min(said[text] for text in ("create new", "config cluster", "config broker")) > 10
    slowed = Counter("serving" in e["do"] for plan in plans for e in plan["timeline"] if e["do"].startswith("slow "))
    assert min(slowed[True], slowed[False]) > 20
    factors = {
        (len(topic["assignment"][0]), len(entry["do"].split()[2].split(",")))
        for plan in plans
        for topic in plan["topics"]
        for entry in plan["timeline"]
        if entry["do"].startswith(f"reassign {topic['name']}-") and not entry["do"].endswith("cancel")
    }
    assert any(new > old for old, new in factors)
    assert any(new < old for old, new in factors)


@pytest.mark.parametrize(
    ("knob", "marks"),
    [
        ("LATE_START_PERCENT", ["log dropped whole and begun anew (FET-13)"]),
        ("OUTDATED_PERCENT", ["AlterPartition: NOT_CONTROLLER", "AlterPartition: UNKNOWN_TOPIC_OR_PARTITION"]),
    ],
)
def test_what_is_drawn_for_a_mark_reaches_it(knob: str, marks: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the runs that are drawn so, a good part comes to that moment."""
    monkeypatch.setattr(rarer, knob, 100)
    reached: Counter[str] = Counter()
    for seed in seeds(40):
        outcome = run.run_seed(seed)
        assert not outcome.name, outcome.where
        reached.update(outcome.marks)
        if all(reached[mark] for mark in marks):
            return
    raise AssertionError(f"never reached: {[mark for mark in marks if not reached[mark]]}")


def test_what_was_aimed_while_it_ran_replays_from_the_document_alone() -> None:
    seed = next(seed for seed in range(1, 200) if len(draw(seed)["targets"]) > 3)
    plan = draw(seed)
    world = checked(load(document_of(plan)))
    acted: list[tuple[int, str]] = []
    run.safety(world, plan, acted)
    assert acted
    again = checked(load(document_of(run.as_run(plan, acted, world.now_us))))
    again.run(world.now_us)
    assert again.digest() == world.digest()


def test_observer_free_checks_traffic_views_and_pace_change_no_digest() -> None:
    """The invariant observer_free."""
    for seed in (2, 3, 5):
        document = load(document_of(draw(seed)))
        digests = []
        for is_watched in (False, True):
            world = checked(document) if is_watched else build(document)
            world.trace.keep_traffic = is_watched
            for moment in range(1, 31) if is_watched else (30,):
                world.run(moment * 1_000_000)
                if is_watched:
                    world.trace.take()
                    world.snapshot()
                    world.verdict()
                    world.metrics()
            digests.append(world.digest())
        assert digests[0] == digests[1]


def test_the_slow_checks_reject_a_shadow_that_is_not_the_log() -> None:
    """The invariant incremental_equals_full."""
    world = checked(load(document_of(draw(3))))
    world.run(20_000_000)
    run.check_whole(world)
    copies = [copy for broker in world.cluster.brokers if broker.up for copy in broker.hosted if copy.log.batches]
    run.parts_of(world).logs.shadow(copies[0]).batches.pop()
    with pytest.raises(Violation, match="incremental_equals_full"):
        run.check_whole(world)


def test_a_gauge_that_differs_from_a_recount_is_rejected() -> None:
    """The invariant metrics_recomputed."""
    readings = [
        metrics.MetricReading(1, "kafka.server:type=ReplicaManager,name=LeaderCount", metrics.VALUE, 2, "MET-6")
    ]
    said = recount.values_of(readings)
    recount.compare(said, {"LeaderCount": 2}, "broker 1")
    with pytest.raises(Violation, match="metrics_recomputed"):
        recount.compare(said, {"LeaderCount": 3}, "broker 1")


@pytest.mark.parametrize("counter", ["isr_shrinks", "isr_expands", "failed_isr_updates"])
def test_a_counter_that_differs_from_a_recount_is_rejected(counter: str) -> None:
    """The invariant metrics_recomputed: MET-4 and MET-5, from the facts and the committed records."""
    document = (ROOT / "tests" / "scenarios" / "s19-isr-shrink-and-expand.yaml").read_bytes()
    world = checked(load(document))
    changes = Changes(world.cluster)
    for second in range(1, 80):
        world.run(second * 1_000_000)
        recount.metrics_recomputed(world.cluster, changes)
    counts = changes.of(0)
    assert (counts["shrinks"], counts["expands"], counts["refused"]) == (1, 1, 0)
    kept = world.cluster.by_id[0].metrics
    setattr(kept, counter, getattr(kept, counter) + 3)
    with pytest.raises(Violation, match="metrics_recomputed"):
        recount.metrics_recomputed(world.cluster, changes)


def test_a_counter_that_is_wrong_on_the_way_stops_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The recount is made in the part with faults, and not in its end alone."""
    made: list[int] = []
    monkeypatch.setattr(run, "metrics_recomputed", lambda cluster, *_: made.append(int(cluster.sim.now)))
    plan = draw(3)
    world = checked(load(document_of(plan)))
    run.safety(world, plan, [])
    assert len(made) >= world.now_us // run.SLICE_US
    assert made[0] <= run.SLICE_US
