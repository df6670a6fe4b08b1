"""One websocket of a viewer: commands in, frames out. Knows nothing of runs; the room and its hub do."""

import asyncio
import logging
from typing import Any
from urllib.parse import parse_qs

from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError

from playground.client_address import of_scope
from playground.engine.engine import EngineDied, RunFailed
from playground.engine.refusals import NotAnswered
from playground.rooms import commands, wire
from playground.rooms.evict_rooms import RoomFull
from playground.rooms.host import host
from playground.rooms.hub import Viewer
from playground.rooms.limits import (
    BAD_FRAMES_MAX,
    COMMANDS_A_SECOND,
    COMMANDS_AN_ADDRESS_A_SECOND,
    COMMANDS_AN_ADDRESS_BURST,
    COMMANDS_BURST,
    COMMANDS_WAITING_MAX,
)
from playground.rooms.live_run import RoomEnded
from playground.rooms.names import RoomName
from playground.rooms.room import Room
from playground.rooms.socket_limits import OpenSockets
from playground.rooms.storage import NoSuchRun
from playground.scenarios.cost import RunTooLarge
from playground.scenarios.owner import browser_of_cookies, guest
from playground.scenarios.rates import Rate, TokenBucket, VisitorRates
from playground.storage_trouble import trouble_of
from playground.supervisor.instance import CannotStart
from simengine.scenario import DocumentError

log = logging.getLogger(__name__)

CLOSE_POLICY = 1008
CLOSE_NORMAL = 1000
TOO_FAST = f"more than {COMMANDS_A_SECOND} commands a second; wait a moment"
TOO_FAST_TOGETHER = (
    f"more than {COMMANDS_A_SECOND} commands a second from all pages of this browser, or "
    f"{COMMANDS_AN_ADDRESS_A_SECOND} from one address; wait a moment"
)
TOO_MANY_WAITING = f"{COMMANDS_WAITING_MAX} commands of this page wait already, which is the limit; wait for an answer"

_open = OpenSockets()
_commands = VisitorRates(
    Rate(COMMANDS_A_SECOND, COMMANDS_BURST), Rate(COMMANDS_AN_ADDRESS_A_SECOND, COMMANDS_AN_ADDRESS_BURST)
)


class RoomSocket(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels publishes no types
    """/ws/room/<room>?have=<newest fact drawn>&guest=<signed word>.

    ``have`` brings a room that was killed to at least that fact. ``guest`` stands for the cookie in an embedded run.
    """

    channel_layer_alias = "none"  # a room speaks to its viewers itself: nothing to subscribe to, no Redis in the way
    room: Room | None = None
    viewer: Viewer | None = None
    _writer: asyncio.Task[None] | None = None
    _entering: asyncio.Task[None] | None = None
    _newest: asyncio.Task[None] | None = None  # the newest thing to do: each waits for the one before
    _is_counted: bool = False  # among the open sockets of its browser and address
    _waiting: int = 0  # commands that wait for the one before
    _bad_frames: int = 0

    async def connect(self) -> None:
        """Accept, then bring the viewer in; reasons against it are told in words."""
        await self.accept()
        self._rate = TokenBucket(COMMANDS_A_SECOND, COMMANDS_BURST)
        browser = guest(_query(self.scope, "guest")) or browser_of_cookies(self.scope["cookies"])
        self.viewer = Viewer(browser, address=of_scope(self.scope))
        self._writer = asyncio.create_task(self._write())
        self._newest = self._entering = asyncio.create_task(self._enter(self.viewer))

    async def disconnect(self, code: int) -> None:
        """The viewer went: what it sent is done as far as it has begun, what waits is dropped."""
        if self.viewer is not None:
            self.viewer.is_gone = True
            if self._is_counted:
                _open.close(self.viewer)
        if self._entering is not None:
            self._entering.cancel()
        if self._newest is not None:
            await asyncio.wait([self._newest])
        if self.viewer is not None:
            self.viewer.close()
            if self.room is not None:
                self.room.leave(self.viewer)
        if self._writer is not None:
            self._writer.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """One frame from the browser; a bad one is answered and the rest goes on. Commands are done one by one."""
        assert self.viewer is not None
        try:
            command = wire.read_command(text_data, bytes_data)
        except wire.BadCommand as wrong:
            await self._note_bad(wrong)
            return
        if not self._rate.take():
            self.viewer.tell(wire.refused(command.id, TOO_FAST))
            return
        if command.cmd == wire.PING:
            self.viewer.tell(wire.pong(self.room is not None))
            return
        if reason := self._must_wait(self.viewer):
            self.viewer.tell(wire.refused(command.id, reason))
            return
        self._waiting += 1
        self._newest = asyncio.create_task(self._obey(self.viewer, command, self._newest))

    def _must_wait(self, viewer: Viewer) -> str:
        """The reason why a command is not taken now; "" if it is."""
        if self._waiting >= COMMANDS_WAITING_MAX:
            return TOO_MANY_WAITING
        return "" if _commands.take(viewer.visitor()) else TOO_FAST_TOGETHER

    async def _obey(self, viewer: Viewer, command: wire.RoomCommand, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        self._waiting -= 1
        if self.room is not None and not viewer.is_gone:
            await commands.obey(self.room, viewer, command)

    async def _note_bad(self, wrong: wire.BadCommand) -> None:
        assert self.viewer is not None
        self.viewer.tell(wire.bad(wrong))
        self._bad_frames += 1
        if self._bad_frames > BAD_FRAMES_MAX:
            self.viewer.tell(wire.error(f"more than {BAD_FRAMES_MAX} frames that cannot be read"))
            self.viewer.close()

    async def _enter(self, viewer: Viewer) -> None:
        try:
            await self._try_to_enter(viewer)
        except RoomFull as full:
            self._turn_away("full", str(full))
        except NoSuchRun as missing:
            self._turn_away("deleted", str(missing))
        except (RunTooLarge, DocumentError) as refused:
            self._turn_away("refused", str(refused))
        except (RoomEnded, NotAnswered) as reason:
            self._turn_away("failed", str(reason))
        except EngineDied:
            self._turn_away("failed", "The simulation's process ended while this run was opened. Try again.")
        except RunFailed as failure:
            self._turn_away("failed", f"The simulation stopped because of an error in it: {failure}")
        except CannotStart as reason:
            self._turn_away("failed", str(reason))
        except DatabaseError as failure:
            log.warning("nobody can enter", exc_info=True)
            self._turn_away("failed", trouble_of(failure) or f"The database failed ({type(failure).__name__}).")
        except Exception as error:
            log.exception("nobody can enter")
            self._turn_away("failed", f"An error in Highwater kept this run from opening: {type(error).__name__}.")

    async def _try_to_enter(self, viewer: Viewer) -> None:
        rooms = host()
        name = RoomName.read(self.scope["url_route"]["kwargs"]["room"])
        if not name.is_open_to(viewer.browser):
            raise NoSuchRun("this room belongs to another browser; open the run's own link")
        viewer.may_act, is_frozen = await rooms.storage.rights(name.scenario_id, viewer.browser)
        if is_frozen and not name.is_private:
            raise NoSuchRun("a shared copy has a room for each browser; open the run's own link")
        viewer.may_steer = viewer.may_act or name.is_private
        _open.open(viewer)
        self._is_counted = True
        self.room = await rooms.enter(name, viewer, _have(self.scope))

    def _turn_away(self, kind: str, reason: str) -> None:
        assert self.viewer is not None
        self.viewer.tell(wire.end(kind, reason, 0))
        self.viewer.close()

    async def _write(self) -> None:
        """Send what the viewer is given; the socket's own back pressure holds this task, never the room."""
        assert self.viewer is not None
        while (frame := await self.viewer.next_frame()) is not None:
            await self.base_send({"type": "websocket.send", "bytes": frame})
        await self.close(CLOSE_NORMAL if self.room is not None else CLOSE_POLICY)


def _query(scope: Any, key: str) -> str:
    """A value of the query; "" where it is not there."""
    query: str = scope.get("query_string", b"").decode("latin-1")
    return parse_qs(query).get(key, [""])[0]


def _have(scope: Any) -> int:
    """The newest fact that this viewer drew, from the query; 0 for a new one."""
    value = _query(scope, "have")
    return int(value) if value.isascii() and value.isdecimal() and len(value) <= 16 else 0
