"""The engine processes of the live rooms: which one has a run, and whose turn it is in it.

A process does one request after another. It is sent few at a time (``ASKED_AHEAD_MAX``); the others wait here and take
turns by the holder of their room (``turns``), so that somebody with sixty playing rooms slows only his own. Small runs
and large ones have processes of their own (``Need``): no small run waits for a large one to be opened. A process that
has not answered for ``SILENCE_MAX_S`` is ended; its rooms come back by replay in another one, and the run that it
worked on comes back alone (``blamed``).
"""

import asyncio
import inspect
import logging
import math
import os
import time
from collections.abc import Callable
from typing import Any, Concatenate, NamedTuple, TypeVarTuple

from playground.engine.blamed import BlameCounts
from playground.engine.engine import DIED, Engine, EngineDied, RunRefused, result_of
from playground.engine.limits import (
    ASKED_AHEAD_MAX,
    LARGE_BYTES_MAX,
    LARGE_BYTES_OF_ADDRESS_MAX,
    LARGE_PROCESSES_MAX,
    OWN_PROCESSES_MAX,
    SILENCE_MAX_S,
    SLICE_GUESS_S,
    SMALL_PROCESSES_MAX,
    SMALL_SILENCE_MAX_S,
    START_SECONDS_MAX,
)
from playground.engine.need import Need
from playground.engine.pipe import LARGE, NO_MEMORY, SMALL
from playground.engine.runs import HeldRun, Operation, Runs
from playground.engine.turns import Holder, Turns
from playground.engine.works import P, R

log = logging.getLogger("playground.engine")
A = TypeVarTuple("A")

MIB = 1024 * 1024
LITTLE = Need()  # of a small run of which nothing is remembered
NO_SPACE = (
    f"The runs that are open fill the memory for large runs ({LARGE_BYTES_MAX // MIB:,} MiB a process). "
    "Try again in a minute, or make a smaller document."
)
NO_SPACE_OF_ADDRESS = (
    f"Runs from your address fill their share of the memory for large runs ({LARGE_BYTES_OF_ADDRESS_MAX // MIB:,} "
    "MiB). Close one, or make a smaller document."
)
NO_PROCESS_OF_ITS_OWN = (
    f"This run ended the simulation's process, so it is opened in a process of its own; all {OWN_PROCESSES_MAX} of "
    "these are in use. Try again in a minute, or make a smaller document."
)


class _Request(NamedTuple):
    future: asyncio.Future[Any]
    place: "RunPlace"
    operation: Operation
    arguments: tuple[Any, ...]


class LiveEngine:
    """One process that several runs share. ``kind``: SMALL or LARGE. ``is_own``: it is for one run alone."""

    def __init__(self, engine: Engine, kind: str, blame: Callable[[str, float], None], *, is_own: bool = False) -> None:
        self.engine = engine
        self.kind = kind
        self.is_own = is_own
        self.places: list[RunPlace] = []
        self._blame = blame
        self._turns: Turns[_Request] = Turns(SLICE_GUESS_S)
        self._asked = 0  # requests that the process has
        self._answered_at = 0.0
        self._silence: asyncio.TimerHandle | None = None
        self._killing: asyncio.Task[None] | None = None
        self._is_over = False  # it was stopped, or its death was seen

    @property
    def is_dead(self) -> bool:
        """True once its process has ended."""
        return self.engine.is_dead

    @property
    def rooms(self) -> int:
        """The number of its runs."""
        return len(self.places)

    def has_space(self, need: Need) -> bool:
        """True where the estimated memory of one more run fits; small runs are limited by their number."""
        return self.kind == SMALL or sum(place.need.bytes for place in self.places) + need.bytes <= LARGE_BYTES_MAX

    async def ask(self, place: "RunPlace", operation: Operation, *arguments: Any) -> Any:
        """The result of one operation on a run, when its holder has a turn. Raises as ``result_of`` does."""
        if self.is_dead:
            raise EngineDied("the engine's process has ended")
        request = _Request(asyncio.get_running_loop().create_future(), place, operation, arguments)
        self._turns.put(place.holder(), request)
        self._send()
        return result_of(*await request.future)

    async def stop(self) -> None:
        """End the process."""
        self._is_over = True
        await self.engine.stop()
        self._fail_waiting()
        self._listen()

    def _listen(self) -> None:
        """Begin the time anew within which the process has to answer."""
        if self._silence is not None:
            self._silence.cancel()
        is_asked = self._asked > 0 and not self.is_dead
        seconds = self._silence_max_s()
        self._silence = asyncio.get_running_loop().call_later(seconds, self._end, seconds) if is_asked else None

    def _silence_max_s(self) -> float:
        most = SMALL_SILENCE_MAX_S if self.kind == SMALL else SILENCE_MAX_S
        return most if self.engine.is_ready else max(most, START_SECONDS_MAX)

    def _end(self, seconds: float) -> None:
        log.warning("engine process %s has not answered for %g s and is ended", self.engine.pid, seconds)
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
            receiver = self._receiver(holder, request)
            self.engine.ask(receiver, request.place.room, request.operation, *request.arguments)

    def _receiver(self, holder: Holder, request: _Request) -> Callable[[str, Any], None]:
        sent_at = time.monotonic()

        def receive(status: str, result: Any) -> None:
            now = time.monotonic()
            worked_s = now - max(sent_at, self._answered_at)
            self._turns.correct(holder, worked_s)
            self._answered_at = now
            self._asked -= 1
            self._listen()
            self._look_for_blame(status, request.place.need.key, worked_s)
            if not request.future.done():
                request.future.set_result((status, result))
            if status == DIED:
                self._fail_waiting()
            else:
                self._send()

        return receive

    def _look_for_blame(self, status: str, key: str, worked_s: float) -> None:
        """Blame the run that the process worked on when it died: the first one that is told. A start has no run."""
        is_death = status == DIED and not self._is_over
        self._is_over = self._is_over or is_death
        if key and status == NO_MEMORY:
            self._blame(key, math.inf)
        elif key and is_death and self.engine.is_ready:
            self._blame(key, worked_s)

    def _fail_waiting(self) -> None:
        for request in self._turns.clear():
            if not request.future.done():
                request.future.set_result((DIED, None))


class RunPlace:
    """The place of a run in a process. ``holder()``: whose turns it takes."""

    def __init__(self, engine: LiveEngine, room: str, holder: Callable[[], Holder], need: Need) -> None:
        self.engine = engine
        self.room = room
        self.holder = holder
        self.need = need
        engine.places.append(self)

    @property
    def is_dead(self) -> bool:
        """True once the process has ended, and the run with it."""
        return self.engine.is_dead

    @property
    def form(self) -> str:
        """The form of the engine in it."""
        return self.engine.engine.form

    async def open(self, build: Callable[[*A], HeldRun], *arguments: *A) -> dict[str, Any]:
        """Build the run; what it then says (`HeldRun.opened`). Raises as `ask` does, and DocumentError."""
        opened: dict[str, Any] = await self.engine.ask(self, Runs.open, build, *arguments)
        return opened

    async def ask(self, operation: Callable[Concatenate[Any, P], R], *arguments: P.args, **named: P.kwargs) -> R:
        """The result of a method of the run. Raises ActionRefused, RunFailed or EngineDied."""
        by_place = inspect.signature(operation).bind(None, *arguments, **named).args[1:] if named else arguments
        result: R = await self.engine.ask(self, operation, *by_place)
        return result

    async def give_back(self) -> None:
        """The run is not needed any more."""
        self.engine.places.remove(self)
        if not self.is_dead:
            await self.engine.ask(self, Runs.close)


class Engines:
    """The processes for live rooms of one web process; a run goes to the one of its kind with the fewest.

    Once the engine has been compiled, runs go to new processes; those before keep their runs, and end with the last.
    """

    def __init__(self, number: int | None = None) -> None:
        cores = os.cpu_count() or 2
        small = number or max(1, min(SMALL_PROCESSES_MAX, cores - 1))
        self.numbers = {SMALL: small, LARGE: max(1, min(LARGE_PROCESSES_MAX, cores // 2))}
        self._engines: list[LiveEngine] = []
        self._starting = asyncio.Lock()
        self._stopping: set[asyncio.Task[None]] = set()
        self._blamed = BlameCounts()

    async def take(self, room: str, holder: Callable[[], Holder], need: Need = LITTLE) -> RunPlace:
        """A place for one more run; ``give_back`` when it leaves. Raises RunRefused."""
        async with self._starting:
            self._end_what_is_over()
            is_alone = self._blamed.is_blamed(need.key)
            engine = await (self._own() if is_alone else self._shared(need, holder().address))
            return RunPlace(engine, room, holder, need)

    async def _shared(self, need: Need, address: str) -> LiveEngine:
        kind = LARGE if need.is_large else SMALL
        fitting = [one for one in self._engines if one.kind == kind and not one.is_own and one.engine.is_of_today()]
        if need.is_large:
            self._must_share(need, address)
        if len(fitting) < self.numbers[kind]:
            fitting.append(await self._start(kind))
        found = min((one for one in fitting if one.has_space(need)), key=lambda one: one.rooms, default=None)
        if found is None:
            raise RunRefused(NO_SPACE)
        return found

    def _must_share(self, need: Need, address: str) -> None:
        """Raises RunRefused where the large runs of one address would have more than their share."""
        places = [place for one in self._engines if one.kind == LARGE and not one.is_dead for place in one.places]
        used = sum(place.need.bytes for place in places if place.holder().address == address)
        if address and used + need.bytes > LARGE_BYTES_OF_ADDRESS_MAX:
            raise RunRefused(NO_SPACE_OF_ADDRESS)

    async def _own(self) -> LiveEngine:
        """A process for one run. Raises RunRefused."""
        if sum(one.is_own for one in self._engines) >= OWN_PROCESSES_MAX:
            raise RunRefused(NO_PROCESS_OF_ITS_OWN)
        return await self._start(LARGE, is_own=True)

    async def _start(self, kind: str, *, is_own: bool = False) -> LiveEngine:
        engine = LiveEngine(await Engine.start(kind), kind, self._blamed.blame, is_own=is_own)
        self._engines.append(engine)
        return engine

    def _end_what_is_over(self) -> None:
        """Forget dead processes; end those without a run that are for one alone, or overtaken by a compiled engine."""
        over = [one for one in self._engines if not one.rooms and (one.is_own or not one.engine.is_of_today())]
        self._engines = [one for one in self._engines if not one.is_dead and one not in over]
        for engine in over:
            stopping = asyncio.create_task(engine.stop())
            self._stopping.add(stopping)
            stopping.add_done_callback(self._stopping.discard)

    async def stop(self) -> None:
        """End all processes."""
        for engine in self._engines:
            await engine.stop()
        await asyncio.gather(*self._stopping)
        self._engines = []
