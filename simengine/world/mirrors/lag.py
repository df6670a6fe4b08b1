"""The lag of a flow at moments spread over the run: the range in which a loss would have fallen."""

from bisect import bisect_left, bisect_right
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
    from simengine.world.mirrors.process import MirrorProcess, RunningFlow

MOMENTS: Final = 1000
QUANTILES: Final = (0.5, 0.99, 1.0)
NOT_THERE: Final = -1


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

    def newest_us(self) -> int:
        """The time of the newest record of the source; 0 without one."""
        return int(self._source[-1].until) if self._source else 0

    def copied_us(self, began_us: int) -> int | None:
        """The time at which the flow had copied what stood in the source when it began; None: it has not yet.

        A flow that copied before the run had begun before it.
        """
        stood = _end_at(self._source, began_us)
        end = 0 if stood is None else min(int(stood.end), self._end)
        if self._before or end <= int(self._source[0].base if self._source else 0):
            return began_us
        k = bisect_left(self._reached, end)
        if k == len(self._reached):
            return None
        copies = self._copies[k]
        return max(began_us, int(copies.time_of(max(copies.base, copies.end - 1 - (self._reached[k] - end)))))

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
    """The lag of a flow in all topics of applications that it mirrors, at moments while its process was there.

    They lie between the time at which it had copied what stood in its source when it began, and the newest record of
    the source. None where there is no such moment.
    """
    running = next((one for one in mirrors.flows() if one.name == flow), None)
    if running is None:
        return None
    pairs = _pairs(mirrors, running)
    end = max((pair.newest_us() for pair in pairs), default=0)
    spans = running_spans(mirrors, running, end)
    copied = [pair.copied_us(spans[0][0]) for pair in pairs] if spans else []
    caught_up = [us for us in copied if us is not None]
    if not caught_up or len(caught_up) < len(pairs):
        return None
    begin = max(caught_up)
    moments = moments_of([(max(low, begin), high) for low, high in spans if high > begin])
    if not moments:
        return None
    at_moments = [[pair.behind(at) for pair in pairs] for at in moments]
    records = sorted(sum(n for n, _ in found) for found in at_moments)
    us = sorted(max(age for _, age in found) for found in at_moments)
    return Lag([_at(records, share) for share in QUANTILES], [_at(us, share) for share in QUANTILES])


def _pairs(mirrors: "MirrorAssembly", running: "RunningFlow") -> list[PairHistory]:
    """The partitions of applications that a flow mirrors, as far as a copy of both is left: those of its verdict."""
    source, target = mirrors.clusters[running.source.name].cluster, mirrors.clusters[running.target.name].cluster
    producers = [int(one.number) for one in running.flow.target.producers]
    found: list[PairHistory] = []
    for pair in running.flow.partitions:
        here, there = counted_copy(source, int(pair.source_p)), counted_copy(target, int(pair.p))
        topic = source.topics[source.partition_names[int(pair.source_p)][0]]
        if here is not None and there is not None and not topic.is_made:
            found.append(PairHistory(pair, here.log, int(here.hw), there.log, producers))
    return found


def running_spans(mirrors: "MirrorAssembly", running: "RunningFlow", end: int) -> list[tuple[int, int]]:
    """The times up to a moment in which the process of a flow was there; a paused one is."""
    process = next(one for one in mirrors.processes if running in one.flows)
    found: list[tuple[int, int]] = []
    since = 0 if _is_there_at_start(mirrors, process) else NOT_THERE
    for fact in mirrors.ground.sim.trace.decisive:
        if isinstance(fact, MirrorProcessChanged) and fact.process == process.index:
            at = min(int(fact.t), end)
            if since != NOT_THERE and fact.state == PROCESS_DOWN:
                found.append((since, at))
                since = NOT_THERE
            elif since == NOT_THERE and fact.state != PROCESS_DOWN:
                since = at
    if since != NOT_THERE:
        found.append((since, end))
    return [(low, high) for low, high in found if high > low]


def _is_there_at_start(mirrors: "MirrorAssembly", process: "MirrorProcess") -> bool:
    return next(one.state for one in mirrors.doc.mirrors if one.process == process.name) == "running"


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
