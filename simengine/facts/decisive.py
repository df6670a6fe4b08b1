"""A class for each kind of decisive fact. Written by tools/facts_py.py from schema.py. Do not edit."""

from collections.abc import Sequence
from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.facts.trace import Decisive


@mypyc_attr(acyclic=True)
@final
class ActionDone(Decisive):
    """An action was carried out."""

    __slots__ = ("args", "index", "verb")
    KIND: Final = 1

    def __init__(self, cause: i64, *, index: i64, verb: str, args: list[str]) -> None:
        super().__init__(1, cause)
        self.index: i64 = index  # position in the timeline
        self.verb: str = verb  # of the action
        self.args: list[str] = args  # of the action, as written

    @property
    def values(self) -> list[int]:
        return [self.index]

    @property
    def text(self) -> str:
        return " ".join([self.verb, *self.args])

    @property
    def words(self) -> str:
        return self.text

    @staticmethod
    def read(row: Sequence[Any]) -> "ActionDone":
        """Of its row."""
        fact = ActionDone(row[3], index=row[4], verb=row[5].split(" ")[0], args=row[5].split(" ")[1:])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ProcessChanged(Decisive):
    """A process of a broker or controller has another state."""

    __slots__ = ("left", "node", "state")
    KIND: Final = 2

    def __init__(self, cause: i64, *, node: i64, state: i64, left: i64) -> None:
        super().__init__(2, cause)
        self.node: i64 = node  # broker or controller
        self.state: i64 = state  # PROCESS_*
        self.left: i64 = left  # 1: it is down by the end of its own controlled shutdown

    @property
    def values(self) -> list[int]:
        return [self.node, self.state, self.left]

    @staticmethod
    def read(row: Sequence[Any]) -> "ProcessChanged":
        """Of its row."""
        fact = ProcessChanged(row[3], node=row[4], state=row[5], left=row[6])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class BrokerRegistration(Decisive):
    """The controller has committed a broker's registration."""

    __slots__ = ("be", "broker", "state")
    KIND: Final = 3

    def __init__(self, cause: i64, *, broker: i64, be: i64, state: i64) -> None:
        super().__init__(3, cause)
        self.broker: i64 = broker  # broker
        self.be: i64 = be  # broker epoch
        self.state: i64 = state  # REG_*

    @property
    def values(self) -> list[int]:
        return [self.broker, self.be, self.state]

    @staticmethod
    def read(row: Sequence[Any]) -> "BrokerRegistration":
        """Of its row."""
        fact = BrokerRegistration(row[3], broker=row[4], be=row[5], state=row[6])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ControllerChanged(Decisive):
    """Another controller is active, or none."""

    __slots__ = ("controller", "epoch")
    KIND: Final = 4

    def __init__(self, cause: i64, *, controller: i64, epoch: i64) -> None:
        super().__init__(4, cause)
        self.controller: i64 = controller  # the active one; if there is none, -1 - index of the cluster
        self.epoch: i64 = epoch  # controller epoch

    @property
    def values(self) -> list[int]:
        return [self.controller, self.epoch]

    @staticmethod
    def read(row: Sequence[Any]) -> "ControllerChanged":
        """Of its row."""
        fact = ControllerChanged(row[3], controller=row[4], epoch=row[5])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class PartitionChanged(Decisive):
    """The controller has committed a partition's registration: the whole record."""

    __slots__ = (
        "adding",
        "election",
        "elr",
        "epoch",
        "isr",
        "last_known",
        "leader",
        "p",
        "pe",
        "reason",
        "removing",
        "replicas",
    )
    KIND: Final = 5

    def __init__(
        self,
        cause: i64,
        *,
        p: i64,
        leader: i64,
        epoch: i64,
        pe: i64,
        reason: i64,
        election: i64,
        replicas: list[int],
        isr: list[int],
        elr: list[int],
        last_known: list[int],
        adding: list[int],
        removing: list[int],
    ) -> None:
        super().__init__(5, cause)
        self.p: i64 = p  # partition
        self.leader: i64 = leader  # broker; -1: none
        self.epoch: i64 = epoch  # leader epoch
        self.pe: i64 = pe  # partition epoch
        self.reason: i64 = reason  # REASON_*
        self.election: i64 = election  # ELECTION_*
        self.replicas: list[int] = replicas  # brokers
        self.isr: list[int] = isr  # brokers
        self.elr: list[int] = elr  # brokers
        self.last_known: list[int] = last_known  # the last known leader
        self.adding: list[int] = adding  # brokers
        self.removing: list[int] = removing  # brokers

    @property
    def values(self) -> list[int]:
        return [self.p, self.leader, self.epoch, self.pe, self.reason, self.election]

    @property
    def lists(self) -> list[list[int]]:
        return [self.replicas, self.isr, self.elr, self.last_known, self.adding, self.removing]

    @staticmethod
    def read(row: Sequence[Any]) -> "PartitionChanged":
        """Of its row."""
        fact = PartitionChanged(
            row[3],
            p=row[4],
            leader=row[5],
            epoch=row[6],
            pe=row[7],
            reason=row[8],
            election=row[9],
            replicas=row[10],
            isr=row[11],
            elr=row[12],
            last_known=row[13],
            adding=row[14],
            removing=row[15],
        )
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class LeaderActivated(Decisive):
    """A broker acts as leader."""

    __slots__ = ("broker", "epoch", "hw", "isr", "leo", "p", "pe", "start")
    KIND: Final = 6

    def __init__(
        self, cause: i64, *, broker: i64, p: i64, epoch: i64, pe: i64, start: i64, hw: i64, leo: i64, isr: list[int]
    ) -> None:
        super().__init__(6, cause)
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.epoch: i64 = epoch  # leader epoch
        self.pe: i64 = pe  # partition epoch
        self.start: i64 = start  # first offset of the epoch
        self.hw: i64 = hw  # high watermark
        self.leo: i64 = leo  # log end offset
        self.isr: list[int] = isr  # brokers

    @property
    def values(self) -> list[int]:
        return [self.broker, self.p, self.epoch, self.pe, self.start, self.hw, self.leo]

    @property
    def lists(self) -> list[list[int]]:
        return [self.isr]

    @staticmethod
    def read(row: Sequence[Any]) -> "LeaderActivated":
        """Of its row."""
        fact = LeaderActivated(
            row[3], broker=row[4], p=row[5], epoch=row[6], pe=row[7], start=row[8], hw=row[9], leo=row[10], isr=row[11]
        )
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class FollowerStarted(Decisive):
    """A broker follows a leader, or nobody."""

    __slots__ = ("broker", "epoch", "hw", "leader", "leo", "p")
    KIND: Final = 7

    def __init__(self, cause: i64, *, broker: i64, p: i64, epoch: i64, leader: i64, hw: i64, leo: i64) -> None:
        super().__init__(7, cause)
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.epoch: i64 = epoch  # leader epoch
        self.leader: i64 = leader  # broker; -1: nobody
        self.hw: i64 = hw  # high watermark
        self.leo: i64 = leo  # log end offset

    @property
    def values(self) -> list[int]:
        return [self.broker, self.p, self.epoch, self.leader, self.hw, self.leo]

    @staticmethod
    def read(row: Sequence[Any]) -> "FollowerStarted":
        """Of its row."""
        fact = FollowerStarted(row[3], broker=row[4], p=row[5], epoch=row[6], leader=row[7], hw=row[8], leo=row[9])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class IsrProposed(Decisive):
    """A leader has sent AlterPartition."""

    __slots__ = ("broker", "epoch", "isr", "maximal", "p", "pe")
    KIND: Final = 8

    def __init__(
        self, cause: i64, *, broker: i64, p: i64, epoch: i64, pe: i64, isr: list[int], maximal: list[int]
    ) -> None:
        super().__init__(8, cause)
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.epoch: i64 = epoch  # leader epoch
        self.pe: i64 = pe  # partition epoch
        self.isr: list[int] = isr  # brokers, as proposed
        self.maximal: list[int] = maximal  # brokers that must have a record meanwhile

    @property
    def values(self) -> list[int]:
        return [self.broker, self.p, self.epoch, self.pe]

    @property
    def lists(self) -> list[list[int]]:
        return [self.isr, self.maximal]

    @staticmethod
    def read(row: Sequence[Any]) -> "IsrProposed":
        """Of its row."""
        fact = IsrProposed(row[3], broker=row[4], p=row[5], epoch=row[6], pe=row[7], isr=row[8], maximal=row[9])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class IsrAdopted(Decisive):
    """A leader goes by another committed ISR."""

    __slots__ = ("broker", "epoch", "isr", "p", "pe")
    KIND: Final = 9

    def __init__(self, cause: i64, *, broker: i64, p: i64, epoch: i64, pe: i64, isr: list[int]) -> None:
        super().__init__(9, cause)
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.epoch: i64 = epoch  # leader epoch
        self.pe: i64 = pe  # partition epoch
        self.isr: list[int] = isr  # brokers

    @property
    def values(self) -> list[int]:
        return [self.broker, self.p, self.epoch, self.pe]

    @property
    def lists(self) -> list[list[int]]:
        return [self.isr]

    @staticmethod
    def read(row: Sequence[Any]) -> "IsrAdopted":
        """Of its row."""
        fact = IsrAdopted(row[3], broker=row[4], p=row[5], epoch=row[6], pe=row[7], isr=row[8])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class IsrRefused(Decisive):
    """The controller has answered AlterPartition with an error."""

    __slots__ = ("broker", "error", "isr", "p")
    KIND: Final = 10

    def __init__(self, cause: i64, *, broker: i64, p: i64, error: i64, isr: list[int]) -> None:
        super().__init__(10, cause)
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.error: i64 = error  # ERR_*
        self.isr: list[int] = isr  # brokers, as proposed

    @property
    def values(self) -> list[int]:
        return [self.broker, self.p, self.error]

    @property
    def lists(self) -> list[list[int]]:
        return [self.isr]

    @staticmethod
    def read(row: Sequence[Any]) -> "IsrRefused":
        """Of its row."""
        fact = IsrRefused(row[3], broker=row[4], p=row[5], error=row[6], isr=row[7])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class Truncated(Decisive):
    """A replica has cut its log."""

    __slots__ = ("broker", "hw", "new", "old", "p")
    KIND: Final = 11

    def __init__(self, cause: i64, *, broker: i64, p: i64, old: i64, new: i64, hw: i64) -> None:
        super().__init__(11, cause)
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.old: i64 = old  # log end offset before
        self.new: i64 = new  # log end offset after
        self.hw: i64 = hw  # high watermark after

    @property
    def values(self) -> list[int]:
        return [self.broker, self.p, self.old, self.new, self.hw]

    @staticmethod
    def read(row: Sequence[Any]) -> "Truncated":
        """Of its row."""
        fact = Truncated(row[3], broker=row[4], p=row[5], old=row[6], new=row[7], hw=row[8])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class LinkChanged(Decisive):
    """One direction of a link is cut, slow, or as it was."""

    __slots__ = ("cut", "dst", "slow_us", "src")
    KIND: Final = 12

    def __init__(self, cause: i64, *, src: i64, dst: i64, cut: i64, slow_us: i64) -> None:
        super().__init__(12, cause)
        self.src: i64 = src  # node
        self.dst: i64 = dst  # node
        self.cut: i64 = cut  # 0 or 1
        self.slow_us: i64 = slow_us  # added latency, us

    @property
    def values(self) -> list[int]:
        return [self.src, self.dst, self.cut, self.slow_us]

    @staticmethod
    def read(row: Sequence[Any]) -> "LinkChanged":
        """Of its row."""
        fact = LinkChanged(row[3], src=row[4], dst=row[5], cut=row[6], slow_us=row[7])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ConfigChanged(Decisive):
    """A setting has another value."""

    __slots__ = ("text", "topic")
    KIND: Final = 13

    def __init__(self, cause: i64, *, topic: i64, text: str) -> None:
        super().__init__(13, cause)
        self.topic: i64 = topic  # index of a topic; -2 - number: of one broker; -1 - 2**40 * index: of a whole cluster
        self.text: str = text  # key=value

    @property
    def values(self) -> list[int]:
        return [self.topic]

    @property
    def words(self) -> str:
        return self.text

    @staticmethod
    def read(row: Sequence[Any]) -> "ConfigChanged":
        """Of its row."""
        fact = ConfigChanged(row[3], topic=row[4], text=row[5] if len(row) > 5 else "")
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ClientChanged(Decisive):
    """A client has another state, or a producer other settings."""

    __slots__ = ("acks", "client", "rate_milli", "state")
    KIND: Final = 14

    def __init__(self, cause: i64, *, client: i64, state: i64, acks: i64, rate_milli: i64) -> None:
        super().__init__(14, cause)
        self.client: i64 = client  # index
        self.state: i64 = state  # CLIENT_*
        self.acks: i64 = acks  # 0, 1, -1: all
        self.rate_milli: i64 = rate_milli  # records per 1000 s

    @property
    def values(self) -> list[int]:
        return [self.client, self.state, self.acks, self.rate_milli]

    @staticmethod
    def read(row: Sequence[Any]) -> "ClientChanged":
        """Of its row."""
        fact = ClientChanged(row[3], client=row[4], state=row[5], acks=row[6], rate_milli=row[7])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ReplicaGone(Decisive):
    """A broker no longer hosts a partition."""

    __slots__ = ("broker", "p")
    KIND: Final = 15

    def __init__(self, cause: i64, *, broker: i64, p: i64) -> None:
        super().__init__(15, cause)
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition

    @property
    def values(self) -> list[int]:
        return [self.broker, self.p]

    @staticmethod
    def read(row: Sequence[Any]) -> "ReplicaGone":
        """Of its row."""
        fact = ReplicaGone(row[3], broker=row[4], p=row[5])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class RecordsLost(Decisive):
    """The log no longer has records that were acknowledged."""

    __slots__ = ("acks", "base", "client", "count", "epoch", "p")
    KIND: Final = 16

    def __init__(self, cause: i64, *, p: i64, base: i64, count: i64, epoch: i64, acks: i64, client: i64) -> None:
        super().__init__(16, cause)
        self.p: i64 = p  # partition
        self.base: i64 = base  # offset of the first
        self.count: i64 = count  # records
        self.epoch: i64 = epoch  # leader epoch
        self.acks: i64 = acks  # mode in which they were acknowledged
        self.client: i64 = client  # index

    @property
    def values(self) -> list[int]:
        return [self.p, self.base, self.count, self.epoch, self.acks, self.client]

    @staticmethod
    def read(row: Sequence[Any]) -> "RecordsLost":
        """Of its row."""
        fact = RecordsLost(row[3], p=row[4], base=row[5], count=row[6], epoch=row[7], acks=row[8], client=row[9])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class RecordsBack(Decisive):
    """The leader's log has records again that were counted lost."""

    __slots__ = ("acks", "base", "client", "count", "epoch", "p")
    KIND: Final = 17

    def __init__(self, cause: i64, *, p: i64, base: i64, count: i64, epoch: i64, acks: i64, client: i64) -> None:
        super().__init__(17, cause)
        self.p: i64 = p  # partition
        self.base: i64 = base  # offset of the first
        self.count: i64 = count  # records
        self.epoch: i64 = epoch  # leader epoch
        self.acks: i64 = acks  # mode in which they were acknowledged
        self.client: i64 = client  # index

    @property
    def values(self) -> list[int]:
        return [self.p, self.base, self.count, self.epoch, self.acks, self.client]

    @staticmethod
    def read(row: Sequence[Any]) -> "RecordsBack":
        """Of its row."""
        fact = RecordsBack(row[3], p=row[4], base=row[5], count=row[6], epoch=row[7], acks=row[8], client=row[9])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class DuplicateWritten(Decisive):
    """Records of a call stand in the leader's log a second time."""

    __slots__ = ("base", "client", "count", "epoch", "p")
    KIND: Final = 18

    def __init__(self, cause: i64, *, p: i64, base: i64, count: i64, epoch: i64, client: i64) -> None:
        super().__init__(18, cause)
        self.p: i64 = p  # partition
        self.base: i64 = base  # offset of the first
        self.count: i64 = count  # records
        self.epoch: i64 = epoch  # leader epoch
        self.client: i64 = client  # index

    @property
    def values(self) -> list[int]:
        return [self.p, self.base, self.count, self.epoch, self.client]

    @staticmethod
    def read(row: Sequence[Any]) -> "DuplicateWritten":
        """Of its row."""
        fact = DuplicateWritten(row[3], p=row[4], base=row[5], count=row[6], epoch=row[7], client=row[8])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class VerdictChanged(Decisive):
    """The figures of a topic so far."""

    __slots__ = (
        "acked",
        "acks",
        "before",
        "by_application",
        "client_p",
        "client_waits_us",
        "coordinators",
        "deciding",
        "deciding_lost",
        "down_1_p",
        "down_all_p",
        "duplicated",
        "emptied",
        "groups_down",
        "groups_down_us",
        "groups_lost",
        "handed_over",
        "held_back",
        "hidden",
        "longest_read_us",
        "longest_wait_us",
        "lost",
        "lost_again",
        "lost_before",
        "lost_traffic_us",
        "read_down_client_us",
        "read_down_us",
        "read_p",
        "read_same_us",
        "read_waits_us",
        "reader_p",
        "recovered",
        "refused",
        "sentence",
        "severity",
        "silent_us",
        "stop_since_us",
        "stopped_1",
        "stopped_all",
        "topic",
        "unknown",
        "unled",
        "unreadable",
        "vain_us",
        "vanished",
        "waiting",
        "waiting_1",
        "waits_1_us",
        "waits_all_us",
        "write_down_1_us",
        "write_down_all_us",
        "write_down_client_us",
        "write_same_us",
    )
    KIND: Final = 19

    def __init__(
        self,
        cause: i64,
        *,
        topic: i64,
        acked: i64,
        lost: i64,
        duplicated: i64,
        hidden: i64,
        refused: i64,
        unknown: i64,
        write_down_all_us: i64,
        write_down_1_us: i64,
        read_down_us: i64,
        deciding: i64,
        lost_traffic_us: i64,
        held_back: i64,
        stopped_all: i64,
        stopped_1: i64,
        handed_over: i64,
        vanished: i64,
        by_application: i64,
        recovered: i64,
        lost_again: i64,
        down_all_p: i64,
        down_1_p: i64,
        read_p: i64,
        acks: i64,
        deciding_lost: i64,
        waits_all_us: i64,
        waits_1_us: i64,
        write_down_client_us: i64,
        read_down_client_us: i64,
        write_same_us: i64,
        read_same_us: i64,
        vain_us: i64,
        waiting: i64,
        waiting_1: i64,
        silent_us: i64,
        stop_since_us: i64,
        client_p: i64,
        reader_p: i64,
        client_waits_us: i64,
        read_waits_us: i64,
        longest_wait_us: i64,
        longest_read_us: i64,
        before: i64,
        lost_before: i64,
        emptied: i64,
        unreadable: i64,
        unled: i64,
        groups_down_us: i64,
        groups_down: i64,
        coordinators: i64,
        groups_lost: i64,
        severity: i64,
        sentence: str,
    ) -> None:
        super().__init__(19, cause)
        self.topic: i64 = topic  # index
        self.acked: i64 = acked  # records acknowledged
        self.lost: i64 = lost  # records, acknowledged and gone
        self.duplicated: i64 = duplicated  # records that stand more than once
        self.hidden: i64 = (
            hidden  # records that a consumer has passed over and can never read, or that are not readable again
        )
        self.refused: i64 = refused  # records whose calls failed
        self.unknown: i64 = unknown  # records whose calls failed, and that may stand in the log
        self.write_down_all_us: i64 = write_down_all_us  # us, in which acks=all could not be written
        self.write_down_1_us: i64 = write_down_1_us  # us, in which acks=1 could not be written
        self.read_down_us: i64 = read_down_us  # us, in which nothing could be read
        self.deciding: i64 = deciding  # number of the fact that the gravest figure goes back to; 0: none
        self.lost_traffic_us: i64 = lost_traffic_us  # us, in which the topic makes as many calls as were lost
        self.held_back: i64 = held_back  # calls made while their producer had no response
        self.stopped_all: i64 = stopped_all  # partitions that cannot be written now with acks=all
        self.stopped_1: i64 = stopped_1  # partitions that cannot be written now with acks=1
        self.handed_over: i64 = handed_over  # calls made with acks=0
        self.vanished: i64 = vanished  # of those handed over, the ones that the leader has not
        self.by_application: i64 = (
            by_application  # records that stand more than once because the application sent them again
        )
        self.recovered: i64 = (
            recovered  # of what was lost, records that are there again since the application sent them again
        )
        self.lost_again: i64 = lost_again  # lost calls beyond the first of their record
        self.down_all_p: i64 = down_all_p  # partition that write_down_all_us is of; -1: none
        self.down_1_p: i64 = down_1_p  # partition that write_down_1_us is of; -1: none
        self.read_p: i64 = read_p  # partition that read_down_us is of; -1: none
        self.acks: i64 = acks  # strictest mode in which a producer had its newest response: as the topic is written
        self.deciding_lost: i64 = (
            deciding_lost  # lost records that go back to the deciding fact, the gravest of their causes; or 0
        )
        self.waits_all_us: i64 = (
            waits_all_us  # us, for which the longest stop of acks=all that goes on has lasted; or 0
        )
        self.waits_1_us: i64 = waits_1_us  # us, for which the longest stop of acks=1 that goes on has lasted; or 0
        self.write_down_client_us: i64 = write_down_client_us  # us, for which a producer had no response
        self.read_down_client_us: i64 = read_down_client_us  # us, for which a consumer had no records
        self.write_same_us: i64 = (
            write_same_us  # us of write_down_client_us, for which the servers were out for calls of that mode
        )
        self.read_same_us: i64 = read_same_us  # us of read_down_client_us, for which the servers were out for readers
        self.vain_us: i64 = (
            vain_us  # us, the longest in which every response to a producer was of a record that was lost already
        )
        self.waiting: i64 = waiting  # partitions in which calls wait now because of the servers
        self.waiting_1: i64 = waiting_1  # of them those without a leader
        self.silent_us: i64 = (
            silent_us  # us, for which the producers of such a partition have had no response now; 0 up to theta
        )
        self.stop_since_us: i64 = stop_since_us  # us, when the longest stop of a producer or a reader began; -1: none
        self.client_p: i64 = client_p  # partition that write_down_client_us is of; -1: none
        self.reader_p: i64 = reader_p  # partition that read_down_client_us is of; -1: none
        self.client_waits_us: i64 = client_waits_us  # us, for which a call has waited now; 0 up to theta
        self.read_waits_us: i64 = read_waits_us  # us, for which a consumer has had nothing now; 0 up to theta
        self.longest_wait_us: i64 = longest_wait_us  # us, the longest that one call waited for its end
        self.longest_read_us: i64 = (
            longest_read_us  # us, the longest from the append of a record to its delivery; 0 up to theta
        )
        self.before: i64 = before  # records that stood in the log that counts before the run
        self.lost_before: i64 = lost_before  # of those before, the ones that are gone
        self.emptied: i64 = emptied  # partitions of which everything was lost that stood there at some time
        self.unreadable: i64 = unreadable  # acknowledged records that nobody can read now: those hidden, or all where nobody serves readers
        self.unled: i64 = unled  # partitions without a leader, in whose ISR and ELR nobody is
        self.groups_down_us: i64 = (
            groups_down_us  # us, of __consumer_offsets: the longest time in which groups could neither join nor commit
        )
        self.groups_down: i64 = groups_down  # partitions of __consumer_offsets of which that is so now
        self.coordinators: i64 = coordinators  # partitions of __consumer_offsets
        self.groups_lost: i64 = groups_lost  # groups whose committed offsets are gone
        self.severity: i64 = severity  # SEVERITY_*
        self.sentence: str = sentence  # what they come to

    @property
    def values(self) -> list[int]:
        return [
            self.topic,
            self.acked,
            self.lost,
            self.duplicated,
            self.hidden,
            self.refused,
            self.unknown,
            self.write_down_all_us,
            self.write_down_1_us,
            self.read_down_us,
            self.deciding,
            self.lost_traffic_us,
            self.held_back,
            self.stopped_all,
            self.stopped_1,
            self.handed_over,
            self.vanished,
            self.by_application,
            self.recovered,
            self.lost_again,
            self.down_all_p,
            self.down_1_p,
            self.read_p,
            self.acks,
            self.deciding_lost,
            self.waits_all_us,
            self.waits_1_us,
            self.write_down_client_us,
            self.read_down_client_us,
            self.write_same_us,
            self.read_same_us,
            self.vain_us,
            self.waiting,
            self.waiting_1,
            self.silent_us,
            self.stop_since_us,
            self.client_p,
            self.reader_p,
            self.client_waits_us,
            self.read_waits_us,
            self.longest_wait_us,
            self.longest_read_us,
            self.before,
            self.lost_before,
            self.emptied,
            self.unreadable,
            self.unled,
            self.groups_down_us,
            self.groups_down,
            self.coordinators,
            self.groups_lost,
            self.severity,
        ]

    @property
    def words(self) -> str:
        return self.sentence

    @staticmethod
    def read(row: Sequence[Any]) -> "VerdictChanged":
        """Of its row."""
        fact = VerdictChanged(
            row[3],
            topic=row[4],
            acked=row[5],
            lost=row[6],
            duplicated=row[7],
            hidden=row[8],
            refused=row[9],
            unknown=row[10],
            write_down_all_us=row[11],
            write_down_1_us=row[12],
            read_down_us=row[13],
            deciding=row[14],
            lost_traffic_us=row[15],
            held_back=row[16],
            stopped_all=row[17],
            stopped_1=row[18],
            handed_over=row[19],
            vanished=row[20],
            by_application=row[21],
            recovered=row[22],
            lost_again=row[23],
            down_all_p=row[24],
            down_1_p=row[25],
            read_p=row[26],
            acks=row[27],
            deciding_lost=row[28],
            waits_all_us=row[29],
            waits_1_us=row[30],
            write_down_client_us=row[31],
            read_down_client_us=row[32],
            write_same_us=row[33],
            read_same_us=row[34],
            vain_us=row[35],
            waiting=row[36],
            waiting_1=row[37],
            silent_us=row[38],
            stop_since_us=row[39],
            client_p=row[40],
            reader_p=row[41],
            client_waits_us=row[42],
            read_waits_us=row[43],
            longest_wait_us=row[44],
            longest_read_us=row[45],
            before=row[46],
            lost_before=row[47],
            emptied=row[48],
            unreadable=row[49],
            unled=row[50],
            groups_down_us=row[51],
            groups_down=row[52],
            coordinators=row[53],
            groups_lost=row[54],
            severity=row[55],
            sentence=row[56] if len(row) > 56 else "",
        )
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class RequestRefused(Decisive):
    """An administrator's request was answered with an error."""

    __slots__ = ("error", "p", "text")
    KIND: Final = 20

    def __init__(self, cause: i64, *, p: i64, error: i64, text: str) -> None:
        super().__init__(20, cause)
        self.p: i64 = p  # partition; -1 - index of the cluster where it is about none
        self.error: i64 = error  # ERR_*
        self.text: str = text  # the request

    @property
    def values(self) -> list[int]:
        return [self.p, self.error]

    @property
    def words(self) -> str:
        return self.text

    @staticmethod
    def read(row: Sequence[Any]) -> "RequestRefused":
        """Of its row."""
        fact = RequestRefused(row[3], p=row[4], error=row[5], text=row[6] if len(row) > 6 else "")
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ConsumerReset(Decisive):
    """A consumer's position was set anew."""

    __slots__ = ("client", "new", "old", "p", "why")
    KIND: Final = 21

    def __init__(self, cause: i64, *, client: i64, p: i64, old: i64, new: i64, why: i64) -> None:
        super().__init__(21, cause)
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.old: i64 = old  # offset
        self.new: i64 = new  # offset
        self.why: i64 = why  # RESET_*

    @property
    def values(self) -> list[int]:
        return [self.client, self.p, self.old, self.new, self.why]

    @staticmethod
    def read(row: Sequence[Any]) -> "ConsumerReset":
        """Of its row."""
        fact = ConsumerReset(row[3], client=row[4], p=row[5], old=row[6], new=row[7], why=row[8])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class PartitionCreated(Decisive):
    """A partition was created."""

    __slots__ = ("number", "p", "replicas", "text", "topic")
    KIND: Final = 22

    def __init__(self, cause: i64, *, p: i64, topic: i64, number: i64, replicas: list[int], text: str) -> None:
        super().__init__(22, cause)
        self.p: i64 = p  # partition
        self.topic: i64 = topic  # index
        self.number: i64 = number  # within its topic
        self.replicas: list[int] = replicas  # brokers
        self.text: str = text  # name of the topic

    @property
    def values(self) -> list[int]:
        return [self.p, self.topic, self.number]

    @property
    def lists(self) -> list[list[int]]:
        return [self.replicas]

    @property
    def words(self) -> str:
        return self.text

    @staticmethod
    def read(row: Sequence[Any]) -> "PartitionCreated":
        """Of its row."""
        fact = PartitionCreated(
            row[3], p=row[4], topic=row[5], number=row[6], replicas=row[7], text=row[8] if len(row) > 8 else ""
        )
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class SlowChanged(Decisive):
    """A broker's replication is limited."""

    __slots__ = ("broker", "per_s")
    KIND: Final = 23

    def __init__(self, cause: i64, *, broker: i64, per_s: i64) -> None:
        super().__init__(23, cause)
        self.broker: i64 = broker  # broker
        self.per_s: i64 = per_s  # records/s; -1: not limited

    @property
    def values(self) -> list[int]:
        return [self.broker, self.per_s]

    @staticmethod
    def read(row: Sequence[Any]) -> "SlowChanged":
        """Of its row."""
        fact = SlowChanged(row[3], broker=row[4], per_s=row[5])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ServingChanged(Decisive):
    """A broker's responses to fetches are limited."""

    __slots__ = ("broker", "per_s")
    KIND: Final = 29

    def __init__(self, cause: i64, *, broker: i64, per_s: i64) -> None:
        super().__init__(29, cause)
        self.broker: i64 = broker  # broker
        self.per_s: i64 = per_s  # records/s; -1: not limited

    @property
    def values(self) -> list[int]:
        return [self.broker, self.per_s]

    @staticmethod
    def read(row: Sequence[Any]) -> "ServingChanged":
        """Of its row."""
        fact = ServingChanged(row[3], broker=row[4], per_s=row[5])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ConsumerError(Decisive):
    """poll() of a consumer threw."""

    __slots__ = ("client", "error", "p")
    KIND: Final = 24

    def __init__(self, cause: i64, *, client: i64, p: i64, error: i64) -> None:
        super().__init__(24, cause)
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.error: i64 = error  # ERR_*

    @property
    def values(self) -> list[int]:
        return [self.client, self.p, self.error]

    @staticmethod
    def read(row: Sequence[Any]) -> "ConsumerError":
        """Of its row."""
        fact = ConsumerError(row[3], client=row[4], p=row[5], error=row[6])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ClusterVerdictChanged(Decisive):
    """The figures of all topics together, where they are too many to be told one by one."""

    __slots__ = ("sentence",)
    KIND: Final = 25

    def __init__(self, cause: i64, *, sentence: str) -> None:
        super().__init__(25, cause)
        self.sentence: str = sentence  # what they come to

    @property
    def words(self) -> str:
        return self.sentence

    @staticmethod
    def read(row: Sequence[Any]) -> "ClusterVerdictChanged":
        """Of its row."""
        fact = ClusterVerdictChanged(row[3], sentence=row[4] if len(row) > 4 else "")
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class SiteVerdictChanged(Decisive):
    """The same of one cluster among several."""

    __slots__ = ("cluster", "sentence")
    KIND: Final = 35

    def __init__(self, cause: i64, *, cluster: i64, sentence: str) -> None:
        super().__init__(35, cause)
        self.cluster: i64 = cluster  # index
        self.sentence: str = sentence  # what they come to

    @property
    def values(self) -> list[int]:
        return [self.cluster]

    @property
    def words(self) -> str:
        return self.sentence

    @staticmethod
    def read(row: Sequence[Any]) -> "SiteVerdictChanged":
        """Of its row."""
        fact = SiteVerdictChanged(row[3], cluster=row[4], sentence=row[5] if len(row) > 5 else "")
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class WriteFailed(Decisive):
    """The first write of a producer to a partition failed since one succeeded."""

    __slots__ = ("client", "ended", "error", "p")
    KIND: Final = 26

    def __init__(self, cause: i64, *, client: i64, p: i64, error: i64, ended: i64) -> None:
        super().__init__(26, cause)
        self.client: i64 = client  # index
        self.p: i64 = p  # partition
        self.error: i64 = error  # ERR_*
        self.ended: i64 = ended  # 0: it is tried again; 1: its calls end

    @property
    def values(self) -> list[int]:
        return [self.client, self.p, self.error, self.ended]

    @staticmethod
    def read(row: Sequence[Any]) -> "WriteFailed":
        """Of its row."""
        fact = WriteFailed(row[3], client=row[4], p=row[5], error=row[6], ended=row[7])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class MessageHandled(Decisive):
    """A person's hand is on one message."""

    __slots__ = ("dst", "flight", "how", "msg", "p", "src")
    KIND: Final = 27

    def __init__(self, cause: i64, *, flight: i64, how: i64, msg: i64, src: i64, dst: i64, p: i64) -> None:
        super().__init__(27, cause)
        self.flight: i64 = flight  # number of its Flight
        self.how: i64 = how  # HAND_*
        self.msg: i64 = msg  # MSG_*
        self.src: i64 = src  # node
        self.dst: i64 = dst  # node
        self.p: i64 = p  # partition

    @property
    def values(self) -> list[int]:
        return [self.flight, self.how, self.msg, self.src, self.dst, self.p]

    @staticmethod
    def read(row: Sequence[Any]) -> "MessageHandled":
        """Of its row."""
        fact = MessageHandled(row[3], flight=row[4], how=row[5], msg=row[6], src=row[7], dst=row[8], p=row[9])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class RequestWaits(Decisive):
    """An administrator's request waits at a broker."""

    __slots__ = ("broker", "p", "text", "why")
    KIND: Final = 28

    def __init__(self, cause: i64, *, p: i64, broker: i64, why: i64, text: str) -> None:
        super().__init__(28, cause)
        self.p: i64 = p  # as in RequestRefused
        self.broker: i64 = broker  # broker; -1: none takes connections
        self.why: i64 = why  # WAIT_*
        self.text: str = text  # the request

    @property
    def values(self) -> list[int]:
        return [self.p, self.broker, self.why]

    @property
    def words(self) -> str:
        return self.text

    @staticmethod
    def read(row: Sequence[Any]) -> "RequestWaits":
        """Of its row."""
        fact = RequestWaits(row[3], p=row[4], broker=row[5], why=row[6], text=row[7] if len(row) > 7 else "")
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class TopicDeleted(Decisive):
    """The controller has removed a topic with all its partitions."""

    __slots__ = ("text", "topic")
    KIND: Final = 30

    def __init__(self, cause: i64, *, topic: i64, text: str) -> None:
        super().__init__(30, cause)
        self.topic: i64 = topic  # index
        self.text: str = text  # its name

    @property
    def values(self) -> list[int]:
        return [self.topic]

    @property
    def words(self) -> str:
        return self.text

    @staticmethod
    def read(row: Sequence[Any]) -> "TopicDeleted":
        """Of its row."""
        fact = TopicDeleted(row[3], topic=row[4], text=row[5] if len(row) > 5 else "")
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class RecordsExpired(Decisive):
    """Retention has removed the first records of a leader's log."""

    __slots__ = ("broker", "old", "p", "start")
    KIND: Final = 31

    def __init__(self, cause: i64, *, broker: i64, p: i64, old: i64, start: i64) -> None:
        super().__init__(31, cause)
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition
        self.old: i64 = old  # log start offset before
        self.start: i64 = start  # log start offset now

    @property
    def values(self) -> list[int]:
        return [self.broker, self.p, self.old, self.start]

    @staticmethod
    def read(row: Sequence[Any]) -> "RecordsExpired":
        """Of its row."""
        fact = RecordsExpired(row[3], broker=row[4], p=row[5], old=row[6], start=row[7])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class OffsetsExpired(Decisive):
    """A coordinator has removed committed offsets of a group that nobody used."""

    __slots__ = ("broker", "count", "p", "text")
    KIND: Final = 46

    def __init__(self, cause: i64, *, broker: i64, p: i64, count: i64, text: str) -> None:
        super().__init__(46, cause)
        self.broker: i64 = broker  # broker
        self.p: i64 = p  # partition of __consumer_offsets
        self.count: i64 = count  # of the group's partitions
        self.text: str = text  # the group

    @property
    def values(self) -> list[int]:
        return [self.broker, self.p, self.count]

    @property
    def words(self) -> str:
        return self.text

    @staticmethod
    def read(row: Sequence[Any]) -> "OffsetsExpired":
        """Of its row."""
        fact = OffsetsExpired(row[3], broker=row[4], p=row[5], count=row[6], text=row[7] if len(row) > 7 else "")
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class MirrorProcessChanged(Decisive):
    """A process of MirrorMaker has another state."""

    __slots__ = ("process", "state")
    KIND: Final = 36

    def __init__(self, cause: i64, *, process: i64, state: i64) -> None:
        super().__init__(36, cause)
        self.process: i64 = process  # index
        self.state: i64 = state  # PROCESS_*

    @property
    def values(self) -> list[int]:
        return [self.process, self.state]

    @staticmethod
    def read(row: Sequence[Any]) -> "MirrorProcessChanged":
        """Of its row."""
        fact = MirrorProcessChanged(row[3], process=row[4], state=row[5])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class CheckpointWritten(Decisive):
    """A flow's checkpoint of a group is written."""

    __slots__ = ("downstream", "flow", "group", "remote", "upstream")
    KIND: Final = 37

    def __init__(self, cause: i64, *, flow: i64, remote: i64, upstream: i64, downstream: i64, group: str) -> None:
        super().__init__(37, cause)
        self.flow: i64 = flow  # index
        self.remote: i64 = remote  # partition on the target
        self.upstream: i64 = upstream  # offset in the source
        self.downstream: i64 = downstream  # offset on the target
        self.group: str = group  # its name

    @property
    def values(self) -> list[int]:
        return [self.flow, self.remote, self.upstream, self.downstream]

    @property
    def words(self) -> str:
        return self.group

    @staticmethod
    def read(row: Sequence[Any]) -> "CheckpointWritten":
        """Of its row."""
        fact = CheckpointWritten(
            row[3], flow=row[4], remote=row[5], upstream=row[6], downstream=row[7], group=row[8] if len(row) > 8 else ""
        )
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class GroupOffsetSynced(Decisive):
    """A flow has committed a translated offset for a group on the target, or was refused."""

    __slots__ = ("error", "flow", "group", "offset", "remote")
    KIND: Final = 38

    def __init__(self, cause: i64, *, flow: i64, remote: i64, offset: i64, error: i64, group: str) -> None:
        super().__init__(38, cause)
        self.flow: i64 = flow  # index
        self.remote: i64 = remote  # partition on the target
        self.offset: i64 = offset  # offset
        self.error: i64 = error  # ERR_*
        self.group: str = group  # its name

    @property
    def values(self) -> list[int]:
        return [self.flow, self.remote, self.offset, self.error]

    @property
    def words(self) -> str:
        return self.group

    @staticmethod
    def read(row: Sequence[Any]) -> "GroupOffsetSynced":
        """Of its row."""
        fact = GroupOffsetSynced(
            row[3], flow=row[4], remote=row[5], offset=row[6], error=row[7], group=row[8] if len(row) > 8 else ""
        )
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class MirrorSkipped(Decisive):
    """A flow passes over records that the source no longer has."""

    __slots__ = ("end", "first", "flow", "p")
    KIND: Final = 39

    def __init__(self, cause: i64, *, flow: i64, p: i64, first: i64, end: i64) -> None:
        super().__init__(39, cause)
        self.flow: i64 = flow  # index
        self.p: i64 = p  # partition of the source
        self.first: i64 = first  # offset of the first
        self.end: i64 = end  # offset where it goes on

    @property
    def values(self) -> list[int]:
        return [self.flow, self.p, self.first, self.end]

    @staticmethod
    def read(row: Sequence[Any]) -> "MirrorSkipped":
        """Of its row."""
        fact = MirrorSkipped(row[3], flow=row[4], p=row[5], first=row[6], end=row[7])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class MirrorTasksChanged(Decisive):
    """The worker of a flow has tasks, or has none."""

    __slots__ = ("flow", "state", "until")
    KIND: Final = 40

    def __init__(self, cause: i64, *, flow: i64, state: i64, until: i64) -> None:
        super().__init__(40, cause)
        self.flow: i64 = flow  # index
        self.state: i64 = state  # TASKS_*
        self.until: i64 = until  # us, when it gets them back; -1: nobody can tell

    @property
    def values(self) -> list[int]:
        return [self.flow, self.state, self.until]

    @staticmethod
    def read(row: Sequence[Any]) -> "MirrorTasksChanged":
        """Of its row."""
        fact = MirrorTasksChanged(row[3], flow=row[4], state=row[5], until=row[6])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class MirrorTopicsChanged(Decisive):
    """A flow has looked for topics and found a change."""

    __slots__ = ("added", "flow", "missing", "removed")
    KIND: Final = 41

    def __init__(self, cause: i64, *, flow: i64, added: i64, removed: i64, missing: i64) -> None:
        super().__init__(41, cause)
        self.flow: i64 = flow  # index
        self.added: i64 = added  # partitions new at the source
        self.removed: i64 = removed  # partitions gone at the source
        self.missing: i64 = missing  # partitions that the target has not

    @property
    def values(self) -> list[int]:
        return [self.flow, self.added, self.removed, self.missing]

    @staticmethod
    def read(row: Sequence[Any]) -> "MirrorTopicsChanged":
        """Of its row."""
        fact = MirrorTopicsChanged(row[3], flow=row[4], added=row[5], removed=row[6], missing=row[7])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class MirrorStartedOver(Decisive):
    """A task has found no stored offset of partitions that were copied before: it copies them from the start."""

    __slots__ = ("flow", "partitions")
    KIND: Final = 42

    def __init__(self, cause: i64, *, flow: i64, partitions: i64) -> None:
        super().__init__(42, cause)
        self.flow: i64 = flow  # index
        self.partitions: i64 = partitions  # so many

    @property
    def values(self) -> list[int]:
        return [self.flow, self.partitions]

    @staticmethod
    def read(row: Sequence[Any]) -> "MirrorStartedOver":
        """Of its row."""
        fact = MirrorStartedOver(row[3], flow=row[4], partitions=row[5])
        fact.place(row[0], row[1])
        return fact


@mypyc_attr(acyclic=True)
@final
class ClientJoined(Decisive):
    """A client has moved to a cluster; it has the newest index."""

    __slots__ = ("client", "cluster", "text")
    KIND: Final = 45

    def __init__(self, cause: i64, *, client: i64, cluster: i64, text: str) -> None:
        super().__init__(45, cause)
        self.client: i64 = client  # index
        self.cluster: i64 = cluster  # index
        self.text: str = text  # its name, its kind, its topics, and its group if any

    @property
    def values(self) -> list[int]:
        return [self.client, self.cluster]

    @property
    def words(self) -> str:
        return self.text

    @staticmethod
    def read(row: Sequence[Any]) -> "ClientJoined":
        """Of its row."""
        fact = ClientJoined(row[3], client=row[4], cluster=row[5], text=row[6] if len(row) > 6 else "")
        fact.place(row[0], row[1])
        return fact
