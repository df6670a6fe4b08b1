"""One live room: a run in an engine process, its clock, its viewers. Everything that touches the run holds ``lock``.

The order that makes an action safe: the engine carries it out, the database stores it, only then does any viewer see
its facts. So a process killed at any moment has shown nothing that the stored document does not tell, and an action
on which the engine fails is never stored.
"""

import asyncio
import time
from typing import Any

from playground.engine.engine import RunFailed
from playground.engine.live import Engines
from playground.engine.places import Places
from playground.engine.turns import Holder
from playground.rooms import wire
from playground.rooms.ahead import Ahead
from playground.rooms.clock import Clock
from playground.rooms.hub import Hub, Viewer
from playground.rooms.limits import (
    CATCH_UP_US,
    CATCH_UP_WINDOW_S,
    PAST,
    PEOPLE_TOLD_S,
    SNAPSHOT_BYTES_MAX,
    SPEED_NORMAL_US,
    STEP_LOOK_US,
    STEP_WALL_S,
)
from playground.rooms.live_run import Frame, LiveRun, RoomEnded
from playground.rooms.pace import SKIP_SPEED_US, RoomPace, first_speed_us
from playground.rooms.run import RoomRun
from playground.rooms.run_limit import events_max, limit_words
from playground.rooms.storage import Storage, StoredClock, StoredRun
from playground.rooms.streams import SUMMARY
from playground.rooms.ticker import Ticker
from playground.scenarios.engine_version import engine_version


class Room:
    """A run that is in memory, its clock and its viewers. ``name`` is the room's id."""

    def __init__(
        self,
        name: str,
        stored: StoredRun,
        engines: Engines,
        storage: Storage,
        opener: Holder,
        audience: list[Viewer] | None = None,
    ) -> None:
        self.name = name
        self._opener = opener
        self.storage = storage
        self.run = LiveRun(name, stored, engines, storage, self.holder, self._tell_way, self._came_back)
        self.hub = Hub()
        self.clock = Clock()
        self.pace = RoomPace()
        self.ahead = Ahead()
        self.lock = asyncio.Lock()
        self.past_places = (Places(PAST), Places(PAST))  # to look back: of those who watch, and of those who steer
        self.is_auto = True
        self.chosen_us = SPEED_NORMAL_US  # the speed that somebody chose; at events the clock may be slower (``eases``)
        self.eases = False  # slow down at events
        self.is_closed = False
        self.ended = ""  # why the run goes no further
        self.empty_since = time.monotonic()
        self.has_unstored_clock = False
        self._audience = [] if audience is None else audience  # those who wait while the run comes back
        self.notice: dict[str, str] | None = None  # today's engine computes another digest
        self._ticker = Ticker(self)
        self._returned = 0.0
        self._ended_kind = ""
        self._telling_people: asyncio.TimerHandle | None = None

    def holder(self) -> Holder:
        """The holder of the room: somebody in it, or else its opener."""
        return self.hub.holder() or self._opener

    # --- coming and going ---

    async def open(self) -> None:
        """Build the run and replay it to where its clock stood. Raises RoomEnded."""
        stored = self.run.stored
        clock = stored.clock
        t_us = stored.moment_us if clock is None else max(clock.t_us, stored.last_action_us)
        self.clock.playing = stored.plays_at_once if clock is None else clock.is_playing
        try:
            await self.run.build(t_us)
            self.clock.t_us = self.run.t_us
            self._choose_speed(first_speed_us(self.run.names) if clock is None else clock.speed_us)
            self.notice = await self.run.other_digest()
        except RunFailed as failure:
            raise RoomEnded(f"The simulation stopped because of an error in it: {failure}") from failure
        self._returned = time.monotonic()
        self._ticker.start()
        self.look_at_limit()

    async def close(self) -> None:
        """Stop the clock and give the engine back. The stored clock says where the room stood."""
        self._ticker.stop()
        self.ahead.cancel()
        self.is_closed = True
        for viewer in list(self.hub.viewers):
            viewer.is_gone = True
            viewer.close()
        async with self.lock:  # a command that has begun is done first
            await self.run.close()

    async def join(self, viewer: Viewer, have_seq: int, greeting: dict[str, Any]) -> None:
        """Greet a viewer, take its word about what it drew, and give it the view."""
        async with self.lock:
            await self.catch_up(have_seq)
            viewer.tell(wire.hello(self.name, greeting | self._about(), self.run.packed_about()))
            self.hub.add(viewer)
            try:
                await self.send_snapshot([viewer])
            except BaseException:  # it went meanwhile, or cannot be shown anything: nobody else will take it out
                self.leave(viewer)
                raise
            if self.ended:
                viewer.tell(self._end_frame())
        self._people_changed()
        self.wake()

    def leave(self, viewer: Viewer) -> None:
        """A viewer went; a room without viewers stands still."""
        self.hub.remove(viewer)
        self._people_changed()
        if not self.hub.viewers:
            self.empty_since = time.monotonic()

    def _people_changed(self) -> None:
        """Tell everybody who is here: once for all who come within a moment, as a class does."""
        if self._telling_people is None:
            self._telling_people = asyncio.get_running_loop().call_later(PEOPLE_TOLD_S, self._tell_people)

    def _tell_people(self) -> None:
        self._telling_people = None
        here, has_owner = self.hub.people()
        self.hub.tell(wire.people(here, has_owner=has_owner))

    async def catch_up(self, have_seq: int) -> None:
        """After a return: go to the newest fact that a viewer drew: nothing drawn is withdrawn. Holds ``lock``."""
        run = self.run
        if have_seq <= run.seq or time.monotonic() - self._returned > CATCH_UP_WINDOW_S or self.ended:
            return
        speed_us = SKIP_SPEED_US if self.is_auto else self.clock.speed_us  # on automatic it may have been skipping
        most_us = self.clock.t_us + 2 * max(self.clock.speed_us, speed_us) + CATCH_UP_US
        while run.seq < have_seq and self.clock.t_us < most_us:
            self.show(await run.ask(RoomRun.advance_to_seq, have_seq, most_us, self.hub.streams()))
        self.clock.jump(self.clock.t_us, time.monotonic())

    def _about(self) -> dict[str, Any]:
        """The fields that every viewer is told first."""
        return {
            "doc_id": self.run.stored.scenario_id,
            "title": self.run.stored.title,
            "frozen": self.run.stored.is_frozen,
            "version": engine_version(),
            "notice": self.notice,
            "limits": {"events": events_max(self.run.form)},
        }

    def _tell_way(self, t_us: int, until_us: int) -> None:
        """The run is on its way to ``until_us``."""
        for viewer in [*self._audience, *self.hub.viewers]:
            viewer.tell(wire.loading(t_us, until_us))

    def _came_back(self) -> None:
        """The run is back in a new process, where it was or at the limit."""
        self.clock.t_us = self.run.t_us
        for viewer in self.hub.viewers:
            viewer.needs_snapshot = True

    # --- state in words ---

    def clock_now(self) -> wire.Clock:
        """The clock as frames carry it."""
        return {
            "playing": self.clock.playing,
            "speed": wire.AUTO if self.is_auto else self.chosen_us,
            "eases": self.eases,
            "now_speed": self.clock.speed_us,
            "t": self.clock.t_us,
            "true_speed": self.clock.true_speed_us,
        }

    def stored_clock(self, t_us: int | None = None, digest: str = "", sentence: str = "") -> StoredClock:
        """The clock as it is stored, now or as it will be at ``t_us``, with what is known of this very moment."""
        return StoredClock(
            room=self.name,
            scenario_id=self.run.stored.scenario_id,
            is_playing=self.clock.playing,
            speed_us=0 if self.is_auto else self.chosen_us,
            t_us=self.clock.t_us if t_us is None else t_us,
            seq=self.run.seq,
            digest=digest,
            sentence=sentence,
        )

    async def clock_to_store(self) -> StoredClock:
        """The stored clock with the digest and the verdict of this very moment, if the engine has them at hand."""
        async with self.lock:
            is_askable = not self.ended or self._ended_kind == "limit"
            digest, sentence = await self.run.told_if_at_hand() if is_askable else ("", "")
            self.has_unstored_clock = False
            return self.stored_clock(digest=digest, sentence=sentence)

    # --- the run ---

    async def go_back(self, t_us: int) -> None:
        """The run returns to ``t_us`` by replay; everybody gets a view. Holds ``lock`` already."""
        await self.run.build(t_us)
        await self._show_arrival(is_back=True)

    async def arrive(self, t_us: int) -> None:
        """The run was replayed to ``t_us``: everybody gets the view, facts follow from here. Holds ``lock``."""
        await self.run.arrive(t_us)
        await self._show_arrival(is_back=False)
        self.look_at_limit()

    async def advance(self, until_us: int, *, stop_at_event: bool = False, flush: bool = False) -> Frame:
        """Run on and show the new facts to everybody. Holds ``lock`` already."""
        frame: Frame = await self.run.ask(RoomRun.advance, until_us, stop_at_event, self.hub.streams(), flush)
        self.show(frame)
        self.run.is_whole = frame["t"] == until_us
        return frame

    async def step(self, viewer: Viewer, *, any_fact: bool) -> Frame:
        """Run to the next event worth a stop, or to the next fact of any kind, for a viewer that has not gone.

        Holds ``lock`` already.
        ``found`` of the answer says whether it came, ``looked_us`` how far the run went for it.
        """
        from_us = self.clock.t_us
        end_us = max(from_us + STEP_LOOK_US, self.run.next_action_us)
        deadline = time.monotonic() + STEP_WALL_S
        while True:
            frame: Frame = await self.run.ask(RoomRun.step, end_us, any_fact, self.hub.streams())
            self.show(frame)
            is_over = frame["t"] >= end_us or self.run.is_at_limit() or time.monotonic() > deadline or viewer.is_gone
            if frame["found"] or is_over:
                self.clock.jump(frame["t"], time.monotonic())
                return frame | {"looked_us": frame["t"] - from_us}

    def show(self, frame: Frame) -> None:
        """Give the facts of a frame to the viewers and take note of where the run is."""
        self.run.note(frame)
        self.clock.t_us = frame["t"]
        if frame["event_us"] >= 0:
            self.pace.note_event(frame["event_us"])
        now = self.clock_now()
        for stream, (from_seq, number, rows) in frame["streams"].items():
            packed = wire.facts(number, rows, from_seq=from_seq, seq=frame["seq"], t_us=frame["t"], clock=now)
            self.hub.give(stream, packed)
        self.has_unstored_clock = True

    def tell_clock(self) -> None:
        """Tell everybody that the clock changed, and let the ticker look at it."""
        self.has_unstored_clock = True
        self.hub.tell(wire.clock(self.clock_now()))
        self.wake()

    def wake(self) -> None:
        """Something changed for the ticker."""
        self._ticker.wake()

    def choose_speed(self, speed_us: int) -> None:
        """Set the speed; 0 is automatic."""
        self._choose_speed(speed_us)
        self.tell_clock()

    def choose_ease(self, *, eases: bool) -> None:
        """Slow down at events, or not."""
        self.eases = eases
        if not self.is_auto:
            self.clock.set_speed(self.chosen_us, time.monotonic())

    def end(self, kind: str, reason: str) -> None:
        """The run goes no further; its past can still be looked at."""
        self.ended = reason
        self._ended_kind = kind
        self.clock.pause()
        self.hub.tell(self._end_frame())
        self.tell_clock()

    def leave_to(self, browser: str, reason: str) -> None:
        """Only this browser may act from now on; who may no longer is told why."""
        for viewer in self.hub.viewers:
            if viewer.leave_to(browser):
                viewer.tell(wire.watches(reason))
        self._people_changed()

    def is_running(self) -> bool:
        """True if time runs: it plays, and somebody is here. Who comes back finds the run where it was left."""
        return self.clock.playing and not self.ended and bool(self.hub.viewers)

    def look_at_limit(self) -> None:
        """End the run where it has as many events as one run may have."""
        if self.run.is_at_limit():
            self.end("limit", limit_words(self.run.form))

    async def send_snapshot(self, viewers: list[Viewer], *, is_back: bool = False) -> None:
        """The view of this moment to some viewers. Holds ``lock`` already."""
        if SUMMARY in self.hub.streams():  # what waits for the second's end is in the view already
            await self.advance(self.clock.t_us, flush=True)
        view: bytes = await self.run.ask(RoomRun.view)
        if len(view) > SNAPSHOT_BYTES_MAX:
            raise RoomEnded(f"The view of this cluster has {len(view):,} bytes; the limit is {SNAPSHOT_BYTES_MAX:,}.")
        self.hub.give_snapshot(viewers, wire.snap(view, self.clock_now(), is_back=is_back))

    # --- inside ---

    async def _show_arrival(self, *, is_back: bool) -> None:
        """The run is where a replay led: everybody sees it."""
        self.clock.jump(self.run.t_us, time.monotonic())
        self.pace.note_event(self.run.t_us)
        await self.send_snapshot(self.hub.viewers, is_back=is_back)

    def _choose_speed(self, speed_us: int) -> None:
        self.is_auto = speed_us == 0
        if speed_us:
            self.chosen_us = speed_us
            self.clock.set_speed(speed_us, time.monotonic())

    def _end_frame(self) -> bytes:
        return wire.end(self._ended_kind, self.ended, self.clock.t_us)
