"""Places for runs beside the rooms: short runs do not wait for long ones, and addresses take turns."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from playground.engine.engine import ActionRefused
from playground.engine.refusals import NotAnswered
from playground.engine.turns import Holder
from playground.rooms import host, lanes
from playground.rooms.host import Host
from playground.rooms.lanes import Lane, Lanes
from playground.rooms.limits import ASIDE_LONG, ASIDE_QUICK
from playground.rooms.run import RoomRun
from tests.rooms.kept import until

HOUR_US = 3_600_000_000
ME = Holder("here", "me")


class Runs:
    """Runs at the places of one web process; each stays until it is told to leave."""

    def __init__(self) -> None:
        self.lanes = Lanes()
        self.at: dict[Holder, Lane] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, asker: Holder, is_long: bool = False) -> asyncio.Task[None]:
        self._tasks.append(asyncio.create_task(self._stay(asker, is_long)))
        return self._tasks[-1]

    async def _stay(self, asker: Holder, is_long: bool) -> None:
        async with self.lanes.lane(asker) as lane:
            if is_long:
                await lane.move()
            self.at[asker] = lane
            try:
                await asyncio.Event().wait()
            finally:
                del self.at[asker]

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        assert self.lanes._quick.is_empty() and self.lanes._long.is_empty()


@pytest.fixture
async def runs() -> AsyncIterator[Runs]:
    made = Runs()
    yield made
    await made.end()


async def all_at(runs: Runs, askers: list[Holder], is_long: bool = False) -> list[asyncio.Task[None]]:
    tasks = [runs.begin(asker, is_long) for asker in askers]
    await until(lambda: all(asker in runs.at for asker in askers))
    return tasks


async def test_long_runs_leave_the_quick_places_to_others(runs: Runs) -> None:
    await all_at(runs, [Holder(f"long {n}", "x") for n in range(ASIDE_LONG.places)], is_long=True)
    for n in range(ASIDE_LONG.waiting // 2):
        runs.begin(Holder(f"waits {n}", "x"), is_long=True)
    await all_at(runs, [Holder(f"short {n}", "x") for n in range(ASIDE_QUICK.places)])


async def test_an_address_leaves_a_long_place_to_others(runs: Runs) -> None:
    for n in range(4):
        runs.begin(Holder("crowd", f"cookie {n}"), is_long=True)
    await all_at(runs, [ME], is_long=True)
    assert sum(holder.address == "crowd" for holder in runs.at) == ASIDE_LONG.places_of_address


async def test_without_a_cookie_an_address_has_one_place_and_half_of_those_to_wait(runs: Runs) -> None:
    unknown = Holder("crowd", "")
    tasks = [runs.begin(unknown, is_long=True) for _ in range(12)]
    refused = 12 - ASIDE_LONG.waiting_of_address // 2
    await until(lambda: sum(task.done() for task in tasks) == refused)
    assert all(isinstance(task.exception(), NotAnswered) for task in tasks if task.done())
    assert sum(holder == unknown for holder in runs.at) == 1


async def test_who_waits_too_long_for_a_long_place_is_told_in_words(runs: Runs) -> None:
    runs.lanes._long.budget = replace(ASIDE_LONG, wait_seconds_max=0.05)
    await all_at(runs, [Holder(f"long {n}", "x") for n in range(ASIDE_LONG.places)], is_long=True)
    with pytest.raises(NotAnswered, match="busy with what others sent") as refused:
        await runs.begin(ME, is_long=True)
    assert refused.value.status == 503


@pytest.mark.parametrize("is_long", [False, True])
async def test_a_caller_that_goes_away_leaves_its_place_or_its_turn(runs: Runs, is_long: bool) -> None:
    inside, waiting = runs.begin(ME, is_long), runs.begin(ME, is_long)
    await until(lambda: ME in runs.at)
    for task in (waiting, inside):
        task.cancel()
    await until(lambda: inside.done() and waiting.done())
    assert runs.lanes._quick.is_empty() and runs.lanes._long.is_empty()


async def test_a_run_that_takes_longer_than_a_moment_goes_on_at_a_long_place(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: list[Lane] = []
    move = Lane.move

    async def noted(lane: Lane) -> None:
        moved.append(lane)
        await move(lane)

    monkeypatch.setattr(Lane, "move", noted)
    monkeypatch.setattr(host, "QUICK_SLICES", 1)
    stored = await rooms.storage.load("a", "a")
    async with rooms.aside(stored.document, 1_000, ME) as run:
        assert not moved
        await run.reach(HOUR_US // 6)
        assert [lane.is_long for lane in moved] == [True]
        assert not rooms._lanes._long.is_empty() and rooms._lanes._quick.is_empty()
        with pytest.raises(ActionRefused):
            await run.ask(RoomRun.act, 0, "nonsense")
    assert len(moved) == 1 and rooms._lanes._long.is_empty()
    assert lanes.QUICK_SLICES > 1
