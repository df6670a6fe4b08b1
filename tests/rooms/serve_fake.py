"""The web process with the stand-in engine."""

import asyncio
import os
import sys

from tests.rooms import fake_engine

fake_engine.install()

import playground.rooms.engines as engines  # noqa: E402
from playground.serve import main  # noqa: E402

_start = asyncio.create_subprocess_exec


async def _fake(*command: str, **options: object) -> asyncio.subprocess.Process:
    return await _start(sys.executable, "-m", "tests.rooms.fake_engine", **options)  # type: ignore[arg-type]


engines.asyncio.create_subprocess_exec = _fake  # type: ignore[attr-defined]
os.environ["HIGHWATER_ENGINE"] = "interpreted"
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
