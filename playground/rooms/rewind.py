"""Going back: a second world of the same document that is replayed to a past moment, in bounded slices.

It stays where it was asked last, so that looking forward from there is cheap; going further back begins anew.
"""

import time

from playground.rooms.history import View
from playground.rooms.limits import REPLAY_BUDGET_S, SLICE_EVENTS
from playground.rooms.streams import Row
from simengine.fold import fold
from simengine.scenario import Document
from simengine.world import World, build

Reading = dict[str, object]


class Rewind:
    """Answers about the past of one run. A None answer means: not there yet, ask again."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.actions: list[tuple[int, str]] = []
        self._world: World | None = None
        self._collecting_from = -1
        self._rows: list[Row] = []

    def act(self, at_us: int, do: str) -> None:
        """The run took a live action."""
        self.actions.append((at_us, do))
        if self._world is not None:
            self._world.act(at_us, do)

    def view_at(self, at_us: int) -> View | None:
        """The whole view at a moment."""
        world = self._reach(at_us)
        return world.snapshot() if world is not None else None

    def verdict_at(self, at_us: int) -> View | None:
        """The verdict at a moment."""
        world = self._reach(at_us)
        return world.verdict() if world is not None else None

    def metrics_at(self, at_us: int, node: int) -> list[Reading] | None:
        """What JMX says at a moment."""
        world = self._reach(at_us)
        return readings(world, node) if world is not None else None

    def rows_between(self, from_us: int, to_us: int) -> list[Row] | None:
        """All rows after ``from_us`` and up to ``to_us``."""
        world = self._world
        if world is None or self._collecting_from != from_us or world.now_us > to_us:
            world = self._reach(from_us)
            if world is None:
                return None
            world.trace.keep_traffic = True
            self._collecting_from = from_us
            self._rows = []
        is_there = _run(world, to_us)
        self._rows.extend(world.trace.take().rows())
        return self._end_collecting() if is_there else None

    def _reach(self, at_us: int) -> World | None:
        """The world at exactly ``at_us``, None while it is on its way."""
        if self._collecting_from >= 0:
            self._end_collecting()
        if self._world is None or self._world.now_us > at_us:
            self._world = build(self.document)
            for action_us, do in self.actions:
                self._world.act(action_us, do)
        return self._world if _run(self._world, at_us) else None

    def _end_collecting(self) -> list[Row]:
        rows, self._rows = self._rows, []
        self._collecting_from = -1
        if self._world is not None:
            self._world.trace.keep_traffic = False
            self._world.trace.take()
        return rows


def readings(world: World, node: int) -> list[Reading]:
    """What one process says over JMX now; node -1: all of them, without what brokers say of single partitions."""
    rows = world.metrics(node)
    return rows if node >= 0 else [row for row in rows if "process" in row or ",partition=" not in str(row["name"])]


def _run(world: World, until_us: int) -> bool:
    """Run for one slice of the process's time; whether ``until_us`` was reached."""
    deadline = time.monotonic() + REPLAY_BUDGET_S
    while world.run(until_us, SLICE_EVENTS) < until_us:
        if time.monotonic() > deadline:
            return False
    return True


def folded(view: View, rows: list[Row], at_us: int) -> View:
    """A keyframe with the facts up to ``at_us`` folded in."""
    for row in rows:
        assert isinstance(row[1], int)
        if row[1] > at_us:
            break
        fold(view, row)
    view["t"] = at_us
    return view
