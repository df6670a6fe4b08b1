"""Rooms without a database: what they store is kept in memory, and fails when a test wants it to."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import msgpack
from django.db import OperationalError

from playground.rooms import room, storage
from playground.rooms.host import Host
from playground.rooms.hub import Viewer
from playground.rooms.names import RoomName
from playground.rooms.storage import StoredClock, StoredRun
from playground.scenarios import documents
from playground.scenarios.size import size_of
from simengine.scenario import load, to_json
from tests.rooms.site import QUIET


def _stored(actions: list[tuple[int, str]]) -> documents.StoredScenario:
    document = load(QUIET)
    return documents.StoredScenario(to_json(document), actions, asdict(size_of(document)))


class Kept(storage.Storage):
    """The storage of rooms, in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.clocks: dict[str, StoredClock] = {}
        self.actions: list[tuple[int, str]] = []
        self.is_broken = False  # nothing can be written
        self.is_away = False  # nothing can be read or written
        self.breaks_after_storing = False  # the answer to an action is lost on the way
        self.hold = asyncio.Event()  # clocks are stored once this is set
        self.hold.set()

    def _must_be_there(self) -> None:
        if self.is_away:
            raise OperationalError("the database is away")

    async def load(self, room: str, scenario_id: str) -> StoredRun:
        self._must_be_there()
        return StoredRun(
            scenario_id=scenario_id,
            title="Three brokers",
            document=_stored(list(self.actions)),
            is_frozen=False,
            moment_us=0,
            engine="",
            digest="",
            clock=self.clocks.get(room),
            last_action_us=max((at for at, _ in self.actions), default=0),
            plays_at_once=False,
        )

    async def accept(self, clocks: list[StoredClock], do: str, nonce: str | None) -> None:
        if self.is_broken:
            raise OSError("disk full")
        self._must_be_there()
        for clock in clocks:
            self.actions.append((clock.t_us, do))
            self.clocks[clock.room] = clock
        if self.breaks_after_storing:
            raise OperationalError("the connection was lost")

    async def keep_clocks(self, clocks: list[StoredClock]) -> None:
        await self.hold.wait()
        self._must_be_there()
        self.clocks |= {clock.room: clock for clock in clocks}


async def enter(rooms: Host, name: str = "a") -> tuple[room.Room, Viewer]:
    viewer = Viewer(may_act=True, may_steer=True)
    return await rooms.enter(RoomName(name), viewer, 0), viewer


async def frames(viewer: Viewer) -> list[dict[str, Any]]:
    found = []
    while not viewer.is_idle():
        frame = await viewer.next_frame()
        assert frame is not None
        found.append(msgpack.unpackb(frame, strict_map_key=False))
    return found


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.02)
