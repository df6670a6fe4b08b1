"""Where the controller puts the replicas of a new topic: striped over racks, which may be sites (PLACE-1..5, STR-1)."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.metadata import Image
from simengine.kernel.facts import REG_NONE, REG_SHUTTING_DOWN
from simengine.kernel.random import Stream

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster


@final
class Ring:
    """Brokers of one rack in a ring whose start moves by one per partition that takes from it (PLACE-4)."""

    __slots__ = ("_asked", "_at", "_epoch", "_start", "brokers")

    def __init__(self, brokers: list[int], offset: i64) -> None:
        self.brokers = brokers
        self._start: i64 = offset
        self._at: i64 = 0
        self._asked: bool = False
        self._epoch: i64 = -1

    def begin(self, epoch: i64) -> None:
        """A new partition: every broker may be used again."""
        if self._epoch == epoch:
            return
        if self._asked:
            self._start += 1
        self._epoch = epoch
        self._asked = False
        self._at = 0

    def next(self, epoch: i64) -> i64:
        """The next broker of this partition, or -1 when the ring is used up."""
        self.begin(epoch)
        n: i64 = len(self.brokers)
        if n == 0:
            return -1
        self._asked = True
        if self._at >= n:
            return -1
        broker = self.brokers[(self._start + self._at) % n]
        self._at += 1
        return broker

    def shuffle(self, stream: Stream) -> None:
        """PLACE-5."""
        shuffle(self.brokers, stream)
        self._start = 0


@final
class Rack:
    """The unfenced and the fenced ring of one rack."""

    __slots__ = ("fenced", "unfenced")

    def __init__(self, unfenced: Ring, fenced: Ring) -> None:
        self.unfenced = unfenced
        self.fenced = fenced

    def next(self, epoch: i64) -> i64:
        """The next broker, unfenced ones first."""
        broker = self.unfenced.next(epoch)
        return broker if broker >= 0 else self.fenced.next(epoch)


def shuffle(items: list[int], stream: Stream) -> None:
    """A random order (Fisher and Yates)."""
    i: i64 = len(items) - 1
    while i > 0:
        j = stream.below(i + 1)
        items[i], items[j] = items[j], items[i]
        i -= 1


@final
class StripedPlacer:
    """Places the partitions of one topic. With ``stream`` None all random offsets are 0 and nothing is shuffled."""

    __slots__ = ("_count", "_epoch", "_offset", "_racks", "_stream", "_unfenced")

    def __init__(self, racks: list[Rack], unfenced: i64, stream: Stream | None) -> None:
        self._racks = racks
        self._unfenced: i64 = unfenced
        self._stream = stream
        self._offset: i64 = 0 if stream is None else stream.below(len(racks))
        self._epoch: i64 = 0
        self._count: i64 = 0

    def place(self, factor: i64) -> list[int]:
        """PLACE-3: the replica list of the next partition."""
        self._maybe_shuffle()
        racks = self._racks
        n: i64 = len(racks)
        self._epoch += 1
        epoch = self._epoch
        start = self._offset
        self._offset = (self._offset + 1) % n
        self._count += 1
        first = self._first(start, epoch)
        if first < 0:
            return []
        replicas = [int(racks[first].unfenced.next(epoch))]
        skipped = False
        misses: i64 = 0
        at = start
        while len(replicas) < factor and misses < n + 1:
            if at == first and not skipped:
                skipped = True
            else:
                broker = racks[at].next(epoch)
                if broker >= 0:
                    replicas.append(int(broker))
                    misses = 0
                else:
                    misses += 1
            at = (at + 1) % n
        return replicas

    def _first(self, start: i64, epoch: i64) -> i64:
        """The first rack, from the start rack on, that has an unfenced broker."""
        n: i64 = len(self._racks)
        for k in range(n):
            at = (start + k) % n
            if self._racks[at].unfenced.brokers:
                return at
        return -1

    def _maybe_shuffle(self) -> None:
        """PLACE-5: after as many partitions as there are unfenced brokers."""
        stream = self._stream
        if stream is None or self._unfenced <= 1 or self._count < self._unfenced:
            return
        self._count = 0
        order = [int(i) for i in range(len(self._racks))]
        shuffle(order, stream)
        self._racks = [self._racks[i] for i in order]
        for rack in self._racks:
            rack.unfenced.shuffle(stream)
            rack.fenced.shuffle(stream)


def make_placer(racks: list[str], brokers: list[int], fenced: list[bool], stream: Stream | None) -> StripedPlacer:
    """A placer over brokers (with their racks, and whether they are fenced), all in the same order (PLACE-2)."""
    names = sorted(dict.fromkeys(racks))
    made: list[Rack] = []
    alive = 0
    for name in names:
        up: list[int] = []
        down: list[int] = []
        for i in range(len(brokers)):
            if racks[i] == name:
                (down if fenced[i] else up).append(brokers[i])
        up.sort()
        down.sort()
        alive += len(up)
        made.append(Rack(Ring(up, draw(stream, len(up))), Ring(down, draw(stream, len(down)))))
    return StripedPlacer(made, alive, stream)


def draw(stream: Stream | None, n: i64) -> i64:
    """A random start within a ring."""
    return 0 if stream is None or n == 0 else stream.below(n)


def place(cluster: "Cluster", image: Image, count: i64, factor: i64) -> list[list[int]]:
    """Replica lists for a new topic, or none if it cannot be placed (PLACE-1)."""
    brokers: list[int] = []
    racks: list[str] = []
    fenced: list[bool] = []
    for broker in cluster.brokers:
        state = image.broker_state(broker.id)
        if state == REG_NONE or state == REG_SHUTTING_DOWN:
            continue
        brokers.append(int(broker.id))
        racks.append(broker.rack)
        fenced.append(not image.is_active(broker.id))
    if factor > len(brokers) or all(fenced):
        return []
    placer = make_placer(racks, brokers, fenced, cluster.sim.stream("placement", str(len(cluster.topics))))
    return [placer.place(factor) for _ in range(count)]
