"""The offset-syncs topic: what its records say, and the producer that writes them."""

from typing import final

from mypy_extensions import i64

from simengine.clients.producer.completion import PartitionCompletion
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.facts.errors import ERR_NONE
from simengine.mirror.flow_listener import FlowListener
from simengine.mirror.offset_sync import OffsetSync
from simengine.mirror.offset_sync_writer import OffsetSyncWriter
from simengine.mirror.producer_leg import ProducerLeg


@final
class SyncTopic(PartitionCompletion):
    """Partition ``p`` of the offset-syncs topic. The contents of its records outlive the MirrorMaker process."""

    __slots__ = ("_writers", "before", "contents", "flow", "producer")

    def __init__(self, p: i64, producer: ProducerLeg) -> None:
        super().__init__(p)
        self.producer = producer
        self._writers: dict[int, OffsetSyncWriter] = {}  # of syncs under way, by the number of the call
        self.contents: list[OffsetSync] = []  # by the number of the call
        self.before: list[OffsetSync] = []  # written before the run
        self.flow: FlowListener = FlowListener()

    def send_due(self, writer: OffsetSyncWriter) -> bool:
        """Send the syncs of a task that may be sent now; false if there are none."""
        sync = writer.take_due()
        has_sent = sync is not None
        while sync is not None:
            n = len(self.contents)
            self.contents.append(sync)
            self._writers[n] = writer
            self.producer.send(self, n, 1)
            sync = writer.take_due()
        return has_sent

    def settled(self, batch: ProducerBatch, acks: i64, error: i64, offset: i64, epoch: i64) -> None:
        for n in range(batch.n, batch.n + batch.count):
            if error == ERR_NONE:
                sync = self.contents[n]
                self.flow.sync_written(sync.p, sync.upstream, sync.downstream)
            writer = self._writers.pop(n, None)
            if writer is not None:
                writer.done()
