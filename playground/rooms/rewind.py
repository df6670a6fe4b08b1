"""Going back: a second world of the same document that is replayed to a past moment, in bounded slices.

It stays where it was asked last, so that looking forward from there is cheap; going further back begins anew.
"""

from playground.rooms.history import View
from playground.rooms.limits import REPLAY_BUDGET_S
from playground.rooms.ranges import FactCollection, FactRange
from playground.rooms.slices import Slices
from playground.rooms.streams import Row
from simengine.scenario import Document
from simengine.world.fold import fold
from simengine.world.world import World, build

Reading = dict[str, object]


class Rewind:
    """Answers about the past of one run. A None answer means: not there yet, ask again."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.actions: list[tuple[int, str]] = []
        self._world: World | None = None
        self._collected: FactCollection | None = None  # of the range on whose way the world is
        self._slices = Slices()

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
        """The JMX readings at a moment."""
        world = self._reach(at_us)
        return readings(world, node) if world is not None else None

    def collected(self, wanted: FactRange) -> FactCollection | None:
        """The facts of a range."""
        world, found = self._world, self._collected
        if world is None or found is None or found.wanted != wanted:
            world = self._reach(wanted.from_us)
            if world is None:
                return None
            world.trace.keep_traffic = True
            found = self._collected = FactCollection(wanted)
        is_there = self._slices.run(world, wanted.to_us, REPLAY_BUDGET_S)
        found.add(world.trace.take().rows())
        if not is_there and not found.is_too_many():
            return None
        self._end_collecting()
        return found

    def _reach(self, at_us: int) -> World | None:
        """The world at exactly ``at_us``, None while it is on its way."""
        self._end_collecting()
        if self._world is None or self._world.now_us > at_us:
            self._world = build(self.document)
            for action_us, do in self.actions:
                self._world.act(action_us, do)
        return self._world if self._slices.run(self._world, at_us, REPLAY_BUDGET_S) else None

    def _end_collecting(self) -> None:
        if self._collected is not None and self._world is not None:
            self._world.trace.keep_traffic = False
            self._world.trace.take()
        self._collected = None


def readings(world: World, node: int) -> list[Reading]:
    """The JMX readings of one process now; node -1: all of them, without what brokers say of single partitions."""
    rows = world.metrics(node)
    return rows if node >= 0 else [row for row in rows if "process" in row or ",partition=" not in str(row["name"])]


def folded(view: View, rows: list[Row], at_us: int) -> View:
    """A keyframe with the facts up to ``at_us`` folded in."""
    for row in rows:
        assert isinstance(row[1], int)
        if row[1] > at_us:
            break
        fold(view, row)
    view["t"] = at_us
    return view
