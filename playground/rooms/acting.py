"""Does an action at the newest moment of one room, or of several: all of them do it at the same moment, or none does.

The engines carry it out, the database stores it in one transaction, and only then does any viewer see its facts.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from django.db import DatabaseError

from playground.engine.engine import ActionRefused, RunFailed
from playground.rooms.limits import BACK_EVENTS_MAX, BACK_FROM_SPEED_US, MEET_WALL_S
from playground.rooms.live_run import Frame
from playground.rooms.room import Room
from playground.rooms.run import RoomRun
from playground.rooms.storage import StoredClock
from playground.storage_trouble import AWAY, trouble_of
from simengine.scenario import DocumentError

BACK_WALL_S: Final = 2.0  # a viewer's picture is at most this old; an older time shown is not believed
APART_US: Final = 50_000  # rooms that have gone on further than this beyond the time shown go back to it,
APART_WALL_S: Final = 0.4  # or, while they play, further than so long of the viewer's time


class NotDone(Exception):
    """A command is refused; the message says why. ``place``: of the room that refuses, among those that are asked."""

    def __init__(self, message: str, place: int = 0) -> None:
        super().__init__(message)
        self.place = place


class Done(NamedTuple):
    """An action that is done: its moment (us), and what whoever did it should know."""

    at_us: int
    said: str


async def act(room: Room, do: str, shown_us: int | None, nonce: str | None) -> Done:
    """Do an action in a room. Holds the room's lock. Raises NotDone or ActionRefused; then nothing was done."""
    said = await _back_to_what_was_shown(room, shown_us)
    return await _done([room], do, nonce, [said])


async def act_together(rooms: Sequence[Room], do: str, shown_us: int) -> Done:
    """Do an action in several rooms at the same moment. Holds the locks of all. Raises NotDone; then none has done it.

    A room that has gone on beyond ``shown_us`` goes back to it, where that is cheap and no action lies between.
    """
    asked = await asyncio.gather(*(_back_where_apart(room, shown_us) for room in rooms), return_exceptions=True)
    said = []
    for one in asked:
        if isinstance(one, BaseException):
            raise one
        said.append(one)
    await _meet(rooms)
    return await _done(rooms, do, None, said)


def must_go_on(room: Room, place: int = 0) -> None:
    """Raise NotDone for a room that has ended or is closed."""
    if room.ended:
        raise NotDone(room.ended, place)
    if room.is_closed:
        raise NotDone("this room was closed; open the run again", place)


async def _done(rooms: Sequence[Room], do: str, nonce: str | None, said: list[str]) -> Done:
    carried = await _carried_out(rooms, do)
    frames = [one.frames for one in carried]
    clocks = [room.stored_clock(shown[-1]["t"]) for room, shown in zip(rooms, frames, strict=True)]
    try:
        await rooms[0].storage.accept(clocks, do, nonce)
    except Exception as failure:  # noqa: BLE001  # told in words, and looked into
        frames = await _stored_after_all(rooms, clocks, failure)
    for room, clock, shown in zip(rooms, clocks, frames, strict=True):
        room.run.note_action(clock.t_us, do, nonce)
        for frame in shown:
            room.show(frame)
        room.clock.jump(room.clock.t_us, time.monotonic())
        room.pace.note_event(clock.t_us)
    told = [*said, *(f"It changes nothing: {one.idle}." for one in carried if one.idle)]
    return Done(clocks[0].t_us, " ".join(dict.fromkeys(one for one in told if one)))


class _Carried(NamedTuple):
    """An action that an engine has carried out: its facts, not shown yet, and why it changed nothing; "" if it did."""

    frames: list[Frame]
    idle: str


async def _carried_out(rooms: Sequence[Room], do: str) -> list[_Carried]:
    """Do an action in each room. Where one refuses or fails, the others go back."""
    asked = await asyncio.gather(*(_carried_out_in(room, do) for room in rooms), return_exceptions=True)
    carried = [one for one in asked if isinstance(one, _Carried)]
    if len(carried) == len(rooms):
        return carried
    for room, one in zip(rooms, asked, strict=True):
        if isinstance(one, _Carried):
            await room.go_back(room.clock.t_us)
    place, failure = next((place, one) for place, one in enumerate(asked) if isinstance(one, BaseException))
    if isinstance(failure, (NotDone, ActionRefused)):
        raise NotDone(str(failure), place) from failure
    raise failure


async def _carried_out_in(room: Room, do: str) -> _Carried:
    """An action that breaks the run is taken back, and one that changed nothing: no run tells it.

    A long run keeps an action that changed nothing, and says so.
    """
    try:
        at_us = await room.run.act(room.clock.t_us + 1, do)
        frames = await room.run.unseen(at_us, room.hub.streams())
    except RunFailed as failure:
        await room.go_back(room.clock.t_us)
        raise NotDone(f"the simulation has an error that shows here ({failure}); nothing was changed") from failure
    idle = await room.run.ask(RoomRun.nothing_done)
    if idle and room.run.events <= BACK_EVENTS_MAX[room.run.form]:
        await room.go_back(room.clock.t_us)
        raise NotDone(f"it changes nothing: {idle}")
    return _Carried(frames, idle)


async def _stored_after_all(rooms: Sequence[Room], clocks: list[StoredClock], failure: Exception) -> list[list[Frame]]:
    """Storing failed, or only its answer was lost: the stored documents tell, and the runs follow them.

    Every run goes back before anything is refused: none plays on with an action that is not stored.
    """
    for room in rooms:
        room.run.has_new_actions = True
    unread = [place for place, room in enumerate(rooms) if not await _went_back(room)]
    if unread:
        words = f"{trouble_of(failure) or AWAY} The action could not be stored; look later whether it happened."
        raise NotDone(words, unread[0]) from failure
    for place, (room, clock) in enumerate(zip(rooms, clocks, strict=True)):
        if room.run.last_action_us != clock.t_us:
            raise NotDone(_not_stored(failure), place) from failure
    return [await room.run.unseen(clock.t_us, room.hub.streams()) for room, clock in zip(rooms, clocks, strict=True)]


async def _went_back(room: Room) -> bool:
    """The run follows its stored document again; False if that cannot be read now."""
    try:
        await room.go_back(room.clock.t_us)
    except DatabaseError:
        return False
    return True


def _not_stored(failure: Exception) -> str:
    if isinstance(failure, DocumentError):
        return str(failure)
    if (sentence := trouble_of(failure)) is not None:
        return f"{sentence} The action was not stored and did not happen."
    return f"the action could not be stored ({type(failure).__name__}); nothing was changed"


async def _back_to_what_was_shown(room: Room, shown_us: int | None) -> str:
    """At high speed a person acts on a picture that is long past: the run returns to it if nothing lies between."""
    t_us, speed_us = room.clock.t_us, room.clock.speed_us
    if shown_us is None or speed_us < BACK_FROM_SPEED_US or not room.clock.playing:
        return ""
    return await _back(room, shown_us) if shown_us > t_us - int(speed_us * BACK_WALL_S) else ""


async def _back_where_apart(room: Room, shown_us: int) -> str:
    """Rooms of one comparison play ahead of their page. It has drawn nothing of what they have reached."""
    clock = room.clock
    is_near = clock.t_us - shown_us <= near_us(clock.playing, clock.speed_us)
    return "" if is_near else await _back(room, shown_us)


def near_us(is_playing: bool, speed_us: int) -> int:
    """The distance (us) by which a room may lead its picture. Going back costs a replay from the beginning."""
    return max(APART_US, int(speed_us * APART_WALL_S)) if is_playing else APART_US


async def _back(room: Room, shown_us: int) -> str:
    """Return to the time that was shown, unless an action lies between; what whoever acts should know.

    A long run does not return: everybody would wait for the replay.
    """
    t_us = room.clock.t_us
    if not room.run.last_action_us < shown_us < t_us:
        return ""
    if room.run.events > BACK_EVENTS_MAX[room.run.form]:
        return f"You saw {shown_us / 1e6:.3f} s; the run had gone on to {t_us / 1e6:.3f} s, and acts there."
    await room.go_back(shown_us)
    return ""


async def _meet(rooms: Sequence[Room]) -> None:
    """Bring all rooms to the moment of the one that is furthest. Raises NotDone where one takes too long for it."""
    furthest_us = max(room.clock.t_us for room in rooms)
    deadline = time.monotonic() + MEET_WALL_S
    for place, room in enumerate(rooms):
        while room.clock.t_us < furthest_us:
            if time.monotonic() > deadline or room.run.is_at_limit():
                words = f"it is at {room.clock.t_us / 1e6:.3f} s and does not come to {furthest_us / 1e6:.3f} s"
                raise NotDone(words, place)
            await room.advance(furthest_us)
        room.clock.jump(room.clock.t_us, time.monotonic())
