"""A moment near a fault that lost nothing by luck: the moment offered at which it would have lost records."""

import random
from importlib import resources
from typing import Any

import pytest

from simengine.explain.decide import lost_in
from simengine.explain.examine import examine
from simengine.scenario import Document, load, to_plain
from simengine.scenario.durations import parse_duration
from simengine.world.world import build
from tests.engine.cluster import SECOND

SANDBOX = resources.files("simengine.scenario.builtin").joinpath("sandbox.yaml").read_text()
WARM_US = SECOND  # where its room opens


def killed(at_us: int, acks: str = "1", more: str = "") -> Document:
    """A leader that answers before its followers have the record, killed at a moment."""
    text = (
        "{format: 1, seed: 7, cluster: {brokers: [1, 2, 3], controllers: [100]}, network: {latency: 25ms}, "
        "topics: [{name: t, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}], "
        f"producers: [{{id: P, topic: t, rate: 50, acks: {acks}}}], "
        f"timeline: [{{at: {at_us}us, do: kill 1}}{more}]}}"
    )
    return load(text.encode())


def with_topic_u(doc: Document) -> Document:
    """The document with two more brokers, and a topic on them that is written with acks=1."""
    plain = to_plain(doc)
    plain["cluster"]["brokers"] = [1, 2, 3, 4, 5]
    plain["topics"].append({"name": "u", "assignment": [[4, 5]], "config": {"min.insync.replicas": 1}})
    plain["producers"].append({"id": "Q", "topic": "u", "rate": 20, "acks": 1})
    plain["timeline"] += [{"at": "2s", "do": "cut 4|5,100"}, {"at": "19s", "do": "heal"}]
    plain["timeline"].sort(key=lambda entry: parse_duration(entry["at"]))
    return load(plain)


def lucky_moment() -> int:
    """A moment between two records: each has been fetched when the leader is killed."""
    return next(at for at in range(5_000_000, 6_000_000, 20_000) if not lost_in(killed(at), at + 15 * SECOND))


def test_a_kill_that_lost_nothing_by_luck_offers_the_moment_at_which_it_would_have() -> None:
    at_us = lucky_moment()
    found = examine(killed(at_us), at_us + 15 * SECOND)
    [offer] = found["luck"]
    assert offer["do"] == "kill 1"
    assert at_us - SECOND <= offer["at_us"] < offer["instead_of_us"] == at_us
    assert offer["lost"]["t"] >= 1
    assert offer["words"].startswith(f"By luck nothing was lost: if broker 1 is killed at {offer['at_us'] / 1e6:.3f} s")
    fork = killed(int(offer["at_us"]), more=f", {{at: {at_us}us, do: kill 1}}")
    assert lost_in(fork, at_us + 15 * SECOND) == offer["lost"]


def test_beside_another_topics_loss_luck_is_told_of_the_topic_that_lost_nothing() -> None:
    """LIVE-5: the former leader of u goes on acknowledging while it is cut off."""
    doc = with_topic_u(killed(lucky_moment()))
    until_us = 30 * SECOND
    assert list(lost_in(doc, until_us)) == ["u"]
    offers = examine(doc, until_us)["luck"]
    assert offers
    assert all(offer["words"].startswith("By luck no acknowledged record of t was lost: if") for offer in offers)


@pytest.mark.parametrize("acks", ["all", "1"])
def test_no_moment_is_offered_where_the_rules_forbid_a_loss_or_where_something_was_lost(acks: str) -> None:
    at_us = lucky_moment()
    if acks == "1":
        at_us = examine(killed(at_us), at_us + 15 * SECOND)["luck"][0]["at_us"]
    assert examine(killed(at_us, acks), at_us + 15 * SECOND)["luck"] == []


def test_the_sandbox_at_rest_is_well() -> None:
    """Nothing waits longer than theta while nobody does anything."""
    run = build(load(SANDBOX.encode()))
    run.run(30 * SECOND)
    topics: Any = run.verdict()["topics"]
    assert [(topic["severity"], topic["longest_wait_us"] < 700_000) for topic in topics] == [("ok", True)] * 2


def test_whenever_broker_1_of_the_sandbox_is_killed_orders_loses_records_and_payments_none() -> None:
    """PROD-4, PROD-6: of 50 kills at random moments from its first instant on, at least 48."""
    luck = random.Random(18)
    moments = [WARM_US, *(luck.randint(WARM_US, 13 * SECOND) for _ in range(49))]
    lost = [
        lost_in(load(f"{SANDBOX}timeline: [{{at: {at}us, do: kill 1}}]\n".encode()), at + 13 * SECOND) for at in moments
    ]
    assert sum(list(one) == ["orders"] for one in lost) >= 48
    assert not any("payments" in one for one in lost)
