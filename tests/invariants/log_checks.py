"""Properties of logs: what is appended and what is cut, with a shadow of every log.

log_matching, epoch_cache_exact, append_at_leo, no_committed_truncation, trunc_above_own_hw, trunc_terminates,
no_trunc_on_restart, fetch_matched, acks1_loss_bound, durable_somewhere.
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import FOLLOWER, LEADER, Partition
from tests.invariants.ghost import Ghost, Ghosts, has_prefix, is_early
from tests.invariants.marks import MarkCounts
from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.replica.replica_host import ReplicaHost


def log_matching(found: Batch | None, link: Batch | None, batch: Batch, before: Batch | None, where: str) -> None:
    """Two logs that hold the same (offset, epoch) are equal up to it, from the later of the two log starts on."""
    if is_forked(found, link, batch, before):
        story = f"offset {int(batch.base)} epoch {int(batch.epoch)} stands on two histories"
        demand(False, "log_matching", where, story)


def is_forked(found: Batch | None, link: Batch | None, batch: Batch, before: Batch | None) -> bool:
    """True if a batch follows on another history than where its (offset, epoch) was ``found`` after ``link``."""
    if found is None:
        return False
    if batch.base > 0 and (link is None or before is None):
        link = before  # one of the logs starts with this batch
    return not (_begin_alike(found, batch) and _end_alike(link, before))


def _begin_alike(one: Batch, other: Batch) -> bool:
    """True if two batches begin with the same record: one may be cut (FET-18)."""
    return one is other or _record(one, one.base) == _record(other, other.base)


def _end_alike(one: Batch | None, other: Batch | None) -> bool:
    """True if two batches end with the same record, or both are none."""
    if one is None or other is None:
        return one is other
    return one is other or _record(one, one.end - 1) == _record(other, other.end - 1)


def _record(batch: Batch, offset: i64) -> tuple[int, ...]:
    """The identity of a record: its offset and epoch, and its client's number of it."""
    number = batch.n + offset - batch.base
    return int(offset), int(batch.epoch), int(batch.client), int(number), int(batch.pid), int(batch.pid_epoch)


def epoch_cache_exact(log: Log, where: str) -> None:
    """The last cache entry fits the last record; entries rise in both fields and start at or before LEO."""
    cache = log.cache
    n = len(cache.epochs)
    ok = True
    if n > 1:
        ok = cache.epochs[n - 2] < cache.epochs[n - 1] and cache.starts[n - 2] < cache.starts[n - 1]
    if n > 0 and cache.starts[n - 1] > log.leo:
        ok = False
    if log.batches and log.batches[-1].end > log.start:  # else retention removed all of it
        last = log.batches[-1]
        ok = ok and log.epoch_at(max(last.base, log.start)) == last.epoch
    if not ok:
        demand(False, "epoch_cache_exact", where, f"cache {cache.epochs} {cache.starts} LEO {int(log.leo)}")


@final
class Shadow:
    """The state of one copy at its last event."""

    __slots__ = (
        "batches",
        "entries",
        "epoch",
        "hw_epoch",
        "in_epoch",
        "is_hurt",
        "is_mislabelled",
        "leo",
        "replica",
        "rounds",
        "rounds_max",
    )

    def __init__(self, replica: Partition) -> None:
        self.replica = replica
        self.batches: list[Batch] = []
        self.epoch: i64 = -1  # newest cached epoch, number of cached epochs, and log end
        self.entries: i64 = 0
        self.leo: i64 = 0
        self.hw_epoch: i64 = -1  # leader epoch in which its high watermark was learnt; -1: not known
        self.in_epoch: i64 = -1  # leader epoch of the reconciliation under way
        self.is_hurt: bool = False  # it has lost data with a disk or a power failure
        self.is_mislabelled: bool = False  # it has then led again in its old epoch, from an earlier offset (REG-5 d)
        self.rounds: i64 = 0
        self.rounds_max: i64 = 0

    def note(self, replica: Partition) -> None:
        """Take over the end of the log as it is now."""
        self.note_epochs(replica)
        self.leo = replica.log.leo

    def note_epochs(self, replica: Partition) -> None:
        """Take over what is cached now: a start may have found epochs again that a power failure took (LOG-10)."""
        cache = replica.log.cache
        self.epoch = cache.last()
        self.entries = len(cache.epochs)


@final
class LogChecks:
    """Checks every append, answer taken in, and truncation."""

    __slots__ = (
        "_chain",
        "_chain_before",
        "_lowered",
        "_lowered_at",
        "_lowered_epoch",
        "_lowered_from",
        "_shadows",
        "cluster",
        "ghosts",
        "marks",
    )

    def __init__(self, cluster: "Cluster", ghosts: Ghosts, marks: MarkCounts) -> None:
        self.cluster = cluster
        self.ghosts = ghosts
        self.marks = marks
        self._chain: list[dict[tuple[int, int], Batch]] = []
        self._chain_before: list[dict[tuple[int, int], Batch | None]] = []
        self._shadows: dict[tuple[int, int], Shadow] = {}
        self._lowered: Partition | None = None  # whose high watermark fell, from what, in which event
        self._lowered_from: i64 = 0
        self._lowered_epoch: i64 = -1
        self._lowered_at: i64 = -1
        for broker in cluster.brokers:
            for replica in broker.hosted:
                self._begin_with(replica)

    def _begin_with(self, replica: Partition) -> None:
        """The start state: copies may lag, and share the batches of their common history."""
        shadow = self.shadow(replica)
        before: Batch | None = None
        for batch in replica.log.batches:
            shadow.batches.append(batch)
            self._links(replica.p).setdefault((int(batch.base), int(batch.epoch)), batch)
            self._chain_before[replica.p].setdefault((int(batch.base), int(batch.epoch)), before)
            before = batch
        shadow.note(replica)

    def _links(self, p: i64) -> dict[tuple[int, int], Batch]:
        while len(self._chain) <= p:
            self._chain.append({})
            self._chain_before.append({})
        return self._chain[p]

    def shadow(self, replica: Partition) -> Shadow:
        """The shadow of a copy; a new copy (REA-4: the old one was dropped in between) begins empty."""
        key = (int(replica.p), int(replica.broker.id))
        known = self._shadows.get(key)
        if known is None or known.replica is not replica:
            known = Shadow(replica)
            self._shadows[key] = known
        return known

    # -- append

    def appended(self, replica: Partition, batch: Batch) -> None:
        """A batch now stands in a log."""
        shadow = self.shadow(replica)
        batches = shadow.batches
        begins = batch.base <= self._later_start(replica)
        before = batches[-1] if batches and not begins else None
        key = (int(batch.base), int(batch.epoch))
        chain = self._links(replica.p)
        befores = self._chain_before[replica.p]
        where = where_of(replica)
        found = chain.get(key)
        if found is None:
            chain[key] = batch
            befores[key] = before
        elif not self._is_misled(replica):
            log_matching(found, befores.get(key), batch, before, where)
        elif is_forked(found, befores.get(key), batch, before):
            shadow.is_mislabelled = True  # it holds a fork that nobody will find
        batches.append(batch)
        story = f"batch of epoch {int(batch.epoch)} at {int(batch.base)} while in epoch {int(replica.epoch)}"
        demand(batch.epoch <= replica.epoch and batch.base == shadow.leo, "append_at_leo", where, story)
        if not shadow.is_mislabelled:
            epoch_cache_exact(replica.log, where)
        shadow.note(replica)
        shadow.in_epoch = -1

    def _later_start(self, replica: Partition) -> i64:
        """The later of two log starts: the copy's own and that of the leader it copies (LOG-7)."""
        leader = self._leader_of(replica)
        return replica.log.start if leader is None else max(replica.log.start, leader.log.start)

    def answer_taken(self, replica: Partition, epoch: i64, offset: i64) -> None:
        """fetch_matched: a follower uses an answer only where, and in the epoch in which, it asked (FET-11)."""
        if replica.role != FOLLOWER or replica.epoch != epoch or replica.log.leo != offset:
            story = (
                f"an answer for {int(offset)} in epoch {int(epoch)} at {int(replica.log.leo)} in {int(replica.epoch)}"
            )
            demand(False, "fetch_matched", where_of(replica), story)
        self.shadow(replica).note_epochs(replica)

    # -- high watermark of the copy itself

    def hw_moved(self, replica: Partition, old: i64) -> None:
        """Remember in which epoch a copy learnt its high watermark, and from where it fell."""
        shadow = self.shadow(replica)
        if replica.hw < old:
            self._lowered = replica
            self._lowered_from = old
            self._lowered_epoch = shadow.hw_epoch
            self._lowered_at = self.cluster.sim.events
        elif not is_early(replica.broker):
            shadow.hw_epoch = replica.epoch
        else:
            shadow.hw_epoch = -1

    def process_changed(self, broker: "ReplicaHost") -> None:
        """An ended process forgets all that it knew; its checkpoint may be of an older branch."""
        if not broker.up:
            for replica in broker.hosted:
                self.shadow(replica).hw_epoch = -1
                ghost = self.ghosts.of(replica.p)
                if broker.id not in ghost.restored:
                    ghost.restored.append(int(broker.id))

    def leads(self, replica: Partition) -> None:
        """epoch_cache_exact: a leader has entered its epoch into the cache, at its log end (LOG-2)."""
        cache = replica.log.cache
        if cache.last() != replica.epoch and not replica.broker.config.legacy:
            story = f"leads epoch {int(replica.epoch)} from {int(replica.log.leo)}, cache {cache.epochs}"
            demand(False, "epoch_cache_exact", where_of(replica), story)
        shadow = self.shadow(replica)
        if shadow.is_hurt and is_early(replica.broker):
            # LOG-3: what it fetches next is of older epochs, which take the entries of their own beginnings away
            shadow.is_mislabelled = True
        shadow.note(replica)
        shadow.in_epoch = -1

    # -- truncation

    def truncated(self, replica: Partition) -> None:
        """A log was cut."""
        shadow = self.shadow(replica)
        log = replica.log
        removed: list[Batch] = []
        if log.leo > shadow.leo:
            self._begun_anew(replica, shadow)
            return
        while shadow.batches and shadow.batches[-1].end > log.leo:
            removed.append(shadow.batches.pop())
        if removed and removed[-1].base < log.leo:  # wrong epochs, or a mark of another branch, end within a batch
            shadow.batches.append(log.batches[-1])
        ghost = self.ghosts.of(replica.p)
        if not replica.broker.up:
            shadow.note(replica)
            if removed:
                self.marks.add("data lost with a disk or a power failure")
                shadow.is_hurt = True
                self._data_lost(replica, ghost)
            return
        where = where_of(replica)
        if not shadow.is_mislabelled:
            epoch_cache_exact(log, where)
        if removed:
            self.marks.add("truncation")
            self._removed(replica, removed, ghost, where)
        if log.leo == log.start:
            shadow.is_mislabelled = False
        if replica.role == FOLLOWER:
            self._terminates(replica, shadow, removed, where)
            self._above_own_hw(replica, ghost, where)
        shadow.note(replica)

    def _begun_anew(self, replica: Partition, shadow: Shadow) -> None:
        """FET-13: all of it lay before the leader's log, and it goes on from where that begins."""
        self.marks.add("log dropped whole and begun anew (FET-13)")
        where = where_of(replica)
        demand(replica.role == FOLLOWER, "no_trunc_on_restart", where, f"begun anew in role {int(replica.role)}")
        epoch_cache_exact(replica.log, where)
        shadow.batches.clear()
        shadow.is_mislabelled = False
        shadow.note(replica)

    def _removed(self, replica: Partition, removed: list[Batch], ghost: Ghost, where: str) -> None:
        """no_trunc_on_restart, no_committed_truncation, acks1_loss_bound."""
        role = f"cut to {int(replica.log.leo)} in role {int(replica.role)}"
        demand(replica.role == FOLLOWER, "no_trunc_on_restart", where, role)
        branch = ghost.of_epoch(replica.epoch)
        if self._is_misled(replica):
            return
        end = branch.length
        later = ghost.committed_before(replica.epoch)  # who has not heard of a later epoch owes nothing to its commits
        if later >= 0:
            end = min(end, later)
        for batch in removed:
            if batch.base < end:
                story = f"committed offset {int(batch.base)} of {int(end)} was cut"
                demand(branch.batch_at(batch.base) is not batch, "no_committed_truncation", where, story)
            if (int(batch.base), int(batch.epoch)) not in ghost.acked_1:
                continue
            self.marks.add("truncation of a record acked with acks=1")
            if not ghost.is_retracted:
                bound = ghost.committed_before(batch.epoch)
                story = f"offset {int(batch.base)} of epoch {int(batch.epoch)}, acked with acks=1, T {int(bound)}"
                demand(bound < 0 or batch.base >= bound, "acks1_loss_bound", where, story)

    def _is_misled(self, replica: Partition) -> bool:
        """REG-5, LOG-3, LOG-8: epochs with wrong beginnings, on either side, hide a fork, or let it be sought too low.

        So does a cache without an epoch (FET-3): with none to tell, a follower is not asked where it differs.
        """
        if self.shadow(replica).is_mislabelled:
            return True
        broker = self.cluster.by_id.get(int(replica.leader))
        leader = None if broker is None else broker.replica(replica.p)  # it may have died since it answered
        return leader is not None and self.shadow(leader).is_mislabelled

    def _terminates(self, replica: Partition, shadow: Shadow, removed: list[Batch], where: str) -> None:
        """trunc_terminates: each round lowers (last epoch, LEO), there are few, and nothing shared is cut (TRUNC-4)."""
        if not shadow.epoch >= 0:
            return  # nothing cached: cut to its high watermark (FET-3)
        epoch = replica.log.cache.last()
        story = f"(epoch, LEO) ({int(shadow.epoch)}, {int(shadow.leo)}) -> ({int(epoch)}, {int(replica.log.leo)})"
        falls = epoch < shadow.epoch or (epoch == shadow.epoch and replica.log.leo < shadow.leo)
        demand(falls, "trunc_terminates", where, story)
        if shadow.in_epoch != replica.epoch:
            shadow.in_epoch = replica.epoch
            shadow.rounds = 0
            shadow.rounds_max = shadow.entries + 1
        shadow.rounds += 1
        if shadow.rounds == 2:
            self.marks.add("truncation in two rounds or more")
        demand(shadow.rounds <= shadow.rounds_max, "trunc_terminates", where, f"round {int(shadow.rounds)}: {story}")
        leader = self._leader_of(replica)
        if removed and leader is not None and not self._is_misled(replica):
            first = removed[-1]
            i = leader.log.index_of(first.base)
            shared = i < len(leader.log.batches) and leader.log.batches[i] is first
            demand(not shared, "trunc_terminates", where, f"{story}: offset {int(first.base)} is in the leader's log")

    def _leader_of(self, replica: Partition) -> Partition | None:
        """The leader that a follower reconciles with, if it acts in the same epoch."""
        broker = self.cluster.by_id.get(int(replica.leader))
        leader = None if broker is None or not broker.up else broker.replica(replica.p)
        if leader is None or leader.role != LEADER or leader.epoch != replica.epoch:
            return None
        return leader

    def _above_own_hw(self, replica: Partition, ghost: Ghost, where: str) -> None:
        """trunc_above_own_hw: a follower keeps what it knows to be committed, within one branch (TRUNC-5)."""
        if self._lowered is not replica or self._lowered_at != self.cluster.sim.events:
            return
        self._lowered = None
        if self._lowered_epoch < ghost.of_epoch(replica.epoch).epoch or self._is_misled(replica):
            return
        story = f"cut to {int(replica.log.leo)}, HW was {int(self._lowered_from)}"
        demand(replica.log.leo >= self._lowered_from, "trunc_above_own_hw", where, story)

    # -- disks

    def _data_lost(self, replica: Partition, ghost: Ghost) -> None:
        """durable_somewhere: what was acked with acks=all survives the loss of up to M - 1 copies."""
        broker = int(replica.broker.id)
        if broker not in ghost.lost:
            ghost.lost.append(broker)
        if broker not in ghost.hurt:
            ghost.hurt.append(broker)
        r = self.cluster.quorum.image.partition(replica.p)
        if r is None or ghost.is_retracted:
            return
        m = min(int(self.cluster.quorum.image.min_insync(r.topic)), len(r.synced()))
        if len(ghost.hurt) > min(m, int(ghost.acked_m)) - 1:
            return
        for other in self.cluster.brokers:
            copy = other.replica(replica.p)
            if copy is not None and has_prefix(copy.log, ghost.now.batches, ghost.acked_end):
                return
        story = f"nobody has all of the {int(ghost.acked_end)} acknowledged records; lost on {ghost.hurt}, M {m}"
        demand(False, "durable_somewhere", where_of(replica), story)


def where_of(replica: Partition) -> str:
    """The place of a copy in words."""
    return f"partition {int(replica.p)} on broker {int(replica.broker.id)}"
