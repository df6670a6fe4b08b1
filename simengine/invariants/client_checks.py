"""Properties that clients can see (section 1.4).

ack_rule, no_acked_loss, read_committed_only, poll_order, idem_no_dup.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.invariants.log_checks import LogChecks, ghost_index
from simengine.invariants.violation import demand
from simengine.kafka.api import ACKS_ALL
from simengine.kafka.log import Batch
from simengine.kafka.replica import Replica

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster

LOOK_BACK: Final = 200  # batches searched for an idempotent producer's predecessor


def ack_rule(replica: Replica, offset: i64, count: i64, acks: i64, where: str) -> None:
    """acks=all is answered only below HW with a maximal ISR of M; the offset holds a record (PROD-3..6)."""
    end = offset + count
    story = f"ack of {int(offset)}..{int(end - 1)} HW {int(replica.hw)} LEO {int(replica.log.leo)}"
    demand(end <= replica.log.leo, "ack_rule", where, story)
    if acks == ACKS_ALL:
        demand(end <= replica.hw, "ack_rule", where, story)
        demand(replica.maximal_count >= replica.min_isr, "ack_rule", where, f"{story} maximal {replica.maximal}")


def idem_no_dup(log: list[Batch], batch: Batch, where: str) -> None:
    """Sequences of one producer and epoch rise in a log, no range twice (IDEM-3)."""
    for i in range(len(log) - 2, max(-1, len(log) - 2 - LOOK_BACK), -1):
        other = log[i]
        if other.pid == batch.pid and other.pid_epoch == batch.pid_epoch:
            story = f"sequence {int(batch.seq)} after {int(other.seq)}+{int(other.count)}"
            demand(batch.seq >= other.seq + other.count, "idem_no_dup", where, story)
            return


@final
class ClientChecks:
    """Checks answers, deliveries and positions."""

    __slots__ = ("_next", "cluster", "logs")

    def __init__(self, cluster: "Cluster", logs: LogChecks) -> None:
        self.cluster = cluster
        self.logs = logs
        self._next: dict[tuple[int, int], int] = {}

    def answered(self, replica: Replica, offset: i64, count: i64, acks: i64) -> None:
        """A leader acknowledges records."""
        where = f"partition {int(replica.p)} on broker {int(replica.broker.id)}"
        ack_rule(replica, offset, count, acks, where)

    def appended(self, replica: Replica, batch: Batch) -> None:
        """A leader appended."""
        if batch.pid >= 0:
            idem_no_dup(replica.log.batches, batch, f"partition {int(replica.p)} on broker {int(replica.broker.id)}")

    def acked(self, client: i64, p: i64, n: i64, count: i64, offset: i64) -> None:
        """no_acked_loss: what was acknowledged with acks=all is committed, as long as no branch took anything back."""
        ghost = self.logs.ghost(p)
        if ghost.retracted or ghost.branch_epoch > 0:
            return
        where = f"partition {int(p)}"
        story = f"calls {int(n)}..{int(n + count - 1)} of client {int(client)} at {int(offset)}, T {int(ghost.length)}"
        demand(offset + count <= ghost.length, "no_acked_loss", where, story)
        batch = ghost.batches[ghost_index(ghost, offset)]
        demand(batch.client == client and batch.n <= n, "no_acked_loss", where, story)

    def delivered(self, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        """read_committed_only, poll_order."""
        where = f"partition {int(p)}, consumer {int(client)}"
        key = (int(client), int(p))
        expected = self._next.get(key, int(offset))
        demand(offset == expected, "poll_order", where, f"{int(offset)} after {expected}")
        self._next[key] = int(offset + count)
        ghost = self.logs.ghost(p)
        if ghost.retracted or ghost.branch_epoch > 0:
            return
        story = f"read {int(offset)}..{int(offset + count - 1)} of epoch {int(epoch)}, T {int(ghost.length)}"
        demand(offset + count <= ghost.length, "read_committed_only", where, story)
        batch = ghost.batches[ghost_index(ghost, offset)]
        demand(batch.epoch == epoch, "read_committed_only", where, story)

    def position_moved(self, client: i64, p: i64, new: i64) -> None:
        """A reset, a validation or a restart set the position."""
        self._next[(int(client), int(p))] = int(new)

    def closed(self, client: i64) -> None:
        """The consumer begins anew."""
        for key in list(self._next):
            if key[0] == client:
                del self._next[key]
