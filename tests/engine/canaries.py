"""A small healthy cluster under all checks, for tests that break one thing in it."""

from collections.abc import Callable
from typing import Any

import pytest

from simengine.facts import kinds
from simengine.kafka.replica.remote import FollowerState
from simengine.kafka.replica.replica import Partition
from simengine.kafka.shared.metadata import PartitionRegistration, partition_record
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked, checks_of
from tests.invariants.checks import Parts
from tests.invariants.violation import Violation

SECOND = 1_000_000


def started() -> World:
    """Three brokers, t-0 on [0, 1, 2] led by 0, M=2, ELR on, all checks on; four seconds of records."""
    document: dict[str, Any] = {
        "format": 1,
        "title": "canaries",
        "seed": 5,
        "elr": True,
        "until": "60s",
        "cluster": {"brokers": [0, 1, 2], "controllers": [100, 101, 102]},
        "topics": [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}],
        "producers": [{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
    }
    run = checked(load(document))
    run.run(4 * SECOND)
    return run


def parts_of(run: World) -> Parts:
    """The checkers of a run."""
    return checks_of(run.only).parts


def copy_on(run: World, broker: int) -> Partition:
    replica = run.cluster.by_id[broker].replica(0)
    assert replica is not None
    return replica


def remote_of(replica: Partition, broker: int) -> FollowerState:
    remote = replica.remote(broker)
    assert remote is not None
    return remote


def registration(**fields: Any) -> PartitionRegistration:
    """t-0 on [0, 1, 2], all in the ISR, led by 0, unless said otherwise."""
    made = PartitionRegistration(0, 0, [0, 1, 2], [0, 1, 2], 0, 3, 7)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def rejects(name: str, check: Callable[[], object]) -> None:
    with pytest.raises(Violation) as caught:
        check()
    assert caught.value.name == name


def committed(run: World, r: PartitionRegistration) -> None:
    """A record of t-0 as if the quorum had just committed it."""
    checks = parts_of(run).metadata
    record = partition_record(r, 0, kinds.ELECTION_NONE, 0)
    record.offset = checks.records
    checks.committed(record)
    run.cluster.quorum.image.partitions[0] = r
    checks.batch_committed()


def next_of(run: World, **fields: Any) -> PartitionRegistration:
    known = run.cluster.quorum.image.partition(0)
    assert known is not None
    made = known.copy()
    made.pe = known.pe + 1
    for name, value in fields.items():
        setattr(made, name, value)
    return made
