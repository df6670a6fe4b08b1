"""For how long acknowledged records had fewer copies on live replicas than min.insync.replicas asks for (section 5)."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.log import Log
from simengine.kafka.replica import Replica
from simengine.verdict.outage import Outage
from simengine.verdict.outcomes import Run
from simengine.verdict.presence import first_of, present_range
from simengine.verdict.write_path import is_running

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster


@final
class Exposure:
    """The exposure of one partition, looked at now and then.

    The records exposed at one look are followed until all of them are safe, so that the normal pipeline, in which some
    new record is always on the way, is no exposure.
    """

    __slots__ = ("_end", "out")

    def __init__(self, until: i64) -> None:
        self._end: i64 = 0  # one past the records that are followed; 0: none are
        self.out: Outage = Outage(until)

    def acknowledged(self, end: i64, now: i64) -> None:
        """Records below ``end`` were acknowledged: on how many copies they stand is for the next look to say."""
        if self._end == 0:
            self._end = end
            self.out.set(True, now, 0)

    def look_at_copies(self, cluster: "Cluster", p: i64, topic: i64, acked: list[Run], leader: Replica | None) -> None:
        """On how many live replicas the acknowledged records stand (of the leader's log, where there is a leader)."""
        registration = cluster.quorum.image.partition(p)
        if not acked or registration is None:
            return
        last = acked[-1]
        acked_end = last.base + last.count
        if leader is not None:
            acked_end = min(acked_end, leader.log.leo)
        ends: list[int] = []
        for broker_id in registration.replicas:
            broker = cluster.by_id[broker_id]
            replica = broker.replica(p) if is_running(broker) else None
            if replica is not None:
                ends.append(int(held_end(replica, leader, last.epoch)))
        ends.sort(reverse=True)
        needed: i64 = min(cluster.quorum.image.min_insync(topic), len(registration.replicas))
        safe: i64 = ends[needed - 1] if len(ends) >= needed else 0
        self.look(acked_end, safe, cluster.sim.now)

    def look(self, acked_end: i64, safe_end: i64, now: i64) -> None:
        """Records below ``acked_end`` are acknowledged, below ``safe_end`` on enough live replicas."""
        if self._end > 0 and safe_end >= min(self._end, acked_end):
            self.out.set(False, now, 0)
            self._end = 0
        if self._end == 0 and acked_end > safe_end:
            self.out.set(True, now, 0)
            self._end = acked_end


def held_end(replica: Replica, leader: Replica | None, epoch: i64) -> i64:
    """Below which offset a live replica holds what counts: the leader's log, else what ``epoch`` wrote."""
    if leader is None:
        _, end = present_range(replica.log, epoch)
        return end
    return replica.log.leo if replica.epoch == leader.epoch else common_end(replica.log, leader.log)


def common_end(log: Log, other: Log) -> i64:
    """Where two logs part: one epoch's records that begin at one offset are the same in both."""
    i = len(other.batches) - 1
    while i >= 0:
        epoch = other.batches[i].epoch
        start, end = present_range(other, epoch)
        mine, my_end = present_range(log, epoch)
        if my_end > mine and mine == start:
            return min(end, my_end)
        i = first_of(other, epoch) - 1
    return 0
