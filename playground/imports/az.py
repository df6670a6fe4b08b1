"""The AZ table of a stored document, computed by a process of its own so that no socket waits for it.

`python -m simengine az - --lines` prints the outline, a cell a line, and the sentence; the page shows them as they
come. What is known of a table is kept in the cache: the same document under the same engine has the same table, and
a cell can be opened while others still run.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from typing import Final

from django.conf import settings
from django.core.cache import cache

from playground.scenarios.engine_version import engine_version

TABLES_AT_ONCE: Final = 1  # one core stays with the web process
TABLE_SECONDS_MAX: Final = 600
WAITING_MAX: Final = 20  # tables that wait for their turn
LINE_BYTES_MAX: Final = 1024 * 1024
KEPT_SECONDS: Final = 24 * 3600
_FAILED: Final = (
    b'{"error": "The table could not be computed. The cluster itself is built: open it and kill an AZ by hand."}\n'
)

_BUSY: Final = b'{"error": "Too many tables are being computed. Load the page again in some minutes."}\n'

_slots = asyncio.Semaphore(TABLES_AT_ONCE)
_queue = asyncio.Semaphore(TABLES_AT_ONCE + WAITING_MAX)


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


def told(key: str, row: str, acks: str) -> str:
    """What a cell came to: the verdict at the end of its run, and the causes; "" where that is not known."""
    kept: bytes | None = cache.get(_name(key))
    for line in (kept or b"").splitlines():
        cell = json.loads(line).get("cell")
        if cell and (cell["row"], cell["acks"]) == (row, acks):
            return " ".join([cell["outcome"], *(f"{cause}." for cause in cell["causes"])])
    return ""


async def _computed(document: bytes) -> AsyncIterator[bytes]:
    """The lines of the command, as they come; a sentence of failure if it breaks off. The process never outlives it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "simengine",
        "az",
        "-",
        "--lines",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=settings.BASE_DIR,
        limit=LINE_BYTES_MAX,
    )
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
        if process.returncode is None:
            process.kill()
            await process.wait()
