"""Places in a room: one address has a share of them, and the owner gets in however full it is."""

import asyncio

import pytest

from playground.rooms import room_places
from playground.rooms.evict_rooms import RoomFull
from playground.rooms.host import Host
from playground.rooms.hub import Viewer
from playground.rooms.limits import (
    OWNER_PAGES_KEPT,
    ROOM_VIEWERS_AN_ADDRESS_MAX,
    ROOM_VIEWERS_MAX,
    SOCKETS_AN_ADDRESS_MAX,
)
from playground.rooms.names import RoomName
from playground.rooms.room_places import must_fit
from playground.rooms.socket_limits import OpenSockets

LECTURE = 300


def crowd(number: int, address: str = "hall") -> list[Viewer]:
    return [Viewer(f"{address} {n}", address=address) for n in range(number)]


def owner(address: str = "hall") -> Viewer:
    return Viewer("owner", address=address, may_act=True, may_steer=True)


def test_a_lecture_behind_one_address_fits_and_leaves_a_third_to_others() -> None:
    viewers: list[Viewer] = []
    for viewer in crowd(ROOM_VIEWERS_AN_ADDRESS_MAX):
        must_fit(viewer, viewers)
        viewers.append(viewer)
    assert len(viewers) >= LECTURE
    with pytest.raises(RoomFull, match=f"{ROOM_VIEWERS_AN_ADDRESS_MAX} pages from your address"):
        must_fit(Viewer("one more", address="hall"), viewers)
    others = crowd(ROOM_VIEWERS_MAX - len(viewers), "elsewhere")
    assert len(others) >= ROOM_VIEWERS_MAX // 3
    for viewer in others:
        must_fit(viewer, viewers)
        viewers.append(viewer)
    with pytest.raises(RoomFull, match="This room is full"):
        must_fit(Viewer("new", address="third"), viewers)


@pytest.mark.parametrize("address", ["hall", "elsewhere"])
def test_the_owner_gets_some_pages_of_a_full_room(address: str) -> None:
    viewers = crowd(ROOM_VIEWERS_MAX)
    for _ in range(OWNER_PAGES_KEPT):
        must_fit(owner(address), viewers)
        viewers.append(owner(address))
    with pytest.raises(RoomFull):
        must_fit(owner(address), viewers)


def test_the_owner_gets_some_pages_though_his_address_has_as_many_sockets_as_it_may() -> None:
    sockets = OpenSockets()
    for viewer in crowd(SOCKETS_AN_ADDRESS_MAX):
        sockets.open(viewer)
    pages = [owner() for _ in range(OWNER_PAGES_KEPT)]
    for page in pages:
        sockets.open(page)
    with pytest.raises(RoomFull, match="from your address"):
        sockets.open(owner())
    sockets.close(pages[0])
    sockets.open(owner())


async def test_those_on_their_way_in_are_counted(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_places, "ROOM_VIEWERS_MAX", 3)
    arrivals = [rooms.enter(RoomName("a"), viewer, 0) for viewer in crowd(10)]
    entered = await asyncio.gather(*arrivals, return_exceptions=True)
    refused = [one for one in entered if isinstance(one, RoomFull)]
    live = await rooms.enter(RoomName("a"), owner(), 0)
    assert (len(refused), len(live.hub.viewers)) == (7, 4)
