"""A consumer: an application that calls ``poll`` in a loop, and its Kafka client (CON-1..9).

Whatever ``poll`` returns is delivered at once. An exception out of ``poll`` is stated and the application polls on.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.clients.consumer.reader import Reader
from simengine.clients.consumer.reading_client import ReadingClient
from simengine.clients.network.ledger import ClientListener
from simengine.clients.network.settings import SUBSCRIBED, ConsumerSettings
from simengine.facts.decisive import ClientChanged, ConsumerError, ConsumerReset
from simengine.facts.kinds import (
    CLIENT_CLOSED,
    CLIENT_CRASHED,
    CLIENT_OPEN,
)
from simengine.facts.traffic import consumer_moved, delivered, offset_committed
from simengine.kafka.wire.api import ClientServer
from simengine.kernel.network import Network
from simengine.kernel.node import Task
from simengine.kernel.site import ALONE, Site

CLOSE_TIMEOUT_US: Final = 30_000_000  # of Consumer.close()
NO_ACKS: Final = 0  # what CLIENT_CHANGED states for a client that produces nothing


@final
class Consumer(ReadingClient):
    """A consumer client; ``number`` is its index among the clients, its node id is -1 - number."""

    __slots__ = ("_is_closing", "_net", "_reader", "delivered_count", "ledger", "settings", "state")

    def __init__(
        self,
        net: Network,
        client_id: str,
        rack: str,
        settings: ConsumerSettings,
        ledger: ClientListener,
        site: Site = ALONE,
    ) -> None:
        super().__init__(net, client_id, rack, site)
        self.settings = settings
        self.ledger = ledger
        self.state: i64 = CLIENT_CLOSED
        self.delivered_count: i64 = 0
        self._net = net
        self._reader: Reader | None = None
        self._is_closing: bool = False

    def attach(self, brokers: list[ClientServer], bootstrap: list[int], partitions: list[int], offsets_p: i64) -> None:
        """Name the brokers, those it asks first (ids; none: all), its partitions, and its group's offsets partition.

        ``offsets_p`` is the partition of ``__consumer_offsets`` whose leader coordinates the group, -1 without a group.
        Once, before ``open``.
        """
        self._reader = Reader(self._net, self, brokers, bootstrap, self.settings, partitions, offsets_p)

    def reader(self) -> Reader:
        """The network half, with all positions."""
        assert self._reader is not None, "a consumer is attached before it is used"
        return self._reader

    # -- what the timeline does

    def open(self, cause: i64) -> None:
        """Start the application: every position is found anew."""
        assert self.state != CLIENT_OPEN, "a consumer that is open cannot be opened"
        self.up = True
        self.listening = True
        if self._is_closing:
            self._hang_up()
        self._say(CLIENT_OPEN, cause)
        for position in self.reader().assignment.positions:
            if position.is_ended:
                continue
            self.ledger.wants(self.number, position.p, self.reads_with())
        self.reader().start()

    def close(self, cause: i64) -> None:
        """Stop in good order: with auto commit on, the positions are committed first."""
        assert self.state == CLIENT_OPEN, "only an open consumer can be closed"
        self._say(CLIENT_CLOSED, cause)
        self._stop_reading(False)
        reader = self.reader()
        reader.stop()
        if reader.commits.offsets_p >= 0 and self.settings.auto_commit_us > 0:
            reader.commit_positions(True)
        if self.settings.mode == SUBSCRIBED:
            reader.membership.leave()
        self._is_closing = True
        self.sim.after(CLOSE_TIMEOUT_US, CloseTimer(self))
        self.commits_changed()

    def crash(self, cause: i64) -> None:
        """The process dies, without a last commit."""
        assert self.state == CLIENT_OPEN, "only an open consumer can crash"
        self.die()
        self._is_closing = False
        self._say(CLIENT_CRASHED, cause)
        self._stop_reading(True)

    def _stop_reading(self, is_dead: bool) -> None:
        for position in self.reader().assignment.positions:
            self.ledger.unassigned(self.number, position.p)
            self.ledger.wants_no_more(self.number, position.p, is_dead)

    def reads_with(self) -> str:
        """The group that hands out the partitions; "" where the consumer reads all that it names."""
        return self.settings.group if self.settings.mode == SUBSCRIBED else ""

    def commit(self, p: i64, offset: i64) -> None:
        """Commit an offset of one partition, or (p = -1) all positions."""
        assert self.state == CLIENT_OPEN, "only an open consumer can commit"
        reader = self.reader()
        if p < 0:
            reader.commit_positions(False)
            return
        epoch = (
            reader.assignment.of(p).epoch
            if reader.assignment.has(p) and reader.assignment.of(p).offset >= offset
            else -1
        )
        reader.commits.commit([int(p)], [int(offset)], [int(epoch)], False)

    def commits_changed(self) -> None:
        """A group request ended: a closing consumer may go, after all that follows from that end."""
        if self._is_closing and self.reader().commits.is_idle() and self.reader().membership.is_idle():
            self.sim.after(0, CloseTimer(self))

    def close_ends(self) -> None:
        """Its group requests have ended, or took too long."""
        if self._is_closing:
            self._hang_up()

    def _hang_up(self) -> None:
        self._is_closing = False
        self.incarnation += 1  # no timer of this process fires any more
        for channel in self.channels:
            channel.close()

    def positions_stated(self) -> dict[int, int]:
        """The newest position that facts have stated, -1 for a partition that the group took away."""
        return {int(x.p): int(x.stated) for x in self.reader().assignment.positions if x.stated >= -1}

    def commits_stated(self) -> dict[int, int]:
        """The newest commit that a fact has stated, of each partition that has one."""
        return {int(x.p): int(x.commit_stated) for x in self.reader().assignment.positions if x.commit_stated >= 0}

    # -- what the reader reports

    def delivered(self, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        """``poll`` returned records."""
        self.delivered_count += count
        delivered(self.sim.trace, client=self.number, p=p, offset=offset, count=count, epoch=epoch)
        self.ledger.delivered(self.number, p, offset, count, epoch)

    def unserved(self, p: i64, since: i64, has_response: bool) -> None:
        """A fetch of a partition waited longer for its response than it may take."""
        self.ledger.unserved(self.number, p, since, has_response)

    def moved(self, p: i64, position: i64) -> None:
        """The position after a delivery; -1: the group took the partition away."""
        self.reader().assignment.of(p).stated = position
        consumer_moved(self.sim.trace, client=self.number, p=p, position=position)
        if position < 0:
            self.ledger.unassigned(self.number, p)

    def wants(self, p: i64) -> None:
        """A partition that is new belongs to those that it reads."""
        self.ledger.wants(self.number, p, self.reads_with())

    def wants_no_more(self, p: i64) -> None:
        """A partition that it read was deleted."""
        self.ledger.wants_no_more(self.number, p, False)

    def unassigned(self, p: i64) -> None:
        """It reads a partition no more, of which it has stated no position."""
        self.ledger.unassigned(self.number, p)

    def missed(self, p: i64, first: i64, end: i64) -> None:
        """A reset passed over the records first .. end-1."""
        self.ledger.missed(self.number, p, first, end)

    def repositioned(self, p: i64, old: i64, new: i64, why: i64) -> None:
        """The position jumped (RESET_*)."""
        self.sim.trace.state(ConsumerReset(0, client=self.number, p=p, old=old, new=new, why=why))
        self.reader().assignment.of(p).stated = new
        consumer_moved(self.sim.trace, client=self.number, p=p, position=new)
        self.ledger.position_moved(self.number, p, old, new, why)

    def threw(self, p: i64, error: i64) -> None:
        """``poll`` (or a commit) threw an exception."""
        self.sim.trace.state(ConsumerError(0, client=self.number, p=p, error=error))

    def committed(self, p: i64, offset: i64) -> None:
        """An offset was committed."""
        if self.reader().assignment.has(p):
            self.reader().assignment.of(p).commit_stated = offset
        offset_committed(self.sim.trace, client=self.number, p=p, offset=offset)

    def _say(self, state: i64, cause: i64) -> None:
        self.state = state
        self.sim.trace.state(ClientChanged(cause, client=self.number, state=state, acks=NO_ACKS, rate_milli=0))


@final
class CloseTimer(Task):
    """A closing consumer waits no longer for its group requests."""

    __slots__ = ("consumer",)

    def __init__(self, consumer: Consumer) -> None:
        super().__init__(consumer)
        self.consumer = consumer

    def run(self) -> None:
        """Hang up."""
        self.consumer.close_ends()
