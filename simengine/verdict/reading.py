"""The readers of one partition, their deliveries, and the times in which consumers or servers could not read it."""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.clients.consumer.consumer import Consumer
from simengine.kafka.log.log import BEFORE_RUN
from simengine.kafka.replica.replica import Partition
from simengine.kernel.node import Node
from simengine.verdict.deliveries import ReaderPosition
from simengine.verdict.outage import THETA_US, Closing, Outage
from simengine.verdict.presence import joined, length
from simengine.verdict.read_path import can_be_read
from simengine.verdict.unread import PartitionReaders

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.verdict.account import PartitionCounters


NOBODY: Final[
    list[ReaderPosition]
] = []  # shared by all partitions that nobody reads: the list is replaced, never changed


@final
class PartitionReads:
    """The reading side of one partition. ``out``: by the state of the servers; each reader has its own view besides."""

    __slots__ = ("_closing", "_end", "out", "readers", "unread")

    def __init__(self, closing: Closing) -> None:
        self._closing = closing
        self._end: i64 = 0  # the log end of the leader, the last there was
        self.out: Outage = Outage(closing)
        self.readers: list[ReaderPosition] = NOBODY
        self.unread: PartitionReaders = PartitionReaders(closing)

    def reader_of(self, client: i64) -> ReaderPosition:
        """The reading of this partition by one consumer; made if it is new."""
        for reader in self.readers:
            if reader.client == client:
                return reader
        reader = ReaderPosition(client, self._closing)
        self.readers = [*self.readers, reader]
        return reader

    def _stamp(self, reader: ReaderPosition) -> None:
        """This one moved last of all readers."""
        newest: i64 = 0
        for other in self.readers:
            newest = max(newest, other.stamp)
        if reader.stamp < newest or newest == 0:
            reader.stamp = newest + 1

    def delivered(
        self, client: i64, offset: i64, count: i64, epoch: i64, account: "PartitionCounters | None", now: i64
    ) -> None:
        """A consumer was handed records of an account's partition."""
        reader = self.reader_of(client)
        if account is not None and reader.may_be_late(now):
            self._look_back(reader, offset, account.leader(), now)
        self._stamp(reader)
        reader.delivered(offset, count, epoch)
        reader.passes(self._end, now)
        reader.handed_at = now
        reader.out.set(False, now, 0)
        reader.look(self._end, now)
        if self.unread.is_missing:
            self.unread.look(self.readers, now)

    def _look_back(self, reader: ReaderPosition, offset: i64, leader: Partition | None, now: i64) -> None:
        """Note the waiting time of a record that is delivered to a reader now."""
        written_at: i64 = -1 if leader is None else written(leader, offset)
        if written_at >= 0:
            reader.longest_us = max(reader.longest_us, reader.waited(written_at, now))

    def unserved(self, client: i64, since: i64, called_at: i64, has_response: bool, now: i64) -> None:
        """A consumer's fetches had no response since then (``ReaderPosition.waits_since``).

        A reader that has everything is idle again once it has a response.
        """
        reader = self.reader_of(client)
        reader.waits_since(since, called_at)
        if not reader.reads or (has_response and reader.position >= self._end):
            reader.out.set(False, now, 0)

    def look_for_unserved(self, account: "PartitionCounters") -> None:
        """Note whose fetches wait now for longer than they may."""
        for reader in self.readers:
            if reader.reads:
                node = account.cluster.net.clients[reader.client]
                since = node.reader().unserved_since(account.p) if isinstance(node, Consumer) else -1
                if since >= 0:
                    reader.waits_since(since, account.called_without_response(since))

    def positioned(self, client: i64, position: i64, now: i64) -> bool:
        """A consumer found its position or jumped (-1: it reads the partition no more); whether it begins or ends."""
        reader = self.reader_of(client)
        did_read = reader.reads
        if position < 0:
            reader.reads = False
        else:
            self._stamp(reader)
            reader.stand(position, now)
        if not reader.reads or position >= self._end:
            reader.out.set(False, now, 0)
        reader.look(self._end, now)
        if reader.reads != did_read:
            self.unread.look(self.readers, now)
        return reader.reads != did_read

    def left_at(self, client: i64, clients: list[Node]) -> i64:
        """The newest position of a consumer's group; of the consumer, where it has none; -1: it never had one."""
        group = group_of(clients, client)
        newest: i64 = 0
        position: i64 = -1
        for reader in self.readers:
            if reader.stamp > newest and group_of(clients, reader.client) == group:
                newest, position = reader.stamp, reader.position
        return position

    def opened(self, client: i64, group: str, now: i64) -> None:
        """A consumer begins that is to read the partition, by itself or with its group."""
        self.unread.opened(client, group, self.readers, now)

    def closed(self, client: i64, is_dead: bool, now: i64) -> None:
        """A consumer that was to read the partition ends: it was closed, or it died."""
        self.unread.closed(client, is_dead, self.readers, now)

    def ended(self, now: i64) -> None:
        """The partition was deleted with its topic: nobody waits for its records any more."""
        self.out.set(False, now, 0)
        for reader in self.readers:
            reader.out.set(False, now, 0)
            reader.reads = False
        for want in self.unread.wants:
            want.set(False, now)
            want.clients, want.is_dead = [], False
        self.unread.is_missing = False

    def holds_records(self, now: i64) -> None:
        """Records are there to be read, by whoever has a position."""
        if not self.unread.has_records:
            self.unread.appended(self.readers, now)

    def reaches(self, end: i64, now: i64) -> None:
        """The leader's log ends at ``end``: what stands above its high watermark is there, but nobody gets it."""
        self._end = end
        for reader in self.readers:
            if reader.position >= end:
                reader.sinks(now)
            else:
                reader.look(end, now)

    def leads(self, leader: Partition, now: i64) -> None:
        """A new leader: its log may hold records that were written while nobody led for the controller."""
        self.reaches(leader.log.leo, now)
        for reader in self.readers:
            if reader.out.since == now:
                reader.misses(written(leader, reader.position))

    def waits_us(self, now: i64) -> i64:
        """The time (µs) for which a reader has had no records, though some are there; 0 while that is only latency.

        A reader without a position counts, from longer than a join on.
        """
        longest: i64 = self.unread.open_us(now)
        for reader in self.readers:
            longest = max(longest, reader.out.open_us(now))
        return longest

    def starved(self, reader: ReaderPosition, now: i64) -> list[tuple[int, int]]:
        """The times in which a reader had no records, though some were there, or its group had no position."""
        out = reader.out.spans(now)
        without = self.unread.spans_of(reader.client, now)
        return joined([*out, *without]) if without else out

    def no_records_us(self, now: i64) -> i64:
        """The longest time that a reader had no records, though some were there: all its stretches together."""
        longest: i64 = self.unread.us(now)
        for reader in self.readers:
            longest = max(longest, length(self.starved(reader, now)))
        return longest

    def longest_us(self, leader: Partition | None, now: i64) -> i64:
        """The longest time from the append of a record to its delivery, so far; 0 as long as that is latency."""
        longest: i64 = 0
        for reader in self.readers:
            longest = max(longest, reader.longest_us)
            if leader is not None and reader.reads and reader.position < leader.log.leo:
                written_at = written(leader, reader.position)
                if written_at >= 0:
                    longest = max(longest, reader.waited(written_at, now))
        return longest if longest > THETA_US else 0

    def is_possible(self, cluster: "Cluster", p: i64, leader: Partition | None) -> bool:
        """True if the servers would let some of its readers read it now."""
        return can_be_read(cluster, p, leader, [int(reader.client) for reader in self.readers if reader.reads])


def written(leader: Partition, offset: i64) -> i64:
    """The time at which the leader's record at an offset was appended; -1 if there is none, or from before the run."""
    log = leader.log
    i = log.index_of(offset)
    if i >= len(log.batches):
        return -1
    batch = log.batches[i]
    if batch.client == BEFORE_RUN or offset < batch.base:
        return -1
    return batch.time_of(offset)


def group_of(clients: list[Node], client: i64) -> str:
    """The group of a consumer; its own id where it has none."""
    node = clients[client]
    assert isinstance(node, Consumer), "only consumers read"
    return node.settings.group or node.name
