"""What the document of a run that is carried on takes over from the state it begins in."""

from typing import Any

from playground.rooms.carry_on import document_from
from simengine.scenario import load
from simengine.world import build

MIN_ISR = "min.insync.replicas"


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
    view: Any = world.snapshot()
    again = build(document_from(document, view))
    assert [leaders_m(world, p) for p in range(3)] == [leaders_m(again, p) for p in range(3)] == [3, 3, 1]
    assert again.cluster.quorum.image.unclean(0)


def leaders_m(world: Any, p: int) -> int:
    """min.insync.replicas as the leader of a partition has it."""
    return int(world.cluster.by_id[p + 1].replica(p).min_isr)
