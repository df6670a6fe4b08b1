"""For how long acknowledged records had fewer copies on live replicas than min.insync.replicas asks for (FATE-9)."""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.kafka.replica.replica import Partition
from simengine.verdict.outage import THETA_US, Closing
from simengine.verdict.presence import holds
from simengine.verdict.record_set import RecordSet
from simengine.verdict.write_path import is_running

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster

NO_END: Final = 1 << 62  # beyond every offset


@mypyc_attr(acyclic=True)
@final
class ExposedRecords:
    """Acknowledged records base .. end-1 that stand on too few live copies since a moment; ``epoch`` wrote the last.

    Logs that have the last one have them all, so they are safe when it is.
    """

    __slots__ = ("base", "end", "epoch", "since")

    def __init__(self, base: i64, end: i64, epoch: i64, since: i64) -> None:
        self.base: i64 = base
        self.end: i64 = end
        self.epoch: i64 = epoch
        self.since: i64 = since


@final
class Exposure:
    """The exposure of one partition: the time during which some record was exposed for longer than theta.

    Whatever is exposed for a shorter time is the normal pipeline, in which some new record is always on the way.
    Nothing counts after its ``closing``.
    """

    __slots__ = ("_live", "_needed", "_open", "_stretches", "closing")

    def __init__(self, closing: Closing) -> None:
        self.closing = closing
        self._open: list[ExposedRecords] = []  # by offset
        self._live: list[Partition] = []  # copies on brokers whose process runs
        self._needed: i64 = 1
        self._stretches: list[tuple[int, int]] = []  # that count, apart and in order

    def us(self, now: i64) -> i64:
        """The time so far, with the stretch that is going on once it is longer than theta."""
        end = min(now, self.closing.us)
        first = end
        for exposed in self._open:
            first = min(first, exposed.since)
        total: i64 = 0
        for start, stop in joined_to(self._stretches, first, end) if end - first > THETA_US else self._stretches:
            total += stop - start
        return total

    def acknowledged(self, base: i64, count: i64, epoch: i64, now: i64) -> None:
        """Records were acknowledged, and are not lost already, that not all of the ISR need have."""
        if not self._is_safe(base + count, epoch):
            self._open.append(ExposedRecords(base, base + count, epoch, now))

    def copied(self, copy: Partition, now: i64) -> None:
        """A follower has appended records."""
        if self._open and copy.log.leo >= self._open[0].end:
            self._close_safe(now)

    def forget_lost(self, kept: RecordSet, now: i64) -> None:
        """Drop the exposed records that a new leader does not have: they are lost. The rest of them stay exposed."""
        still: list[ExposedRecords] = []
        for exposed in self._open:
            if not kept.has(exposed.end - 1, exposed.epoch):
                end, epoch = kept.newest(exposed.end)
                if end <= exposed.base:
                    self._count(exposed.since, now)
                    continue
                exposed.end, exposed.epoch = end, epoch
            still.append(exposed)
        self._open = still

    def came_back(self, base: i64, end: i64, epoch: i64, now: i64) -> None:
        """A new leader has records that were lost; they stand above all that was kept. The look that follows judges."""
        self._open.append(ExposedRecords(base, end, epoch, now))

    def look(self, cluster: "Cluster", p: i64, topic: i64, kept: RecordSet) -> None:
        """Brokers, leader or settings changed: which of all acknowledged records are exposed now, and which no more?"""
        registration = cluster.quorum.image.partition(p)
        if registration is None:
            return
        now = cluster.sim.now
        self._needed = min(cluster.quorum.image.min_insync(topic), len(registration.synced()))
        self._live = []
        for broker_id in registration.replicas:
            broker = cluster.by_id[broker_id]
            copy = broker.replica(p) if is_running(broker) else None
            if copy is not None:
                self._live.append(copy)
        self._close_safe(now)
        self._join_old(now)
        self._open_below(kept, now)

    def is_empty(self) -> bool:
        """True if no record is exposed, not even for a moment."""
        return not self._open

    def _is_safe(self, end: i64, epoch: i64) -> bool:
        copies: i64 = 0
        for copy in self._live:
            if copy.log.leo >= end and holds(copy.log, end - 1, epoch):
                copies += 1
        return copies >= self._needed

    def _close_safe(self, now: i64) -> None:
        """Logs agree below what they share, so what is safe comes first."""
        while self._open and self._is_safe(self._open[0].end, self._open[0].epoch):
            self._count(self._open.pop(0).since, now)

    def _count(self, since: i64, now: i64) -> None:
        """A stretch is over."""
        end = min(now, self.closing.us)
        if end - since > THETA_US:
            self._stretches = joined_to(self._stretches, since, end)

    def _join_old(self, now: i64) -> None:
        """Neighbours that all count already are one, so that a long exposure needs no memory."""
        while len(self._open) > 1 and now - self._open[0].since > THETA_US and now - self._open[1].since > THETA_US:
            first = self._open.pop(0)
            self._open[0].base = first.base
            self._open[0].since = min(first.since, self._open[0].since)

    def _open_below(self, kept: RecordSet, now: i64) -> None:
        """Expose the records that were safe until now, below those that are exposed already."""
        end, epoch = kept.newest(self._open[0].base if self._open else NO_END)
        if end > 0 and not self._is_safe(end, epoch):
            self._open.insert(0, ExposedRecords(0, end, epoch, now))


def joined_to(stretches: list[tuple[int, int]], start: i64, end: i64) -> list[tuple[int, int]]:
    """Stretches and one more that ends after all of them, those that touch made one."""
    first, kept = int(start), list(stretches)
    while kept and kept[-1][1] >= first:
        first = min(first, kept.pop()[0])
    return [*kept, (first, int(end))]
