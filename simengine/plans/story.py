"""The fate of the records of applications that move between clusters, from the facts of a run.

The partition and offset at which a record was written first identify it. Copies by MirrorMaker are traced back to it,
over any number of flows. Truncation is ignored: of two records written at one offset, the last counts.
"""

from bisect import bisect_right
from typing import Any, Final

from simengine.facts.errors import ERR_NONE
from simengine.facts.reading import read
from simengine.facts.traffic import Appended, CallsMade, CallsSettled, Delivered, RecordsCopied
from simengine.world import World

SLICE_US: Final = 1_000_000

Record = tuple[int, int]  # partition and offset where it was written first


class Spans:
    """Values of ranges of offsets. Where ranges overlap, the one with the greatest start counts."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._rows: list[tuple[int, Any]] = []  # count, value

    def add(self, start: int, count: int, value: Any) -> None:
        """Add a range. It wins over an earlier range with the same start."""
        at = bisect_right(self._starts, start)
        self._starts.insert(at, start)
        self._rows.insert(at, (count, value))

    def find(self, offset: int) -> tuple[int, Any] | None:
        """The place of an offset in its range, and the value of this; None where there is none."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0 or offset >= self._starts[at] + self._rows[at][0]:
            return None
        return offset - self._starts[at], self._rows[at][1]


class Delivery:
    """Records that a consumer received: when, which client, partition, offset and count."""

    __slots__ = ("client", "count", "offset", "p", "t_us")

    def __init__(self, t_us: int, client: int, p: int, offset: int, count: int) -> None:
        self.t_us = t_us
        self.client = client
        self.p = p
        self.offset = offset
        self.count = count


class Story:
    """Folds facts; ``follow`` runs a world and takes them."""

    def __init__(self) -> None:
        self.deliveries: list[Delivery] = []
        self.acked: list[tuple[int, int, int, int, int]] = []  # t_us, client, p, offset, count
        self.ack_times: list[tuple[int, int]] = []  # t_us of an ack, and the time since its send()
        self._made: dict[tuple[int, int, int], int] = {}  # client, p, number of the call -> t_us
        self._copies: dict[int, Spans] = {}  # remote partition -> of its offsets the source partition and offset
        self._written: dict[int, Spans] = {}  # partition -> of its offsets when they were written
        self._ends: dict[int, int] = {}  # partition -> all offsets below have a time

    def follow(self, world: World, until_us: int) -> None:
        """Run a world to a time, and read its facts."""
        world.trace.keep_traffic = True
        while world.now_us < until_us:
            world.run(min(until_us, world.now_us + SLICE_US))
            for row in world.trace.take().rows():
                self.take(read(row))

    def take(self, fact: object) -> None:
        """One fact."""
        if isinstance(fact, Appended):
            self._append(fact)
        elif isinstance(fact, RecordsCopied):
            source = (fact.p, fact.upstream)
            self._copies.setdefault(fact.remote, Spans()).add(fact.downstream, fact.count, source)
        elif isinstance(fact, Delivered):
            self.deliveries.append(Delivery(fact.t, fact.client, fact.p, fact.offset, fact.count))
        elif isinstance(fact, CallsMade):
            self._made.update(((fact.client, fact.p, fact.n + i), fact.t) for i in range(fact.count))
        elif isinstance(fact, CallsSettled) and fact.error == ERR_NONE and fact.offset >= 0:
            self.acked.append((fact.t, fact.client, fact.p, fact.offset, fact.count))
            made = [self._made.pop((fact.client, fact.p, fact.n + i), None) for i in range(fact.count)]
            self.ack_times += [(fact.t, fact.t - at) for at in made if at is not None]

    def _append(self, fact: Appended) -> None:
        """Note when records were written: the first broker to append them is their leader."""
        p, end = fact.p, self._ends.get(fact.p, 0)
        if fact.base + fact.count > end:
            start = max(fact.base, end)
            self._written.setdefault(p, Spans()).add(start, fact.base + fact.count - start, fact.t)
            self._ends[p] = fact.base + fact.count

    def origin(self, p: int, offset: int) -> Record:
        """Where the record at an offset was written first."""
        copies = self._copies.get(p)
        found = None if copies is None else copies.find(offset)
        if found is None:
            return p, offset
        place, (source_p, upstream) = found
        return self.origin(source_p, upstream + place)

    def written_us(self, record: Record) -> int:
        """When a record was written first; 0 for one that stood there at the start."""
        spans = self._written.get(record[0])
        found = None if spans is None else spans.find(record[1])
        return 0 if found is None else int(found[1])
