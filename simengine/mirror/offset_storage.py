"""The storage of a Connect worker for the positions of its source tasks: a compacted topic on the target (MM-11).

As Kafka's ``KafkaOffsetBackingStore`` and ``KafkaBasedLog``. A new worker creates the topic if there is none, and reads
it to its end before it joins its group. From then on it answers from memory: the deletion of the topic is felt by the
next process. Left out: a running worker does not read its own records back, so a write counts when it is acknowledged;
a worker that cannot create the topic tries again, and does not end; positions from before the run survive an empty
disk.
"""

from typing import Final, final

from mypy_extensions import i64, trait

from simengine.clients.producer.completion import PartitionCompletion
from simengine.clients.producer.producer_batch import ProducerBatch
from simengine.facts.errors import ERR_NONE
from simengine.kafka.log.log import Batch
from simengine.kernel.node import Task
from simengine.mirror.consumer_leg import ConsumerLeg, PollListener
from simengine.mirror.producer_leg import ProducerLeg
from simengine.mirror.remote_topics import NO_PARTITION, RemoteTopics

NONE_STORED: Final = -1
LOOK_AGAIN_US: Final = 1_000_000  # from one look for a missing topic to the next
PAUSE_MAX_US: Final = 60_000_000  # the pause grows to it while there is none


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


@trait
class StorageListener:
    """Waits for the stored positions."""

    def storage_missing(self) -> None:
        """The topic is not there, and the worker waits for it."""

    def storage_ready(self) -> None:
        """The topic is there, and the worker knows what it holds."""


@final
class OffsetStorage(PartitionCompletion):
    """The topic ``name``, whose partition of the moment is ``p``. The contents of its records outlive the process."""

    __slots__ = (
        "_before",
        "_contents",
        "_first_p",
        "_listeners",
        "_pause_us",
        "_reading_p",
        "_stored",
        "_topics",
        "_waiting",
        "name",
        "producer",
        "reader",
    )

    def __init__(self, p: i64, name: str, producer: ProducerLeg, reader: ConsumerLeg) -> None:
        super().__init__(p)
        self.name = name
        self.producer = producer
        self.reader = reader
        self._topics: RemoteTopics = RemoteTopics()
        self._first_p: i64 = p
        self._contents: list[StoredPosition] = []  # by the number of the call
        self._before: list[StoredPosition] = []  # records from before the run, in the topic that was there then
        self._stored: dict[int, int] = {}  # the worker's memory
        self._listeners: dict[int, FlushListener] = {}  # by the number after the last record of their write
        self._waiting: StorageListener | None = None
        self._reading_p: i64 = NO_PARTITION  # the partition that a new worker reads
        self._pause_us: i64 = LOOK_AGAIN_US  # before it looks for the topic again

    # -- a worker starts

    def begin(self, topics: RemoteTopics) -> None:
        """The state of a worker that has run for long; ``topics`` are those of the target."""
        self._topics = topics
        self._learn_before()

    def start(self, topics: RemoteTopics, listener: StorageListener) -> None:
        """A new worker reads the topic, which it creates if there is none."""
        self._topics = topics
        self._stored = {}
        self._listeners = {}
        self._waiting = listener
        self._reading_p = NO_PARTITION
        self._pause_us = LOOK_AGAIN_US
        self.look()

    def look(self) -> None:
        """Until the topic is read: create it if it is not there, and read it from its start if it is another one."""
        if self._waiting is None:
            return
        if not self.is_there():
            self._topics.create_storage(self.name)
            self._waiting.storage_missing()
            self._pause_us = min(2 * self._pause_us, PAUSE_MAX_US)
        if self.is_there() and self.p != self._reading_p:
            self._read()
        self.producer.sim.after(self._pause_us, TopicLook(self))

    def _read(self) -> None:
        self._reading_p = self.p
        self._pause_us = LOOK_AGAIN_US
        self._stored = {}
        self._learn_before()
        self.reader.assign([int(self.p)])
        self.reader.read_to_end(StorageReading(self))

    def is_there(self) -> bool:
        """True if the target has the topic now."""
        p = self._topics.partition(self.name, 0)
        if p != NO_PARTITION:
            self.p = p
        return p != NO_PARTITION

    def _learn_before(self) -> None:
        if self.p == self._first_p:
            for position in self._before:
                self._stored[int(position.index)] = int(position.upstream)

    def records_read(self, batch: Batch, offset: i64) -> None:
        """Take in the records of a batch, from an offset on."""
        if batch.client != self.producer.number:
            return  # from before the run
        first = batch.n + (offset - batch.base)
        for n in range(first, batch.n + batch.count):
            position = self._contents[n]
            self._stored[int(position.index)] = int(position.upstream)

    def end_reached(self) -> None:
        """The worker knows what the topic holds."""
        self.reader.stop_reading()
        listener, self._waiting = self._waiting, None
        if listener is not None:
            listener.storage_ready()

    # -- the worker's memory

    def position(self, index: i64) -> i64:
        """The stored offset of a source partition, by its place in the flow; NONE_STORED if there is none."""
        return self._stored.get(index, NONE_STORED)

    def keep(self, index: i64, upstream: i64) -> None:
        """The position was stored before the run."""
        self._before.append(StoredPosition(index, upstream))

    # -- writing

    def write(self, positions: list[StoredPosition], listener: FlushListener) -> i64:
        """Begin to store these positions; the number up to which records must be acknowledged for it.

        While there is no topic nothing is written, and so nothing is acknowledged.
        """
        n = len(self._contents)
        self._contents.extend(positions)
        if self.is_there():
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


@final
class StorageReading(PollListener):
    """One reading of the topic, when a worker starts."""

    __slots__ = ("_storage",)

    def __init__(self, storage: OffsetStorage) -> None:
        self._storage = storage

    def records_polled(self, p: i64, batch: Batch, offset: i64) -> None:
        self._storage.records_read(batch, offset)

    def end_reached(self, p: i64) -> None:
        self._storage.end_reached()


@final
class TopicLook(Task):
    """The worker looks again for the topic that it waits for."""

    __slots__ = ("storage",)

    def __init__(self, storage: OffsetStorage) -> None:
        super().__init__(storage.producer)
        self.storage = storage

    def run(self) -> None:
        self.storage.look()
