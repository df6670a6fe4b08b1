"""The heartbeat of a room: thirty times a second it runs the engine up to now and shows what happened."""

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING

from django.db import DatabaseError

from playground.engine.engine import EngineDied, RunFailed
from playground.rooms.limits import FRAMES_PER_SECOND, SNAPSHOT_EVERY_S, SPEED_NORMAL_US, STORAGE_RETRY_S
from playground.rooms.live_run import RoomEnded

if TYPE_CHECKING:
    from playground.rooms.room import Room

SUMMARY_EVERY_S = 1.0

log = logging.getLogger(__name__)


class Ticker:
    """Plays one room. It sleeps while the room stands still and nobody waits for a snapshot."""

    def __init__(self, room: "Room") -> None:
        self.room = room
        self._awake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._last_snapshot = 0.0
        self._last_summary = 0.0

    def start(self) -> None:
        """Begin to play."""
        self._task = asyncio.create_task(self._play(), name=f"room {self.room.name}")

    def stop(self) -> None:
        """No more ticks."""
        if self._task is not None:
            self._task.cancel()

    def wake(self) -> None:
        """Look again at what the room wants."""
        self._awake.set()

    async def _play(self) -> None:
        was_running = False
        while True:
            self._awake.clear()
            begin = time.monotonic()
            is_running = self.room.is_running()
            if is_running and not was_running:
                self.room.clock.play(begin)
            was_running = is_running
            await self._try(begin, is_running)
            await self._until_next(begin, is_running)

    async def _try(self, begin: float, is_running: bool) -> None:
        room = self.room
        try:
            async with room.lock:
                await (self._tick(begin) if is_running else self._serve_snapshots(begin))
        except RunFailed as failure:
            room.end("failed", f"The simulation stopped because of an error in it: {failure}")
        except EngineDied:
            self.wake()  # the next question rebuilds the run
        except DatabaseError:
            log.warning("room %s waits for the database", room.name, exc_info=True)
            await asyncio.sleep(STORAGE_RETRY_S)
            self.wake()
        except RoomEnded as ending:
            room.end("failed", str(ending))
        except Exception as error:
            log.exception("room %s", room.name)
            room.end("failed", f"The room stopped because of an error in it: {type(error).__name__}.")

    async def _until_next(self, begin: float, is_running: bool) -> None:
        if is_running:
            await asyncio.sleep(max(0.0, begin + 1 / FRAMES_PER_SECOND - time.monotonic()))
            return
        is_waiting = any(viewer.needs_snapshot for viewer in self.room.hub.viewers)
        with contextlib.suppress(TimeoutError):
            # not wait_for: Python 3.11's forgets a cancel that comes together with what it waits for
            async with asyncio.timeout(SNAPSHOT_EVERY_S if is_waiting else None):
                await self._awake.wait()

    async def _tick(self, wall: float) -> None:
        room, clock = self.room, self.room.clock
        is_skipping = self._choose_pace(wall)
        due = clock.due(wall)
        flush = wall - self._last_summary >= SUMMARY_EVERY_S
        if flush:
            self._last_summary = wall
        before = clock.t_us
        frame = await room.advance(due, stop_at_event=is_skipping, flush=flush)
        clock.t_us = before
        clock.reached(frame["t"], due, wall)
        await self._serve_snapshots(wall)
        room.run.note_health()
        room.look_at_limit()

    def _choose_pace(self, wall: float) -> bool:
        """Set the clock to the speed of this moment; whether the run goes fast and has to stop at the next event."""
        room, clock = self.room, self.room.clock
        if room.is_auto:
            state = (clock.t_us, room.run.is_due, room.run.coming_us)
            clock.set_speed(room.pace.speed_us(*state), wall)
            return room.pace.is_skipping(*state)
        if not room.eases or room.chosen_us <= SPEED_NORMAL_US:
            return False
        is_held = room.pace.is_held(clock.t_us)
        clock.set_speed(SPEED_NORMAL_US if is_held else room.chosen_us, wall)
        return not is_held

    async def _serve_snapshots(self, wall: float) -> None:
        waiting = self.room.hub.waiting_for_snapshot()
        if waiting and wall - self._last_snapshot >= SNAPSHOT_EVERY_S:
            self._last_snapshot = wall
            await self.room.send_snapshot(waiting)
