"""The acknowledged records of one partition, and those of them that are lost (FATE-3, FATE-4).

A record is lost when a leader begins to lead without it. One that a former leader acknowledges later was lost by the
first election whose leader lacks it. While nobody leads a record is lost when its last copy goes: a log is deleted, cut
back, or gone with its disk. What a broker that is down has on its disk is not lost.
"""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.facts.decisive import RecordsBack, RecordsLost
from simengine.facts.trace import Trace
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import Partition
from simengine.verdict.lacking import LackingSince
from simengine.verdict.last_copy import logs_of, missing
from simengine.verdict.outcomes import Recent, RecordRange
from simengine.verdict.presence import cut_out, length, present_range
from simengine.verdict.record_set import RecordSet
from simengine.verdict.write_path import leader_of

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster


@final
class Losses:
    """The acknowledged records of one partition, and those of them that are lost."""

    __slots__ = (
        "_cluster",
        "_cut",
        "_gone",
        "_gone_back",
        "_gone_by",
        "_lacking",
        "_late",
        "_led_again",
        "_led_by",
        "_nowhere",
        "_p",
        "_trace",
        "acked",
        "count",
        "counts",
        "doomed",
        "kept",
        "led",
        "lost",
        "recent_acked",
        "recent_lost",
        "taken_by",
    )

    def __init__(self, cluster: "Cluster", p: i64) -> None:
        self._cluster = cluster
        self._trace: Trace = cluster.sim.trace
        self._p: i64 = p
        self.acked: list[RecordRange] = []
        self.lost: list[RecordRange] = []
        self._gone: RecordSet = RecordSet()  # the records of ``lost``
        self.kept: RecordSet = RecordSet()
        self.count: i64 = 0  # records lost
        self.counts: dict[int, int] = {}  # fact that a loss goes back to -> records lost by it
        self.taken_by: dict[int, int] = {}  # a loss -> the fact that it goes back to, where that is not its cause
        self.doomed: i64 = 0  # lost already when they were acknowledged, by a leader that had been replaced
        self.recent_acked: Recent = Recent()
        self.recent_lost: Recent = Recent()
        self._late: list[RecordRange] = []  # acknowledged by a former leader while the partition has none
        self._lacking: LackingSince = LackingSince()
        self.led: i64 = -1  # the epoch of the newest leader ...
        self._led_by: i64 = 0  # ... the fact of its election ...
        self._led_again: i64 = -1  # ... and one in which a leader came back, maybe with less of its log (LOG-8)
        self._cut: i64 = 0  # what has cut the log of the newest epoch's leader: a power failure, an empty disk
        self._nowhere: RecordSet = RecordSet()  # lost since the newest leader, as no log has them
        self._gone_by: i64 = 0  # the newest fact by which a log lost records or was deleted ...
        self._gone_back: i64 = 0  # ... and what a loss by it goes back to

    def begin(self) -> None:
        """The run begins: the leaders of its first state led before there was an account."""
        registration = self._cluster.quorum.image.partition(self._p)
        if registration is not None and registration.leader >= 0:
            self.led = registration.epoch

    def acknowledged(self, offset: i64, count: i64, epoch: i64, acks: i64, client: i64) -> bool:
        """Records were acknowledged; are they in the log that counts? Returns whether the leader's epoch is over."""
        self.recent_acked.add(offset, count, epoch)
        self._keep_unless_lost(offset, offset + count, epoch)
        if self.acked:
            last = self.acked[-1]
            same = last.epoch == epoch and last.acks == acks and last.client == client
            if same and last.base + last.count == offset:
                last.count += count
                return self._check_late(offset, count, epoch, acks, client)
        self.acked.append(RecordRange(offset, count, epoch, acks, client))
        return self._check_late(offset, count, epoch, acks, client)

    def _check_late(self, offset: i64, count: i64, epoch: i64, acks: i64, client: i64) -> bool:
        """An acknowledgement may come after its records were lost: a former leader's (S26), or from before a crash."""
        registration = self._cluster.quorum.image.partition(self._p)
        if registration is None:  # the topic is deleted: the last leader may have lacked them before
            self._lose_lacking(RecordRange(offset, count, epoch, acks, client))
            return False
        is_over: bool = registration.epoch != epoch
        if not is_over and self._led_again != epoch and self._gone_by == 0:
            return False
        leader = leader_of(self._cluster, self._p)
        if leader is None:
            run = RecordRange(offset, count, epoch, acks, client)
            if self._gone_by > 0:
                self._lose_what_nobody_has(run)
            if is_over:
                self._late.append(run)
            return is_over
        if not is_over and self._led_again != epoch:
            return False
        start, end = present_range(leader.log, epoch)
        before = self.count
        self._lose_outside(RecordRange(offset, count, epoch, acks, client), start, end, leader)
        self.doomed += self.count - before
        return is_over

    def _lose_lacking(self, run: RecordRange) -> None:
        """State as lost what of a run the newest leader lacked when it was elected, and is not lost already."""
        for low, high in self.kept.parts(run.base, run.base + run.count, run.epoch):
            for first, last, lacking in self._lacking.parts(run.epoch, low, high):
                if lacking:
                    self._lose(first, last - first, run, lacking, lacking)
                    self.doomed += last - first

    def _keep_unless_lost(self, base: i64, end: i64, epoch: i64) -> None:
        """Acknowledged records are kept, but for those lost before: a duplicate may be answered late."""
        if not self.count:
            self.kept.add(base, end, epoch)
            return
        parts = [(int(base), int(end))]
        for low, high in self._gone.parts(base, end, epoch):
            parts = cut_out(parts, low, high)
        for low, high in parts:
            self.kept.add(low, high, epoch)

    def _lose_outside(self, run: RecordRange, start: i64, end: i64, leader: Partition) -> None:
        """State as lost what of a run lies outside start .. end-1 of a leader's log and is not lost already."""
        elected, loss_cause = self._elected_by(leader), self.loss_cause(leader)
        for low, high in cut_out(self.kept.parts(run.base, run.base + run.count, run.epoch), int(start), int(end)):
            for first, last, lacking in self._lacking.parts(run.epoch, low, high):
                if lacking:
                    self._lose(first, last - first, run, lacking, lacking)
                else:  # the leader had them when it was elected: the cut of its log took them
                    self._lose(first, last - first, run, elected, loss_cause)

    def _lose(self, base: i64, count: i64, run: RecordRange, cause: i64, loss_cause: i64) -> None:
        lost = RecordsLost(cause, p=self._p, base=base, count=count, epoch=run.epoch, acks=run.acks, client=run.client)
        self._trace.state(lost)
        if loss_cause != cause:
            self.taken_by[int(lost.seq)] = int(loss_cause)
        self.lost.append(RecordRange(base, count, run.epoch, run.acks, run.client, loss_cause))
        self._gone.add(base, base + count, run.epoch)
        self.kept.drop(base, base + count, run.epoch)
        self.count += count
        self.counts[int(loss_cause)] = self.counts.get(int(loss_cause), 0) + int(count)
        self.recent_lost.add(base, count, run.epoch)

    def leader_activated(self, leader: Partition) -> list[RecordRange]:
        """A new leader: what of the acknowledged records does its log not have, and what has come back?

        Returns what has come back, by offset, not kept yet: whoever follows kept records sees first what is lost.
        """
        if leader.epoch == self.led:
            self._led_again = self.led
        else:
            self._lacking.elected(leader.log, leader_cause(leader), self.led)
            self.led = leader.epoch
            self._cut = 0
        self._led_by = leader_cause(leader)
        self._nowhere = RecordSet()
        back = self._find_back(leader.log, self._led_by)
        for run in self.acked:
            start, end = present_range(leader.log, run.epoch)
            if run.base < start or run.base + run.count > end:
                self._lose_outside(run, start, end, leader)
        self._count_late()
        return back

    def expire(self, start: i64) -> None:
        """Retention has moved the start of the leader's log: what is below is kept no longer, and is not lost."""
        for base, end, epoch in self.kept.spans():
            if base < start:
                self.kept.drop(base, min(end, start), epoch)

    def truncated(self, broker: i64, cause: i64) -> None:
        """A broker's log was cut by this fact: what its leader lacks, if it leads on in its epoch, goes back to it."""
        registration = self._cluster.quorum.image.partition(self._p)
        if registration is not None and registration.leader == broker:
            self._cut = cause

    def copy_went(self, fact: i64, loss_cause: i64) -> bool:
        """A log lost records, or was deleted, by a fact: while nobody leads, what no log has any more is lost by it.

        ``loss_cause``: the fact that a loss by it goes back to. Returns whether records were lost.
        """
        self._gone_by, self._gone_back = fact, loss_cause
        before = self.count
        if leader_of(self._cluster, self._p) is None:
            for base, end, epoch in self._kept_by_nobody():
                for run in self.acked:
                    low, high = max(run.base, base), min(run.base + run.count, end)
                    if run.epoch == epoch and low < high:
                        self._lose_what_nobody_has(run.part(low, high))
        return self.count > before

    def _kept_by_nobody(self) -> list[tuple[int, int, int]]:
        """Records that count as kept and stand in no log: base, end and epoch."""
        found: list[tuple[int, int, int]] = []
        logs = logs_of(self._cluster, self._p)
        for base, end, epoch in self.kept.spans():
            for low, high in missing(logs, [(base, end)], epoch):
                found.append((low, high, epoch))
        return found

    def _lose_what_nobody_has(self, run: RecordRange) -> None:
        """State as lost what of a run is kept so far and stands in no log: its last copy went before, or just now."""
        kept = self.kept.parts(run.base, run.base + run.count, run.epoch)
        for low, high in missing(logs_of(self._cluster, self._p), kept, run.epoch):
            self._lose(low, high - low, run, self._gone_by, self._gone_back)
            self._nowhere.add(low, high, run.epoch)

    def copy_came(self, copy: Partition, batch: Batch) -> list[RecordRange]:
        """A follower appended a batch that was under way when the last log lost it: what has come back with it."""
        if not self._nowhere.parts(batch.base, batch.end, batch.epoch):
            return []
        if leader_of(self._cluster, self._p) is not None:
            return []
        back = self._find_back(copy.log, 0)
        for run in back:
            self._nowhere.drop(run.base, run.base + run.count, run.epoch)
        return back

    def loss_cause(self, leader: Partition) -> i64:
        """The cause of a loss: the election of the leader, or the cut of the log of a leader that leads on."""
        return self._cut if self._cut > 0 and leader.epoch == self._led_again else self._elected_by(leader)

    def _elected_by(self, leader: Partition) -> i64:
        """The fact of a leader's election. Its registration names the newest change, which may be of the ISR."""
        return self._led_by if self._led_by > 0 and leader.epoch == self.led else leader_cause(leader)

    def keep(self, back: RecordRange) -> None:
        """Records that came back are kept again."""
        self.kept.add(back.base, back.base + back.count, back.epoch)

    def _count_late(self) -> None:
        """Count the lost records that a former leader acknowledged while there was no other: lost from the start."""
        for run in self._late:
            self.doomed += length(self._gone.parts(run.base, run.base + run.count, run.epoch))
        self._late = []

    def _find_back(self, log: Log, cause: i64) -> list[RecordRange]:
        """Find the lost records that a log has again, and state them as back. A run may come back in part."""
        back: list[RecordRange] = []
        kept: list[RecordRange] = []
        for run in self.lost:
            start, end = present_range(log, run.epoch)
            low, high = max(run.base, start), min(run.base + run.count, end)
            if low >= high:
                kept.append(run)
                continue
            back_again = RecordsBack(
                cause, p=self._p, base=low, count=high - low, epoch=run.epoch, acks=run.acks, client=run.client
            )
            self._trace.state(back_again)
            back.append(run.part(low, high))
            self.count -= high - low
            self.counts[int(run.cause)] -= int(high - low)
            self._gone.drop(low, high, run.epoch)
            self.recent_lost.remove(low, high - low, run.epoch)
            if run.base < low:
                kept.append(run.part(run.base, low))
            if high < run.base + run.count:
                kept.append(run.part(high, run.base + run.count))
        self.lost = kept
        return sorted(back, key=base_of)


def base_of(run: RecordRange) -> i64:
    """The offset at which a run of records begins."""
    return run.base


def leader_cause(leader: Partition) -> i64:
    """The newest change of a leader's registration that it knows: at its activation that is its election."""
    registration = leader.registration
    return 0 if registration is None else registration.fact
