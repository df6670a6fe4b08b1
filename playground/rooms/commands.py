"""The commands that a viewer may give a room, and the response to each: ack or refused, with its id."""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from django.db import DatabaseError

from playground.engine.engine import ActionRefused, EngineDied, RunFailed
from playground.rooms import wire
from playground.rooms.acting import NotDone, act, must_go_on
from playground.rooms.hub import Viewer
from playground.rooms.live_run import Frame, RoomEnded
from playground.rooms.room import Room
from playground.rooms.wire import RoomCommand
from playground.storage_trouble import AWAY, trouble_of
from simengine.scenario import parse
from simengine.scenario.verb import SETTING
from simengine.scenario.verbs import VERBS

log = logging.getLogger(__name__)

READERS_WORDS = "this run belongs to another browser: you can look, and fork it to act in a copy of your own"
FROZEN_WORDS = "this is a shared copy, which never changes: your action starts a new run from here"
STEERING_WORDS = "only the one who made this run moves its clock: you can look around in what has happened"


Handler = Callable[[Room, Viewer, RoomCommand], Awaitable[None]]


async def obey(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    """Do one command and answer it."""
    await _answered(_HANDLERS[command.cmd], room, viewer, command)


async def _answered(handler: Handler, room: Room, viewer: Viewer, command: RoomCommand) -> None:
    try:
        await handler(room, viewer, command)
    except (NotDone, ActionRefused, RoomEnded) as refusal:
        viewer.tell(wire.refused(command.id, str(refusal)))
    except RunFailed as failure:
        room.end("failed", f"The simulation stopped because of an error in it: {failure}")
        viewer.tell(wire.refused(command.id, room.ended))
    except EngineDied:
        viewer.tell(wire.refused(command.id, "the simulation's process ended; the run is coming back, try again"))
    except DatabaseError as failure:
        log.warning("room %s: %s", room.name, command.cmd, exc_info=True)
        viewer.tell(wire.refused(command.id, trouble_of(failure) or AWAY))
    except Exception as error:
        log.exception("room %s: %s", room.name, command.cmd)
        viewer.tell(wire.refused(command.id, f"an error in Highwater ({type(error).__name__}); look what happened"))


async def _act(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    if not viewer.may_act:
        raise NotDone(FROZEN_WORDS if room.run.stored.is_frozen else READERS_WORDS)
    room.ahead.stop()
    async with room.lock:
        if command.nonce in room.run.stored.nonces:
            viewer.tell(wire.ack(command.id, room.run.stored.nonces[command.nonce], room.run.seq))
            return
        must_go_on(room)
        if (done_us := _stands_already(room, command)) >= 0:
            viewer.tell(wire.ack(command.id, done_us, room.run.seq))
            return
        _must_be_new(room, command)
        done = await act(room, command.do, command.shown_us, command.nonce)
        viewer.tell(wire.ack(command.id, done.at_us, room.run.seq, done.said))


async def _play(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    _must_steer(viewer)
    must_go_on(room)
    room.ahead.stop()
    async with room.lock:
        room.clock.play(time.monotonic())
        await _clock_changed(room, viewer, command)


async def _pause(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    _must_steer(viewer)
    room.ahead.stop()
    async with room.lock:
        room.clock.pause()
        await _clock_changed(room, viewer, command)


async def _speed(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    _must_steer(viewer)
    async with room.lock:
        room.choose_speed(command.speed_us)
        await _clock_changed(room, viewer, command)


async def _ease(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    _must_steer(viewer)
    async with room.lock:
        room.choose_ease(eases=command.eases)
        await _clock_changed(room, viewer, command)


async def _step(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    _must_steer(viewer)
    must_go_on(room)
    room.ahead.stop()
    async with room.lock:
        room.clock.pause()
        frame = await room.step(viewer, any_fact=command.to == wire.FACT)
        await _clock_changed(room, viewer, command, "" if frame["found"] else _said_of_step(room, frame, command))


def _said_of_step(room: Room, frame: Frame, command: RoomCommand) -> str:
    """The sentence for a step that found nothing."""
    looked, now = f"{frame['looked_us'] / 1e6:.1f} simulated seconds", f"{frame['t'] / 1e6:.3f} s"
    if command.to == wire.FACT:
        return f"Nothing at all happened in {looked}. The run is now at {now}."
    why = ": the cluster is at rest" if room.run.is_at_rest() else ""
    return f"No event in {looked}{why}. The run is now at {now}; Shift with . goes on by single messages."


async def _reach(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    """Go to a moment that has not come yet. That takes its time, so the socket's next commands do not wait for it."""
    _must_steer(viewer)
    must_go_on(room)
    room.ahead.begin(_answered(_go_ahead, room, viewer, command))


async def _go_ahead(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    await room.ahead.go(room, command.t_us, viewer)
    async with room.lock:
        await _clock_changed(room, viewer, command)


async def _stream(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    viewer.stream = command.stream
    viewer.needs_snapshot = True
    viewer.tell(wire.ack(command.id, room.clock.t_us, room.run.seq))
    room.wake()


async def _resync(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    viewer.needs_snapshot = True
    viewer.tell(wire.ack(command.id, room.clock.t_us, room.run.seq))
    room.wake()


async def _have(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    if command.seq > room.run.seq:
        async with room.lock:
            await room.catch_up(command.seq)
    viewer.tell(wire.ack(command.id, room.clock.t_us, room.run.seq))


async def _clock_changed(room: Room, viewer: Viewer, command: RoomCommand, said: str = "") -> None:
    """Tell everybody, store the clock, then answer; the host stores it later if that fails. Holds the room's lock.

    A busy database delays the answer, and not what the pages show.
    """
    room.tell_clock()
    try:
        await room.storage.keep_clocks([room.stored_clock()])
    except DatabaseError:
        log.warning("room %s: its clock is not stored yet", room.name, exc_info=True)
    viewer.tell(wire.ack(command.id, room.clock.t_us, room.run.seq, said))


def _stands_already(room: Room, command: RoomCommand) -> int:
    """The moment (us) of the same setting, made at this same instant with no action after it; -1 without one."""
    done_us = room.run.done_us.get(command.do, -1)
    is_setting = done_us >= 0 and SETTING in VERBS[parse(command.do).verb].traits
    return done_us if is_setting and done_us == room.run.last_action_us == room.clock.t_us else -1


def _must_be_new(room: Room, command: RoomCommand) -> None:
    """Two who press one button at the same moment want one thing: it is not done a second time.

    The moment shown does not tell: at high speed the first action takes the run back, before what the second one saw.
    """
    done_us = room.run.done_us.get(command.do, -1)
    if command.seen_us is not None and done_us > command.seen_us:
        raise NotDone(f"the same was done at {done_us / 1e6:.3f} s already, before your picture showed it")


def _must_steer(viewer: Viewer) -> None:
    if not viewer.may_steer:
        raise NotDone(STEERING_WORDS)


_HANDLERS: Final[dict[str, Handler]] = {
    "act": _act,
    "play": _play,
    "pause": _pause,
    "speed": _speed,
    "ease": _ease,
    "step": _step,
    "reach": _reach,
    "stream": _stream,
    "resync": _resync,
    "have": _have,
}
