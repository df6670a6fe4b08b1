"""Which action decided a loss: the run is repeated without one action after the other, in a process of its own.

One question at a time, so that a page's curiosity never costs a room its pace.
"""

import asyncio
import json
import sys
from typing import Any, Final

from simengine.scenario import Document, to_json

SECONDS_MAX: Final = 60.0
BUSY: Final = "Another run is being examined; try again in a moment."
TOO_LONG: Final = f"This run is too long to be repeated within {SECONDS_MAX:.0f} s."

_one = asyncio.Semaphore(1)


class NotDecided(Exception):
    """The question has no answer now; the message says why."""


async def decided(document: Document, until_us: int) -> dict[str, Any] | None:
    """The latest action without which nothing acknowledged is lost at ``until_us``, or None; raises ``NotDecided``."""
    if _one.locked():
        raise NotDecided(BUSY)
    async with _one:
        command = (sys.executable, "-m", "simengine", "decide", "-", "--until", f"{until_us}us")
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
        try:
            async with asyncio.timeout(SECONDS_MAX):
                out, err = await process.communicate(to_json(document).encode())
        except TimeoutError:
            raise NotDecided(TOO_LONG) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if process.returncode:
        raise NotDecided(err.decode(errors="replace").strip()[-300:])
    found: dict[str, Any] | None = json.loads(out)
    return found
