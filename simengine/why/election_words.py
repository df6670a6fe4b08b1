"""What a commit did to the leadership of a partition, and why it was allowed, in the words of a chain."""

from simengine.facts.decisive import PartitionChanged
from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_UNCLEAN,
    REASON_FENCED,
    REASON_PREFERRED,
    REASON_UNCLEAN,
    REASON_UNFENCED,
)
from simengine.facts.trace import Decisive
from simengine.verdict.words import brokers
from simengine.why.past import Past
from simengine.why.sentences import Clause
from simengine.why.settings import Settings


def election(fact: PartitionChanged, past: Past, settings: Settings, topic: int, name: str) -> Clause:
    """Whom a commit elected, or that it found nobody; ``name``: the partition's, of ``topic``."""
    leader, epoch, reason, kind = fact.leader, fact.epoch, fact.reason, fact.election
    fenced: tuple[str, ...] = ("LIVE-3", "LIVE-4") if reason == REASON_FENCED else ()
    if leader < 0:
        return f"{name} was left without a leader: {_nobody(fact, settings, topic)}", (*fenced, "ELEC-7")
    head = f"broker {leader} became leader of {name} in epoch {epoch}"
    if reason == REASON_PREFERRED:
        return f"{head}, as the preferred leader", ("PREF-2",)
    if kind == ELECTION_ELR:
        return f"{head}, out of the ELR (eligible leader replicas), though in no ISR", (*fenced, "ELR-4", "ELR-8")
    if kind == ELECTION_LAST_KNOWN:
        return f"{head}, as the last known leader, in neither ISR nor ELR", (*fenced, "ELR-6", "ELEC-5")
    if kind == ELECTION_UNCLEAN:
        asked = reason == REASON_UNCLEAN and was_asked(past, fact)
        how = "as somebody asked for" if asked else "as unclean.leader.election.enable allows"
        return f"{head} without being in the ISR, {how}", (*fenced, "UNC-3" if asked else "UNC-1", "ELEC-5")
    rules = ("ELEC-6",) if reason == REASON_UNFENCED else ("ELEC-3",)
    is_in = kind == ELECTION_CLEAN and leader in past.isr(fact.p, fact.seq)
    return f"{head}{', still in the ISR' if is_in else ''}", (*fenced, *rules)


def was_asked(past: Past, fact: Decisive) -> bool:
    """Whether somebody asked for the election of a commit."""
    done = past.action(past.fact(fact.cause))
    return done is not None and done.text.startswith("elect ")


def _nobody(fact: PartitionChanged, settings: Settings, topic: int) -> str:
    waits = sorted(fact.isr or fact.elr)
    if settings.is_on(topic, "unclean.leader.election.enable", fact.seq):
        return "it waits for any of its replicas, as unclean.leader.election.enable allows"
    return f"it waits for {brokers(waits, 'or')}" if waits else "nobody may lead"
