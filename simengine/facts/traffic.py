"""The writers and the readers of each kind of traffic. Written by tools/facts_py.py from schema.py. Do not edit."""

from collections.abc import Sequence
from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.facts.trace import Row, Trace


def flight(trace: Trace, *, msg: i64, src: i64, dst: i64, arrive: i64, p: i64, count: i64, mark: i64) -> i64:
    """A message is on a link. Returns its number."""
    return trace.traffic(64, msg, src, dst, arrive, p, count, mark)


@mypyc_attr(acyclic=True)
@final
class Flight:
    """A message is on a link."""

    __slots__ = ("arrive", "count", "dst", "mark", "msg", "p", "seq", "src", "t")
    KIND: Final = 64

    def __init__(
        self, seq: i64, t: i64, *, msg: i64, src: i64, dst: i64, arrive: i64, p: i64, count: i64, mark: i64
    ) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.msg: i64 = msg  # MSG_*
        self.src: i64 = src  # node
        self.dst: i64 = dst  # node
        self.arrive: i64 = arrive  # us; -1: nobody can tell (the link is cut)
        self.p: i64 = p  # partition
        self.count: i64 = count  # records
        self.mark: i64 = mark  # leader epoch or ERR_*

    @staticmethod
    def read(row: Sequence[Any]) -> "Flight":
        """Of its row."""
        return Flight(
            row[0], row[1], msg=row[4], src=row[5], dst=row[6], arrive=row[7], p=row[8], count=row[9], mark=row[10]
        )

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 64, 0, self.msg, self.src, self.dst, self.arrive, self.p, self.count, self.mark]


def flight_ended(trace: Trace, *, flight: i64, how: i64, arrive: i64) -> i64:
    """A message did not arrive as announced. Returns its number."""
    return trace.traffic(65, flight, how, arrive)


@mypyc_attr(acyclic=True)
@final
class FlightEnded:
    """A message did not arrive as announced."""

    __slots__ = ("arrive", "flight", "how", "seq", "t")
    KIND: Final = 65

    def __init__(self, seq: i64, t: i64, *, flight: i64, how: i64, arrive: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.flight: i64 = flight  # number of its Flight
        self.how: i64 = how  # FLIGHT_*
        self.arrive: i64 = arrive  # us, the new arrival; -1: none

    @staticmethod
    def read(row: Sequence[Any]) -> "FlightEnded":
        """Of its row."""
        return FlightEnded(row[0], row[1], flight=row[4], how=row[5], arrive=row[6])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 65, 0, self.flight, self.how, self.arrive]


def appended(trace: Trace, *, broker: i64, p: i64, base: i64, count: i64, epoch: i64, client: i64, n: i64) -> i64:
    """Records now stand in a broker's log. Returns its number."""
    return trace.traffic(66, broker, p, base, count, epoch, client, n)


@mypyc_attr(acyclic=True)
@final
class Appended:
    """Records now stand in a broker's log."""

    __slots__ = ("base", "broker", "client", "count", "epoch", "n", "p", "seq", "t")
    KIND: Final = 66

    def __init__(
        self, seq: i64, t: i64, *, broker: i64, p: i64, base: i64, count: i64, epoch: i64, client: i64, n: i64
    ) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.base: i64 = base  # offset of the first
        self.count: i64 = count  # records
        self.epoch: i64 = epoch  # leader epoch
        self.client: i64 = client  # index
        self.n: i64 = n  # number of the first call

    @staticmethod
    def read(row: Sequence[Any]) -> "Appended":
        """Of its row."""
        return Appended(
            row[0], row[1], broker=row[4], p=row[5], base=row[6], count=row[7], epoch=row[8], client=row[9], n=row[10]
        )

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 66, 0, self.broker, self.p, self.base, self.count, self.epoch, self.client, self.n]


def hw_moved(trace: Trace, *, broker: i64, p: i64, hw: i64) -> i64:
    """A replica's high watermark has moved. Returns its number."""
    return trace.traffic(67, broker, p, hw)


@mypyc_attr(acyclic=True)
@final
class HwMoved:
    """A replica's high watermark has moved."""

    __slots__ = ("broker", "hw", "p", "seq", "t")
    KIND: Final = 67

    def __init__(self, seq: i64, t: i64, *, broker: i64, p: i64, hw: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.hw: i64 = hw  # high watermark

    @staticmethod
    def read(row: Sequence[Any]) -> "HwMoved":
        """Of its row."""
        return HwMoved(row[0], row[1], broker=row[4], p=row[5], hw=row[6])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 67, 0, self.broker, self.p, self.hw]


def calls_settled(trace: Trace, *, client: i64, p: i64, n: i64, count: i64, offset: i64, epoch: i64, error: i64) -> i64:
    """Calls of a producer have ended. Returns its number."""
    return trace.traffic(68, client, p, n, count, offset, epoch, error)


@mypyc_attr(acyclic=True)
@final
class CallsSettled:
    """Calls of a producer have ended."""

    __slots__ = ("client", "count", "epoch", "error", "n", "offset", "p", "seq", "t")
    KIND: Final = 68

    def __init__(
        self, seq: i64, t: i64, *, client: i64, p: i64, n: i64, count: i64, offset: i64, epoch: i64, error: i64
    ) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.n: i64 = n  # number of the first call
        self.count: i64 = count  # calls
        self.offset: i64 = offset  # of the first record
        self.epoch: i64 = epoch  # leader epoch
        self.error: i64 = error  # ERR_*; ERR_NONE: acknowledged

    @staticmethod
    def read(row: Sequence[Any]) -> "CallsSettled":
        """Of its row."""
        return CallsSettled(
            row[0], row[1], client=row[4], p=row[5], n=row[6], count=row[7], offset=row[8], epoch=row[9], error=row[10]
        )

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 68, 0, self.client, self.p, self.n, self.count, self.offset, self.epoch, self.error]


def consumer_moved(trace: Trace, *, client: i64, p: i64, position: i64) -> i64:
    """A consumer's position has moved. Returns its number."""
    return trace.traffic(69, client, p, position)


@mypyc_attr(acyclic=True)
@final
class ConsumerMoved:
    """A consumer's position has moved."""

    __slots__ = ("client", "p", "position", "seq", "t")
    KIND: Final = 69

    def __init__(self, seq: i64, t: i64, *, client: i64, p: i64, position: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.position: i64 = position  # offset

    @staticmethod
    def read(row: Sequence[Any]) -> "ConsumerMoved":
        """Of its row."""
        return ConsumerMoved(row[0], row[1], client=row[4], p=row[5], position=row[6])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 69, 0, self.client, self.p, self.position]


def producer_queue(trace: Trace, *, client: i64, p: i64, queued: i64, inflight: i64) -> i64:
    """A producer has other records waiting, or sent and not answered. Returns its number."""
    return trace.traffic(70, client, p, queued, inflight)


@mypyc_attr(acyclic=True)
@final
class ProducerQueue:
    """A producer has other records waiting, or sent and not answered."""

    __slots__ = ("client", "inflight", "p", "queued", "seq", "t")
    KIND: Final = 70

    def __init__(self, seq: i64, t: i64, *, client: i64, p: i64, queued: i64, inflight: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.queued: i64 = queued  # records that wait
        self.inflight: i64 = inflight  # records sent and not answered

    @staticmethod
    def read(row: Sequence[Any]) -> "ProducerQueue":
        """Of its row."""
        return ProducerQueue(row[0], row[1], client=row[4], p=row[5], queued=row[6], inflight=row[7])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 70, 0, self.client, self.p, self.queued, self.inflight]


def heartbeat_noted(trace: Trace, *, broker: i64, be: i64) -> i64:
    """The active controller has noted a heartbeat. Returns its number."""
    return trace.traffic(71, broker, be)


@mypyc_attr(acyclic=True)
@final
class HeartbeatNoted:
    """The active controller has noted a heartbeat."""

    __slots__ = ("be", "broker", "seq", "t")
    KIND: Final = 71

    def __init__(self, seq: i64, t: i64, *, broker: i64, be: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.broker: i64 = broker  # broker
        self.be: i64 = be  # broker epoch

    @staticmethod
    def read(row: Sequence[Any]) -> "HeartbeatNoted":
        """Of its row."""
        return HeartbeatNoted(row[0], row[1], broker=row[4], be=row[5])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 71, 0, self.broker, self.be]


def start_moved(trace: Trace, *, broker: i64, p: i64, start: i64) -> i64:
    """A replica's log begins later. Returns its number."""
    return trace.traffic(72, broker, p, start)


@mypyc_attr(acyclic=True)
@final
class StartMoved:
    """A replica's log begins later."""

    __slots__ = ("broker", "p", "seq", "start", "t")
    KIND: Final = 72

    def __init__(self, seq: i64, t: i64, *, broker: i64, p: i64, start: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.start: i64 = start  # log start offset

    @staticmethod
    def read(row: Sequence[Any]) -> "StartMoved":
        """Of its row."""
        return StartMoved(row[0], row[1], broker=row[4], p=row[5], start=row[6])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 72, 0, self.broker, self.p, self.start]


def metadata_moved(trace: Trace, *, offset: i64, cluster: i64) -> i64:
    """The committed metadata log of a cluster has grown. Returns its number."""
    return trace.traffic(73, offset, cluster)


@mypyc_attr(acyclic=True)
@final
class MetadataMoved:
    """The committed metadata log of a cluster has grown."""

    __slots__ = ("cluster", "offset", "seq", "t")
    KIND: Final = 73

    def __init__(self, seq: i64, t: i64, *, offset: i64, cluster: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.offset: i64 = offset  # its end
        self.cluster: i64 = cluster  # index

    @staticmethod
    def read(row: Sequence[Any]) -> "MetadataMoved":
        """Of its row."""
        return MetadataMoved(row[0], row[1], offset=row[4], cluster=row[5])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 73, 0, self.offset, self.cluster]


def offset_committed(trace: Trace, *, client: i64, p: i64, offset: i64) -> i64:
    """A consumer has committed its position. Returns its number."""
    return trace.traffic(74, client, p, offset)


@mypyc_attr(acyclic=True)
@final
class OffsetCommitted:
    """A consumer has committed its position."""

    __slots__ = ("client", "offset", "p", "seq", "t")
    KIND: Final = 74

    def __init__(self, seq: i64, t: i64, *, client: i64, p: i64, offset: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.offset: i64 = offset  # offset

    @staticmethod
    def read(row: Sequence[Any]) -> "OffsetCommitted":
        """Of its row."""
        return OffsetCommitted(row[0], row[1], client=row[4], p=row[5], offset=row[6])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 74, 0, self.client, self.p, self.offset]


def delivered(trace: Trace, *, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> i64:
    """Records were handed to the application. Returns its number."""
    return trace.traffic(75, client, p, offset, count, epoch)


@mypyc_attr(acyclic=True)
@final
class Delivered:
    """Records were handed to the application."""

    __slots__ = ("client", "count", "epoch", "offset", "p", "seq", "t")
    KIND: Final = 75

    def __init__(self, seq: i64, t: i64, *, client: i64, p: i64, offset: i64, count: i64, epoch: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.offset: i64 = offset  # of the first
        self.count: i64 = count  # records
        self.epoch: i64 = epoch  # leader epoch

    @staticmethod
    def read(row: Sequence[Any]) -> "Delivered":
        """Of its row."""
        return Delivered(row[0], row[1], client=row[4], p=row[5], offset=row[6], count=row[7], epoch=row[8])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 75, 0, self.client, self.p, self.offset, self.count, self.epoch]


def calls_made(trace: Trace, *, client: i64, p: i64, n: i64, count: i64) -> i64:
    """The application has called send(); the calls of a producer to a partition are numbered from 0. Returns its number."""
    return trace.traffic(76, client, p, n, count)


@mypyc_attr(acyclic=True)
@final
class CallsMade:
    """The application has called send(); the calls of a producer to a partition are numbered from 0."""

    __slots__ = ("client", "count", "n", "p", "seq", "t")
    KIND: Final = 76

    def __init__(self, seq: i64, t: i64, *, client: i64, p: i64, n: i64, count: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.n: i64 = n  # number of the first call
        self.count: i64 = count  # calls

    @staticmethod
    def read(row: Sequence[Any]) -> "CallsMade":
        """Of its row."""
        return CallsMade(row[0], row[1], client=row[4], p=row[5], n=row[6], count=row[7])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 76, 0, self.client, self.p, self.n, self.count]


def epoch_cached(trace: Trace, *, broker: i64, p: i64, epoch: i64, start: i64) -> i64:
    """Recovery has found records of an epoch that the copy's cache did not have. Returns its number."""
    return trace.traffic(77, broker, p, epoch, start)


@mypyc_attr(acyclic=True)
@final
class EpochCached:
    """Recovery has found records of an epoch that the copy's cache did not have."""

    __slots__ = ("broker", "epoch", "p", "seq", "start", "t")
    KIND: Final = 77

    def __init__(self, seq: i64, t: i64, *, broker: i64, p: i64, epoch: i64, start: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.epoch: i64 = epoch  # leader epoch
        self.start: i64 = start  # first offset of the epoch

    @staticmethod
    def read(row: Sequence[Any]) -> "EpochCached":
        """Of its row."""
        return EpochCached(row[0], row[1], broker=row[4], p=row[5], epoch=row[6], start=row[7])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 77, 0, self.broker, self.p, self.epoch, self.start]


def epochs_dropped(trace: Trace, *, broker: i64, p: i64, end: i64) -> i64:
    """The copy has kept all records, and its cache has dropped epochs that begin at its log end or above (LOG-5). Returns its number."""
    return trace.traffic(79, broker, p, end)


@mypyc_attr(acyclic=True)
@final
class EpochsDropped:
    """The copy has kept all records, and its cache has dropped epochs that begin at its log end or above (LOG-5)."""

    __slots__ = ("broker", "end", "p", "seq", "t")
    KIND: Final = 79

    def __init__(self, seq: i64, t: i64, *, broker: i64, p: i64, end: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.end: i64 = end  # log end offset

    @staticmethod
    def read(row: Sequence[Any]) -> "EpochsDropped":
        """Of its row."""
        return EpochsDropped(row[0], row[1], broker=row[4], p=row[5], end=row[6])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 79, 0, self.broker, self.p, self.end]


def calls_resent(trace: Trace, *, client: i64, p: i64, n: i64, count: i64, of: i64) -> i64:
    """Calls just made send the records of earlier calls again. Returns its number."""
    return trace.traffic(78, client, p, n, count, of)


@mypyc_attr(acyclic=True)
@final
class CallsResent:
    """Calls just made send the records of earlier calls again."""

    __slots__ = ("client", "count", "n", "of", "p", "seq", "t")
    KIND: Final = 78

    def __init__(self, seq: i64, t: i64, *, client: i64, p: i64, n: i64, count: i64, of: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.n: i64 = n  # number of the first call
        self.count: i64 = count  # calls
        self.of: i64 = of  # number of the first earlier call

    @staticmethod
    def read(row: Sequence[Any]) -> "CallsResent":
        """Of its row."""
        return CallsResent(row[0], row[1], client=row[4], p=row[5], n=row[6], count=row[7], of=row[8])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 78, 0, self.client, self.p, self.n, self.count, self.of]


def calls_moved(trace: Trace, *, client: i64, p: i64, n: i64, count: i64, to: i64) -> i64:
    """Calls of a producer will go to another partition: the topic was created again. Returns its number."""
    return trace.traffic(80, client, p, n, count, to)


@mypyc_attr(acyclic=True)
@final
class CallsMoved:
    """Calls of a producer will go to another partition: the topic was created again."""

    __slots__ = ("client", "count", "n", "p", "seq", "t", "to")
    KIND: Final = 80

    def __init__(self, seq: i64, t: i64, *, client: i64, p: i64, n: i64, count: i64, to: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.client: i64 = client  # index
        self.p: i64 = p  # partition they were made to
        self.n: i64 = n  # number of the first call
        self.count: i64 = count  # calls
        self.to: i64 = to  # partition they go to

    @staticmethod
    def read(row: Sequence[Any]) -> "CallsMoved":
        """Of its row."""
        return CallsMoved(row[0], row[1], client=row[4], p=row[5], n=row[6], count=row[7], to=row[8])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 80, 0, self.client, self.p, self.n, self.count, self.to]


def records_copied(trace: Trace, *, flow: i64, p: i64, upstream: i64, remote: i64, downstream: i64, count: i64) -> i64:
    """The target has acknowledged copies of records. Returns its number."""
    return trace.traffic(81, flow, p, upstream, remote, downstream, count)


@mypyc_attr(acyclic=True)
@final
class RecordsCopied:
    """The target has acknowledged copies of records."""

    __slots__ = ("count", "downstream", "flow", "p", "remote", "seq", "t", "upstream")
    KIND: Final = 81

    def __init__(
        self, seq: i64, t: i64, *, flow: i64, p: i64, upstream: i64, remote: i64, downstream: i64, count: i64
    ) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.flow: i64 = flow  # index
        self.p: i64 = p  # partition of the source
        self.upstream: i64 = upstream  # offset of the first in the source
        self.remote: i64 = remote  # partition on the target
        self.downstream: i64 = downstream  # offset of the first on the target
        self.count: i64 = count  # records

    @staticmethod
    def read(row: Sequence[Any]) -> "RecordsCopied":
        """Of its row."""
        return RecordsCopied(
            row[0], row[1], flow=row[4], p=row[5], upstream=row[6], remote=row[7], downstream=row[8], count=row[9]
        )

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 81, 0, self.flow, self.p, self.upstream, self.remote, self.downstream, self.count]


def offset_synced(trace: Trace, *, flow: i64, p: i64, upstream: i64, downstream: i64) -> i64:
    """An offset sync is written. Returns its number."""
    return trace.traffic(82, flow, p, upstream, downstream)


@mypyc_attr(acyclic=True)
@final
class OffsetSynced:
    """An offset sync is written."""

    __slots__ = ("downstream", "flow", "p", "seq", "t", "upstream")
    KIND: Final = 82

    def __init__(self, seq: i64, t: i64, *, flow: i64, p: i64, upstream: i64, downstream: i64) -> None:
        self.seq: i64 = seq
        self.t: i64 = t  # us
        self.flow: i64 = flow  # index
        self.p: i64 = p  # partition of the source
        self.upstream: i64 = upstream  # offset in the source
        self.downstream: i64 = downstream  # offset on the target

    @staticmethod
    def read(row: Sequence[Any]) -> "OffsetSynced":
        """Of its row."""
        return OffsetSynced(row[0], row[1], flow=row[4], p=row[5], upstream=row[6], downstream=row[7])

    def row(self) -> Row:
        """[seq, t_us, kind, 0, field, field, ...]."""
        return [self.seq, self.t, 82, 0, self.flow, self.p, self.upstream, self.downstream]
