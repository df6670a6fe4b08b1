"""A running flow and the topics that come, grow, go and change (MM-1, MM-3)."""

from typing import Any

from simengine.facts.decisive import MirrorTopicsChanged
from simengine.facts.kinds import MIRROR_TASKS_CHANGED
from simengine.scenario import load
from simengine.world.world import World, build
from tests.engine.cluster import stated
from tests.mirror.documents import Plain, mirrored

SECOND = 1_000_000
FAST = {"refresh.topics.interval.seconds": 5, "replication.factor": 2}


def refreshed(*entries: tuple[str, str], config: Plain | None = None, **more: Any) -> World:
    """A flow that looks for topics at 4 s, 9 s and so on."""
    document = mirrored({**FAST, **(config or {})}, timeline=[{"at": at, "do": do} for at, do in entries], **more)
    document["mirrors"][0]["phases"] = {"refresh-topics": "4s", "sync-topic-configs": "3s"}
    return build(load(document))


def run(world: World, seconds: float) -> World:
    world.run(int(seconds * SECOND))
    return world


def looks(world: World) -> list[tuple[int, int, int, int]]:
    """Second, new, gone and missing partitions of each look that has changed something."""
    facts = stated(world, MirrorTopicsChanged)
    return [(fact.t // SECOND, fact.added, fact.removed, fact.missing) for fact in facts]


def copies(world: World, remote: str) -> list[int]:
    """Records in each partition of a topic of west, on the broker that has most."""
    parts, logs = world.cluster_runs[1].parts, world.logs()
    topic = parts.cluster.topics[parts.topic_index[remote]]
    return [max(sum(batch[1] for batch in log) for log in logs[p].values()) for p in topic.partitions]


def topics_of(world: World) -> list[dict[str, Any]]:
    mirrors: Any = world.verdict()["mirrors"]
    found: list[dict[str, Any]] = mirrors[0]["topics"]
    return found


def test_a_new_topic_is_copied_from_its_first_record_after_the_next_look() -> None:
    world = refreshed(("5s", "create east/late 3 2"), ("6s", "send east/P east/late-1 40"))
    run(world, 8.5)
    assert "east.late" not in world.cluster_runs[1].parts.topic_index
    run(world, 16)
    assert looks(world) == [(9, 2, 0, 2)]
    assert copies(world, "east.late") == [0, 40]
    replicas = world.cluster_runs[1].cluster.quorum.image.partition(
        world.cluster_runs[1].parts.partition_index["east.late", 0]
    )
    assert replicas is not None
    assert len(replicas.replicas) == 2, "replication.factor of the flow"


def test_a_topic_that_the_filter_leaves_out_is_not_looked_at() -> None:
    world = refreshed(("5s", "create east/late 3 1"), config={"topics": "orders"})
    run(world, 12)
    assert looks(world) == []


def test_the_tasks_restart_and_copy_nothing_twice() -> None:
    """They store what they have copied, and go on there: all source tasks of the flow, not only those of the topic."""
    world = run(refreshed(("5s", "create east/late 3 1"), rate=100), 20)
    flow = world.mirrors.flows()[0].flow
    orders = flow.partitions[0]
    assert looks(world) == [(9, 1, 0, 1)]
    assert flow.target.offsets.position(0) > 850, "stored when the tasks stopped"
    assert copies(world, "east.orders") == [int(orders.copied.made)]
    assert int(orders.copied.made) == int(orders.copied.upstream_of(orders.copied.made - 1)) + 1
    assert not [fact for fact in world.trace.decisive if fact.kind == MIRROR_TASKS_CHANGED]


def test_new_partitions_are_made_and_copied() -> None:
    world = refreshed(("5s", "partitions east/orders 3"), ("6s", "send east/P east/orders-2 30"), rate=10)
    run(world, 20)
    assert looks(world)[0] == (9, 2, 0, 2)
    assert copies(world, "east.orders")[2] == 30


def test_a_topic_deleted_between_looks_ends_its_task_and_keeps_its_copies() -> None:
    """As mm17: a look finds it gone, a later one finds the new topic, whose records follow the old ones."""
    world = refreshed(("10s", "delete east/orders"), ("20s", "create east/orders 0,1,2"), rate=20)
    run(world, 19)
    assert looks(world) == [(14, 0, 1, 0)]
    before = copies(world, "east.orders")[0]
    run(world, 40)
    assert looks(world)[1] == (24, 1, 0, 0)
    assert copies(world, "east.orders")[0] > before + 200
    assert len(world.mirrors.flows()[0].flow.partitions) == 1, "the same pair, by name"


def test_a_topic_deleted_and_created_again_between_two_looks_has_not_changed() -> None:
    world = run(refreshed(("10s", "delete east/orders"), ("11s", "create east/orders 0,1,2"), rate=20), 30)
    assert looks(world) == []
    assert topics_of(world)[0]["mirrored"] > 200


def test_a_group_of_a_topic_created_again_is_translated_by_its_new_partition() -> None:
    """MM-6: the checkpoint task knows partitions by name; its last checkpoint is of the new topic."""
    synced = {"sync.group.offsets.enabled": True, "emit.checkpoints.interval.seconds": 5}
    world = refreshed(("10s", "delete east/orders"), ("16s", "create east/orders 0,1,2"), config=synced, rate=50)
    run(world, 60)
    flow = world.mirrors.flows()[0]
    pair = flow.flow.partitions[0]
    assert int(pair.source_p) == world.cluster_runs[0].parts.partition_index["orders", 0]
    upstream, downstream = flow.book.checkpoints["g"][int(pair.p)]
    assert 500 < upstream < 2_400
    assert upstream + 300 < downstream, "the copies of the deleted topic come before those of the new one"


def test_a_remote_topic_that_is_deleted_is_made_again() -> None:
    world = run(refreshed(("10s", "delete west/east.orders"), rate=20), 30)
    assert looks(world)[0] == (14, 0, 0, 1)
    assert copies(world, "east.orders")[0] > 100


def test_a_look_while_the_source_is_cut_off_changes_nothing() -> None:
    entries = (("5s", "cut mirror-maker|east"), ("6s", "create east/late 3 1"), ("12s", "heal mirror-maker|east"))
    world = refreshed(*entries)
    run(world, 11)
    assert looks(world) == []
    run(world, 50)
    assert [look[1:] for look in looks(world)] == [(1, 0, 1)]


def test_a_restarted_process_looks_for_topics_at_once() -> None:
    quick = ("6s", "kill mirror-maker"), ("7s", "create east/late 3 1"), ("8s", "start mirror-maker after 1s")
    world = run(refreshed(*quick, config={"refresh.topics.interval.seconds": 600}), 30)
    assert [look[1:] for look in looks(world)] == [(1, 0, 1)]


def test_configs_of_the_source_travel_at_each_sync_but_for_those_that_the_filter_keeps_back() -> None:
    world = refreshed(
        ("4s", "config east/orders retention.ms 60000"),
        ("4s", "config east/orders min.insync.replicas 2"),
        ("4s", "config east/orders unclean.leader.election.enable true"),
        config={"sync.topic.configs.interval.seconds": 10},
    )
    remote = world.cluster_runs[1].parts.topic_index["east.orders"]
    run(world, 12)
    assert world.cluster_runs[1].executor.configs.committed()[remote] == {}
    run(world, 15)
    assert world.cluster_runs[1].executor.configs.committed()[remote] == {"retention.ms": "60000"}


def test_without_the_sync_no_config_travels_later() -> None:
    config = {"sync.topic.configs.enabled": False}
    world = run(refreshed(("4s", "config east/orders retention.ms 60000"), config=config), 30)
    assert (
        world.cluster_runs[1].executor.configs.committed()[world.cluster_runs[1].parts.topic_index["east.orders"]] == {}
    )


def test_a_new_topic_has_the_configs_that_travel() -> None:
    entries = ("2s", "create east/late 3 1"), ("3s", "config east/late retention.ms 60000")
    world = run(refreshed(*entries), 12)
    remote = world.cluster_runs[1].parts.topic_index["east.late"]
    assert world.cluster_runs[1].executor.configs.committed()[remote] == {"retention.ms": "60000"}


def test_partitions_are_dealt_out_to_tasks_with_a_producer_each() -> None:
    """tasks.max: at most one task a partition; a task that is gone leaves its copies to be counted."""
    entries = ("5s", "partitions east/orders 3"), ("6s", "send east/P east/orders-1 30")
    world = refreshed(*entries, config={"tasks.max": 2}, rate=20)
    flow = world.mirrors.flows()[0].flow
    assert len(flow.tasks) == 1
    run(world, 20)
    assert len(flow.tasks) == 2
    east = world.cluster_runs[0].parts
    clients = {
        int(batch[3])
        for p in [int(pair.p) for pair in flow.partitions]
        for log in world.logs()[p].values()
        for batch in log
    }
    assert clients == {int(producer.number) for producer in flow.target.producers}
    (topic,) = topics_of(world)
    assert (topic["doubled"], topic["disagree"]) == (0, 0)
    assert topic["mirrored"] > 360
    assert len(east.cluster.topics[east.topic_index["orders"]].partitions) == 3


def test_a_look_that_a_rebalance_cut_short_is_begun_anew() -> None:
    """The connector that asked is gone with its tasks; the next one asks on the same connection."""
    entries = (
        ("8900ms", "cut mirror-maker|east"),
        ("8900ms", "cut mirror-maker|west"),
        ("25s", "heal mirror-maker|west"),
        ("26s", "create east/late 3 1"),
        ("30s", "heal mirror-maker|east"),
    )
    world = refreshed(*entries, config={"scheduled.rebalance.max.delay.ms": 0}, rate=5)
    run(world, 60)
    assert [look[1:] for look in looks(world)] == [(1, 0, 1)]
