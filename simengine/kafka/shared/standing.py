"""The rules for a partition's leader, its writes and its readers. This module is their only place.

All functions are pure and take plain values: the lists of a registration, and whom the caller counts as able, linked or
silent. A controller knows that from its metadata, the verdict from the state of the servers, a prediction from what it
assumes. The answers are codes that name the reason: ELECTION_* for who leads next, OPEN to LEADERLESS for writes.

All other modules ask here. The invariants do not (``tests.invariants.election_checks``): they are the deliberate twin
of this module.

Implements STATE-8, ELEC-3, ELEC-4, ELR-1, ELR-4, ELR-6, UNC-3, UNC-4, PREF-2, OBS-1, HW-2, HW-3, PROD-2, PROD-4, FFR-1,
FFR-2.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_OFFLINE,
    ELECTION_UNCLEAN,
    REG_ACTIVE,
)

OPEN: Final = 0
STALLED: Final = 1  # acks=all waits: a member of the ISR does not fetch
BELOW_MIN_ISR: Final = 2  # acks=all is refused
LEADERLESS: Final = 3  # nobody responds as the leader

NO_CONTROLLER: Final = "no controller"
HAS_LEADER: Final = "has a leader"
NOBODY_ABLE: Final = "nobody able"
LEADS_ALREADY: Final = "leads already"
NOT_IN_ISR: Final = "is not in the ISR"


# -- who may lead


def is_active(registration: i64) -> bool:
    """STATE-8: True if a broker with a REG_* state may be elected: registered, not fenced, not shutting down."""
    return registration == REG_ACTIVE


@final
class PartitionLists:
    """The lists of a registration that an election reads."""

    __slots__ = ("elr", "isr", "last_known", "observers", "replicas")

    def __init__(
        self, replicas: list[int], isr: list[int], elr: list[int], last_known: list[int], observers: list[int]
    ) -> None:
        self.replicas = replicas
        self.isr = isr
        self.elr = elr
        self.last_known = last_known
        self.observers = observers


@final
class Successors:
    """The brokers that may be elected, the first one first, and how (ELECTION_*); ELECTION_OFFLINE if there is none."""

    __slots__ = ("brokers", "how")

    def __init__(self, how: i64, brokers: list[int]) -> None:
        self.how: i64 = how
        self.brokers = brokers

    @property
    def is_clean(self) -> bool:
        """True if a member of the ISR or the ELR is elected: no committed record is lost by that."""
        return self.how == ELECTION_CLEAN or self.how == ELECTION_ELR


def successors(of: PartitionLists, able: list[int], allows_unclean: bool, allows_silent: bool = False) -> Successors:
    """The next leaders: of the ISR or the ELR, else the last-known leader, else any able replica, if that is allowed.

    ``able``: the replicas that count as active. ``allows_silent``: a last-known leader that is none of them may lead
    too (KAFKA-19522).
    """
    found = clean_candidates(of, able)
    if found:
        return Successors(ELECTION_CLEAN if found[0] in of.isr else ELECTION_ELR, found)
    last = last_known_leader(of, able, allows_silent)
    if last >= 0:
        return Successors(ELECTION_LAST_KNOWN, [int(last)])
    if allows_unclean:
        found = unclean_candidates(of, able)
        if found:
            return Successors(ELECTION_UNCLEAN, found)
    return Successors(ELECTION_OFFLINE, [])


def clean_candidates(of: PartitionLists, able: list[int]) -> list[int]:
    """ELEC-3, ELEC-4, ELR-4: the able members of the ISR, or else of the ELR, in the order of the replicas."""
    members = of.isr or of.elr
    return [broker for broker in of.replicas if broker in members and broker in able]


def last_known_leader(of: PartitionLists, able: list[int], allows_silent: bool = False) -> i64:
    """ELR-6: the last-known leader, if ISR and ELR are empty and it may lead; else -1."""
    if of.isr or of.elr or len(of.last_known) != 1:
        return -1
    last = of.last_known[0]
    if last not in of.replicas:
        return -1  # REA-6 has removed it since. Kafka does not check, and would elect a broker without a copy
    return last if last in able or allows_silent else -1


def unclean_candidates(of: PartitionLists, able: list[int]) -> list[int]:
    """UNC-4, OBS-1: the able replicas in their order, whatever the length of their logs; no observer."""
    return [broker for broker in of.replicas if broker in able and broker not in of.observers]


def awaited(of: PartitionLists) -> list[int]:
    """Brokers that a leaderless partition waits for without unclean elections, alive or not (ELEC-4, ELR-4, ELR-6).

    Empty: only an unclean election gives it a leader. A broker that is no replica any more is not waited for (ELR-2).
    """
    return [broker for broker in of.isr or of.elr or of.last_known if broker in of.replicas]


# -- why an election on request does nothing


def why_not_preferred(leads: bool, is_in_isr: bool) -> str:
    """PREF-2: the reason, by the state of the preferred leader; "" if it would be elected."""
    if leads:
        return LEADS_ALREADY
    return "" if is_in_isr else NOT_IN_ISR


def why_not_unclean(has_leader: bool, has_controller: bool, has_able: bool) -> str:
    """UNC-3: the reason; "" if a replica would be elected. ``has_able``: some replica's broker is active."""
    if has_leader:
        return HAS_LEADER
    if not has_controller:
        return NO_CONTROLLER
    return "" if has_able else NOBODY_ABLE


# -- what can be written


def required_isr(min_insync: i64, replicas: i64) -> i64:
    """M (HW-3, ELR-1): min.insync.replicas, but never more than there are replicas."""
    return min_insync if min_insync < replicas else replicas


def is_below_min(isr: i64, required: i64) -> bool:
    """PROD-2, HW-2: True if an ISR of this size is too small: acks=all is refused, and the high watermark waits."""
    return isr < required


def state_of_writes(is_led: bool, isr: i64, required: i64, is_held_up: bool) -> i64:
    """The state of writes with acks=all: OPEN, STALLED, BELOW_MIN_ISR or LEADERLESS.

    ``is_led``: a leader responds to its clients. ``is_held_up``: a member of the ISR does not fetch (HW-1).
    """
    if not is_led:
        return LEADERLESS
    if is_below_min(isr, required):
        return BELOW_MIN_ISR
    return STALLED if is_held_up else OPEN


def is_writable(state: i64, acks_all: bool) -> bool:
    """PROD-4: acks=1 and acks=0 need a leader that responds, and nothing else."""
    return state == OPEN if acks_all else state != LEADERLESS


# -- who responds


def responds(is_paused: bool, is_listening: bool, is_reached: bool) -> bool:
    """True if the process of a leader, or of a follower that serves readers, responds to its clients."""
    return is_listening and not is_paused and is_reached


def is_reached(cut: list[bool]) -> bool:
    """True if some clients reach the broker; ``cut``: for each client, True if a link to or from it is cut.

    True also if there are no clients.
    """
    return not cut or not all(cut)


def is_sent_away(reader_rack: str, leader_rack: str) -> bool:
    """FFR-1: True if a leader with a replica selector looks for a follower in the rack that a reader names."""
    return reader_rack != "" and reader_rack != leader_rack


def may_serve_readers(is_in_isr: bool, is_observer: bool, is_unfenced: bool) -> bool:
    """FFR-2, OBS-1: True if a leader sends readers to a follower."""
    return is_unfenced and (is_in_isr or is_observer)
