"""A flow that ran before t=0: its remote topics hold copies, and it has left syncs, positions and checkpoints."""

from typing import Any

import pytest

from simengine.facts.decisive import ConsumerReset
from simengine.mirror.history import synced_offsets
from simengine.mirror.offset_sync import OffsetSync
from simengine.mirror.offset_sync_store import OffsetSyncStore
from simengine.scenario import DocumentError, load, to_plain
from simengine.world.world import World
from tests.checked import checked
from tests.engine.cluster import stated
from tests.engine.test_fold import the_fold_equals_the_snapshot

SECOND = 1_000_000
Plain = dict[str, Any]


def topic(name: str, records: int) -> Plain:
    state = {"leader": 1, "isr": [1, 2, 3], "leo": records}
    return {"name": name, "assignment": [[1, 2, 3]], "initial": {"0": state}}


def pair(source: int, remote: int, **more: Any) -> Plain:
    """East's orders has ``source`` records, west's copy of it ``remote``; group g stands at 900 in east."""
    reader = {"id": "C", "group": "g", "topics": ["orders"], "committed": [["orders", 0, 900]], "state": "closed"}
    flow = {"source": "east", "target": "west", "history": True, "config": {"emit.checkpoints.interval.seconds": 5}}
    east = {"cluster": {"brokers": [1, 2, 3]}, "topics": [topic("orders", source)], "consumers": [reader]}
    west: Plain = {"cluster": {"brokers": [1, 2, 3]}, "topics": [topic("east.orders", remote)]}
    west |= more.pop("west", {})
    flow["config"] |= more.pop("config", {})
    return {"format": 1, "seed": 1, "until": "30s", "clusters": {"east": east, "west": west}, "mirrors": [flow], **more}


def after(seconds: int, document: Plain) -> World:
    world = checked(load(document))
    world.run(seconds * SECOND)
    return world


def flow_of(world: World) -> Plain:
    mirrors: Any = world.verdict()["mirrors"]
    found: Plain = mirrors[0]
    return found


@pytest.mark.parametrize(("source", "remote", "copied"), [(1000, 1000, 0), (1000, 940, 60), (1000, 1030, 0)])
def test_only_what_has_no_copy_is_copied(source: int, remote: int, copied: int) -> None:
    world = after(5, pair(source, remote))
    [told] = flow_of(world)["topics"]
    assert (told["mirrored"], told["not_mirrored"], told["doubled"], told["disagree"]) == (1000, 0, 0, 0)
    partitions: Any = world.snapshot()["partitions"]
    assert max(copy["leo"] for one in partitions for copy in one["copies"].values()) == max(source, remote + copied)


def test_checkpoints_and_syncs_of_the_time_before_translate_a_group() -> None:
    """The newest sync at or before a position of 900 is that of 808."""
    start = flow_of(after(0, pair(1000, 1000)))["groups"][0]
    later = flow_of(after(20, pair(1000, 1000)))["groups"][0]
    assert start["checkpoint"] == later["checkpoint"] == 809
    assert (start["continues"], start["reset"], start["starts"], start["skips"]) == (-1, "latest", 1000, 100)


def test_a_flow_that_syncs_groups_commits_the_checkpoint_it_had() -> None:
    config = {"sync.group.offsets.enabled": True, "sync.group.offsets.interval.seconds": 5}
    group = flow_of(after(20, pair(1000, 1000, config=config)))["groups"][0]
    assert (group["continues"], group["rereads"]) == (809, 91)


def test_an_offset_on_the_target_is_where_the_group_starts_whoever_wrote_it() -> None:
    reader = {"id": "D", "group": "g", "topics": ["east.orders"], "committed": [["east.orders", 0, 850]]}
    document = pair(1000, 1000, west={"consumers": [{**reader, "state": "closed"}]})
    group = flow_of(after(3, document))["groups"][0]
    assert (group["continues"], group["starts"], group["rereads"]) == (850, 850, 50)


def test_without_history_the_records_of_a_remote_topic_are_nobodys_copies() -> None:
    document = pair(10, 10)
    document["mirrors"][0]["history"] = False
    [told] = flow_of(after(5, document))["topics"]
    assert (told["mirrored"], told["doubled"]) == (10, 0)


def test_a_group_reads_on_at_the_offset_that_it_had_committed() -> None:
    reader = {"id": "C", "group": "g", "topics": ["orders"], "committed": [["orders", 0, 980]]}
    document = {
        "format": 1,
        "until": "20s",
        "cluster": {"brokers": [1, 2, 3]},
        "topics": [topic("orders", 1000)],
        "consumers": [reader],
    }
    assert to_plain(load(document))["consumers"] == [reader]
    world = after(10, document)
    assert [(fact.old, fact.new) for fact in stated(world, ConsumerReset)] == [(-1, 980)]


def test_records_of_a_syncs_topic_that_nobody_knows_translate_nothing() -> None:
    """Their content is not in the document."""
    document = pair(10, 10)
    document["clusters"]["east"]["topics"].append(topic("mm2-offset-syncs.west.internal", 10))
    assert flow_of(after(10, document))["groups"][0]["checkpoint"] >= -1


@pytest.mark.parametrize(
    ("committed", "group", "wrong"),
    [
        ([["other", 0, 1]], "g", "there is no topic 'other'"),
        ([["orders", 4, 1]], "g", "there is no such partition"),
        ([["orders", 0, 1]], None, "a consumer without a group commits nothing"),
    ],
)
def test_an_offset_of_nothing_is_refused(committed: list[Any], group: str | None, wrong: str) -> None:
    document = pair(10, 10)
    document["clusters"]["east"]["consumers"][0] |= {"committed": committed, "group": group}
    with pytest.raises(DocumentError, match=wrong):
        load(document)


@pytest.mark.parametrize(("newest", "lag"), [(0, 100), (5, 100), (999, 100), (123_456, 100), (70, 0)])
def test_the_syncs_of_a_history_are_those_that_a_store_keeps(newest: int, lag: int) -> None:
    offsets = synced_offsets(0, newest, lag)
    store = OffsetSyncStore(True)
    for offset in offsets:
        store.handle_record(OffsetSync(0, offset, offset))
    store.read_to_end()
    assert (offsets[0], offsets[-1]) == (0, newest)
    assert store.translate_downstream(0, newest + 1) == newest + 1
    assert len(store.kept(0)) >= len(offsets) // 2


def test_the_facts_of_a_history_tell_its_run() -> None:
    the_fold_equals_the_snapshot(load(pair(1000, 940)), 5)
