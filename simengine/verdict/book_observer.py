"""The protocol's reports to the book of a run."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.log.log import Batch
from simengine.kafka.replica.observer import Observer
from simengine.kafka.replica.remote import FollowerState
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.shared.metadata import REMOVE_TOPIC_RECORD, Record
from simengine.verdict.together import numbered

if TYPE_CHECKING:
    from simengine.kafka.replica.replica_host import ReplicaHost
    from simengine.verdict.book import VerdictCounters


@final
class BookObserver(Observer):
    """Touches the partitions that something is done to, and tells their accounts what it is."""

    __slots__ = ("_book",)

    def __init__(self, book: "VerdictCounters") -> None:
        self._book = book

    def process_changed(self, broker: "ReplicaHost") -> None:
        self._book.touch_broker(broker)

    def links_changed(self) -> None:
        self._book.touch_all()

    def heartbeat(self, broker: i64, now: i64) -> None:
        self._book.heartbeats[int(broker)] = int(now)

    def controller_activated(self, now: i64) -> None:
        cluster = self._book.cluster
        if cluster is not None:
            for broker in cluster.brokers:
                self._book.heartbeats[int(broker.id)] = int(now)

    def committed(self, record: Record) -> None:
        registration = record.partition
        if record.kind == REMOVE_TOPIC_RECORD:
            self._book.topic_deleted(record)
        elif registration is not None:
            self._book.touch(registration.p)
        elif record.settings is not None:
            self._book.touch_all()

    def metadata_applied(self, broker: "ReplicaHost", records: list[Record]) -> None:
        book = self._book
        if book.cluster is None:
            return
        for record in records:
            one = record.partition
            if one is None or book.account(one.p).is_well:
                continue
            if int(broker.id) in one.replicas or broker.replica(one.p) is not None:
                book.touch(one.p)  # a follower may serve readers of the new epoch (FFR-5)

    def activated(self, replica: Partition) -> None:
        book = self._book
        book.touch(replica.p)
        if book.cluster is None:
            return
        account = book.account(replica.p)
        registration = book.cluster.quorum.image.partition(replica.p)
        if registration is None:
            return
        if registration.leader == replica.broker.id and registration.epoch == replica.epoch:
            account.leader_activated(replica)

    def hw_moved(self, replica: Partition, old: i64) -> None:
        book = self._book
        if replica.role == LEADER and book.cluster is not None:
            registration = book.cluster.quorum.image.partition(replica.p)
            if registration is not None and registration.epoch == replica.epoch:  # a zombie's is not what can be read
                if book.account(replica.p).hw_moved(replica, old):
                    book.touch(replica.p)
            elif book.account(replica.p).former_hw_moved(replica, old):
                book.touch(replica.p)

    def truncated(self, replica: Partition, old: i64, seq: i64) -> None:
        cluster = self._book.cluster
        if cluster is None or old == 0:
            return
        self._book.account(replica.p).drop_kept()
        fact = numbered(cluster.sim.trace.decisive, int(seq))
        if fact is None:
            return
        account = self._book.account(replica.p)
        if replica.log.leo < old:
            account.losses.truncated(replica.broker.id, fact.cause)
        self._copy_went(replica.p, seq, seq if replica.broker.up else fact.cause)

    def expired(self, replica: Partition) -> None:
        book = self._book
        if book.cluster is None:
            return
        book.account(replica.p).drop_kept()
        if book.account(replica.p).leader() is replica:
            book.account(replica.p).expired(replica)
            book.touch(replica.p)

    def dropped(self, replica: Partition, seq: i64) -> None:
        if self._book.cluster is not None:
            self._copy_went(replica.p, seq, seq)

    def _copy_went(self, p: i64, fact: i64, loss_cause: i64) -> None:
        if self._book.account(p).copy_went(fact, loss_cause):
            self._book.touch(p)

    def isr_changed(self, replica: Partition) -> None:
        self._book.touch(replica.p)

    def appended(self, replica: Partition, batch: Batch) -> None:
        if replica.role == LEADER:
            self._book.account(replica.p).appended(replica, batch)
        elif self._book.cluster is not None:
            if self._book.account(replica.p).copied(replica, batch):
                self._book.touch(replica.p)

    def fetched(self, replica: Partition, remote: FollowerState) -> None:
        book = self._book
        if book.cluster is not None:
            account = book.account(replica.p)
            if not account.is_well and account.has_changed():
                book.touch(replica.p)
