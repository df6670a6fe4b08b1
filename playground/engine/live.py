"""The engine processes of the live rooms: which one has a run, and whose turn it is in it.

A process does one request after another. It is sent few at a time (``ASKED_AHEAD_MAX``); the others wait here and take
turns by the holder of their room (``turns``), so that somebody with sixty playing rooms slows only his own. A process
that has not answered for ``SILENCE_MAX_S`` is ended; its rooms come back by replay in another one.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from playground.engine.engine import DIED, Engine, EngineDied, result_of
from playground.engine.limits import ASKED_AHEAD_MAX, LIVE_PROCESSES_MAX, SILENCE_MAX_S, SLICE_GUESS_S
from playground.engine.pipe import LIVE
from playground.engine.turns import Holder, Turns

log = logging.getLogger("playground.engine")


class _Request(NamedTuple):
    future: asyncio.Future[Any]
    room: str
    operation: str
    arguments: tuple[Any, ...]


class LiveEngine:
    """One process that several rooms share."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.rooms = 0
        self._turns: Turns[_Request] = Turns(SLICE_GUESS_S)
        self._asked = 0  # requests that the process has
        self._answered_at = 0.0
        self._silence: asyncio.TimerHandle | None = None
        self._killing: asyncio.Task[None] | None = None

    @property
    def is_dead(self) -> bool:
        """Whether its process has ended."""
        return self.engine.is_dead

    async def ask(self, holder: Holder, room: str, operation: str, *arguments: Any) -> Any:
        """The result of one operation on a room's run, when the holder has a turn. Raises as ``result_of`` does."""
        if self.is_dead:
            raise EngineDied("the engine's process has ended")
        request = _Request(asyncio.get_running_loop().create_future(), room, operation, arguments)
        self._turns.put(holder, request)
        self._send()
        return result_of(*await request.future)

    async def stop(self) -> None:
        """End the process."""
        await self.engine.stop()
        self._fail_waiting()
        self._listen()

    def _listen(self) -> None:
        """Begin the time anew within which the process has to answer."""
        if self._silence is not None:
            self._silence.cancel()
        is_asked = self._asked > 0 and not self.is_dead
        self._silence = asyncio.get_running_loop().call_later(SILENCE_MAX_S, self._end) if is_asked else None

    def _end(self) -> None:
        log.warning("engine process %s has not answered for %g s and is ended", self.engine.pid, SILENCE_MAX_S)
        self._killing = asyncio.create_task(self.engine.kill())

    def _send(self) -> None:
        while self._asked < ASKED_AHEAD_MAX and (taken := self._turns.take()) is not None:
            holder, request = taken
            if request.future.done():  # who asked has gone
                self._turns.correct(holder, 0.0)
                continue
            self._asked += 1
            if self._silence is None:
                self._listen()
            self.engine.ask(self._receiver(holder, request), request.room, request.operation, *request.arguments)

    def _receiver(self, holder: Holder, request: _Request) -> Callable[[str, Any], None]:
        sent_at = time.monotonic()

        def receive(status: str, result: Any) -> None:
            now = time.monotonic()
            self._turns.correct(holder, now - max(sent_at, self._answered_at))
            self._answered_at = now
            self._asked -= 1
            self._listen()
            if not request.future.done():
                request.future.set_result((status, result))
            if status == DIED:
                self._fail_waiting()
            else:
                self._send()

        return receive

    def _fail_waiting(self) -> None:
        for request in self._turns.clear():
            if not request.future.done():
                request.future.set_result((DIED, None))


class Place:
    """The place of a run in a process. ``holder()``: whose turns it takes."""

    def __init__(self, engine: LiveEngine, room: str, holder: Callable[[], Holder]) -> None:
        self.engine = engine
        self._room = room
        self._holder = holder

    @property
    def is_dead(self) -> bool:
        """Whether the process has ended, and the run with it."""
        return self.engine.is_dead

    @property
    def form(self) -> str:
        """The form of the engine in it."""
        return self.engine.engine.form

    async def ask(self, operation: str, *arguments: Any) -> Any:
        """The result of one operation on the run. Raises ActionRefused, RunFailed or EngineDied."""
        return await self.engine.ask(self._holder(), self._room, operation, *arguments)

    async def give_back(self) -> None:
        """The run is not needed any more."""
        self.engine.rooms -= 1
        if not self.is_dead:
            await self.ask("close")


class Engines:
    """The processes for live rooms of one web process; a run goes to the one with the fewest.

    Once the engine has been compiled, runs go to new processes; those before keep their runs, and end with the last.
    """

    def __init__(self, number: int | None = None) -> None:
        self.number = number or max(1, min(LIVE_PROCESSES_MAX, (os.cpu_count() or 2) - 1))
        self._engines: list[LiveEngine] = []
        self._starting = asyncio.Lock()

    async def take(self, room: str, holder: Callable[[], Holder]) -> Place:
        """A place for one more run; ``give_back`` when it leaves."""
        async with self._starting:
            await self._end_what_is_over()
            fitting = [engine for engine in self._engines if engine.engine.is_of_today()]
            if len(fitting) < self.number:
                fitting.append(LiveEngine(await Engine.start(LIVE)))
                self._engines.append(fitting[-1])
            engine = min(fitting, key=lambda engine: engine.rooms)
            engine.rooms += 1
            return Place(engine, room, holder)

    async def _end_what_is_over(self) -> None:
        """Forget dead processes; end those without a room that a compiled engine has overtaken."""
        for engine in self._engines:
            if not engine.rooms and not engine.engine.is_of_today():
                await engine.stop()
        self._engines = [engine for engine in self._engines if not engine.is_dead]

    async def stop(self) -> None:
        """End all processes."""
        for engine in self._engines:
            await engine.stop()
        self._engines = []
