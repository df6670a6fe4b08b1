"""Faults that aim at whoever has a named role at their time: leader, last of an ISR, joiner, active controller…

A quarter of the faults. They are drawn with the document, aimed while it runs, and become plain actions of its
timeline, so that what ran is a document like any other: it replays and shrinks without this module.
"""

from collections.abc import Callable
from typing import Any, Final

from simengine.kafka.replica.replica import COMMITTED, LEADER, PENDING_EXPAND, Partition
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.world.world import World
from tests.swarm.outdated import outdate

Target = dict[str, Any]  # at (us), role, pick, verb, length (us)
VERBS: Final = {"kill": "start", "stop": "start", "pause": "resume", "cut": "heal", "power-loss": "start"}


def registrations(world: World) -> list[PartitionRegistration]:
    """The partitions that clients use."""
    topics = world.cluster.topics
    known = [r for r in world.cluster.quorum.image.partitions if r is not None]
    return [r for r in known if not topics[int(r.topic)].internal]


def leading(world: World) -> list[Partition]:
    """The copies that act as leader on a running broker."""
    found: list[Partition] = []
    for broker in world.cluster.brokers:
        if broker.up and not broker.paused:
            found += [replica for replica in broker.hosted if replica.role == LEADER]
    return found


def leaders(world: World) -> list[int]:
    """The brokers that lead something."""
    return [int(r.leader) for r in registrations(world) if r.leader >= 0]


def last_members(world: World) -> list[int]:
    """The brokers that are the only member of an ISR."""
    return [r.isr[0] for r in registrations(world) if len(r.isr) == 1 and len(r.replicas) > 1]


def sole_eligibles(world: World) -> list[int]:
    """The brokers that are the only member of an ELR."""
    return [r.elr[0] for r in registrations(world) if len(r.elr) == 1]


def joiners(world: World) -> list[int]:
    """The brokers that are about to join an ISR."""
    pending = [replica for replica in leading(world) if replica.pending == PENDING_EXPAND]
    return [m for replica in pending for m in replica.pending_isr if m not in replica.isr]


def proposers(world: World) -> list[int]:
    """The brokers that wait for an answer to AlterPartition."""
    return [int(replica.broker.id) for replica in leading(world) if replica.pending != COMMITTED]


def controller(world: World) -> list[int]:
    """The active controller, if it is not alone."""
    active = world.active_controller()
    return [active] if active >= 0 and len(world.cluster.controllers) > 1 else []


def coordinators(world: World) -> list[int]:
    """The leader of the partition of ``__consumer_offsets``, by which all groups are coordinated (CON-6)."""
    topics = world.cluster.topics
    known = [r for r in world.cluster.quorum.image.partitions if r is not None]
    return [int(r.leader) for r in known if topics[int(r.topic)].internal and r.leader >= 0]


ROLES: Final[dict[str, Callable[[World], list[int]]]] = {
    "leader": leaders,
    "last member": last_members,
    "sole eligible": sole_eligibles,
    "joiner": joiners,
    "proposer": proposers,
    "controller": controller,
    "coordinator": coordinators,
}


def aimed(world: World, target: Target) -> list[tuple[int, str]]:
    """The actions, with times, that a target comes to now; none if nobody has the role."""
    if target["verb"] == "outdate":
        return outdate(world, target["at"], target["pick"], target["length"])
    nodes = ROLES[target["role"]](world) or leaders(world)
    if not nodes:
        return []
    node = nodes[target["pick"] % len(nodes)]
    verb = "kill" if node not in world.cluster.by_id and target["verb"] == "power-loss" else target["verb"]
    what = str(node)
    if verb == "cut":
        others = [int(n.id) for n in (*world.cluster.controllers, *world.cluster.brokers) if n.id != node]
        voters = [int(c.id) for c in world.cluster.controllers if c.id != node]
        what = f"{node}|{','.join(map(str, voters if target['pick'] % 2 and voters else others))}"
    undo = VERBS[verb]
    return [(target["at"], f"{verb} {what}"), (target["at"] + target["length"], f"{undo} {what}")]
