"""Tables of the rules of ``simengine.kafka.shared.standing``: who may lead, what can be written, who responds."""

from dataclasses import dataclass, field

import pytest

from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_OFFLINE,
    ELECTION_UNCLEAN,
    REG_ACTIVE,
    REG_FENCED,
    REG_NONE,
    REG_SHUTTING_DOWN,
)
from simengine.kafka.shared import standing
from simengine.kafka.shared.standing import BELOW_MIN_ISR, LEADERLESS, OPEN, STALLED, PartitionLists


@dataclass
class Case:
    """A partition on 0, 1, 2: who of them is able, its lists, what is allowed; and who may lead, how."""

    rules: str
    able: list[int]
    how: int
    brokers: list[int]
    isr: list[int] = field(default_factory=list)
    elr: list[int] = field(default_factory=list)
    last_known: list[int] = field(default_factory=list)
    observers: list[int] = field(default_factory=list)
    unclean: bool = False
    silent: bool = False
    replicas: list[int] = field(default_factory=lambda: [0, 1, 2])

    def lists(self) -> PartitionLists:
        return PartitionLists(self.replicas, self.isr, self.elr, self.last_known, self.observers)


CASES = {
    "members of the ISR that are able": Case("ELEC-4", [1, 2], ELECTION_CLEAN, [1, 2], isr=[0, 1, 2]),
    "in the order of the replicas": Case(
        "ELEC-3", [0, 1, 2], ELECTION_CLEAN, [2, 0], isr=[0, 2], replicas=[2, 1, 0]
    ),
    "not the ELR while the ISR has members": Case("ELR-4", [1], ELECTION_OFFLINE, [], isr=[0], elr=[1]),
    "the ELR where the ISR is empty": Case("ELR-4", [1, 2], ELECTION_ELR, [2], elr=[0, 2]),
    "nobody outside of both": Case("ELEC-4", [2], ELECTION_OFFLINE, [], isr=[0, 1]),
    "the last-known leader where both are empty": Case("ELR-6", [0, 1], ELECTION_LAST_KNOWN, [0], last_known=[0]),
    "not while a member of the ELR may come back": Case("ELR-6", [0], ELECTION_OFFLINE, [], elr=[1], last_known=[0]),
    "not one that is no replica any more": Case("ELR-6, REA-6", [0, 3], ELECTION_OFFLINE, [], last_known=[3]),
    "not one that is silent": Case("ELR-6", [1], ELECTION_OFFLINE, [], last_known=[0]),
    "a silent one in 4.0": Case("KAFKA-19522", [1], ELECTION_LAST_KNOWN, [0], last_known=[0], silent=True),
    "uncleanly whoever is able": Case("UNC-1, UNC-4", [2, 1], ELECTION_UNCLEAN, [1, 2], isr=[0], unclean=True),
    "uncleanly no observer": Case("OBS-1", [1, 2], ELECTION_UNCLEAN, [2], isr=[0], observers=[1], unclean=True),
    "cleanly though unclean ones are allowed": Case("UNC-1", [0, 1], ELECTION_CLEAN, [1], isr=[1], unclean=True),
    "the last-known leader before an unclean one": Case(
        "ELR-6, UNC-1", [0, 1], ELECTION_LAST_KNOWN, [1], last_known=[1], unclean=True
    ),
    "nobody where all are away": Case("ELEC-7", [], ELECTION_OFFLINE, [], isr=[0], unclean=True),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_who_may_lead_and_how_it_is_elected(case: Case) -> None:
    found = standing.successors(case.lists(), case.able, case.unclean, case.silent)
    assert (int(found.how), found.brokers) == (case.how, case.brokers), case.rules
    assert found.is_clean is (case.how in (ELECTION_CLEAN, ELECTION_ELR))


@pytest.mark.parametrize(
    ("registration", "active"), [(REG_NONE, False), (REG_FENCED, False), (REG_SHUTTING_DOWN, False), (REG_ACTIVE, True)]
)
def test_an_active_broker_may_be_elected(registration: int, active: bool) -> None:
    """STATE-8."""
    assert standing.is_active(registration) is active


@pytest.mark.parametrize(
    ("isr", "elr", "last_known", "awaited"),
    [
        ([0], [1], [], [0]),
        ([], [1, 2], [0], [1, 2]),
        ([], [3, 2], [0], [2]),  # broker 3 is no replica any more (ELR-2)
        ([], [3], [0], []),
        ([], [], [0], [0]),
        ([], [], [], []),
    ],
)
def test_whom_a_partition_without_leader_waits_for(
    isr: list[int], elr: list[int], last_known: list[int], awaited: list[int]
) -> None:
    """ELEC-4, ELR-4, ELR-6."""
    assert standing.awaited(standing.PartitionLists([0, 1, 2], isr, elr, last_known, [])) == awaited


@pytest.mark.parametrize(
    ("has_leader", "has_controller", "has_able", "why"),
    [
        (True, True, True, "has a leader"),
        (True, False, False, "has a leader"),
        (False, False, True, "no controller"),
        (False, True, False, "nobody able"),
        (False, True, True, ""),
    ],
)
def test_why_an_unclean_election_does_nothing(has_leader: bool, has_controller: bool, has_able: bool, why: str) -> None:
    """UNC-3, QUO-7."""
    assert standing.why_not_unclean(has_leader, has_controller, has_able) == why


@pytest.mark.parametrize(
    ("leads", "is_in_isr", "why"),
    [(True, True, "leads already"), (False, False, "is not in the ISR"), (False, True, "")],
)
def test_why_a_preferred_election_does_nothing(leads: bool, is_in_isr: bool, why: str) -> None:
    """PREF-2."""
    assert standing.why_not_preferred(leads, is_in_isr) == why


@pytest.mark.parametrize(("asked", "replicas", "required"), [(1, 3, 1), (2, 3, 2), (3, 3, 3), (4, 3, 3)])
def test_m_is_never_above_the_number_of_replicas(asked: int, replicas: int, required: int) -> None:
    """HW-3, ELR-1."""
    assert standing.required_isr(asked, replicas) == required


@pytest.mark.parametrize(
    ("is_led", "isr", "is_held_up", "state", "all_", "one"),
    [
        (True, 2, False, OPEN, True, True),
        (True, 2, True, STALLED, False, True),
        (True, 1, False, BELOW_MIN_ISR, False, True),
        (True, 1, True, BELOW_MIN_ISR, False, True),
        (False, 2, False, LEADERLESS, False, False),
        (False, 1, True, LEADERLESS, False, False),
    ],
)
def test_what_writes_meet_where_two_replicas_are_required(
    is_led: bool, isr: int, is_held_up: bool, state: int, all_: bool, one: bool
) -> None:
    """PROD-2, HW-1, HW-2; PROD-4: acks=1 asks for a leader alone."""
    assert standing.state_of_writes(is_led, isr, 2, is_held_up) == state
    assert (standing.is_writable(state, acks_all=True), standing.is_writable(state, acks_all=False)) == (all_, one)


@pytest.mark.parametrize(
    ("is_paused", "is_listening", "cut", "responds"),
    [
        (False, True, [], True),
        (True, True, [], False),
        (False, False, [], False),
        (False, True, [True, False], True),
        (False, True, [True, True], False),
    ],
)
def test_a_broker_responds_that_some_client_reaches(
    is_paused: bool, is_listening: bool, cut: list[bool], responds: bool
) -> None:
    """Not one that is paused, or that does not listen yet. Where there are no clients, links do not count."""
    assert standing.responds(is_paused, is_listening, standing.is_reached(cut)) is responds


@pytest.mark.parametrize(
    ("reader", "leader", "is_sent"), [("a", "b", True), ("a", "a", False), ("", "b", False), ("", "", False)]
)
def test_a_reader_is_sent_away_for_a_rack_that_is_not_the_leaders(reader: str, leader: str, is_sent: bool) -> None:
    """FFR-1."""
    assert standing.is_sent_away(reader, leader) is is_sent


@pytest.mark.parametrize(
    ("is_in_isr", "is_observer", "is_unfenced", "may"),
    [(True, False, True, True), (False, True, True, True), (False, False, True, False), (True, False, False, False)],
)
def test_a_live_member_or_observer_may_serve_readers(
    is_in_isr: bool, is_observer: bool, is_unfenced: bool, may: bool
) -> None:
    """FFR-2, OBS-1."""
    assert standing.may_serve_readers(is_in_isr, is_observer, is_unfenced) is may
