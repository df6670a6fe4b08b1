"""A consumer of the MirrorMaker process: it reads given partitions without a group, from the start or an offset.

A fetch brings as much as Kafka's: 1 MiB of a partition, 50 MiB in all. Left out: ``max.poll.records``, since the task
takes the 500 records of a poll without waiting for anything, and polls again.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.clients.consumer.reader import Reader
from simengine.clients.consumer.reading_client import ReadingClient
from simengine.clients.network.settings import ConsumerSettings
from simengine.facts.kinds import RESET_LATEST
from simengine.kafka.log.log import Batch
from simengine.kafka.shared.config import Catalog
from simengine.kafka.wire.api import EARLIEST, LATEST, ClientServer
from simengine.kernel.network import Network
from simengine.kernel.site import Site
from simengine.mirror.flow_listener import FlowListener

NO_GROUP: Final = -1
NO_RACK: Final = ""
UNKNOWN: Final = -1
PARTITION_BYTES: Final = 1_048_576  # max.partition.fetch.bytes


class PollListener:
    """Takes the records that a poll returned. The base class does nothing with them."""

    __slots__ = ()

    def records_polled(self, p: i64, batch: Batch, offset: i64) -> None:
        """The records of a batch from ``offset`` on."""

    def end_reached(self, p: i64) -> None:
        """Everything below the high watermark, as the broker told it, was polled."""


@final
class ConsumerLeg(ReadingClient):
    """The end of a MirrorMaker process that reads from one cluster."""

    __slots__ = ("_catalog", "_end", "_listener", "_net", "_reader", "flow")

    def __init__(self, net: Network, client_id: str, site: Site) -> None:
        super().__init__(net, client_id, NO_RACK, site)
        self._listener: PollListener = PollListener()
        self._net = net
        self._end: i64 = UNKNOWN  # of the log that is read to its end
        self._reader: Reader | None = None
        self._catalog: Catalog | None = None
        self.flow: FlowListener = FlowListener()

    def attach(self, brokers: list[ClientServer], partitions: list[int], catalog: Catalog) -> None:
        """Name the brokers of its cluster and the partitions that it reads; once, before ``start``."""
        self._catalog = catalog
        settings = ConsumerSettings()
        settings.reset = EARLIEST
        settings.auto_commit_us = 0
        settings.partition_bytes = PARTITION_BYTES
        self._reader = Reader(self._net, self, brokers, [], settings, partitions, NO_GROUP)

    def reader(self) -> Reader:
        """The network half, with all positions."""
        assert self._reader is not None, "a leg is attached before it is used"
        return self._reader

    def assign(self, partitions: list[int]) -> None:
        """Read these partitions and no others, from the next ``start`` on."""
        self.reader().assign(partitions)

    def start(self, listener: PollListener) -> None:
        """A new process: it reads from the start of each log, unless ``seek`` follows."""
        self._listener = listener
        self.up = True
        self.listening = True
        self.reader().start()

    def read_to_end(self, listener: PollListener) -> None:
        """A new process: it asks for the end of each log, then reads from the start. An empty log is at its end."""
        self._end = UNKNOWN
        self.reader().settings.reset = LATEST
        self.start(listener)

    def repositioned(self, p: i64, old: i64, new: i64, why: i64) -> None:
        if why == RESET_LATEST:
            self._end = new
            self.reader().settings.reset = EARLIEST
            if new > 0:
                self.seek(p, 0)
        if self._end != UNKNOWN and self.reader().assignment.of(p).offset >= self._end:
            self._listener.end_reached(p)

    def seek(self, p: i64, offset: i64) -> None:
        """Read a partition from an offset on."""
        self.reader().seek(p, offset)

    def name_of(self, p: i64) -> tuple[str, int]:
        """Topic and number of a partition of its cluster."""
        assert self._catalog is not None, "a leg is attached before it is used"
        return self._catalog.name_of(p)

    def stop_reading(self) -> None:
        """Poll no more."""
        self.reader().stop()

    def polled(self, p: i64, offset: i64, batches: list[Batch], hw: i64) -> None:
        end = offset
        for batch in batches:
            if batch.end > offset:
                self._listener.records_polled(p, batch, max(batch.base, offset))
                end = batch.end
        if end >= (hw if self._end == UNKNOWN else self._end):
            self._listener.end_reached(p)

    def missed(self, p: i64, first: i64, end: i64) -> None:
        self.flow.skipped(p, first, end)
