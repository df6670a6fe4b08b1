"""All rooms of one web process: which run is in memory, whose clock is stored, what is dropped.

One host to an event loop, made by the first room. The process holds the rooms of its data folder: a second one on the
same data would run them twice, so it is refused.
"""

import asyncio
import contextlib
import itertools
import logging
import time
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError

from playground.rooms.engines import Engine, EngineDied, Engines, RoomEnded, RunFailed
from playground.rooms.hub import Viewer
from playground.rooms.limits import ASIDES_MAX, CLOCK_STORE_S, ROOM_VIEWERS_MAX, ROOMS_MAX, UNATTENDED_DROP_S
from playground.rooms.names import RoomName
from playground.rooms.room import Room
from playground.rooms.storage import Storage
from playground.supervisor.instance import Claim

log = logging.getLogger(__name__)


class RoomFull(Exception):
    """No more rooms, or no more viewers in a room; the message gives the limit."""


class Host:
    """The rooms that are in memory."""

    def __init__(self) -> None:
        _claim(Path(settings.DATA_DIR))
        self.engines = Engines()
        self.storage = Storage()
        self._rooms: dict[str, Room] = {}
        self._asides = asyncio.Semaphore(ASIDES_MAX)
        self._aside_numbers = itertools.count(1)
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._audiences: dict[str, list[Viewer]] = {}  # viewers that wait for a room to come back
        self._keeper = asyncio.create_task(self._keep(), name="rooms keeper")

    async def enter(self, name: RoomName, viewer: Viewer, have_seq: int) -> Room:
        """Bring a viewer into a room, which comes back from storage if need be.

        Raises RoomFull, NoSuchRun, RoomEnded or DocumentError.
        """
        audience = self._audiences.setdefault(str(name), [])
        audience.append(viewer)
        try:
            room = await self.room(name)
        finally:
            audience.remove(viewer)
            if not audience:
                self._audiences.pop(str(name), None)
        if len(room.hub.viewers) >= ROOM_VIEWERS_MAX:
            raise RoomFull(f"This room is full ({ROOM_VIEWERS_MAX}).")
        greeting = {"owner": viewer.may_act, "control": viewer.may_steer}
        await room.join(viewer, have_seq, greeting)
        return room

    async def room(self, name: RoomName) -> Room:
        """The room of this name. Several callers share one opening, which goes on when one of them leaves."""
        key = str(name)
        if (room := self._rooms.get(key)) is not None:
            return room
        if key not in self._opening:
            self._opening[key] = asyncio.create_task(self._open(name), name=f"opening {key}")
        return await asyncio.shield(self._opening[key])

    def names(self) -> list[str]:
        """The rooms that are in memory."""
        return list(self._rooms)

    async def forget(self, scenario_id: str, reason: str) -> None:
        """A run was deleted: its rooms end."""
        for key, room in list(self._rooms.items()):
            if room.run.scenario_id == scenario_id:
                room.end("deleted", reason)
                await self._drop(key, room, keep_clock=False)

    @asynccontextmanager
    async def aside(self, document: dict[str, Any], until_us: int) -> AsyncIterator["Aside"]:
        """A run of a document to ``until_us``, beside all rooms; ask it, then it is gone. Raises RunFailed."""
        async with self._asides:
            engine = await self.engines.take()
            name = f"aside {next(self._aside_numbers)}"
            try:
                await engine.ask(name, "open", document)
                while (await engine.ask(name, "replay", until_us))["t"] < until_us:
                    pass
                yield Aside(engine, name)
            finally:
                await self.engines.give_back(engine, name)

    async def close(self) -> None:
        """Store all clocks and end everything."""
        self._keeper.cancel()
        for key, room in list(self._rooms.items()):
            await self._drop(key, room, keep_clock=True)
        await self.engines.stop()
        await self.storage.close()

    async def _open(self, name: RoomName) -> Room:
        key = str(name)
        try:
            await self._make_space()
            run = await self.storage.load(key, name.scenario_id)
            audience = self._audiences.setdefault(key, [])
            room = Room(key, run, self.engines, self.storage, audience=audience)
            try:
                await room.open()
            except BaseException:
                await room.close()
                raise
            self._rooms[key] = room
            return room
        finally:
            del self._opening[key]
            if not self._audiences.get(key):
                self._audiences.pop(key, None)

    async def _make_space(self) -> None:
        if len(self._rooms) + len(self._opening) <= ROOMS_MAX:
            return
        empty = [(room.empty_since, key) for key, room in self._rooms.items() if not room.hub.viewers]
        if not empty:
            raise RoomFull(f"This server holds {ROOMS_MAX} running rooms, which is its limit. Try again in a minute.")
        key = min(empty)[1]
        await self._drop(key, self._rooms[key], keep_clock=True)

    async def _keep(self) -> None:
        """Once a second: store the clocks that moved, drop the rooms that nobody has looked at for long."""
        while True:
            await asyncio.sleep(CLOCK_STORE_S)
            try:
                await self._keep_clocks()
            except (EngineDied, RunFailed, RoomEnded):
                pass  # the room finds out by itself
            except DatabaseError:
                log.exception("the clocks of the rooms could not be stored; trying again in a second")
            now = time.monotonic()
            for key, room in list(self._rooms.items()):
                if not room.hub.viewers and now - room.empty_since > UNATTENDED_DROP_S:
                    await self._drop(key, room, keep_clock=True)

    async def _keep_clocks(self) -> None:
        moved = [room for room in self._rooms.values() if room.has_unstored_clock and not room.ended]
        if moved:
            await self.storage.keep_clocks([await room.clock_to_store() for room in moved])

    async def _drop(self, key: str, room: Room, *, keep_clock: bool) -> None:
        self._rooms.pop(key, None)
        with contextlib.suppress(EngineDied, RunFailed, RoomEnded):
            if keep_clock and room.has_unstored_clock:
                await self.storage.keep_clocks([await room.clock_to_store()])
        with contextlib.suppress(EngineDied):
            await room.close()


class Aside:
    """A run that no room shows."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name

    async def ask(self, operation: str, *arguments: Any) -> Any:
        """One operation on the run."""
        return await self._engine.ask(self._name, operation, *arguments)


_claims: dict[Path, Claim] = {}


def _claim(data: Path) -> None:
    """Hold the rooms of a data folder for the life of this process. Raises CannotStart in words."""
    if data not in _claims:
        _claims[data] = Claim(data, "rooms", "")


_hosts: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Host] = weakref.WeakKeyDictionary()


def host() -> Host:
    """The host of the running event loop, made at the first call. Raises CannotStart."""
    loop = asyncio.get_running_loop()
    if loop not in _hosts:
        _hosts[loop] = Host()
    return _hosts[loop]


def host_if_any() -> Host | None:
    """The host of the running event loop, if there is one."""
    return _hosts.get(asyncio.get_running_loop())
