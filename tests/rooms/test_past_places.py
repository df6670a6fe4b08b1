"""To look back in a room, visitors take turns; who may steer it waits for none of those who watch."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from playground.engine.refusals import NotAnswered
from playground.engine.turns import Holder
from playground.rooms import past
from playground.rooms.host import Host
from playground.rooms.hub import Viewer
from playground.rooms.limits import PAST
from playground.rooms.names import RoomName
from playground.rooms.room import Room
from playground.scenarios import rates
from tests.rooms.kept import until

OWNER = Viewer("owner", address="here", may_act=True, may_steer=True)
CROWD = Holder("there", "")


@pytest.fixture
async def live(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A room in which to look back takes no end for those who watch."""
    monkeypatch.setattr(rates, "NEWCOMER_S", 0.0)
    slice_of = past._slice

    async def endless(room: Room, operation: Any, *arguments: Any) -> Any:
        return None if arguments and arguments[0] is False else await slice_of(room, operation, *arguments)

    monkeypatch.setattr(past, "_slice", endless)
    return await rooms.enter(RoomName("a"), OWNER, 0)


def looks(live: Room, visitor: Holder, number: int = 1) -> list[asyncio.Task[bytes]]:
    return [asyncio.create_task(past.view_at(live, visitor, 0)) for _ in range(number)]


async def leave(live: Room, tasks: list[asyncio.Task[bytes]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert all(places.is_empty() for places in live.past_places)


async def test_who_steers_looks_back_beside_forty_who_watch(live: Room) -> None:
    tasks = looks(live, CROWD, 40)
    await until(lambda: len(live.past_places[False].waiting) == 39)
    assert await past.view_at(live, OWNER.visitor(), 0)
    assert not any(task.done() for task in tasks)
    await leave(live, tasks)


async def test_one_browser_may_wait_with_few(live: Room) -> None:
    greedy = Holder("there", "greedy")
    tasks = looks(live, greedy, PAST.of_browser)
    await until(lambda: len(live.past_places[False].waiting) == PAST.of_browser - 1)
    with pytest.raises(NotAnswered, match="questions of yours") as refused:
        await past.view_at(live, greedy, 0)
    assert refused.value.status == 429
    await leave(live, tasks)


async def test_who_looks_back_for_long_gives_way_to_others_but_not_to_himself(
    live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "PAST", replace(PAST, seconds_max=0.05))
    own = looks(live, CROWD, 3)
    await asyncio.sleep(0.2)
    assert not any(task.done() for task in own)
    other = looks(live, Holder("elsewhere", "other"))
    await until(own[0].done)
    with pytest.raises(NotAnswered, match="others wait to look") as refused:
        await own[0]
    assert refused.value.status == 503
    await leave(live, own[1:] + other)


async def test_a_range_of_decisive_facts_takes_its_turn_too(live: Room) -> None:
    tasks = looks(live, CROWD)
    await until(lambda: not live.past_places[False].is_empty())
    facts = asyncio.create_task(past.rows(live, Holder("elsewhere", "other"), 0, 1, ""))
    await until(lambda: len(live.past_places[False].waiting) == 1)
    tasks[0].cancel()
    assert await facts
    await leave(live, tasks)


async def test_who_waits_too_long_to_look_back_is_told_in_words(live: Room) -> None:
    live.past_places[False].budget = replace(PAST, wait_seconds_max=0.05)
    tasks = looks(live, CROWD)
    await until(lambda: not live.past_places[False].is_empty())
    with pytest.raises(NotAnswered, match="busy with what others sent") as refused:
        await past.view_at(live, Holder("elsewhere", "other"), 0)
    assert refused.value.status == 503
    await leave(live, tasks)
