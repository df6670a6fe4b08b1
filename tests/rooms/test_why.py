"""What decided a loss is found by running the same document without one action; asked of the site, once a moment."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from playground.rooms import why
from playground.rooms.why import Examiner, NotExamined
from simengine.decide import deciding_action
from simengine.scenario import Document, load

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def scenario(name: str) -> Document:
    return load((SCENARIOS / f"{name}.yaml").read_bytes())


def test_the_kill_of_the_only_holder_decided_that_unreplicated_records_were_lost() -> None:
    document = scenario("s10-unreplicated-data")
    found = asyncio.run(Examiner().examine(document, document.until_us))
    assert found["decided"]["t"]["text"] == "kill 0"
    assert found["decided"]["t"]["lost_with"] == 5
    assert found["decided"]["t"]["lost_without"] == 0
    assert found["chains"][0]["count"] == 5
    assert found["verdict"]["topics"][0]["lost"] == 5


def test_a_run_that_loses_nothing_has_no_deciding_action() -> None:
    document = scenario("s08-leader-dies")
    assert deciding_action(document, document.until_us) is None


def test_the_decision_need_not_be_the_last_action() -> None:
    document = scenario("s26-zombie")
    decision = deciding_action(document, document.until_us)
    assert decision is not None
    assert decision.text.startswith("cut 0|")
    assert decision.index < len(document.timeline) - 1


def test_who_asks_the_same_meanwhile_or_later_shares_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []

    async def run(text: str, until_us: int) -> dict[str, Any]:
        runs.append(until_us)
        await asyncio.sleep(0.01)
        return {"at_us": until_us}

    monkeypatch.setattr(why, "_in_a_process", run)
    document = scenario("s10-unreplicated-data")

    async def ask() -> None:
        examiner = Examiner()
        both = await asyncio.gather(examiner.examine(document, 5), examiner.examine(document, 5))
        assert both[0] == both[1] == await examiner.examine(document, 5)
        await examiner.examine(document, 6)

    asyncio.run(ask())
    assert runs == [5, 6]


def test_too_many_questions_are_put_off_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(text: str, until_us: int) -> dict[str, Any]:
        await asyncio.sleep(0.05)
        return {}

    monkeypatch.setattr(why, "_in_a_process", run)
    document = scenario("s10-unreplicated-data")

    async def ask() -> None:
        examiner = Examiner()
        asked = [asyncio.create_task(examiner.examine(document, t)) for t in range(why.WAITING_MAX + 1)]
        await asyncio.sleep(0)
        with pytest.raises(NotExamined, match="try again"):
            await examiner.examine(document, 999)
        await asyncio.gather(*asked)

    asyncio.run(ask())
