"""Places for the runs beside the rooms: short runs do not wait for long ones.

A run begins at a quick place. One that takes longer leaves it, and waits for one of the few long places. Its process
keeps it meanwhile. Addresses take turns at both, and in each address its browsers (``Places``).
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from playground.engine.places import Places
from playground.engine.turns import Holder
from playground.rooms.limits import ASIDE_LONG, ASIDE_QUICK, REPLAY_BUDGET_S

QUICK_SLICES: Final = round(ASIDE_QUICK.seconds_max / REPLAY_BUDGET_S)


class Lane:
    """The place that one run has."""

    def __init__(self, place: AsyncExitStack, long: Places, asker: Holder) -> None:
        self.is_long = False
        self._place = place
        self._long = long
        self._asker = asker

    async def move(self) -> None:
        """Leave the quick place, and wait for a long one. Raises NotAnswered."""
        await self._place.aclose()
        await self._place.enter_async_context(self._long.place(self._asker))
        self.is_long = True


class Lanes:
    """The places of one web process."""

    def __init__(self) -> None:
        self._quick = Places(ASIDE_QUICK)
        self._long = Places(ASIDE_LONG)

    @asynccontextmanager
    async def lane(self, asker: Holder) -> AsyncIterator[Lane]:
        """A quick place for a run, once it is the asker's turn. Raises NotAnswered."""
        async with AsyncExitStack() as place:
            await place.enter_async_context(self._quick.place(asker))
            yield Lane(place, self._long, asker)
