"""The ticker of a room: who stops it stops it for good."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from playground.rooms.ticker import Ticker


def waiting_room() -> Any:
    """A room that does not play, with a viewer who waits for a picture."""

    async def served(*_: object) -> None:
        """Nothing is asked of an engine."""

    viewer = SimpleNamespace(needs_snapshot=True)
    return SimpleNamespace(
        name="r", lock=asyncio.Lock(), is_running=lambda: False, hub=SimpleNamespace(viewers=[viewer]), served=served
    )


async def stopped_as_it_is_woken() -> bool:
    """Stop a ticker in the same turn of the loop in which what it waits for comes; whether it has ended."""
    room = waiting_room()
    ticker = Ticker(cast(Any, room))
    ticker._serve_snapshots = room.served  # type: ignore[method-assign]
    ticker.start()
    task = ticker._task
    assert task is not None
    await asyncio.sleep(0.02)  # it waits
    ticker.wake()
    await asyncio.sleep(0)  # what it waits for has come, and it has not gone on
    ticker.stop()
    await asyncio.sleep(0.1)
    has_ended = task.done()
    task.cancel()
    return has_ended


def test_a_ticker_that_is_stopped_as_it_is_woken_ends() -> None:
    assert asyncio.run(stopped_as_it_is_woken())
