"""The places of one kind of question (``limits.Budget``): who has one, who waits for one, and who is refused."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from playground.engine.limits import Budget
from playground.engine.refusals import BUSY, TOO_MANY_OF_ADDRESS, NotAnswered, too_many
from playground.engine.turns import Holder, Turns

SECONDS_GUESS = 1.0
Turn = asyncio.Future[float]
"""The moment when it came (monotonic)."""


class Places:
    """Lets so many in at once; the others take turns by address and browser."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.waiting: Turns[Turn] = Turns(SECONDS_GUESS)
        self._inside: Counter[Holder] = Counter()

    def is_empty(self) -> bool:
        """True if nobody is inside and nobody waits."""
        return not self._inside and not len(self.waiting)

    def others_wait(self, holder: Holder) -> bool:
        """True if somebody else waits for a place."""
        return len(self.waiting) > self.waiting.of_holder(holder)

    @asynccontextmanager
    async def place(self, holder: Holder, on_wait: Callable[[], None] = lambda: None) -> AsyncIterator[None]:
        """A place, once it is the holder's turn; ``on_wait`` is told where that is not at once. Raises NotAnswered."""
        self._must_fit(holder)
        turn: Turn = asyncio.get_running_loop().create_future()
        self.waiting.put(holder, turn)
        self._let_in()
        if not turn.done():
            on_wait()
        try:
            await self._wait(turn)
            yield
        finally:
            self.waiting.remove(holder, turn)
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._leave(holder, time.monotonic() - turn.result())

    async def _wait(self, turn: Turn) -> None:
        try:
            async with asyncio.timeout(self.budget.wait_seconds_max):
                await turn
        except TimeoutError:
            raise NotAnswered(BUSY, 503) from None

    def _must_fit(self, newcomer: Holder) -> None:
        """Raises NotAnswered for one who has too many; where all places to wait are taken, the biggest loses one."""
        most = self.budget.of_holder(newcomer.browser)
        if self._inside[newcomer] + self.waiting.of_holder(newcomer) >= most:
            raise too_many(most) if newcomer.browser else NotAnswered(TOO_MANY_OF_ADDRESS, 429)
        if self.waiting.of_address(newcomer.address) >= self.budget.waiting_of_address:
            raise NotAnswered(TOO_MANY_OF_ADDRESS, 429)
        if len(self.waiting) < self.budget.waiting:
            return
        found = self.waiting.newest_of_biggest()
        assert found is not None
        holder, turn = found
        if self.waiting.of_address(holder.address) <= self.waiting.of_address(newcomer.address) + 1:
            raise NotAnswered(BUSY, 503)
        self.waiting.remove(holder, turn)
        turn.set_exception(NotAnswered(BUSY, 503))

    def _may(self, holder: Holder) -> bool:
        of_address = sum(number for one, number in self._inside.items() if one.address == holder.address)
        return not self._inside[holder] and of_address < self.budget.places_of_address

    def _let_in(self) -> None:
        while self._inside.total() < self.budget.places and (taken := self.waiting.take(self._may)) is not None:
            holder, turn = taken
            if turn.done():  # who asked has gone
                self.waiting.correct(holder, 0.0)
                continue
            self._inside[holder] += 1
            turn.set_result(time.monotonic())

    def _leave(self, holder: Holder, seconds: float) -> None:
        self._inside[holder] -= 1
        if not self._inside[holder]:
            del self._inside[holder]
        self.waiting.correct(holder, seconds)
        self._let_in()
