"""The lag of a flow at moments spread over the run: the range in which a loss would have fallen."""

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from simengine.facts.decisive import MirrorProcessChanged
from simengine.facts.kinds import PROCESS_DOWN
from simengine.kafka.log.log import Batch, Log
from simengine.mirror.mirrored_partition import MirroredPartition
from simengine.world.failover_state import Lag
from simengine.world.mirrors.counted import counted_copy

if TYPE_CHECKING:
    from simengine.world.mirrors.assembly import MirrorAssembly
    from simengine.world.mirrors.process import RunningFlow

MOMENTS: Final = 1000
QUANTILES: Final = (0.5, 0.99, 1.0)


class PairHistory:
    """The logs of a source partition and of its remote partition, looked at as they were at any time.

    A flow that copies again what the target has is behind by what the target has not. Copies from before the run are
    there from its begin.
    """

    def __init__(self, pair: MirroredPartition, source: Log, end: int, remote: Log, producers: list[int]) -> None:
        self._pair = pair
        self._end = end
        self._source = [batch for batch in source.batches if batch.base < end]
        self._copies = [batch for batch in remote.batches if int(batch.client) in producers]
        before = pair.copied.before
        self._before = 0 if before is None else int(before.upstream + before.count)
        self._reached = list(accumulate(map(self._position, self._copies), max))

    def span(self) -> tuple[int, int]:
        """The times of the first copy, and of the newest record of the source."""
        newest = int(self._source[-1].until) if self._source else 0
        if self._before:
            return 0, newest
        return (int(self._copies[0].time) if self._copies else newest), newest

    def behind(self, at_us: int) -> tuple[int, int]:
        """The records that had no copy at a time, and the age of the oldest."""
        k = bisect_right(self._copies, at_us, key=_time) - 1
        copied = _end_at(self._copies, at_us)
        position = 0 if copied is None else max(self._position(copied), self._reached[k - 1] if k else 0)
        position = max(position, self._before)
        written = _end_at(self._source, at_us)
        records = 0 if written is None else min(int(written.end), self._end) - position
        if records <= 0:
            return 0, 0
        first = self._source[max(0, bisect_right(self._source, position, key=_base) - 1)]
        return records, at_us - int(first.time_of(max(position, first.base)))

    def _position(self, batch: Batch) -> int:
        """The source offset after the last record of a batch of copies."""
        return int(self._pair.copied.upstream_of(batch.n + batch.count - 1)) + 1


def _base(batch: Batch) -> int:
    return int(batch.base)


def _time(batch: Batch) -> int:
    return int(batch.time)


def _end_at(batches: list[Batch], at_us: int) -> Batch | None:
    """The newest batch at a time, as much of it as was there; None before the first."""
    k = bisect_right(batches, at_us, key=_time) - 1
    if k < 0:
        return None
    batch = batches[k]
    end = batch.end if batch.until <= at_us else batch.since(at_us + 1)
    return batch.part(batch.base, end - batch.base)


def lag_of(mirrors: "MirrorAssembly", flow: str) -> Lag | None:
    """The lag of a flow while its process was there, from its first copy to the newest record of its source.

    None where it has copied nothing.
    """
    running = next((one for one in mirrors.flows() if one.name == flow), None)
    if running is None:
        return None
    source, target = mirrors.clusters[running.source.name].cluster, mirrors.clusters[running.target.name].cluster
    producers = [int(one.number) for one in running.flow.target.producers]
    pairs: list[PairHistory] = []
    for pair in running.flow.partitions:
        here, there = counted_copy(source, int(pair.source_p)), counted_copy(target, int(pair.p))
        topic = source.topics[source.partition_names[int(pair.source_p)][0]]
        if here is not None and there is not None and not topic.is_made and (pair.copied.runs or pair.copied.before):
            pairs.append(PairHistory(pair, here.log, int(here.hw), there.log, producers))
    spans = [pair.span() for pair in pairs]
    begin, end = min((low for low, _ in spans), default=0), max((high for _, high in spans), default=0)
    moments = moments_of(running_spans(mirrors, running, begin, end))
    if not moments:
        return None
    at_moments = [[pair.behind(at) for pair in pairs] for at in moments]
    records = sorted(sum(n for n, _ in found) for found in at_moments)
    us = sorted(max(age for _, age in found) for found in at_moments)
    return Lag([_at(records, share) for share in QUANTILES], [_at(us, share) for share in QUANTILES])


def running_spans(mirrors: "MirrorAssembly", running: "RunningFlow", begin: int, end: int) -> list[tuple[int, int]]:
    """The times between two moments in which the process of a flow was there; a paused one is."""
    process = next(one for one in mirrors.processes if running in one.flows)
    found: list[tuple[int, int]] = []
    since = begin
    for fact in mirrors.ground.sim.trace.decisive:
        if isinstance(fact, MirrorProcessChanged) and fact.process == process.index:
            at = min(max(int(fact.t), begin), end)
            if since >= 0 and fact.state == PROCESS_DOWN:
                found.append((since, at))
                since = -1
            elif since < 0 and fact.state != PROCESS_DOWN:
                since = at
    if since >= 0:
        found.append((since, end))
    return [(low, high) for low, high in found if high > low]


def moments_of(spans: list[tuple[int, int]]) -> list[int]:
    """Moments spread evenly over the spans."""
    total = sum(high - low for low, high in spans)
    found: list[int] = []
    passed = 0
    for low, high in spans:
        while len(found) < MOMENTS and (at := total * (len(found) + 1) // MOMENTS) <= passed + high - low:
            found.append(low + at - passed)
        passed += high - low
    return found


def _at(values: list[int], share: float) -> int:
    return values[min(len(values) - 1, int(share * len(values)))]
