"""A running cluster with a group, for the tests of the coordinator and of the members."""

from simengine.kafka.group.coordinator import GroupCoordinator
from simengine.world.world import World
from tests.engine.cluster import SECOND, world


def running(**config: int) -> tuple[World, GroupCoordinator]:
    """A cluster with a group's partition and these server properties, four seconds on, and the coordinator."""
    state = {"leader": 0, "epoch": 4, "isr": [0, 1, 2]}
    run = world(
        cluster={"brokers": [0, 1, 2], "controllers": [100, 101, 102], "config": config},
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "initial": {0: state}}],
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
        consumers=[{"id": "C", "group": "g", "topics": ["t"], "config": {"auto.offset.reset": "earliest"}}],
    )
    run.run(4 * SECOND)
    found = [broker.coordinator for broker in run.cluster.brokers if broker.coordinator is not None]
    return run, next(coordinator for coordinator in found if coordinator.lead() is not None)
