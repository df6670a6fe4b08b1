"""The action that decided a loss is found by running the same document without it."""

import asyncio
from pathlib import Path

import pytest

from playground.rooms.decided import NotDecided, decided
from simengine.decide import deciding_action
from simengine.scenario import load

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def test_the_kill_of_the_only_holder_decided_that_unreplicated_records_were_lost() -> None:
    document = load((SCENARIOS / "s10-unreplicated-data.yaml").read_bytes())
    found = asyncio.run(decided(document, document.until_us))
    assert found is not None
    assert found["text"] == "kill 0"
    assert found["lost_with"] == 5
    assert found["lost_without"] == 0


def test_a_run_that_loses_nothing_has_no_deciding_action() -> None:
    document = load((SCENARIOS / "s08-leader-dies.yaml").read_bytes())
    assert deciding_action(document, document.until_us) is None


def test_the_decision_need_not_be_the_last_action() -> None:
    document = load((SCENARIOS / "s26-zombie.yaml").read_bytes())
    decision = deciding_action(document, document.until_us)
    assert decision is not None
    assert decision.text.startswith("cut 0|")
    assert decision.index < len(document.timeline) - 1


def test_a_second_question_meanwhile_is_put_off_with_a_sentence() -> None:
    document = load((SCENARIOS / "s10-unreplicated-data.yaml").read_bytes())

    async def both() -> None:
        first = asyncio.create_task(decided(document, document.until_us))
        await asyncio.sleep(0.05)
        with pytest.raises(NotDecided, match="try again"):
            await decided(document, document.until_us)
        assert await first is not None

    asyncio.run(both())
