"""One change of a partition, as the controller computes it (ELEC-2): finish a reassignment if the target ISR allows,
recompute the ELR, elect (``simengine.kafka.shared.standing`` says whom), set ISR, ELR and last-known leader; all in one
record.

Whoever is elected must be active and have its copy in a directory that is online, as the record before the change
assigned it (DIR-1).

Implements DIR-1..3, STATE-2, STATE-3, ELEC-2, ELEC-5, ELEC-7, ELEC-8, UNC-1, UNC-3, PREF-2, ELR-2..6, REA-3, REA-4.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.kinds import ELECTION_NONE, ELECTION_OFFLINE
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import THIS_ONE, MetadataImage, PartitionRegistration, Record, partition_record
from simengine.kafka.shared.standing import PartitionLists, Successors, is_below_min, successors

ELECT_ANY: Final = 0  # unclean if the topic allows it (UNC-1)
ELECT_PREFERRED: Final = 1  # never unclean, whatever the topic allows (PREF-2)
ELECT_UNCLEAN: Final = 2  # on request: regardless of the topic's setting (UNC-3)
ELECT_CLEAN: Final = 3  # never unclean (REA-1)


def without(members: list[int], gone: list[int]) -> list[int]:
    """The members that are not among ``gone``, in order."""
    return [m for m in members if m not in gone]


@final
class PartitionChange:
    """A change being built. Set the targets, then ``build``."""

    __slots__ = (
        "_config",
        "_election",
        "_image",
        "_kind",
        "_leader",
        "_unclean",
        "adding",
        "assume_active",
        "assume_inactive",
        "base",
        "directories",
        "recovered",
        "removing",
        "replicas",
        "target_isr",
        "unclean_shutdown",
    )

    def __init__(self, base: PartitionRegistration, image: MetadataImage, config: ClusterConfig, kind: i64) -> None:
        self.base = base
        self._image = image
        self._config = config
        self._kind: i64 = kind
        self._leader: i64 = base.leader
        self._election: i64 = ELECTION_NONE
        self._unclean: bool = False
        self.target_isr: list[int] = base.isr
        self.replicas: list[int] = base.replicas
        self.adding: list[int] = base.adding
        self.removing: list[int] = base.removing
        self.unclean_shutdown: i64 = -1  # broker that re-registered without a clean marker (ELR-5)
        self.assume_active: i64 = -1  # counted as active although its record is not written yet (ELEC-6)
        self.assume_inactive: i64 = -1
        self.recovered: bool = False
        self.directories: dict[int, int] = base.directories

    def assign_directory(self, broker: i64, directory: i64) -> None:
        """DIR-2: the copy of a broker is in this log directory; it counts for elections from the next change on."""
        self.directories = {**self.base.directories, int(broker): int(directory)}

    def may_be_elected(self, broker: i64) -> bool:
        """DIR-1: active in the state that this change leads to, and its copy is in a directory that is online."""
        if broker == self.assume_inactive:
            return False
        if broker != self.assume_active and not self._image.is_active(broker):
            return False
        return self._image.has_online_dir(broker, self.base)

    def build(self, reason: i64, cause: i64) -> Record | None:
        """The record of the change, or None if nothing changes."""
        base = self.base
        self._finish_reassignment()
        elr = self._target_elr()
        self._elect(elr)
        if self._unclean:
            isr = [int(self._leader)]
            elr = []
        else:
            isr = self.target_isr
            if self._leader >= 0 and self._leader not in isr:
                isr = [int(self._leader)]  # the winner moves from the ELR to the ISR (ELR-4)
                elr = [m for m in elr if m != self._leader]
        if not self._config.elr:
            elr = []
            if not isr:
                isr = base.isr if base.isr else isr  # ELEC-7: the last member stays
        return self._record(isr, elr, reason, cause)

    def _record(self, isr: list[int], elr: list[int], reason: i64, cause: i64) -> Record | None:
        base = self.base
        next_ = base.copy()
        next_.isr = isr
        next_.elr = elr
        next_.replicas = self.replicas
        next_.adding = self.adding
        next_.removing = self.removing
        next_.directories = self._target_directories()
        next_.leader = self._leader
        next_.last_known = self._last_known(isr)
        if self._unclean:
            next_.recovering = True
        elif self.recovered:
            next_.recovering = False
        bump = self._leader != base.leader or self._unclean or self._drops_replica()
        if bump:
            next_.epoch = base.epoch + 1
            next_.epoch_fact = THIS_ONE
        if not bump and self._same(next_, base):
            return None
        next_.pe = base.pe + 1
        return partition_record(next_, reason, self._election, cause)

    def _same(self, a: PartitionRegistration, b: PartitionRegistration) -> bool:
        return (
            a.isr == b.isr
            and a.elr == b.elr
            and a.replicas == b.replicas
            and a.adding == b.adding
            and a.removing == b.removing
            and a.directories == b.directories
            and a.last_known == b.last_known
            and a.recovering == b.recovering
        )

    def _target_directories(self) -> dict[int, int]:
        """DIR-2: a new copy is assigned to the directory with which its broker is registered."""
        kept = {broker: number for broker, number in self.directories.items() if broker in self.replicas}
        return {**kept, **self._image.directories_of(without(self.replicas, self.base.replicas))}

    def _drops_replica(self) -> bool:
        """REA-4: E is bumped once if any replica was dropped."""
        for broker in self.base.replicas:
            if broker not in self.replicas:
                return True
        return False

    def _finish_reassignment(self) -> None:
        """REA-3: it is complete once the replicas that it waits for are in the target ISR."""
        if not self.adding and not self.removing:
            return
        isr = without(self.target_isr, self.removing)
        replicas = without(self.replicas, self.removing)
        if not isr:
            return
        for broker in replicas if self._waits_for_all() else self.adding:
            if broker not in isr and broker not in self.base.observers:
                return
        self.replicas = replicas
        self.target_isr = isr
        self.adding = []
        self.removing = []

    def _waits_for_all(self) -> bool:
        """REA-3: True if the replicas that a reassignment keeps must be in sync, too (KAFKA-15665, KAFKA-19975)."""
        lowers = len(self.adding) < len(self.removing)
        return self._config.all_targets_in_sync and (lowers or not self._config.kept_may_be_out)

    def _target_elr(self) -> list[int]:
        """ELR-2: members that a reassignment takes out of the replicas are included."""
        required = self._image.effective_min_insync(self.base.topic)
        if not self._config.elr or not is_below_min(len(self.target_isr), required):
            return []
        elr: list[int] = []
        for broker in self.base.elr + self.base.isr:
            if broker not in self.target_isr and broker not in elr and broker != self.unclean_shutdown:
                elr.append(broker)
        return elr

    def _elect(self, elr: list[int]) -> None:
        found = self._successors(elr)
        if found.how == ELECTION_OFFLINE:
            if self._leader != -1:
                self._election = ELECTION_OFFLINE
            self._leader = -1
            return
        winner = found.brokers[0]
        if found.is_clean and self._leader in found.brokers and not self._is_preferred(winner):
            return
        self._unclean = not found.is_clean
        if self._unclean or winner != self._leader:
            self._leader = winner
            self._election = found.how

    def _successors(self, elr: list[int]) -> Successors:
        base, config = self.base, self._config
        able = [broker for broker in self.replicas if self.may_be_elected(broker)]
        last_known = base.last_known if config.elr else []
        of = PartitionLists(self.replicas, self.target_isr, elr, last_known, base.observers)
        return successors(of, able, self._may_be_unclean(), not config.last_known_must_be_active)

    def _is_preferred(self, broker: i64) -> bool:
        """PREF-2: whether the election is one of the preferred leader, and a broker is that."""
        return self._kind == ELECT_PREFERRED and broker == self.replicas[0]

    def _may_be_unclean(self) -> bool:
        """UNC-1, UNC-3."""
        return self._kind == ELECT_UNCLEAN or (self._kind == ELECT_ANY and self._image.unclean(self.base.topic))

    def _last_known(self, isr: list[int]) -> list[int]:
        """ELR-6: when the ISR gets empty, the last leader is remembered until there is another."""
        if not self._config.elr or self._leader >= 0:
            return []
        if self.base.leader >= 0 and not isr:
            return [int(self.base.leader)]
        return self.base.last_known
