"""Small clusters for engine tests: a document in a few lines, and the facts of its run."""

from typing import Any, TypeVar, overload

from simengine.facts.reading import read
from simengine.facts.traffic import Delivered
from simengine.kafka.broker.broker import Broker
from simengine.kafka.controller.control import ReplicationControlManager
from simengine.kafka.replica.fetcher import Fetcher
from simengine.kafka.replica.follower_session import FetchSession
from simengine.kafka.replica.remote import FollowerState
from simengine.kafka.replica.replica import Partition
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kernel.channel import Channel
from simengine.kernel.node import Node
from simengine.scenario import load
from simengine.world.world import World, build

F = TypeVar("F")

SECOND = 1_000_000
THREE_BROKERS = """
format: 1
title: Three brokers
profile: "4.2"
seed: 7
cluster:
  brokers: [{id: 1}, {id: 2}, {id: 3}]
  controllers: [{id: 100}, {id: 101}, {id: 102}]
"""  # the head of a document as text
LAGGING: dict[str, Any] = {  # a follower that starts late, and slowly takes in what was written before
    "format": 1,
    "cluster": {"brokers": [1, {"id": 2, "state": "down"}]},
    "topics": [{"name": "t", "assignment": [[1, 2]]}],
    "producers": [{"id": "P", "topic": "t", "rate": 500}],
    "timeline": [
        {"at": "8s", "do": "slow 2 500"},
        {"at": "10s", "do": "rate P 0"},
        {"at": "11s", "do": "start 2 after 1s"},
    ],
}


def world(**document: Any) -> World:
    """A world of brokers 0, 1, 2 and topic t with one partition [0, 1, 2], M=2, ELR off, unless said otherwise."""
    base: dict[str, Any] = {
        "format": 1,
        "title": "test",
        "seed": 5,
        "elr": False,
        "until": "600s",
        "cluster": {"brokers": [0, 1, 2], "controllers": [100, 101, 102]},
        "topics": [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}],
    }
    base.update(document)
    made = build(load(base))
    made.trace.keep_traffic = True
    return made


@overload
def facts(run: World, kind: type[F], /) -> list[F]: ...
@overload
def facts(run: World, *kinds: type[Any]) -> list[Any]: ...
def facts(run: World, *kinds: type[Any]) -> list[Any]:
    """The facts of these classes since the last call, in order."""
    return [fact for fact in taken(run) if isinstance(fact, kinds)]


def taken(run: World) -> list[Any]:
    """All facts since the last call, in order."""
    return [read(row) for row in run.trace.take().rows()]


def stated(run: World, kind: type[F]) -> list[F]:
    """All decisive facts of a class that a run has stated so far."""
    return [fact for fact in run.trace.decisive if isinstance(fact, kind)]


def started() -> World:
    """Three brokers, partition t-0 led by 0, three seconds on."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 10}])
    run.run(3 * SECOND)
    return run


def copy_on(run: World, broker: int, p: int = 0) -> Partition:
    """The copy of a partition on a broker."""
    replica = run.cluster.by_id[broker].replica(p)
    assert replica is not None
    return replica


def channels_of(node: Node) -> list[Channel]:
    """The connections of a node, to it or from it."""
    return [channel for channel in node.channels if isinstance(channel, Channel)]


def broker_of(replica: Partition) -> Broker:
    """The broker that hosts a copy, with all its parts."""
    broker = replica.broker
    assert isinstance(broker, Broker)
    return broker


def fetcher_of(replica: Partition) -> Fetcher | None:
    """The fetcher that copies a follower's partition from its leader."""
    return broker_of(replica).fetchers.of(replica)


def session_of(remote: FollowerState) -> FetchSession | None:
    """The fetch session that a copy is part of."""
    session = remote.session
    assert session is None or isinstance(session, FetchSession)
    return session


def remote_of(replica: Partition, broker: int) -> FollowerState:
    """The leader's state of another copy."""
    remote = replica.remote(broker)
    assert remote is not None
    return remote


def control_of(run: World) -> ReplicationControlManager:
    """The ``ReplicationControlManager`` of the active controller."""
    control = run.cluster.control()
    assert control is not None
    return control


def delivered(run: World) -> list[tuple[int, int]]:
    """(offset, epoch) of every record delivered since the last look, in order."""
    return [(fact.offset + k, fact.epoch) for fact in facts(run, Delivered) for k in range(fact.count)]


def known(replica: Partition, **fields: Any) -> PartitionRegistration:
    """The registration that a replica's broker knows of the partition, with these fields anew, one epoch on."""
    assert replica.registration is not None
    made = replica.registration.copy()
    made.pe += 1
    for name, value in fields.items():
        setattr(made, name, value)
    return made
