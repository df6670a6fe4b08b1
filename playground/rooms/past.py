"""Looking at the past of a live room: whole views at any moment and rows of a range.

A view comes from replaying the run aside, in bounded slices, so that the room goes on meanwhile.
"""

import asyncio
from typing import Any

from playground.rooms.limits import FACTS_ANSWER_MAX
from playground.rooms.room import Room
from playground.rooms.streams import FLIGHTS, STATE, Row, state_rows

ALLOWED_STREAMS = ("", STATE, FLIGHTS)


async def view_at(room: Room, at_us: int) -> dict[str, Any]:
    """The view at ``at_us``, or at the newest moment when that has not come yet."""
    while True:
        async with room.lock:
            view: dict[str, Any] | None = await room.ask("view_at", at_us)
        if view is not None:
            return view
        await asyncio.sleep(0)


async def rows(room: Room, from_us: int, to_us: int, stream: str) -> list[Row]:
    """Rows with from_us <= t <= to_us: decisive ones, or all of a stream. Raises ValueError in words."""
    if stream not in ALLOWED_STREAMS:
        raise ValueError(f"stream is {stream[:40]!r}; allowed are nothing (decisive facts), {STATE}, {FLIGHTS}")
    async with room.lock:
        found: list[Row] | None = await room.ask("rows_of" if stream else "decisive", from_us, to_us)
    if found is None:
        raise ValueError("the traffic of this range is no longer kept; ask for a snapshot, or for decisive facts")
    if len(found) > FACTS_ANSWER_MAX:
        raise ValueError(f"the range holds {len(found)} facts; one answer carries {FACTS_ANSWER_MAX}: ask for less")
    return state_rows(found) if stream == STATE else found
