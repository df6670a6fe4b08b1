"""A cluster after the heal, and who is in its core: what the liveness properties are computed from."""

from collections.abc import Callable
from typing import Any, Final

from simengine.facts.errors import ERR_UNKNOWN_TOPIC_OR_PARTITION
from simengine.facts.kinds import (
    CONTROLLER_CHANGED,
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_NONE,
    ELECTION_UNCLEAN,
    PROCESS_RUNNING,
    REASON_PREFERRED,
    REASON_REASSIGNMENT,
)
from simengine.kafka.replica.replica import COMMITTED, FOLLOWER, LEADER, NOBODY, Partition
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import is_below_min, successors
from simengine.verdict.write_path import leader_of
from simengine.world.world import World
from tests.checked import checks_of
from tests.invariants.violation import demand
from tests.swarm.deadlines import LOOK_US
from tests.swarm.history import History

PREFERRED_WAIT_MAX_US: Final = 60_000_000  # longer intervals are not waited for
RECONNECT_US: Final = 31_000_000  # a silent cut may be noticed that late (FET-14, TCP-1)
CONVERGE_US: Final = 3_000_000  # metadata_converges: 1.5 s, and what follows from it
LONG_US: Final = 1 << 40

Core = dict[str, Any]  # brokers, controllers, how the others are left out: "kill" or "cut"


class Healed:
    """A cluster after the heal, and who is in its core."""

    def __init__(self, world: World, core: Core) -> None:
        self.world = world
        self._history = History(world)
        self.cluster = world.cluster
        every = [int(b.id) for b in world.cluster.brokers]
        self.brokers = [b for b in every if b in core["brokers"]] or every
        self.controllers = [c for c in [int(c.id) for c in world.cluster.controllers] if c in core["controllers"]]
        self.left_out = [b for b in every if b not in self.brokers]
        self.left_out += [int(c.id) for c in world.cluster.controllers if int(c.id) not in self.controllers]
        self.how = str(core["how"])
        self.is_patient = bool(core.get("is_patient", False))  # wait for a preferred election however long it takes
        self.looks: list[Callable[[int], None]] = []  # what is asked of the state on the way, at a time (us)
        self.free_us = 0  # from here on no connection waits for an answer that was lost in a silence
        self.controller_epoch = -1
        self.controller_since_us = 0
        self.round_trip_us = 2 * slowest_way_us(world)

    def run(self, until_us: int) -> None:
        """Run on, with a look at every debt on the way."""
        while self.world.now_us < until_us:
            self.world.run(min(self.world.now_us + LOOK_US, until_us))
            for look in self.looks:
                look(self.world.now_us)

    def silence_ends(self, at_us: int) -> None:
        """The last silence ended at ``at_us``: what was sent into it is given up so much later (FET-14, TCP-1)."""
        self.free_us = at_us + RECONNECT_US

    def led_by(self, epoch: int) -> None:
        """The active controller's epoch, as seen now: since when it has been active."""
        if epoch == self.controller_epoch:
            return
        changes = (int(fact.t) for fact in reversed(self.world.trace.decisive) if fact.kind == CONTROLLER_CHANGED)
        self.controller_epoch, self.controller_since_us = epoch, next(changes, 0)

    def runs(self, broker: int) -> bool:
        """True if a broker of the core runs, and the controller takes it for active."""
        is_up = broker in self.brokers and self.cluster.by_id[broker].process == PROCESS_RUNNING
        return is_up and bool(self.cluster.quorum.image.is_active(broker))

    @property
    def preferred_us(self) -> int:
        """The interval of preferred elections, 0 when they are off or not waited for."""
        config = self.world.cluster_parts.config
        interval = int(config.preferred_interval_us)
        return interval if config.auto_rebalance and (self.is_patient or interval <= PREFERRED_WAIT_MAX_US) else 0

    def registrations(self) -> list[PartitionRegistration]:
        """The committed state of all partitions."""
        return [r for r in self.cluster.quorum.image.partitions if r is not None]

    def candidates(self, r: PartitionRegistration) -> list[int]:
        """The core's brokers that may lead a partition; uncleanly once the task for that has come (UNC-1, UNC-2)."""
        return successors(r.lists(), self.brokers, self.allows_unclean(r) and self.is_due(r)).brokers

    def allows_unclean(self, r: PartitionRegistration) -> bool:
        """unclean.leader.election.enable of a partition's topic."""
        return bool(self.cluster.quorum.image.unclean(r.topic))

    def is_due(self, r: PartitionRegistration) -> bool:
        """True if unclean elections have been allowed for as long as their task waits (UNC-2).

        A new controller begins that wait anew (QUO-4); where there is no such task, nothing comes of waiting.
        """
        config = self.world.cluster_parts.config
        since = max(self.changed_at(r, "unclean.leader.election.enable"), self.unseated_at(r))
        if since >= 0:
            since = max(since, self.controller_since_us)
            if not config.periodic_unclean:
                return False
        return since < self.world.now_us - config.unclean_interval_us

    def unseated_at(self, r: PartitionRegistration) -> int:
        """The moment at which an election that is never unclean left the partition to the task, since it had a leader.

        A preferred one found nobody to follow a silent leader (PREF-1), or the replicas of a leaderless partition were
        reassigned (REA-1).
        """
        for change in self._history.changes_of(int(r.p)):
            if change.leader != -1:
                break
            if change.reason in (REASON_PREFERRED, REASON_REASSIGNMENT):
                return change.t
        return -LONG_US

    def changed_at(self, r: PartitionRegistration, key: str) -> int:
        """The last commit of a setting of a partition's topic, of its leader or of all; or long before the run."""
        for change in self._history.settings():
            if change.topic in (-1, int(r.topic), -2 - int(r.leader)) and change.text.startswith(key):
                return change.t
        return -LONG_US

    def excuse(self) -> None:
        """Something cannot come back: nobody who may lead it, or fewer than M members, are in the core."""
        checks = checks_of(self.world.only)
        checks.parts.marks.add("excused partition")

    def leader(self, r: PartitionRegistration) -> Partition:
        """The leader's copy; the leader must act."""
        where = where_of(r)
        copy = self.copy(r, int(r.leader))
        demand(copy.role == LEADER and copy.epoch == r.epoch, "metadata_converges", where, story_of(r))
        return copy

    def copy(self, r: PartitionRegistration, broker: int) -> Partition:
        """A broker's copy; it must be there."""
        replica = self.cluster.by_id[broker].replica(r.p)
        demand(replica is not None, "metadata_converges", where_of(r), f"broker {broker} does not host it")
        assert replica is not None, "demanded above"
        return replica

    def acting_leader(self, p: int) -> Partition | None:
        """The copy that leads a partition by all that is committed, if its broker is in the core, runs and knows it."""
        copy = leader_of(self.cluster, p)
        return copy if copy is not None and self.runs(int(copy.broker.id)) else None

    def is_mislabelled(self, copy: Partition) -> bool:
        """True if the epochs in a copy's cache may begin at wrong offsets (LOG-3, REG-5)."""
        checks = checks_of(self.world.only)
        return bool(checks.parts.logs.shadow(copy).is_mislabelled)

    def is_stuck(self, leader: Partition) -> bool:
        """LOG-3, LOG-8, REG-5, TRUNC-3: who follows wrong epoch starts cuts what it just fetched, for ever."""
        return self.is_mislabelled(leader) and bool(leader.log.disagrees_with_its_cache())

    def is_unheard(self, leader: Partition) -> bool:
        """AP-2, AP-5: it proposed to an outdated controller, which did not know the partition, and asks nobody else.

        It waits for metadata to override the change, but has had all there are: a Kafka leader waits so as well
        (`Partition.handleAlterPartitionError`), until the partition changes next.
        """
        if leader.pending == COMMITTED:
            return False
        refusal = self._history.refusal_of(int(leader.pending_cause))
        return refusal is not None and refusal.error == ERR_UNKNOWN_TOPIC_OR_PARTITION

    def has_failed(self, copy: Partition) -> bool:
        """LOG-3, REG-5, FET-3: a copy that has lost its epochs was sent what it cannot append, and fetches no more."""
        return copy.role == FOLLOWER and copy.fetched_from == NOBODY and self.is_mislabelled(copy)

    def follows(self, r: PartitionRegistration, copy: Partition) -> bool:
        """True if a copy has heard who leads; until then it is metadata that are owed to it (metadata_converges)."""
        return bool(copy.epoch == r.epoch and copy.leader == r.leader)

    def keeps_up(self, r: PartitionRegistration, broker: int) -> bool:
        """True if a member of the ISR runs and knows its leader."""
        copy = self.cluster.by_id[broker].replica(r.p) if self.runs(broker) else None
        return copy is not None and self.follows(r, copy)

    def can_commit(self, leader: Partition | None) -> bool:
        """True if writes with acks=all are on their way to be committed: enough members, all of which keep up."""
        if leader is None or is_below_min(len(leader.isr), leader.min_isr) or self.is_frozen(leader):
            return False
        r = self.cluster.quorum.image.partition(leader.p)
        assert r is not None, "it leads"
        return all(self.keeps_up(r, m) for m in leader.isr)

    def is_cold(self, broker: int) -> bool:
        """True if a process has not fetched yet, and so may take a while to begin (FET-16)."""
        found = self.cluster.by_id[broker]
        now = self.world.now_us
        return not found.has_fetched or any(one._rests_until > now for one in found.fetchers.by_leader.values())

    def backlog(self) -> int:
        """The most records by which a follower of the core is behind its leader, or ahead of it."""
        most = 0
        for r in self.registrations():
            copies = [copy for b in self.brokers if (copy := self.cluster.by_id[b].replica(r.p)) is not None]
            ends = [int(copy.log.leo) for copy in copies if not self.has_failed(copy)]
            if r.leader in self.brokers and ends and not any(self.is_stuck(c) for c in copies if c.role == LEADER):
                most = max(most, max(ends) - min(ends))
        return most

    def is_frozen(self, leader: Partition) -> bool:
        """True if the high watermark waits for the next append, as nothing else that moves it is to come.

        HW-9: M was lowered after all of that. HW-1: a replica outside the ISR was waited for, as one that had caught up
        a moment before, and is fenced since; or as one that was to join, until the controller refused it: a Kafka
        leader then goes back to the ISR it had, and looks at no high watermark (AP-5, HW-4).
        """
        if leader.hw >= leader.log.leo:
            return False
        r = self.cluster.quorum.image.partition(leader.p)
        assert r is not None, "it leads"
        changed_at = self.changed_at(r, "min.insync.replicas") + CONVERGE_US
        appended_at = int(leader.log.batches[-1].time) if leader.log.batches else 0
        if appended_at < changed_at:
            return True
        behind = [remote for remote in leader.remotes if remote.leo < leader.log.leo]
        outside = [remote for remote in behind if remote.broker not in leader.isr]
        refusal = self._history.refusal_of(int(leader.pending_cause)) if leader.pending == COMMITTED else None
        if refusal is not None and refusal.at_us > appended_at and any(one.broker in refusal.isr for one in outside):
            return True
        lag_us = int(leader.broker.config.lag_us)
        return any(int(remote.caught_up_at) + lag_us > appended_at for remote in outside)

    def is_silent_last_known(self, r: PartitionRegistration) -> bool:
        """KAFKA-19522: 4.0 elects a last-known leader that is fenced, and then waits for it (ELR-6)."""
        if self.cluster.config.last_known_must_be_active or r.leader in self.brokers:
            return False
        for change in self._history.changes_of(int(r.p)):
            if change.leader == r.leader and change.election != ELECTION_NONE:
                return change.election == ELECTION_LAST_KNOWN
        return False

    def has_new_isr(self, r: PartitionRegistration) -> bool:
        """True if the newest change of a partition elected somebody from outside its ISR (UNC-1, ELR-5, ELR-6)."""
        change = next(self._history.changes_of(int(r.p)), None)
        return change is not None and change.election in (ELECTION_ELR, ELECTION_UNCLEAN, ELECTION_LAST_KNOWN)


def slowest_way_us(world: World) -> int:
    """The longest latency that any link of the document can have, one way."""
    network = world.doc.network
    ways = [(network.latency_us, network.jitter_us), *((k.latency_us, k.jitter_us) for k in network.links)]
    return max((latency or 0) + (network.jitter_us if jitter is None else jitter) for latency, jitter in ways)


def where_of(r: PartitionRegistration) -> str:
    """A partition in words."""
    return f"partition {int(r.p)}"


def story_of(r: PartitionRegistration) -> str:
    """The committed state of a partition in words."""
    state = f"leader {int(r.leader)} E {int(r.epoch)} ISR {r.isr} ELR {r.elr} last {r.last_known} of {r.replicas}"
    return f"{state} adding {r.adding} removing {r.removing}"
