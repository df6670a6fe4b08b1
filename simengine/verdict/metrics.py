"""The JMX metrics that Kafka's processes would report now: names, attributes and values (MET-1..12).

Gauges are read off the state when they are asked for; counters are kept where the thing counted happens, and begin anew
with each process. A process that is down, paused or has only just started answers nobody, so it has no readings. Each
broker speaks for the partitions it takes itself to lead: two brokers may both count one. Left out: rates and
percentiles (a meter's Count is given), and whatever depends on what is not simulated.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.facts.kinds import ELECTION_ELR, ELECTION_LAST_KNOWN, ELECTION_UNCLEAN, REG_FENCED
from simengine.kafka.broker.broker import Broker
from simengine.kafka.controller.quorum import Controller
from simengine.kafka.replica.replica import NOBODY, Partition
from simengine.kafka.shared.metadata import MetadataImage
from simengine.kafka.shared.standing import is_below_min

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster

VALUE: Final = "Value"  # of a gauge
COUNT: Final = "Count"  # of a meter
BOOTING: Final = 1  # the state of a broker's lifecycle before its JVM is up

_REPLICAS: Final = "kafka.server:type=ReplicaManager,name="
_CONTROLLER: Final = "kafka.controller:type=KafkaController,name="
_STATS: Final = "kafka.controller:type=ControllerStats,name="


@final
class MetricReading:
    """One attribute of one MBean of one process; ``rule`` says what exactly it counts."""

    __slots__ = ("attribute", "name", "node", "rule", "value")

    def __init__(self, node: i64, name: str, attribute: str, value: i64, rule: str) -> None:
        self.node: i64 = node
        self.name = name
        self.attribute = attribute
        self.value: i64 = value
        self.rule = rule

    def row(self) -> dict[str, object]:
        """As plain data."""
        return {
            "node": int(self.node),
            "name": self.name,
            "attribute": self.attribute,
            "value": int(self.value),
            "rule": self.rule,
        }


def readings(cluster: "Cluster", with_copies: bool = True) -> list[MetricReading]:
    """Of all processes that answer: brokers, then controllers, in the order of the document.

    ``with_copies`` False: without the lag and the log end of each copy, which are many.
    """
    found: list[MetricReading] = []
    for broker in cluster.brokers:
        found.extend(of_broker(cluster, broker, with_copies))
    for controller in cluster.controllers:
        found.extend(of_controller(cluster, controller))
    return found


def of_node(cluster: "Cluster", node: i64) -> list[MetricReading]:
    """Of one broker or controller."""
    for broker in cluster.brokers:
        if broker.id == node:
            return of_broker(cluster, broker)
    for controller in cluster.controllers:
        if controller.id == node:
            return of_controller(cluster, controller)
    return []


def is_silent(broker: Broker) -> bool:
    """True if the broker's process answers nobody."""
    return not broker.up or broker.paused or broker.lifecycle.state == BOOTING


def of_broker(cluster: "Cluster", broker: Broker, with_copies: bool = True) -> list[MetricReading]:
    """Of one broker: the totals, then a reading of each copy."""
    if is_silent(broker):
        return []
    node = broker.id
    if not with_copies:
        return [*_totals(broker), *_changes(broker)]
    return [*_totals(broker), *_changes(broker), *_lags(cluster, broker), *_log_ends(cluster, broker, node)]


def _totals(broker: Broker) -> list[MetricReading]:
    """MET-1, MET-2, MET-3, MET-6."""
    leads = broker.leads()
    under, below, at, moving = 0, 0, 0, 0
    for replica in leads:
        under += int(is_under_replicated(replica))
        below += int(is_below_min(len(replica.isr), replica.min_isr))
        at += int(len(replica.isr) == replica.min_isr)
        moving += int(is_reassigning(replica))
    node = broker.id
    return [
        MetricReading(node, _REPLICAS + "UnderReplicatedPartitions", VALUE, under, "MET-1"),
        MetricReading(node, _REPLICAS + "UnderMinIsrPartitionCount", VALUE, below, "MET-2"),
        MetricReading(node, _REPLICAS + "AtMinIsrPartitionCount", VALUE, at, "MET-3"),
        MetricReading(node, _REPLICAS + "PartitionCount", VALUE, len(broker.hosted), "MET-6"),
        MetricReading(node, _REPLICAS + "LeaderCount", VALUE, len(leads), "MET-6"),
        MetricReading(node, _REPLICAS + "ReassigningPartitions", VALUE, moving, "MET-6"),
        MetricReading(
            node, _REPLICAS + "OfflineReplicaCount", VALUE, 0, "MET-6"
        ),  # of failed log dirs, not of dead brokers
    ]


def is_under_replicated(replica: Partition) -> bool:
    """MET-1: replicas being added are not missed yet (REA-7)."""
    registration = replica.registration
    if registration is None:
        return False
    return len(registration.synced()) - len(registration.adding) > len(replica.isr)


def is_reassigning(replica: Partition) -> bool:
    """MET-6: replicas are being added or removed."""
    registration = replica.registration
    return registration is not None and len(registration.adding) + len(registration.removing) > 0


def _changes(broker: Broker) -> list[MetricReading]:
    """MET-4, MET-5, MET-12."""
    counts = broker.metrics
    node = broker.id
    expires = "kafka.server:type=DelayedProduceMetrics,name=ExpiresPerSec"
    return [
        MetricReading(node, _REPLICAS + "IsrShrinksPerSec", COUNT, counts.isr_shrinks, "MET-4"),
        MetricReading(node, _REPLICAS + "IsrExpandsPerSec", COUNT, counts.isr_expands, "MET-4"),
        MetricReading(node, _REPLICAS + "FailedIsrUpdatesPerSec", COUNT, counts.failed_isr_updates, "MET-5"),
        MetricReading(node, expires, COUNT, counts.expired_produces, "MET-12"),
    ]


def _lags(cluster: "Cluster", broker: Broker) -> list[MetricReading]:
    """MET-11: of the copies that a leader has answered for, and the greatest of them."""
    found: list[MetricReading] = []
    greatest: i64 = 0
    for replica in broker.hosted:
        if replica.fetched_from == NOBODY or replica.leader_hw < 0:
            continue
        lag = max(0, replica.leader_hw - replica.log.leo)
        greatest = max(greatest, lag)
        thread = f"clientId=ReplicaFetcherThread-0-{int(replica.fetched_from)}"
        name = f"kafka.server:type=FetcherLagMetrics,name=ConsumerLag,{thread},{_partition(cluster, replica)}"
        found.append(MetricReading(broker.id, name, VALUE, lag, "MET-11"))
    name = "kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica"
    return [MetricReading(broker.id, name, VALUE, greatest, "MET-11"), *found]


def _log_ends(cluster: "Cluster", broker: Broker, node: i64) -> list[MetricReading]:
    """The log end offset of every copy."""
    return [
        MetricReading(
            node, f"kafka.log:type=Log,name=LogEndOffset,{_partition(cluster, replica)}", VALUE, replica.log.leo, ""
        )
        for replica in broker.hosted
    ]


def group_lags(cluster: "Cluster") -> list[MetricReading]:
    """MET-13: of each group and partition with a committed offset, as `kafka_exporter` asks the brokers for both.

    None where the coordinator or the partition's leader does not answer.
    """
    ends: dict[int, tuple[int, int]] = {}
    for broker in cluster.brokers:
        for replica in [] if is_silent(broker) else broker.leads():
            found = (int(replica.epoch), int(replica.hw))
            ends[int(replica.p)] = max(found, ends.get(int(replica.p), found))
    lags: list[MetricReading] = []
    for broker in cluster.brokers:
        coordinator = broker.coordinator
        for one in [] if coordinator is None or is_silent(broker) else coordinator.committed():
            if one.offset < 0 or int(one.p) not in ends:
                continue
            topic, number = cluster.partition_names[one.p]
            name = f"kafka_exporter:name=ConsumerGroupLag,group={one.group}"
            name = f"{name},topic={cluster.topics[topic].name},partition={number}"
            lag = max(0, ends[int(one.p)][1] - int(one.offset))
            lags.append(MetricReading(broker.id, name, VALUE, lag, "MET-13"))
    return lags


def _partition(cluster: "Cluster", replica: Partition) -> str:
    """The part of an MBean's name that says which partition it is of."""
    topic, number = cluster.partition_names[replica.p]
    return f"topic={cluster.topics[topic].name},partition={number}"


def of_controller(cluster: "Cluster", controller: Controller) -> list[MetricReading]:
    """MET-7..10: every controller publishes what it has read of the metadata log, whether it is the active one or not.

    One that is cut off shows an old image. Elections are counted as they are read, anew with each process.
    """
    if not controller.up or controller.paused:
        return []
    log = cluster.quorum.log
    held = cluster.quorum.held_by(controller)
    image = image_of(cluster, held)
    offline, astray = 0, 0
    for registration in image.partitions:
        if registration is not None:
            offline += int(registration.leader == -1)
            astray += int(registration.leader != registration.replicas[0])
    fenced = sum([int(state.state == REG_FENCED) for state in image.brokers.values()])
    unclean, eligible = 0, 0
    for i in range(int(controller.loaded), int(held)):
        election = log[i].election
        unclean += int(election == ELECTION_UNCLEAN or election == ELECTION_LAST_KNOWN)
        eligible += int(election == ELECTION_ELR)
    node, is_active = controller.id, controller.control is not None
    return [
        MetricReading(node, _CONTROLLER + "ActiveControllerCount", VALUE, int(is_active), "MET-9"),
        MetricReading(node, _CONTROLLER + "ActiveBrokerCount", VALUE, len(image.brokers) - fenced, "MET-9"),
        MetricReading(node, _CONTROLLER + "FencedBrokerCount", VALUE, fenced, "MET-9"),
        MetricReading(node, _CONTROLLER + "OfflinePartitionsCount", VALUE, offline, "MET-7"),
        MetricReading(node, _CONTROLLER + "PreferredReplicaImbalanceCount", VALUE, astray, "MET-8"),
        MetricReading(node, _STATS + "UncleanLeaderElectionsPerSec", COUNT, unclean, "MET-10"),
        MetricReading(node, _STATS + "ElectionFromEligibleLeaderReplicasPerSec", COUNT, eligible, "MET-10"),
    ]


def image_of(cluster: "Cluster", held: i64) -> MetadataImage:
    """The metadata as whoever has so many records of the log sees it."""
    quorum = cluster.quorum
    if held == len(quorum.log):
        return quorum.image
    image = MetadataImage()
    for record in quorum.log[:held]:
        image.apply(record)
    return image
