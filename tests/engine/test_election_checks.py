"""The second reading of elections and of exclusions: what it accepts, and each way to be wrong that it must reject."""

from typing import Any

import pytest

from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_LAST_KNOWN,
    ELECTION_NONE,
    ELECTION_OFFLINE,
    ELECTION_UNCLEAN,
    REASON_ALTER_PARTITION,
    REASON_CONFIG,
    REASON_FENCED,
    REASON_PREFERRED,
    REASON_REASSIGNMENT,
    REASON_UNCLEAN,
    REASON_UNFENCED,
)
from simengine.kafka.shared.metadata import PartitionRegistration, partition_record
from tests.engine.canaries import parts_of, registration, rejects, started
from tests.invariants.election_checks import Electorate, election_rule

Fields = dict[str, Any]


def electorate(active: list[int], elr: bool = False, unclean: bool = False, again: tuple[int, ...] = ()) -> Electorate:
    return Electorate(active, elr, unclean, list(again))


def last(replica: int) -> Fields:
    """Leaderless, ISR and ELR empty, one last-known leader."""
    return {"leader": -1, "isr": [], "elr": [], "last_known": [replica]}


GOOD: list[tuple[str, Fields, Fields, int, int, Electorate]] = [
    (
        "the first of the replica list",
        {},
        {"leader": 1, "isr": [2, 1]},
        ELECTION_CLEAN,
        REASON_FENCED,
        electorate([1, 2]),
    ),
    ("the ISR shrinks", {}, {"isr": [0, 1]}, ELECTION_NONE, REASON_ALTER_PARTITION, electorate([0, 1, 2])),
    ("the preferred one", {"leader": 1}, {"leader": 0}, ELECTION_CLEAN, REASON_PREFERRED, electorate([0, 1, 2])),
    (
        "nobody is left",
        {"isr": [0]},
        {"leader": -1, "isr": [0]},
        ELECTION_OFFLINE,
        REASON_FENCED,
        electorate([1, 2]),
    ),
    (
        "from the ELR",
        {"leader": -1, "isr": [], "elr": [2, 1]},
        {"leader": 1, "isr": [1], "elr": [2]},
        ELECTION_ELR,
        REASON_UNFENCED,
        electorate([1, 2], elr=True),
    ),
    (
        "the last known",
        last(2),
        {"leader": 2, "isr": [2]},
        ELECTION_LAST_KNOWN,
        REASON_UNFENCED,
        electorate([1, 2], elr=True),
    ),
    (
        "unclean, where the topic allows it",
        {"leader": -1, "isr": [0]},
        {"leader": 1, "isr": [1]},
        ELECTION_UNCLEAN,
        REASON_UNFENCED,
        electorate([1, 2], unclean=True),
    ),
    (
        "unclean on request",
        {"leader": -1, "isr": [0]},
        {"leader": 1, "isr": [1]},
        ELECTION_UNCLEAN,
        REASON_UNCLEAN,
        electorate([1, 2]),
    ),
    ("M is set anew", last(2), {"leader": -1, "isr": []}, ELECTION_NONE, REASON_CONFIG, electorate([0, 2], elr=True)),
]

BAD: list[tuple[str, Fields, Fields, int, int, Electorate]] = [
    ("another leader and no election", {}, {"leader": 1}, ELECTION_NONE, REASON_FENCED, electorate([1, 2])),
    ("in the order of the ISR", {}, {"leader": 2, "isr": [2, 1]}, ELECTION_CLEAN, REASON_FENCED, electorate([1, 2])),
    ("a valid leader loses", {"leader": 1}, {"leader": 0}, ELECTION_CLEAN, REASON_FENCED, electorate([0, 1, 2])),
    (
        "a preferred election that moves to another",
        {"leader": 2},
        {"leader": 1},
        ELECTION_CLEAN,
        REASON_PREFERRED,
        electorate([1, 2]),
    ),
    (
        "a preferred election that moves nobody",
        {"leader": 1},
        {"leader": 1, "isr": [0, 1]},
        ELECTION_NONE,
        REASON_PREFERRED,
        electorate([0, 1, 2]),
    ),
    ("somebody could lead", {}, {"leader": -1, "isr": [2]}, ELECTION_OFFLINE, REASON_FENCED, electorate([1, 2])),
    (
        "somebody of the ELR could lead",
        {"isr": [0], "elr": [2]},
        {"leader": -1, "isr": [], "elr": [0, 2]},
        ELECTION_OFFLINE,
        REASON_FENCED,
        electorate([1, 2], elr=True),
    ),
    (
        "the topic allows an unclean one",
        {"isr": [0]},
        {"leader": -1, "isr": [0]},
        ELECTION_OFFLINE,
        REASON_FENCED,
        electorate([1, 2], unclean=True),
    ),
    (
        "a leaderless one is left alone",
        {"leader": -1, "isr": [0]},
        {"leader": -1, "isr": [0, 1]},
        ELECTION_NONE,
        REASON_UNFENCED,
        electorate([1, 2]),
    ),
    (
        "the last known is left alone",
        last(2),
        {**last(2), "adding": [1]},
        ELECTION_NONE,
        REASON_UNFENCED,
        electorate([2], elr=True),
    ),
    (
        "not the first of the ELR",
        {"leader": -1, "isr": [], "elr": [2, 1]},
        {"leader": 2, "isr": [2], "elr": [1]},
        ELECTION_ELR,
        REASON_UNFENCED,
        electorate([1, 2], elr=True),
    ),
    (
        "from an ELR where there is none",
        {"leader": -1, "isr": [], "elr": [1]},
        {"leader": 1, "isr": [1]},
        ELECTION_ELR,
        REASON_UNFENCED,
        electorate([1, 2]),
    ),
    (
        "another than the last known",
        last(2),
        {"leader": 1, "isr": [1]},
        ELECTION_LAST_KNOWN,
        REASON_UNFENCED,
        electorate([1, 2], elr=True),
    ),
    (
        "the last known while somebody is eligible",
        {**last(2), "elr": [0]},
        {"leader": 2, "isr": [2]},
        ELECTION_LAST_KNOWN,
        REASON_UNFENCED,
        electorate([1, 2], elr=True),
    ),
    (
        "the last known without ELR",
        last(2),
        {"leader": 2, "isr": [2]},
        ELECTION_LAST_KNOWN,
        REASON_UNFENCED,
        electorate([1, 2]),
    ),
    (
        "unclean where nobody allows it",
        {"leader": -1, "isr": [0]},
        {"leader": 1, "isr": [1]},
        ELECTION_UNCLEAN,
        REASON_UNFENCED,
        electorate([1, 2]),
    ),
    (
        "unclean while a member is active",
        {"leader": -1, "isr": [2]},
        {"leader": 1, "isr": [1]},
        ELECTION_UNCLEAN,
        REASON_UNFENCED,
        electorate([1, 2], unclean=True),
    ),
    (
        "unclean before the last known",
        last(2),
        {"leader": 1, "isr": [1]},
        ELECTION_UNCLEAN,
        REASON_UNFENCED,
        electorate([1, 2], elr=True, unclean=True),
    ),
    (
        "a preferred election that is unclean",
        {"leader": -1, "isr": [2]},
        {"leader": 0, "isr": [0]},
        ELECTION_UNCLEAN,
        REASON_PREFERRED,
        electorate([0, 1], unclean=True),
    ),
    (
        "an unclean winner keeps an ELR",
        {"leader": -1, "isr": [0]},
        {"leader": 1, "isr": [1], "elr": [2]},
        ELECTION_UNCLEAN,
        REASON_UNCLEAN,
        electorate([1], elr=True),
    ),
]


@pytest.mark.parametrize("case", GOOD, ids=[case[0] for case in GOOD])
def test_election_rule_accepts(case: tuple[str, Fields, Fields, int, int, Electorate]) -> None:
    _, before, after, election, reason, of = case
    election_rule(registration(**after), registration(**before), election, reason, of)


@pytest.mark.parametrize("case", BAD, ids=[case[0] for case in BAD])
def test_election_rule_rejects(case: tuple[str, Fields, Fields, int, int, Electorate]) -> None:
    _, before, after, election, reason, of = case
    rejects(
        "election_rule",
        lambda: election_rule(registration(**after), registration(**before), election, reason, of),
    )


def test_a_reassignment_leaves_a_partition_leaderless_that_only_an_unclean_election_could_help() -> None:
    """REA-1."""
    before, after = registration(leader=-1, isr=[0]), registration(leader=-1, isr=[0], adding=[3])
    of = electorate([1, 2], unclean=True)
    election_rule(after, before, ELECTION_NONE, REASON_REASSIGNMENT, of)


# -- unclean_exclusion


def change(after: PartitionRegistration, before: PartitionRegistration, reason: int, election: int) -> None:
    """Broker 2 is registered anew and out of ISR and ELR of ``before``, uncleanly; then ``after`` is committed."""
    run = started()
    run.cluster.quorum.image.partitions[0] = before
    exclusions = parts_of(run).metadata.exclusions
    exclusions.registered(2, False)
    exclusions.changed(partition_record(after, reason, election, 0), after, before, False)


def test_unclean_exclusion_lets_in_whom_the_leader_proposes_or_an_unclean_election_takes() -> None:
    before = registration(isr=[0, 1])
    change(registration(), before, REASON_ALTER_PARTITION, ELECTION_NONE)
    change(registration(leader=2, isr=[2]), before, REASON_UNFENCED, ELECTION_UNCLEAN)


@pytest.mark.parametrize(
    ("after", "reason", "election"),
    [
        ({}, REASON_UNFENCED, ELECTION_NONE),
        ({"leader": 2}, REASON_UNFENCED, ELECTION_CLEAN),
        ({"leader": 2, "isr": [2]}, REASON_UNFENCED, ELECTION_ELR),
        ({"isr": [0], "elr": [2]}, REASON_FENCED, ELECTION_NONE),
    ],
)
def test_unclean_exclusion_rejects_a_place_that_was_not_earned(after: Fields, reason: int, election: int) -> None:
    before = registration(isr=[0, 1])
    rejects("unclean_exclusion", lambda: change(registration(**after), before, reason, election))
