"""Topics that the cluster placed itself: which lists Kafka's placer can draw, and that recordings are held to that."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from simengine.kafka.cluster.placement import make_placer
from simengine.kernel.random import Stream
from simengine.recordings.model import Details, PartitionRecord, Recording
from simengine.recordings.reader import read
from tests.conformance.compare import compare
from tests.conformance.placement import can_be_drawn, placements
from tests.conformance.recorded import Recorded

RECORDINGS = Path(__file__).parent / "recordings"
CLUSTERS = [  # a letter is a broker's rack; fenced brokers; replicas; partitions
    ("abcabc", [], 3, 20),
    ("abcabc", [2, 5], 3, 20),
    ("abcabc", [2, 5], 6, 12),
    ("------", [], 3, 25),
    ("aabbc", [], 2, 20),
    ("abc", [], 1, 9),
    ("abcd", [1], 2, 12),
    ("aabb", [], 4, 9),
]


def drawn(letters: str, fenced: list[int], factor: int, count: int, seed: int) -> list[list[int]]:
    """The replica lists that the simulated placer draws."""
    names = ["" if letter == "-" else letter for letter in letters]
    brokers = list(range(len(letters)))
    placer = make_placer(names, brokers, [b in fenced for b in brokers], Stream(seed, "t", "placement"))
    return [[int(broker) for broker in placer.place(factor)] for _ in range(count)]


def judged(letters: str, fenced: list[int], lists: list[list[int]]) -> bool:
    """True if these lists can be drawn in that cluster."""
    racks = {broker: None if letter == "-" else letter for broker, letter in enumerate(letters)}
    return can_be_drawn(racks, [b for b in racks if b not in fenced], fenced, lists)


@pytest.mark.parametrize(("letters", "fenced", "factor", "count"), CLUSTERS)
def test_whatever_the_simulated_placer_draws_can_be_drawn(
    letters: str, fenced: list[int], factor: int, count: int
) -> None:
    """PLACE-2 to PLACE-5: the two are written apart."""
    for seed in range(40):
        assert judged(letters, fenced, drawn(letters, fenced, factor, count, seed))


@pytest.mark.parametrize(("letters", "fenced", "factor", "count"), CLUSTERS)
def test_the_same_lists_in_another_order_cannot(letters: str, fenced: list[int], factor: int, count: int) -> None:
    """PLACE-3, PLACE-4: leaders and racks go round, so the first two partitions are not each other's."""
    for seed in range(40):
        lists = drawn(letters, fenced, factor, count, seed)
        assert not judged(letters, fenced, [lists[1], lists[0], *lists[2:]])


@pytest.mark.parametrize(
    ("lists", "rule"),
    [
        ([[0, 3, 1]], "one rack twice, another not at all"),
        ([[0, 1, 0]], "one broker twice"),
        ([[2, 0, 1]], "a fenced broker leads"),
        ([[0, 1, 5], [1, 5, 3], [2, 3, 4]], "a fenced broker leads, later"),
        ([[0, 1, 2], [1, 2, 0]], "a ring that does not go round"),
        ([[0, 1, 3, 2]], "a rack comes twice before the others had their turn"),
    ],
)
def test_lists_that_break_a_rule_of_placement_cannot_be_drawn(lists: list[list[int]], rule: str) -> None:
    fenced = [2] if "fenced" in rule else []
    assert not judged("abcabc", fenced, lists), rule


def test_every_list_of_the_recorded_clusters_can_be_drawn() -> None:
    """PLACE-2 to PLACE-5: five topics that a real cluster placed, two of them with two brokers fenced."""
    placed = placements(read(RECORDINGS / "s32.json"))
    assert {topic: len(one.lists) for topic, one in placed.items()} == {
        "x1": 12,
        "x2": 6,
        "x3": 12,
        "x4": 30,
        "x5": 0,
        "y1": 12,
        "y2": 6,
    }
    assert all(one.can_be_drawn for one in placed.values())


# -- the comparator


def broken(real: Recording, run: Recording) -> list[tuple[int, str]]:
    """Rule and subject of each disagreement when this run is there three times."""
    summaries = [Recorded.of(run).summary for _ in range(3)]
    found = compare(Recorded.of(real), summaries).disagreements
    return [(one.rule, one.subject) for one in found]


def changed(
    recording: Recording, partition: str, number: int, change: Callable[[float, Details], tuple[float, Details]]
) -> Recording:
    """The recording with one record of a partition made another."""
    at = [i for i, record in enumerate(recording.metadata) if record.partition == partition][number]
    records = list(recording.metadata)
    t, changes = change(records[at].t, dict(records[at].changes))
    records[at] = PartitionRecord(t, partition, changes)
    return replace(recording, metadata=tuple(sorted(records, key=lambda record: record.t)))


def test_a_placement_that_no_draw_leads_to_explains_nothing_and_is_explained_by_nothing() -> None:
    true = read(RECORDINGS / "s32.json")
    assert broken(true, true) == []
    wrong = changed(true, "x4-0", 0, lambda t, full: (t, {**full, "replicas": [5, 2, 4], "isr": [5, 2, 4]}))
    assert (1, "x4") in broken(wrong, true)
    assert (1, "x4") in broken(true, wrong)


def test_a_topic_of_another_size_is_not_that_topic() -> None:
    true = read(RECORDINGS / "s32.json")
    fewer = replace(true, metadata=tuple(record for record in true.metadata if record.partition != "x1-11"))
    assert (1, "x1") in broken(fewer, true)


def test_what_was_placed_otherwise_names_when_the_topic_was_asked_for() -> None:
    """PLACE-1, PLACE-2 to PLACE-5, PLACE-7: a topic of another size, with impossible lists, or really refused."""
    true = read(RECORDINGS / "s32.json")
    (asked,) = (action.start for action in true.actions if action.details.get("topic") == "x4")
    fewer = replace(true, metadata=tuple(record for record in true.metadata if record.partition != "x4-29"))
    wrong = changed(true, "x4-0", 0, lambda t, full: (t, {**full, "replicas": [5, 2, 4], "isr": [5, 2, 4]}))
    for real, run, said in ((fewer, true, "replica counts"), (wrong, true, "which no draw leads to")):
        found = compare(Recorded.of(real), [Recorded.of(run).summary] * 3).disagreements
        told = [one for one in found if one.subject == "x4" and said in one.text]
        assert [one.t for one in told] == [asked]
        assert f"at {asked:.2f} s really" in str(told[0])


def test_a_partition_that_only_the_runs_have_names_when_they_create_it() -> None:
    """PLACE-7: the real cluster refused it."""
    true = read(RECORDINGS / "s17-v1v2.json")
    without = replace(true, metadata=tuple(record for record in true.metadata if record.partition != "v2-0"))
    found = compare(Recorded.of(without), [Recorded.of(true).summary] * 3).disagreements
    assert (found[0].subject, found[0].t) == ("v2-0", 0.0)
    assert "at 0.00 s every run creates this partition, really it was refused (PLACE-1, PLACE-7)" in str(found[0])


def test_what_becomes_of_a_partition_is_held_against_those_that_a_run_put_on_the_same_brokers() -> None:
    """Rules 1 and 2: x4-0 on 5, 0, 4 is led by 0 when broker 5 is fenced; x4-1 in the run may be where x4-0 was."""
    true = read(RECORDINGS / "s32.json")
    other = changed(true, "x4-0", 1, lambda t, changes: (t, {**changes, "leader": 4}))
    assert broken(other, true) == [(1, "x4 on 5, 0, 4")]
    later = changed(true, "x4-0", 1, lambda t, changes: (t + 4.0, changes))
    assert broken(later, true) == [(2, "x4 on 5, 0, 4")]
    names = {"x4-0": "x4-18", "x4-18": "x4-0"}
    renamed = [record._replace(partition=names.get(record.partition, record.partition)) for record in true.metadata]
    summary = Recorded.of(replace(true, metadata=tuple(renamed))).summary
    assert summary.histories["x4 on 5, 0, 4"] == Recorded.of(true).summary.histories["x4 on 5, 0, 4"]
