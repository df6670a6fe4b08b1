"""A room's run as the web process holds it: what is stored of it, which engine process has it, how it comes back.

Knows neither viewers nor clocks; those are the room's. Whoever calls it holds the room's lock.
"""

import time
from collections.abc import Callable
from typing import Any, Concatenate

import msgpack

from playground.engine.engine import ActionRefused, RunRefused
from playground.engine.live import Engines, RunPlace
from playground.engine.turns import Holder
from playground.engine.works import P, R
from playground.rooms.limits import ENGINE_RESTARTS_MAX, LOADING_EVERY_S
from playground.rooms.run import RoomRun
from playground.rooms.run_limit import events_max, is_over
from playground.rooms.storage import Storage, StoredRun
from playground.rooms.work import run_of
from playground.scenarios.cost import GROWING, RunTooLarge, need_of
from playground.scenarios.documents import StoredScenario
from playground.scenarios.engine_version import engine_version
from simengine.form import form_of_next

Frame = dict[str, Any]


class RoomEnded(Exception):
    """A room cannot go on; the message says why and what can be done."""


class LiveRun:
    """The run of the room ``name``: the stored document with its accepted actions, as far as it has been shown.

    ``holder()``: whose turns it takes in an engine.
    ``on_way(t_us, until_us)`` is told how far a replay has come, ``on_return()`` that the run is back in a new process.
    """

    def __init__(
        self,
        name: str,
        stored: StoredRun,
        engines: Engines,
        storage: Storage,
        holder: Callable[[], Holder],
        on_way: Callable[[int, int], None],
        on_return: Callable[[], None],
    ) -> None:
        self.stored = stored  # what the database had of it
        self.names: dict[str, Any] = {}
        self.drawn: dict[str, Any] = {}  # what the fault model will do
        self.not_simulated: list[str] = []  # keys of the document that have no effect here
        self.document = b""  # as a viewer is told it
        self.fails_by_itself = False
        self.t_us = 0  # up to here its facts were shown; here it comes back
        self.seq = 0
        self.events = 0
        self.last_action_us = stored.last_action_us
        self.done_us: dict[str, int] = {}  # actions accepted here -> when each was done last
        self.next_action_us = -1  # of the document's own timeline
        self.script = (-1, -1)  # its last action, and the document's end
        self.is_due = False  # the cluster is on its way to another state (``pace``)
        self.is_whole = True  # the run is not in the middle of a microsecond
        self.has_new_actions = False  # accepted, or maybe accepted, since ``stored`` was loaded
        self._accepted: list[tuple[int, str]] = []  # these actions
        self._name = name
        self._engines = engines
        self._storage = storage
        self._holder = holder
        self._on_way = on_way
        self._on_return = on_return
        self._engine: RunPlace | None = None
        self._is_loaded = False  # the engine holds the run of the stored document; if not, nothing goes on without it
        self._restarts = 0
        self._packed: dict[str, bytes] = {}

    # --- asking ---

    async def ask(self, operation: Callable[Concatenate[RoomRun, P], R], *arguments: P.args, **named: P.kwargs) -> R:
        """One operation on the run; one that is not there, or whose engine died, comes back first."""
        if self._engine is not None and self._engine.is_dead:
            self._note_death()
        if not self._is_loaded:
            await self.build(self.t_us)
            self._on_return()
        assert self._engine is not None
        return await self._engine.ask(operation, *arguments, **named)

    async def act(self, at_us: int, do: str) -> int:
        """Schedule an action, to be followed by ``unseen``; the microsecond at which it lands. Raises ActionRefused."""
        await self._make_space(at_us, do)
        used_us: int = await self.ask(RoomRun.act, at_us, do)
        return used_us

    async def unseen(self, until_us: int, streams: list[str]) -> list[Frame]:
        """Run on by the microsecond of an action; its facts are for ``note`` once the action is stored."""
        assert self._engine is not None
        frames: list[Frame] = []
        while not frames or frames[-1]["t"] < until_us:  # not ``ask``: a run that came back would lack the action
            frames.append(await self._engine.ask(RoomRun.advance, until_us, False, streams, True))
        return frames

    async def told_if_at_hand(self) -> tuple[str, str]:
        """Digest and verdict of what has been shown; empty where the run would have to come back or to go on for it.

        In the middle of a microsecond, where a busy machine or the limit may leave a run, there is no digest.
        """
        if self._engine is None or not self._is_loaded:
            return "", ""
        digest: str = await self._engine.ask(RoomRun.digest) if self.is_whole else ""
        return digest, await self._engine.ask(RoomRun.sentence)

    async def other_digest(self) -> dict[str, str] | None:
        """The engine that computed the stored digest, and today's, if today's computes another digest; else None."""
        clock = self.stored.clock
        digest, engine = "", ""
        if clock is not None and clock.t_us == self.t_us and clock.digest:
            digest, engine = clock.digest, clock.engine
        elif self.stored.digest and self.t_us == self.stored.moment_us:
            digest, engine = self.stored.digest, self.stored.engine
        if not digest or digest == await self.ask(RoomRun.digest):
            return None
        return {"computed_by": engine, "today": engine_version()}

    def packed_about(self) -> dict[str, bytes]:
        """The large parts of what every viewer is told first, such as the document and the names, packed once."""
        if not self._packed:
            about = {"names": self.names, "drawn": self.drawn, "not_simulated": self.not_simulated}
            self._packed = {field: msgpack.packb(value) for field, value in about.items()} | {"document": self.document}
        return self._packed

    # --- how far it is ---

    def note(self, frame: Frame) -> None:
        """The facts of a frame are shown: this is where the run is now."""
        self.t_us, self.seq, self.events = frame["t"], frame["seq"], frame["events"]
        self.next_action_us = frame["next_action_us"]
        self.is_whole = True
        if frame["event_us"] >= 0:
            self.is_due = frame["is_due"]

    def note_action(self, at_us: int, do: str, nonce: str | None) -> None:
        """An action was stored."""
        self.last_action_us = self.done_us[do] = at_us
        self._accepted.append((at_us, do))
        if nonce is not None:
            self.stored.nonces[nonce] = at_us
        self.has_new_actions = True

    def note_health(self) -> None:
        """The run went on: the deaths of engines before do not count any more."""
        self._restarts = 0

    def is_at_rest(self) -> bool:
        """True if no event is to be expected: nothing is on its way, no action comes, nothing fails by itself."""
        return not self.is_due and self.next_action_us < 0 and not self.fails_by_itself

    @property
    def coming_us(self) -> int:
        """The moment to which automatic speed hurries: the next action, then the document's end; -1 if there is none.

        Not to the end after an action by hand, in this run or where it was branched off: somebody looks at its effect.
        """
        last_us, end_us = self.script
        if self.next_action_us >= 0:
            return self.next_action_us
        is_scripted = last_us > max(self.last_action_us, self.stored.moment_us + 1)
        return end_us if is_scripted and self.t_us < end_us else -1

    @property
    def form(self) -> str:
        """The form of the engine that has it, or will have it."""
        return form_of_next() if self._engine is None else self._engine.form

    def is_at_limit(self) -> bool:
        """True if the run has as many events as one run may have."""
        return self.events >= events_max(self.form)

    # --- coming and going ---

    async def build(self, until_us: int) -> None:
        """A fresh run of the document and all accepted actions, replayed to ``until_us`` or to the limit of events.

        Raises DocumentError where today's rules refuse the document.
        """
        self._is_loaded = False
        if self.has_new_actions:
            size = self.stored.document.size
            self.stored = await self._storage.load(self._name, self.stored.scenario_id)
            self.stored.document = self.stored.document._replace(size=size)
            self.last_action_us = self.stored.last_action_us
            self.has_new_actions, self._accepted = False, []
        if self._engine is None or self._engine.is_dead:
            self._engine = await self._take(self.stored.document)
        opened = await self._engine.open(run_of, self.stored.document)
        self.names, self.drawn, self.fails_by_itself = opened["names"], opened["drawn"], opened["fails_by_itself"]
        self.not_simulated, self.script = opened["not_simulated"], opened["script"]
        self.document = await self._engine.ask(RoomRun.document)
        self._packed = {}
        told = time.monotonic()
        reached = await self._engine.ask(RoomRun.replay, until_us)
        while reached["t"] < until_us and not is_over(reached["events"], self.form):
            if time.monotonic() - told > LOADING_EVERY_S:
                told = time.monotonic()
                self._on_way(reached["t"], until_us)
            reached = await self._engine.ask(RoomRun.replay, until_us)
        await self._end_replay(self._engine, min(until_us, reached["t"]))
        self._is_loaded = True

    async def arrive(self, t_us: int) -> None:
        """The run was replayed to ``t_us``: facts follow from here."""
        assert self._engine is not None
        await self._end_replay(self._engine, t_us)

    async def close(self) -> None:
        """Give the engine back."""
        if self._engine is not None:
            await self._engine.give_back()

    async def _end_replay(self, engine: RunPlace, t_us: int) -> None:
        """Facts are taken note of again from ``t_us`` on."""
        await engine.ask(RoomRun.replay, t_us)
        state = await engine.ask(RoomRun.advance, t_us, False, [], False)
        self.t_us = t_us
        self.seq, self.events = state["seq"], state["events"]
        self.next_action_us = state["next_action_us"]
        self.is_due = await engine.ask(RoomRun.is_due)
        self.is_whole = True

    async def _take(self, document: StoredScenario) -> RunPlace:
        """A place in a process for the run of a document. Raises RoomEnded."""
        try:
            return await self._engines.take(self._name, self._holder, need_of(document, form_of_next()))
        except (RunRefused, RunTooLarge) as refused:
            raise RoomEnded(str(refused)) from refused

    async def _make_space(self, at_us: int, do: str) -> None:
        """Move the run to a process for large ones before an action that makes it large. Raises ActionRefused."""
        if not do.startswith(GROWING):
            return
        document = self.stored.document
        grown = document._replace(actions=[*document.actions, *self._accepted, (at_us, do)])
        try:
            need = need_of(grown, self.form)
        except RunTooLarge as refused:
            raise ActionRefused(f"The action is not done. After it: {refused}") from None
        if self._engine is not None and need.is_large and not self._engine.need.is_large:
            await self._move(await self._take(grown))

    async def _move(self, place: RunPlace) -> None:
        """Go on in another process, by replay."""
        before, self._engine, self._is_loaded = self._engine, place, False
        if before is not None:
            await before.give_back()
        await self.build(self.t_us)
        self._on_return()

    def _note_death(self) -> None:
        self._restarts += 1
        if self._restarts > ENGINE_RESTARTS_MAX:
            raise RoomEnded(f"The simulation's process ended {self._restarts} times in a row on this run.")
        self._engine, self._is_loaded = None, False
