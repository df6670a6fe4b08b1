"""Properties that clients can see (docs/invariants.md).

ack_rule, refuse_is_clean, no_acked_loss, read_committed_only, poll_order, end_offset_monotonic,
idem_no_dup, idem_no_gap.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.facts.kinds import RESET_TRUNCATION
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.wire.api import ACKS_ALL
from tests.invariants.ghost import Branch, Ghosts
from tests.invariants.log_checks import where_of
from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster

LOOK_BACK: Final = 200  # batches searched for an idempotent producer's predecessor


def ack_rule(replica: Partition, offset: i64, count: i64, acks: i64, where: str) -> None:
    """acks=all is answered only below HW with a maximal ISR of M; the offset holds a record (PROD-3..6)."""
    end = offset + count
    ok = end <= replica.log.leo
    if acks == ACKS_ALL:
        ok = ok and end <= replica.hw and len(replica.maximal_isr) >= replica.min_isr
    if not ok:
        story = f"ack of {int(offset)}..{int(end - 1)} HW {int(replica.hw)} LEO {int(replica.log.leo)}"
        demand(False, "ack_rule", where, f"{story} maximal {replica.maximal_isr} M {int(replica.min_isr)}")


def predecessor(log: list[Batch], batch: Batch) -> Batch | None:
    """The batch of the same idempotent producer before the newest one of a log."""
    for i in range(len(log) - 2, max(-1, len(log) - 2 - LOOK_BACK), -1):
        other = log[i]
        if other.pid == batch.pid:
            return other
    return None


def idem_no_dup(before: Batch, batch: Batch, where: str) -> None:
    """Epochs of one producer never fall in a log, sequences of one epoch rise, no range twice (IDEM-3)."""
    is_again = before.pid_epoch == batch.pid_epoch and batch.seq < before.seq + before.count
    if is_again or batch.pid_epoch < before.pid_epoch:
        story = (
            f"epoch {int(batch.pid_epoch)} sequence {int(batch.seq)} after {int(before.pid_epoch)}, {int(before.seq)}"
        )
        story += f"+{int(before.count)}"
        demand(False, "idem_no_dup", where, story)


def idem_no_gap(before: Batch, batch: Batch, where: str) -> None:
    """Sequences of one producer follow each other without a gap, a new epoch begins at 0 (IDEM-4, IDEM-6)."""
    expected = before.seq + before.count if before.pid_epoch == batch.pid_epoch else 0
    if batch.pid_epoch < before.pid_epoch or batch.seq != expected:
        story = (
            f"epoch {int(batch.pid_epoch)} sequence {int(batch.seq)} after {int(before.pid_epoch)}, {int(before.seq)}"
        )
        demand(False, "idem_no_gap", where, f"{story}+{int(before.count)}")


@final
class ClientChecks:
    """Checks answers, deliveries and positions."""

    __slots__ = ("_ends", "_next", "_predecessors", "_read_in", "cluster", "ghosts")

    def __init__(self, cluster: "Cluster", ghosts: Ghosts) -> None:
        self.cluster = cluster
        self.ghosts = ghosts
        self._next: dict[tuple[int, int], int] = {}
        self._read_in: dict[tuple[int, int], int] = {}  # (consumer, partition) -> epoch of what it read last
        self._ends: dict[int, tuple[int, int]] = {}  # partition -> (branches, end offset answered last)
        self._predecessors: dict[tuple[int, int, int], Batch] = {}

    # -- producers

    def answered(self, replica: Partition, offset: i64, count: i64, acks: i64) -> None:
        """A leader acknowledges records."""
        ack_rule(replica, offset, count, acks, where_of(replica))
        ghost = self.ghosts.of(replica.p)
        if acks != ACKS_ALL:
            ghost.acked_1[(int(offset), int(replica.epoch))] = int(count)
        elif replica.min_isr < ghost.acked_m:
            ghost.acked_m = replica.min_isr

    def appended(self, replica: Partition, batch: Batch) -> None:
        """A replica appended a batch of an idempotent producer."""
        key = (int(replica.p), int(replica.broker.id), int(batch.pid))
        before = self._predecessors.get(key)
        self._predecessors[key] = batch
        if replica.role != LEADER:
            return
        if before is None or not holds(replica.log, before):
            before = predecessor(replica.log.batches, batch)
        if before is not None:
            where = where_of(replica)
            idem_no_dup(before, batch, where)
            if not self.ghosts.of(replica.p).is_retracted:
                idem_no_gap(before, batch, where)

    def refused(self, replica: Partition, leo: i64) -> None:
        """refuse_is_clean: an answer given before the append leaves the log as it was (PROD-2)."""
        if replica.log.leo != leo:
            story = f"refused, and LEO {int(leo)} -> {int(replica.log.leo)}"
            demand(False, "refuse_is_clean", where_of(replica), story)

    def acked(self, client: i64, p: i64, n: i64, count: i64, offset: i64, epoch: i64) -> None:
        """no_acked_loss: what was acknowledged with acks=all is committed, as (offset, epoch), in some branch."""
        ghost = self.ghosts.of(p)
        end = offset + count
        if is_committed(ghost.now, offset, end, epoch):
            if end > ghost.acked_end:
                ghost.acked_end = end
            self._is_call(ghost.now.batch_at(offset), client, p, n)
            return
        for older in ghost.branches:
            if is_committed(older, offset, end, epoch):
                self._is_call(older.batch_at(offset), client, p, n)
                return
        story = f"calls {int(n)}..{int(n + count - 1)} of client {int(client)} at {int(offset)}"
        demand(False, "no_acked_loss", f"partition {int(p)}", f"{story}, T {int(ghost.now.length)}")

    def _is_call(self, batch: Batch, client: i64, p: i64, n: i64) -> None:
        if batch.client != client or batch.n > n:
            story = f"call {int(n)} of client {int(client)} is call {int(batch.n)} of {int(batch.client)}"
            demand(False, "no_acked_loss", f"partition {int(p)}", story)

    # -- consumers

    def served(self, replica: Partition, batches: list[Batch]) -> None:
        """read_committed_only where it is read: below the replica's own HW, and of the branch that a leader leads."""
        branch = self.ghosts.of(replica.p).of_epoch(replica.epoch)
        for batch in batches:
            story = f"serves {int(batch.base)} of epoch {int(batch.epoch)}, HW {int(replica.hw)} T {int(branch.length)}"
            demand(batch.base < replica.hw, "read_committed_only", where_of(replica), story)
            if replica.role == LEADER:
                same = batch.base < branch.length and branch.batch_at(batch.base) is batch
                demand(same, "read_committed_only", where_of(replica), story)

    def delivered(self, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        """read_committed_only, poll_order; what was read must be in the logs of later leaders (consistent_read)."""
        key = (int(client), int(p))
        expected = self._next.get(key, int(offset))
        if offset != expected:
            demand(False, "poll_order", reader_of(p, client), f"{int(offset)} after {expected}")
        end = offset + count
        self._next[key] = int(end)
        self._read_in[key] = int(epoch)
        ghost = self.ghosts.of(p)
        branch = ghost.now
        if is_committed(branch, offset, end, epoch):
            if end > ghost.read_end:
                ghost.read_end = end
            return
        for older in ghost.branches:  # a zombie, or a follower that was not served in the new branch yet
            if is_committed(older, offset, end, epoch):
                return
        story = f"read {int(offset)}..{int(end - 1)} of epoch {int(epoch)}, T {int(branch.length)}"
        demand(False, "read_committed_only", reader_of(p, client), story)

    def position_moved(self, client: i64, p: i64, new: i64, why: i64) -> None:
        """poll_order: a reset, a validation or a restart set the position; a validation no further back than it must.

        CON-4: it goes to where the epoch that was read last ends, so what stands there is of a newer one.
        """
        key = (int(client), int(p))
        read_in = self._read_in.pop(key, -1)
        if why == RESET_TRUNCATION and not self._is_fork(p, new, read_in):
            story = f"back to {int(new)}, where no newer epoch than {read_in} begins, which it read up to"
            demand(False, "poll_order", reader_of(p, client), story)
        self._next[key] = int(new)

    def _is_fork(self, p: i64, new: i64, read_in: i64) -> bool:
        """True if what was read in an epoch ends at an offset: in the committed log, or in that of who answered.

        A zombie may have answered a client that has forgotten the epochs it knew (PC-6, KIP-1102), or once committed
        records were taken back or lost, a leader whose election is overruled by now (UNC-1, ELR-6, ELEC-7).
        """
        ghost = self.ghosts.of(p)
        for branch in ghost.branches:
            if ends_before(branch, new, read_in):
                return True
        for broker in self.cluster.brokers:
            copy = broker.replica(p)
            if copy is None:
                continue
            if new < copy.log.leo and copy.log.epoch_at(new) > read_in:
                return True
            if new == copy.log.leo and (len(ghost.branches) > 1 or broker.id in ghost.lost):
                return True
        return False

    def end_answered(self, replica: Partition, offset: i64) -> None:
        """end_offset_monotonic: ListOffsets(latest) of the current leader never falls; it is the true mark (HW-7)."""
        r = self.cluster.quorum.image.partition(replica.p)
        if r is None or r.epoch != replica.epoch or replica.role != LEADER:
            return
        ghost = self.ghosts.of(replica.p)
        branches, last = self._ends.get(int(replica.p), (0, 0))
        if branches == len(ghost.branches) and offset < last:
            demand(False, "end_offset_monotonic", where_of(replica), f"{int(offset)} after {last}")
        self._ends[int(replica.p)] = (len(ghost.branches), int(offset))
        length = ghost.of_epoch(replica.epoch).length
        demand(offset == length, "applied_hw", where_of(replica), f"answered {int(offset)}, T {int(length)}")


def holds(log: Log, batch: Batch) -> bool:
    """True if a batch still stands in a log."""
    i = log.index_of(batch.base)
    return i < len(log.batches) and log.batches[i] is batch


def is_committed(branch: Branch, offset: i64, end: i64, epoch: i64) -> bool:
    """True if records of one epoch stand at these offsets of a committed log."""
    return end <= branch.length and branch.batch_at(offset).epoch == epoch


def ends_before(branch: Branch, offset: i64, epoch: i64) -> bool:
    """True if a committed log ends at or before an offset, or goes on there in a newer epoch."""
    return offset >= branch.length or branch.batch_at(offset).epoch > epoch


def reader_of(p: i64, client: i64) -> str:
    """The place of a reader in words."""
    return f"partition {int(p)}, consumer {int(client)}"
