"""The verdict of random runs equals a recount of all calls and deliveries from the facts alone (FATE-4, FATE-7)."""

from typing import Any

import pytest

from simengine import engine_form
from simengine.kernel.random import Stream
from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import taken
from tests.long_form import runs
from tests.recount.fates import KINDS, Counts, Recount
from tests.swarm.draw import Plan, document_of, draw
from tests.swarm.size import seeds

RUNS = runs("random runs whose calls and records are counted again") if engine_form() == "compiled" else 24
SEEDS = seeds(RUNS)
CALLS_MAX = 15_000  # a recount of more takes minutes: such a run ends at the look before


def mixed(plan: Plan) -> Plan:
    """The plan with producers that change their acks while they run."""
    stream = Stream(int(plan["seed"]), "recount", "acks")
    until = int(plan["until"].removesuffix("us"))
    entries = [(int(entry["at"].removesuffix("us")), entry["do"]) for entry in plan["timeline"]]
    for producer in plan["producers"]:
        producer["resend"] = int(stream.below(3))
        while int(stream.below(2)):
            acks = ("0", "1", "all")[int(stream.below(3))]
            entries.append((int(stream.below(until)), f"acks {producer['topic']} {acks}"))
    return {**plan, "timeline": [{"at": f"{at}us", "do": do} for at, do in sorted(entries)]}


def expected(mine: Counts, part: dict[str, Any]) -> Counts:
    """The verdict's figures as the recount has them; refused and unknown apart only as far as facts can tell."""
    failed = part["refused"] + part["unknown"]
    return {
        "calls": mine["calls"],
        "open": mine["open"],
        "open_written": mine["open once"] + mine["open twice"],
        "acked": mine["acked"],
        "kept": mine["acked once"],
        "lost": mine["acked absent"],
        "lost_all": mine["lost_all"],
        "lost_1": mine["lost_1"],
        "moved": mine["moved"],
        "duplicated_acked": mine["acked twice"],
        "duplicated": sum(mine[f"{outcome} twice"] for outcome in ("acked", "handed over", "failed", "open")),
        "undetermined": mine["acked undetermined"],
        "handed_over": mine["handed over"],
        "arrived": mine["handed over once"],
        "vanished": mine["handed over absent"],
        "undetermined_handed_over": mine["handed over undetermined"],
        "unknown_written": mine["failed once"] + mine["failed twice"],
        "refused": min(max(part["refused"], mine["surely refused"]), failed - mine["surely unknown"]),
        "unknown": mine["failed"] - part["refused"],
    }


def expected_records(mine: Counts) -> Counts:
    """The same of records, as the recount has them."""
    return {
        "resent": mine["resent"],
        "kept": mine["acked once"],
        "lost": mine["acked absent"],
        "duplicated_acked": mine["acked twice"],
        "undetermined": mine["acked undetermined"],
        "duplicated": mine["twice"],
        "by_application": mine["by application"],
        "recovered": mine["recovered"],
        "lost_again": mine["lost again"],
    }


def client_differences(topic: dict[str, Any], recount: Recount) -> list[str]:
    """The differences between verdict and recount for each producer over all partitions of a topic."""
    found = []
    for index, client in enumerate(recount.clients):
        said = next((row for row in topic["clients"] if row["client"] == client["id"] and "calls" in row), None)
        if said is not None:
            each = [expected(recount.fates(part["partition"], index), said) for part in topic["partitions"]]
            for name in each[0]:
                n = sum(one[name] for one in each)
                if name not in ("refused", "unknown") and said[name] != n:
                    found.append(f"{client['id']}: {name} {said[name]}, not {n}")
    return found


def differences(world: World, recount: Recount) -> list[str]:
    """The differences between verdict and recount, now."""
    verdict: Any = world.verdict()
    found = [] if verdict["balance_ok"] else ["the balance"]
    topics = {topic["topic"]: topic for topic in verdict["topics"]}
    for topic in topics.values():
        found += client_differences(topic, recount)
        for part in topic["partitions"]:
            p = part["partition"]
            wants = expected(recount.fates(p), part)
            found += [f"{p}: {name} {part[name]}, not {n}" for name, n in wants.items() if part[name] != n]
            records = expected_records(recount.records(p))
            said = part["records"]
            found += [f"{p}: {name} {said[name]} of records, not {n}" for name, n in records.items() if said[name] != n]
            for group, partition in recount.delivered:
                if partition == p:
                    said = part["clients"].get(group, {})
                    reads = recount.reads(group, p).items()
                    found += [
                        f"{p} {group}: {name} {said.get(name, 0)}, not {n}"
                        for name, n in reads
                        if said.get(name, 0) != n
                    ]
    for index, topic in enumerate(world.cluster.topics):
        if topic.name in topics and not topic.is_deleted:
            figures = world.book.figures_of(index, world.now_us)
            live = [figures.acked, figures.lost, figures.duplicated]
            said = [topics[topic.name][name] for name in ("acked", "lost", "duplicated")]
            found += [f"{topic.name}: the running figures are {live}, not {said}"] if live != said else []
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_verdict_of_a_random_run_equals_a_recount_from_its_facts(seed: int) -> None:
    world = build(load(document_of(mixed(draw(seed)))))
    world.trace.keep_kinds(list(KINDS))
    recount = Recount(world)
    until = world.doc.until_us
    for at in (until // 12, until // 3, 2 * until // 3, until):
        world.run(at)
        recount.feed(taken(world))
        if at > until // 12 and sum(len(calls) for calls in recount.calls.values()) > CALLS_MAX:
            break
        assert differences(world, recount) == [], f"at {at / 1e6} s"


ONE_COPY = """
format: 1
until: 30s
cluster: {brokers: [0, 1], controllers: [100]}
topics: [{name: t, assignment: [[0]], config: {min.insync.replicas: 1}}]
producers: [{id: P, topic: t, acks: 0, rate: 10}, {id: Q, topic: t, acks: 1, rate: 10}]
timeline: [{at: 5s, do: ACTION}, {at: 15s, do: start 0 empty}]
"""


@pytest.mark.parametrize("action", ["kill 0", "power-loss 0 8"])
def test_a_recount_finds_the_same_records_vanished_though_nobody_leads(action: str) -> None:
    world = build(load(ONE_COPY.replace("ACTION", action).encode()))
    world.trace.keep_kinds(list(KINDS))
    recount = Recount(world)
    for seconds in (5.5, 8, 14, 16, 30):
        world.run(int(seconds * 1_000_000))
        recount.feed(taken(world))
        assert differences(world, recount) == [], f"at {seconds} s"
    assert recount.fates(0)["handed over absent"] >= 50
