"""The offset-syncs topic: what its records say, and the producer that writes them."""

from typing import final

from mypy_extensions import i64

from simengine.clients.completion import PartitionCompletion
from simengine.clients.producer_batch import ProducerBatch
from simengine.kernel.errors import ERR_NONE
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.offset_sync import OffsetSync
from simengine.mirror.offset_sync_writer import OffsetSyncWriter
from simengine.mirror.producer_leg import ProducerLeg


@final
class SyncTopic(PartitionCompletion):
    """Partition ``p`` of the offset-syncs topic. The contents of its records outlive the MirrorMaker process."""

    __slots__ = ("_first", "_writer", "contents", "flow", "producer")

    def __init__(self, p: i64, producer: ProducerLeg) -> None:
        super().__init__(p)
        self.producer = producer
        self._writer: OffsetSyncWriter | None = None
        self._first: i64 = 0  # the first sync of this writer
        self.contents: list[OffsetSync] = []  # by the number of the call
        self.flow: FlowListener = FlowListener()

    def start(self, writer: OffsetSyncWriter) -> None:
        """A new task, whose syncs come from ``writer``."""
        self._writer = writer
        self._first = len(self.contents)

    def send_due(self, writer: OffsetSyncWriter) -> None:
        """Send the syncs that may be sent now."""
        sync = writer.take_due()
        while sync is not None:
            self.contents.append(sync)
            self.producer.send(self, len(self.contents) - 1, 1)
            sync = writer.take_due()

    def settled(self, batch: ProducerBatch, acks: i64, error: i64, offset: i64, epoch: i64) -> None:
        assert self._writer is not None, "a task writes the syncs"
        for n in range(batch.n, batch.n + batch.count):
            if error == ERR_NONE:
                sync = self.contents[n]
                self.flow.sync_written(sync.p, sync.upstream, sync.downstream)
            if n >= self._first:
                self._writer.done()
