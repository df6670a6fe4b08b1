"""The JMX readings of MirrorMaker under Kafka's names: records copied, their age, and their latency (MM-1)."""

from typing import Any

from simengine.commands.run import metric_lines
from simengine.scenario import load
from simengine.world.world import World, build
from tests.mirror.documents import SYNCED, mirrored

SECOND = 1_000_000
OF_ORDERS = "kafka.connect.mirror:type=MirrorSourceConnector,source=east,target=west,topic=east.orders,partition=0"
OF_GROUP = (
    "kafka.connect.mirror:type=MirrorCheckpointConnector,source=east,target=west,group=g,topic=east.orders,partition=0"
)


def after(seconds: int, *entries: tuple[str, str], **more: Any) -> World:
    world = build(load(mirrored(SYNCED, timeline=[{"at": at, "do": do} for at, do in entries], **more)))
    world.run(seconds * SECOND)
    return world


def said(world: World) -> dict[tuple[str, str], int]:
    rows: Any = [row for row in world.metrics() if row["node"] == -1]
    return {(row["name"], row["attribute"]): row["value"] for row in rows}


def test_a_flow_says_how_much_it_has_copied_and_how_late() -> None:
    world = after(30, network={"latency": "40ms", "jitter": "0ms"})
    found = said(world)
    assert found[OF_ORDERS, "record-count"] == int(
        world.mirrors.flows()[0].book.of(world.cluster_runs[0].parts.partition_index["orders", 0]).count
    )
    assert 40 <= found[OF_ORDERS, "record-age-ms"] <= 400
    assert found[OF_ORDERS, "record-age-ms"] <= found[OF_ORDERS, "replication-latency-ms"] <= 500
    assert 0 < found[OF_GROUP, "checkpoint-latency-ms"] < 1000


def test_records_that_waited_for_a_paused_process_come_late_and_later_records_do_not() -> None:
    world = after(20, ("10s", "pause mirror-maker"), ("20s", "resume mirror-maker"))
    world.run(20 * SECOND + 10_000)
    assert said(world)[OF_ORDERS, "replication-latency-ms"] > 5_000
    world.run(21 * SECOND)
    assert said(world)[OF_ORDERS, "replication-latency-ms"] < 1_000
    assert said(world)[OF_ORDERS, "record-count"] > 900


def test_records_come_in_time_again_after_a_cut() -> None:
    world = after(21, ("10s", "cut mirror-maker|east"), ("15s", "heal mirror-maker|east"))
    world.run(60 * SECOND)
    assert said(world)[OF_ORDERS, "replication-latency-ms"] < 1000


def test_the_count_begins_anew_with_each_life_of_a_task() -> None:
    world = after(40, ("10s", "kill mirror-maker"), ("12s", "start mirror-maker after 1s"))
    pair = world.mirrors.flows()[0].flow.partitions[0]
    assert 0 < said(world)[OF_ORDERS, "record-count"] < int(pair.copied.made) - 400


def test_a_process_that_is_down_or_paused_or_has_no_tasks_says_nothing() -> None:
    for entries in ([("9s", "kill mirror-maker")], [("9s", "pause mirror-maker")]):
        assert said(after(10, *entries)) == {}
    assert said(after(30, ("9s", "cut mirror-maker|west"))) == {}


def test_the_command_line_and_the_verdict_have_the_same_rows() -> None:
    world = after(30)
    mirrors: Any = world.verdict()["mirrors"]
    rows = [row for row in world.metrics() if row["node"] == -1]
    assert mirrors[0]["metrics"] == rows
    line = metric_lines(rows, world.called)[0]
    assert line.startswith("mirror-maker ")
    assert line.endswith("partition=0 record-count  MM-1")
