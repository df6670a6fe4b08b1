"""A source partition and its remote partition: which records were copied, and how their copies end."""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.clients.producer.completion import PartitionCompletion
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.facts.errors import ERR_NONE
from simengine.kafka.log.log import Batch
from simengine.mirror.copies import CopiedRecords
from simengine.mirror.copy_metrics import CopyMetrics
from simengine.mirror.flow_listener import FlowListener

NOTHING_ACKNOWLEDGED: Final = -1


@trait
class CopyListener:
    """Hears how copies end."""

    def record_copied(self, source_p: i64, upstream: i64, downstream: i64) -> None:
        """The target has acknowledged the copy of one record."""

    def now(self) -> i64:
        """The time."""
        return 0

    def copy_failed(self, error: i64) -> None:
        """Copies cannot be written, and are not tried again."""


@final
class MirroredPartition(PartitionCompletion):
    """Copies go from ``source_p`` to the remote partition ``p``; ``index``: its place among those of the flow."""

    __slots__ = ("_listener", "acknowledged", "copied", "flow", "index", "metrics", "source_p", "under_way")

    def __init__(self, source_p: i64, remote_p: i64, index: i64) -> None:
        super().__init__(remote_p)
        self.index: i64 = index
        self.source_p: i64 = source_p
        self.copied: CopiedRecords = CopiedRecords()
        self.metrics: CopyMetrics = CopyMetrics()
        self.acknowledged: i64 = NOTHING_ACKNOWLEDGED  # newest source offset whose copy is acknowledged, in this life
        self.under_way: i64 = 0  # copies sent in this life that have not ended
        self._listener: CopyListener | None = None
        self.flow: FlowListener = FlowListener()

    def start(self, listener: CopyListener) -> None:
        """A task takes the partition up."""
        self._listener = listener
        self.acknowledged = NOTHING_ACKNOWLEDGED
        self.under_way = 0
        self.metrics.start()

    def take(self, batch: Batch, offset: i64, now: i64) -> i64:
        """Take note of records to copy, from ``offset`` to the end of a batch; the number of the first call."""
        n = self.copied.made
        count = batch.end - offset
        self.under_way += count
        self.copied.add(offset, batch.client, batch.n + (offset - batch.base), count)
        self.metrics.polled(batch, self.copied.made, now)
        return n

    def settled(self, batch: ProducerBatch, acks: i64, error: i64, offset: i64, epoch: i64) -> None:
        listener = self._listener
        assert listener is not None, "a task takes a partition up before it copies"
        self.under_way -= batch.count
        if error != ERR_NONE:
            listener.copy_failed(error)
            return
        last = batch.n + batch.count
        self.metrics.acknowledged(last, batch.count, self.copied.upstream_of(last - 1), listener.now())
        self._report(batch.n, batch.count, offset)
        for i in range(batch.count):
            self.acknowledged = self.copied.upstream_of(batch.n + i)
            listener.record_copied(self.source_p, self.acknowledged, offset + i)

    def _report(self, n: i64, count: i64, offset: i64) -> None:
        """Tell of calls n .. n+count-1, acknowledged at ``offset``: a range for each run of source offsets."""
        while count > 0:
            run = self.copied.run_of(n)
            some = min(count, run.n + run.count - n)
            self.flow.copied(self.source_p, run.upstream + (n - run.n), self.p, offset, some)
            n += some
            offset += some
            count -= some
