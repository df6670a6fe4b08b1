"""Runs a document again with traffic facts.

A normal run drops them to save memory. An explanation needs a few of them, so the second run hands each fact to its
listener and forgets it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from simengine.facts.kinds import FIRST_TRAFFIC
from simengine.facts.reading import read
from simengine.scenario.model import Document
from simengine.world.world import World, build

SLICE_US: Final = 1_000_000


class Listener(Protocol):
    """A receiver of each fact of some kinds of traffic, in order."""

    kinds: tuple[int, ...]

    def feed(self, fact: object) -> None:
        """A fact of traffic."""


Look = Callable[[World, int], None]


def run_again(doc: Document, until_us: int, listeners: Sequence[Listener], looks: Sequence[int], look: Look) -> World:
    """Run a document to a moment, tell the listeners, and ``look`` at the world just before each of some moments."""
    world = build(doc)
    world.trace.keep_kinds(sorted({kind for listener in listeners for kind in listener.kinds}))
    moments = sorted({at for at in looks if 0 <= at <= until_us})
    while world.now_us < until_us:
        while moments and moments[0] - 1 <= world.now_us:
            look(world, moments.pop(0))
        stop = min(until_us, world.now_us + SLICE_US)
        world.run(min(stop, moments[0] - 1) if moments else stop)
        rows: list[Any] = world.trace.take().rows()
        for row in rows:
            if row[2] >= FIRST_TRAFFIC:
                fact = read(row)
                for listener in listeners:
                    listener.feed(fact)
    return world
