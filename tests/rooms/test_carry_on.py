"""The state that the document of a carried-on run takes over from the run before."""

from pathlib import Path
from typing import Any

import pytest

from playground.rooms.continue_run import document_from
from simengine.questions.az.losses import broker_loss
from simengine.questions.az.run import cell_document
from simengine.scenario import DocumentError, load
from simengine.world.world import World, build

MIN_ISR = "min.insync.replicas"


def log_spans(world: World) -> list[tuple[int, int]]:
    """Log start and end of partition 0 on brokers 1, 2 and 3."""
    copies = [world.cluster.by_id[broker].replica(0) for broker in (1, 2, 3)]
    return [(int(copy.log.start), int(copy.log.leo)) for copy in copies if copy is not None]


def test_settings_made_while_the_cluster_ran_are_taken_over_at_every_level() -> None:
    document = load(
        {
            "format": 1,
            "elr": False,
            "cluster": {"brokers": [{"id": 1, "config": {MIN_ISR: 2}}, 2, 3]},
            "topics": [{"name": "t", "assignment": [[1, 2, 3], [2, 3, 1], [3, 1, 2]]}],
            "timeline": [
                {"at": "1s", "do": f"config cluster {MIN_ISR} 3"},
                {"at": "2s", "do": f"config broker.3 {MIN_ISR} 1"},
                {"at": "2s", "do": "config t unclean.leader.election.enable true"},
            ],
        }
    )
    world = build(document)
    world.run(5_000_000)
    again = build(document_from(document, world))
    assert [leaders_m(world, p) for p in range(3)] == [leaders_m(again, p) for p in range(3)] == [3, 3, 1]
    assert again.cluster.quorum.image.unclean(0)


def test_topics_are_carried_on_as_they_are_now_and_logs_begin_where_retention_let_them() -> None:
    """A deleted topic is left out, with its clients. One created again has no settings. Added partitions are there."""
    limits = {"retention.ms": 3000, "segment.ms": 1000}
    document = load(
        {
            "format": 1,
            "cluster": {"brokers": [1, 2, 3], "config": {"log.retention.check.interval.ms": 1000}},
            "topics": [
                {"name": "kept", "assignment": [[1, 2, 3]], "config": limits},
                {"name": "again", "assignment": [[1, 2]], "config": {MIN_ISR: 2}},
                {"name": "gone", "assignment": [[2, 3]]},
            ],
            "producers": [{"id": "P", "topic": "kept", "rate": 10}, {"id": "of-gone", "topic": "gone"}],
            "consumers": [
                {"id": "both", "topics": ["gone", "kept"]},
                {"id": "one", "partitions": [["gone", 0]]},
                {"id": "other", "partitions": [["again", 0]]},
            ],
            "timeline": [
                {"at": "2s", "do": "delete gone"},
                {"at": "2s", "do": "delete again"},
                {"at": "4s", "do": "create again 2,3"},
                {"at": "6s", "do": "partitions again 2"},
            ],
        }
    )
    world = build(document)
    world.run(12_000_000)
    carried = document_from(document, world)
    assert [(topic.name, len(topic.assignment)) for topic in carried.topics] == [("kept", 1), ("again", 2)]
    assert carried.topics[1].config == {}
    assert [producer.id for producer in carried.producers] == ["P"]
    assert [consumer.id for consumer in carried.consumers] == ["both", "other"]
    assert carried.consumers[0].topics == ["kept"]
    spans = log_spans(build(carried))
    assert spans == log_spans(world)
    assert spans[0][0] > 0


def test_a_group_goes_on_at_what_it_has_committed_by_now() -> None:
    reader = {"id": "C", "group": "g", "topics": ["t"], "committed": [["t", 0, 3], ["t", 1, 2]]}
    document = load(
        {
            "format": 1,
            "cluster": {"brokers": [1]},
            "topics": [{"name": "t", "assignment": [[1], [1]]}],
            "producers": [{"id": "P", "topic": "t", "rate": 10, "partitions": [0]}],
            "consumers": [reader],
        }
    )
    world = build(document)
    world.run(20_000_000)
    [consumer] = document_from(document, world).consumers
    committed = {(topic, number): offset for topic, number, offset in consumer.committed}
    assert 50 < committed["t", 0] <= 200
    assert ("t", 1) in committed


def leaders_m(world: Any, p: int) -> int:
    """min.insync.replicas as the leader of a partition has it."""
    return int(world.cluster.by_id[p + 1].replica(p).min_isr)


def test_a_death_that_nobody_has_noticed_happens_again_and_dead_controllers_stay_dead() -> None:
    """Until its session ends the leader is dead and in every ISR, which no beginning can say (LIVE-2)."""
    document = load(
        {
            "format": 1,
            "cluster": {"brokers": [{"id": b, "rack": f"az-{b}"} for b in (1, 2, 3)], "controllers": [100, 101, 102]},
            "topics": [{"name": "t", "assignment": [[1, 2, 3]]}],
            "producers": [{"id": "P", "topic": "t", "rate": 5}],
            "timeline": [
                {"at": "1s", "do": "kill 1"},
                {"at": "1s", "do": "pause 2"},
                {"at": "1s", "do": "kill 102"},
                {"at": "1s", "do": "cut P>3"},
            ],
        }
    )
    world = build(document)
    world.run(2_000_000)
    carried = document_from(document, world)
    assert [(entry.at_us, str(entry.action)) for entry in carried.timeline] == [
        (0, "kill 1"),
        (0, "pause 2"),
        (0, "cut P>3"),
    ]
    assert [controller.state for controller in carried.controllers] == ["running", "running", "down"]
    again = build(carried)
    again.run(1_000)
    then: Any = again.snapshot()
    assert {name: broker["process"] for name, broker in then["brokers"].items()} == {
        "1": "down",
        "2": "paused",
        "3": "running",
    }
    assert then["partitions"][0]["leader"] == 1
    cell = cell_document(carried, broker_loss(carried, 2, "dark"), "all")
    assert [str(entry.action) for entry in cell.timeline][:3] == ["kill 1", "pause 2", "cut P>3"]
    long = cell_document(carried.model_copy(update={"title": "x" * 200}), broker_loss(carried, 2, "dark"), "all")
    assert (len(long.title), long.title[-10:]) == (200, ", acks=all")


def test_what_a_run_was_to_show_is_over_and_what_a_paste_did_not_tell_stays() -> None:
    plain: Any = {"format": 1, "cluster": {"brokers": [1]}, "topics": [{"name": "t", "assignment": [[1]]}]}
    for about, left in (("Kill broker 1.", ""), ("Pasted. Assumed:\nracks: by hand", "Assumed:\nracks: by hand")):
        document = load(plain | {"about": about})
        assert document_from(document, build(document)).about == left


TWO_SITES: Any = {
    "format": 1,
    "clusters": {
        "east": {
            "cluster": {"brokers": [1, 2], "controllers": [100]},
            "topics": [{"name": "orders", "assignment": [[1, 2]]}],
            "producers": [{"id": "P", "topic": "orders", "rate": 20}],
        },
        "west": {
            "cluster": {"brokers": [1, 2], "controllers": [100]},
            "topics": [{"name": "orders", "assignment": [[1, 2]], "config": {MIN_ISR: 2}}],
            "producers": [{"id": "P", "topic": "orders", "rate": 10}],
        },
    },
    "network": {"latency": "20ms"},
    "timeline": [
        {"at": "1s", "do": "kill east/1"},
        {"at": "2s", "do": "rate west/P 40"},
        {"at": "19s", "do": "pause west/2"},
        {"at": "19s", "do": "cut west/P>west/2"},
        {"at": "19s", "do": "cut east/2>west/1"},
    ],
}


def test_each_of_several_clusters_goes_on_as_it_is_now() -> None:
    document = load(TWO_SITES)
    world = build(document)
    world.run(20_000_000)
    carried = document_from(document, world)
    assert [str(entry.action) for entry in carried.timeline] == [
        "pause west/2",
        "cut east/2>west/1",
        "cut west/P>west/2",
    ]
    east, west = carried.clusters.values()
    assert [broker.state for broker in east.cluster.brokers] == ["down", "running"]
    assert [broker.state for broker in west.cluster.brokers] == ["running", "running"]
    assert (east.topics[0].initial[0].leader, east.topics[0].initial[0].isr) == (2, [2])
    assert (east.producers[0].rate_milli, west.producers[0].rate_milli) == (20_000, 40_000)
    again = build(carried)
    again.run(1_000)
    then: Any = world.snapshot()
    now: Any = again.snapshot()
    for before, after in zip(then["partitions"][:2], now["partitions"][:2], strict=True):
        assert (after["leader"], after["isr"]) == (before["leader"], before["isr"])
        leader = str(before["leader"])
        assert after["copies"][leader]["leo"] == before["copies"][leader]["leo"] > 100


def test_a_run_with_mirrormaker_is_not_carried_on_and_says_why() -> None:
    document = load((Path(__file__).parents[1] / "scenarios" / "mirrors" / "s56-mirror-killed.yaml").read_bytes())
    with pytest.raises(DocumentError, match="it would copy all of them again"):
        document_from(document, build(document))


def test_a_replica_that_is_filled_from_nothing_is_filled_on_and_does_not_begin_anew() -> None:
    """FET-18: 10 s a log; half of it is there when the run is carried on."""
    document = load(
        {
            "format": 1,
            "cluster": {"brokers": [1, 2, 3]},
            "topics": [
                {
                    "name": "t",
                    "assignment": [[1, 2, 3]],
                    "initial": {"0": {"leader": 1, "isr": [1, 2], "leo": 1_000, "lag": {"3": 1_000}}},
                }
            ],
            "basis": {"log_mb": 1_000, "copy_mb_per_s": 100},
        }
    )
    world = build(document)
    world.run(5_000_000)
    carried = document_from(document, world)
    assert carried.topics[0].initial[0].copying == [3]
    again = build(carried)
    ends = []
    for at in (2_000_000, 8_000_000):
        again.run(at)
        ends.append(log_spans(again)[2])
    assert 600 <= ends[0][1] <= 750
    assert ends[1] == (0, 1_000)
