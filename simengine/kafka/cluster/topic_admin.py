"""Topics are created, deleted and given partitions at the active controller (PLACE-1, PLACE-6, PLACE-7).

Kafka's class is ``ReplicationControlManager``. A topic that is deleted and created again is another topic: it has an
index of its own, as Kafka's has a topic id of its own (KIP-516), and its partitions have indices of their own. Left
out: ``delete.topic.enable=false``, and policies that refuse a topic.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.facts.decisive import PartitionCreated
from simengine.facts.errors import (
    ERR_INVALID_PARTITIONS,
    ERR_INVALID_REPLICA_ASSIGNMENT,
    ERR_INVALID_REPLICATION_FACTOR,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)
from simengine.facts.kinds import REASON_CREATED
from simengine.kafka.cluster.admin import Admin, AdminCall
from simengine.kafka.cluster.placement import place
from simengine.kafka.shared.config import TopicSettings
from simengine.kafka.shared.metadata import (
    PartitionRegistration,
    Record,
    partition_record,
    remove_topic_record,
    topic_record,
)

if TYPE_CHECKING:
    from simengine.kafka.controller.control import ReplicationControlManager


@final
class Creation(AdminCall):
    """A topic to create: its settings, and replica lists (none: the cluster places ``count`` times ``factor``)."""

    __slots__ = ("assignment", "factor", "name", "partitions", "topic")

    def __init__(
        self, topic: i64, name: str, partitions: list[int], assignment: list[list[int]], factor: i64, cause: i64
    ) -> None:
        super().__init__(-1, "create " + name, cause)
        self.topic: i64 = topic
        self.name = name
        self.partitions = partitions
        self.assignment = assignment
        self.factor: i64 = factor

    def run(self, admin: Admin, control: "ReplicationControlManager") -> None:
        records = [topic_record(self.topic, TopicSettings(-1, -1), "", self.cause)]
        made = placed(self, admin, control, self.topic, self.assignment, len(self.partitions), self.factor)
        if made is None:
            return
        for i in range(len(made)):
            records.append(new_partition(self.partitions[i], self.topic, made[i], control, self.cause))
            state_created(admin, self.partitions[i], self.topic, i, made[i], self.name, self.cause)
        admin.cluster.topics[self.topic].exists = True
        control.write(records, None)


@final
class Deletion(AdminCall):
    """A topic to delete, with all its records: the brokers delete their logs as they learn of it."""

    __slots__ = ("name", "topic")

    def __init__(self, topic: i64, name: str, cause: i64) -> None:
        super().__init__(-1, "delete " + name, cause)
        self.topic: i64 = topic
        self.name = name

    def run(self, admin: Admin, control: "ReplicationControlManager") -> None:
        if not control.image.of_topic(self.topic):
            admin.refuse(self, ERR_UNKNOWN_TOPIC_OR_PARTITION)
            return
        admin.cluster.topics[self.topic].is_going = True
        control.write([remove_topic_record(self.topic, self.name, self.cause)], None)


@final
class PartitionsCall(AdminCall):
    """A topic is to have so many partitions: more than it has (``createPartitions``). Leaders of old ones stay.

    ``grow`` makes room for partitions of a topic and returns their indices: topic, how many.
    """

    __slots__ = ("count", "grow", "name", "topic")

    def __init__(self, topic: i64, name: str, count: i64, grow: Callable[[int, int], list[int]], cause: i64) -> None:
        super().__init__(-1, "partitions " + name, cause)
        self.topic: i64 = topic
        self.name = name
        self.count: i64 = count
        self.grow = grow

    def run(self, admin: Admin, control: "ReplicationControlManager") -> None:
        known = control.image.of_topic(self.topic)
        if not known:
            admin.refuse(self, ERR_UNKNOWN_TOPIC_OR_PARTITION)
            return
        cluster = admin.cluster
        first = 1 + max([cluster.partition_names[int(r.p)][1] for r in known])
        if self.count <= first:
            admin.refuse(self, ERR_INVALID_PARTITIONS)
            return
        count = int(self.count) - first
        made = placed(self, admin, control, self.topic, [], count, len(known[0].replicas))
        if made is None:
            return
        records: list[Record] = []
        partitions = self.grow(int(self.topic), count)
        for i in range(count):
            records.append(new_partition(partitions[i], self.topic, made[i], control, self.cause))
            state_created(admin, partitions[i], self.topic, first + i, made[i], self.name, self.cause)
        control.write(records, None)


def placed(
    call: AdminCall,
    admin: Admin,
    control: "ReplicationControlManager",
    topic: i64,
    assignment: list[list[int]],
    count: i64,
    factor: i64,
) -> list[list[int]] | None:
    """The replicas of new partitions, all of which find a leader; None where the call was refused."""
    found = assignment if assignment else place(admin.cluster, control.image, count, factor)
    if not found:
        admin.refuse(call, ERR_INVALID_REPLICATION_FACTOR)
        return None
    for replicas in found:
        if not [b for b in replicas if control.image.is_active(b)]:
            admin.refuse(call, ERR_INVALID_REPLICA_ASSIGNMENT)
            return None
    return found


def new_partition(p: i64, topic: i64, replicas: list[int], control: "ReplicationControlManager", cause: i64) -> Record:
    """PLACE-6: the ISR are the active ones in the order of the list, its first leads."""
    active = [b for b in replicas if control.image.is_active(b)]
    made = PartitionRegistration(p, topic, replicas, active, active[0], 0, 0)
    made.directories = control.image.directories_of(replicas)
    record = partition_record(made, REASON_CREATED, 0, cause)
    record.grows = True
    return record


def state_created(admin: Admin, p: i64, topic: i64, number: i64, replicas: list[int], name: str, cause: i64) -> None:
    """State that the controller makes a partition."""
    admin.cluster.sim.trace.state(
        PartitionCreated(cause, p=p, topic=topic, number=number, replicas=replicas, text=name)
    )
