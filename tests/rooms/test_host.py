"""The rooms of a process: how many, how long they live without viewers, what ends them. The database is a dict here."""

import asyncio

import msgpack
import pytest

from playground.engine.live import RunPlace
from playground.engine.runs import Runs
from playground.engine.turns import Holder
from playground.rooms import commands, evict_rooms, host, live_run, past, room, room_places
from playground.rooms.evict_rooms import RoomFull
from playground.rooms.host import Host
from playground.rooms.limits import CATCH_UP_US, RUN_EVENTS_MAX, STEP_LOOK_US, VIEWER_FRAMES_MAX
from playground.rooms.live_run import RoomEnded
from playground.rooms.run import RoomRun
from playground.rooms.storage import StoredClock, StoredRun
from playground.rooms.wire import RoomCommand
from playground.scenarios.documents import StoredScenario
from simengine import engine_form
from simengine.facts import kinds
from simengine.scenario import DocumentError
from tests.rooms.kept import Kept, enter, frames, until


async def test_rooms_of_a_process_are_limited_and_empty_ones_give_way(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evict_rooms, "ROOMS_MAX", 2)
    first, viewer = await enter(rooms, "a")
    await enter(rooms, "b")
    with pytest.raises(RoomFull, match="2 running rooms"):
        await enter(rooms, "c")
    first.leave(viewer)
    await enter(rooms, "c")


async def test_a_run_beside_the_rooms_that_does_not_close_is_logged(
    rooms: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(place: RunPlace) -> None:
        raise RuntimeError("the pipe is full of eels")

    monkeypatch.setattr(RunPlace, "give_back", broken)
    rooms._give_back(await rooms.engines.take("aside 1", lambda: Holder("here", "me")))
    await until(lambda: not rooms._closing)
    assert "closing a run beside the rooms failed" in caplog.text and "eels" in caplog.text


async def test_viewers_of_a_room_are_limited(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_places, "ROOM_VIEWERS_MAX", 1)
    monkeypatch.setattr(room_places, "OWNER_PAGES_KEPT", 1)
    await enter(rooms)
    with pytest.raises(RoomFull, match=r"full \(1\)"):
        await enter(rooms)


async def test_two_viewers_that_come_at_once_open_one_room(rooms: Host) -> None:
    (first, _), (second, _) = await asyncio.gather(enter(rooms), enter(rooms))
    assert first is second


async def test_a_viewer_that_leaves_while_a_room_opens_does_not_end_the_opening_for_others(rooms: Host) -> None:
    first = asyncio.create_task(enter(rooms))
    second = asyncio.create_task(enter(rooms))
    await asyncio.sleep(0.01)
    first.cancel()
    live, _ = await second
    assert rooms.names() == [live.name]


async def test_a_room_without_viewers_stands_where_it_was_left_and_goes_on_with_the_next_one(rooms: Host) -> None:
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("speed", speed_us=60_000_000))
    await commands.obey(live, viewer, RoomCommand("play"))
    await until(lambda: live.clock.t_us > 0)
    live.leave(viewer)
    stood = -1
    for _ in range(20):  # the frame that was under way may end; then time stands
        stood = live.clock.t_us
        await asyncio.sleep(0.4)
        if live.clock.t_us == stood:
            break
    assert live.clock.t_us == stood
    await enter(rooms)
    await until(lambda: live.clock.t_us > stood)


async def test_a_room_that_was_dropped_comes_back_where_it_stood(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "UNATTENDED_DROP_S", 0.0)
    monkeypatch.setattr(host, "CLOCK_STORE_S", 0.1)
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("act", do="kill 2"))
    await commands.obey(live, viewer, RoomCommand("step"))
    digest = await live.run.ask(RoomRun.digest)
    live.leave(viewer)
    await until(lambda: not rooms.names())
    again, _ = await enter(rooms)
    assert again is not live
    assert again.clock.t_us == live.clock.t_us
    assert await again.run.ask(RoomRun.digest) == digest
    assert again.notice is None


async def test_a_room_is_in_memory_until_its_clock_is_stored(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evict_rooms, "ROOMS_MAX", 1)
    monkeypatch.setattr(host, "CLOCK_STORE_S", 3600.0)
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("step"))
    live.leave(viewer)
    kept: Kept = rooms.storage  # type: ignore[assignment]
    kept.hold.clear()
    coming = asyncio.create_task(enter(rooms, "b"))
    await until(lambda: rooms.closing() == ["a"])
    assert rooms.names() == ["a"]
    kept.hold.set()
    await coming
    assert rooms.names() == ["b"]
    assert kept.clocks["a"].t_us == live.clock.t_us


async def test_a_room_may_go_while_another_one_is_dropped(
    rooms: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("a", "b"):
        live, viewer = await enter(rooms, name)
        live.leave(viewer)
    drop = rooms._drop

    async def drop_and_forget_the_other(key: str, *, keep_clock: bool) -> None:
        await drop(key, keep_clock=keep_clock)
        await rooms.forget("b" if key == "a" else "a", "deleted")

    monkeypatch.setattr(rooms, "_drop", drop_and_forget_the_other)
    monkeypatch.setattr(host, "UNATTENDED_DROP_S", 0.0)
    await until(lambda: not rooms.names())
    assert "could not be kept" not in caplog.text


@pytest.mark.parametrize("limit", [10**9, 300])
async def test_the_verdict_in_brief_is_stored_with_the_clock_also_of_a_run_at_its_limit(
    rooms: Host, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(host, "UNATTENDED_DROP_S", 0.0)
    monkeypatch.setattr(host, "CLOCK_STORE_S", 0.1)
    monkeypatch.setitem(RUN_EVENTS_MAX, engine_form(), limit)
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("speed", speed_us=20_000_000))
    await commands.obey(live, viewer, RoomCommand("play"))
    await until(lambda: bool(live.ended) or live.clock.t_us > 5_000_000)
    await commands.obey(live, viewer, RoomCommand("pause"))
    told = await live.run.ask(RoomRun.verdict)
    live.run.is_whole = live.run.is_whole and limit != 300  # as where the limit falls into a microsecond
    live.leave(viewer)
    await until(lambda: not rooms.names())
    assert bool(live.ended) == (limit == 300)
    kept: StoredClock = rooms.storage.clocks["a"]  # type: ignore[attr-defined]
    assert kept.sentence == told["sentence"] != ""


async def test_a_run_at_its_limit_ends_in_words_and_can_still_be_looked_at(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RUN_EVENTS_MAX, engine_form(), 300)
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("speed", speed_us=5_000_000))
    await commands.obey(live, viewer, RoomCommand("play"))
    await until(lambda: bool(live.ended))
    assert "300 events" in live.ended and "Carry on" in live.ended
    await frames(viewer)
    await commands.obey(live, viewer, RoomCommand("act", id=7, do="kill 1"))
    assert [frame["reason"] for frame in await frames(viewer) if frame["k"] == "refused"] == [live.ended]
    assert await live.run.ask(RoomRun.view_at, False, 1000)


async def test_who_waits_for_a_run_to_come_back_is_told_how_far_it_is(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_run, "LOADING_EVERY_S", 0.0)
    rooms.storage.clocks["a"] = StoredClock("a", "a", False, 0, 1_000_000_000)  # type: ignore[attr-defined]
    _, viewer = await enter(rooms)
    kinds = [frame["k"] for frame in await frames(viewer)]
    assert kinds[0] == "loading" and kinds[-2:] == ["hello", "snap"]


async def test_an_action_that_cannot_be_stored_has_not_happened(rooms: Host) -> None:
    live, viewer = await enter(rooms)
    digest = await live.run.ask(RoomRun.digest)
    assert isinstance(rooms.storage, Kept)
    rooms.storage.is_broken = True
    await commands.obey(live, viewer, RoomCommand("act", id=7, do="kill 1"))
    told = await frames(viewer)
    assert "could not be stored" in next(frame["reason"] for frame in told if frame["k"] == "refused")
    assert await live.run.ask(RoomRun.digest) == digest
    await commands.obey(live, viewer, RoomCommand("step"))
    view = msgpack.unpackb(await live.run.ask(RoomRun.view), strict_map_key=False)
    assert view["brokers"]["1"]["process"] == "running"


async def test_a_viewer_that_does_not_read_gets_one_snapshot_in_place_of_its_backlog(rooms: Host) -> None:
    live, reader = await enter(rooms)
    _, sleeper = await enter(rooms)
    await commands.obey(live, reader, RoomCommand("speed", speed_us=1_000_000))
    await commands.obey(live, reader, RoomCommand("play"))
    seen = 0
    while sleeper.snapshots_instead == 0:
        assert await reader.next_frame() is not None
        seen += 1
    assert seen >= VIEWER_FRAMES_MAX
    waiting = await frames(sleeper)
    assert all(frame["k"] != "facts" for frame in waiting)
    await until(lambda: not sleeper.needs_snapshot)
    assert (await frames(sleeper))[0]["k"] == "snap"


async def test_a_run_that_breaks_ends_its_room_in_words_and_no_other(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, viewer = await enter(rooms, "a")
    other, second = await enter(rooms, "b")
    assert live.run._engine is not None
    await live.run._engine.engine.ask(live.run._engine, Runs.close)  # the run is gone: every question fails
    await commands.obey(live, viewer, RoomCommand("play"))
    await until(lambda: bool(live.ended))
    assert "error in it" in live.ended
    await commands.obey(other, second, RoomCommand("act", do="kill 1"))
    assert other.clock.t_us == 1


async def test_a_document_that_cannot_be_built_ends_before_it_begins(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> StoredRun:
        stored = await Kept.load(Kept(), "a", "a")
        stored.document = StoredScenario('{"format": 1}', [])
        return stored

    monkeypatch.setattr(rooms.storage, "load", broken)
    with pytest.raises(DocumentError, match="cluster"):
        await enter(rooms)


async def test_a_step_in_a_cluster_at_rest_says_that_no_event_comes(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heartbeats, fetches and a group that begins to read (CON-5) are nothing to stop at."""
    monkeypatch.setattr(room, "STEP_WALL_S", 60.0)  # however slow the machine is
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("step", id=1))
    answer = next(frame for frame in await frames(viewer) if frame.get("id") == 1)
    assert answer["at_us"] == STEP_LOOK_US
    assert answer["said"].startswith(
        "No event in 60.0 simulated seconds: the cluster is at rest. The run is now at 60.000 s"
    )


async def test_a_step_goes_past_what_merely_accompanies_an_event_to_the_next_one(rooms: Host) -> None:
    """Broker 1 dies: the producer's broken connection (PC-7) is passed, the fencing is not (LIVE-4)."""
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("act", id=1, do="kill 1"))
    await commands.obey(live, viewer, RoomCommand("step", id=2))
    answer = next(frame for frame in await frames(viewer) if frame.get("id") == 2)
    _, rows = await live.run.ask(RoomRun.decisive, answer["at_us"], answer["at_us"], 100)
    assert any(row[2] == kinds.BROKER_REGISTRATION for row in msgpack.unpackb(rows))
    assert answer["said"] == "" and 6_000_000 < answer["at_us"] < 11_000_000


async def test_a_step_that_finds_nothing_says_how_far_it_went(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    live, viewer = await enter(rooms)
    monkeypatch.setattr(room, "STEP_LOOK_US", 10)
    await commands.obey(live, viewer, RoomCommand("act", id=1, do="kill 1"))
    await commands.obey(live, viewer, RoomCommand("step", id=2))
    answers = [frame for frame in await frames(viewer) if frame.get("id") == 2]
    assert [frame["k"] for frame in answers] == ["ack"]
    assert answers[0]["said"].startswith("No event in 0.0 simulated seconds. The run is now at 0.000 s")


async def test_a_step_that_takes_too_long_stops_where_it_is(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    live, viewer = await enter(rooms)
    monkeypatch.setattr(room, "STEP_WALL_S", 0.0)
    monkeypatch.setattr(room, "STEP_LOOK_US", 100_000_000_000)
    await commands.obey(live, viewer, RoomCommand("step", id=1))
    answer = next(frame for frame in await frames(viewer) if frame["k"] == "ack")
    assert 0 < answer["at_us"] < 50_000_000_000 and "No event" in answer["said"]


async def test_an_engine_that_keeps_dying_ends_the_room(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_run, "ENGINE_RESTARTS_MAX", 0)
    live, viewer = await enter(rooms)
    assert live.run._engine is not None
    await live.run._engine.engine.stop()
    await commands.obey(live, viewer, RoomCommand("act", id=1, do="kill 1"))
    assert "in a row" in (await frames(viewer))[-1]["reason"]


async def test_a_view_over_the_limit_is_not_sent(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "SNAPSHOT_BYTES_MAX", 100)
    with pytest.raises(RoomEnded, match="limit is 100"):
        await enter(rooms)


async def test_a_viewer_s_word_moves_a_room_that_came_back_only_a_little(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "CATCH_UP_WINDOW_S", 60.0)
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("speed", speed_us=100_000))
    await commands.obey(live, viewer, RoomCommand("have", seq=10_000_000))
    assert live.clock.t_us == 2 * 100_000 + CATCH_UP_US
    monkeypatch.setattr(room, "CATCH_UP_WINDOW_S", 0.0)
    await commands.obey(live, viewer, RoomCommand("have", seq=10_000_000))
    assert live.clock.t_us == 2 * 100_000 + CATCH_UP_US


async def test_an_answer_with_too_many_facts_is_refused_in_words(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("act", do="kill 1"))
    monkeypatch.setattr(past, "FACTS_ANSWER_MAX", 1)
    with pytest.raises(ValueError, match="one answer carries 1"):
        await past.rows(live, viewer.visitor(), 0, 1, "")
