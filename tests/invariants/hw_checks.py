"""Properties of high watermarks and of what is committed: they keep the ghosts of ``ghost.py``.

type_ok (of marks), hw_monotonic_leader, true_hw_monotonic, hw_le_true, applied_hw, strict_min_isr_hw, hw_le_isr_leo,
hw_unknown_blocks, ack_copies, strong_isr, leader_completeness, one_leader_per_epoch, no_acked_loss (of leaders),
consistent_read (of leaders).
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.log.log import Log
from simengine.kafka.replica.remote import FollowerState
from simengine.kafka.replica.replica import FOLLOWER, LEADER, Partition
from simengine.kafka.shared.metadata import PartitionRegistration
from tests.invariants.ghost import Branch, Ghost, Ghosts, has_prefix, is_early
from tests.invariants.isr_checks import is_eligible, min_isr_of
from tests.invariants.log_checks import LogChecks, where_of
from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.replica.replica_host import ReplicaHost


@final
class HwChecks:
    """Keeps the ghosts, and checks every move of a high watermark, every new leader and every committed ISR."""

    __slots__ = ("_applied", "_assigned", "_branching", "_leads", "_overtaken", "cluster", "ghosts", "logs")

    def __init__(self, cluster: "Cluster", ghosts: Ghosts, logs: LogChecks) -> None:
        self.cluster = cluster
        self.ghosts = ghosts
        self.logs = logs
        self._assigned: dict[int, list[int]] = {
            int(r.p): r.replicas for r in cluster.quorum.image.partitions if r is not None
        }
        self._applied: dict[int, int] = {int(b.id): int(b.applied) for b in cluster.brokers}
        self._leads: dict[tuple[int, int], tuple[int, int]] = {}
        self._branching: dict[int, list[int]] = {}  # partition -> epochs of unclean elections that nobody led in yet
        self._overtaken: dict[int, list[int]] = {}  # those of them whose winner has not acted before a later one did
        for broker in cluster.brokers:
            for replica in broker.hosted:
                self._begin_with(replica)

    def _begin_with(self, replica: Partition) -> None:
        """The records below the highest of the high watermarks are committed."""
        branch = self.ghosts.of(replica.p).now
        if replica.hw > branch.length:
            branch.batches = []
            branch.length = 0
            branch.extend(replica.log, replica.hw)

    def metadata_applied(self, broker: "ReplicaHost") -> None:
        """A broker has applied a batch of metadata to its end."""
        self._applied[int(broker.id)] = int(broker.applied)

    # -- high watermark

    def hw_moved(self, replica: Partition, old: i64) -> None:
        """A high watermark moved."""
        hw = replica.hw
        if hw > replica.log.leo or hw < replica.log.start:
            demand(False, "type_ok", where_of(replica), story_of(replica, old))
        if not replica.broker.up:
            return
        ghost = self.ghosts.of(replica.p)
        if replica.role == FOLLOWER and replica.broker.id in ghost.restored:
            ghost.restored.remove(int(replica.broker.id))
        if replica.role == LEADER:
            if is_early(replica.broker):
                # REG-5: not registered yet, it serves nobody; what it knows of its ISR may be old
                if replica.broker.id not in ghost.early:
                    ghost.early.append(int(replica.broker.id))
                return
            self._leader_hw(replica, ghost, old)
        elif replica.role == FOLLOWER and hw > old:
            length = ghost.of_epoch(replica.epoch).length
            if hw > length:
                demand(False, "hw_le_true", where_of(replica), f"{story_of(replica, old)} T {int(length)}")

    def _leader_hw(self, replica: Partition, ghost: Ghost, old: i64) -> None:
        where = where_of(replica)
        story = story_of(replica, old)
        demand(replica.hw >= old, "hw_monotonic_leader", where, story)
        m = min_isr_of(replica)
        if replica.broker.applied != self._applied.get(int(replica.broker.id), -1):
            m = min(m, replica.min_isr)  # in the midst of a batch: partitions come before settings (ORD-2)
        demand(len(replica.isr) >= m, "strict_min_isr_hw", where, f"{story} ISR {replica.isr} M {int(m)}")
        for remote in replica.remotes:
            if remote.leo < 0 and remote.broker in replica.isr:
                demand(False, "hw_unknown_blocks", where, f"{story} broker {int(remote.broker)}")
            if remote.in_maximal_isr:
                self._overrate(replica, remote, ghost)
                self._hw_le_isr_leo(replica, remote, ghost, where, story)
        self._outrun(replica, ghost, where, story)
        branch = ghost.of_epoch(replica.epoch)
        self._applied_hw(replica, branch, where, story)
        self._extend(replica, branch, where, story)
        if branch is not ghost.now:
            ghost.is_retracted = True  # a zombie committed what the newer branch does not have
        self._ack_copies(replica, ghost, branch, where, story)
        self._pass_over(replica, ghost)
        self.strong_isr(replica.p)

    def _overrate(self, replica: Partition, remote: FollowerState, ghost: Ghost) -> None:
        """HW-5: elected again, a leader keeps its records of before, though members may have cut their logs since.

        They did so for a leader of an epoch between, which it has not heard of before it learnt of its own.
        """
        known = ghost.fetched_in.get((int(replica.broker.id), int(remote.broker)), -1)
        between = ghost.begun_after(known)
        if known < 0 or between < 0 or between >= replica.epoch:
            return
        copy = self.cluster.by_id[int(remote.broker)].replica(replica.p)
        if copy is not None and not has_prefix(copy.log, replica.log.batches, replica.hw):
            if remote.broker not in ghost.overrated:
                ghost.overrated.append(int(remote.broker))

    def _outrun(self, replica: Partition, ghost: Ghost, where: str, story: str) -> None:
        """STATE-6: who was to join is let in by the controller, though the mark passes it as HW-1 lets it.

        Only one that is not caught up (ISR-2) or not eligible in the leader's metadata (ISR-6): others are waited for.
        """
        joiner = ghost.may_join_unheard(replica)
        remote = replica.remote(joiner)
        if remote is None or remote.in_maximal_isr or remote.leo >= replica.hw:
            return
        waits = not replica.is_out_of_sync(remote) and is_eligible(replica, remote)
        demand(not waits, "quorum_superset", where, f"{story} passes broker {joiner}, which is to join and caught up")
        if joiner not in ghost.outrun:
            ghost.outrun.append(joiner)

    def _hw_le_isr_leo(self, replica: Partition, remote: FollowerState, ghost: Ghost, where: str, story: str) -> None:
        member = self.cluster.by_id[int(remote.broker)]
        copy = member.replica(replica.p)
        if copy is None or not member.up or copy.epoch != replica.epoch:
            return
        if remote.broker in ghost.lost or remote.broker in ghost.overrated:
            return
        if replica.hw > copy.log.leo:
            name = f"{story}, broker {int(remote.broker)} has {int(copy.log.leo)}"
            demand(False, "hw_le_isr_leo", where, name)

    def _applied_hw(self, replica: Partition, branch: Branch, where: str, story: str) -> None:
        """Past the start of its epoch the current leader has the true mark, and nobody else moves it (HW-7)."""
        r = self.cluster.quorum.image.partition(replica.p)
        if r is None or replica.hw <= branch.length:
            if r is not None and r.epoch == replica.epoch and replica.hw >= replica.epoch_start:
                demand(replica.hw == branch.length, "applied_hw", where, f"{story} T {int(branch.length)}")
            return
        if r.epoch == replica.epoch:
            return
        broker = self.cluster.by_id.get(int(r.leader))
        leader = None if broker is None or not broker.up else broker.replica(r.p)
        if leader is None or leader.role != LEADER or leader.epoch != r.epoch or leader.hw < leader.epoch_start:
            return
        if is_early(leader.broker):
            return  # REG-5: nobody is served by it
        if self.ghosts.of(r.p).of_epoch(r.epoch) is branch:
            demand(False, "applied_hw", where, f"{story}, while broker {int(r.leader)} leads with {int(leader.hw)}")

    def _extend(self, replica: Partition, branch: Branch, where: str, story: str) -> None:
        """true_hw_monotonic: what is committed is what was committed, and more."""
        log = replica.log
        known = min(int(branch.length), int(replica.hw))
        demand(has_prefix(log, branch.batches, known), "true_hw_monotonic", where, f"{story} T {int(branch.length)}")
        if replica.hw > branch.length:
            branch.extend(log, replica.hw)

    def _ack_copies(self, replica: Partition, ghost: Ghost, branch: Branch, where: str, story: str) -> None:
        """At least M replicas hold what the high watermark passes; one that lost its data since it fetched counts.

        So does one that has cut its log since (HW-5), and one whose epochs begin at wrong offsets: it may hold a fork
        that nobody finds (REG-5, LOG-3). And one that a reassignment (REA-4) or the deletion of the topic has removed
        while the leader has not heard of it: what it held is deleted.
        """
        r = self.cluster.quorum.image.partition(replica.p)
        copies: i64 = 1
        for remote in replica.remotes:
            copy = self.cluster.by_id[int(remote.broker)].replica(replica.p)
            has_left = branch is not ghost.now and copy is not None and copy.epoch > replica.epoch  # for a newer branch
            has_it = copy is not None and has_prefix(copy.log, branch.batches, replica.hw)
            is_forked = copy is not None and self.logs.shadow(copy).is_mislabelled
            is_removed = copy is None if r is None else remote.broker not in r.replicas
            is_doubted = remote.broker in ghost.lost or remote.broker in ghost.overrated
            if has_it or has_left or is_forked or is_removed or is_doubted:
                copies += 1
        if copies < replica.min_isr:
            demand(False, "ack_copies", where, f"{story}: {int(copies)} copies, M {int(replica.min_isr)}")

    def _pass_over(self, replica: Partition, ghost: Ghost) -> None:
        """HW-3, ELR-1: M was raised, and the leader commits by the old one what the ELR does not have."""
        image = self.cluster.quorum.image
        r = image.partition(replica.p)
        if r is None or r.epoch != replica.epoch or replica.min_isr >= image.effective_min_insync(r.topic):
            return
        ghost.passed += [member for member in r.elr if member not in ghost.passed]

    # -- metadata

    def committed(self, r: PartitionRegistration, is_branch: bool) -> None:
        """A partition record was committed; ``is_branch``: by a last-known or an allowed unclean election."""
        if is_branch:
            self._branching.setdefault(int(r.p), []).append(int(r.epoch))
        ghost = self.ghosts.of(r.p)
        before = self._assigned.get(int(r.p), r.replicas)
        self._assigned[int(r.p)] = r.replicas
        if r.isr and [b for b in before if b not in r.replicas]:
            ghost.acked_m = min(int(ghost.acked_m), len(r.isr))  # REA-4, REA-6: copies that had it all are deleted
        emptied = [b for b in r.elr if b not in r.replicas or b not in before]  # removed by a reassignment (ELR-2)
        ghost.passed += [b for b in emptied if b not in ghost.passed]
        m = min(int(self.cluster.quorum.image.min_insync(r.topic)), len(r.synced()))
        have_all = [b for b in r.isr if not ghost.lacks(b)]
        if len(have_all) >= m and not [b for b in ghost.hurt if b in r.isr and not self._is_registered(b)]:
            ghost.hurt = []
            ghost.acked_m = m
        self.strong_isr(r.p)

    def _is_registered(self, broker: int) -> bool:
        node = self.cluster.by_id[broker]
        return node.up and node.be == self.cluster.quorum.image.broker_epoch(broker)

    def strong_isr(self, p: i64) -> None:
        """Whoever could be elected cleanly, and runs in its registered incarnation, has all that is committed."""
        r = self.cluster.quorum.image.partition(p)
        ghost = self.ghosts.of(p)
        branch = ghost.now
        if r is None or r.epoch < branch.epoch or (self._branching and int(p) in self._branching):
            return
        for member in r.isr:
            self._has_all(r, member, ghost, branch)
        for member in r.elr:
            self._has_all(r, member, ghost, branch)

    def _has_all(self, r: PartitionRegistration, member: int, ghost: Ghost, branch: Branch) -> None:
        copy = self.cluster.by_id[member].replica(r.p)
        if copy is None or has_prefix(copy.log, branch.batches, branch.length) or not self._is_registered(member):
            return
        if self.logs.shadow(copy).is_mislabelled:
            return  # REG-5 d, LOG-3: over wrong epoch beginnings nobody found where it differs
        if ghost.lacks(member) or member in ghost.passed:
            return  # HW-5: the leader counted on what it had before; STATE-6, HW-3: did not know of it; ELR-2: removed
        if member in ghost.lost and not self.cluster.config.elr and r.isr == [member]:
            return  # a branch event: the only member of the ISR came back with less than it had (ELEC-7)
        story = f"LEO {int(copy.log.leo)} T {int(branch.length)} ISR {r.isr} ELR {r.elr}"
        demand(False, "strong_isr", where_of(copy), story)

    # -- new leaders

    def activated(self, replica: Partition) -> None:
        """A replica acts as leader in a new epoch: one_leader_per_epoch, leader_completeness, branch events."""
        broker = replica.broker
        if is_early(broker):
            return  # REG-5: an incarnation that has not registered is nobody yet
        where = where_of(replica)
        key = (int(replica.p), int(replica.epoch))
        who = (int(broker.id), int(broker.image.broker_epoch(broker.id)))
        known = self._leads.get(key, who)
        demand(known == who, "one_leader_per_epoch", where, f"epoch {key[1]}: {known} and {who}")
        self._leads[key] = who
        ghost = self.ghosts.of(replica.p)
        committed = ghost.now.length
        r = self.cluster.quorum.image.partition(replica.p)
        epoch = self._branches_in(replica)
        if epoch < 0 and r is not None and self._leads_with_less(replica, ghost, r):
            epoch = int(replica.epoch)
        if r is not None and (r.epoch == replica.epoch or epoch >= 0):
            if epoch >= 0:
                self._branch(replica, ghost, epoch)
            else:
                self._complete(replica, ghost, where)
        elif replica.broker.id in ghost.early:
            self._brings_along(replica, ghost, where)  # it acts late, and is followed nevertheless
        ghost.begins(replica.epoch, min(committed, ghost.now.length))  # what it brings along bounds no older epoch

    def _leads_with_less(self, replica: Partition, ghost: Ghost, r: PartitionRegistration) -> bool:
        """ELEC-7: the only member of an ISR leads with what it has left; be its epoch over by the time that it acts.

        So does a member with a fork that nobody found, as its epochs begin at wrong offsets (REG-5 d, LOG-3), and one
        of the ELR that was left behind by a leader which had not heard of a higher M (HW-3) or that was removed and
        added again (ELR-2), one that a leader which was elected again took for longer than it was (HW-5), or one whose
        joining the leader had forgotten (STATE-6).
        """
        branch = ghost.of_epoch(replica.epoch)
        me = int(replica.broker.id)
        is_doubtful = self.logs.shadow(replica).is_mislabelled or me in ghost.passed or ghost.lacks(me)
        if is_doubtful and shared(replica.log, branch) < len(branch.batches):
            return True
        if me not in ghost.lost or self.cluster.config.elr:
            return False
        return r.epoch == replica.epoch or replica.isr == [me]

    def _branches_in(self, replica: Partition) -> int:
        """The newest unclean election that this leader is the first to act after, be it over by now; -1: none."""
        p, mine = int(replica.p), int(replica.epoch)
        epochs = self._branching.pop(p, [])
        later = [epoch for epoch in epochs if epoch > mine]
        if later:
            self._branching[p] = later
        over = self._overtaken.setdefault(p, [])
        over += epochs[: len(epochs) - len(later)]
        if mine in over:
            over.remove(mine)
            return mine  # its winner, if late
        return over.pop() if len(later) < len(epochs) else -1

    def _complete(self, replica: Partition, ghost: Ghost, where: str) -> None:
        """A cleanly elected leader has all that is committed, acknowledged or read."""
        log = replica.log
        branch = ghost.of_epoch(replica.epoch)
        story = f"HW {int(replica.hw)} LEO {int(log.leo)} T {int(branch.length)}"
        if branch is ghost.now:
            acked = has_prefix(log, branch.batches, ghost.acked_end)
            demand(acked, "no_acked_loss", where, f"{story}, acknowledged up to {int(ghost.acked_end)}")
            read = has_prefix(log, branch.batches, ghost.read_end)
            demand(read, "consistent_read", where, f"{story}, read up to {int(ghost.read_end)}")
        demand(has_prefix(log, branch.batches, branch.length), "leader_completeness", where, story)
        is_of_before = replica.broker.id in ghost.restored and len(ghost.branches) > 1
        if replica.broker.id in ghost.early or is_of_before:
            self._brings_along(replica, ghost, where)
        demand(replica.hw <= branch.length, "hw_le_true", where, story)

    def _brings_along(self, replica: Partition, ghost: Ghost, where: str) -> None:
        """REG-5, LOG-6: what a leader takes for committed may be of before, and is committed by its leading."""
        ghost.early = [b for b in ghost.early if b != replica.broker.id]
        ghost.restored = [b for b in ghost.restored if b != replica.broker.id]
        self._extend(replica, ghost.of_epoch(replica.epoch), where, f"HW {int(replica.hw)} LEO {int(replica.log.leo)}")

    def _branch(self, replica: Partition, ghost: Ghost, epoch: int) -> None:
        """The first leader from ``epoch`` on decides what stays committed, down from the mark that it brings along.

        If others lead in later epochs by now, only what it commits as a zombie is its branch.
        """
        old = ghost.of_epoch(epoch)
        same = shared(replica.log, old)
        end: i64 = min(int(old.length), int(old.batches[same - 1].end)) if same > 0 else 0
        if end < old.length:
            ghost.is_retracted = True
        branch = Branch(epoch, old.batches[:same], end)
        if replica.hw > end:
            branch.extend(replica.log, replica.hw)
        after = ghost.begun_after(epoch)
        if old is not ghost.now or after >= 0:
            at = ghost.branches.index(old) + 1
            ghost.branches.insert(at, branch)
            if ghost.of_epoch(after) is branch:  # the leaders after it go on where those before it were
                ghost.branches.insert(at + 1, Branch(after, list(old.batches), old.length))
            return
        ghost.acked_end = min(ghost.acked_end, end)
        ghost.read_end = min(ghost.read_end, end)
        ghost.branches.append(branch)
        if replica.broker.id in ghost.lost:
            ghost.lost.remove(int(replica.broker.id))
        ghost.passed = []
        ghost.overrated = []
        ghost.outrun = []


def shared(log: Log, branch: Branch) -> int:
    """The number of batches of a branch that a log begins with."""
    same = 0
    while same < len(branch.batches) and same < len(log.batches) and branch.batches[same] is log.batches[same]:
        same += 1
    return same


def story_of(replica: Partition, old: i64) -> str:
    """A move of a high watermark in words."""
    return f"HW {int(old)} -> {int(replica.hw)} LEO {int(replica.log.leo)}"
