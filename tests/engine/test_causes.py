"""The causes of registrations and ISR changes: what happened to the brokers concerned (LIVE-3, ISR-3, ISR-5, REA-2)."""

import pytest

from simengine.explain.fact_index import FactIndex
from simengine.explain.sentences import Words
from simengine.facts.decisive import BrokerRegistration, IsrProposed, PartitionChanged, Truncated
from simengine.facts.kinds import (
    REASON_ALTER_PARTITION,
    REG_ACTIVE,
    REG_FENCED,
)
from tests.engine.cluster import SECOND, world

SLOW = ["5s slow 2 1", "20s cut 0|1", "20.1s heal"]
SLOW_THEN_OFF = [*SLOW, "60s slow 2 off", "61s cut 0|1", "61.1s heal"]
ADDED_AFTER_A_CUT = ["10s cut 0>1", "12s reassign t-0 0,1,2,3"]
ADDED_AND_STARTED = ["2s kill 3", "12s reassign t-0 0,1,2,3", "30s start 3"]
ELECTED_AFTER = ["5s slow 2 1", "6s kill 0"]
CUT_AND_ELECTED = ["5s cut 0|2", "50s kill 0"]
CUT_AND_HEALED = ["5s cut 0|2", "60s heal"]
SLOW_THEN_PAUSED = ["3s kill 1", "20s slow 2 1", "50s pause 2"]
SLOW_AND_A_LINK = ["4.9s slow-link 0|2 1ms", "5s slow 2 1", "20s slow-link 0|2 2ms"]
CUT_FROM_CONTROLLERS = ["5s cut 0|2", "6s heal 0|2", "20s cut 2|100,101,102", "60s heal"]
STARTED_AGAIN = ["5s kill 2", "30s cut 0|1", "30.1s heal", "60s start 2"]


@pytest.mark.parametrize(
    ("actions", "isr", "action"),
    [
        (SLOW, [0, 1], "slow 2 1"),
        (SLOW_THEN_OFF, [0, 1, 2], "slow 2 off"),
        (ADDED_AFTER_A_CUT, [0, 1, 2, 3], "reassign t-0 0,1,2,3"),
        (ADDED_AND_STARTED, [0, 1, 2, 3], "start 3"),
        (ELECTED_AFTER, [1], "slow 2 1"),
        (CUT_AND_ELECTED, [1, 2], "kill 0"),
        (CUT_AND_HEALED, [0, 1, 2], "heal"),
        (SLOW_THEN_PAUSED, [0], "slow 2 1"),
        (SLOW_AND_A_LINK, [0, 1], "slow 2 1"),
        (CUT_FROM_CONTROLLERS, [0, 1, 2], "heal"),
        (STARTED_AGAIN, [0, 1, 2], "start 2"),
    ],
)
def test_a_change_of_the_isr_goes_back_to_what_befell_the_two_brokers(
    actions: list[str], isr: list[int], action: str
) -> None:
    """Proposal and record: the newest trouble still in a leaver's way, else the newest fact, the election or REA-1."""
    past = the_past(actions)
    proposed = [f for f in past.of(IsrProposed) if sorted(f.isr) == isr]
    stated = [f for f in past.of(PartitionChanged) if sorted(f.isr) == isr]
    written = [f for f in stated if f.reason == REASON_ALTER_PARTITION]
    assert proposed and written, [(f.t, f.isr) for f in past.of(IsrProposed)]
    for fact in (proposed[-1], written[-1]):
        done = past.action(fact)
        assert done is not None and done.words == action


@pytest.mark.parametrize(
    ("actions", "broker", "state", "action"),
    [
        (["10s cut 0|100,101,102,1,2", "15s slow-link 0|P 5ms"], 0, REG_FENCED, "cut 0|100,101,102,1,2"),
        (
            ["10s cut 0|100,101,102", "18.4s heal", "18.5s cut 0|2", "18.6s cut 0|100,101,102"],
            0,
            REG_FENCED,
            "cut 0|100,101,102",
        ),
        (["10s kill 1", "12s start 1 after 9s"], 1, REG_FENCED, "kill 1"),
        (["5s cut 0|100,101,102", "9s heal", "9.5s stop 0", "9.6s pause 0"], 0, REG_FENCED, "pause 0"),
        (["10s pause 1", "30s resume 1", "30.01s cut 1|2"], 1, REG_ACTIVE, "resume 1"),
        (["10s cut 1|100,101,102", "30s heal", "30.01s slow-link 1|2 5ms"], 1, REG_ACTIVE, "heal"),
    ],
)
def test_a_registration_goes_back_to_what_kept_the_broker_from_the_controllers_or_brought_it_back(
    actions: list[str], broker: int, state: int, action: str
) -> None:
    """LIVE-3, LIVE-6: not to another link, a cure, or a start in the session of the process before."""
    past = the_past(actions)
    written = [f for f in past.of(BrokerRegistration) if f.broker == broker and f.state == state]
    done = past.action(written[0])
    assert done is not None and done.words == action


def test_what_is_cut_goes_back_to_the_election_of_whom_the_broker_follows() -> None:
    """TRUNC-2: not to the newest change of the ISR."""
    past = the_past(["10s cut 0|100,101,102,1,2", "30s kill 2", "50s heal 0|100,101,102,1,2"])
    cut = past.of(Truncated)
    assert cut
    done = past.action(cut[0])
    assert done is not None and done.words == "cut 0|100,101,102,1,2"


@pytest.mark.parametrize(("started", "left"), [("10.1s", 0), ("20s", 0)])
def test_a_start_on_an_empty_disk_waits_for_the_end_of_the_process_and_is_what_follows_goes_back_to(
    started: str, left: int
) -> None:
    """STATE-7, FLT-3: also while the process before still stops."""
    past = the_past(["10s stop 1", f"{started} start 1 empty"])
    assert [f.new for f in past.of(Truncated) if f.broker == 1] == [left]
    joined = [f for f in past.of(IsrProposed) if 1 in f.isr]
    done = past.action(joined[-1])
    assert done is not None and done.words == "start 1 empty"


def the_past(actions: list[str]) -> FactIndex:
    """The decisive facts of 200 s of a cluster of four brokers with two producers."""
    steps = [dict(zip(("at", "do"), action.split(" ", 1), strict=True)) for action in actions]
    run = world(
        cluster={"brokers": [0, 1, 2, 3], "controllers": [100, 101, 102]},
        producers=[{"id": "P", "topic": "t", "acks": "1", "rate": 50}, {"id": "Q", "topic": "t", "rate": 1}],
        timeline=[*steps, {"at": "100s", "do": "rate P 0"}],
    )
    run.run(200 * SECOND)
    return FactIndex(run.trace.decisive)


@pytest.mark.parametrize(
    ("actions", "isr", "told"),
    [
        (SLOW_THEN_OFF, [0, 1, 2], "broker 2 took in what it fetched at full speed again"),
        (CUT_FROM_CONTROLLERS, [0, 1, 2], "broker 2 was unfenced"),
        (CUT_AND_ELECTED, [1, 2], "t-0 was led by broker 1, in epoch 1"),
        (ADDED_AFTER_A_CUT, [0, 1, 2, 3], "the reassignment of t-0 to brokers 0, 1, 2 and 3 began"),
        (SLOW, [0, 1], "broker 2 was held to 1 record/s of fetches"),
    ],
)
def test_a_chain_has_words_for_what_a_change_of_the_isr_goes_back_to(
    actions: list[str], isr: list[int], told: str
) -> None:
    past = the_past(actions)
    changed = [f for f in past.of(IsrProposed) if sorted(f.isr) == isr][-1]
    cause = past.fact(changed.cause)
    names = {"topics": ["t"], "partitions": [[0, 0]], "clients": [], "brokers": [{"id": b} for b in range(4)]}
    assert cause is not None and Words(names).clause(cause)[0] == told
