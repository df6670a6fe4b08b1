"""metrics_recomputed: every reading equals a recount, by another way, of the state it speaks of (MET-*).

Of MET-5 there are bounds only. MET-11 and MET-12, what a follower was told and what a client was answered, stand in no
state: where the traffic of a run is stored, they are held against bounds from that (``told``).
"""

from simengine.facts.kinds import ELECTION_ELR, ELECTION_LAST_KNOWN, ELECTION_UNCLEAN, REG_FENCED
from simengine.kafka.broker.broker import Broker
from simengine.kafka.cluster.cluster import Cluster
from simengine.kafka.controller.quorum import Controller
from simengine.kafka.replica.replica import LEADER
from simengine.verdict import metrics
from tests.invariants.violation import demand
from tests.recount.changes import EXPANDS, PROPOSED, REFUSED, SHRINKS, Changes
from tests.recount.records import Held
from tests.recount.told import Told

Counts = dict[str, int]


def metrics_recomputed(cluster: Cluster, changes: Changes | None = None, told: Told | None = None) -> None:
    """Raises Violation when a reading differs from its recount.

    ``changes``: those read so far, of the same cluster; ``told``: its traffic, if that is stored.
    """
    changes = Changes(cluster) if changes is None else changes
    changes.read()
    if told is not None:
        told.read()
    for broker in cluster.brokers:
        said, where = values_of(metrics.of_broker(cluster, broker)), f"broker {int(broker.id)}"
        if not said:
            continue  # its process is down
        compare(said, of_broker(broker) | of_changes(changes, broker), where)
        within(said, bounds_of(changes, broker) | ({} if told is None else told.bounds_of(broker)), where)
    for controller in cluster.controllers:
        said, where = values_of(metrics.of_controller(cluster, controller)), f"controller {int(controller.id)}"
        if said:
            compare(said, of_controller(cluster, controller, changes.records.of(controller)), where)


def values_of(readings: list[metrics.MetricReading]) -> Counts:
    """The readings of a process, by the last part of each metric's name."""
    return {reading.name.rsplit("name=", 1)[-1]: int(reading.value) for reading in readings}


def compare(said: Counts, recount: Counts, where: str) -> None:
    """Hold what a process says against a recount."""
    for name, value in said.items():
        if recount.get(name, value) != value:
            demand(False, "metrics_recomputed", where, f"{name} says {value}, a recount {recount[name]}")


def of_broker(broker: Broker) -> Counts:
    """The values that a broker's gauges must have (MET-1, MET-2, MET-3, MET-6)."""
    leads = [replica for replica in broker.hosted if replica.role == LEADER and replica.registration is not None]
    missing = [  # MET-1 counts members: one that is being added stands in for one that is not in the ISR
        sum(m not in r.registration.adding for m in r.registration.replicas) - len(r.isr)
        for r in leads
        if r.registration is not None
    ]
    moving = [r for r in leads if r.registration is not None and (r.registration.adding or r.registration.removing)]
    return {
        "UnderReplicatedPartitions": sum(count > 0 for count in missing),
        "UnderMinIsrPartitionCount": sum(len(r.isr) < r.min_isr for r in leads),
        "AtMinIsrPartitionCount": sum(len(r.isr) == r.min_isr for r in leads),
        "PartitionCount": len({int(r.p) for r in broker.hosted}),
        "LeaderCount": len(leads),
        "ReassigningPartitions": len(moving),
    }


def within(said: Counts, bounds: dict[str, tuple[int, int]], where: str) -> None:
    """Hold what a process says against the least and the most that it may be; it says something of each."""
    for name, (low, high) in bounds.items():
        demand(name in said, "metrics_recomputed", where, f"{name} is not said, a recount has {low} to {high}")
        story = f"{name} says {said[name]}, a recount {low} to {high}"
        demand(low <= said[name] <= high, "metrics_recomputed", where, story)


def of_changes(changes: Changes, broker: Broker) -> Counts:
    """The counts of its own ISR changes that a broker must report (MET-4)."""
    counts = changes.of(int(broker.id))
    return {"IsrShrinksPerSec": counts[SHRINKS], "IsrExpandsPerSec": counts[EXPANDS]}


def bounds_of(changes: Changes, broker: Broker) -> dict[str, tuple[int, int]]:
    """The least and the most refused changes that a broker may report (MET-5)."""
    counts = changes.of(int(broker.id))
    return {"FailedIsrUpdatesPerSec": (counts[REFUSED], counts[PROPOSED])}


def of_controller(cluster: Cluster, controller: Controller, held: Held) -> Counts:
    """The values that a controller must report (MET-7..10), from the committed records that it has, alone."""
    states = list(held.states.values())
    fenced = states.count(REG_FENCED)
    elections = held.elections
    return {
        "ActiveControllerCount": int(controller is cluster.quorum.active or controller.control is not None),
        "ActiveBrokerCount": len(states) - fenced,
        "FencedBrokerCount": fenced,
        "OfflinePartitionsCount": sum(r.leader == -1 for r in held.partitions.values()),
        "PreferredReplicaImbalanceCount": sum(r.leader != r.replicas[0] for r in held.partitions.values()),
        "UncleanLeaderElectionsPerSec": elections.count(ELECTION_UNCLEAN) + elections.count(ELECTION_LAST_KNOWN),
        "ElectionFromEligibleLeaderReplicasPerSec": elections.count(ELECTION_ELR),
    }
