"""One live room: a run in an engine process, its clock, its viewers. Everything that touches the run holds ``lock``.

The order that makes an action safe: the engine carries it out, the database stores it, only then does any viewer see
its facts. So a process killed at any moment has shown nothing that the stored document does not tell, and an action
on which the engine fails is never stored.
"""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import msgpack

from playground.rooms import wire
from playground.rooms.ahead import Ahead
from playground.rooms.clock import Clock
from playground.rooms.engines import Engine, Engines, RoomEnded, RunFailed
from playground.rooms.hub import Hub, Viewer
from playground.rooms.limits import (
    CATCH_UP_US,
    CATCH_UP_WINDOW_S,
    ENGINE_RESTARTS_MAX,
    LOADING_EVERY_S,
    SNAPSHOT_BYTES_MAX,
    SPEED_NORMAL_US,
    STEP_LOOK_US,
    UNATTENDED_PAUSE_S,
)
from playground.rooms.pace import SKIP_SPEED_US, Pace, first_speed_us
from playground.rooms.run_limit import events_max, is_over, limit_words
from playground.rooms.storage import Storage, StoredClock, StoredRun
from playground.rooms.streams import SUMMARY
from playground.rooms.ticker import Ticker
from playground.scenarios.engine_version import engine_version

Frame = dict[str, Any]


@dataclass
class Room:
    """A run that is in memory. ``name`` is the room's id, ``run`` what the database had of it."""

    name: str
    run: StoredRun
    engines: Engines
    storage: Storage
    hub: Hub = field(default_factory=Hub)
    clock: Clock = field(default_factory=Clock)
    pace: Pace = field(default_factory=Pace)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    past_lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # one request about the past at a time
    ahead: Ahead = field(default_factory=Ahead)
    is_auto: bool = True
    chosen_us: int = SPEED_NORMAL_US  # the speed that somebody chose; at events the clock may be slower (``eases``)
    eases: bool = False  # slow down at events
    events: int = 0
    seq: int = 0
    names: dict[str, Any] = field(default_factory=dict)
    ended: str = ""  # why the run goes no further
    notice: dict[str, str] | None = None  # today's engine computes another digest
    empty_since: float = 0.0
    was_attended: bool = False  # somebody has been here and left
    last_action_us: int = 0
    has_unstored_clock: bool = False
    has_new_actions: bool = False  # accepted, or maybe accepted, since ``run`` was loaded
    is_due: bool = False  # the cluster is on its way to another state (``pace``)
    next_action_us: int = -1  # of the document's own timeline
    audience: list[Viewer] = field(default_factory=list)  # those who wait while the run comes back

    def __post_init__(self) -> None:
        self._engine: Engine | None = None
        self._ticker = Ticker(self)
        self._restarts = 0
        self._returned = 0.0
        self._has_run = False  # the engine holds the run of the stored document; if not, nothing goes on without it
        self._is_whole = True  # the run is not in the middle of a microsecond
        self._ended_kind = ""
        self._packed: dict[str, bytes] = {}  # document and names
        self.empty_since = time.monotonic()

    # --- coming and going ---

    async def open(self) -> None:
        """Build the run and replay it to where its clock stood. Raises RoomEnded."""
        stored = self.run.clock
        self.last_action_us = self.run.last_action_us
        if stored is None:
            self.clock.t_us = self.run.moment_us
            self.clock.playing = self.run.plays_at_once
        else:
            self.clock.t_us = max(stored.t_us, self.run.last_action_us)
            self.clock.playing = stored.is_playing
        try:
            self.clock.t_us = await self._build(self.clock.t_us)
            self._choose_speed(first_speed_us(self.names) if stored is None else stored.speed_us)
            await self._compare_digest()
        except RunFailed as failure:
            raise RoomEnded(f"The simulation stopped because of an error in it: {failure}") from failure
        self._returned = time.monotonic()
        self._ticker.start()
        if self.is_at_limit():
            self.end("limit", limit_words())

    async def close(self) -> None:
        """Stop the clock and give the engine back. The stored clock says where the room stood."""
        self._ticker.stop()
        self.ahead.cancel()
        for viewer in list(self.hub.viewers):
            viewer.close()
        if self._engine is not None:
            await self.engines.give_back(self._engine, self.name)

    async def join(self, viewer: Viewer, have_seq: int, greeting: dict[str, Any]) -> None:
        """Greet a viewer, take its word about what it drew, and give it the view."""
        async with self.lock:
            await self.catch_up(have_seq)
            viewer.tell(wire.hello(self.name, greeting | self._about(), self._packed_about()))
            self.hub.add(viewer)
            try:
                await self.send_snapshot([viewer])
            except BaseException:  # it went meanwhile, or cannot be shown anything: nobody else will take it out
                self.leave(viewer)
                raise
            if self.ended:
                viewer.tell(self._end_frame())
        self.wake()

    def leave(self, viewer: Viewer) -> None:
        """A viewer went; a room without viewers pauses after a while."""
        self.hub.remove(viewer)
        self.was_attended = True
        if not self.hub.viewers:
            self.empty_since = time.monotonic()

    def _about(self) -> dict[str, Any]:
        """What every viewer is told first."""
        return {
            "doc_id": self.run.scenario_id,
            "title": self.run.title,
            "frozen": self.run.is_frozen,
            "version": engine_version(),
            "notice": self.notice,
            "limits": {"events": events_max()},
        }

    def _packed_about(self) -> dict[str, bytes]:
        """The large part of it, packed once."""
        if not self._packed:
            self._packed = {"document": msgpack.packb(self.run.document), "names": msgpack.packb(self.names)}
        return self._packed

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

    def stored_clock(self, t_us: int | None = None, digest: str = "") -> StoredClock:
        """The clock as it is stored, now or as it will be at ``t_us``."""
        return StoredClock(
            room=self.name,
            scenario_id=self.run.scenario_id,
            is_playing=self.clock.playing,
            speed_us=0 if self.is_auto else self.chosen_us,
            t_us=self.clock.t_us if t_us is None else t_us,
            seq=self.seq,
            digest=digest,
        )

    async def clock_to_store(self) -> StoredClock:
        """The stored clock with the digest of this very moment, if the engine has it at hand."""
        async with self.lock:
            engine = self._engine
            is_at_hand = self._has_run and self._is_whole and not self.ended
            digest = await engine.ask(self.name, "digest") if engine and is_at_hand else ""
            self.has_unstored_clock = False
            return self.stored_clock(digest=digest)

    # --- the run ---

    async def ask(self, operation: str, *arguments: Any) -> Any:
        """One operation on the run; one that is not there, or whose engine died, comes back first."""
        if self._engine is not None and self._engine.is_dead:
            self._note_death()
        if not self._has_run:
            await self._rebuild()
        assert self._engine is not None
        return await self._engine.ask(self.name, operation, *arguments)

    async def go_back(self, t_us: int) -> None:
        """The run returns to ``t_us`` by replay; everybody gets a view. Holds ``lock`` already."""
        t_us = await self._build(t_us)
        self.clock.jump(t_us, time.monotonic())
        self.pace.note_event(t_us)
        await self.send_snapshot(self.hub.viewers, is_back=True)

    async def carry_out(self, do: str) -> tuple[int, list[Frame]]:
        """Let the engine do an action: when it happened, and its facts, which nobody has seen. Holds ``lock``."""
        at_us: int = await self.ask("act", self.clock.t_us + 1, do)
        return at_us, await self.unseen(at_us)

    async def unseen(self, until_us: int) -> list[Frame]:
        """Run on by the microsecond of an action, for ``show`` later. Holds ``lock``."""
        assert self._engine is not None
        frames: list[Frame] = []
        while not frames or frames[-1]["t"] < until_us:  # not ``ask``: a run that came back would lack the action
            asked = self._engine.ask(self.name, "advance", until_us, False, self.hub.streams(), True)
            frames.append(await asked)
        return frames

    async def advance(self, until_us: int, *, stop_at_event: bool = False, flush: bool = False) -> Frame:
        """Run on and show the new facts to everybody. Holds ``lock`` already."""
        frame: Frame = await self.ask("advance", until_us, stop_at_event, self.hub.streams(), flush)
        self.show(frame)
        self._is_whole = frame["t"] == until_us
        return frame

    async def arrive(self, t_us: int) -> None:
        """The run was replayed to ``t_us``: everybody gets the view, facts follow from here. Holds ``lock``."""
        assert self._engine is not None
        await self._end_replay(self._engine, t_us)
        self.clock.jump(t_us, time.monotonic())
        self.pace.note_event(t_us)
        await self.send_snapshot(self.hub.viewers)
        if self.is_at_limit():
            self.end("limit", limit_words())

    async def step(self, *, any_fact: bool) -> Frame:
        """Run to the next event, or to the next fact of any kind. Holds ``lock`` already."""
        end_us = self.clock.t_us + STEP_LOOK_US
        while True:
            frame: Frame = await self.ask("step", end_us, any_fact, self.hub.streams())
            self.show(frame)
            is_there = frame["event_us"] >= 0 or (any_fact and frame["seq"] > frame["from"])
            if is_there or frame["t"] >= end_us or self.is_at_limit():
                self.clock.jump(frame["t"], time.monotonic())
                return frame | {"found": is_there}

    def show(self, frame: Frame) -> None:
        """Give the facts of a frame to the viewers and take note of where the run is."""
        self.clock.t_us = frame["t"]
        self.seq = frame["seq"]
        self.events = frame["events"]
        self._is_whole = True
        self.next_action_us = frame["next_action_us"]
        if frame["event_us"] >= 0:
            self.pace.note_event(frame["event_us"])
            self.is_due = frame["is_due"]
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

    def is_running(self, now: float) -> bool:
        """Whether time runs: it plays, and somebody is here or was until a moment ago."""
        is_attended = bool(self.hub.viewers) or (self.was_attended and now - self.empty_since <= UNATTENDED_PAUSE_S)
        return self.clock.playing and not self.ended and is_attended

    def is_at_rest(self) -> bool:
        """Whether no event is to be expected: nothing is on its way, no action comes, nothing fails by itself."""
        return not self.is_due and self.next_action_us < 0 and not self.run.document.get("faults")

    def is_at_limit(self) -> bool:
        """Whether the run has as many events as one run may have."""
        return self.events >= events_max()

    def note_health(self) -> None:
        """The run went on: the deaths of engines before do not count any more."""
        self._restarts = 0

    async def send_snapshot(self, viewers: list[Viewer], *, is_back: bool = False) -> None:
        """The view of this moment to some viewers. Holds ``lock`` already."""
        if SUMMARY in self.hub.streams():  # what waits for the second's end is in the view already
            await self.advance(self.clock.t_us, flush=True)
        view: bytes = await self.ask("view")
        if len(view) > SNAPSHOT_BYTES_MAX:
            raise RoomEnded(f"The view of this cluster has {len(view):,} bytes; the limit is {SNAPSHOT_BYTES_MAX:,}.")
        self.hub.give_snapshot(viewers, wire.snap(view, self.clock_now(), is_back=is_back))

    # --- inside ---

    async def _build(self, until_us: int) -> int:
        """A fresh run of the document and all accepted actions, replayed to ``until_us`` or the limit; how far."""
        self._has_run = False
        if self.has_new_actions:
            self.run = await self.storage.load(self.name, self.run.scenario_id)
            self.last_action_us = self.run.last_action_us
            self.has_new_actions = False
        if self._engine is None or self._engine.is_dead:
            self._engine = await self.engines.take()
        opened = await self._engine.ask(self.name, "open", self.run.document)
        self.names = opened["names"]
        self._packed = {}
        told = time.monotonic()
        reached = await self._engine.ask(self.name, "replay", until_us)
        while reached["t"] < until_us and not is_over(reached["events"]):
            if time.monotonic() - told > LOADING_EVERY_S:
                told = time.monotonic()
                for viewer in [*self.audience, *self.hub.viewers]:
                    viewer.tell(wire.loading(reached["t"], until_us))
            reached = await self._engine.ask(self.name, "replay", until_us)
        until_us = min(until_us, reached["t"])
        await self._end_replay(self._engine, until_us)
        self._has_run = True
        return until_us

    async def _end_replay(self, engine: Engine, t_us: int) -> None:
        """Facts are taken note of again from ``t_us`` on."""
        await engine.ask(self.name, "replay", t_us)
        state = await engine.ask(self.name, "advance", t_us, False, [], False)
        self.seq, self.events = state["seq"], state["events"]
        self.next_action_us = state["next_action_us"]
        self.is_due = await engine.ask(self.name, "is_due")
        self._is_whole = True

    async def _rebuild(self) -> None:
        """The engine's process died, or the run was thrown away: it comes back where it was."""
        self.clock.t_us = await self._build(self.clock.t_us)
        for viewer in self.hub.viewers:
            viewer.needs_snapshot = True

    def _note_death(self) -> None:
        self._restarts += 1
        if self._restarts > ENGINE_RESTARTS_MAX:
            raise RoomEnded(f"The simulation's process ended {self._restarts} times in a row on this run.")
        self._engine, self._has_run = None, False

    async def catch_up(self, have_seq: int) -> None:
        """After a return: go to the newest fact that a viewer drew: nothing drawn is withdrawn. Holds ``lock``."""
        if have_seq <= self.seq or time.monotonic() - self._returned > CATCH_UP_WINDOW_S or self.ended:
            return
        most_us = self.clock.t_us + 2 * max(self.clock.speed_us, self._speed_stored()) + CATCH_UP_US
        while self.seq < have_seq and self.clock.t_us < most_us:
            frame = await self.ask("advance_to_seq", have_seq, most_us, self.hub.streams())
            self.show(frame)
        self.clock.jump(self.clock.t_us, time.monotonic())

    def _speed_stored(self) -> int:
        """A room on automatic may have been skipping when it went."""
        return SKIP_SPEED_US if self.is_auto else self.clock.speed_us

    async def _compare_digest(self) -> None:
        """Whether today's engine computes what was stored with the document or the clock."""
        stored = self.run.clock
        digest, engine = "", ""
        if stored is not None and stored.t_us == self.clock.t_us and stored.digest:
            digest, engine = stored.digest, stored.engine
        elif self.run.digest and self.clock.t_us == self.run.moment_us:
            digest, engine = self.run.digest, self.run.engine
        if digest and digest != await self.ask("digest"):
            self.notice = {"computed_by": engine, "today": engine_version()}

    def _choose_speed(self, speed_us: int) -> None:
        self.is_auto = speed_us == 0
        if speed_us:
            self.chosen_us = speed_us
            self.clock.set_speed(speed_us, time.monotonic())

    def _end_frame(self) -> bytes:
        return wire.end(self._ended_kind, self.ended, self.clock.t_us)
