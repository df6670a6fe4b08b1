"""Properties of metadata as brokers apply it: metadata_prefix, epoch_monotonic, and write_resolved at a step-down."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.facts.kinds import PROCESS_STARTING
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.shared.metadata import Record
from tests.invariants.log_checks import where_of
from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.replica.replica_host import ReplicaHost


@final
class ApplyChecks:
    """Checks every batch of metadata that a broker applies, and every state that a leader takes on."""

    __slots__ = ("_applied", "_copies", "_epochs", "cluster")

    def __init__(self, cluster: "Cluster") -> None:
        self.cluster = cluster
        self._applied: dict[int, int] = {int(b.id): int(b.applied) for b in cluster.brokers}
        self._epochs: dict[tuple[int, int], tuple[int, int]] = {}  # (partition, broker) -> (E, PE)
        self._copies: dict[tuple[int, int], Partition] = {}

    def process_changed(self, broker: "ReplicaHost") -> None:
        """An ended process loses the epochs that it knew; its local copy of the metadata log stays (STATE-7)."""
        if not broker.up:
            self._epochs = {key: known for key, known in self._epochs.items() if key[1] != broker.id}
        if broker.process == PROCESS_STARTING:
            self._applied[int(broker.id)] = int(broker.applied)

    def applied(self, broker: "ReplicaHost", records: list[Record]) -> None:
        """metadata_prefix: a broker applies what is committed, in order, leaving nothing out (STATE-6)."""
        log = self.cluster.quorum.log
        last = self._applied[int(broker.id)]
        for record in records:
            last += 1
            if record.offset != last or log[last] is not record:
                story = f"applied {int(record.offset)} where {last} follows"
                demand(False, "metadata_prefix", f"broker {int(broker.id)}", story)
            r = record.partition
            if r is not None:
                replica = broker.replica(r.p)
                if replica is not None:
                    self.changed(replica)
                    if len(replica.waiters) > 0 and replica.role != LEADER:
                        story = f"{len(replica.waiters)} requests wait at a broker that leads no more (PROD-9)"
                        demand(False, "write_resolved", where_of(replica), story)
        self._applied[int(broker.id)] = last

    def changed(self, replica: Partition) -> None:
        """epoch_monotonic: what one process believes of a partition never gets older (STATE-6)."""
        key = (int(replica.p), int(replica.broker.id))
        epoch: i64 = replica.epoch
        pe: i64 = replica.pe
        known = self._epochs.get(key) if self._copies.get(key) is replica else None  # REA-4: a new copy
        self._copies[key] = replica
        if known is not None and (epoch < known[0] or pe < known[1]):
            story = f"E {known[0]} PE {known[1]} -> E {int(epoch)} PE {int(pe)}"
            demand(False, "epoch_monotonic", where_of(replica), story)
        self._epochs[key] = (int(epoch), int(pe))
