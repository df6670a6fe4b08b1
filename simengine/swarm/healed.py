"""A cluster after the heal, and who is in its core: what the liveness properties are computed from."""

from typing import Any, Final

from simengine.invariants.violation import demand
from simengine.kafka.metadata import Registration
from simengine.kafka.replica import LEADER, Replica
from simengine.kernel.facts import CONFIG_CHANGED, PARTITION_CHANGED, REASON_PREFERRED, REASON_REASSIGNMENT
from simengine.world import World

PREFERRED_WAIT_MAX_US: Final = 60_000_000  # longer intervals are not waited for
LONG_US: Final = 1 << 40

Core = dict[str, Any]  # brokers, controllers, how the others are left out: "kill" or "cut"


class Healed:
    """A cluster after the heal, and who is in its core."""

    def __init__(self, world: World, core: Core) -> None:
        self.world = world
        self.cluster = world.cluster
        every = [int(b.id) for b in world.cluster.brokers]
        self.brokers = [b for b in every if b in core["brokers"]] or every
        self.controllers = [c for c in [int(c.id) for c in world.cluster.controllers] if c in core["controllers"]]
        self.left_out = [b for b in every if b not in self.brokers]
        self.left_out += [int(c.id) for c in world.cluster.controllers if int(c.id) not in self.controllers]
        self.how = str(core["how"])
        self.is_patient = bool(core.get("is_patient", False))  # wait for a preferred election however long it takes

    @property
    def preferred_us(self) -> int:
        """The interval of preferred elections, 0 when they are off or not waited for."""
        config = self.world.parts.config
        interval = int(config.preferred_interval_us)
        return interval if config.auto_rebalance and (self.is_patient or interval <= PREFERRED_WAIT_MAX_US) else 0

    def registrations(self) -> list[Registration]:
        """The committed state of all partitions."""
        return [r for r in self.cluster.quorum.image.partitions if r is not None]

    def candidates(self, r: Registration) -> list[int]:
        """Who in the core may lead a partition (ELEC-4, ELR-6, UNC-1)."""
        image = self.cluster.quorum.image
        found = [m for m in (r.isr or r.elr) if m in self.brokers]
        if not r.isr and not r.elr:
            found = [m for m in r.last_known if m in self.brokers]
        if not found and image.unclean(r.topic) and self.is_due(r):
            found = [m for m in r.replicas if m in self.brokers]
        return found

    def is_due(self, r: Registration) -> bool:
        """Whether unclean elections have been allowed for as long as their task waits (UNC-2)."""
        since = max(self.changed_at(r, "unclean.leader.election.enable"), self.unseated_at(r))
        return since < self.world.now_us - self.world.parts.config.unclean_interval_us

    def unseated_at(self, r: Registration) -> int:
        """When an election that is never unclean left the partition to the task, if one did since it had a leader.

        A preferred one found nobody to follow a silent leader (PREF-1), or the replicas of a leaderless partition were
        reassigned (REA-1).
        """
        for fact in reversed(self.world.trace.decisive):
            if fact.kind != PARTITION_CHANGED or fact.row()[4] != int(r.p):
                continue
            if fact.row()[5] != -1:
                break
            if fact.row()[8] in (REASON_PREFERRED, REASON_REASSIGNMENT):
                return int(fact.t)
        return -LONG_US

    def changed_at(self, r: Registration, key: str) -> int:
        """When a setting of a partition's topic was committed last, or long before the run."""
        for fact in reversed(self.world.trace.decisive):
            if fact.kind == CONFIG_CHANGED:
                row = fact.row()
                if row[4] in (-1, int(r.topic)) and str(row[-1]).startswith(key):
                    return int(fact.t)
        return -LONG_US

    def excuse(self) -> None:
        """Something cannot come back: nobody who may lead it, or fewer than M members, are in the core."""
        checks = self.world.checks
        assert checks is not None, "the swarm runs with checks"
        checks.parts.marks.add("excused partition")

    def leader(self, r: Registration) -> Replica:
        """The leader's copy; the leader must act."""
        where = where_of(r)
        copy = self.copy(r, int(r.leader))
        demand(copy.role == LEADER and copy.epoch == r.epoch, "metadata_converges", where, story_of(r))
        return copy

    def copy(self, r: Registration, broker: int) -> Replica:
        """A broker's copy; it must be there."""
        replica = self.cluster.by_id[broker].replica(r.p)
        demand(replica is not None, "metadata_converges", where_of(r), f"broker {broker} does not host it")
        assert replica is not None, "demanded above"
        return replica


def where_of(r: Registration) -> str:
    """A partition in words."""
    return f"partition {int(r.p)}"


def story_of(r: Registration) -> str:
    """The committed state of a partition in words."""
    state = f"leader {int(r.leader)} E {int(r.epoch)} ISR {r.isr} ELR {r.elr} last {r.last_known} of {r.replicas}"
    return f"{state} adding {r.adding} removing {r.removing}"
