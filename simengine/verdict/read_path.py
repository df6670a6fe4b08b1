"""The rules by which the servers let consumers read a partition now (STOP-4, FFR-1..5).

A leader serves whoever reaches it. Where brokers have a replica selector, it sends a consumer that names its rack to a
live member of the ISR there, and serves it only where that rack has none or is its own; such a consumer reads on from
the follower for as long as both are in one leader epoch, so also when the leader is gone and nobody knows yet. A
partition can be read while some of those who read it now can, or, where none does, while the leader takes calls.
"""

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simengine.clients.consumer.consumer import Consumer
from simengine.kafka.replica.replica import FOLLOWER, Partition
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import is_sent_away, may_serve_readers
from simengine.kernel.node import Node
from simengine.verdict.write_path import is_running, takes_calls

if TYPE_CHECKING:
    from simengine.kafka.broker.broker import Broker
    from simengine.kafka.cluster.cluster import Cluster


def can_be_read(cluster: "Cluster", p: i64, leader: Partition | None, clients: list[int]) -> bool:
    """True if brokers would serve some of these consumers (by index; none: anybody), links to them left aside."""
    registration = cluster.quorum.image.partition(p)
    if registration is None or registration.leader < 0:
        return False
    lead = cluster.by_id[int(registration.leader)]
    is_led = leader is not None and takes_calls(lead)
    if not clients or not lead.config.rack_selector:
        return is_led
    for index in clients:
        sources = sent_to(cluster, registration, lead, rack_of(cluster, index))
        if not sources and is_led:
            return True
        for broker in sources:
            if follows(broker, registration) and takes_calls(broker):
                return True
    return False


def sent_to(cluster: "Cluster", registration: PartitionRegistration, lead: "Broker", rack: str) -> "list[Broker]":
    """The followers that a leader sends readers of a rack to (FFR-1, FFR-2, OBS-1); none: it serves them itself."""
    found: list[Broker] = []
    if not is_sent_away(rack, lead.rack):
        return found
    for broker_id in registration.replicas:
        broker = cluster.by_id[broker_id]
        is_member, is_observer = broker_id in registration.isr, broker_id in registration.observers
        is_unfenced = cluster.quorum.image.is_unfenced(broker_id)
        if broker.rack == rack and may_serve_readers(is_member, is_observer, is_unfenced):
            found.append(broker)
    return found


def follows(broker: "Broker", registration: PartitionRegistration) -> bool:
    """FFR-5: a follower serves readers of the epoch that it follows in."""
    replica = broker.replica(registration.p) if is_running(broker) else None
    return replica is not None and replica.role == FOLLOWER and replica.epoch == registration.epoch


def rack_of(cluster: "Cluster", index: i64) -> str:
    """The ``client.rack`` of a consumer."""
    node: Node = cluster.net.clients[index]
    return node.settings.rack if isinstance(node, Consumer) else ""
