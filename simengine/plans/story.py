"""The fate of the records of applications that move between clusters, from the facts of a run.

The partition and offset at which a record was written first identify it. Copies by MirrorMaker are traced back to it,
over any number of flows. Truncation is ignored: of two records written at one offset, the last counts.
"""

from bisect import bisect_right
from typing import Any, Final

from simengine.facts.kinds import APPENDED, CALLS_MADE, CALLS_SETTLED, DELIVERED, RECORDS_COPIED
from simengine.world import World

SLICE_US: Final = 1_000_000

Record = tuple[int, int]  # partition and offset where it was written first
Row = list[Any]


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
                self.take(row)

    def take(self, row: Row) -> None:
        """One fact."""
        t_us, kind = row[1], row[2]
        if kind == APPENDED:
            self._append(t_us, row[5], row[6], row[7])
        elif kind == RECORDS_COPIED:
            _, source_p, upstream, p, downstream, count = row[4:10]
            self._copies.setdefault(p, Spans()).add(downstream, count, (source_p, upstream))
        elif kind == DELIVERED:
            self.deliveries.append(Delivery(t_us, *row[4:8]))
        elif kind == CALLS_MADE:
            client, p, n, count = row[4:8]
            self._made.update(((client, p, n + i), t_us) for i in range(count))
        elif kind == CALLS_SETTLED and not row[10] and row[8] >= 0:
            client, p, n, count, offset = row[4:9]
            self.acked.append((t_us, client, p, offset, count))
            made = [self._made.pop((client, p, n + i), None) for i in range(count)]
            self.ack_times += [(t_us, t_us - at) for at in made if at is not None]

    def _append(self, t_us: int, p: int, base: int, count: int) -> None:
        """Note when records were written: the first broker to append them is their leader."""
        end = self._ends.get(p, 0)
        if base + count > end:
            start = max(base, end)
            self._written.setdefault(p, Spans()).add(start, base + count - start, t_us)
            self._ends[p] = base + count

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
