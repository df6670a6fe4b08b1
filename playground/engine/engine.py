"""The web process's side of one engine process: start it, ask it, notice when it dies."""

import asyncio
import itertools
import os
import pickle
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from playground.engine.limits import LIVE_MEMORY_BYTES_MAX
from playground.engine.pipe import (
    FAILED,
    KNOWN,
    LENGTH,
    NO_MEMORY,
    PART,
    READY,
    REFUSED,
    UNREADABLE,
    unpacked,
)
from playground.engine.problems import without_problems
from playground.engine.runs import Operation
from playground.engine.works import IMPORTED_FIRST, ServiceQuestion
from playground.environment import ROOT
from simengine.form import form_of_next

DIED: Final = "died"  # a status that no process sends
STOP_S: Final = 2.0
TOO_MUCH_MEMORY: Final = (
    f"it needs more memory than its process may have ({LIVE_MEMORY_BYTES_MAX // 1024**2:,} MiB); "
    "make a smaller document, with fewer partitions, replicas or clients"
)
Deliver = Callable[[str, Any], None]


class EngineDied(Exception):
    """The engine's process ended while it was asked; its rooms come back by replay in a new one."""


class ActionRefused(Exception):
    """The engine refuses an action; the message says why and what is allowed. The run is untouched."""


class RunFailed(Exception):
    """A run stopped on an error of its own (a broken invariant); everything before it is valid."""


class RunRefused(Exception):
    """No process takes a run; the message says why and what to do."""


class Engine:
    """One engine process. ``form``: of the engine in it."""

    def __init__(self, process: asyncio.subprocess.Process, form: str) -> None:
        self._process = process
        self.form = form
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Deliver] = {}
        self._started = asyncio.Event()
        self._reader = asyncio.create_task(self._read())
        self.is_ready = False  # it has begun, or would begin, a request as soon as it has it
        self.is_dead = False

    @classmethod
    async def start(cls, kind: str) -> "Engine":
        """Start a process (QUESTIONS, SMALL or LARGE) and return without waiting for its imports."""
        form = form_of_next()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "playground.engine.process",
            kind,
            *sorted(IMPORTED_FIRST[kind]),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
            env=os.environ.copy(),
        )
        return cls(process, form)

    def is_of_today(self) -> bool:
        """True if it lives, and a process that is started now would not have another form of the engine."""
        return not self.is_dead and self.form == form_of_next()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    async def started(self) -> None:
        """Wait until the process begins a request as soon as it has it, or has ended."""
        await self._started.wait()

    def ask(self, deliver: Deliver, room: str, asked: Operation | ServiceQuestion[Any], *arguments: Any) -> None:
        """Send a request: a question, or an operation on the run of a room with its arguments.

        Its answers go to ``deliver``, the last of them DIED where the process ends before.
        """
        if self.is_dead:
            deliver(DIED, None)
            return
        number = next(self._numbers)
        self._waiting[number] = deliver
        assert self._process.stdin is not None
        body = pickle.dumps((number, room, asked, arguments))
        self._process.stdin.write(LENGTH.pack(len(body)) + body)

    async def once(self, question: ServiceQuestion[Any]) -> AsyncIterator[tuple[str, Any]]:
        """The answers to a question, the last one too. Raises EngineDied."""
        answers: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self.ask(lambda status, result: answers.put_nowait((status, result)), "", question)
        while True:
            status, result = await answers.get()
            if status == DIED:
                raise EngineDied("the engine's process has ended")
            yield status, result
            if status not in (PART, KNOWN):
                return

    async def stop(self) -> None:
        """End the process: it ends by itself when its input ends."""
        self.is_dead = True
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._reader.cancel()
        try:
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        self._fail_waiting()

    async def kill(self) -> None:
        """End the process, whatever it does."""
        if self._process.returncode is None:
            self._process.kill()
        await self.stop()

    async def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while True:
                head = await stdout.readexactly(LENGTH.size)
                body = await stdout.readexactly(LENGTH.unpack(head)[0])
                number, status, result = unpacked(body)
                if status == READY:
                    self.is_ready = True
                    self._started.set()
                    continue
                deliver = self._waiting[number] if status in (PART, KNOWN) else self._waiting.pop(number)
                deliver(status, result)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.is_dead = True
            self._fail_waiting()
            await self._process.wait()

    def _fail_waiting(self) -> None:
        self._started.set()
        waiting, self._waiting = self._waiting, {}
        for deliver in waiting.values():
            deliver(DIED, None)


def result_of(status: str, result: Any) -> Any:
    """The result of a live request. Raises ActionRefused, RunFailed, EngineDied or a document's DocumentError."""
    if status == REFUSED:
        raise ActionRefused(result)
    if status == FAILED:
        raise RunFailed(result["error"])
    if status == NO_MEMORY:
        raise RunFailed(TOO_MUCH_MEMORY)
    if status == UNREADABLE:
        without_problems(result)
    if status == DIED:
        raise EngineDied("the engine's process has ended")
    return result
