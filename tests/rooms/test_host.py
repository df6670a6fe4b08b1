"""The rooms of a process: how many, how long they live without viewers, what ends them. The database is a dict here."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest
from django.conf import settings

from playground.rooms import commands, host, past, room, storage
from playground.rooms.engines import RoomEnded
from playground.rooms.host import Host, RoomFull
from playground.rooms.hub import Viewer
from playground.rooms.limits import CATCH_UP_US, RUN_EVENTS_MAX, VIEWER_FRAMES_MAX
from playground.rooms.names import RoomName
from playground.rooms.storage import StoredClock, StoredRun
from playground.rooms.wire import Command
from simengine import engine_form
from simengine.scenario import load, parse, to_plain
from tests.rooms.conftest import QUIET


class Kept(storage.Storage):
    """What rooms store, in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.clocks: dict[str, StoredClock] = {}
        self.actions: list[tuple[int, str]] = []
        self.is_broken = False

    async def load(self, room: str, scenario_id: str) -> StoredRun:
        document = load(QUIET)
        for at_us, do in self.actions:
            document = document.with_action(at_us, parse(do))
        return StoredRun(
            scenario_id=scenario_id,
            title="Three brokers",
            document=to_plain(document),
            is_frozen=False,
            moment_us=0,
            engine="",
            digest="",
            clock=self.clocks.get(room),
            last_action_us=max((at for at, _ in self.actions), default=0),
            plays_at_once=False,
        )

    async def accept(self, clock: StoredClock, do: str, nonce: str | None) -> None:
        if self.is_broken:
            raise OSError("disk full")
        self.actions.append((clock.t_us, do))
        self.clocks[clock.room] = clock

    async def keep_clocks(self, clocks: list[StoredClock]) -> None:
        self.clocks |= {clock.room: clock for clock in clocks}


@pytest.fixture
async def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Host]:
    """A host without a database."""
    monkeypatch.setattr(host, "Storage", Kept)
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    made = Host()
    try:
        yield made
    finally:
        await made.close()


async def _enter(rooms: Host, name: str = "a") -> tuple[room.Room, Viewer]:
    viewer = Viewer(may_act=True, may_steer=True)
    return await rooms.enter(RoomName(name), viewer, 0), viewer


async def _frames(viewer: Viewer) -> list[dict[str, Any]]:
    found = []
    while not viewer.is_idle():
        frame = await viewer.next_frame()
        assert frame is not None
        found.append(msgpack.unpackb(frame, strict_map_key=False))
    return found


async def _until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.02)


async def test_rooms_of_a_process_are_limited_and_empty_ones_give_way(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "ROOMS_MAX", 2)
    first, viewer = await _enter(rooms, "a")
    await _enter(rooms, "b")
    with pytest.raises(RoomFull, match="2 running rooms"):
        await _enter(rooms, "c")
    first.leave(viewer)
    await _enter(rooms, "c")


async def test_viewers_of_a_room_are_limited(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "ROOM_VIEWERS_MAX", 1)
    await _enter(rooms)
    with pytest.raises(RoomFull, match=r"full \(1\)"):
        await _enter(rooms)


async def test_two_viewers_that_come_at_once_open_one_room(rooms: Host) -> None:
    (first, _), (second, _) = await asyncio.gather(_enter(rooms), _enter(rooms))
    assert first is second


async def test_a_viewer_that_leaves_while_a_room_opens_does_not_end_the_opening_for_others(rooms: Host) -> None:
    first = asyncio.create_task(_enter(rooms))
    second = asyncio.create_task(_enter(rooms))
    await asyncio.sleep(0.01)
    first.cancel()
    live, _ = await second
    assert rooms.names() == [live.name]


async def test_a_room_without_viewers_pauses(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "UNATTENDED_PAUSE_S", 0.2)
    live, viewer = await _enter(rooms)
    await commands.obey(live, viewer, Command("play"))
    await _until(lambda: live.clock.t_us > 0)
    live.leave(viewer)
    await asyncio.sleep(0.6)
    stood = live.clock.t_us
    await asyncio.sleep(0.3)
    assert live.clock.t_us == stood
    await _enter(rooms)
    await _until(lambda: live.clock.t_us > stood)


async def test_a_room_that_was_dropped_comes_back_where_it_stood(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "UNATTENDED_DROP_S", 0.0)
    monkeypatch.setattr(host, "CLOCK_STORE_S", 0.1)
    live, viewer = await _enter(rooms)
    await commands.obey(live, viewer, Command("act", do="kill 2"))
    await commands.obey(live, viewer, Command("step"))
    digest = await live.ask("digest")
    live.leave(viewer)
    await _until(lambda: not rooms.names())
    again, _ = await _enter(rooms)
    assert again is not live
    assert again.clock.t_us == live.clock.t_us
    assert await again.ask("digest") == digest
    assert again.notice is None


async def test_a_run_at_its_limit_ends_in_words_and_can_still_be_looked_at(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RUN_EVENTS_MAX, engine_form(), 300)
    live, viewer = await _enter(rooms)
    await commands.obey(live, viewer, Command("speed", speed_us=5_000_000))
    await commands.obey(live, viewer, Command("play"))
    await _until(lambda: bool(live.ended))
    assert "300 events" in live.ended and "Carry on" in live.ended
    await _frames(viewer)
    await commands.obey(live, viewer, Command("act", id=7, do="kill 1"))
    assert [frame["reason"] for frame in await _frames(viewer) if frame["k"] == "refused"] == [live.ended]
    assert await live.ask("view_at", 1000)


async def test_who_waits_for_a_run_to_come_back_is_told_how_far_it_is(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "LOADING_EVERY_S", 0.0)
    rooms.storage.clocks["a"] = StoredClock("a", "a", False, 0, 40_000_000)  # type: ignore[attr-defined]
    _, viewer = await _enter(rooms)
    kinds = [frame["k"] for frame in await _frames(viewer)]
    assert kinds[0] == "loading" and kinds[-2:] == ["hello", "snap"]


async def test_an_action_that_cannot_be_stored_has_not_happened(rooms: Host) -> None:
    live, viewer = await _enter(rooms)
    digest = await live.ask("digest")
    assert isinstance(rooms.storage, Kept)
    rooms.storage.is_broken = True
    await commands.obey(live, viewer, Command("act", id=7, do="kill 1"))
    frames = await _frames(viewer)
    assert "could not be stored" in next(frame["reason"] for frame in frames if frame["k"] == "refused")
    assert await live.ask("digest") == digest
    await commands.obey(live, viewer, Command("step"))
    assert msgpack.unpackb(await live.ask("view"), strict_map_key=False)["brokers"]["1"]["process"] == "running"


async def test_a_viewer_that_does_not_read_gets_one_snapshot_in_place_of_its_backlog(rooms: Host) -> None:
    live, reader = await _enter(rooms)
    _, sleeper = await _enter(rooms)
    await commands.obey(live, reader, Command("speed", speed_us=1_000_000))
    await commands.obey(live, reader, Command("play"))
    seen = 0
    while sleeper.snapshots_instead == 0:
        assert await reader.next_frame() is not None
        seen += 1
    assert seen >= VIEWER_FRAMES_MAX
    waiting = await _frames(sleeper)
    assert all(frame["k"] != "facts" for frame in waiting)
    await _until(lambda: not sleeper.needs_snapshot)
    assert (await _frames(sleeper))[0]["k"] == "snap"


async def test_a_run_that_breaks_ends_its_room_in_words_and_no_other(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, viewer = await _enter(rooms, "a")
    other, second = await _enter(rooms, "b")
    assert live._engine is not None
    await live._engine.ask("a", "close")  # the run is gone: every question fails
    await commands.obey(live, viewer, Command("play"))
    await _until(lambda: bool(live.ended))
    assert "error in it" in live.ended
    await commands.obey(other, second, Command("act", do="kill 1"))
    assert other.clock.t_us == 1


async def test_a_document_that_cannot_be_built_ends_before_it_begins(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> StoredRun:
        stored = await Kept.load(Kept(), "a", "a")
        stored.document = {"format": 1}
        return stored

    monkeypatch.setattr(rooms.storage, "load", broken)
    with pytest.raises(RoomEnded, match="cluster"):
        await _enter(rooms)


async def test_a_step_in_a_cluster_at_rest_goes_to_the_next_fact_and_says_so(rooms: Host) -> None:
    live, viewer = await _enter(rooms)
    await commands.obey(live, viewer, Command("step", id=1))
    answer = next(frame for frame in await _frames(viewer) if frame["k"] == "ack")
    assert "at rest" in answer["said"] and f"{answer['at_us'] / 1e6:.3f} s" in answer["said"]
    assert 0 < answer["at_us"] < 1_000_000


async def test_a_step_that_finds_nothing_says_how_far_it_went(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    live, viewer = await _enter(rooms)
    monkeypatch.setattr(room, "STEP_LOOK_US", 10)
    monkeypatch.setattr(commands, "STEP_LOOK_US", 1_000_000)
    await commands.obey(live, viewer, Command("act", id=1, do="kill 1"))
    await commands.obey(live, viewer, Command("step", id=2))
    answers = [frame for frame in await _frames(viewer) if frame.get("id") == 2]
    assert [frame["k"] for frame in answers] == ["ack"]
    assert answers[0]["said"] == "Nothing happened in 1 simulated seconds. The run is now at 0.000 s."


async def test_an_engine_that_keeps_dying_ends_the_room(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ENGINE_RESTARTS_MAX", 0)
    live, viewer = await _enter(rooms)
    assert live._engine is not None
    await live._engine.stop()
    await commands.obey(live, viewer, Command("act", id=1, do="kill 1"))
    assert "in a row" in (await _frames(viewer))[-1]["reason"]


async def test_a_view_over_the_limit_is_not_sent(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "SNAPSHOT_BYTES_MAX", 100)
    with pytest.raises(RoomEnded, match="limit is 100"):
        await _enter(rooms)


async def test_a_viewer_s_word_moves_a_room_that_came_back_only_a_little(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "CATCH_UP_WINDOW_S", 60.0)
    live, viewer = await _enter(rooms)
    await commands.obey(live, viewer, Command("speed", speed_us=100_000))
    await commands.obey(live, viewer, Command("have", seq=10_000_000))
    assert live.clock.t_us == 2 * 100_000 + CATCH_UP_US
    monkeypatch.setattr(room, "CATCH_UP_WINDOW_S", 0.0)
    await commands.obey(live, viewer, Command("have", seq=10_000_000))
    assert live.clock.t_us == 2 * 100_000 + CATCH_UP_US


async def test_an_answer_with_too_many_facts_is_refused_in_words(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    live, viewer = await _enter(rooms)
    await commands.obey(live, viewer, Command("act", do="kill 1"))
    monkeypatch.setattr(past, "FACTS_ANSWER_MAX", 1)
    with pytest.raises(ValueError, match="one answer carries 1"):
        await past.rows(live, 0, 1, "")
