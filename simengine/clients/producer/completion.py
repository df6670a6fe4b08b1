"""The reports of a Sender about the records of one partition: the end of each batch."""

from mypy_extensions import i64

from simengine.clients.producer.producer_batch import ProducerBatch


class PartitionCompletion:
    """The application's records to partition ``p``. The base class listens to nothing."""

    __slots__ = ("p",)

    def __init__(self, p: i64) -> None:
        self.p: i64 = p

    def moved(self, queued: i64, in_flight: i64) -> None:
        """So many records entered (negative: left) the queue and the wire."""

    def retried(self, error: i64) -> None:
        """An attempt to write failed and is made again (PC-3)."""

    def settled(self, batch: ProducerBatch, acks: i64, error: i64, offset: i64, epoch: i64) -> None:
        """The records of a batch are written at ``offset`` and on (-1 with acks=0), or failed with ``error``."""

    def abandoned(self, batch: ProducerBatch, acks: i64, may_be_written: bool) -> None:
        """The process died before the records of a batch ended."""
