"""Looking at the past of a live room: whole views at any moment and rows of a range.

What is no longer kept is replayed aside, in bounded slices, so that the room goes on meanwhile. Those who may move the
clock have a place for this, and all others have one: at each, addresses take turns, and in each address its browsers.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Concatenate

from playground.engine.refusals import NotAnswered
from playground.engine.turns import Holder
from playground.engine.works import P, R
from playground.rooms.limits import FACTS_ANSWER_MAX, PAST, RANGE_MAX_US
from playground.rooms.room import Room
from playground.rooms.run import RoomRun
from playground.rooms.streams import FLIGHTS, STATE
from playground.scenarios.rates import counted

ALLOWED_STREAMS = ("", STATE, FLIGHTS)
OTHERS_WAIT = (
    f"To look back that far takes more than {PAST.seconds_max:.0f} s, and others wait to look. "
    "Ask for a later moment, or try again in a minute."
)


class TooManyFacts(ValueError):
    """A range holds more facts than one answer carries; the message gives both numbers."""


class NotYet(Exception):
    """A moment that has not been simulated; the message says how far the run has come."""


async def view_at(room: Room, visitor: Holder, at_us: int) -> bytes:
    """The packed view at ``at_us``. Raises NotYet or NotAnswered."""
    return await _replayed(room, visitor, RoomRun.view_at, _come(room, at_us))


async def verdict_at(room: Room, visitor: Holder, at_us: int) -> dict[str, Any]:
    """The verdict at ``at_us``, with the digest of all facts up to then. Raises NotYet or NotAnswered."""
    return await _replayed(room, visitor, RoomRun.verdict_at, _come(room, at_us))


async def metrics_at(room: Room, visitor: Holder, at_us: int, node: int) -> list[dict[str, Any]]:
    """The JMX readings of a process (-1: all of them) at ``at_us``. Raises NotYet or NotAnswered."""
    return await _replayed(room, visitor, RoomRun.metrics_at, _come(room, at_us), node)


async def alerts(room: Room) -> dict[str, Any]:
    """The alerts of the run so far (`RoomRun.alerts`)."""
    return await _slice(room, RoomRun.alerts)


def _come(room: Room, at_us: int) -> int:
    """``at_us``, which must have been simulated."""
    if at_us > room.clock.t_us:
        raise NotYet(f"{at_us / 1e6:.3f} s has not been simulated yet; the run is at {room.clock.t_us / 1e6:.3f} s")
    return at_us


async def rows(room: Room, visitor: Holder, from_us: int, to_us: int, stream: str) -> bytes:
    """Packed rows: decisive ones with from_us <= t <= to_us, or all of a stream with from_us < t.

    Raises ValueError in words, or NotAnswered.
    """
    if stream not in ALLOWED_STREAMS:
        raise ValueError(f"stream is {stream[:40]!r}; allowed are nothing (decisive facts), {STATE}, {FLIGHTS}")
    if not stream:
        steers = room.hub.steers(visitor.browser)
        return _within_limit(*await _in_turn(room, visitor, steers, RoomRun.decisive, from_us, to_us, FACTS_ANSWER_MAX))
    if to_us - from_us > RANGE_MAX_US:
        raise ValueError(f"the range is {to_us - from_us} us long; all facts are given for {RANGE_MAX_US} us at once")
    come_us = min(to_us, room.clock.t_us)
    found = await _replayed(room, visitor, RoomRun.rows_between, from_us, come_us, stream, FACTS_ANSWER_MAX)
    return _within_limit(*found)


async def _replayed(
    room: Room,
    visitor: Holder,
    operation: Callable[Concatenate[RoomRun, bool, P], R | None],
    *arguments: P.args,
    **named: P.kwargs,
) -> R:
    """The answer of an operation that may replay the run, at the visitor's turn."""
    steers = room.hub.steers(visitor.browser)
    return await _in_turn(room, visitor, steers, operation, steers, *arguments, **named)


async def _in_turn(
    room: Room,
    visitor: Holder,
    steers: bool,
    operation: Callable[Concatenate[RoomRun, P], R | None],
    *arguments: P.args,
    **named: P.kwargs,
) -> R:
    asker, places = counted(visitor), room.past_places[steers]
    async with places.place(asker):
        over = time.monotonic() + PAST.seconds_max
        while (answer := await _slice(room, operation, *arguments, **named)) is None:
            if time.monotonic() > over and places.others_wait(asker):
                raise NotAnswered(OTHERS_WAIT, 503)
            await asyncio.sleep(0)
        return answer


async def _slice(
    room: Room, operation: Callable[Concatenate[RoomRun, P], R], *arguments: P.args, **named: P.kwargs
) -> R:
    async with room.lock:
        return await room.run.ask(operation, *arguments, **named)


def _within_limit(number: int, rows: bytes) -> bytes:
    if number > FACTS_ANSWER_MAX:
        raise TooManyFacts(
            f"the range holds {number} facts or more; one answer carries {FACTS_ANSWER_MAX}: ask for less"
        )
    return rows
