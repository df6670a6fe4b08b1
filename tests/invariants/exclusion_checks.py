"""unclean_exclusion: a new incarnation is out of the ISR, an unclean one out of the ELR too, until it has
earned its place anew (REG-4, ELR-5).
"""

from typing import TYPE_CHECKING, final

from simengine.facts.kinds import ELECTION_ELR, ELECTION_LAST_KNOWN, ELECTION_UNCLEAN, REASON_ALTER_PARTITION
from simengine.kafka.shared.metadata import PartitionRegistration, Record
from tests.invariants.violation import demand, registration_text

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


@final
class ExclusionChecks:
    """Knows who is out since its newest registration, partition by partition."""

    __slots__ = ("_out", "_unclean", "cluster")

    def __init__(self, cluster: "Cluster") -> None:
        self.cluster = cluster
        self._out: dict[int, list[int]] = {}  # partition -> brokers out of the ISR since they registered
        self._unclean: dict[int, list[int]] = {}  # partition -> those of them that registered uncleanly

    def changed(self, record: Record, r: PartitionRegistration, before: PartitionRegistration, reverted: bool) -> None:
        """Whoever is back in an ISR was proposed by the leader, or elected; nobody comes back into the ELR alone.

        ``reverted``: or put there by a reassignment that was undone uncleanly (REA-6).
        """
        for broker in list(self._out.get(int(r.p), [])):
            where = f"partition {int(r.p)}"
            story = (
                f"broker {broker} reason {int(record.reason)}: {registration_text(before)} -> {registration_text(r)}"
            )
            is_out = broker in self._unclean.get(int(r.p), [])
            if broker in r.isr:
                elected = record.election in (ELECTION_LAST_KNOWN, ELECTION_UNCLEAN)
                elected = elected or (record.election == ELECTION_ELR and not is_out)
                earned = record.reason == REASON_ALTER_PARTITION or (elected and r.leader == broker)
                earned = earned or reverted
                demand(earned, "unclean_exclusion", where, story)
                self._forget(r, broker)
            elif broker not in r.replicas:
                self._forget(r, broker)
            else:
                demand(not is_out or broker not in r.elr, "unclean_exclusion", where, story)

    def registered(self, broker: int, clean: bool) -> None:
        """A registration is committed, with all that follows from it in the same batch."""
        for r in self.cluster.quorum.image.partitions:
            if r is None or (broker not in r.replicas and broker not in r.elr):
                continue
            if r.recovering and not self.cluster.config.last_known_must_be_active:
                continue  # KAFKA-19522: a last-known leader was elected although it is not active
            if not self.cluster.config.elr and r.leader == -1 and r.isr == [broker]:
                continue  # ELEC-7
            where, story = f"partition {int(r.p)}", f"broker {broker}: {registration_text(r)}"
            demand(broker not in r.isr, "unclean_exclusion", where, story)
            demand(clean or broker not in r.elr, "unclean_exclusion", where, story)
            self._forget(r, broker)
            self._out.setdefault(int(r.p), []).append(broker)
            if not clean:
                self._unclean.setdefault(int(r.p), []).append(broker)

    def _forget(self, r: PartitionRegistration, broker: int) -> None:
        for members in (self._out.get(int(r.p), []), self._unclean.get(int(r.p), [])):
            if broker in members:
                members.remove(broker)
