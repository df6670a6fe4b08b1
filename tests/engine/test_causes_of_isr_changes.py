"""What a change of the ISR goes back to: what befell its leader and the member concerned (ISR-3, ISR-5, REA-2)."""

import pytest

from simengine.kernel.facts import ISR_PROPOSED, PARTITION_CHANGED, REASON_ALTER_PARTITION
from simengine.why.past import Past
from tests.engine.cluster import SECOND, world

SLOW = ["5s slow 2 1", "20s cut 0|1", "20.1s heal"]
SLOW_THEN_OFF = [*SLOW, "60s slow 2 off", "61s cut 0|1", "61.1s heal"]
ADDED_AFTER_A_CUT = ["10s cut 0>1", "12s reassign t-0 0,1,2,3"]
ADDED_AND_STARTED = ["2s kill 3", "12s reassign t-0 0,1,2,3", "30s start 3"]
ELECTED_AFTER = ["5s slow 2 1", "6s kill 0"]
CUT_AND_ELECTED = ["5s cut 0|2", "50s kill 0"]
CUT_AND_HEALED = ["5s cut 0|2", "60s heal"]
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
        (STARTED_AGAIN, [0, 1, 2], "start 2"),
    ],
)
def test_a_change_of_the_isr_goes_back_to_what_befell_the_two_brokers(
    actions: list[str], isr: list[int], action: str
) -> None:
    """Proposal and record: the newest trouble still in a leaver's way, else the newest fact, the election or REA-1."""
    past = the_past(actions)
    proposed = [f for f in past.of(ISR_PROPOSED) if sorted(f.lists[0]) == isr]
    stated = [f for f in past.of(PARTITION_CHANGED) if sorted(f.lists[1]) == isr]
    written = [f for f in stated if f.values[4] == REASON_ALTER_PARTITION]
    assert proposed and written, [(f.t, f.lists) for f in past.of(ISR_PROPOSED)]
    for fact in (proposed[-1], written[-1]):
        done = past.action(fact)
        assert done is not None and done.text == action


def the_past(actions: list[str]) -> Past:
    """What is decided in 120 s of a cluster of four brokers whose followers must be quick."""
    steps = [dict(zip(("at", "do"), action.split(" ", 1), strict=True)) for action in actions]
    run = world(
        cluster={"brokers": [0, 1, 2, 3], "controllers": [100, 101, 102]},
        producers=[{"id": "P", "topic": "t", "acks": "1", "rate": 50}, {"id": "Q", "topic": "t", "rate": 1}],
        timeline=[*steps, {"at": "100s", "do": "rate P 0"}],
    )
    run.run(200 * SECOND)
    return Past(run.trace.decisive)
