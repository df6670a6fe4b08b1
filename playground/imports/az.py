"""The AZ table of a stored document, computed by a process of its own so that no socket waits for it.

`python -m simengine az - --lines` prints the outline, a cell a line, and the sentence; the page shows them as they
come. What is known of a table is kept in the cache: the same document under the same engine has the same table, and
a cell can be opened while others still run. A cell that is opened when the cache has forgotten it is computed again.
"""

import asyncio
import hashlib
import json
import sys
from collections.abc import AsyncIterator
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache

from playground.scenarios.engine_version import engine_version
from simengine.importers.az_cell import ANY_BROKER, Loss

TABLES_AT_ONCE: Final = 1  # one core stays with the web process
TABLE_SECONDS_MAX: Final = 600
CELL_SECONDS_MAX: Final = 30  # that somebody waits for a run to open; without its outcome it opens all the same
WAITING_MAX: Final = 20  # tables that wait for their turn
LINE_BYTES_MAX: Final = 1024 * 1024
KEPT_SECONDS: Final = 24 * 3600
_FAILED: Final = (
    b'{"error": "The table could not be computed. The cluster itself is built: open it and kill an AZ by hand."}\n'
)

_BUSY: Final = b'{"error": "Too many tables are being computed. Load the page again in some minutes."}\n'

Json = dict[str, Any]

_slots = asyncio.Semaphore(TABLES_AT_ONCE)
_queue = asyncio.Semaphore(TABLES_AT_ONCE + WAITING_MAX)
_cells = asyncio.Semaphore(1)


async def lines(key: str, document: bytes) -> AsyncIterator[bytes]:
    """The table as lines of JSON. ``key`` names the document, ``document`` is its JSON."""
    name = _name(key)
    kept: bytes | None = await cache.aget(name)
    if kept is not None and _is_whole(kept):
        yield kept
        return
    found: list[bytes] = []
    if _queue.locked():
        yield _BUSY
        return
    async with _queue:
        if _slots.locked():
            yield b'{"waiting": true}\n'
        async with _slots:
            async for line in _computed(document):
                found.append(line)
                await cache.aset(name, b"".join(found), KEPT_SECONDS)
                yield line


def _name(key: str) -> str:
    return f"az-table:{engine_version()}:{key}"


def _is_whole(kept: bytes) -> bool:
    """Whether it is the table to its end, which the sentence is."""
    return kept.splitlines()[-1].startswith(b'{"sentence"')


async def told(key: str, document: bytes, loss: Loss, acks: str) -> str:
    """What a cell comes to: the verdict at the end of its run, and the causes; "" where that takes too long."""
    cell = await _kept_cell(key, loss, acks) or await _one_cell(key, document, loss, acks)
    return " ".join([cell["outcome"], *(f"{cause}." for cause in cell["causes"])]) if cell else ""


async def _kept_cell(key: str, loss: Loss, acks: str) -> Json:
    """A cell that the cache still has, from its table or by itself; empty: it has not."""
    table: bytes = await cache.aget(_name(key)) or b""
    for line in [*table.splitlines(), await cache.aget(_cell_name(key, loss, acks)) or b"{}"]:
        cell: Json = json.loads(line).get("cell") or {}
        if cell and (cell["row"], cell["acks"]) == (loss.key, acks):
            return cell
    return {}


async def _one_cell(key: str, document: bytes, loss: Loss, acks: str) -> Json:
    """A cell computed by itself, one at a time, and kept; empty: it takes too long or breaks off."""
    broker = ("--broker", str(loss.brokers[0])) if loss.key == ANY_BROKER else ()
    try:
        async with asyncio.timeout(CELL_SECONDS_MAX), _cells:
            process = await _started("--row", loss.key, *broker, "--acks", acks)
            try:
                out, _ = await process.communicate(document)
            finally:
                await _ended(process)
    except TimeoutError:
        return {}
    if process.returncode:
        return {}
    cell: Json = json.loads(out)["cells"][0]
    await cache.aset(_cell_name(key, loss, acks), json.dumps({"cell": cell}).encode(), KEPT_SECONDS)
    return cell


def _cell_name(key: str, loss: Loss, acks: str) -> str:
    place = hashlib.sha256(loss.place.encode()).hexdigest()  # a rack may be called what no cache takes for a key
    return f"az-cell:{engine_version()}:{key}:{place}:{acks}"


async def _started(*options: str) -> asyncio.subprocess.Process:
    """The command, which waits for the document on its standard input."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "simengine",
        "az",
        "-",
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


async def _computed(document: bytes) -> AsyncIterator[bytes]:
    """The lines of the command, as they come; a sentence of failure if it breaks off."""
    process = await _started("--lines")
    assert process.stdin is not None and process.stdout is not None
    try:
        async with asyncio.timeout(TABLE_SECONDS_MAX):
            process.stdin.write(document)
            await process.stdin.drain()
            process.stdin.close()
            async for line in process.stdout:
                yield line
            if await process.wait() != 0:
                yield _FAILED
    except (TimeoutError, ConnectionError):
        yield _FAILED
    finally:
        await _ended(process)
