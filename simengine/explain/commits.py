"""The effects of a partition's commit, as links: on its leadership, on its ISR and on its ELR."""

from typing import Any, Final

from simengine.explain.fact_index import FactIndex
from simengine.explain.link import ELECTION, ISR, ChainLink, How, LinkKind
from simengine.facts.decisive import PartitionChanged
from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_UNCLEAN,
    REASON_ALTER_PARTITION,
    REASON_CONFIG,
    REASON_FENCED,
    REASON_PREFERRED,
    REASON_REASSIGNMENT,
    REASON_REGISTRATION,
    REASON_SHUTDOWN,
    REASON_UNCLEAN,
    REASON_UNFENCED,
)
from simengine.kafka.shared.standing import PartitionLists, awaited

LEFT_ISR: Final[dict[int, tuple[str, ...]]] = {
    REASON_ALTER_PARTITION: ("ISR-2", "AP-3"),
    REASON_FENCED: ("LIVE-4", "ISR-8"),
    REASON_SHUTDOWN: ("SHUT-1", "ISR-8"),
    REASON_REGISTRATION: ("REG-4", "ISR-8"),
    REASON_REASSIGNMENT: ("REA-3", "REA-4"),
}
OUTSIDERS: Final = (ELECTION_ELR, ELECTION_LAST_KNOWN, ELECTION_UNCLEAN)
LEFT_ELR: Final[dict[int, tuple[str, ...]]] = {REASON_REGISTRATION: ("ELR-5", "REG-4"), REASON_CONFIG: ("ELR-7",)}
ELECTED: Final[dict[How, tuple[str, ...]]] = {
    How.PREFERRED: ("PREF-2",),
    How.ELR: ("ELR-4", "ELR-8"),
    How.LAST_KNOWN: ("ELR-6", "ELEC-5"),
    How.UNCLEAN: ("UNC-1", "ELEC-5"),
    How.ASKED: ("UNC-3", "ELEC-5"),
}


def election(fact: PartitionChanged, past: FactIndex, is_unclean_on: bool = False) -> ChainLink:
    """The broker that a commit elected, or that there was none; ``is_unclean_on``: it waits for any replica then."""
    fenced: tuple[str, ...] = ("LIVE-3", "LIVE-4") if fact.reason == REASON_FENCED else ()
    if fact.leader < 0:
        clean = awaited(PartitionLists(fact.replicas, fact.isr, fact.elr, fact.last_known, []))
        waits = sorted(fact.replicas if is_unclean_on else clean)
        fields: dict[str, Any] = {"partition": fact.p, "waits_for": waits}
        return ChainLink(LinkKind.NO_LEADER, fact, ELECTION, (*fenced, "ELEC-7"), fields)
    how = how_elected(fact, past)
    usual = ("ELEC-6",) if fact.reason == REASON_UNFENCED else ("ELEC-3",)
    fields = {"broker": fact.leader, "partition": fact.p, "epoch": fact.epoch, "how": how}
    return ChainLink(LinkKind.ELECTED, fact, ELECTION, (*fenced, *ELECTED.get(how, usual)), fields)


def how_elected(fact: PartitionChanged, past: FactIndex) -> How:
    """The kind of election by which a commit's leader leads."""
    if fact.reason == REASON_PREFERRED:
        return How.PREFERRED
    if fact.election == ELECTION_UNCLEAN:
        return How.ASKED if fact.reason == REASON_UNCLEAN and was_asked(past, fact) else How.UNCLEAN
    if fact.election in (ELECTION_ELR, ELECTION_LAST_KNOWN):
        return How.ELR if fact.election == ELECTION_ELR else How.LAST_KNOWN
    is_in = fact.election == ELECTION_CLEAN and fact.leader in past.isr(fact.p, fact.seq)
    return How.IN_ISR if is_in else How.CLEAN


def was_asked(past: FactIndex, fact: PartitionChanged) -> bool:
    """True if somebody asked for the commit's election."""
    done = past.action(past.fact(fact.cause))
    return done is not None and done.text.startswith("elect ")


def isr_change(fact: PartitionChanged, before: list[int]) -> ChainLink:
    """The members that left the ISR ``before`` or joined it.

    A leader that was elected from outside the ISR is the whole of it (ELEC-5, ELR-4); nobody else is let in by a commit
    that its leader has not asked for.
    """
    gone = [member for member in sorted(before) if member not in fact.isr]
    outsider = fact.election in OUTSIDERS and fact.leader not in before
    chosen: tuple[str, ...] = ("ELR-4" if fact.election == ELECTION_ELR else "ELEC-5",) if outsider else ()
    now: dict[str, Any] = {"partition": fact.p, "members": sorted(fact.isr), "outsider": outsider}
    if not gone:
        return ChainLink(LinkKind.ISR_IS, fact, ISR, chosen or ("ISR-5", "AP-3"), now)
    eligible = any(member in fact.elr for member in gone)
    why = REASON_REASSIGNMENT if is_removal(fact, gone) else fact.reason
    rules = (*LEFT_ISR.get(why, ("ISR-8",)), *(("ELR-2",) if eligible else ()), *chosen)
    fields = {"gone": gone, "left_isr": why, "eligible": eligible, **now}
    return ChainLink(LinkKind.LEFT_ISR, fact, ISR, rules, fields)


def is_removal(fact: PartitionChanged, gone: list[int]) -> bool:
    """True if members left the ISR because a reassignment, completed or cancelled, took them out of the replicas."""
    by_a_move = fact.reason in (REASON_ALTER_PARTITION, REASON_REASSIGNMENT)
    return by_a_move and any(member not in fact.replicas for member in gone)


def elr_change(fact: PartitionChanged, gone: list[int]) -> ChainLink:
    """The members that left the ELR: a process that did not shut down in order may lack records."""
    fields = {"gone": gone, "partition": fact.p, "left_elr": fact.reason, "members": sorted(fact.elr)}
    return ChainLink(LinkKind.LEFT_ELR, fact, ISR, LEFT_ELR.get(fact.reason, ()), fields)
