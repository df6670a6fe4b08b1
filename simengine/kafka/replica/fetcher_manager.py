"""The fetchers of one broker: one for each broker it follows, made when it first follows it (FET-1, FET-17, SHUT-5)."""

from typing import final

from simengine.kafka.replica.fetcher import Fetcher
from simengine.kafka.replica.replica import Partition
from simengine.kafka.replica.replica_host import ReplicaHost


@final
class FetcherManager:
    """Starts and stops the copying of partitions. Fetchers outlive the process, and then begin from nothing."""

    __slots__ = ("broker", "by_leader", "is_stopped")

    def __init__(self, broker: ReplicaHost) -> None:
        self.broker = broker
        self.by_leader: dict[int, Fetcher] = {}
        self.is_stopped: bool = False

    def start(self, replica: Partition) -> None:
        """Follow the leader of a partition, if there is one and the partition has not failed here (FET-17)."""
        if replica.leader < 0 or self.is_stopped or replica.leader == self.broker.id or replica.has_failed:
            return
        leader = self.broker.brokers.get(int(replica.leader))
        if leader is None:
            return
        fetcher = self.by_leader.get(int(replica.leader))
        if fetcher is None:
            fetcher = Fetcher(self.broker, leader)
            self.by_leader[int(replica.leader)] = fetcher
        fetcher.add(replica)

    def stop(self, replica: Partition) -> None:
        """Stop following."""
        fetcher = self.of(replica)
        if fetcher is not None:
            fetcher.remove(replica)

    def of(self, replica: Partition) -> Fetcher | None:
        """The fetcher that copies a replica."""
        return self.by_leader.get(int(replica.fetched_from))

    def limit_intake(self, per_s: int) -> None:
        """Take in so many records a second from here on, 0: without a limit (``slow``)."""
        self.broker.intake_per_s = per_s
        for fetcher in self.by_leader.values():
            fetcher.pace_changed()

    def shut_down(self) -> None:
        """SHUT-5: this process follows nobody any more."""
        if self.is_stopped:
            return
        self.is_stopped = True
        for fetcher in self.by_leader.values():
            fetcher.stop()

    def reset(self) -> None:
        """The process ended."""
        self.broker.has_fetched = False
        for fetcher in self.by_leader.values():
            fetcher.reset()
        self.is_stopped = False
