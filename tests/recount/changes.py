"""metrics_recomputed of counters: what a broker's changes of ISRs come to by the facts and the committed records alone.

MET-4: a leader's own proposals that were committed and that it has adopted, whatever the controller changed itself.
MET-5: answers that refused a proposal; an answer that came too late to be taken is no fact, so that there may be some
more, but never more than proposals. Counters begin anew with each process.
"""

from simengine.facts.decisive import IsrAdopted, IsrProposed, IsrRefused, ProcessChanged
from simengine.facts.kinds import PROCESS_DOWN, PROCESS_STARTING, REASON_ALTER_PARTITION
from simengine.facts.trace import Decisive
from simengine.kafka.cluster.cluster import Cluster
from tests.recount.records import Records

SHRINKS, EXPANDS, REFUSED, PROPOSED = "shrinks", "expands", "refused", "proposed"


class Changes:
    """Counts of each broker since its process began, from the facts in their order."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.records = Records(cluster)
        self._facts_read = 0
        self._records_read = 0
        self._committed: dict[tuple[int, int], tuple[int, list[int]]] = {}  # (partition, PE): (leader, ISR)
        self._proposals: dict[int, IsrProposed] = {}
        self._counts: dict[int, dict[str, int]] = {}

    def of(self, broker: int) -> dict[str, int]:
        """The counts of a broker's changes so far."""
        return self._counts.get(broker, dict.fromkeys((SHRINKS, EXPANDS, REFUSED, PROPOSED), 0))

    def read(self) -> None:
        """Take in what has happened since the last time."""
        for record in self._cluster.quorum.log[self._records_read :]:
            r = record.partition
            if r is not None and record.reason == REASON_ALTER_PARTITION:
                self._committed[int(r.p), int(r.pe)] = (int(r.leader), sorted(int(b) for b in r.isr))
        self._records_read = len(self._cluster.quorum.log)
        facts = self._cluster.sim.trace.decisive
        for fact in facts[self._facts_read :]:
            self._read(fact)
        self._facts_read = len(facts)

    def _read(self, fact: Decisive) -> None:
        if isinstance(fact, ProcessChanged):
            if fact.state in (PROCESS_DOWN, PROCESS_STARTING):
                self._counts.pop(fact.node, None)
        elif isinstance(fact, IsrProposed):
            self._proposals[fact.seq] = fact
            self._add(fact.broker, PROPOSED)
        elif isinstance(fact, IsrRefused):
            self._add(fact.broker, REFUSED)
        elif isinstance(fact, IsrAdopted):
            self._adopted(fact)

    def _adopted(self, fact: IsrAdopted) -> None:
        """A leader goes by another ISR: counted if it had proposed it, and the controller committed that."""
        proposal = self._proposals.get(fact.cause)
        if proposal is None or self._committed.get((fact.p, fact.pe)) != (fact.broker, sorted(fact.isr)):
            return
        if sorted(proposal.isr) == sorted(fact.isr):
            self._add(fact.broker, SHRINKS if len(proposal.isr) < len(proposal.maximal) else EXPANDS)

    def _add(self, broker: int, name: str) -> None:
        counts = self._counts.setdefault(broker, dict.fromkeys((SHRINKS, EXPANDS, REFUSED, PROPOSED), 0))
        counts[name] += 1
