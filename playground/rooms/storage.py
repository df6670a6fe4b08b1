"""The database for rooms, read and written on one thread of their own: one connection, one writer at a time."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, connections, transaction
from django.db.models import Max

from playground.database_file import Identity, identity
from playground.rooms.models import ClockState
from playground.rooms.names import RoomName
from playground.scenarios import owner, store
from playground.scenarios.documents import StoredScenario
from playground.scenarios.engine_version import engine_version
from playground.scenarios.limits import SENTENCE_MAX
from playground.scenarios.models import Scenario, Source
from simengine.scenario.problems import shown

T = TypeVar("T")


@dataclass
class StoredClock:
    """A clock as it is stored. ``speed_us`` 0: automatic."""

    room: str
    scenario_id: str
    is_playing: bool
    speed_us: int
    t_us: int
    seq: int = 0
    digest: str = ""
    engine: str = ""
    sentence: str = ""


@dataclass
class StoredRun:
    """A document with its accepted actions, and where its clock stood."""

    scenario_id: str
    title: str
    document: StoredScenario  # whole, as the engine processes take it
    is_frozen: bool
    moment_us: int
    engine: str  # that computed the digest at the moment
    digest: str
    clock: StoredClock | None
    last_action_us: int
    plays_at_once: bool
    nonces: dict[str | None, int] = field(default_factory=dict)  # of accepted actions -> when they happened


class NoSuchRun(Exception):
    """The link leads nowhere, or the run was deleted."""


class Storage:
    """The database, for rooms."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rooms-storage")

    async def _do(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, _with_connection, work, *arguments)

    async def load(self, room: str, scenario_id: str) -> StoredRun:
        """Everything a room needs to come back. Raises NoSuchRun."""
        return await self._do(_load, room, scenario_id)

    async def rights(self, scenario_id: str, browser: str) -> tuple[bool, bool]:
        """(may act, is frozen). Raises NoSuchRun."""
        return await self._do(_rights, scenario_id, browser)

    async def reached_us(self, scenario_id: str) -> int:
        """The latest moment at which a clock of this run was stored, 0 without one."""
        return await self._do(_reached_us, scenario_id)

    async def accept(self, clocks: list[StoredClock], do: str, nonce: str | None) -> None:
        """Store an accepted action at ``t_us`` of each clock, and the clocks, in one transaction: all or nothing."""
        await self._do(_accept, clocks, do, nonce)

    async def keep_clocks(self, clocks: list[StoredClock]) -> None:
        """Store the clocks of several rooms in one transaction."""
        await self._do(_keep_clocks, clocks)

    async def close(self) -> None:
        """Close the connection of the thread, then end it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, connections.close_all)
        self._thread.shutdown(wait=False)


_of_thread = threading.local()  # file: the database file that this thread's connection has open


def _with_connection(work: Callable[..., T], *arguments: Any) -> T:
    """Do the work on this thread's connection, which stays open: opening one takes longer than storing an action."""
    try:
        _follow_the_file()
        done = work(*arguments)
        if _file() != _of_thread.file:
            raise OperationalError("unable to open database file: it was removed or replaced meanwhile")
        return done
    except (OperationalError, InterfaceError):
        connections.close_all()  # the next work gets a fresh one; this one failed and says so
        raise


def _follow_the_file() -> None:
    """Leave a database file that was removed or replaced: what is written there is read by nobody."""
    now = _file()
    if now != getattr(_of_thread, "file", now):
        connections.close_all()
    _of_thread.file = now


def _file() -> Identity | None:
    is_file = connection.vendor == "sqlite" and "mode=rw" in str(connection.settings_dict["NAME"])
    return identity(Path(settings.DATA_DIR)) if is_file else None


def _scenario(scenario_id: str) -> Scenario:
    scenario = Scenario.objects.filter(id=scenario_id, deleted__isnull=True).first()
    if scenario is None:
        raise NoSuchRun(f"no run has the link {shown(scenario_id)}, or it was deleted")
    return scenario


def _load(room: str, scenario_id: str) -> StoredRun:
    scenario = _scenario(scenario_id)
    if RoomName.read(room).is_private and not scenario.is_frozen:  # a second clock of one run would tell two stories
        raise NoSuchRun("this run has one room, for everybody; open the run's own link")
    row = ClockState.objects.filter(room=room).first()
    last = scenario.accepted.order_by("-number").values_list("at_us", flat=True).first()
    return StoredRun(
        scenario_id=scenario.id,
        title=scenario.title,
        document=store.stored(scenario),
        is_frozen=scenario.is_frozen,
        moment_us=scenario.moment_us,
        engine=scenario.engine,
        digest=scenario.digest,
        clock=_stored(row) if row is not None else None,
        last_action_us=last or 0,
        plays_at_once=scenario.source == Source.SANDBOX,
        nonces=store.nonces_of(scenario),
    )


def _stored(row: ClockState) -> StoredClock:
    return StoredClock(
        row.room, row.scenario_id, row.is_playing, row.speed_us, row.t_us, row.seq, row.digest, row.engine
    )


def _rights(scenario_id: str, browser: str) -> tuple[bool, bool]:
    scenario = _scenario(scenario_id)
    return owner.may_act(scenario, browser), scenario.is_frozen


def _reached_us(scenario_id: str) -> int:
    latest = ClockState.objects.filter(scenario_id=scenario_id).aggregate(latest=Max("t_us"))["latest"]
    return int(latest or 0)


@transaction.atomic
def _accept(clocks: list[StoredClock], do: str, nonce: str | None) -> None:
    for clock in clocks:
        store.accept(clock.scenario_id, clock.t_us, do, nonce)
        _keep_clock(clock)


@transaction.atomic
def _keep_clocks(clocks: list[StoredClock]) -> None:
    known = set(Scenario.objects.filter(id__in=[clock.scenario_id for clock in clocks]).values_list("id", flat=True))
    for clock in clocks:
        if clock.scenario_id in known:
            _keep_clock(clock)


def _keep_clock(clock: StoredClock) -> None:
    ClockState.objects.update_or_create(
        room=clock.room,
        defaults={
            "scenario_id": clock.scenario_id,
            "is_playing": clock.is_playing,
            "speed_us": clock.speed_us,
            "t_us": clock.t_us,
            "seq": clock.seq,
            "digest": clock.digest,
            "sentence": clock.sentence[:SENTENCE_MAX],
            "engine": engine_version(),
        },
    )
