"""Properties of logs, high watermarks, ISRs and elections (sections 1.2 and 1.3), with the ghost state they need.

log_matching, epoch_cache_exact, no_committed_truncation, trunc_above_own_hw, no_trunc_on_restart, hw_monotonic_leader,
true_hw_monotonic, hw_le_true, strict_min_isr_hw, hw_le_isr_leo, recorded_leo_sound, quorum_superset, strong_isr,
leader_completeness, one_leader_per_epoch, isr_expand_guard, isr_shrink_guard, hw_unknown_blocks, ack_copies.

The committed log of the current branch (``G`` of length ``T``) is kept per partition as the batches themselves:
replicas share batch objects, so "the same record" is "the same object".
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.invariants.violation import demand
from simengine.kafka.log import Batch, Log
from simengine.kafka.metadata import Registration
from simengine.kafka.replica import FOLLOWER, LEADER, PENDING_EXPAND, PENDING_SHRINK, Remote, Replica

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster


def log_matching(found: Batch | None, link: Batch | None, batch: Batch, before: Batch | None, where: str) -> None:
    """Who holds (offset, epoch) holds the same log up to it, from the later of the two log starts on."""
    if found is None:
        return
    if batch.base > 0 and (link is None or before is None):
        link = before  # one of the logs starts with this batch
    story = f"offset {int(batch.base)} epoch {int(batch.epoch)} stands on two histories"
    demand(found is batch and link is before, "log_matching", where, story)


def epoch_cache_exact(log: Log, where: str) -> None:
    """The last cache entry fits the last record; entries rise in both fields and start at or before LEO."""
    cache = log.cache
    story = f"cache {cache.epochs} {cache.starts} LEO {int(log.leo)}"
    n = len(cache.epochs)
    if n > 1:
        ok = cache.epochs[n - 2] < cache.epochs[n - 1] and cache.starts[n - 2] < cache.starts[n - 1]
        demand(ok, "epoch_cache_exact", where, story)
    if n > 0:
        demand(cache.starts[n - 1] <= log.leo, "epoch_cache_exact", where, story)
    if log.batches:
        last = log.batches[-1]
        demand(log.epoch_at(last.base) == last.epoch, "epoch_cache_exact", where, story)


def has_prefix(log: Log, ghost: list[Batch], length: i64) -> bool:
    """Whether a log begins with a committed log of this length (by its last batch: a prefix property)."""
    if length == 0:
        return True
    if log.leo < length or not ghost:
        return False
    last = ghost[-1]
    i = log.index_of(last.base)
    return i < len(log.batches) and log.batches[i] is last


@final
class Ghost:
    """The committed log of one partition's current branch."""

    __slots__ = ("batches", "branch_epoch", "length", "retracted")

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self.length: i64 = 0
        self.branch_epoch: i64 = 0  # leader epochs below belong to an older branch
        self.retracted: bool = False  # some branch event has taken committed records back


@final
class LogChecks:
    """Keeps the ghosts and checks every append, fetch, move of a high watermark, truncation, election and proposal."""

    __slots__ = ("_branching", "_chain", "_chain_before", "_leads", "_shadow", "cluster", "destroyed", "ghosts")

    def __init__(self, cluster: "Cluster") -> None:
        self.cluster = cluster
        self.ghosts: list[Ghost] = []
        self._chain: list[dict[tuple[int, int], Batch]] = []
        self._chain_before: list[dict[tuple[int, int], Batch | None]] = []
        self._leads: dict[tuple[int, int], tuple[int, int]] = {}
        self._branching: dict[int, int] = {}  # partition -> epoch of an unclean winner that has not acted yet
        self._shadow: dict[tuple[int, int], list[Batch]] = {}
        self.destroyed: list[int] = []  # brokers whose disk was emptied
        for broker in cluster.brokers:
            for replica in broker.hosted:
                self._begin_with(replica)
        for broker in cluster.brokers:
            for replica in broker.hosted:
                self._begin_ghost(replica)

    def _begin_with(self, replica: Replica) -> None:
        """The start state: copies may lag, and share the batches of their common history."""
        self.ghost(replica.p)
        before: Batch | None = None
        for batch in replica.log.batches:
            self._shadow_of(replica).append(batch)
            self._chain[replica.p].setdefault((int(batch.base), int(batch.epoch)), batch)
            self._chain_before[replica.p].setdefault((int(batch.base), int(batch.epoch)), before)
            before = batch

    def _begin_ghost(self, replica: Replica) -> None:
        """What lies below the highest of the high watermarks is committed."""
        ghost = self.ghost(replica.p)
        if replica.hw > ghost.length:
            ghost.length = replica.hw
            ghost.batches = [batch for batch in replica.log.batches if batch.end <= replica.hw]

    def ghost(self, p: i64) -> Ghost:
        """The ghost of a partition."""
        while len(self.ghosts) <= p:
            self.ghosts.append(Ghost())
            self._chain.append({})
            self._chain_before.append({})
        return self.ghosts[p]

    def _shadow_of(self, replica: Replica) -> list[Batch]:
        key = (int(replica.p), int(replica.broker.id))
        if key not in self._shadow:
            self._shadow[key] = []
        return self._shadow[key]

    def _where(self, replica: Replica) -> str:
        return f"partition {int(replica.p)} on broker {int(replica.broker.id)}"

    def _is_current(self, replica: Replica) -> bool:
        """Whether a replica's epoch belongs to the current branch."""
        return replica.epoch >= self.ghost(replica.p).branch_epoch

    # -- append, truncation

    def appended(self, replica: Replica, batch: Batch) -> None:
        """A batch now stands in a log."""
        p = replica.p
        self.ghost(p)
        shadow = self._shadow_of(replica)
        before = shadow[-1] if shadow else None
        key = (int(batch.base), int(batch.epoch))
        chain = self._chain[p]
        where = self._where(replica)
        log_matching(chain.get(key), self._chain_before[p].get(key), batch, before, where)
        if key not in chain:
            chain[key] = batch
            self._chain_before[p][key] = before
        shadow.append(batch)
        story = f"batch of epoch {int(batch.epoch)} while in epoch {int(replica.epoch)}"
        demand(batch.epoch <= replica.epoch, "append_at_leo", where, story)
        epoch_cache_exact(replica.log, where)

    def truncated(self, replica: Replica, old: i64) -> None:
        """A log was cut."""
        where = self._where(replica)
        shadow = self._shadow_of(replica)
        removed: list[Batch] = []
        while shadow and shadow[-1].end > replica.log.leo:
            removed.append(shadow.pop())
        if not replica.broker.up:
            self.destroyed.append(int(replica.broker.id))
            return
        epoch_cache_exact(replica.log, where)
        ghost = self.ghost(replica.p)
        if not removed or not self._is_current(replica):
            return
        demand(
            replica.role == FOLLOWER, "no_trunc_on_restart", where, f"cut from {int(old)} in role {int(replica.role)}"
        )
        for batch in removed:
            if batch.base < ghost.length:
                i = ghost_index(ghost, batch.base)
                story = f"committed offset {int(batch.base)} of {int(ghost.length)} was cut"
                demand(ghost.batches[i] is not batch, "no_committed_truncation", where, story)

    # -- high watermark

    def hw_moved(self, replica: Replica, old: i64) -> None:
        """A high watermark moved."""
        where = self._where(replica)
        hw = replica.hw
        story = f"HW {int(old)} -> {int(hw)} LEO {int(replica.log.leo)}"
        demand(replica.log.start <= hw <= replica.log.leo, "type_ok", where, story)
        ghost = self.ghost(replica.p)
        if not replica.broker.up or not self._is_current(replica):
            return
        if replica.role == LEADER:
            demand(hw >= old, "hw_monotonic_leader", where, story)
            self._leader_hw(replica, ghost, where, story)
        elif replica.role == FOLLOWER and hw > old:
            demand(hw <= ghost.length, "hw_le_true", where, f"{story} T {int(ghost.length)}")

    def _leader_hw(self, replica: Replica, ghost: Ghost, where: str, story: str) -> None:
        demand(len(replica.isr) >= replica.min_isr, "strict_min_isr_hw", where, f"{story} ISR {replica.isr}")
        for remote in replica.remotes:
            if remote.broker in replica.isr:
                demand(remote.leo >= 0, "hw_unknown_blocks", where, f"{story} broker {int(remote.broker)}")
            if remote.in_maximal:
                self._hw_le_isr_leo(replica, remote, where, story)
        self._extend(replica, ghost, where, story)
        self._ack_copies(replica, where, story)
        self.strong_isr(replica.p)

    def _hw_le_isr_leo(self, replica: Replica, remote: Remote, where: str, story: str) -> None:
        member = self.cluster.by_id[int(remote.broker)]
        copy = member.replica(replica.p)
        if copy is None or not member.up or copy.epoch != replica.epoch or remote.broker in self.destroyed:
            return
        name = f"{story}, broker {int(remote.broker)} has {int(copy.log.leo)}"
        demand(replica.hw <= copy.log.leo, "hw_le_isr_leo", where, name)

    def _extend(self, replica: Replica, ghost: Ghost, where: str, story: str) -> None:
        """true_hw_monotonic: what is committed is what was committed, and more."""
        log = replica.log
        demand(has_prefix(log, ghost.batches, min(ghost.length, replica.hw)) or replica.hw < ghost.length,
               "true_hw_monotonic", where, f"{story} T {int(ghost.length)}")  # fmt: skip
        if replica.hw <= ghost.length:
            return
        i = log.index_of(ghost.length)
        while i < len(log.batches) and log.batches[i].end <= replica.hw:
            ghost.batches.append(log.batches[i])
            i += 1
        ghost.length = replica.hw

    def _ack_copies(self, replica: Replica, where: str, story: str) -> None:
        """At least M replicas hold what the high watermark passes."""
        if replica.p != replica.p or self.destroyed:
            return
        ghost = self.ghost(replica.p)
        copies = 0
        for broker in self.cluster.brokers:
            copy = broker.replica(replica.p)
            if copy is not None and has_prefix(copy.log, ghost.batches, replica.hw):
                copies += 1
        demand(copies >= replica.min_isr, "ack_copies", where, f"{story}: {copies} copies, M {int(replica.min_isr)}")

    # -- fetch, proposals

    def fetched(self, replica: Replica, remote: Remote) -> None:
        """recorded_leo_sound: a leader never counts on more than a follower has."""
        member = self.cluster.by_id[int(remote.broker)]
        copy = member.replica(replica.p)
        if copy is None or not member.up or copy.epoch != replica.epoch:
            return
        story = f"recorded {int(remote.leo)}, has {int(copy.log.leo)}"
        demand(remote.leo <= copy.log.leo, "recorded_leo_sound", self._where(replica), story)

    def proposed(self, replica: Replica) -> None:
        """isr_expand_guard, isr_shrink_guard."""
        where = self._where(replica)
        gained = [m for m in replica.pending_isr if m not in replica.isr]
        left = [m for m in replica.isr if m not in replica.pending_isr]
        story = f"ISR {replica.isr} -> {replica.pending_isr} HW {int(replica.hw)}"
        if replica.pending == PENDING_EXPAND:
            demand(len(gained) == 1 and not left, "isr_expand_guard", where, story)
            for member in gained:
                remote = replica.remote(member)
                ok = remote is not None and remote.leo >= replica.hw and remote.leo >= replica.epoch_start
                demand(ok, "isr_expand_guard", where, story)
                demand(remote is not None and self._is_eligible(replica, remote), "isr_expand_guard", where, story)
        elif replica.pending == PENDING_SHRINK:
            demand(replica.broker.id not in left and not gained, "isr_shrink_guard", where, story)
            now = self.cluster.sim.now
            for member in left:
                remote = replica.remote(member)
                lagged = (
                    remote is not None
                    and remote.leo != replica.log.leo
                    and now - remote.caught_up_at > replica.broker.config.lag_us
                )
                demand(lagged, "isr_shrink_guard", where, story)

    def _is_eligible(self, replica: Replica, remote: Remote) -> bool:
        """ISR-6 read directly."""
        image = replica.broker.image
        be = image.broker_epoch(remote.broker)
        return image.is_active(remote.broker) and (remote.be == -1 or remote.be == be)

    # -- metadata

    def committed(self, r: Registration, is_branch: bool) -> None:
        """A partition record was committed; ``is_branch``: by an unclean or last-known election."""
        if is_branch:
            self._branching[int(r.p)] = int(r.epoch)
        self.quorum_superset(r)
        self.strong_isr(r.p)

    def quorum_superset(self, r: Registration) -> None:
        """The current leader counts at least on those whom the controller would elect."""
        leader = self._current_leader(r)
        if leader is None:
            return
        where = self._where(leader)
        story = f"ISR {r.isr} ELR {r.elr}, leader's maximal {leader.maximal} committed {leader.isr}"
        for member in r.isr:
            demand(member in leader.maximal, "quorum_superset", where, story)
        if len(leader.isr) >= leader.min_isr:
            for member in r.elr:
                demand(member in leader.maximal, "quorum_superset", where, story)

    def _current_leader(self, r: Registration) -> Replica | None:
        broker = self.cluster.by_id.get(int(r.leader))
        if broker is None or not broker.up:
            return None
        replica = broker.replica(r.p)
        if replica is None or replica.role != LEADER or replica.epoch != r.epoch:
            return None
        return replica

    def strong_isr(self, p: i64) -> None:
        """Whoever could be elected cleanly, and runs in its registered incarnation, has all that is committed."""
        r = self.cluster.quorum.image.partition(p)
        ghost = self.ghost(p)
        if r is None or r.epoch < ghost.branch_epoch or int(p) in self._branching or self.destroyed:
            return
        for member in [*r.isr, *r.elr]:
            broker = self.cluster.by_id[member]
            copy = broker.replica(p)
            if copy is None or not broker.up or broker.be != self.cluster.quorum.image.broker_epoch(member):
                continue
            story = f"LEO {int(copy.log.leo)} T {int(ghost.length)} ISR {r.isr} ELR {r.elr}"
            demand(has_prefix(copy.log, ghost.batches, ghost.length), "strong_isr", self._where(copy), story)

    def activated(self, replica: Replica) -> None:
        """A replica acts as leader in a new epoch: one_leader_per_epoch, leader_completeness, branch events."""
        where = self._where(replica)
        broker = replica.broker
        if broker.be >= 0:
            key = (int(replica.p), int(replica.epoch))
            who = (int(broker.id), int(broker.be))
            known = self._leads.get(key, who)
            demand(known == who, "one_leader_per_epoch", where, f"epoch {key[1]}: {known} and {who}")
            self._leads[key] = who
        ghost = self.ghost(replica.p)
        r = self.cluster.quorum.image.partition(replica.p)
        if r is None or r.epoch != replica.epoch:
            return
        if self._branching.get(int(replica.p), -1) == replica.epoch or self.destroyed:
            self._branching.pop(int(replica.p), -1)
            self._branch(replica, ghost)
            return
        story = f"LEO {int(replica.log.leo)} T {int(ghost.length)}"
        if self._is_current(replica):
            demand(has_prefix(replica.log, ghost.batches, ghost.length), "leader_completeness", where, story)

    def _branch(self, replica: Replica, ghost: Ghost) -> None:
        """The winner's log decides what stays committed."""
        same = 0
        batches = replica.log.batches
        while same < len(ghost.batches) and same < len(batches) and ghost.batches[same] is batches[same]:
            same += 1
        end: i64 = batches[same - 1].end if same > 0 else 0
        if end < ghost.length:
            ghost.retracted = True
            ghost.length = end
        ghost.batches = ghost.batches[:same]
        ghost.branch_epoch = replica.epoch


def ghost_index(ghost: Ghost, offset: i64) -> int:
    """Index of the committed batch that holds an offset."""
    low, high = 0, len(ghost.batches) - 1
    while low < high:
        middle = (low + high) // 2
        if ghost.batches[middle].end <= offset:
            low = middle + 1
        else:
            high = middle
    return low
