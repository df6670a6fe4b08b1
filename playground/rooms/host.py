"""All rooms of one web process: which run is in memory, whose clock is stored, what is dropped.

One host to an event loop, made by the first room. The process holds the rooms of its data folder: a second one on the
same data would run them twice, so it is refused.
"""

import asyncio
import itertools
import logging
import time
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Concatenate

from django.conf import settings
from django.db import DatabaseError

from playground.engine.engine import EngineDied, RunFailed
from playground.engine.live import Engines, RunPlace
from playground.engine.turns import Holder
from playground.engine.works import P, R
from playground.rooms import wire
from playground.rooms.evict_rooms import GAVE_WAY, HeldRoom, gives_way
from playground.rooms.hub import Viewer
from playground.rooms.lanes import QUICK_SLICES, Lane, Lanes
from playground.rooms.limits import ASIDE_WALL_S, CLOCK_STORE_S, UNATTENDED_DROP_S
from playground.rooms.live_run import RoomEnded
from playground.rooms.names import RoomName
from playground.rooms.room import Room
from playground.rooms.room_places import must_fit
from playground.rooms.run import RoomRun
from playground.rooms.run_limit import is_over, limit_words
from playground.rooms.storage import Storage, StoredClock
from playground.rooms.work import run_of
from playground.scenarios import outside
from playground.scenarios.documents import StoredScenario
from playground.scenarios.models import Scenario
from playground.supervisor.instance import Claim

log = logging.getLogger(__name__)


class RoomRunTooLong(Exception):
    """A moment has more events before it than one run may have, or takes too long; the message says how far it came."""


class Host:
    """The rooms that are in memory."""

    def __init__(self) -> None:
        _claim(Path(settings.DATA_DIR))
        self.engines = Engines()
        self.storage = Storage()
        self._rooms: dict[str, Room] = {}
        self._lanes = Lanes()
        self._aside_numbers = itertools.count(1)
        self._closing: set[asyncio.Task[None]] = set()  # runs beside the rooms
        self._leaving: dict[str, asyncio.Task[None]] = {}  # rooms that are being closed
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._openers: dict[str, Holder] = {}  # of rooms in memory and of those that open
        self._audiences: dict[str, list[Viewer]] = {}  # viewers that wait for a room to come back
        self._keeper = asyncio.create_task(self._keep(), name="rooms keeper")

    async def enter(self, name: RoomName, viewer: Viewer, have_seq: int) -> Room:
        """Bring a viewer into a room, which comes back from storage if need be.

        Raises RoomFull, NoSuchRun, RoomEnded, RunTooLarge, DocumentError, or NotAnswered where its size is not known.
        """
        must_fit(viewer, self._viewers(str(name)))
        audience = self._audiences.setdefault(str(name), [])
        audience.append(viewer)
        try:
            room = await self.room(name, viewer.visitor())
            greeting = {"owner": viewer.may_act, "control": viewer.may_steer}
            await room.join(viewer, have_seq, greeting)
        finally:  # not before it has joined: until then its waiting alone keeps the room from being dropped
            audience.remove(viewer)
            if not audience:
                self._audiences.pop(str(name), None)
        return room

    async def room(self, name: RoomName, asker: Holder) -> Room:
        """The room of this name. Several callers share one opening, which goes on when one of them leaves."""
        key = str(name)
        if (room := self._rooms.get(key)) is not None:
            return room
        if key not in self._opening:
            self._openers[key] = asker
            self._opening[key] = asyncio.create_task(self._open(name), name=f"opening {key}")
            self._opening[key].add_done_callback(_look_at)
        return await asyncio.shield(self._opening[key])

    async def reached_us(self, scenario: Scenario) -> int:
        """The furthest moment to which a run has been simulated in any room, in memory or not."""
        live = [room.clock.t_us for room in self._rooms.values() if room.run.stored.scenario_id == scenario.id]
        return max(scenario.moment_us, await self.storage.reached_us(scenario.id), *live)

    def names(self) -> list[str]:
        """The rooms that are in memory, those that are being closed among them."""
        return [*self._rooms, *self._leaving]

    def closing(self) -> list[str]:
        """The rooms that are being closed: in memory until their clocks are stored."""
        return list(self._leaving)

    async def forget(self, scenario_id: str, reason: str) -> None:
        """A run was deleted: its rooms end."""
        for key, room in list(self._rooms.items()):
            if room.run.stored.scenario_id == scenario_id:
                room.end("deleted", reason)
                await self._drop(key, keep_clock=False)

    def leave_to(self, scenario_id: str, browser: str, reason: str) -> None:
        """The edit link of a run was replaced: in its rooms, only ``browser`` may act from now on."""
        for name, waiting in self._audiences.items():
            if RoomName.read(name).scenario_id == scenario_id:
                for viewer in waiting:
                    viewer.leave_to(browser)
        for room in self._rooms.values():
            if room.run.stored.scenario_id == scenario_id:
                room.leave_to(browser, reason)

    @asynccontextmanager
    async def aside(self, stored: StoredScenario, until_us: int, asker: Holder) -> AsyncIterator["Aside"]:
        """A stored run to ``until_us``, beside all rooms; ask it.

        Raises DocumentError, RunFailed, RoomRunTooLong, RunTooLarge, RunRefused or NotAnswered.
        """
        need = await outside.need(stored, asker, until_us)
        async with self._lanes.lane(asker) as lane:
            place = await self.engines.take(f"aside {next(self._aside_numbers)}", lambda: asker, need)
            try:
                run = Aside(place, lane)
                await run.begin(stored, until_us)
                yield run
            finally:
                self._give_back(place)

    def _give_back(self, place: RunPlace) -> None:
        """Close a run beside the rooms; nobody waits for it, as its process may still be busy with it."""
        closing = asyncio.create_task(place.give_back(), name="closing a run beside the rooms")
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)
        closing.add_done_callback(_log_failure)

    async def close(self) -> None:
        """Store all clocks and end everything."""
        self._keeper.cancel()
        for key in list(self._rooms):
            await self._drop(key, keep_clock=True)
        await self.engines.stop()
        await self.storage.close()

    async def _open(self, name: RoomName) -> Room:
        key = str(name)
        try:
            if (leaving := self._leaving.get(key)) is not None:
                await leaving  # the clock that it stores is where this one begins
            await self._make_space(key)
            run = await self.storage.load(key, name.scenario_id)
            run.document = await outside.sized(run.document, self._openers[key])
            await outside.need(run.document, self._openers[key])  # refused before anything is begun
            audience = self._audiences.setdefault(key, [])
            room = Room(key, run, self.engines, self.storage, self._openers[key], audience=audience)
            try:
                await room.open()
            except BaseException:
                await room.close()
                raise
            self._rooms[key] = room
            return room
        finally:
            del self._opening[key]
            if key not in self._rooms:
                self._openers.pop(key, None)
            if not self._audiences.get(key):
                self._audiences.pop(key, None)

    async def _make_space(self, newcomer: str) -> None:
        """Drop the rooms that give way to the newcomer. Raises RoomFull."""
        while (key := gives_way(self._held(newcomer), self._openers[newcomer])) is not None:
            self._rooms[key].hub.tell(wire.end("full", GAVE_WAY, self._rooms[key].clock.t_us))
            await self._drop(key, keep_clock=True)

    def _held(self, newcomer: str) -> list[HeldRoom]:
        """All rooms but the newcomer's, the oldest first."""
        live = [
            HeldRoom(key, room.holder(), room.empty_since if self._is_empty(key) else None)
            for key, room in self._rooms.items()
        ]
        return live + [HeldRoom(key, self._openers[key], is_opening=True) for key in self._opening if key != newcomer]

    def _is_empty(self, key: str) -> bool:
        """True if nobody is in a room or on the way in."""
        return not self._viewers(key)

    def _viewers(self, key: str) -> set[Viewer]:
        """The viewers in a room or on the way in."""
        room = self._rooms.get(key)
        return {*(room.hub.viewers if room else ()), *self._audiences.get(key, ())}

    async def _keep(self) -> None:
        """Once a second: store the clocks that moved, drop the rooms that nobody has looked at for long."""
        while True:
            await asyncio.sleep(CLOCK_STORE_S)
            try:
                await self._keep_clocks()
                await self._drop_unattended()
            except Exception:  # whatever it was: without this task no clock is stored and no room ever dropped
                log.exception("the rooms could not be kept; trying again in %s s", CLOCK_STORE_S)

    async def _keep_clocks(self) -> None:
        moved = [room for room in self._rooms.values() if room.has_unstored_clock and not room.ended]
        idle = [room for room in moved if not room.lock.locked()]  # a room that is busy has its turn later
        clocks = [clock for clock in await asyncio.gather(*map(_clock_of, idle)) if clock is not None]
        try:
            if clocks:
                await self.storage.keep_clocks(clocks)
        except DatabaseError:
            log.warning("the clocks of the rooms are not stored; trying again in %s s", CLOCK_STORE_S, exc_info=True)
            for room in idle:
                room.has_unstored_clock = True

    async def _drop_unattended(self) -> None:
        now = time.monotonic()
        for key, room in list(self._rooms.items()):
            if self._rooms.get(key) is not room:  # it went while another one was dropped
                continue
            is_unattended = self._is_empty(key) and now - room.empty_since > UNATTENDED_DROP_S
            if is_unattended and not room.lock.locked():
                await self._drop(key, keep_clock=True)

    async def _drop(self, key: str, *, keep_clock: bool) -> None:
        """Close a room; who wants it meanwhile waits until that is done."""
        room = self._rooms.pop(key, None)
        if room is None:
            return
        self._openers.pop(key, None)
        self._leaving[key] = asyncio.create_task(self._close(room, keep_clock=keep_clock), name=f"closing {key}")
        self._leaving[key].add_done_callback(lambda _: self._leaving.pop(key))
        await asyncio.shield(self._leaving[key])

    async def _close(self, room: Room, *, keep_clock: bool) -> None:
        try:
            if keep_clock and room.has_unstored_clock and (clock := await _clock_of(room)) is not None:
                await self.storage.keep_clocks([clock])
        except DatabaseError:
            log.warning("room %s: its last clock is not stored", room.name, exc_info=True)
        try:
            await room.close()
        except Exception:  # nobody is in the room any more, and the next one is already awaited
            log.exception("room %s was not closed properly", room.name)


def _look_at(task: asyncio.Task[Any]) -> None:
    """Take note of how a task failed, which asyncio logs as an error where all who waited for it have left."""
    if not task.cancelled():
        task.exception()


def _log_failure(task: asyncio.Task[Any]) -> None:
    """Log how a task failed that nobody waits for; an engine that died has ended its runs, and is logged itself."""
    if not task.cancelled() and (failure := task.exception()) is not None and not isinstance(failure, EngineDied):
        log.error("%s failed", task.get_name(), exc_info=failure)


async def _clock_of(room: Room) -> StoredClock | None:
    """The clock of a room as it is to be stored, None where its engine cannot say: the room finds out by itself."""
    try:
        return await room.clock_to_store()
    except (EngineDied, RunFailed, RoomEnded):
        return None
    except Exception:  # one room's trouble is not that of the others
        log.exception("room %s", room.name)
        return None


class Aside:
    """A run that no room shows."""

    def __init__(self, place: RunPlace, lane: Lane) -> None:
        self._place = place
        self._lane = lane
        self._reached_us = 0

    async def ask(self, operation: Callable[Concatenate[RoomRun, P], R], *arguments: P.args, **named: P.kwargs) -> R:
        """One operation on the run."""
        return await self._place.ask(operation, *arguments, **named)

    async def begin(self, stored: StoredScenario, until_us: int) -> None:
        """Open the run and bring it to ``until_us``. Raises as ``Host.aside`` does."""
        async with self._in_time(until_us):
            await self._place.open(run_of, stored)
        await self.reach(until_us)

    async def reach(self, until_us: int) -> None:
        """Run on to ``until_us``, at a long place if that takes long.

        Raises RunFailed, RoomRunTooLong or NotAnswered.
        """
        while not await self._replay(until_us):
            await self._lane.move()

    async def _replay(self, until_us: int) -> bool:
        """Run on to ``until_us``, at a quick place for so many slices; True once it is there."""
        async with self._in_time(until_us):
            for _ in itertools.repeat(None) if self._lane.is_long else range(QUICK_SLICES):
                reached = await self.ask(RoomRun.replay, until_us)
                if (t_us := reached["t"]) >= until_us:
                    return True
                self._reached_us = t_us
                if is_over(reached["events"], self._place.form):
                    raise RoomRunTooLong(f"{limit_words(self._place.form)} It ended before {t_us / 1e6:.3f} s.")
        return False

    @asynccontextmanager
    async def _in_time(self, until_us: int) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(ASIDE_WALL_S):
                yield
        except TimeoutError:
            to = f"{until_us / 1e6:.3f} s"
            raise RoomRunTooLong(
                f"Computing this run to {to} takes more than {ASIDE_WALL_S:.0f} s here, which is the limit; it came to "
                f"{self._reached_us / 1e6:.3f} s. Ask for an earlier moment."
            ) from None


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
