"""Neutral names: nothing of the pasted names stays, and the run is the same run."""

from typing import Any

from playground.scenarios.neutral import neutral
from simengine.scenario import load, to_json
from simengine.world.world import World, build

DOCUMENT = """
format: 1
title: ACME payments
about: the secret cluster
cluster:
  brokers: [{id: 1, rack: dc-acme-1}, {id: 2, rack: dc-acme-2}, {id: 3, rack: dc-acme-1}]
  controllers: [{id: 100, rack: dc-acme-1}]
topics:
  - {name: acme-orders, assignment: [[1, 2], [2, 3]]}
  - {name: acme.payments-7, assignment: [[3, 1]]}
producers:
  - {id: acme-app, topic: acme-orders, rate: 5, rack: office-acme}
consumers:
  - {id: acme-reader, group: acme-group, topics: [acme-orders], rack: dc-acme-1}
  - {id: acme-other, partitions: [[acme.payments-7, 0]]}
network: {links: [{between: [dc-acme-1, dc-acme-2], latency: 2ms}]}
timeline:
  - {at: 1s, do: kill-rack dc-acme-2}
  - {at: 2s, do: send acme-app acme-orders-1 5}
  - {at: 3s, do: "cut acme-app|1,2"}
  - {at: 4s, do: acks acme-orders 1}
  - {at: 5s, do: elect unclean acme.payments-7-0}
"""


def test_no_given_name_stays() -> None:
    text = to_json(neutral(load(DOCUMENT)))
    assert "acme" not in text.lower() and "secret" not in text


def test_the_cluster_under_neutral_names_takes_the_same_course() -> None:
    document = load(DOCUMENT)
    plain, renamed = build(document), build(neutral(document))
    plain.run(15_000_000)
    renamed.run(15_000_000)
    assert _course(plain) == _course(renamed)


def _course(world: World) -> list[tuple[int, list[int], list[int]]]:
    partitions: Any = world.snapshot()["partitions"]
    return [(partition["leader"], partition["isr"], partition["replicas"]) for partition in partitions]


def test_equal_names_stay_equal() -> None:
    document = neutral(load(DOCUMENT))
    assert document.brokers[0].rack == document.brokers[2].rack != document.brokers[1].rack
    assert [topic.name for topic in document.topics] == ["topic-1", "topic-2"]
    assert str(document.timeline[1].action) == "send producer-1 topic-1-1 5"
