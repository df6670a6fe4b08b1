"""The controller places the replicas of a new topic: striped over racks, which may be sites (PLACE-1..5, STR-1)."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.facts.kinds import REG_NONE, REG_SHUTTING_DOWN
from simengine.kafka.shared.metadata import MetadataImage
from simengine.kernel.random import Stream

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


@final
class Ring:
    """Brokers of one rack in a ring whose start moves by one per partition that takes from it (PLACE-4).

    A ring tells partitions by their number since the last shuffle, as Kafka's does: one that was last asked for
    number k, and is next asked for number k after a shuffle, goes on where it stopped and may have nothing left.
    """

    __slots__ = ("_at", "_epoch", "_start", "brokers")

    def __init__(self, brokers: list[int], offset: i64) -> None:
        self.brokers = brokers
        self._start: i64 = offset
        self._at: i64 = 0
        self._epoch: i64 = 0

    def next(self, epoch: i64) -> i64:
        """The next broker of this partition, or -1 when the ring is used up."""
        n: i64 = len(self.brokers)
        if n == 0:
            return -1
        if self._epoch != epoch:
            self._epoch = epoch
            self._at = 0
            self._start = (self._start + 1) % n
        if self._at >= n:
            return -1
        broker = self.brokers[(self._start + self._at) % n]
        self._at += 1
        return broker


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

    __slots__ = ("_epoch", "_offset", "_racks", "_stream", "_unfenced")

    def __init__(self, racks: list[Rack], unfenced: i64, stream: Stream | None) -> None:
        self._racks = racks
        self._unfenced: i64 = unfenced
        self._stream = stream
        self._offset: i64 = 0 if stream is None else stream.below(len(racks))
        self._epoch: i64 = 0  # partitions since the last shuffle

    def place(self, factor: i64) -> list[int]:
        """PLACE-3: the replica list of the next partition."""
        self._maybe_shuffle()
        racks = self._racks
        n: i64 = len(racks)
        epoch = self._epoch
        self._epoch += 1
        start = self._offset
        self._offset = (self._offset + 1) % n
        first = start
        leader = racks[first].unfenced.next(epoch)
        while leader < 0:  # there is an unfenced broker (PLACE-1), in a ring that has not given all it had
            first = (first + 1) % n
            leader = racks[first].unfenced.next(epoch)
        replicas = [int(leader)]
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

    def _maybe_shuffle(self) -> None:
        """PLACE-5: after as many partitions as there are unfenced brokers."""
        stream = self._stream
        if stream is None or self._unfenced <= 1 or self._epoch < self._unfenced:
            return
        self._epoch = 0
        order = [int(i) for i in range(len(self._racks))]
        shuffle(order, stream)
        self._racks = [self._racks[i] for i in order]
        for rack in self._racks:
            shuffle(rack.unfenced.brokers, stream)
            shuffle(rack.fenced.brokers, stream)


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


def place(cluster: "Cluster", image: MetadataImage, count: i64, factor: i64) -> list[list[int]]:
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
    stream = cluster.sim.stream(cluster.site.prefix + "placement", str(len(cluster.own_topics())))
    placer = make_placer(racks, brokers, fenced, stream)
    return [placer.place(factor) for _ in range(count)]
