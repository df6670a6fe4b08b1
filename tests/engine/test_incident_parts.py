"""The parts of an RTO: which commit is the end of detecting, and who had to be elected."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from simengine.kernel.facts import (
    ACTION_DONE,
    ELECTION_CLEAN,
    ELECTION_ELR,
    ELECTION_NONE,
    ELECTION_OFFLINE,
    LEADER_ACTIVATED,
    PARTITION_CHANGED,
    REASON_ALTER_PARTITION,
    REASON_FENCED,
)
from simengine.kernel.trace import Decisive
from simengine.why.booked import Booked
from simengine.why.evidence import Evidence
from simengine.why.incidents import Incident, Teller
from simengine.why.past import Past
from simengine.why.recoveries import Recovery
from simengine.why.sentences import Words
from simengine.why.settings import Settings
from tests.engine.cluster import SECOND, world

P, FAULT, OTHER = 0, 1, 2
NAMES = {"topics": ["t"], "partitions": [[0, 0]], "clients": [], "brokers": [{"id": b} for b in (0, 1, 2)]}
DONE = [
    Decisive(FAULT, 5 * SECOND, ACTION_DONE, 0, [], [], "kill-rack a"),
    Decisive(OTHER, 8 * SECOND, ACTION_DONE, 0, [], [], "kill 0"),
]


def commit(at: int, leader: int, epoch: int, election: int, cause: int = FAULT) -> Decisive:
    values = [P, leader, epoch, at, REASON_FENCED, election]
    return Decisive(10 * at, at * SECOND, PARTITION_CHANGED, cause, values, [[0, 1, 2], [leader], []], "")


def changed(at: int, isr: list[int], cause: int) -> Decisive:
    values = [P, 0, 0, at, REASON_ALTER_PARTITION, ELECTION_NONE]
    return Decisive(10 * at, at * SECOND, PARTITION_CHANGED, cause, values, [[0, 1, 2], isr, []], "")


def acting(at: int, broker: int, epoch: int) -> Decisive:
    return Decisive(10 * at, at * SECOND, LEADER_ACTIVATED, 0, [broker, P, epoch, 0, 0, 0, 0], [[broker]], "")


@pytest.mark.parametrize(
    ("facts", "detect", "elect"),
    [
        ([commit(10, 1, 1, ELECTION_CLEAN), acting(12, 1, 1)], 5, 2),
        ([commit(10, 0, 0, ELECTION_NONE)], 5, 0),
        ([commit(10, 0, 0, ELECTION_NONE), acting(20, 1, 1)], 5, 0),  # a leader that another fault asked for
        ([commit(10, 0, 0, ELECTION_NONE), commit(11, 1, 1, ELECTION_CLEAN), acting(12, 1, 1)], 6, 1),
        ([commit(10, 0, 0, ELECTION_NONE), commit(41, 1, 1, ELECTION_CLEAN), acting(42, 1, 1)], 5, 0),
        ([commit(9, 1, 1, ELECTION_CLEAN, OTHER), commit(10, 1, 1, ELECTION_NONE), acting(12, 1, 1)], 5, 0),
        ([commit(10, -1, 1, ELECTION_OFFLINE), acting(12, 0, 0), acting(18, 1, 2)], 5, 8),  # 12 s: in its old epoch
        ([commit(15, 1, 1, ELECTION_ELR, OTHER), acting(18, 1, 1)], 10, 3),  # nothing of its own: who leads next
        ([commit(15, 1, 1, ELECTION_ELR, OTHER), acting(18, 1, 1), commit(41, 1, 1, ELECTION_NONE)], 10, 3),
    ],
)
def test_somebody_was_elected_only_by_a_commit_that_elects(facts: list[Decisive], detect: int, elect: int) -> None:
    """ELEC-3, ISR-2: a commit that only changes the ISR is detected, and nobody need act on it."""
    parts = parts_of(facts, [(5 * SECOND, 39 * SECOND)])
    assert (parts["detect_us"] // SECOND, parts["elect_us"] // SECOND) == (detect, elect)
    assert parts["us"] == 35 * SECOND


def test_a_fault_that_took_nothing_out_does_not_wait_for_the_next_leader() -> None:
    """ISR-2: a follower that was out of the ISR is paused, and another fault has somebody elected later."""
    parts = parts_of([commit(15, 1, 1, ELECTION_CLEAN, OTHER), acting(18, 1, 1)], [(8 * SECOND, 18 * SECOND)])
    assert (parts["detect_us"], parts["elect_us"], parts["client_us"]) == (0, 0, 34 * SECOND)


def parts_of(facts: list[Decisive], out: list[tuple[int, int]]) -> dict[str, Any]:
    """The parts of the fault at 5 s, of a call with acks=1 appended at 39 s; ``out``: when the partition took none."""
    unused = cast("Any", None)
    account = SimpleNamespace(out_1=SimpleNamespace(intervals=out, since=-1))
    run = cast("Any", SimpleNamespace(book=SimpleNamespace(account=lambda _: account), now_us=40 * SECOND))
    past = Past([*DONE, *facts])
    incident = Incident(5 * SECOND, "kill-rack a")
    teller = Teller(run, past, Words(NAMES), unused, Booked([]), Evidence(), [incident], unused, {}, unused)
    teller.touch()
    return teller._parts(0, P, "1", Recovery(0, 5 * SECOND, 40 * SECOND, [(39 * SECOND, 40 * SECOND)]))


@pytest.mark.parametrize(
    ("isr_of", "appended", "isr", "client", "settle"),
    [
        ({10: [0], 38: [0, 1]}, 15, 28, 0, 2),
        ({10: [0], 38: [0, 1]}, 39, 28, 1, 1),
        ({10: [0, 1], 12: [0], 38: [0, 1]}, 39, 26, 3, 1),  # it was large enough before, and fell
        ({10: [0, 1], 12: [0], 38: [0, 1]}, 11, 26, 1, 3),  # refused or not: it has to wait
        ({10: [0], 12: [0, 1], 20: [0], 38: [0, 1]}, 15, 20, 3, 7),
        ({10: [0, 1], 12: [0, 1, 2]}, 15, 0, 5, 25),
        ({10: [0]}, 15, 30, 0, 0),
    ],
)
def test_waiting_for_the_minimum_isr_is_neither_the_clients_nor_settling(
    isr_of: dict[int, list[int]], appended: int, isr: int, client: int, settle: int
) -> None:
    """PROD-2, HW-3: while it is too small appends are refused, and what was appended before waits."""
    past = Past([*DONE, *(changed(at, members, FAULT if at == 10 else 0) for at, members in isr_of.items())])
    run = world(topics=[{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}])
    words = Words(NAMES)
    incident = Incident(5 * SECOND, "kill-rack a")
    unused = cast("Any", None)
    settings = Settings(run.doc, past, words)
    teller = Teller(run, past, words, settings, Booked([]), Evidence(), [incident], unused, {}, unused)
    teller.touch()
    parts = teller._parts(0, P, "all", Recovery(0, 5 * SECOND, 40 * SECOND, [(appended * SECOND, 40 * SECOND)]))
    found = [parts[f"{name}_us"] // SECOND for name in ("detect", "elect", "isr", "client", "settle")]
    assert found == [5, 0, isr, client, settle]
    assert sum(found) == parts["us"] // SECOND
