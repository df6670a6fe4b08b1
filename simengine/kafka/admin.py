"""What administrators ask of the active controller: settings, elections, reassignments, topics, placement.

Requests come through the brokers' forwarder; one that finds no active controller waits and runs on activation (QUO-8),
all but elections and settings, whose callers give up (QUO-7). Implements UNC-3, PREF-3, ELR-7, REA-1, REA-5, REA-6,
PLACE-1..8.
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.config import TopicSettings
from simengine.kafka.election import ELECT_ANY, ELECT_PREFERRED, ELECT_UNCLEAN, PartitionChange, without
from simengine.kafka.metadata import Record, Registration, partition_record, topic_record
from simengine.kafka.placement import place
from simengine.kernel.errors import (
    ERR_ELECTION_NOT_NEEDED,
    ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE,
    ERR_INVALID_REPLICA_ASSIGNMENT,
    ERR_INVALID_REPLICATION_FACTOR,
    ERR_NO_REASSIGNMENT_IN_PROGRESS,
    ERR_NONE,
    ERR_NOT_CONTROLLER,
    ERR_PREFERRED_LEADER_NOT_AVAILABLE,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)
from simengine.kernel.facts import (
    PARTITION_CREATED,
    REASON_CONFIG,
    REASON_CREATED,
    REASON_PREFERRED,
    REASON_REASSIGNMENT,
    REASON_UNCLEAN,
    REG_SHUTTING_DOWN,
    REQUEST_REFUSED,
)

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster
    from simengine.kafka.control import ClusterControl


@final
class Creation:
    """A topic to create: its settings, and replica lists (none: the cluster places ``count`` times ``factor``)."""

    __slots__ = ("assignment", "cause", "count", "factor", "name", "partitions", "topic")

    def __init__(
        self, topic: i64, name: str, partitions: list[int], assignment: list[list[int]], factor: i64, cause: i64
    ) -> None:
        self.topic: i64 = topic
        self.name = name
        self.partitions = partitions
        self.assignment = assignment
        self.factor: i64 = factor
        self.cause: i64 = cause


@final
class Admin:
    """Carries administrators' requests to the active controller."""

    __slots__ = ("_waiting", "cluster")

    def __init__(self, cluster: "Cluster") -> None:
        self.cluster = cluster
        self._waiting: list[Creation] = []

    def _reached(self) -> "ClusterControl | None":
        """The active controller, if some broker can carry a request to it (QUO-7).

        The administrator's client finds such a broker; which others it tries first, and how long, is left out.
        """
        cluster = self.cluster
        active = cluster.quorum.active
        if active is not None:
            for broker in cluster.brokers:
                if broker.listening and not broker.paused:
                    if not cluster.net.is_cut(broker, active) and not cluster.net.is_cut(active, broker):
                        return active.control
        return None

    def _refuse(self, p: i64, error: i64, text: str, cause: i64) -> None:
        self.cluster.sim.trace.decide(REQUEST_REFUSED, cause, [int(p), int(error)], [], text)

    # -- settings

    def set_topic(self, topic: i64, settings: TopicSettings, text: str, cause: i64) -> bool:
        """Change the settings of a topic, or of the cluster (topic -1); whether the request got through.

        ELR-7: a change of M clears the ELRs.
        """
        control = self._reached()
        if control is None:
            self._refuse(-1, ERR_NOT_CONTROLLER, "config " + text, cause)
            return False
        image = control.image
        before = [image.min_insync(r.topic) if r is not None else 0 for r in image.partitions]
        records = [topic_record(topic, settings, text, cause)]
        probe = image.copy()
        probe.apply(records[0])
        for i in range(len(image.partitions)):
            base = image.partitions[i]
            if base is None or probe.min_insync(base.topic) == before[i] or not (base.elr or base.last_known):
                continue
            cleared = base.copy()
            cleared.elr = []
            cleared.last_known = []
            cleared.pe = base.pe + 1
            records.append(partition_record(cleared, REASON_CONFIG, 0, cause))
        control.write(records, None)
        return True

    # -- elections

    def elect_preferred(self, partitions: list[int], cause: i64) -> None:
        """PREF-3."""
        self._elect(partitions, ELECT_PREFERRED, REASON_PREFERRED, cause)

    def elect_unclean(self, partitions: list[int], cause: i64) -> None:
        """UNC-3."""
        self._elect(partitions, ELECT_UNCLEAN, REASON_UNCLEAN, cause)

    def _elect(self, partitions: list[int], kind: i64, reason: i64, cause: i64) -> None:
        control = self._reached()
        if control is None:
            self._refuse(partitions[0], ERR_NOT_CONTROLLER, "elect", cause)
            return
        records: list[Record] = []
        for p in partitions:
            error = self._elect_one(control, p, kind, reason, cause, records)
            if error != ERR_NONE:
                self._refuse(p, error, "elect", cause)
        control.write(records, None)

    def _elect_one(
        self, control: "ClusterControl", p: i64, kind: i64, reason: i64, cause: i64, records: list[Record]
    ) -> i64:
        base = control.image.partition(p)
        if base is None:
            return ERR_UNKNOWN_TOPIC_OR_PARTITION
        needed = base.leader != base.replicas[0] if kind == ELECT_PREFERRED else base.leader == -1
        if not needed:
            return ERR_ELECTION_NOT_NEEDED
        record = PartitionChange(base, control.image, control.config, kind).build(reason, cause)
        moved = record is not None and record.partition is not None and record.partition.leader != base.leader
        if not moved or record is None:
            return ERR_PREFERRED_LEADER_NOT_AVAILABLE if kind == ELECT_PREFERRED else ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE
        records.append(record)
        return ERR_NONE

    # -- reassignment

    def reassign(self, p: i64, target: list[int], cause: i64) -> None:
        """REA-1, REA-5: adding first, removing when the target is in sync."""
        control = self._reached()
        base = None if control is None else control.image.partition(p)
        if control is None or base is None:
            self._refuse(
                p, ERR_NOT_CONTROLLER if control is None else ERR_UNKNOWN_TOPIC_OR_PARTITION, "reassign", cause
            )
            return
        for broker in target:
            if broker not in control.image.brokers:
                self._refuse(p, ERR_INVALID_REPLICA_ASSIGNMENT, "reassign", cause)
                return
        current = without(base.replicas, base.adding)
        change = PartitionChange(base, control.image, control.config, ELECT_ANY)
        change.replicas = target + without(current, target)
        change.adding = without(target, current)
        change.removing = without(current, target)
        change.target_isr = [m for m in base.isr if m in change.replicas]
        record = change.build(REASON_REASSIGNMENT, cause)
        if record is not None:
            control.write([record], None)

    def cancel_reassignment(self, p: i64, cause: i64) -> None:
        """REA-6."""
        control = self._reached()
        base = None if control is None else control.image.partition(p)
        if control is None or base is None or not (base.adding or base.removing):
            error = ERR_NOT_CONTROLLER if control is None else ERR_NO_REASSIGNMENT_IN_PROGRESS
            self._refuse(p, error, "reassign cancel", cause)
            return
        isr = without(base.isr, base.adding)
        if not isr and not control.image.unclean(base.topic):
            self._refuse(p, ERR_INVALID_REPLICA_ASSIGNMENT, "reassign cancel", cause)
            return
        change = PartitionChange(base, control.image, control.config, ELECT_ANY)
        change.replicas = without(base.replicas, base.adding)
        change.adding = []
        change.removing = []
        change.target_isr = isr
        record = change.build(REASON_REASSIGNMENT, cause)
        if record is not None:
            control.write([record], None)

    # -- topics

    def create(self, creation: Creation) -> None:
        """Create a topic, now or when a controller is active (QUO-8)."""
        control = self.cluster.control()
        if control is None:
            self._waiting.append(creation)
            return
        assignment = creation.assignment
        if not assignment:
            assignment = place(self.cluster, control.image, len(creation.partitions), creation.factor)
        if not assignment:
            self._refuse(-1, ERR_INVALID_REPLICATION_FACTOR, "create " + creation.name, creation.cause)
            return
        records = [topic_record(creation.topic, TopicSettings(-1, -1), "", creation.cause)]
        for i in range(len(creation.partitions)):
            record = self._created(control, creation, creation.partitions[i], i, assignment[i])
            if record is None:
                self._refuse(-1, ERR_INVALID_REPLICA_ASSIGNMENT, "create " + creation.name, creation.cause)
                return
            records.append(record)
        control.write(records, None)

    def _created(
        self, control: "ClusterControl", creation: Creation, p: i64, number: i64, replicas: list[int]
    ) -> Record | None:
        """PLACE-6."""
        active = [b for b in replicas if control.image.is_active(b)]
        if not active:
            return None
        self.cluster.sim.trace.decide(
            PARTITION_CREATED, creation.cause, [int(p), int(creation.topic), int(number)], [replicas], creation.name
        )
        registration = Registration(p, creation.topic, replicas, active, active[0], 0, 0)
        return partition_record(registration, REASON_CREATED, 0, creation.cause)

    def controller_activated(self) -> None:
        """A controller is active: run what waited for one."""
        waiting = self._waiting
        self._waiting = []
        for creation in waiting:
            self.create(creation)


def is_placeable(state: i64) -> bool:
    """PLACE-1: all registered brokers that are not in controlled shutdown."""
    return state != REG_SHUTTING_DOWN
