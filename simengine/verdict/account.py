"""The account of one partition: what was acknowledged, lost, doubled, hidden; for how long it was out."""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.kafka.api import ACKS_ALL
from simengine.kafka.broker import Broker
from simengine.kafka.log import Batch, Log
from simengine.kafka.replica import LEADER, Replica
from simengine.kernel.facts import DUPLICATE_WRITTEN, RECORDS_BACK, RECORDS_LOST
from simengine.kernel.trace import Trace
from simengine.verdict.outcomes import Calls, Recent, Run

if TYPE_CHECKING:
    from simengine.kafka.cluster import Cluster

OPEN: Final = 0
STALLED: Final = 1
BELOW_MIN_ISR: Final = 2
LEADERLESS: Final = 3

THETA_US: Final = 1_000_000  # interruptions that are not longer are latency


NEVER: Final = 1 << 62


@final
class Outage:
    """Time during which a partition was out in one sense: finished intervals longer than theta, and the open one.

    Nothing counts after ``until``, the moment at which a run is closed (NEVER: it is not).
    """

    __slots__ = ("cause", "intervals", "longest_cause", "since", "total_us", "until")

    def __init__(self, until: i64 = NEVER) -> None:
        self.until: i64 = until
        self.since: i64 = -1
        self.cause: i64 = 0
        self.total_us: i64 = 0
        self.longest_cause: i64 = 0
        self.intervals: list[tuple[int, int]] = []

    def set(self, is_out: bool, now: i64, cause: i64) -> None:
        """The partition is out from now on, or it is not."""
        if is_out:
            if self.since < 0:
                self.since = now
                self.cause = cause
        elif self.since >= 0:
            end = min(now, self.until)
            length = end - self.since
            if length > THETA_US:
                self.total_us += length
                self.intervals.append((int(self.since), int(end)))
                self.longest_cause = self.cause
            self.since = -1

    def us(self, now: i64) -> i64:
        """The time out so far, the open interval included once it is longer than theta."""
        end = min(now, self.until)
        if self.since >= 0 and end - self.since > THETA_US:
            return self.total_us + end - self.since
        return self.total_us

    def deciding(self, now: i64) -> i64:
        """The fact that began the outage that is going on, or the last one."""
        if self.since >= 0 and min(now, self.until) - self.since > THETA_US:
            return self.cause
        return self.longest_cause


@final
class Copy:
    """Calls whose records stand in the log twice: at base (epoch), and at earlier (earlier_epoch)."""

    __slots__ = ("base", "client", "count", "earlier", "earlier_epoch", "epoch", "fact")

    def __init__(self, base: i64, epoch: i64, earlier: i64, earlier_epoch: i64, count: i64, client: i64) -> None:
        self.base: i64 = base
        self.epoch: i64 = epoch
        self.earlier: i64 = earlier
        self.earlier_epoch: i64 = earlier_epoch
        self.count: i64 = count
        self.client: i64 = client
        self.fact: i64 = 0


@final
class Account:
    """What is known of one partition."""

    __slots__ = (
        "_appended_to",
        "acked",
        "calls",
        "cluster",
        "copies",
        "hidden",
        "hidden_end",
        "hidden_since",
        "is_dirty",
        "lost",
        "lost_cause",
        "lost_count",
        "out_1",
        "out_all",
        "out_read",
        "p",
        "recent_acked",
        "recent_lost",
        "state",
        "state_us",
        "stated_at",
        "topic",
        "trace",
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
        self.copies: list[Copy] = []
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
        self.is_dirty: bool = False
        self._appended_to: list[int] = []  # per client: calls below this have been in a leader's log

    def calls_of(self, client: i64) -> Calls:
        """The calls of one producer to this partition."""
        for calls in self.calls:
            if calls.client == client:
                return calls
        calls = Calls(client)
        self.calls.append(calls)
        return calls

    # -- who leads

    def leader(self) -> Replica | None:
        """The replica that leads in the epoch the controller has committed, if its process is up and knows it."""
        registration = self.cluster.quorum.image.partition(self.p)
        if registration is None or registration.leader < 0:
            return None
        broker = self.cluster.by_id.get(int(registration.leader))
        if broker is None or not broker.up:
            return None
        replica = broker.replica(self.p)
        if replica is None or replica.role != LEADER or replica.epoch != registration.epoch:
            return None
        return replica

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
        """An acknowledgement that a former leader gave may come after its records were lost (S26)."""
        leader = self.leader()
        if leader is None or leader.epoch == epoch:
            return
        start, end = present_range(leader.log, epoch)
        self._lose_outside(Run(offset, count, epoch, acks, client), start, end, leader_cause(leader))

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

    def leader_activated(self, leader: Replica) -> None:
        """A new leader: what of the acknowledged records does its log not have, and what has come back?"""
        self._find_back(leader)
        cause = leader_cause(leader)
        for run in self.acked:
            if run.epoch != leader.epoch:
                start, end = present_range(leader.log, run.epoch)
                if run.base < start or run.base + run.count > end:
                    self._lose_new(run, start, end, cause)

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

    # -- duplicates

    def leader_appended(self, replica: Replica, batch: Batch) -> None:
        """A leader appended a producer's batch: has the log its calls already?"""
        if batch.client < 0:
            return
        seen = self._appended_to
        while len(seen) <= batch.client:
            seen.append(0)
        end = batch.n + batch.count
        if batch.n >= seen[batch.client]:
            seen[batch.client] = end
            return
        if end > seen[batch.client]:
            seen[batch.client] = end
        self._look_for_copies(replica, batch)

    def _look_for_copies(self, replica: Replica, batch: Batch) -> None:
        end = batch.n + batch.count
        for other in replica.log.batches:
            if other is batch or other.client != batch.client or other.n >= end or other.n + other.count <= batch.n:
                continue
            n = max(other.n, batch.n)
            count = min(other.n + other.count, end) - n
            copy = Copy(
                batch.base + n - batch.n, batch.epoch, other.base + n - other.n, other.epoch, count, batch.client
            )
            values = [self.p, copy.base, count, batch.epoch, batch.client]
            copy.fact = self.trace.decide(DUPLICATE_WRITTEN, 0, [int(v) for v in values], [])
            self.copies.append(copy)
            return

    def duplicated(self, leader: Replica | None) -> i64:
        """Records that stand twice in the leader's log (without a leader: that stood so last)."""
        total: i64 = 0
        for copy in self.copies:
            if leader is None or (
                holds(leader.log, copy.base, copy.epoch) and holds(leader.log, copy.earlier, copy.earlier_epoch)
            ):
                total += copy.count
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

    def write_state(self) -> i64:
        """The state of the write path for acks=all (OPEN, STALLED, BELOW_MIN_ISR, LEADERLESS)."""
        leader = self.leader()
        if leader is None or leader.broker.paused or not self._is_reachable(leader.broker):
            return LEADERLESS
        if len(leader.isr) < leader.min_isr:
            return BELOW_MIN_ISR
        net = self.cluster.net
        for remote in leader.remotes:
            if not remote.in_maximal:
                continue
            member = self.cluster.by_id[int(remote.broker)]
            if not member.up or member.paused or remote.leo < 0:
                return STALLED
            if net.is_cut(member, leader.broker) or net.is_cut(leader.broker, member):
                return STALLED
        return OPEN

    def _is_reachable(self, broker: Broker) -> bool:
        """Whether some producer of this partition reaches the leader (true where nobody produces)."""
        net = self.cluster.net
        if net.cuts == 0 or not self.calls:
            return True
        for calls in self.calls:
            client = net.nodes[len(self.cluster.brokers) + len(self.cluster.controllers) + int(calls.client)]
            if not net.is_cut(client, broker) and not net.is_cut(broker, client):
                return True
        return False

    def restate(self, now: i64) -> bool:
        """Work out the state of the write path anew; whether it changed."""
        state = self.write_state()
        if state == self.state:
            return False
        self.state_us[self.state] += int(self._counted(now))
        self.stated_at = now
        self.state = state
        cause = self._cause()
        self.out_all.set(state != OPEN, now, cause)
        self.out_1.set(state == LEADERLESS, now, cause)
        self.out_read.set(state == LEADERLESS, now, cause)
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


def present_range(log: Log, epoch: i64) -> tuple[i64, i64]:
    """Offsets start .. end-1 of a log that carry an epoch, (0, 0) if none does."""
    epochs = log.cache.epochs
    i = len(epochs) - 1
    while i >= 0:
        if epochs[i] == epoch:
            end: i64 = log.cache.starts[i + 1] if i + 1 < len(epochs) else log.leo
            return log.cache.starts[i], end
        i -= 1
    return 0, 0


def holds(log: Log, offset: i64, epoch: i64) -> bool:
    """Whether a log has the record that ``epoch`` wrote at ``offset``."""
    start, end = present_range(log, epoch)
    return start <= offset < end


def cut_out(gaps: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """The parts of intervals that lie outside start .. end-1."""
    left: list[tuple[int, int]] = []
    for low, high in gaps:
        if end <= low or high <= start or end <= start:
            left.append((low, high))
            continue
        if low < start:
            left.append((low, start))
        if end < high:
            left.append((end, high))
    return left


def is_all(acks: i64) -> bool:
    """Whether an acknowledgement mode is acks=all."""
    return acks == ACKS_ALL
