"""What a commit did to the ISR of a partition, or to its ELR, in the words of a chain."""

from typing import Final

from simengine.facts.decisive import PartitionChanged
from simengine.facts.kinds import (
    ELECTION_ELR,
    REASON_ALTER_PARTITION,
    REASON_CONFIG,
    REASON_FENCED,
    REASON_REGISTRATION,
    REASON_SHUTDOWN,
)
from simengine.verdict.words import brokers
from simengine.why.sentences import Clause

_LEFT: Final[dict[int, Clause]] = {
    REASON_ALTER_PARTITION: (" after replica.lag.time.max.ms without catching up", ("ISR-2", "AP-3")),
    REASON_FENCED: (", fenced", ("LIVE-4", "ISR-8")),
    REASON_SHUTDOWN: (", shutting down", ("SHUT-1", "ISR-8")),
    REASON_REGISTRATION: (" as a new process registered", ("REG-4", "ISR-8")),
}

_NOT_ELIGIBLE: Final[dict[int, Clause]] = {
    REASON_REGISTRATION: (" as a new process registered after an unclean shutdown", ("ELR-5", "REG-4")),
    REASON_CONFIG: (" as min.insync.replicas changed", ("ELR-7",)),
}


def isr_change(fact: PartitionChanged, before: list[int], name: str) -> Clause:
    """Who left the ISR ``before`` or joined it, why, and who is in it now; ``name``: the partition's.

    A leader that was elected from outside the ISR is the whole of it (ELEC-5, ELR-4); nobody else is let in by a commit
    that its leader has not asked for.
    """
    isr, leader = sorted(fact.isr), fact.leader
    gone = [member for member in sorted(before) if member not in isr]
    is_outsider = leader in isr and leader not in before
    chosen: tuple[str, ...] = ("ELR-4" if fact.election == ELECTION_ELR else "ELEC-5",) if is_outsider else ()
    now = f"{brokers(isr) if isr else 'empty'}{', elected from outside it' if is_outsider else ''}"
    if not gone:
        grew = f"the ISR of {name} grew to {brokers(isr)}", ("ISR-5", "AP-3")
        return (f"the ISR of {name} is now {now}", chosen) if is_outsider else grew
    why, rules = _LEFT.get(fact.reason, ("", ("ISR-8",)))
    eligible = any(member in fact.elr for member in gone)
    stays = ", still eligible to lead (ELR)" if eligible else ""
    text = f"{brokers(gone)} left the ISR of {name}{why}{stays}; the ISR is now {now}"
    return text, (*rules, *(("ELR-2",) if eligible else ()), *chosen)


def elr_change(fact: PartitionChanged, gone: list[int], name: str) -> Clause:
    """Who left the ELR, why, and who is eligible now: whose process did not shut down in order may lack records."""
    why, rules = _NOT_ELIGIBLE.get(fact.reason, ("", ()))
    left = brokers(sorted(fact.elr)) if fact.elr else "empty"
    return f"{brokers(gone)} left the ELR of {name}{why}; the ELR is now {left}", rules
