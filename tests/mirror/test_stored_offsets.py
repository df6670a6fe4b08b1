"""The topic in which Connect stores the offsets of a flow is deleted, or loses its records (MM-11)."""

from typing import Any

from simengine.facts.decisive import MirrorStartedOver
from simengine.scenario import load
from simengine.world.mirrors.lag import lag_of
from simengine.world.world import World, build
from tests.engine.cluster import stated
from tests.mirror.documents import Plain, mirrored

SECOND = 1_000_000
TOPIC = "mm2-offsets.east.internal"


def played(
    seconds: float, *entries: tuple[str, str], changes: Plain | None = None, config: Plain | None = None
) -> World:
    """50 records a second until 20 s; positions are stored at 5 s and at clean stops."""
    timeline = [{"at": at, "do": do} for at, do in sorted((*entries, ("20s", "close east/P")))]
    document = mirrored(config, timeline=timeline)
    document["mirrors"][0]["phases"] = {"offset-flush": "5s", "refresh-topics": "14s"}
    document["clusters"].update(changes or {})
    world = build(load(document))
    world.run(int(seconds * SECOND))
    return world


def mirrors_of(world: World) -> list[Plain]:
    verdict: Any = world.verdict()
    found: list[Plain] = verdict["mirrors"]
    return found


def figures(world: World) -> tuple[int, int]:
    """Records of orders that have a copy, and extra copies."""
    topic = mirrors_of(world)[0]["topics"][0]
    return topic["mirrored"], topic["doubled"]


def started_over(world: World) -> list[tuple[int, int]]:
    """Second and partitions of each start without stored offsets. A worker joins its empty group after 3 s."""
    return [(fact.t // SECOND, fact.partitions) for fact in stated(world, MirrorStartedOver)]


DELETED = ("10s", f"delete west/{TOPIC}")
STOPPED, STARTED = ("22s", "stop mirror-maker"), ("32s", "start mirror-maker after 1s")


def test_a_running_mirror_goes_on_from_its_memory() -> None:
    world = played(40, DELETED)
    assert figures(world) == (1000, 0)
    assert started_over(world) == []


def test_the_next_process_finds_no_stored_offset_and_copies_from_the_earliest_record() -> None:
    world = played(50, DELETED, STOPPED, STARTED)
    assert figures(world) == (1000, 1000)
    assert started_over(world) == [(36, 1)]
    assert world.verdict()["severity"] == "warn"
    (flow,) = mirrors_of(world)
    assert flow["sentence"] == (
        "east->west: At 36.4 s it found no stored offset of 1 partition and began again at the earliest record. "
        "orders: 1,000 records are mirrored. 1,000 extra copies stand in east.orders."
    )
    assert str(world.verdict()["sentence"]).endswith("west: Only MirrorMaker has written here."), (
        "its creation of the topic of stored offsets is no stop of west"
    )


def test_without_the_deletion_the_next_process_goes_on_after_the_stored_offset() -> None:
    world = played(50, STOPPED, STARTED)
    assert figures(world) == (1000, 0)
    assert started_over(world) == []


def test_the_next_process_creates_the_topic_and_stores_its_positions_there() -> None:
    again = ("52s", "stop mirror-maker"), ("62s", "start mirror-maker after 1s")
    world = played(80, DELETED, STOPPED, STARTED, *again)
    assert figures(world) == (1000, 1000), "copied again once, not twice"
    west = world.cluster_runs[1]
    assert west.executor.configs.of_topics[west.parts.topic_index[TOPIC]] == {"cleanup.policy": "compact"}


def test_tasks_that_restart_in_the_same_process_wait_for_the_topic_and_go_on_from_memory() -> None:
    """The look at 14 s finds another topic, so all source tasks restart. The memory is of 5 s: no flush came after."""
    entries = (DELETED, ("11s", "create east/late 3 1"))
    waiting = played(35, *entries)
    assert figures(waiting)[0] < 800, "the tasks wait"
    assert mirrors_of(waiting)[0]["sentence"].startswith(
        "east->west: Its tasks wait for the topic of its stored offsets, which the target does not have. orders: "
    )
    world = played(50, *entries, ("38s", f"create west/{TOPIC} 3 1"))
    assert mirrors_of(world)[0]["tasks"] == "running"
    assert figures(world) == (1000, 451)
    assert started_over(world) == []


def test_positions_go_with_the_disk_that_holds_the_topic() -> None:
    """The positions are records of a log: nothing else remembers them."""
    alone = {"west": {"cluster": {"brokers": [0]}}}
    factors = ("replication.factor", "offset.storage.replication.factor", "checkpoints.topic.replication.factor")
    config = dict.fromkeys(factors, 1)
    restart = STOPPED, ("24s", "kill west/0"), ("25s", "start west/0 after 2s"), STARTED
    assert started_over(played(40, *restart, changes=alone, config=config)) == []
    restart = STOPPED, ("24s", "kill west/0"), ("25s", "start west/0 wiped after 2s"), STARTED
    assert started_over(played(40, *restart, changes=alone, config=config)) == [(36, 1)]


def test_a_worker_whose_topic_is_deleted_before_it_has_read_it_reads_the_next_one() -> None:
    """It starts behind a cut, so that it cannot read before the heal."""
    cut, healed = ("31s", "cut mirror-maker|west"), ("40s", "heal mirror-maker|west")
    world = played(60, STOPPED, cut, STARTED, ("35s", f"delete west/{TOPIC}"), healed)
    assert mirrors_of(world)[0]["tasks"] == "running"
    assert started_over(world) == [(43, 1)]


def test_what_is_copied_again_is_told_while_it_is_copied() -> None:
    """As many as the page counts, from the newest acknowledged copy on. The consumer has read them all by then."""
    world = played(36.45, DELETED, STOPPED, STARTED)
    (topic,) = mirrors_of(world)[0]["topics"]
    flows: Any = world.snapshot()["mirrors"]
    assert flows["flows"][0]["partitions"]["0"]["upstream"] == 999 - 511
    assert topic["sentence"] == (
        "1,000 records are mirrored, of which 511 are still to be copied again. 652 extra copies stand in east.orders."
    )


def test_what_is_copied_again_is_no_record_that_the_target_lacks() -> None:
    """The process is away from 12 s to 19 s; then it begins again. A loss of east would cost what west has not."""
    away = ("12s", "kill mirror-maker"), ("13s", "start mirror-maker after 1s")
    plain = mirrored(timeline=[{"at": at, "do": do} for at, do in (DELETED, *away)])
    world = build(load({**plain, "network": {"latency": "100ms"}}))
    world.run(70 * SECOND)
    lag = lag_of(world.mirrors, "east->west")
    assert lag is not None
    assert 410 < max(lag.records) < 420, "those of 8.3 s; 838 with those that are copied again"
