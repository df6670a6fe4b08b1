"""The web process's side of the engine processes: start them, ask them, notice when one dies."""

import asyncio
import itertools
import os
import sys
from typing import Any

import msgpack

from playground.engine.pipe import FAILED, LENGTH, REFUSED
from playground.environment import ROOT
from playground.rooms.limits import ENGINE_PROCESSES_MAX


class EngineDied(Exception):
    """The engine's process ended while it was asked; its rooms come back by replay in a new one."""


class ActionRefused(Exception):
    """The engine refuses an action; the message says why and what is allowed. The run is untouched."""


class RunFailed(Exception):
    """A run stopped on an error of its own (a broken invariant); everything before it is valid."""


class RoomEnded(Exception):
    """A room cannot go on; the message says why and what can be done."""


class Engine:
    """One engine process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[tuple[str, Any]]] = {}
        self._reader = asyncio.create_task(self._read())
        self.rooms = 0
        self.is_dead = False

    @classmethod
    async def start(cls) -> "Engine":
        """Start a process and return without waiting for its imports."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "playground.engine.process",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
            env=os.environ.copy(),
        )
        return cls(process)

    async def ask(self, room: str, operation: str, *arguments: Any) -> Any:
        """The result of one operation on a room's run. Raises ActionRefused, RunFailed or EngineDied."""
        if self.is_dead:
            raise EngineDied("the engine's process has ended")
        number = next(self._numbers)
        future: asyncio.Future[tuple[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        self._write(msgpack.packb([number, room, operation, list(arguments)]))
        status, result = await future
        if status == REFUSED:
            raise ActionRefused(result)
        if status == FAILED:
            raise RunFailed(result["error"])
        return result

    async def stop(self) -> None:
        """End the process: it ends by itself when its input ends."""
        self.is_dead = True
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._reader.cancel()
        try:
            await asyncio.wait_for(self._process.wait(), 2.0)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        self._fail_waiting()

    def _write(self, body: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(LENGTH.pack(len(body)) + body)

    async def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while True:
                head = await stdout.readexactly(LENGTH.size)
                body = await stdout.readexactly(LENGTH.unpack(head)[0])
                number, status, result = msgpack.unpackb(body, strict_map_key=False)
                future = self._waiting.pop(number)
                if not future.done():
                    future.set_result((status, result))
        except (asyncio.IncompleteReadError, ConnectionError):
            self.is_dead = True
            self._fail_waiting()
            await self._process.wait()

    def _fail_waiting(self) -> None:
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(EngineDied("the engine's process has ended"))
        self._waiting.clear()


class Engines:
    """The engine processes of one web process; a room goes to the one with the fewest rooms."""

    def __init__(self, number: int | None = None) -> None:
        self.number = number or max(1, min(ENGINE_PROCESSES_MAX, (os.cpu_count() or 2) - 1))
        self._engines: list[Engine] = []
        self._starting = asyncio.Lock()

    async def take(self) -> Engine:
        """The engine for one more room; ``give_back`` when the room leaves."""
        async with self._starting:
            self._engines = [engine for engine in self._engines if not engine.is_dead]
            if len(self._engines) < self.number:
                self._engines.append(await Engine.start())
            engine = min(self._engines, key=lambda engine: engine.rooms)
            engine.rooms += 1
            return engine

    async def give_back(self, engine: Engine, room: str) -> None:
        """The room no longer needs its run."""
        engine.rooms -= 1
        if not engine.is_dead:
            await engine.ask(room, "close")

    async def stop(self) -> None:
        """End all processes."""
        for engine in self._engines:
            await engine.stop()
        self._engines = []
