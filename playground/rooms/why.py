"""Why a run lost what it lost, examined in a process of its own that repeats it without one action after the other.

One run at a time, so that a page's curiosity never costs a room its pace. Who asks the same of the same document shares
the answer, and the newest answers are kept: a document and a moment have one answer for ever.
"""

import asyncio
import hashlib
import json
import sys
from collections import OrderedDict
from typing import Any, Final

from simengine.scenario import Document, to_json

SECONDS_MAX: Final = 60.0
WAITING_MAX: Final = 8  # runs that wait to be examined
KEPT_MAX: Final = 64  # answers kept
BUSY: Final = f"{WAITING_MAX} other runs wait to be examined; try again in a moment."
TOO_LONG: Final = f"This run is too long to be repeated within {SECONDS_MAX:.0f} s."

Answer = dict[str, Any]


class NotExamined(Exception):
    """The question has no answer now; the message says why."""


class Examiner:
    """Examines runs one after the other, and remembers."""

    def __init__(self) -> None:
        self._one = asyncio.Semaphore(1)
        self._tasks: dict[str, asyncio.Task[Answer]] = {}
        self._kept: OrderedDict[str, Answer] = OrderedDict()

    async def examine(self, document: Document, until_us: int) -> Answer:
        """Verdict, checked decisions and chains of a run at a moment; raises ``NotExamined``."""
        text = to_json(document)
        key = hashlib.sha256(f"{until_us} {text}".encode()).hexdigest()
        if (known := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return known
        if key not in self._tasks:
            if len(self._tasks) > WAITING_MAX:
                raise NotExamined(BUSY)
            self._tasks[key] = asyncio.create_task(self._run(key, text, until_us), name="examining a run")
        return await asyncio.shield(self._tasks[key])

    async def _run(self, key: str, text: str, until_us: int) -> Answer:
        try:
            async with self._one:
                answer = await _in_a_process(text, until_us)
        finally:
            del self._tasks[key]
        self._kept[key] = answer
        if len(self._kept) > KEPT_MAX:
            self._kept.popitem(last=False)
        return answer


async def _in_a_process(text: str, until_us: int) -> Answer:
    command = (sys.executable, "-m", "simengine", "why", "-", "--json", "--until", f"{until_us}us")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        async with asyncio.timeout(SECONDS_MAX):
            out, err = await process.communicate(text.encode())
    except TimeoutError:
        raise NotExamined(TOO_LONG) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise NotExamined(err.decode(errors="replace").strip()[-300:])
    found: Answer = json.loads(out)
    return found


_examiner: Examiner | None = None


def examiner() -> Examiner:
    """The examiner of this process."""
    global _examiner  # noqa: PLW0603  # one a process, made in its event loop
    if _examiner is None:
        _examiner = Examiner()
    return _examiner
