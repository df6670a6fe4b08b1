"""A live process that does not answer is ended: the rooms that it holds come back in another one."""

import asyncio
import os
import signal
import time

import pytest

from playground.engine import live
from playground.engine.engine import EngineDied
from playground.engine.live import Engines
from playground.engine.turns import Holder
from playground.rooms.run import RoomRun
from playground.rooms.work import run_of
from playground.scenarios import documents
from simengine.scenario import load
from tests.rooms.site import QUIET

SILENCE_S = 2.0
STORED = documents.StoredScenario(documents.stored_text(load(QUIET)), [])
HOLDER = Holder("address", "browser")


async def _hangs_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> float:
    engines = Engines(1)
    try:
        place = await engines.take("room", lambda: HOLDER)
        await place.open(run_of, STORED)
        monkeypatch.setattr(live, "SMALL_SILENCE_MAX_S", SILENCE_S)
        first = place.engine.engine.pid
        await asyncio.sleep(SILENCE_S * 1.5)
        await place.ask(RoomRun.seq)  # to be asked nothing is no silence
        os.kill(first, signal.SIGSTOP)
        asked = time.monotonic()
        with pytest.raises(EngineDied):
            await place.ask(RoomRun.seq)
        took = time.monotonic() - asked
        monkeypatch.undo()
        again = await engines.take("room", lambda: HOLDER)
        await again.open(run_of, STORED)
        assert again.engine.engine.pid != first
        return took
    finally:
        await engines.stop()


def test_a_process_that_hangs_is_ended_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    assert SILENCE_S * 0.9 < asyncio.run(_hangs_and_comes_back(monkeypatch)) < SILENCE_S + 30
