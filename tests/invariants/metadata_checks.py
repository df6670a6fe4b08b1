"""Properties of the controller's metadata, checked when records are committed.

type_ok, leader_in_isr, leader_active, isr_nonempty, elr_wellformed, isr_elr_floor, epoch_monotonic, be_unique,
metadata_prefix, leader_elected (at unfencing), reassignment_safe; with those of election_checks and exclusion_checks.
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_NONE,
    ELECTION_UNCLEAN,
    PROCESS_STARTING,
    REASON_ALTER_PARTITION,
    REASON_CONFIG,
    REASON_REASSIGNMENT,
    REASON_UNCLEAN,
    REG_ACTIVE,
    REG_FENCED,
)
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import PartitionRegistration, Record
from tests.invariants.election_checks import Electorate, election_rule, elr_is_last
from tests.invariants.exclusion_checks import ExclusionChecks
from tests.invariants.session_checks import SessionChecks
from tests.invariants.violation import demand, registration_text

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.replica.replica_host import ReplicaHost


def has_twins(members: list[int]) -> bool:
    """True if somebody is listed twice."""
    return len(members) != len(list(dict.fromkeys(members)))


def type_ok(r: PartitionRegistration) -> None:
    """The ISR's members are replicas, nobody is listed twice, a leader is a replica, epochs are not negative.

    The ELR's need not be: one that a reassignment has removed stays in it (ELR-2).
    """
    where = f"partition {int(r.p)}"
    for members in (r.replicas, r.isr, r.elr):
        demand(not has_twins(members), "type_ok", where, registration_text(r))
    for member in r.isr:
        demand(member in r.replicas, "type_ok", where, registration_text(r))
    demand(r.leader == -1 or r.leader in r.replicas, "type_ok", where, registration_text(r))
    demand(r.epoch >= 0 and r.pe >= 0, "type_ok", where, registration_text(r))
    for member in [*r.adding, *r.removing]:
        demand(member in r.replicas, "type_ok", where, registration_text(r))


def leader_in_isr(r: PartitionRegistration) -> None:
    """A leader is in the ISR."""
    demand(r.leader == -1 or r.leader in r.isr, "leader_in_isr", f"partition {int(r.p)}", registration_text(r))


def isr_nonempty(r: PartitionRegistration, elr_on: bool) -> None:
    """ELR off: the ISR is never empty; on: an empty one has no leader (ELEC-7, ELR-3)."""
    ok = bool(r.isr) or (elr_on and r.leader == -1)
    demand(ok, "isr_nonempty", f"partition {int(r.p)}", registration_text(r))


def elr_wellformed(r: PartitionRegistration, elr_on: bool, m: i64, election: i64 = ELECTION_NONE) -> None:
    """The ELR is apart from the ISR, and empty when the ISR has M members or the feature is off (ELR-2).

    It is computed before the election (ELEC-2): the winner from an ELR leaves the others there, though M be 1 by now
    (ELR-1: the replicas of partition 0 have become fewer).
    """
    where = f"partition {int(r.p)}"
    had = len(r.isr) - (1 if election == ELECTION_ELR else 0)
    demand(elr_on or not r.elr, "elr_wellformed", where, registration_text(r))
    demand(had < m or not r.elr, "elr_wellformed", where, f"M {int(m)} {registration_text(r)}")
    for member in r.elr:
        demand(member not in r.isr, "elr_wellformed", where, registration_text(r))


def epoch_monotonic(before: PartitionRegistration, after: PartitionRegistration) -> None:
    """STATE-2: PE + 1 a record; E + 1 with a leader field (or a dropped replica, REA-4), else E."""
    where = f"partition {int(after.p)}"
    story = f"{registration_text(before)} -> {registration_text(after)}"
    demand(after.pe == before.pe + 1, "epoch_monotonic", where, story)
    dropped = [m for m in before.replicas if m not in after.replicas]
    bump = after.leader != before.leader or bool(dropped)
    demand(after.epoch == before.epoch + (1 if bump else 0), "epoch_monotonic", where, story)


def reassignment_safe(
    before: PartitionRegistration, after: PartitionRegistration, election: i64, reason: i64, all_targets: bool = True
) -> None:
    """REA-3: a reassignment completes only when the ISR has all that it waits for, and by that the ISR gains nobody.

    ``all_targets``: it waits for the whole target; else for the replicas that it adds (``waits_for_all``).
    """
    if not (before.adding or before.removing) or after.adding or after.removing or before.replicas == after.replicas:
        return
    dropped = [m for m in before.replicas if m not in after.replicas]
    if before.adding and all(m in dropped for m in before.adding):
        return  # cancelled (REA-6)
    where, story = f"partition {int(after.p)}", f"{registration_text(before)} -> {registration_text(after)}"
    for member in after.synced() if all_targets else before.adding:
        demand(member in after.isr, "reassignment_safe", where, story)
    gained = [m for m in after.isr if m not in before.isr]
    if election in (ELECTION_NONE, ELECTION_CLEAN):
        demand(len(gained) <= (1 if reason == REASON_ALTER_PARTITION else 0), "reassignment_safe", where, story)


def waits_for_all(r: PartitionRegistration, config: ClusterConfig) -> bool:
    """REA-3: never before 3.8; from 4.3 on where the replicas become fewer; always between."""
    return config.all_targets_in_sync and (not config.kept_may_be_out or len(r.removing) > len(r.adding))


def is_reverted(before: PartitionRegistration, after: PartitionRegistration, reason: i64) -> bool:
    """REA-6: a cancelled reassignment without which the ISR has nobody, or had nobody, puts the first replica into it.

    Be it up or not, and whatever it holds: only a topic that allows unclean elections has it so.
    """
    is_over = bool(before.adding or before.removing) and not (after.adding or after.removing)
    if reason != REASON_REASSIGNMENT or not is_over or not all(m in before.adding for m in before.isr):
        return False
    return not all(m in before.isr for m in after.isr)


@final
class MetadataChecks:
    """Checks every committed record against its predecessor, and every batch as a whole."""

    __slots__ = (
        "_bes",
        "_changed",
        "_committers",
        "_floor",
        "_m",
        "_markers",
        "_registered",
        "_reverted",
        "_unfenced",
        "cluster",
        "exclusions",
        "last",
        "records",
        "sessions",
    )

    def __init__(self, cluster: "Cluster") -> None:
        self.cluster = cluster
        self.last: list[PartitionRegistration | None] = list(cluster.quorum.image.partitions)
        self.records: i64 = len(cluster.quorum.log)
        self._changed: list[tuple[Record, PartitionRegistration | None]] = []
        self._registered: list[tuple[int, bool]] = []
        self._bes: dict[int, int] = {
            b: int(cluster.quorum.image.broker_epoch(b)) for b in sorted(cluster.quorum.image.brokers)
        }
        self._markers: dict[tuple[int, int], int] = {}  # (broker, incarnation) -> BE in the marker that it read
        self._reverted: dict[
            int, PartitionRegistration
        ] = {}  # partition -> its state since a reassignment was undone uncleanly
        self._unfenced: list[int] = []
        self._committers: dict[int, int] = {}  # controller epoch -> who committed in it
        self.sessions: SessionChecks = SessionChecks(cluster)
        self.exclusions: ExclusionChecks = ExclusionChecks(cluster)
        self._floor: dict[int, list[int]] = {}  # partition -> unclean re-registered since the ISR had M members
        self._m: dict[int, int] = {}  # partition -> the M that the floor is judged by
        for known in self.last:
            if known is not None:
                self._floor_begins(known, int(cluster.quorum.image.effective_min_insync(known.topic)))

    def process_changed(self, broker: "ReplicaHost") -> None:
        """A process that starts reads its clean-shutdown marker, and tells it when it registers (REG-3)."""
        if broker.process == PROCESS_STARTING:
            self._markers[(int(broker.id), int(broker.incarnation))] = int(broker.clean_be)

    def committed(self, record: Record) -> None:
        """One record."""
        demand(record.offset == self.records, "metadata_prefix", f"offset {int(record.offset)}", "a gap in the log")
        self.records += 1
        if record.broker is not None:
            self._broker(record)
        r = record.partition
        if r is None:
            return
        while len(self.last) <= r.p:
            self.last.append(None)
        before = self.last[r.p]
        self.last[r.p] = r
        elr_on = self.cluster.config.elr
        type_ok(r)
        leader_in_isr(r)
        isr_nonempty(r, elr_on)
        if before is not None:
            epoch_monotonic(before, r)
            all_targets = waits_for_all(before, self.cluster.config)
            reassignment_safe(before, r, record.election, record.reason, all_targets)
        self._changed.append((record, before))

    def _broker(self, record: Record) -> None:
        state = record.broker
        assert state is not None, "called for broker records"
        broker = int(state.broker)
        known = self._bes.get(broker, -1)
        where = f"broker {broker}"
        if state.be != known:
            taken = [b for b, be in self._bes.items() if be == state.be]
            demand(state.be > known and not taken, "be_unique", where, f"BE {int(state.be)} after {known}")
            # REG-3: the request may have come late, of a process that has died since
            clean = self._markers.get((broker, int(state.incarnation)), -1) == known and known >= 0
            self._bes[broker] = int(state.be)
            self._registered.append((broker, clean))
            if known >= 0:
                self.sessions.registered(broker, self.cluster.sim.now)
        self.sessions.stated(broker, state.state != REG_FENCED)
        if state.state == REG_ACTIVE:
            self._unfenced.append(broker)

    def batch_committed(self) -> None:
        """A whole batch: what must hold between partitions and brokers."""
        self._majority()
        image = self.cluster.quorum.image
        all_active = [b for b in sorted(image.brokers) if image.is_active(b)]
        changed = self._changed
        self._changed = []
        unclean_registered = [broker for broker, clean in self._registered if not clean]
        for broker in unclean_registered:
            self.note_unclean(broker)
        for record, before in changed:
            r = record.partition
            assert r is not None, "kept for partition records"
            active = all_active if before is None else self._on_their_disks(all_active, before)
            m = int(image.effective_min_insync(r.topic))
            elr_wellformed(
                r, self.cluster.config.elr, max(m, self._min_insync_before(r.topic, changed)), record.election
            )
            if before is not None and is_reverted(before, r, record.reason):
                self._reverted[int(r.p)] = r
            if not r.recovering or self.cluster.config.last_known_must_be_active:
                self._leader_active(r, all_active)  # KAFKA-19522: 4.0 elects a silent last-known leader (ELR-6)
            if before is None:
                self._floor_begins(r, m)
            else:
                elr_is_last(r, before, record.election, active)
                electorate = Electorate(active, self.cluster.config.elr, image.unclean(r.topic), unclean_registered)
                election_rule(r, before, record.election, record.reason, electorate)
                self.exclusions.changed(record, r, before, is_reverted(before, r, record.reason))
                self._isr_elr_floor(r, before, m, record.reason == REASON_CONFIG)
        unfenced = self._unfenced
        self._unfenced = []
        for broker in unfenced:
            self._leader_elected(broker)
        registered = self._registered
        self._registered = []
        for broker, clean in registered:
            self.exclusions.registered(broker, clean)

    def _min_insync_before(self, topic: i64, changed: list[tuple[Record, PartitionRegistration | None]]) -> int:
        """M as it was for who wrote a batch, which may itself give the topic's partition 0 fewer replicas (ELR-1)."""
        image = self.cluster.quorum.image
        for record, before in changed:
            r = record.partition
            if before is not None and r is not None and r.p == image.first_of_topic[topic]:
                return min(int(image.min_insync(topic)), len(before.synced()))
        return 0

    def begins_branch(self, record: Record) -> bool:
        """True if an election may take committed records back: a last-known one, or an unclean one that was allowed.

        So may any that follows on a reassignment undone uncleanly (REA-6).
        """
        r = record.partition
        if r is None or record.election == ELECTION_LAST_KNOWN:
            return r is not None
        if self._reverted.get(int(r.p)) is r:
            return True
        if record.election != ELECTION_UNCLEAN:
            return False
        return record.reason == REASON_UNCLEAN or self.cluster.quorum.image.unclean(r.topic)

    def _majority(self) -> None:
        """metadata_prefix: one controller an epoch commits, and a majority of the voters has it (QUO-1, QUO-6)."""
        active = self.cluster.quorum.active
        if active is None:
            demand(False, "metadata_prefix", "the quorum", "a commit while no controller is active")
            return
        epoch = int(self.cluster.quorum.epoch)
        known = self._committers.setdefault(epoch, int(active.id))
        story = f"controllers {known} and {int(active.id)} commit in epoch {epoch}"
        demand(known == active.id, "metadata_prefix", "the quorum", story)
        net = self.cluster.net
        near = 0
        for voter in self.cluster.controllers:
            if not voter.up or voter.paused:
                continue
            if voter is active or not (net.is_cut(active, voter) or net.is_cut(voter, active)):
                near += 1
        voters = len(self.cluster.controllers)
        demand(2 * near > voters, "metadata_prefix", "the quorum", f"a commit with {near} of {voters} voters in reach")

    def _leader_elected(self, broker: int) -> None:
        """leader_elected: who comes back is offered the leaderless partitions in the same commit (ELEC-6).

        The ELR may name a broker that is no replica any more; it is offered nothing (ELR-2, ELEC-3).
        """
        for r in self.cluster.quorum.image.partitions:
            if r is None or r.leader != -1 or broker not in r.replicas or not self._on_their_disks([broker], r):
                continue
            if broker in r.isr or (not r.isr and broker in r.elr):
                demand(
                    False, "leader_elected", f"partition {int(r.p)}", f"broker {broker} is back: {registration_text(r)}"
                )

    def _on_their_disks(self, brokers: list[int], before: PartitionRegistration) -> list[int]:
        """DIR-1: the brokers whose copy stood, before a change, on the disk with which they are registered."""
        known = self.cluster.quorum.image.brokers
        return [b for b in brokers if before.directories.get(b, 0) == known[b].directory]

    def _leader_active(self, r: PartitionRegistration, active: list[int]) -> None:
        """leader_active: whoever leads or is in the ISR is active, but for the last member with ELR off."""
        where = f"partition {int(r.p)}"
        demand(r.leader == -1 or r.leader in active, "leader_active", where, f"active {active} {registration_text(r)}")
        if not self.cluster.config.elr and r.leader == -1 and len(r.isr) == 1:
            return
        reverted = self._reverted.get(int(r.p))
        if reverted is not None and r.leader == -1 and r.isr == reverted.isr:
            return
        for member in r.isr:
            demand(member in active, "leader_active", where, f"active {active} {registration_text(r)}")

    def _isr_elr_floor(self, r: PartitionRegistration, before: PartitionRegistration, m: int, is_reset: bool) -> None:
        """Those who left while the ISR was at or below M stay eligible, but for unclean re-registrations.

        ``is_reset``: min.insync.replicas was set anew, which clears the ELR even where M comes out the same (ELR-7).
        """
        p = int(r.p)
        if not self.cluster.config.elr:
            return
        anew = is_reset or self._m[p] != m or r.recovering or before.replicas != r.replicas
        if len(r.isr) >= m or anew:
            self._floor_begins(r, m)
            return
        members = list(dict.fromkeys([*r.isr, *r.elr, *self._floor.get(p, [])]))
        demand(
            len(members) >= m,
            "isr_elr_floor",
            f"partition {p}",
            f"M {m}: {registration_text(before)} -> {registration_text(r)}",
        )

    def _floor_begins(self, r: PartitionRegistration, m: int) -> None:
        """From here on the floor counts; below M (-1) not before the ISR has had M members again."""
        self._floor[int(r.p)] = []
        self._m[int(r.p)] = m if len(r.isr) >= m else -1

    def note_unclean(self, broker: int) -> None:
        """An unclean re-registration leaves the floor's count (ELR-5)."""
        for r in self.last:
            if r is not None and broker in r.replicas:
                self._floor.setdefault(int(r.p), []).append(broker)
