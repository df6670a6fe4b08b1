"""Questions to the engine service: work that grows with what somebody sends, done outside the web process.

A question has a budget of time, memory and output (``limits``). A process that goes over it ends, and another takes its
place. Whoever asks the same at the same time shares one answer; a question that nobody waits for any more is ended.
The service runs in a thread with an event loop of its own: views may ask from any loop.
"""

import asyncio
import atexit
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Final

from playground.engine.engine import Engine, EngineDied
from playground.engine.kept import AnswerCache
from playground.engine.limits import IDLE_PROCESSES_MAX, IDLE_PROCESSES_MIN, LINGER_SECONDS, START_SECONDS_MAX, Budget
from playground.engine.pipe import FAILED, KNOWN, OK, PART, QUESTIONS
from playground.engine.places import Places
from playground.engine.refusals import ENDED, STARTS_SLOWLY, NotAnswered, WorkFailed, too_long
from playground.engine.turns import Holder
from playground.engine.works import ServiceQuestion

WAITS: Final = b""  # a part that says: the question waits for its turn
END_S: Final = 5.0
Give = Callable[[bytes], None]


class _Flight:
    """A question on its way: the parts so far, and who listens."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.listeners: list[Give] = []
        self.task: asyncio.Task[None]

    def give(self, part: bytes) -> None:
        self.parts.append(part)
        for listener in self.listeners:
            listener(part)

    def wait(self) -> None:
        self.give(WAITS)


class Questions:
    """The processes of one web process, started when the first question comes."""

    def __init__(self) -> None:
        self.kept = AnswerCache()
        self._idle: list[Engine] = []
        self._busy: set[Engine] = set()
        self._flights: dict[str, _Flight] = {}
        self._places: dict[Budget, Places] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._starting = threading.Lock()
        self._starting_spare: asyncio.Task[None] | None = None

    # --- from any thread ---

    async def answer(self, question: ServiceQuestion[Any], holder: Holder) -> bytes:
        """The answer as JSON; a caller that is cancelled leaves its question. Raises NotAnswered or WorkFailed."""
        parts: list[bytes] = []
        await asyncio.wrap_future(self._in_loop(self._answer(question, holder, parts.append)))
        return parts[-1]

    async def parts(self, question: ServiceQuestion[Any], holder: Holder) -> AsyncGenerator[bytes, None]:
        """The parts of an answer as they come, each JSON; WAITS where it waits. Raises NotAnswered or WorkFailed."""
        loop, parts = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()

        def give(part: bytes | None) -> None:
            loop.call_soon_threadsafe(parts.put_nowait, part)

        asked = self._in_loop(self._answer(question, holder, give))
        asked.add_done_callback(lambda _: give(None))
        try:
            while (part := await parts.get()) is not None:
                yield part
            asked.result()
        finally:
            asked.cancel()

    def warm(self) -> None:
        """Start a process for the question that will come, unless one waits already; returns at once."""
        self._in_loop(self._warm())

    def end(self) -> None:
        """End all processes."""
        loop = self._loop
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self._end(), loop).result(END_S)

    def _in_loop(self, work: Coroutine[Any, Any, None]) -> "Future[None]":
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="engine service", daemon=True).start()
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    # --- in the loop of the service ---

    async def _answer(self, question: ServiceQuestion[Any], holder: Holder, give: Give) -> None:
        """Give the parts of an answer: kept ones, those of somebody who asks the same, or new ones."""
        key = question.key() if question.work.is_kept else ""
        kept = self.kept.get(key)
        if kept is not None:
            for part in kept:
                give(part)
            return
        flight = self._flights.get(key)
        if flight is None:
            flight = _Flight()
            flight.task = asyncio.create_task(self._fly(flight, key, question, holder))
            if key:
                self._flights[key] = flight
        for part in flight.parts:
            give(part)
        flight.listeners.append(give)
        try:
            await asyncio.shield(flight.task)
        finally:
            flight.listeners.remove(give)
            if not flight.listeners and not flight.task.done():
                asyncio.get_running_loop().call_later(LINGER_SECONDS, self._end_if_alone, flight, key)

    def _end_if_alone(self, flight: _Flight, key: str) -> None:
        """End the work where nobody listens any more."""
        if not flight.listeners and not flight.task.done():
            self._flights.pop(key, None)
            flight.task.cancel()

    async def _fly(self, flight: _Flight, key: str, question: ServiceQuestion[Any], holder: Holder) -> None:
        budget = question.work.budget
        places = self._places.setdefault(budget, Places(budget))
        try:
            async with places.place(holder, flight.wait):
                await self._work(flight, question)
        finally:
            if self._flights.get(key) is flight:
                del self._flights[key]
        if key:
            self.kept.put(key, [part for part in flight.parts if part != WAITS])

    async def _work(self, flight: _Flight, question: ServiceQuestion[Any]) -> None:
        budget = question.work.budget
        engine = await self._take()
        self._busy.add(engine)
        status, result = "", None
        try:
            await _started(engine)
            async with asyncio.timeout(budget.seconds_max):
                async for status, result in engine.once(question):
                    if status == PART:
                        flight.give(result)
                    elif status == KNOWN:
                        self.kept.put(result[0], [result[1]])
        except TimeoutError:
            raise too_long(budget) from None
        except EngineDied:
            raise NotAnswered(ENDED, 503) from None
        finally:
            self._busy.discard(engine)
            if status == OK and len(self._idle) < IDLE_PROCESSES_MAX:
                self._idle.append(engine)
                self._starting_spare = asyncio.create_task(self._spare())
            else:  # it is over its budget, or nobody waits; after an error its memory is not to be trusted
                await asyncio.shield(engine.kill())
        if status == FAILED:
            raise WorkFailed(result)
        if status != OK:
            raise NotAnswered(f"This could not be read: {result}. Send less of it.", 413)

    async def _take(self) -> Engine:
        while self._idle:
            engine = self._idle.pop()
            if engine.is_of_today():
                return engine
            await engine.kill()
        return await Engine.start(QUESTIONS)

    async def _spare(self) -> None:
        """Start a process for a question that comes while the others are busy."""
        if len(self._idle) < IDLE_PROCESSES_MIN:
            self._idle.insert(0, await Engine.start(QUESTIONS))  # behind those that are ready: it still imports

    async def _warm(self) -> None:
        if not any(engine.is_of_today() for engine in self._idle) and not any(self._flights):
            self._idle.append(await Engine.start(QUESTIONS))

    async def _end(self) -> None:
        engines, self._idle = [*self._idle, *self._busy], []
        for engine in engines:
            await engine.kill()


async def _started(engine: Engine) -> None:
    """Wait until a process is ready: a question's time is not spent on imports. Raises NotAnswered."""
    try:
        async with asyncio.timeout(START_SECONDS_MAX):
            await engine.started()
    except TimeoutError:
        raise NotAnswered(STARTS_SLOWLY, 503) from None


questions = Questions()
atexit.register(questions.end)
