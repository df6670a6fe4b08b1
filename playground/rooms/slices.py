"""The number of events that a run executes between two looks at the clock: few if an event takes long.

An event of a small cluster takes a microsecond, one of a group of 900 consumers some hundredths of a second. How a run
is cut into slices does not change it.
"""

import time

from playground.rooms.limits import SLICE_EVENTS, SLICE_WALL_S
from simengine.world.world import World


class Slices:
    """Runs a world in slices, and learns from each how long the next may be."""

    def __init__(self) -> None:
        self._events = 1

    def run(self, world: World, until_us: int, budget_s: float) -> bool:
        """Run to a moment, or until the budget of time is used up; True where the moment was reached."""
        deadline = time.monotonic() + budget_s
        while self.run_one(world, until_us) < until_us:
            if time.monotonic() > deadline:
                return False
        return True

    def run_one(self, world: World, until_us: int) -> int:
        """Run one slice towards a moment; the time that was reached."""
        began = time.monotonic()
        reached_us = world.run(until_us, self._events)
        if reached_us >= until_us:
            world.run(until_us)  # the rest of this microsecond
        self._learn(time.monotonic() - began)
        return reached_us

    def _learn(self, seconds: float) -> None:
        if seconds > SLICE_WALL_S:
            self._events = max(1, self._events // 4)
        elif seconds < SLICE_WALL_S / 4:
            self._events = min(SLICE_EVENTS, self._events * 2)
