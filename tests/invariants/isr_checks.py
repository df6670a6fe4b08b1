"""Properties of ISRs as leaders see them: recorded progress, proposals, and whom a leader counts on.

recorded_leo_sound, quorum_superset, isr_expand_guard, isr_shrink_guard.
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.replica.remote import FollowerState
from simengine.kafka.replica.replica import COMMITTED, FOLLOWER, LEADER, PENDING_EXPAND, PENDING_SHRINK, Partition
from simengine.kafka.shared.metadata import PartitionRegistration
from tests.invariants.ghost import Ghosts
from tests.invariants.log_checks import where_of
from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.replica.replica_host import ReplicaHost


@final
class IsrChecks:
    """Checks recorded fetches, proposals, and committed ISRs against leaders."""

    __slots__ = ("_followed", "_led_since", "_ticks", "cluster", "ghosts")

    def __init__(self, cluster: "Cluster", ghosts: Ghosts) -> None:
        self.cluster = cluster
        self.ghosts = ghosts
        self._followed: dict[tuple[int, int], bool] = {}  # (partition, broker) that has followed since it led
        self._led_since: dict[tuple[int, int], tuple[int, list[int]]] = {}  # when it began to lead, and with which ISR
        self._ticks: dict[int, int] = {}  # broker -> a time at which its ISR check ran

    def process_changed(self, broker: "ReplicaHost") -> None:
        """A new process, or one that was paused, runs its checks at other times (FLT-7)."""
        self._ticks.pop(int(broker.id), 0)

    def leads(self, replica: Partition) -> None:
        """A leader begins: to it every member of the ISR is caught up (ISR-4), and no log end is known (HW-5)."""
        key = (int(replica.p), int(replica.broker.id))
        self._led_since[key] = (int(self.cluster.sim.now), list(replica.isr))
        if self._followed.pop(key, False):
            for remote in replica.remotes:
                story = f"broker {int(remote.broker)} has {int(remote.leo)}, as it was in an older leadership"
                demand(remote.leo < 0, "recorded_leo_sound", where_of(replica), story)

    def follows(self, replica: Partition) -> None:
        """A copy follows: what it knew of others as a leader is out of date."""
        self._followed[(int(replica.p), int(replica.broker.id))] = True

    def fetched(self, replica: Partition, remote: FollowerState) -> None:
        """recorded_leo_sound: a leader never counts on more than a follower has."""
        ghost = self.ghosts.of(replica.p)
        ghost.fetched_in[(int(replica.broker.id), int(remote.broker))] = int(replica.epoch)
        if ghost.lacks(int(remote.broker)) and remote.leo >= ghost.of_epoch(replica.epoch).length:
            ghost.has_caught_up(int(remote.broker))
        self._is_sound(replica, remote)

    def _is_sound(self, replica: Partition, remote: FollowerState) -> None:
        member = self.cluster.by_id[int(remote.broker)]
        copy = member.replica(replica.p)
        if copy is None or not member.up or copy.epoch != replica.epoch:
            return
        if remote.leo > copy.log.leo and remote.broker not in self.ghosts.of(replica.p).lost:
            story = f"recorded {int(remote.leo)} of broker {int(remote.broker)}, which has {int(copy.log.leo)}"
            demand(False, "recorded_leo_sound", where_of(replica), story)

    def truncated(self, copy: Partition) -> None:
        """recorded_leo_sound: nor on what a follower cuts within its epoch.

        HW-5: elected again without hearing of others between, it keeps records of before until the next fetch.
        """
        leader = self.cluster.by_id.get(int(copy.leader))
        replica = None if leader is None or not leader.up else leader.replica(copy.p)
        if copy.role != FOLLOWER or replica is None or replica.role != LEADER:
            return
        remote = replica.remote(copy.broker.id)
        key = (int(replica.broker.id), int(copy.broker.id))
        if remote is not None and self.ghosts.of(copy.p).fetched_in.get(key, -1) == replica.epoch:
            self._is_sound(replica, remote)

    def proposed(self, replica: Partition, state: i64) -> None:
        """isr_expand_guard, isr_shrink_guard; ``state``: the partition's before (COMMITTED, or a change pending)."""
        gained = [m for m in replica.pending_isr if m not in replica.isr]
        left = [m for m in replica.isr if m not in replica.pending_isr]
        story = f"ISR {replica.isr} -> {replica.pending_isr} HW {int(replica.hw)}"
        name = "isr_expand_guard" if replica.pending == PENDING_EXPAND else "isr_shrink_guard"
        demand(state == COMMITTED, name, where_of(replica), f"{story} while another change is pending")
        if replica.pending == PENDING_EXPAND:
            self._expands(replica, gained, left, story)
        elif replica.pending == PENDING_SHRINK:
            self._shrinks(replica, gained, left, story)

    def _expands(self, replica: Partition, gained: list[int], left: list[int], story: str) -> None:
        where = where_of(replica)
        demand(len(gained) == 1 and not left, "isr_expand_guard", where, story)
        for member in gained:
            remote = replica.remote(member)
            ok = remote is not None and remote.leo >= replica.hw and remote.leo >= replica.epoch_start
            demand(ok, "isr_expand_guard", where, story)
            demand(remote is not None and is_eligible(replica, remote), "isr_expand_guard", where, story)
            ghost = self.ghosts.of(replica.p)
            fetched_in = ghost.fetched_in.get((int(replica.broker.id), member), -1)
            demand(fetched_in == replica.epoch, "isr_expand_guard", where, f"{story}, fetched in epoch {fetched_in}")
            ghost.has_caught_up(member)
            for doubted in (ghost.lost, ghost.passed):
                if member in doubted:
                    doubted.remove(member)

    def _shrinks(self, replica: Partition, gained: list[int], left: list[int], story: str) -> None:
        where = where_of(replica)
        demand(replica.broker.id not in left and not gained, "isr_shrink_guard", where, story)
        now = self.cluster.sim.now
        lag = replica.broker.config.lag_us
        for member in left:
            remote = replica.remote(member)
            lagged = remote is not None and remote.leo != replica.log.leo and now - remote.caught_up_at > lag
            demand(lagged, "isr_shrink_guard", where, story)
        since, members = self._led_since.get((int(replica.p), int(replica.broker.id)), (0, []))
        story += f", leads for {int(now) - since} us, at first with {members}"
        is_early = now - since <= lag and [m for m in left if m in members]  # ISR-7: a joiner may leave at once
        demand(not is_early, "isr_shrink_guard", where, story)
        tick = self._ticks.setdefault(int(replica.broker.id), int(now))
        on_time = (now - tick) % (lag // 2) == 0
        demand(on_time, "isr_shrink_guard", where, f"{story}, {int(now - tick)} us after another ISR check (ISR-1)")

    def overtaken(self, replica: Partition) -> None:
        """A pending change of the leader ends unheard: if it adds somebody, only the next record tells the leader."""
        for member in replica.pending_isr if replica.pending == PENDING_EXPAND else []:
            if member not in replica.isr:
                self.ghosts.of(replica.p).forgotten[int(replica.broker.id)] = (int(replica.pe), member)

    def isr_changed(self, replica: Partition) -> None:
        """A leader counts on other replicas than before."""
        r = self.cluster.quorum.image.partition(replica.p)
        if r is not None and r.leader == replica.broker.id and r.epoch == replica.epoch:
            self.quorum_superset(r)

    def quorum_superset(self, r: PartitionRegistration) -> None:
        """The current leader counts at least on those whom the controller would elect."""
        leader = self._current_leader(r)
        if leader is None:
            return
        unheard = self.ghosts.of(r.p).may_join_unheard(leader)
        for member in r.isr:
            if member not in leader.maximal_isr and member != unheard:
                self._not_counted(r, leader)
        m = min_isr_of(leader)
        if m < self.cluster.quorum.image.effective_min_insync(r.topic):
            return  # HW-3, ELR-1: M was raised, and the leader has not heard of it
        if r.elr and len(leader.isr) >= m:
            for member in r.elr:
                if member in r.replicas and member not in leader.maximal_isr and member != unheard:
                    self._not_counted(r, leader)

    def _not_counted(self, r: PartitionRegistration, leader: Partition) -> None:
        story = f"ISR {r.isr} ELR {r.elr}, leader's maximal {leader.maximal_isr} committed {leader.isr}"
        demand(False, "quorum_superset", where_of(leader), story)

    def _current_leader(self, r: PartitionRegistration) -> Partition | None:
        """The leader of the committed epoch, if it runs in its registered incarnation (REG-5)."""
        broker = self.cluster.by_id.get(int(r.leader))
        if broker is None or not broker.up or broker.be != self.cluster.quorum.image.broker_epoch(r.leader):
            return None
        replica = broker.replica(r.p)
        if replica is None or replica.role != LEADER or replica.epoch != r.epoch:
            return None
        return replica


def is_eligible(replica: Partition, remote: FollowerState) -> bool:
    """ISR-6 read directly."""
    image = replica.broker.image
    be = image.broker_epoch(remote.broker)
    return image.is_active(remote.broker) and (remote.be == -1 or remote.be == be)


def min_isr_of(leader: Partition) -> i64:
    """M as a leader resolves it from the metadata it has (HW-3)."""
    registration = leader.registration
    assert registration is not None, "a leader has a registration"
    broker = leader.broker
    m = broker.image.min_insync_at(registration.topic, broker.id, broker.config.own_min_insync)
    n: i64 = len(registration.synced())
    return m if m < n else n
