"""The account of one partition: what was acknowledged, lost, doubled, hidden; for how long it was out."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.log import Batch
from simengine.kafka.replica import Replica
from simengine.kernel.facts import RECORDS_BACK, RECORDS_LOST
from simengine.kernel.trace import Trace
from simengine.verdict.copies import Copies
from simengine.verdict.deliveries import Reader
from simengine.verdict.outage import NEVER, THETA_US, Exposure, Outage
from simengine.verdict.outcomes import Calls, Recent, Run
from simengine.verdict.presence import cut_out, present_range
from simengine.verdict.write_path import (
    LEADERLESS,
    OPEN,
    STALLED,
    cause_of,
    is_running,
    leader_of,
    takes_calls,
    write_state,
)

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster


@final
class Account:
    """What is known of one partition."""

    __slots__ = (
        "acked",
        "calls",
        "cluster",
        "copies",
        "doomed",
        "exposure",
        "hidden",
        "hidden_end",
        "hidden_since",
        "is_dirty",
        "late",
        "led",
        "led_again",
        "lost",
        "lost_cause",
        "lost_count",
        "out_1",
        "out_all",
        "out_client",
        "out_read",
        "p",
        "readable_end",
        "readers",
        "recent_acked",
        "recent_lost",
        "state",
        "state_us",
        "stated_at",
        "topic",
        "trace",
        "unanswered",
        "until",
    )

    def __init__(self, cluster: "Cluster", p: i64, topic: i64, until: i64 = NEVER) -> None:
        self.until: i64 = until
        self.cluster = cluster
        self.trace: Trace = cluster.sim.trace
        self.p: i64 = p
        self.topic: i64 = topic
        self.calls: list[Calls] = []
        self.acked: list[Run] = []
        self.lost: list[Run] = []
        self.lost_count: i64 = 0
        self.lost_cause: i64 = 0
        self.doomed: i64 = 0  # lost already when they were acknowledged, by a leader that had been replaced
        self.late: list[Run] = []  # acknowledged by a former leader while the partition has none
        self.led: i64 = -1  # the epoch of the newest leader ...
        self.led_again: i64 = -1  # ... and one in which a leader came back, maybe with less of its log (LOG-8)
        self.copies: Copies = Copies(p, self.trace)
        self.hidden: i64 = 0
        self.hidden_end: i64 = 0  # one past the acknowledged records that were above the high watermark ...
        self.hidden_since: i64 = 0  # ... at this time
        self.recent_acked: Recent = Recent()
        self.recent_lost: Recent = Recent()
        self.state: i64 = OPEN
        self.stated_at: i64 = 0
        self.state_us: list[int] = [0, 0, 0, 0]
        self.out_all: Outage = Outage(until)
        self.out_1: Outage = Outage(until)
        self.out_read: Outage = Outage(until)
        self.out_client: Outage = Outage(until)  # as producers see it: calls wait, and none succeeds
        self.unanswered: i64 = 0  # calls that have not ended
        self.exposure: Exposure = Exposure(until)
        self.readers: list[Reader] = []
        self.readable_end: i64 = 0  # the leader's high watermark
        self.is_dirty: bool = False

    def calls_of(self, client: i64) -> Calls:
        """The calls of one producer to this partition."""
        for calls in self.calls:
            if calls.client == client:
                return calls
        calls = Calls(client)
        self.calls.append(calls)
        return calls

    def reader_of(self, client: i64) -> Reader:
        """What one consumer reads of this partition."""
        for reader in self.readers:
            if reader.client == client:
                return reader
        reader = Reader(client, self.until)
        self.readers.append(reader)
        return reader

    def _stamp(self, reader: Reader) -> None:
        """This one moved last of all readers."""
        newest: i64 = 0
        for other in self.readers:
            newest = max(newest, other.stamp)
        if reader.stamp < newest or newest == 0:
            reader.stamp = newest + 1

    # -- who leads

    def leader(self) -> Replica | None:
        """The replica that leads in the epoch the controller has committed, if its process runs and knows it."""
        return leader_of(self.cluster, self.p)

    # -- acknowledged and lost

    def acknowledged(self, offset: i64, count: i64, epoch: i64, acks: i64, client: i64) -> None:
        """Records were acknowledged; are they in the log that counts?"""
        self.recent_acked.add(offset, count, epoch)
        if self.acked:
            last = self.acked[-1]
            same = last.epoch == epoch and last.acks == acks and last.client == client
            if same and last.base + last.count == offset:
                last.count += count
                self._check_late(offset, count, epoch, acks, client)
                return
        self.acked.append(Run(offset, count, epoch, acks, client))
        self._check_late(offset, count, epoch, acks, client)

    def _check_late(self, offset: i64, count: i64, epoch: i64, acks: i64, client: i64) -> None:
        """An acknowledgement may come after its records were lost: a former leader's (S26), or from before a crash."""
        registration = self.cluster.quorum.image.partition(self.p)
        if registration is None or (registration.epoch == epoch and self.led_again != epoch):
            return
        leader = self.leader()
        if leader is None:
            if registration.epoch != epoch:
                self.late.append(Run(offset, count, epoch, acks, client))
            return
        start, end = present_range(leader.log, epoch)
        before = self.lost_count
        self._lose_outside(Run(offset, count, epoch, acks, client), start, end, leader_cause(leader))
        self.doomed += self.lost_count - before

    def _lose_outside(self, run: Run, start: i64, end: i64, cause: i64) -> None:
        """State as lost what of a run lies outside start .. end-1."""
        low_end = min(run.base + run.count, start)
        if low_end > run.base:
            self._lose(run.base, low_end - run.base, run, cause)
        high = max(run.base, end)
        if high < run.base + run.count and high >= low_end:
            self._lose(high, run.base + run.count - high, run, cause)

    def _lose(self, base: i64, count: i64, run: Run, cause: i64) -> None:
        for known in self.lost:
            if known.epoch == run.epoch and known.base <= base and base + count <= known.base + known.count:
                return
        values = [self.p, base, count, run.epoch, run.acks, run.client]
        self.trace.decide(RECORDS_LOST, cause, [int(v) for v in values], [])
        self.lost.append(Run(base, count, run.epoch, run.acks, run.client))
        self.lost_count += count
        self.lost_cause = cause
        self.recent_lost.add(base, count, run.epoch)

    def begin(self) -> None:
        """The run begins: the leaders of its first state led before there was an account."""
        registration = self.cluster.quorum.image.partition(self.p)
        if registration is not None and registration.leader >= 0:
            self.led = registration.epoch

    def leader_activated(self, leader: Replica) -> None:
        """A new leader: what of the acknowledged records does its log not have, and what has come back?"""
        self._find_back(leader)
        cause = leader_cause(leader)
        for run in self.acked:
            start, end = present_range(leader.log, run.epoch)
            if run.base < start or run.base + run.count > end:
                self._lose_new(run, start, end, cause)
        self._count_late(leader.epoch)
        for calls in self.calls:
            calls.handed_over.recount(leader.log, calls.client)

    def _count_late(self, epoch: i64) -> None:
        """What a former leader acknowledged while none was there, and is lost: it was so from the start."""
        for run in self.late:
            for known in self.lost:
                if known.epoch == run.epoch:
                    low = max(known.base, run.base)
                    self.doomed += max(0, min(known.base + known.count, run.base + run.count) - low)
        self.late = []
        self.led_again = epoch if epoch == self.led else self.led_again
        self.led = epoch

    def appended(self, replica: Replica, batch: Batch) -> None:
        """A replica that takes itself for the leader has appended a batch."""
        self.copies.appended(replica, batch)
        if batch.client >= 0 and replica.epoch == self.led:
            self.calls_of(batch.client).handed_over.appended(batch)

    def _lose_new(self, run: Run, start: i64, end: i64, cause: i64) -> None:
        """Lose what lies outside start .. end-1 and is not counted lost already."""
        gaps = [(int(run.base), int(run.base + run.count))]
        for known in self.lost:
            if known.epoch == run.epoch:
                gaps = cut_out(gaps, int(known.base), int(known.base + known.count))
        for low, high in cut_out(gaps, int(start), int(end)):
            self._lose(low, high - low, run, cause)

    def _find_back(self, leader: Replica) -> None:
        """What of the lost records does the leader's log have again? A run may come back in part."""
        kept: list[Run] = []
        for run in self.lost:
            start, end = present_range(leader.log, run.epoch)
            low, high = max(run.base, start), min(run.base + run.count, end)
            if low >= high:
                kept.append(run)
                continue
            values = [self.p, low, high - low, run.epoch, run.acks, run.client]
            self.trace.decide(RECORDS_BACK, leader_cause(leader), [int(v) for v in values], [])
            self.lost_count -= high - low
            self.recent_lost.remove(low, high - low, run.epoch)
            if run.base < low:
                kept.append(run.part(run.base, low))
            if high < run.base + run.count:
                kept.append(run.part(high, run.base + run.count))
        self.lost = kept

    def lost_by(self, acks: i64) -> i64:
        """Lost records that were acknowledged in one mode."""
        total: i64 = 0
        for run in self.lost:
            if run.acks == acks:
                total += run.count
        return total

    # -- hidden

    def count_hidden(self, leader: Replica | None, now: i64) -> bool:
        """Acknowledged records that nobody can read and that have been so for longer than theta; whether it changed."""
        above: i64 = 0
        end: i64 = 0  # one past the last of them
        hw: i64 = 0
        if leader is not None:
            hw = leader.hw
            self.hidden_end = min(self.hidden_end, leader.log.leo)
            for i in range(len(self.acked) - 1, -1, -1):
                run = self.acked[i]
                if run.base + run.count <= hw:
                    break
                first, last = present_range(leader.log, run.epoch)
                low = max(max(run.base, hw), first)
                high = min(run.base + run.count, last)
                if high > low:
                    above += high - low
                    end = max(end, high)
        if above == 0 or hw >= self.hidden_end:  # what was above it can be read by now, what is there came later
            self.hidden_end = end
            self.hidden_since = now
        hidden = above if now - self.hidden_since >= THETA_US else 0
        changed = hidden != self.hidden
        self.hidden = hidden
        return changed

    # -- availability

    def delivered(self, client: i64, offset: i64, count: i64, epoch: i64, now: i64) -> None:
        """A consumer was handed records."""
        reader = self.reader_of(client)
        self._stamp(reader)
        reader.delivered(offset, count, epoch)
        reader.out.set(False, now, 0)
        reader.look(self.readable_end, now)

    def positioned(self, client: i64, position: i64, now: i64) -> None:
        """A consumer found its position or jumped (-1: it reads the partition no more)."""
        reader = self.reader_of(client)
        if position < 0:
            reader.reads = False
        else:
            self._stamp(reader)
            reader.stand(position)
        reader.out.set(False, now, 0)
        reader.look(self.readable_end, now)

    def readable(self, end: i64, now: i64) -> None:
        """The leader's high watermark is at ``end``."""
        self.readable_end = end
        for reader in self.readers:
            if reader.position >= end:
                reader.out.set(False, now, 0)  # a later leader's end: nothing is left to read
            else:
                reader.look(end, now)

    def called(self, count: i64, now: i64) -> None:
        """Producers made calls."""
        self.unanswered += count
        self.out_client.set(True, now, 0)

    def ended(self, count: i64, is_success: bool, now: i64) -> None:
        """Calls ended; a success ends the time that producers saw as out, and the next begins if calls still wait."""
        self.unanswered -= count
        if is_success or self.unanswered == 0:
            self.out_client.set(False, now, 0)
            if self.unanswered > 0:
                self.out_client.set(True, now, 0)

    def look_at_copies(self, leader: Replica | None, now: i64) -> None:
        """On how many live replicas the acknowledged records stand (of the leader's log, where there is a leader)."""
        registration = self.cluster.quorum.image.partition(self.p)
        if not self.acked or registration is None:
            return
        last = self.acked[-1]
        acked_end = last.base + last.count
        if leader is not None:
            acked_end = min(acked_end, leader.log.leo)
        ends: list[int] = []
        for broker_id in registration.replicas:
            broker = self.cluster.by_id[broker_id]
            replica = broker.replica(self.p) if is_running(broker) else None
            if replica is not None:
                ends.append(int(self._held_end(replica, leader, last.epoch)))
        ends.sort(reverse=True)
        needed: i64 = min(self.cluster.quorum.image.min_insync(self.topic), len(registration.replicas))
        safe: i64 = ends[needed - 1] if len(ends) >= needed else 0
        self.exposure.look(acked_end, safe, now)

    def _held_end(self, replica: Replica, leader: Replica | None, epoch: i64) -> i64:
        """Below which offset a live replica holds what counts: in the leader's epoch, else what ``epoch`` wrote."""
        if leader is not None:
            return replica.log.leo if replica.epoch == leader.epoch else 0
        _, end = present_range(replica.log, epoch)
        return end

    def restate(self, now: i64) -> bool:
        """Work out the state of the write path anew; whether it changed."""
        leader = self.leader()
        state = write_state(self.cluster, leader, [int(calls.client) for calls in self.calls])
        readers = [int(reader.client) for reader in self.readers]
        is_served = leader is not None and takes_calls(self.cluster, leader.broker, readers)
        self.out_read.set(not is_served, now, self._cause())
        if state == self.state:
            return False
        self.state_us[self.state] += int(self._counted(now))
        self.stated_at = now
        self.state = state
        cause = self._cause() if state == STALLED else cause_of(self.cluster, self.p, self.topic, state)
        self.out_all.set(state != OPEN, now, cause)
        self.out_1.set(state == LEADERLESS, now, cause)
        return True

    def _cause(self) -> i64:
        """The newest decisive fact about the partition's leader or its registration."""
        registration = self.cluster.quorum.image.partition(self.p)
        if registration is None:
            return 0
        newest = registration.fact
        for member in registration.isr:
            why = self.cluster.whys.get(member, 0)
            if why > newest:
                newest = why
        return newest

    def us_in(self, state: i64, now: i64) -> i64:
        """Time spent in a state so far."""
        us: i64 = self.state_us[state]
        return us + self._counted(now) if self.state == state else us

    def _counted(self, now: i64) -> i64:
        """How long the present state has lasted, as far as it counts."""
        lasted: i64 = min(now, self.until) - self.stated_at
        return lasted if lasted > 0 else 0


def leader_cause(leader: Replica) -> i64:
    """The fact that made a replica leader."""
    registration = leader.registration
    return 0 if registration is None else registration.fact
