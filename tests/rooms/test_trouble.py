"""Trouble around a room: the database is away, people leave half-way in, one room keeps others waiting."""

import asyncio
import json
from typing import Any

import msgpack
import pytest
from django.db import OperationalError

from playground.engine.engine import RunFailed
from playground.engine.live import RunPlace
from playground.engine.turns import Holder
from playground.rooms import commands, evict_rooms, host, socket
from playground.rooms.acting import NotDone, act_together
from playground.rooms.host import Host
from playground.rooms.hub import Viewer
from playground.rooms.limits import BACK_EVENTS_MAX, RUN_EVENTS_MAX
from playground.rooms.live_run import RoomEnded
from playground.rooms.names import RoomName
from playground.rooms.room import Room
from playground.rooms.run import RoomRun
from playground.rooms.storage import StoredClock
from playground.rooms.wire import RoomCommand
from playground.scenarios.rates import TokenBucket
from playground.supervisor.instance import CannotStart
from simengine import engine_form
from tests.rooms.kept import Kept, enter, frames, until


def _kept(rooms: Host) -> Kept:
    assert isinstance(rooms.storage, Kept)
    return rooms.storage


async def _answer(live: Room, viewer: Viewer, command: RoomCommand) -> dict[str, Any]:
    await commands.obey(live, viewer, command)
    return next(frame for frame in await frames(viewer) if frame["k"] in ("ack", "refused"))


async def _process(live: Room, broker: int) -> str:
    async with live.lock:
        view = msgpack.unpackb(await live.run.ask(RoomRun.view), strict_map_key=False)
    return str(view["brokers"][str(broker)]["process"])


async def test_an_action_is_not_shown_when_neither_storing_it_nor_going_back_works(rooms: Host) -> None:
    live, viewer = await enter(rooms)
    assert (await _answer(live, viewer, RoomCommand("act", id=1, do="kill 1")))["k"] == "ack"
    _kept(rooms).is_away = True
    answer = await _answer(live, viewer, RoomCommand("act", id=2, do="kill 2"))
    assert answer["k"] == "refused" and "could not be stored" in answer["reason"]
    assert (await _answer(live, viewer, RoomCommand("step", id=3)))["k"] == "refused"
    _kept(rooms).is_away = False
    assert (await _answer(live, viewer, RoomCommand("step", id=4)))["k"] == "ack"
    assert [await _process(live, broker) for broker in (1, 2)] == ["down", "running"]


async def test_an_action_of_two_rooms_that_is_not_stored_happens_in_neither(rooms: Host) -> None:
    both = [(await enter(rooms, name))[0] for name in ("a", "b")]
    _kept(rooms).is_broken = True
    async with both[0].lock, both[1].lock:
        with pytest.raises(NotDone, match="the action could not be stored"):
            await act_together(both, "kill 1", both[0].clock.t_us)
    assert [await _process(live, 1) for live in both] == ["running", "running"]


async def test_an_action_of_two_rooms_is_taken_back_in_both_when_the_database_is_there_again(rooms: Host) -> None:
    both = [(await enter(rooms, name))[0] for name in ("a", "b")]
    _kept(rooms).is_away = True
    async with both[0].lock, both[1].lock:
        with pytest.raises(NotDone, match="look later whether it happened"):
            await act_together(both, "kill 1", both[0].clock.t_us)
    _kept(rooms).is_away = False
    for live in both:
        async with live.lock:
            await live.advance(live.clock.t_us + 1)
    assert [await _process(live, 1) for live in both] == ["running", "running"]


async def test_a_room_that_plays_waits_for_the_database_and_goes_on(rooms: Host) -> None:
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("play"))
    _kept(rooms).is_away = True
    await commands.obey(live, viewer, RoomCommand("act", id=2, do="kill 2"))
    stood = live.clock.t_us
    await asyncio.sleep(0.3)
    assert live.clock.t_us == stood
    _kept(rooms).is_away = False
    await until(lambda: live.clock.t_us > stood)
    assert not live.ended


async def test_an_action_whose_commit_went_through_has_happened_though_the_answer_was_lost(rooms: Host) -> None:
    live, viewer = await enter(rooms)
    _kept(rooms).breaks_after_storing = True
    answer = await _answer(live, viewer, RoomCommand("act", id=1, do="kill 1"))
    assert (answer["k"], answer["at_us"]) == ("ack", 1)
    assert await _process(live, 1) == "down"


async def test_an_action_on_which_the_simulation_fails_is_not_kept(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, viewer = await enter(rooms)
    assert live.run._engine is not None
    ask, is_faulty = live.run._engine.ask, True

    async def failing(operation: Any, *arguments: Any) -> Any:
        nonlocal is_faulty
        if operation is RoomRun.advance and is_faulty:
            is_faulty = False
            raise RunFailed("AssertionError: HW-3")
        return await ask(operation, *arguments)

    monkeypatch.setattr(live.run._engine, "ask", failing)
    answer = await _answer(live, viewer, RoomCommand("act", id=1, do="kill 1"))
    assert answer["k"] == "refused" and "HW-3" in answer["reason"] and "nothing was changed" in answer["reason"]
    assert _kept(rooms).actions == [] and not live.ended
    assert await _process(live, 1) == "running"
    assert (await _answer(live, viewer, RoomCommand("act", id=2, do="kill 2")))["k"] == "ack"


async def test_a_viewer_that_leaves_before_its_first_view_is_forgotten(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, viewer = await enter(rooms)
    live.leave(viewer)
    is_asked = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        is_asked.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(live, "send_snapshot", never)
    coming = asyncio.create_task(enter(rooms))
    await is_asked.wait()
    coming.cancel()
    await asyncio.wait([coming])
    assert live.hub.viewers == []


async def test_a_database_error_does_not_end_the_keeper(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "CLOCK_STORE_S", 0.05)
    monkeypatch.setattr(host, "UNATTENDED_DROP_S", 0.0)
    live, viewer = await enter(rooms)
    monkeypatch.setattr(live, "close", _no_database)
    live.leave(viewer)
    await until(lambda: not rooms.names())
    other, _ = await enter(rooms, "b")
    other.has_unstored_clock = True
    await until(lambda: "b" in _kept(rooms).clocks)


async def _no_database() -> None:
    raise OperationalError("the database is away")


async def test_a_busy_database_delays_the_answer_to_pause_and_not_what_the_pages_show(rooms: Host) -> None:
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("play"))
    _kept(rooms).hold.clear()
    pausing = asyncio.create_task(commands.obey(live, viewer, RoomCommand("pause", id=1)))
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        while live.clock.playing:
            await asyncio.sleep(0.02)
    told = await frames(viewer)
    assert [frame for frame in told if frame["k"] == "clock"][-1]["playing"] is False
    assert not [frame for frame in told if frame["k"] == "ack" and frame["id"] == 1]
    _kept(rooms).hold.set()
    await pausing
    assert [frame["id"] for frame in await frames(viewer) if frame["k"] == "ack"] == [1]


async def test_a_busy_room_does_not_keep_the_clocks_of_others_from_being_stored(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "CLOCK_STORE_S", 0.05)
    busy, _ = await enter(rooms, "a")
    other, viewer = await enter(rooms, "b")
    busy.has_unstored_clock = True
    async with busy.lock:
        await commands.obey(other, viewer, RoomCommand("speed", speed_us=1_000_000))
        await commands.obey(other, viewer, RoomCommand("play"))
        async with asyncio.timeout(5):
            while "b" not in _kept(rooms).clocks or _kept(rooms).clocks["b"].t_us == 0:
                await asyncio.sleep(0.02)
        await commands.obey(other, viewer, RoomCommand("pause"))


async def test_a_room_that_fails_does_not_keep_the_clocks_of_others_from_being_stored(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "CLOCK_STORE_S", 0.05)
    failing, _ = await enter(rooms, "a")
    other, _ = await enter(rooms, "b")

    async def fails() -> StoredClock:
        raise RoomEnded("its engine died four times")

    monkeypatch.setattr(failing, "clock_to_store", fails)
    failing.has_unstored_clock = other.has_unstored_clock = True
    await until(lambda: "b" in _kept(rooms).clocks)


async def test_who_comes_while_a_room_is_dropped_gets_a_room_of_its_own_where_the_other_stood(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, viewer = await enter(rooms)
    async with live.lock:
        await live.step(viewer, any_fact=True)
    _kept(rooms).hold.clear()
    live.leave(viewer)
    monkeypatch.setattr(evict_rooms, "ROOMS_MAX", 1)
    other = asyncio.create_task(enter(rooms, "b"))  # the first one gives way
    await until(lambda: rooms.closing() == [live.name])
    monkeypatch.setattr(evict_rooms, "ROOMS_MAX", 2)
    coming = asyncio.create_task(enter(rooms))
    await asyncio.sleep(0.2)
    _kept(rooms).hold.set()
    await other
    again, _ = await coming
    assert again is not live
    assert again.clock.t_us == live.clock.t_us > 0
    await asyncio.sleep(0.2)
    assert await again.run.ask(RoomRun.digest)


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (OperationalError("no route"), "database"),
        (RunFailed("AssertionError: HW-3"), "HW-3"),
        (CannotStart("another Highwater already runs on this data"), "already runs"),
        (KeyError("x"), "KeyError"),
    ],
)
async def test_a_viewer_that_cannot_enter_is_told_why(
    monkeypatch: pytest.MonkeyPatch, failure: Exception, words: str
) -> None:
    def fails() -> Host:
        raise failure

    monkeypatch.setattr(socket, "host", fails)
    consumer = socket.RoomSocket()
    consumer.viewer = Viewer()
    await consumer._enter(consumer.viewer)
    (told,) = await frames(consumer.viewer)
    assert told["k"] == "end" and words in told["reason"]
    assert consumer.viewer.is_closed


async def _after(done: asyncio.Future[None]) -> None:
    await done


async def test_a_socket_answers_while_its_room_is_built_and_then_does_what_waited_in_order(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ping is not kept waiting by the commands that were sent before it."""
    live, _ = await enter(rooms)
    done: list[str] = []
    consumer = socket.RoomSocket()
    consumer.viewer, consumer._rate = Viewer(), TokenBucket(100, 100)

    async def obey(_: Room, __: Viewer, command: RoomCommand) -> None:
        await asyncio.sleep(0.01 if command.cmd == "play" else 0)
        done.append(command.cmd)

    monkeypatch.setattr(commands, "obey", obey)
    built: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    consumer._newest = asyncio.create_task(_after(built))
    for cmd in ("play", "pause", "ping"):
        await consumer.receive(json.dumps({"cmd": cmd}))
    assert [frame["is_in"] for frame in await frames(consumer.viewer)] == [False]
    consumer.room = live
    built.set_result(None)
    await consumer.receive(json.dumps({"cmd": "ping"}))
    await asyncio.wait([consumer._newest])
    assert done == ["play", "pause"]
    assert [frame["is_in"] for frame in await frames(consumer.viewer)] == [True]


def test_a_number_that_only_looks_like_one_counts_as_none() -> None:
    assert socket._have({"query_string": "have=²".encode("latin-1")}) == 0
    assert socket._have({"query_string": b"have=%C2%B2"}) == 0
    assert socket._have({"query_string": b"have=17"}) == 17


async def test_at_high_speed_a_long_run_is_not_replayed_for_a_click_and_the_answer_says_so(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BACK_EVENTS_MAX, engine_form(), 10)
    live, viewer = await enter(rooms)
    await commands.obey(live, viewer, RoomCommand("speed", speed_us=2_000_000))
    await commands.obey(live, viewer, RoomCommand("play"))
    await until(lambda: live.clock.t_us > 1_000_000)
    shown_us = live.clock.t_us - 200_000
    await frames(viewer)
    await commands.obey(live, viewer, RoomCommand("act", id=1, do="kill 1", shown_us=shown_us))
    told = await frames(viewer)
    answer = next(frame for frame in told if frame["k"] == "ack")
    assert answer["at_us"] > shown_us + 1 and "the run had gone on to" in answer["said"]
    assert not any(frame["k"] == "snap" and frame["back"] for frame in told)


async def test_a_stranger_does_not_stop_the_way_ahead(rooms: Host) -> None:
    live, viewer = await enter(rooms)
    stranger = Viewer()
    await rooms.enter(RoomName("a"), stranger, 0)
    await commands.obey(live, viewer, RoomCommand("reach", id=1, t_us=120_000_000))
    await asyncio.sleep(0.1)
    for cmd in ("pause", "play", "step", "act"):
        assert (await _answer(live, stranger, RoomCommand(cmd, id=2, do="kill 1")))["k"] == "refused"
    await until(lambda: live.clock.t_us > 0)
    assert live.clock.t_us == 120_000_000


async def test_a_run_beside_the_rooms_ends_at_the_limit_of_events(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RUN_EVENTS_MAX, engine_form(), 300)
    stored = await rooms.storage.load("a", "a")
    with pytest.raises(host.RoomRunTooLong, match="300 events"):
        async with rooms.aside(stored.document, 86_400_000_000, Holder("", "")):
            pass


async def test_a_run_beside_the_rooms_ends_at_its_limit_of_time(rooms: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "ASIDE_WALL_S", 0.0)
    stored = await rooms.storage.load("a", "a")
    with pytest.raises(
        host.RoomRunTooLong, match=r"to 60.000 s takes more than 0 s here, .* Ask for an earlier moment"
    ):
        async with rooms.aside(stored.document, 60_000_000, Holder("", "")):
            pass


async def test_nobody_waits_until_a_run_beside_the_rooms_is_closed(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process may be in the middle of building it."""

    async def never(self: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(RunPlace, "give_back", never)
    stored = await rooms.storage.load("a", "a")
    async with asyncio.timeout(60), rooms.aside(stored.document, 1_000, Holder("", "")) as run:
        assert await run.ask(RoomRun.seq) >= 0


async def test_a_room_that_would_open_beyond_the_limit_of_events_opens_where_the_limit_is(
    rooms: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RUN_EVENTS_MAX, engine_form(), 300)
    _kept(rooms).clocks["a"] = StoredClock("a", "a", True, 0, 86_400_000_000)
    async with asyncio.timeout(20):
        live, viewer = await enter(rooms)
    assert 0 < live.clock.t_us < 86_400_000_000
    assert "300 events" in next(frame["reason"] for frame in await frames(viewer) if frame["k"] == "end")
