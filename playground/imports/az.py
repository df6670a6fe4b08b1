"""The AZ answer of a stored document, computed by a process of its own so that no socket waits for it.

`python -m simengine az - --lines` prints it a line at a time; the page shows the lines as they come. What is known of
an answer is kept in the cache: the same document with the same edits under the same engine has the same answer. What
its lists are made of is kept a cell each and not sent; a cell that the cache has forgotten is computed again.
"""

import asyncio
import hashlib
import json
import sys
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache

from playground.scenarios.engine_version import engine_version
from simengine.importers.az_cell import ACKS, Cell, Loss
from simengine.importers.az_table import cell_of

TABLES_AT_ONCE: Final = 1  # one core stays with the web process
TABLE_SECONDS_MAX: Final = 600
CELL_SECONDS_MAX: Final = 60  # that somebody waits for a list, or for a run to open
WAITING_MAX: Final = 20  # answers that wait for their turn
LINE_BYTES_MAX: Final = 16 * 1024 * 1024
KEPT_SECONDS: Final = 24 * 3600
_FAILED: Final = (
    b'{"error": "The answer could not be computed. The cluster itself is built: open it and kill an AZ by hand."}\n'
)
_BUSY: Final = b'{"error": "Too many answers are being computed. Load the page again in some minutes."}\n'
_PARTS: Final = b'{"parts"'
_DONE: Final = b'{"done"'

_slots = asyncio.Semaphore(TABLES_AT_ONCE)
_queue = asyncio.Semaphore(TABLES_AT_ONCE + WAITING_MAX)
_cells = asyncio.Semaphore(1)


@dataclass(frozen=True, slots=True)
class Question:
    """A document with edits. ``document``: its JSON, ``edits``: JSON as the command takes them."""

    document: bytes
    edits: str

    @property
    def key(self) -> str:
        """What the answer is kept under: equal documents with equal edits have equal answers."""
        told = hashlib.sha256(self.document + b"\n" + self.edits.encode()).hexdigest()
        return f"az-answer:{engine_version()}:{told}"


async def lines(question: Question) -> AsyncIterator[bytes]:
    """The answer as lines of JSON, without what the lists are made of."""
    kept: bytes | None = await cache.aget(question.key)
    if kept is not None:
        yield kept
        return
    if _queue.locked():
        yield _BUSY
        return
    async with _queue:
        if _slots.locked():
            yield b'{"waiting": true}\n'
        async with _slots:
            async for line in _kept_as_they_come(question):
                yield line


async def _kept_as_they_come(question: Question) -> AsyncIterator[bytes]:
    found: list[bytes] = []
    async for line in _computed(question):
        if line.startswith(_PARTS):
            await _keep_cell(question, json.loads(line)["parts"])
            continue
        found.append(line)
        if line.startswith(_DONE):
            await cache.aset(question.key, b"".join(found), KEPT_SECONDS)
        yield line


async def _keep_cell(question: Question, parts: dict[str, Any]) -> None:
    name = _cell_name(question, parts["row"], parts["pick"], parts["acks"])
    await cache.aset(name, zlib.compress(json.dumps(parts).encode(), 1), KEPT_SECONDS)


def _cell_name(question: Question, row: str, pick: str, acks: str) -> str:
    place = hashlib.sha256(f"{row}\n{pick}".encode()).hexdigest()  # a rack may be called what no cache takes for a key
    return f"{question.key}:{place}:{acks}"


async def cells(question: Question, loss: Loss) -> tuple[Cell, Cell] | None:
    """Both cells of a row; computed again where the cache has not both. None: that takes too long or breaks off."""
    kept = [await cache.aget(_cell_name(question, loss.key, loss.pick, acks)) for acks in ACKS]
    if None in kept:
        again = await _one_row(question, loss)
        if again is None:
            return None
        for parts in again:
            await _keep_cell(question, parts)
        safe, fast = (cell_of(parts) for parts in again)
        return safe, fast
    safe, fast = (cell_of(json.loads(zlib.decompress(one))) for one in kept)
    return safe, fast


async def _one_row(question: Question, loss: Loss) -> list[dict[str, Any]] | None:
    pick = ("--pick", loss.pick) if loss.pick else ()
    try:
        async with asyncio.timeout(CELL_SECONDS_MAX), _cells:
            process = await _started(question, "--row", loss.key, *pick, "--parts")
            try:
                out, _ = await process.communicate(question.document)
            finally:
                await _ended(process)
    except TimeoutError:
        return None
    if process.returncode:
        return None
    found: list[dict[str, Any]] = json.loads(out)["parts"]
    return found


async def _started(question: Question, *options: str) -> asyncio.subprocess.Process:
    """The command, which waits for the document on its standard input."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "simengine",
        "az",
        "-",
        f"--edits={question.edits}",
        *options,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=settings.BASE_DIR,
        limit=LINE_BYTES_MAX,
    )


async def _ended(process: asyncio.subprocess.Process) -> None:
    """No process outlives who asked for it."""
    if process.returncode is None:
        process.kill()
        await process.wait()


async def _computed(question: Question) -> AsyncIterator[bytes]:
    """The lines of the command, as they come; a sentence of failure if it breaks off."""
    process = await _started(question, "--lines")
    assert process.stdin is not None and process.stdout is not None
    try:
        async with asyncio.timeout(TABLE_SECONDS_MAX):
            process.stdin.write(question.document)
            await process.stdin.drain()
            process.stdin.close()
            async for line in process.stdout:
                yield line
            if await process.wait() != 0:
                yield _FAILED
    except (TimeoutError, ConnectionError, ValueError):
        yield _FAILED
    finally:
        await _ended(process)
