"""The knowledge of the checkers that no node has: the committed log of every branch of a partition (``G`` and ``T``).

A branch begins with an unclean or last-known election, or when the only member of an ISR comes back with less than it
had; an epoch belongs to the last branch whose first epoch is not above it. Leaders of older epochs (zombies) keep
extending theirs. Replicas share batch objects, so "the same record" is "the same object".
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import Partition

if TYPE_CHECKING:
    from simengine.kafka.replica.replica_host import ReplicaHost


@final
class Branch:
    """The committed log of one branch: batches, and its length (the true high watermark)."""

    __slots__ = ("batches", "epoch", "length")

    def __init__(self, epoch: i64, batches: list[Batch], length: i64) -> None:
        self.epoch: i64 = epoch  # the first epoch of the branch
        self.batches = batches
        self.length: i64 = length

    def extend(self, log: Log, end: i64) -> None:
        """Commit what a log holds up to ``end``; a mark from an old checkpoint may lie within a batch (LOG-6)."""
        batches = log.batches
        i = log.index_of(self.length)
        if self.batches and i < len(batches) and batches[i] is self.batches[-1]:
            i += 1
        while i < len(batches) and batches[i].base < end:
            self.batches.append(batches[i])
            i += 1
        self.length = end

    def batch_at(self, offset: i64) -> Batch:
        """The committed batch that holds an offset below the length."""
        return self.batches[index_at(self.batches, offset)]


@final
class Ghost:
    """One partition: its branches, and what has happened to committed records."""

    __slots__ = (
        "acked_1",
        "acked_end",
        "acked_m",
        "branches",
        "changes",
        "early",
        "fetched_in",
        "forgotten",
        "hurt",
        "is_retracted",
        "lost",
        "outrun",
        "overrated",
        "passed",
        "read_end",
        "restored",
    )

    def __init__(self) -> None:
        self.branches: list[Branch] = [Branch(0, [], 0)]
        self.is_retracted: bool = False  # some branch event has taken committed records back
        self.acked_end: i64 = 0  # end of what was acknowledged with acks=all and not taken back
        self.acked_m: i64 = 1 << 30  # the least M at which something was acknowledged, since an ISR of M had it all
        self.read_end: i64 = 0  # end of what was delivered and not taken back
        self.acked_1: dict[tuple[int, int], int] = {}  # (offset, epoch) of a batch acked with acks=1 -> count
        self.changes: list[tuple[int, int]] = []  # (leader epoch, T when it began)
        self.lost: list[int] = []  # brokers that lost data and have not been proposed for the ISR since
        self.passed: list[
            int
        ] = []  # ELR members that a leader left behind, having heard of no higher M (HW-3), or that
        # a reassignment has removed (ELR-2)
        self.fetched_in: dict[tuple[int, int], int] = {}  # (leader, follower) -> epoch of the fetch that is on record
        self.overrated: list[int] = []  # members whose log is not what a leader elected again has on record (HW-5)
        self.forgotten: dict[int, tuple[int, int]] = {}  # leader -> (its PE, who was to join); see ``may_join_unheard``
        self.outrun: list[int] = []  # those of them whom the high watermark has passed since (STATE-6, HW-1)
        self.hurt: list[int] = []  # brokers that lost data since the ISR last had M members
        self.restored: list[int] = []  # brokers that have learnt no high watermark since they started (LOG-6)
        self.early: list[int] = []  # brokers whose high watermark moved before their process had registered (REG-5)

    @property
    def now(self) -> Branch:
        """The newest branch."""
        return self.branches[-1]

    def of_epoch(self, epoch: i64) -> Branch:
        """The branch that a leader epoch belongs to."""
        i = len(self.branches) - 1
        while i > 0 and self.branches[i].epoch > epoch:
            i -= 1
        return self.branches[i]

    def may_join_unheard(self, leader: Partition) -> int:
        """Whom the controller may let into the ISR while a leader does not count on it any more; -1: nobody.

        STATE-6: an answer has told the leader its PE, it proposes the next member, and the record with that same PE
        ends this proposal (Partition.makeLeader skips only what is older than the leader's PE, and commits the state).
        The request is on its way nevertheless, its PE is right, and its answer is ignored: until the next record
        arrives the leader does not know.
        """
        pe, joiner = self.forgotten.get(int(leader.broker.id), (-1, -1))
        return joiner if pe == leader.pe else -1

    def lacks(self, member: int) -> bool:
        """True if a member may be elected cleanly without all that is committed (HW-5, STATE-6)."""
        return member in self.overrated or member in self.outrun

    def has_caught_up(self, member: int) -> None:
        """A member has all that is committed."""
        for doubted in (self.overrated, self.outrun):
            if member in doubted:
                doubted.remove(member)

    def begins(self, epoch: i64, committed: i64) -> None:
        """A leader acts in an epoch: what was committed before it, and stays, bounds what the older ones may lose."""
        if not self.changes or self.changes[-1][0] < epoch:
            self.changes.append((int(epoch), int(committed)))

    def begun_after(self, epoch: i64) -> i64:
        """The first epoch above this one in which a leader has acted; -1 if there is none."""
        found: i64 = -1
        for change, _ in reversed(self.changes):
            if change <= epoch:
                break
            found = change
        return found

    def committed_before(self, epoch: i64) -> i64:
        """T when the first epoch above this one began; -1 if there was none."""
        found: i64 = -1
        for change, length in reversed(self.changes):
            if change <= epoch:
                break
            found = length
        return found


@final
class Ghosts:
    """The ghosts of all partitions."""

    __slots__ = ("_ghosts",)

    def __init__(self) -> None:
        self._ghosts: list[Ghost] = []

    def of(self, p: i64) -> Ghost:
        """The ghost of a partition."""
        while len(self._ghosts) <= p:
            self._ghosts.append(Ghost())
        return self._ghosts[p]


def is_early(broker: "ReplicaHost") -> bool:
    """True if a process has not applied a registration of its own: what it knows is of its last incarnation (REG-5).

    It may apply the record before it gets the answer, which a cut may hold up or take.
    """
    known = broker.image.brokers.get(int(broker.id))
    if known is None:
        return True
    return known.be != broker.be and known.incarnation != broker.incarnation


def index_at(batches: list[Batch], offset: i64) -> int:
    """Index of the batch that holds an offset below the end."""
    low, high = 0, len(batches) - 1
    while low < high:
        middle = (low + high) // 2
        if batches[middle].end <= offset:
            low = middle + 1
        else:
            high = middle
    return low


def has_prefix(log: Log, batches: list[Batch], length: i64) -> bool:
    """True if a log begins with so much of a committed log (its last batch decides: a prefix property).

    Below the start of the log that a branch goes back to (LOG-7) nothing is known, and nothing asked for.
    """
    if log.leo < length:
        return False
    if not batches or batches[0].base >= length:
        return True
    last = batches[-1]
    if last.end != length:
        last = batches[index_at(batches, length - 1)]
    if log.segments is not None and log.start >= last.end:
        return True  # retention removed it, from some logs before they had it (FET-13)
    i = log.index_of(last.base)
    return i < len(log.batches) and log.batches[i] is last
