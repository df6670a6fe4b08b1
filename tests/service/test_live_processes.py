"""The process for a run: small and large runs apart, within memory; a run that ended a process before is alone."""

import asyncio
import math
import os
import resource
import signal
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

import psutil
import pytest

from playground.engine import blamed, live
from playground.engine.engine import EngineDied, RunFailed, RunRefused
from playground.engine.limits import (
    BLAMED_MAX,
    LARGE_BYTES_MAX,
    LARGE_BYTES_OF_ADDRESS_MAX,
    LIVE_MEMORY_BYTES_MAX,
    NICENESS,
    OWN_PROCESSES_MAX,
    SUDDEN_DEATHS_MAX,
)
from playground.engine.live import Engines, RunPlace
from playground.engine.need import Need
from playground.engine.pipe import LARGE as LARGE_KIND
from playground.engine.pipe import NO_MEMORY, OK
from playground.engine.runs import Runs
from playground.engine.turns import Holder
from playground.rooms.run import RoomRun
from playground.rooms.work import run_of
from playground.scenarios import documents
from playground.scenarios.size import size_of
from simengine.scenario import load
from tests.rooms.heavy import LARGE
from tests.rooms.site import QUIET

SMALL = documents.StoredScenario(documents.stored_text(load(QUIET)), [], asdict(size_of(load(QUIET))))
HEAVY = documents.StoredScenario(LARGE.decode(), [])
BIG = Need("heavy", is_large=True, bytes=LARGE_BYTES_OF_ADDRESS_MAX // 2)
SPARE_BYTES = 80 * 1024 * 1024  # of address space beyond what a process has: less than a heavy run needs


@pytest.fixture
async def engines() -> AsyncIterator[Engines]:
    made = Engines(1)
    yield made
    await made.stop()


async def taken(engines: Engines, need: Need = live.LITTLE, address: str = "a") -> RunPlace:
    return await engines.take("room", lambda: Holder(address, ""), need)


async def test_small_and_large_runs_have_processes_of_their_own_and_large_ones_go_last(engines: Engines) -> None:
    small, large = await taken(engines), await taken(engines, BIG)
    assert small.engine is not large.engine
    assert (await taken(engines)).engine is small.engine
    await asyncio.gather(small.open(run_of, SMALL), large.open(run_of, SMALL))
    processes = [psutil.Process(place.engine.engine.pid) for place in (small, large)]
    assert processes[1].nice() - processes[0].nice() == NICENESS
    for process in processes:
        assert process.rlimit(resource.RLIMIT_AS)[0] == LIVE_MEMORY_BYTES_MAX


async def test_one_address_has_its_share_of_the_memory_for_large_runs(engines: Engines) -> None:
    engines.numbers[LARGE_KIND] = 1
    first = await taken(engines, BIG)
    await taken(engines, BIG)
    with pytest.raises(RunRefused, match="Runs from your address fill their share"):
        await taken(engines, BIG)
    await taken(engines, BIG, "b")
    assert 4 * BIG.bytes > LARGE_BYTES_MAX
    with pytest.raises(RunRefused, match="fill the memory for large runs"):
        await taken(engines, BIG, "b")
    first.engine.places.remove(first)
    await taken(engines, BIG, "b")
    await taken(engines)


async def _dies_at_work(place: RunPlace) -> None:
    await place.open(run_of, SMALL)
    opening = asyncio.create_task(place.open(run_of, HEAVY))
    await asyncio.sleep(0.1)
    os.kill(place.engine.engine.pid, signal.SIGKILL)
    with pytest.raises(EngineDied):
        await opening


async def test_a_run_that_ended_a_process_comes_back_alone_and_after_a_second_one_not_at_all(
    engines: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blamed, "BLAMED_WORK_S", 0.0)
    beside = await taken(engines)
    for_heavy = Need("heavy")
    first = await taken(engines, for_heavy)
    assert first.engine is beside.engine
    await _dies_at_work(first)
    again, other = await taken(engines, for_heavy), await taken(engines)
    assert again.engine.is_own and other.engine is not again.engine
    await _dies_at_work(again)
    with pytest.raises(RunRefused, match=r"ended the simulation's process 2 times.* Make a smaller document"):
        await taken(engines, for_heavy)
    assert not (await taken(engines)).engine.is_own


async def test_a_run_that_was_only_beside_is_not_blamed(engines: Engines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blamed, "BLAMED_WORK_S", 0.0)
    idle, working = await taken(engines, Need("idle")), await taken(engines, Need("heavy"))
    await _dies_at_work(working)
    assert idle.is_dead
    assert not (await taken(engines, Need("idle"))).engine.is_own


async def test_processes_for_one_run_are_few(engines: Engines) -> None:
    for number in range(OWN_PROCESSES_MAX + 1):
        engines._blamed.blame(f"run {number}", math.inf)
    own = [await taken(engines, Need(f"run {number}")) for number in range(OWN_PROCESSES_MAX)]
    with pytest.raises(RunRefused, match="in use"):
        await taken(engines, Need(f"run {OWN_PROCESSES_MAX}"))
    await own[0].give_back()
    assert (await taken(engines, Need(f"run {OWN_PROCESSES_MAX}"))).engine.is_own


def test_blame_is_forgotten_after_a_while_and_kept_for_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    found = blamed.BlameCounts()
    found.blame("old", math.inf)
    for number in range(BLAMED_MAX):
        found.blame(str(number), math.inf)
    assert not found.is_blamed("old") and found.is_blamed("0")
    monkeypatch.setattr(blamed, "BLAMED_S", 0.0)
    assert not found.is_blamed("0")


def test_a_process_that_is_killed_at_short_work_is_nobodys_fault_until_it_happens_again_and_again() -> None:
    found = blamed.BlameCounts()
    for _ in range(SUDDEN_DEATHS_MAX):
        found.blame("run", 0.1)
    assert not found.is_blamed("run")
    found.blame("run", 0.1)
    assert found.is_blamed("run")


async def test_a_run_for_which_memory_is_missing_is_told_and_those_beside_it_go_on(engines: Engines) -> None:
    beside, heavy = await taken(engines, Need("beside")), await taken(engines, Need("heavy"))
    beside.room = "beside"
    await beside.open(run_of, SMALL)
    process = psutil.Process(beside.engine.engine.pid)
    process.rlimit(resource.RLIMIT_AS, (process.memory_info().vms + SPARE_BYTES, resource.RLIM_INFINITY))
    with pytest.raises(RunFailed, match=r"more memory than its process may have .* make a smaller document"):
        await heavy.open(run_of, HEAVY)
    assert await beside.ask(RoomRun.seq) >= 0
    assert (await taken(engines, Need("heavy"))).engine.is_own


def test_a_run_that_needed_too_much_memory_is_not_there_any_more() -> None:
    class Greedy:
        def opened(self) -> dict[str, Any]:
            raise MemoryError

    runs = Runs()
    runs.runs = {"a": Greedy(), "b": Greedy()}
    assert runs.answer("a", Greedy.opened, ()) == (NO_MEMORY, None)
    assert list(runs.runs) == ["b"]
    assert runs.answer("a", Greedy.opened, ()) == (NO_MEMORY, None)
    assert runs.answer("a", Runs.close, ()) == (OK, None)
