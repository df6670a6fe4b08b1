"""election_rule: whoever leads is whom a second reading of ELEC-3..7, UNC-1, UNC-3, PREF-2 and ELR-4..6
finds, kind of election and refusal to elect included; and the part of elr_wellformed that concerns winners.

This is the deliberate twin of ``simengine.kafka.shared.standing``, written apart from it and never asking it.
"""

from typing import final

from mypy_extensions import i64

from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_NONE,
    ELECTION_OFFLINE,
    ELECTION_UNCLEAN,
    REASON_CONFIG,
    REASON_PREFERRED,
    REASON_REASSIGNMENT,
    REASON_UNCLEAN,
)
from simengine.kafka.shared.metadata import PartitionRegistration
from tests.invariants.violation import demand, registration_text


@final
class Electorate:
    """Whom the controller could choose from at a commit: active brokers after it, and what the settings allow."""

    __slots__ = ("active", "elr_on", "unclean", "unclean_registered")

    def __init__(self, active: list[int], elr_on: bool, unclean: bool, unclean_registered: list[int]) -> None:
        self.active = active
        self.elr_on = elr_on
        self.unclean = unclean  # unclean.leader.election.enable of the topic
        self.unclean_registered = unclean_registered  # brokers that lost their place in the ELR in this commit (ELR-5)


def election_rule(
    after: PartitionRegistration, before: PartitionRegistration, election: i64, reason: i64, of: Electorate
) -> None:
    """Hold a committed change against the reading of its kind."""
    story = f"election {int(election)} reason {int(reason)} active {of.active}: {registration_text(before)} -> "
    story += registration_text(after)
    if election == ELECTION_NONE:
        ok = after.leader == before.leader and reason_is_met(after, reason, of)
        ok = ok and (after.leader >= 0 or reason == REASON_CONFIG or is_hopeless(after, before, reason, of))
    elif election == ELECTION_CLEAN:
        ok = is_clean(after, before, reason, of)
    elif election == ELECTION_ELR:
        ok = is_of_elr(after, before, of)
    elif election == ELECTION_LAST_KNOWN:
        ok = before.last_known == [after.leader] and is_alone(after) and not elr_left(before, of)
        ok = ok and of.elr_on and not able(after, before, of)
    elif election == ELECTION_UNCLEAN:
        first = [b for b in after.synced() if b in of.active]
        ok = bool(first) and after.leader == first[0] and is_alone(after)
        ok = ok and (of.unclean or reason == REASON_UNCLEAN) and reason != REASON_PREFERRED
        ok = ok and not able(after, before, of) and not last_known(before, of)
    else:
        ok = election == ELECTION_OFFLINE and after.leader == -1 and is_hopeless(after, before, reason, of)
    demand(ok, "election_rule", f"partition {int(after.p)}", story)


def is_alone(after: PartitionRegistration) -> bool:
    """ELEC-5: an unclean winner is the whole ISR, and nobody is in the ELR."""
    return after.isr == [after.leader] and not after.elr


def in_isr(after: PartitionRegistration, of: Electorate) -> list[int]:
    """Active members of the new ISR in the order of the replica list (ELEC-3: that of the ISR never matters)."""
    return [b for b in after.synced() if b in of.active and b in after.isr]


def reason_is_met(after: PartitionRegistration, reason: i64, of: Electorate) -> bool:
    """PREF-2: a preferred election that could move the leader does."""
    first = int(after.replicas[0])
    return reason != REASON_PREFERRED or after.leader == first or first not in in_isr(after, of)


def is_clean(after: PartitionRegistration, before: PartitionRegistration, reason: i64, of: Electorate) -> bool:
    """ELEC-3: the first that is valid, where the old leader is not any more; PREF-2: or the preferred one."""
    first = in_isr(after, of)
    if not first or after.leader != first[0]:
        return False
    return before.leader not in first or (reason == REASON_PREFERRED and after.leader == after.replicas[0])


def is_of_elr(after: PartitionRegistration, before: PartitionRegistration, of: Electorate) -> bool:
    """ELR-4: the first active one that was eligible, and becomes the whole ISR."""
    first = [b for b in after.synced() if b in of.active and (b in before.elr or b in before.isr)]
    return of.elr_on and after.isr == [after.leader] and bool(first) and after.leader == first[0]


def able(after: PartitionRegistration, before: PartitionRegistration, of: Electorate) -> list[int]:
    """The members of the old ISR and ELR that could have led without a loss."""
    return [b for b in after.synced() if b in of.active and (b in before.isr or b in before.elr)]


def elr_left(before: PartitionRegistration, of: Electorate) -> list[int]:
    """The brokers still in the ELR, active or not, replicas or not: ELR-6 asks for an empty ISR and an empty ELR."""
    return [b for b in [*before.elr, *before.isr] if b not in of.unclean_registered]


def last_known(before: PartitionRegistration, of: Electorate) -> bool:
    """True if ELR-6 comes before an unclean election, or before none."""
    if not of.elr_on or len(before.last_known) != 1 or before.last_known[0] not in of.active:
        return False
    return not elr_left(before, of)


def is_hopeless(after: PartitionRegistration, before: PartitionRegistration, reason: i64, of: Electorate) -> bool:
    """True if a partition that stays or becomes leaderless has nobody who may lead it (ELEC-3, ELEC-7)."""
    if in_isr(after, of) or (not after.isr and [b for b in after.synced() if b in of.active and b in after.elr]):
        return False
    if last_known(before, of):
        return False
    allowed = of.unclean and reason not in (REASON_PREFERRED, REASON_REASSIGNMENT)  # PREF-2, REA-1: never unclean
    if not allowed and reason != REASON_UNCLEAN:
        return True
    return not [b for b in after.synced() if b in of.active]


def elr_is_last(after: PartitionRegistration, before: PartitionRegistration, election: i64, active: list[int]) -> None:
    """Part of elr_wellformed: nobody is elected from the ELR while a member of the ISR could lead (ELR-4)."""
    if election == ELECTION_ELR:
        could = [b for b in before.isr if b in active and b in after.replicas and b not in before.removing]
        story = f"{could} could: {registration_text(before)} -> {registration_text(after)}"
        demand(not could, "elr_wellformed", f"partition {int(after.p)}", story)
