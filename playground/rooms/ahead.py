"""Going ahead: a viewer opens a moment that has not been simulated yet, and the run goes there as fast as it can.

Nothing of the way is shown but how far it has come; at the end everybody gets the view. The slices of the way take
turns with the other runs of the engine's process, and the way ends early when somebody pauses, plays, steps or acts,
or when the viewer that wanted it has gone.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING

from playground.rooms import wire
from playground.rooms.limits import LOADING_EVERY_S
from playground.rooms.run import RoomRun

if TYPE_CHECKING:
    from playground.rooms.hub import Viewer
    from playground.rooms.room import Room


class Ahead:
    """The way of one room to a moment that is wanted; at most one at a time, the newest wish counts."""

    def __init__(self) -> None:
        self._wish = 0  # number of the newest wish
        self._one = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, way: Coroutine[None, None, None]) -> None:
        """Let a way (a call of ``go`` and what follows it) run by itself."""
        task = asyncio.create_task(way, name="ahead")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        """The room ends."""
        for task in self._tasks:
            task.cancel()

    def stop(self) -> None:
        """Somebody wants something else: the way ends where it is, and one that waits does not begin."""
        self._wish += 1

    async def go(self, room: "Room", until_us: int, viewer: "Viewer") -> None:
        """Pause, then run to ``until_us`` or to the run's limit of events; returns when everybody has the view."""
        self.stop()
        wish = self._wish
        async with self._one, room.lock:
            if wish != self._wish or viewer.is_gone:
                return
            room.clock.pause()
            room.tell_clock()
            if until_us > room.clock.t_us:
                await self._run(room, until_us, lambda: wish == self._wish and not viewer.is_gone)

    async def _run(self, room: "Room", until_us: int, is_wanted: Callable[[], bool]) -> None:
        told = 0.0
        reached = {"t": room.clock.t_us, "events": room.run.events}
        while reached["t"] < until_us and is_wanted() and not room.run.is_at_limit():
            reached = await room.run.ask(RoomRun.replay, until_us)
            room.run.events = reached["events"]
            if time.monotonic() - told > LOADING_EVERY_S:
                told = time.monotonic()
                room.hub.tell(wire.loading(reached["t"], until_us))
        await room.arrive(reached["t"])
