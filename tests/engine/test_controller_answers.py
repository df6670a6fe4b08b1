"""The active controller's responses to brokers and administrators: stale senders, reassignments."""

from simengine.facts.decisive import PartitionChanged
from simengine.world.world import World
from tests.engine.cluster import SECOND, facts, world


def reassigned(run: World) -> list[tuple[list[int], list[int], list[int], int]]:
    """Replicas, adding, removing and leader epoch of every record of the partition."""
    found = facts(run, PartitionChanged)
    return [(f.replicas, f.adding, f.removing, f.epoch) for f in found if f.p == 0]


def test_an_unregistered_broker_may_not_change_an_isr() -> None:
    """AP-2: a leader that came back while no controller was there sends -1 as its epoch; its proposal is refused."""
    steps = [(5, "cut 1|0"), (5, "kill 100"), (5, "kill 101"), (5, "kill 102"), (6, "kill 0"), (7, "start 0"),
             (60, "start 100"), (60, "start 101"), (60, "start 102")]  # fmt: skip
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 5, "acks": 1}],
        timeline=[{"at": f"{at}s", "do": action} for at, action in steps],
    )
    run.run(110 * SECOND)
    isrs = [fact.isr for fact in facts(run, PartitionChanged) if fact.p == 0]
    assert [0] not in isrs
    assert run.snapshot()["partitions"][0]["leader"] >= 0  # type: ignore[index]


def test_replicas_that_a_reassignment_removes_stand_behind_in_the_order_of_ids() -> None:
    """REA-1."""
    run = world(
        cluster={"brokers": [0, 1, 2, 3], "controllers": [100]},
        topics=[{"name": "t", "assignment": [[2, 1, 0]]}],
        timeline=[{"at": "1s", "do": "kill 3"}, {"at": "2s", "do": "reassign t-0 3"}],
    )
    run.run(5 * SECOND)
    assert reassigned(run)[-1][:3] == ([3, 0, 1, 2], [3], [0, 1, 2])


def test_a_second_reassignment_counts_the_replicas_that_the_first_was_adding() -> None:
    """REA-1, REA-5: the current list is the partition's whole one; the leader epoch stays."""
    run = world(
        cluster={"brokers": [0, 1, 2, 3, 4], "controllers": [100]},
        timeline=[
            {"at": "1s", "do": "kill 3"},
            {"at": "1s", "do": "kill 4"},
            {"at": "2s", "do": "reassign t-0 3,1,2"},
            {"at": "4s", "do": "reassign t-0 4,1,2"},
        ],
    )
    run.run(6 * SECOND)
    first, second = reassigned(run)[-2:]
    assert first[:3] == ([3, 1, 2, 0], [3], [0])
    assert second[:3] == ([4, 1, 2, 0, 3], [4], [0, 3])
    assert first[3] == second[3]
