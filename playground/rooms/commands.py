"""The commands that a viewer may give a room, and the response to each: ack or refused, with its id."""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from django.db import DatabaseError

from playground.engine.engine import ActionRefused, EngineDied, RunFailed
from playground.rooms import wire
from playground.rooms.hub import Viewer
from playground.rooms.limits import BACK_EVENTS_MAX, BACK_FROM_SPEED_US
from playground.rooms.live_run import Frame, RoomEnded
from playground.rooms.room import Room
from playground.rooms.wire import RoomCommand
from playground.storage_trouble import AWAY, trouble_of
from simengine.scenario import DocumentError, parse
from simengine.scenario.verb import SETTING
from simengine.scenario.verbs import VERBS

log = logging.getLogger(__name__)

BACK_WALL_S = 2.0  # a viewer's picture is at most this old; an older time shown is not believed
READERS_WORDS = "this run belongs to another browser: you can look, and fork it to act in a copy of your own"
FROZEN_WORDS = "this is a shared copy, which never changes: your action starts a new run from here"
STEERING_WORDS = "only the one who made this run moves its clock: you can look around in what has happened"


Handler = Callable[[Room, Viewer, RoomCommand], Awaitable[None]]


class NotDone(Exception):
    """A command is refused; the message says why."""


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
        _must_go_on(room)
        if (done_us := _stands_already(room, command)) >= 0:
            viewer.tell(wire.ack(command.id, done_us, room.run.seq))
            return
        _must_be_new(room, command)
        said = await _back_to_what_was_shown(room, command.shown_us)
        at_us, frames = await _carried_out_and_stored(room, command)
        for frame in frames:
            room.show(frame)
        room.clock.jump(room.clock.t_us, time.monotonic())
        room.pace.note_event(at_us)
        idle = await room.run.ask("nothing_done")
        told = f"It changes nothing: {idle}." if idle else ""
        viewer.tell(wire.ack(command.id, at_us, room.run.seq, f"{said} {told}".strip()))


async def _carried_out_and_stored(room: Room, command: RoomCommand) -> tuple[int, list[Frame]]:
    """Do and store an action: its moment and its facts, not shown yet. An action that breaks the run is not stored."""
    try:
        at_us = await room.run.act(room.clock.t_us + 1, command.do)
        frames = await room.run.unseen(at_us, room.hub.streams())
    except RunFailed as failure:
        await room.go_back(room.clock.t_us)
        raise NotDone(f"the simulation has an error that shows here ({failure}); nothing was changed") from failure
    await _must_change_something(room)
    try:
        await room.storage.accept(room.stored_clock(at_us), command.do, command.nonce)
    except Exception as failure:  # noqa: BLE001  # told in words, and looked into
        await _must_be_stored(room, at_us, failure)
        frames = await room.run.unseen(at_us, room.hub.streams())
    room.run.note_action(at_us, command.do, command.nonce)
    return at_us, frames


async def _must_change_something(room: Room) -> None:
    """An action that changed nothing is taken back, so that no run tells it; a long run keeps it, and says so."""
    idle = await room.run.ask("nothing_done")
    if idle and room.run.events <= BACK_EVENTS_MAX[room.run.form]:
        await room.go_back(room.clock.t_us)
        raise NotDone(f"it changes nothing: {idle}")


async def _must_be_stored(room: Room, at_us: int, failure: Exception) -> None:
    """Storing failed, or only its answer was lost: the stored document tells, and the run follows it."""
    room.run.has_new_actions = True
    try:
        await room.go_back(room.clock.t_us)
    except DatabaseError:
        raise NotDone(
            f"{trouble_of(failure) or AWAY} The action could not be stored; look later whether it happened."
        ) from failure
    if room.run.last_action_us == at_us:
        return
    if isinstance(failure, DocumentError):
        raise NotDone(str(failure)) from failure
    if (sentence := trouble_of(failure)) is not None:
        raise NotDone(f"{sentence} The action was not stored and did not happen.") from failure
    raise NotDone(f"the action could not be stored ({type(failure).__name__}); nothing was changed") from failure


async def _back_to_what_was_shown(room: Room, shown_us: int | None) -> str:
    """At high speed a person acts on a picture that is long past: the run returns to it if nothing lies between.

    A long run does not: everybody would wait for the replay. What the person should know then.
    """
    t_us, speed_us = room.clock.t_us, room.clock.speed_us
    if shown_us is None or speed_us < BACK_FROM_SPEED_US or not room.clock.playing:
        return ""
    oldest_us = t_us - int(speed_us * BACK_WALL_S)
    if not max(room.run.last_action_us, oldest_us) < shown_us < t_us:
        return ""
    if room.run.events > BACK_EVENTS_MAX[room.run.form]:
        return f"You saw {shown_us / 1e6:.3f} s; the run had gone on to {t_us / 1e6:.3f} s, and acts there."
    await room.go_back(shown_us)
    return ""


async def _play(room: Room, viewer: Viewer, command: RoomCommand) -> None:
    _must_steer(viewer)
    _must_go_on(room)
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
    _must_go_on(room)
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
    _must_go_on(room)
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


def _must_go_on(room: Room) -> None:
    if room.ended:
        raise NotDone(room.ended)
    if room.is_closed:
        raise NotDone("this room was closed; open the run again")


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
