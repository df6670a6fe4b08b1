"""PLACE-1..8: the vectors of Kafka's striped placement, its properties, and what a new topic starts with."""

from collections import Counter
from typing import Any

import pytest

from simengine.facts.decisive import PartitionCreated, RequestRefused
from simengine.kafka.cluster.placement import make_placer
from simengine.kernel.random import Stream
from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import stated

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


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("racks", "factor"), [("abcabc", 3), ("aabb", 2), ("aabb", 4), ("abcdabcd", 3), ("------", 3)])
def test_replicas_are_distinct_spread_over_racks_and_led_in_turn(racks: str, factor: int, seed: int) -> None:
    """PLACE-3, PLACE-4, PLACE-8: where every rack has equally many brokers."""
    brokers = list(range(len(racks)))
    names = ["" if rack == "-" else rack for rack in racks]
    placer = make_placer(names, brokers, [False] * len(brokers), Stream(seed, "t", "placement"))
    lists = [[int(b) for b in placer.place(factor)] for _ in range(4 * len(brokers))]
    for members in lists:
        assert len(set(members)) == len(members) == factor
        counts = Counter(names[b] for b in members)
        assert max(counts.values()) - min(counts[name] for name in set(names)) <= 1
    for block in range(4):
        leaders = [members[0] for members in lists[block * len(brokers) : (block + 1) * len(brokers)]]
        leads = Counter(names[b] for b in leaders)
        assert max(leads.values()) == min(leads.values()) and set(leads) == set(names)
        assert racks == "aabb" or sorted(leaders) == brokers  # of two racks the same broker leads again


def test_brokers_are_shuffled_after_as_many_partitions_as_there_are_unfenced_ones() -> None:
    """PLACE-2, PLACE-5: only then, only among more than one, and not the same way with every seed."""
    turns = {(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)}
    first, second = set(), set()
    for seed in range(40):
        placer = make_placer([""] * 4, [0, 1, 2, 3], [False] * 4, Stream(seed, "t", "placement"))
        leaders = [int(placer.place(2)[0]) for _ in range(8)]
        first.add(tuple(leaders[:4]))
        second.add(tuple(leaders[4:]))
    assert first == turns
    assert len(second - turns) > 4


@pytest.mark.parametrize("seed", range(6))
def test_the_rack_to_begin_with_moves_on_through_a_shuffle(seed: int) -> None:
    """PLACE-5: the count of partitions begins anew with it, the offset does not."""
    placer = make_placer(list("aabbc"), list(range(5)), [False] * 5, Stream(seed, "t", "placement"))
    begun = placer._offset
    for k in range(1, 14):
        placer.place(2)
        assert placer._offset == (begun + k) % 3
        assert placer._epoch == (k - 1) % 5 + 1


def test_a_ring_may_have_nothing_left_for_a_partition_after_a_shuffle() -> None:
    """PLACE-5: racks A, B and C of one broker each led in this order; worked out by hand for each order after it."""
    seen: set[str] = set()
    for seed in range(100):
        placer = make_placer(["a", "b", "c"], [0, 1, 2], [False] * 3, Stream(seed, "t", "placement"))
        first = [int(placer.place(1)[0]) for _ in range(3)]
        assert sorted(first) == [0, 1, 2]
        seen.add("".join("ABC"[first.index(int(placer.place(1)[0]))] for _ in range(3)))
    # A B C      A C B  B A C  B C A  C A B  C B A
    assert seen == {"BBA", "CCB", "BAB", "BCA", "CAB", "CAA"}


def created(do: str, *before: dict[str, str]) -> tuple[World, list[Any], list[RequestRefused]]:
    """The world after a topic `u` was asked for at 30 s, its partitions as the controller has them, and refusals."""
    document = {
        "format": 1,
        "until": "40s",
        "cluster": {"brokers": [{"id": b, "rack": rack} for b, rack in enumerate("abc")]},
        "topics": [{"name": "t", "assignment": [[0, 1, 2]]}, {"name": "alone", "assignment": [[2]]}],
        "timeline": [*before, {"at": "30s", "do": do}],
    }
    world = build(load(document))
    world.run(40_000_000)
    refused = stated(world, RequestRefused)
    view: Any = world.snapshot()
    return world, [p for p in view["partitions"] if view["topics"][p["topic"]]["name"] == "u"], refused


def test_a_new_topic_starts_with_its_active_replicas_in_sync_and_the_first_of_them_leading() -> None:
    """PLACE-6, STATE-1: epochs start at 0; a dead broker is a replica, in no ISR, and leads nothing."""
    _, partitions, refused = created("create u 2,1/1,2/0,2", {"at": "5s", "do": "kill 2"})
    assert not refused
    assert [(p["replicas"], p["isr"], p["leader"], p["epoch"], p["pe"]) for p in partitions] == [
        ([2, 1], [1], 1, 0, 0),
        ([1, 2], [1], 1, 0, 0),
        ([0, 2], [0], 0, 0, 0),
    ]


def test_a_topic_is_created_whole_or_not_at_all() -> None:
    """PLACE-6, PLACE-7: one partition without an active replica refuses all, and no fact says that one was created."""
    world, partitions, refused = created("create u 1/2", {"at": "5s", "do": "kill 2"})
    assert len(refused) == 1
    assert all(p["leader"] == -1 and not p["replicas"] for p in partitions)
    assert not stated(world, PartitionCreated)


@pytest.mark.parametrize(
    ("before", "is_refused"), [((), False), (({"at": "29800ms", "do": "stop 2"},), True)], ids=["all", "one stops"]
)
def test_a_broker_in_controlled_shutdown_gets_no_replica(before: tuple[dict[str, str], ...], is_refused: bool) -> None:
    """PLACE-1: broker 2 cannot hand over the partition that it alone has, and two are left for three replicas."""
    _, partitions, refused = created("create u 3 2", *before)
    assert bool(refused) == is_refused
    assert all(bool(p["replicas"]) != is_refused for p in partitions)


def test_a_fenced_broker_may_hold_a_replica_of_a_new_topic() -> None:
    """PLACE-1, PLACE-3: registered is enough; it comes last and is not in sync."""
    _, partitions, refused = created("create u 3 6", {"at": "5s", "do": "kill 2"})
    assert not refused
    assert all(sorted(p["replicas"]) == [0, 1, 2] and p["replicas"][0] != 2 for p in partitions)
    assert all(2 not in p["isr"] for p in partitions)
