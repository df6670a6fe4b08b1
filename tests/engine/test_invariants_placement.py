"""PLACE-2..5 against the vectors of Kafka's striped placement."""

import pytest

from simengine.kafka.placement import make_placer
from simengine.kernel.random import Stream

PLACEMENTS: list[tuple[str, str, list[int], int, list[list[int]]]] = [
    ("no rack, RF 3", "---", [], 3, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]),
    ("no rack, RF 2", "---", [], 2, [[0, 1], [1, 2], [2, 0]]),
    (
        "three racks of two",
        "abcabc",
        [],
        3,
        [[0, 1, 2], [4, 5, 3], [2, 0, 1], [3, 4, 5], [1, 2, 0], [5, 3, 4]],
    ),
    ("racks of two and of one", "aab", [], 3, [[0, 2, 1], [2, 1, 0]]),
    ("no rack, broker 1 fenced", "---", [1], 3, [[0, 2, 1], [2, 0, 1]]),
    ("two racks of two, RF 4", "aabb", [], 4, [[0, 2, 1, 3], [3, 1, 2, 0]]),
]


@pytest.mark.parametrize(("name", "racks", "fenced", "factor", "lists"), PLACEMENTS, ids=[row[0] for row in PLACEMENTS])
def test_replicas_are_placed_as_kafka_places_them(
    name: str, racks: str, fenced: list[int], factor: int, lists: list[list[int]]
) -> None:
    brokers = list(range(len(racks)))
    names = ["" if rack == "-" else rack for rack in racks]
    placer = make_placer(names, brokers, [b in fenced for b in brokers], None)
    assert [[int(b) for b in placer.place(factor)] for _ in lists] == lists


@pytest.mark.parametrize("seed", range(5))
def test_a_fenced_broker_leads_nothing_and_comes_last(seed: int) -> None:
    placer = make_placer(["", "", ""], [0, 1, 2], [False, True, False], Stream(seed, "t", "placement"))
    for _ in range(4):
        members = [int(b) for b in placer.place(3)]
        assert sorted(members) == [0, 1, 2]
        assert members[2] == 1
