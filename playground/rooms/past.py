"""Looking at the past of a live room: whole views at any moment and rows of a range.

What is no longer kept is replayed aside, in bounded slices, so that the room goes on meanwhile; one request at a time.
"""

import asyncio
from typing import Any

from playground.rooms.limits import FACTS_ANSWER_MAX, RANGE_MAX_US
from playground.rooms.room import Room
from playground.rooms.streams import FLIGHTS, STATE, Row, state_rows

ALLOWED_STREAMS = ("", STATE, FLIGHTS)


class TooManyFacts(ValueError):
    """A range holds more facts than one answer carries; the message gives both numbers."""


class NotYet(Exception):
    """A moment that has not been simulated; the message says how far the run has come."""


async def view_at(room: Room, at_us: int) -> bytes:
    """The packed view at ``at_us``. Raises NotYet."""
    view: bytes = await _ask_until_answered(room, "view_at", _come(room, at_us))
    return view


async def verdict_at(room: Room, at_us: int) -> dict[str, Any]:
    """The verdict at ``at_us``, with the digest of all facts up to then. Raises NotYet."""
    verdict: dict[str, Any] = await _ask_until_answered(room, "verdict_at", _come(room, at_us))
    return verdict


async def metrics_at(room: Room, at_us: int, node: int) -> list[dict[str, Any]]:
    """What a process (-1: all of them) says over JMX at ``at_us``. Raises NotYet."""
    rows: list[dict[str, Any]] = await _ask_until_answered(room, "metrics_at", _come(room, at_us), node)
    return rows


def _come(room: Room, at_us: int) -> int:
    """``at_us``, which must have been simulated."""
    if at_us > room.clock.t_us:
        raise NotYet(f"{at_us / 1e6:.3f} s has not been simulated yet; the run is at {room.clock.t_us / 1e6:.3f} s")
    return at_us


async def rows(room: Room, from_us: int, to_us: int, stream: str) -> list[Row]:
    """Decisive rows with from_us <= t <= to_us, or all of a stream with from_us < t. Raises ValueError in words."""
    if stream not in ALLOWED_STREAMS:
        raise ValueError(f"stream is {stream[:40]!r}; allowed are nothing (decisive facts), {STATE}, {FLIGHTS}")
    if not stream:
        async with room.lock:
            number, decisive = await room.run.ask("decisive", from_us, to_us, FACTS_ANSWER_MAX)
        return _within_limit(decisive, number)
    if to_us - from_us > RANGE_MAX_US:
        raise ValueError(f"the range is {to_us - from_us} us long; all facts are given for {RANGE_MAX_US} us at once")
    found: list[Row] = await _ask_until_answered(room, "rows_between", from_us, to_us)
    wanted = state_rows(found) if stream == STATE else found
    return _within_limit(wanted, len(wanted))


async def _ask_until_answered(room: Room, operation: str, *arguments: int) -> Any:
    async with room.past_lock:
        while True:
            async with room.lock:
                answer = await room.run.ask(operation, *arguments)
            if answer is not None:
                return answer
            await asyncio.sleep(0)


def _within_limit(rows: list[Row], number: int) -> list[Row]:
    if number > FACTS_ANSWER_MAX:
        raise TooManyFacts(f"the range holds {number} facts; one answer carries {FACTS_ANSWER_MAX}: ask for less")
    return rows
