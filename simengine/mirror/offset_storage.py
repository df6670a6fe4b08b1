"""The storage of a Connect worker for the positions of its source tasks: a topic on the target (MM-1).

A task starts where the stored positions say. Left out: the topic is not read again at a start, so a position that was
acknowledged is found even if an unclean election has lost its record.
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.clients.producer.completion import PartitionCompletion
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.facts.errors import ERR_NONE
from simengine.mirror.producer_leg import ProducerLeg

NONE_STORED: Final = -1


@final
class StoredPosition:
    """The content of one record: the newest acknowledged offset of a source partition, by its place in the flow."""

    __slots__ = ("index", "upstream")

    def __init__(self, index: i64, upstream: i64) -> None:
        self.index: i64 = index
        self.upstream: i64 = upstream


@trait
class FlushListener:
    """Hears that positions are stored."""

    def offsets_stored(self, until: i64) -> None:
        """All records below this number are acknowledged."""


@final
class OffsetStorage(PartitionCompletion):
    """Partition ``p`` of the offsets topic."""

    __slots__ = ("_contents", "_listeners", "_stored", "producer")

    def __init__(self, p: i64, producer: ProducerLeg) -> None:
        super().__init__(p)
        self.producer = producer
        self._contents: list[StoredPosition] = []  # by the number of the call
        self._stored: dict[int, int] = {}
        self._listeners: dict[int, FlushListener] = {}  # by the number after the last record of their write

    def position(self, index: i64) -> i64:
        """The stored offset of a source partition, by its place in the flow; NONE_STORED if there is none."""
        return self._stored.get(index, NONE_STORED)

    def keep(self, index: i64, upstream: i64) -> None:
        """The position was stored before the run."""
        self._stored[int(index)] = int(upstream)

    def write(self, positions: list[StoredPosition], listener: FlushListener) -> i64:
        """Begin to store these positions; the number up to which records must be acknowledged for it."""
        n = len(self._contents)
        self._contents.extend(positions)
        self._listeners[len(self._contents)] = listener
        self.producer.send(self, n, len(positions))
        return len(self._contents)

    def settled(self, batch: ProducerBatch, acks: i64, error: i64, offset: i64, epoch: i64) -> None:
        if error != ERR_NONE:
            return
        until = batch.n + batch.count
        for n in range(batch.n, until):
            content = self._contents[n]
            self._stored[content.index] = content.upstream
        for written in list(self._listeners):
            if written <= until:
                self._listeners.pop(written).offsets_stored(written)
