"""Runs a document again with traffic facts.

A normal run drops them to save memory. An explanation needs a few of them, so the second run hands each fact to its
listener and forgets it.
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol

from simengine.facts.kinds import FIRST_TRAFFIC
from simengine.facts.reading import read
from simengine.scenario.model import Document
from simengine.world.world import build

SLICE_US: Final = 1_000_000


class Listener(Protocol):
    """A receiver of each fact of some kinds of traffic, in order."""

    kinds: tuple[int, ...]

    def feed(self, fact: object) -> None:
        """A fact of traffic."""


def run_again(doc: Document, until_us: int, listeners: Sequence[Listener]) -> None:
    """Run a document to a moment, and tell the listeners what they asked for."""
    world = build(doc)
    world.trace.keep_kinds(sorted({kind for listener in listeners for kind in listener.kinds}))
    while world.now_us < until_us:
        world.run(min(until_us, world.now_us + SLICE_US))
        rows: list[Any] = world.trace.take().rows()
        for row in rows:
            if row[2] >= FIRST_TRAFFIC:
                fact = read(row)
                for listener in listeners:
                    listener.feed(fact)
