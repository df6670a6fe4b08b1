"""The clients' reports to the book of a run."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.clients.network.ledger import ClientListener
from simengine.facts.errors import ERR_NONE
from simengine.facts.kinds import RESET_BY_DURATION, RESET_EARLIEST, RESET_LATEST
from simengine.verdict.deliveries import OFFSET_GONE, REMOVED, UNCOMMITTED
from simengine.verdict.outcomes import ACKED, HANDED_OVER, REFUSED, UNKNOWN
from simengine.verdict.reading import group_of

if TYPE_CHECKING:
    from simengine.verdict.book import VerdictCounters


@final
class VerdictListener(ClientListener):
    """Books calls, deliveries and positions."""

    __slots__ = ("_book",)

    def __init__(self, book: "VerdictCounters") -> None:
        self._book = book

    def called(self, client: i64, p: i64, n: i64, count: i64, acks: i64) -> None:
        cluster = self._book.cluster
        account = self._book.account(p)
        calls = account.calls_of(client)
        calls.made += count
        if cluster is not None:
            account.called(cluster.sim.now)
            calls.in_mode(acks).called(count, cluster.sim.now)
            calls.waits.called(n, count, cluster.sim.now)
            self._book.topics[account.topic].rate.called(count, cluster.sim.now)

    def resent(self, client: i64, p: i64, n: i64, count: i64, of: i64) -> None:
        account = self._book.account(p)
        account.calls_of(client).resent(n, count, of)
        self._book.topics[account.topic].rate.sent_again(count)

    def moved(self, client: i64, p: i64, to: i64, n: i64, count: i64, acks: i64) -> None:
        cluster = self._book.cluster
        assert cluster is not None, "a topic is not created again before the run begins"
        calls = self._book.account(p).calls_of(client)
        others = self._book.account(to).calls_of(client)
        calls.made -= count
        others.made += count
        calls.waits.give(n, count, others.waits)
        calls.waits.ended(n, count, cluster.sim.now, None)
        calls.in_mode(acks).ended(count, False, cluster.sim.now)
        others.in_mode(acks).called(count, cluster.sim.now)

    def settled(
        self,
        client: i64,
        p: i64,
        n: i64,
        count: i64,
        acks: i64,
        offset: i64,
        epoch: i64,
        error: i64,
        may_be_written: bool,
    ) -> None:
        account = self._book.account(p)
        totals = self._book.topics[account.topic]
        totals.written(client, acks)
        calls = account.calls_of(client)
        cluster = self._book.cluster
        if cluster is not None:
            is_acked = error == ERR_NONE and offset >= 0
            calls.waits.ended(n, count, cluster.sim.now, totals.latency if is_acked else None)
        is_lost = False
        if error == ERR_NONE and offset >= 0:
            totals.acked += count
            calls.add(n, count, ACKED, offset, epoch, acks)
            is_lost = account.acknowledged(offset, count, epoch, acks, client)
        elif error == ERR_NONE:
            totals.handed_over += count
            calls.add(n, count, HANDED_OVER, -1, -1, acks)
            if cluster is not None:
                calls.handed_over.add(n, count, cluster.sim.now)
        elif may_be_written:
            totals.unknown += count
            calls.add(n, count, UNKNOWN, -1, -1, acks)
        else:
            totals.refused += count
            calls.add(n, count, REFUSED, -1, -1, acks)
        if cluster is not None:
            mode = calls.in_mode(acks)
            mode.ended(count, error == ERR_NONE, cluster.sim.now)
            mode.responded(is_lost, cluster.sim.now)

    def abandoned(self, client: i64, p: i64, n: i64, count: i64, acks: i64, may_be_written: bool) -> None:
        account = self._book.account(p)
        totals = self._book.topics[account.topic]
        calls = account.calls_of(client)
        if self._book.cluster is not None:
            calls.waits.ended(n, count, self._book.cluster.sim.now, None)
            calls.in_mode(acks).ended(count, False, self._book.cluster.sim.now)
        if may_be_written:
            totals.unknown += count
            calls.add(n, count, UNKNOWN, -1, -1, acks)
        else:
            totals.refused += count
            calls.add(n, count, REFUSED, -1, -1, acks)

    def delivered(self, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        cluster = self._book.cluster
        if cluster is not None:
            account = self._book.account(p)
            account.reading.delivered(client, offset, count, epoch, account, cluster.sim.now)

    def unserved(self, client: i64, p: i64, since: i64, has_response: bool) -> None:
        cluster = self._book.cluster
        if cluster is not None:
            account = self._book.account(p)
            called_at = account.called_without_response(since)
            account.reading.unserved(client, since, called_at, has_response, cluster.sim.now)

    def position_moved(self, client: i64, p: i64, old: i64, new: i64, why: i64) -> None:
        if old < 0 and why == RESET_LATEST:
            self._begun_at_the_end(client, p, new)
        elif old < 0 and why in (RESET_EARLIEST, RESET_BY_DURATION):
            self._begun_again(client, p, new)
        self._positioned(client, p, new)
        if self._book.cluster is not None:
            self._book.account(p).reading.reader_of(client).reset_by = why

    def _begun_at_the_end(self, client: i64, p: i64, end: i64) -> None:
        """A group without a committed offset missed what came after its last position (CON-8, CON-10)."""
        cluster = self._book.cluster
        if cluster is not None:
            left_at = self._book.account(p).reading.left_at(client, cluster.net.clients)
            if 0 <= left_at < end:
                is_gone = self._book.is_offset_gone(group_of(cluster.net.clients, client))
                self._missed(client, p, left_at, end, OFFSET_GONE if is_gone else UNCOMMITTED)

    def _begun_again(self, client: i64, p: i64, start: i64) -> None:
        """A group without a committed offset reads again what lies below its last position (CON-8, CON-10)."""
        cluster = self._book.cluster
        if cluster is not None:
            reading = self._book.account(p).reading
            left_at = reading.left_at(client, cluster.net.clients)
            if start < left_at:
                reading.reader_of(client).again += left_at - start
                self._book.touch(p)

    def missed(self, client: i64, p: i64, start: i64, end: i64) -> None:
        if self._book.cluster is not None:
            self._missed(client, p, start, end, self._book.account(p).reading.reader_of(client).reset_by)

    def _missed(self, client: i64, p: i64, start: i64, end: i64, why: i64) -> None:
        """A reader missed ``start`` to ``end``, and what another leader wrote at offsets that it had read before."""
        account = self._book.account(p)
        reader, leader = account.reading.reader_of(client), account.serving()
        if leader is not None:
            log = account.expired_records.with_all(leader.log)
            first, removed = reader.differs_from(log, start), min(end, account.expired_records.end)
            reader.missed(first, log, removed, REMOVED)
            reader.missed(max(first, removed), log, end, why)
            self._book.touch(p)

    def wants(self, client: i64, p: i64, group: str) -> None:
        self._book.opened(client, p, group)

    def wants_no_more(self, client: i64, p: i64, is_dead: bool) -> None:
        cluster = self._book.cluster
        if cluster is not None:
            self._book.account(p).reading.closed(client, is_dead, cluster.sim.now)

    def unassigned(self, client: i64, p: i64) -> None:
        self._positioned(client, p, -1)

    def _positioned(self, client: i64, p: i64, position: i64) -> None:
        cluster = self._book.cluster
        if cluster is not None and self._book.account(p).positioned(client, position, cluster.sim.now):
            self._book.touch(p)
