"""How the copies of records went whose last one was deleted or cut while nobody led their partition."""

from simengine.facts.decisive import ReplicaGone, Truncated
from simengine.facts.trace import Decisive
from simengine.why.evidence import Evidence
from simengine.why.losses import Loss
from simengine.why.past import Past


def holders(evidence: Evidence, loss: Loss) -> list[int]:
    """The brokers whose logs had some of the lost records at some time before the loss."""
    brokers = sorted({seen.who for seen in evidence.appends})
    return [broker for broker in brokers if evidence.had(broker, loss.records, loss.facts[0].seq) is not None]


def how_it_went(
    past: Past, evidence: Evidence, loss: Loss, broker: int, last: Decisive
) -> Truncated | ReplicaGone | None:
    """The fact by which a broker's copy of the lost records went: ``last``, or an earlier one; None without any."""
    had = evidence.had(broker, loss.records, loss.facts[0].seq)
    if had is None:
        return None
    end = max(end for _, end in loss.gaps)
    copies: list[Truncated | ReplicaGone] = [fact for fact in past.of(Truncated) if fact.new < end <= fact.old]
    copies += past.of(ReplicaGone)
    went = [fact for fact in copies if fact.broker == broker and fact.p == loss.p and had.seq < fact.seq <= last.seq]
    return min(went, key=lambda fact: fact.seq, default=None)


def without_a_copy(past: Past, p: int, held: list[int], last: Decisive) -> list[int]:
    """The replicas that the partition had before its last copy went, and that never had the records."""
    known = past.registration(p, last.seq)
    return [] if known is None else [broker for broker in known.replicas if broker not in held]
