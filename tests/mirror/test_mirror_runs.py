"""Runs of documents with mirrors: what flows do, what is done to their process, and what beside them stays as it is."""

from typing import Any

import pytest

from simengine.scenario import load
from simengine.world.cluster_facts import stories
from simengine.world.world import Refused, World, build
from tests.checked import checked
from tests.engine.test_fold import the_facts_tell_all
from tests.mirror.documents import SYNCED, Plain, mirrored

SECOND = 1_000_000


def after(seconds: float, document: Plain) -> World:
    world = checked(load(document))
    world.run(int(seconds * SECOND))
    return world


def timeline(*entries: tuple[str, str]) -> list[Plain]:
    return [{"at": at, "do": do} for at, do in entries]


def flow_view(world: World) -> dict[str, Any]:
    mirrors: Any = world.snapshot()["mirrors"]
    found: dict[str, Any] = mirrors["flows"][0]
    return found


def copied(world: World) -> dict[str, Any]:
    """The view of the flow's copy of east/orders-0."""
    p = world.cluster_runs[0].parts.partition_index["orders", 0]
    found: dict[str, Any] = flow_view(world)["partitions"][str(p)]
    return found


def process(world: World) -> str:
    mirrors: Any = world.snapshot()["mirrors"]
    return str(mirrors["processes"][0])


def idle(world: World) -> dict[int, str]:
    return world.without_effect()


def test_a_flow_copies_what_is_produced_and_moves_its_group() -> None:
    world = after(40, mirrored(SYNCED))
    assert copied(world)["count"] == copied(world)["upstream"] + 1
    assert copied(world)["count"] > 1900
    assert copied(world)["syncs"] > 15
    remote = str(world.cluster_runs[1].parts.partition_index["east.orders", 0])
    upstream, downstream = flow_view(world)["checkpoints"]["g"][remote]
    assert 1000 < downstream <= upstream
    assert flow_view(world)["synced"]["g"][remote] == [downstream, 0]


def test_the_fold_of_the_facts_knows_the_mirrors() -> None:
    entries = timeline(
        ("8s", "kill mirror-maker"), ("12s", "start mirror-maker after 3s"), ("25s", "pause mirror-maker")
    )
    world = build(load(mirrored(SYNCED, timeline=entries)))
    the_facts_tell_all(world, 40 * SECOND, 9)
    assert process(world) == "paused"


def test_what_is_beside_a_mirror_keeps_its_numbers() -> None:
    """East's story with a process that is down is that of a document with the same topics and no mirror."""
    written, mirror_down = mirrored(), mirrored()
    mirror_down["mirrors"][0]["state"] = "down"
    syncs = {"name": "mm2-offset-syncs.west.internal", "assignment": [[0, 1, 2]]}
    written["clusters"]["east"]["topics"].append(syncs)
    written["mirrors"] = []
    told = []
    for document in (mirror_down, written):
        world = build(load(document))
        world.trace.keep_traffic = True
        world.trace.take()
        world.run(20 * SECOND)
        told.append(stories(world)[0])
    assert len(told[0]) > 5000
    assert told[0] == told[1]


def test_a_killed_process_copies_nothing_and_copies_again_what_it_had_not_stored() -> None:
    entries = timeline(("10s", "kill mirror-maker"), ("20s", "start mirror-maker after 5s"))
    document = mirrored(timeline=entries)
    document["mirrors"][0]["phases"] = {"offset-flush": "5s"}
    world = after(19, document)
    before = copied(world)["count"]
    assert process(world) == "down"
    assert before == pytest.approx(500, abs=10)
    world.run(24 * SECOND)
    assert (process(world), copied(world)["count"]) == ("starting", before)
    world.run(40 * SECOND)
    assert process(world) == "running"
    doubled = copied(world)["count"] - (copied(world)["upstream"] + 1)
    assert doubled == pytest.approx(250, abs=10)  # since the tick at 5 s


def test_a_paused_process_goes_on_where_it_was() -> None:
    world = after(35, mirrored(timeline=timeline(("10s", "pause mirror-maker"), ("20s", "resume mirror-maker"))))
    assert copied(world)["upstream"] > 1700
    assert copied(world)["count"] - (copied(world)["upstream"] + 1) <= 5


def test_a_process_that_is_down_at_the_start_waits_to_be_started() -> None:
    document = mirrored(timeline=timeline(("10s", "start mirror-maker after 5s")))
    document["mirrors"][0]["state"] = "down"
    world = after(14, document)
    assert copied(world)["count"] == 0
    world.run(30 * SECOND)
    assert copied(world)["count"] > 1400


@pytest.mark.parametrize(
    ("cut", "is_cut"), [("mirror-maker|east", True), ("east|west", True), ("mirror-maker|west", True)]
)
def test_the_process_is_cut_off_by_its_name_or_with_the_distance_that_it_reads_over(cut: str, is_cut: bool) -> None:
    entries = timeline(("10s", f"cut {cut}"), ("15s", f"heal {cut}"))
    world = after(14, mirrored(timeline=entries))
    assert (copied(world)["count"] < 520) is is_cut
    world.run(60 * SECOND)
    assert copied(world)["upstream"] > 2800


def test_a_cut_within_the_source_leaves_the_process_alone() -> None:
    world = after(20, mirrored(timeline=timeline(("10s", "cut east/C|east/0"))))
    assert copied(world)["upstream"] > 900


def test_what_changes_nothing_is_told_in_words() -> None:
    entries = timeline(
        ("1s", "start mirror-maker"),
        ("2s", "resume mirror-maker"),
        ("3s", "pause mirror-maker"),
        ("4s", "pause mirror-maker"),
        ("5s", "kill mirror-maker"),
        ("6s", "kill mirror-maker"),
        ("7s", "pause mirror-maker"),
        ("8s", "start mirror-maker after 5s"),
        ("9s", "pause mirror-maker"),
    )
    world = after(10, mirrored(timeline=entries))
    assert idle(world) == {
        0: "it runs already",
        1: "it is not paused",
        3: "it is paused already",
        5: "it is down already",
        6: "it is down",
        8: "it has not started yet",
    }


def test_an_action_on_a_process_that_is_not_there_is_refused() -> None:
    world = after(1, mirrored())
    with pytest.raises(Refused, match="there is no process 'mirror-make'; did you mean mirror-maker"):
        world.act(2 * SECOND, "kill mirror-make")


def test_the_distance_between_the_clusters_is_that_of_what_the_process_reads() -> None:
    """The process stands at the target: over 100 ms its fetches take long, and its produce requests do not."""
    world = after(20, mirrored(network={"latency": "100ms", "jitter": "0ms"}))
    process = world.mirrors.processes[0]
    reader, producer = process.flows[0].flow.source.readers[0], process.flows[0].flow.target.producers[0]
    east, west = world.cluster_runs[0].cluster.brokers[0], world.cluster_runs[1].cluster.brokers[0]
    assert int(world.net.latency(reader, east)) == 100_000
    assert int(world.net.latency(producer, west)) < 2_000
    assert copied(world)["upstream"] > 900


def test_two_directions_copy_each_what_the_other_side_wrote() -> None:
    document = mirrored()
    west = document["clusters"]["west"]
    west["topics"] = [{"name": "orders", "assignment": [[0, 1, 2]]}]
    west["producers"] = [{"id": "Q", "topic": "orders", "rate": 20}]
    document["mirrors"].append({"source": "west", "target": "east", "config": document["mirrors"][0]["config"]})
    world = after(30, document)
    views: Any = world.snapshot()["mirrors"]
    counts = [[one["count"] for one in view["partitions"].values()] for view in views["flows"]]
    assert [len(one) for one in counts] == [1, 1]
    assert counts[0][0] == pytest.approx(1500, abs=10)
    assert counts[1][0] == pytest.approx(600, abs=10)


def test_a_topic_that_is_created_again_is_copied_into_the_same_remote_topic() -> None:
    """As mm17: its first record follows the last one of the deleted topic."""
    document = mirrored(timeline=timeline(("10s", "delete east/orders"), ("15s", "create east/orders 0,1,2")))
    world = after(14, document)
    before = copied(world)["count"]
    world.run(60 * SECOND)
    remote = world.cluster_runs[1].parts.partition_index["east.orders", 0]
    ends = {max(base + count for base, count, *_ in log) for log in world.logs()[remote].values()}
    assert 400 < before < 520
    assert min(ends) > before + 1000


def test_without_offset_syncs_records_are_copied_and_no_position_is_translated() -> None:
    world = after(30, mirrored({**SYNCED, "emit.offset-syncs.enabled": False}))
    assert copied(world)["count"] > 1400
    assert copied(world)["syncs"] == 0
    assert flow_view(world)["checkpoints"] == {}


def test_a_fetch_over_a_wan_brings_a_mebibyte() -> None:
    """20,000 records of 98 bytes at 100 ms one way: two fetches, not twenty (MM-1)."""
    burst = timeline(("5s", "send east/P east/orders-0 20000"))
    world = build(load(mirrored(rate=0, network={"latency": "100ms"}, timeline=burst)))
    world.run(7 * SECOND)
    mirrors: Any = world.verdict()["mirrors"]
    assert mirrors[0]["topics"][0]["mirrored"] == 20_000


def test_two_flows_of_a_process_look_for_groups_apart() -> None:
    """Their connectors start one after the other, so their checkpoints do not fall on one instant."""
    plain = mirrored(SYNCED)
    plain["mirrors"].append({**plain["mirrors"][0], "source": "west", "target": "east"})
    first, second = (one.flow for one in build(load(plain)).mirrors.flows())
    looks = [int(flow._settings.checkpoints.first_look_us) for flow in (first, second)]
    assert looks[0] == 0
    assert SECOND <= looks[1] <= 3 * SECOND
