"""Rooms beyond the limit: a visitor with none to spare is refused, the holder of the most gives one up."""

from typing import Any

import pytest

from playground.engine.turns import Holder
from playground.rooms import commands, evict_rooms
from playground.rooms.evict_rooms import HeldRoom, RoomFull, gives_way
from playground.rooms.host import Host
from playground.rooms.hub import Viewer
from playground.rooms.limits import ROOMS_A_BROWSER_MAX, ROOMS_AN_ADDRESS_MAX, ROOMS_MAX
from playground.rooms.names import RoomName
from playground.rooms.wire import RoomCommand
from tests.rooms.kept import frames, until

HONEST = Holder("10.0.0.9", "honest")
GREEDY_SOCKETS = 100


def held(number: int, address: str, browser: str = "", *, first: int = 0, **more: Any) -> list[HeldRoom]:
    """Rooms of one address; each of its own browser if none is given."""
    return [
        HeldRoom(f"{address} {i}", Holder(address, browser or f"{address} {i}"), **more)
        for i in range(first, first + number)
    ]


def test_there_is_space_below_the_limit() -> None:
    assert gives_way(held(ROOMS_MAX - 1 - ROOMS_AN_ADDRESS_MAX, "a") + held(ROOMS_AN_ADDRESS_MAX, "b"), HONEST) is None


def test_the_room_that_has_been_empty_for_longest_gives_way_first() -> None:
    x, y = (HeldRoom(key, Holder(key, key), empty_since=since) for key, since in (("x", 5.0), ("y", 2.0)))
    rooms = [*held(98, "a"), x, y]
    assert gives_way(rooms, HONEST) == "y"


def test_the_biggest_address_loses_its_oldest_room_however_many_cookies_it_has() -> None:
    assert gives_way(held(45, "a") + held(55, "b"), HONEST) == "b 0"


def test_in_one_address_the_browser_with_the_most_rooms_loses_its_oldest() -> None:
    for a, b in ((50, 35), (45, 40)):
        rooms = held(a, "a") + held(b, "b") + held(15, "b", "greedy", first=b)
        assert gives_way(rooms, Holder("b", "new")) == f"b {b}"


def test_equals_take_no_room_from_each_other() -> None:
    rooms = [HeldRoom(str(i), Holder(f"address {i}", f"browser {i}")) for i in range(ROOMS_MAX)]
    with pytest.raises(RoomFull, match=f"{ROOMS_MAX} running rooms, which is its limit. Try again"):
        gives_way(rooms, HONEST)
    with pytest.raises(RoomFull):
        gives_way([*held(ROOMS_MAX - 1, "b"), HeldRoom("mine", HONEST)], Holder("b", "greedy"))


def test_one_browser_and_one_address_have_limits_in_words() -> None:
    with pytest.raises(RoomFull, match=f"browser has {ROOMS_A_BROWSER_MAX} running rooms open.*Close a page"):
        gives_way(held(ROOMS_A_BROWSER_MAX, "a", "one"), Holder("elsewhere", "one"))
    with pytest.raises(RoomFull, match=f"{ROOMS_AN_ADDRESS_MAX} running rooms are open from your address"):
        gives_way(held(ROOMS_AN_ADDRESS_MAX, "a"), Holder("a", "another"))


def test_at_its_own_limit_a_browser_and_an_address_lose_an_empty_room_of_theirs_and_nobody_else_does() -> None:
    other = [HeldRoom("other", Holder("b", "other"), empty_since=1.0)]
    mine = held(ROOMS_A_BROWSER_MAX - 1, "a", "one")
    assert gives_way(other + mine + held(1, "c", "one", empty_since=9.0), Holder("a", "one")) == "c 0"
    here = held(ROOMS_AN_ADDRESS_MAX - 1, "a") + held(1, "a", first=99, empty_since=9.0)
    assert gives_way(other + here, Holder("a", "another")) == "a 99"


def test_a_class_of_40_browsers_behind_one_address_has_a_room_each() -> None:
    for number in range(40):
        assert gives_way(held(number, "school"), Holder("school", "pupil")) is None


async def test_who_loses_a_room_is_told_why_and_finds_it_where_it_was(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evict_rooms, "ROOMS_MAX", 3)
    greedy = [Viewer(f"cookie {i}", address="10.0.0.1", may_act=True, may_steer=True) for i in range(3)]
    for number, viewer in enumerate(greedy):
        await rooms.enter(RoomName(f"greedy{number}"), viewer, 0)
    await rooms.enter(RoomName("honest"), Viewer("honest", address="10.0.0.2"), 0)
    assert rooms.names() == ["greedy1", "greedy2", "honest"]
    last = (await frames(greedy[0]))[-1]
    assert (last["k"], last["kind"]) == ("end", "full") and "Nothing is lost" in last["reason"]
    assert greedy[0].is_closed
    await rooms.enter(RoomName("equal"), Viewer("equal", address="10.0.0.3"), 0)
    with pytest.raises(RoomFull):
        await rooms.enter(RoomName("equal too"), Viewer("equal", address="10.0.0.3"), 0)


async def test_100_greedy_sockets_of_one_address_leave_an_honest_visitor_a_room_and_a_moving_clock(
    rooms: Host,
) -> None:
    turned_away = []
    for number in range(GREEDY_SOCKETS):
        viewer = Viewer(f"cookie {number}", address="10.0.0.1", may_act=True, may_steer=True)
        try:
            live = await rooms.enter(RoomName(f"greedy{number}"), viewer, 0)
        except RoomFull as full:
            turned_away.append(str(full))
        else:
            await commands.obey(live, viewer, RoomCommand("play"))
    assert len(turned_away) == GREEDY_SOCKETS - ROOMS_AN_ADDRESS_MAX
    assert all("from your address, which is its limit" in words for words in turned_away)
    honest = Viewer("honest", address="10.0.0.2", may_act=True, may_steer=True)
    live = await rooms.enter(RoomName("honest"), honest, 0)
    await commands.obey(live, honest, RoomCommand("play"))
    await until(lambda: live.clock.t_us > 0)
