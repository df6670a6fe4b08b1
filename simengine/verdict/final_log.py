"""The copies of each call's record in a partition's final log, that of the current leader (FATE-3, FATE-5)."""

from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.verdict.account import PartitionCounters
from simengine.verdict.outage import THETA_US
from simengine.verdict.outcomes import ACKED, HANDED_OVER, CallRun
from simengine.verdict.presence import Spans, cut_out, present_range, within
from simengine.verdict.write_path import is_running

ABSENT, ONCE, TWICE, UNDETERMINED = 0, 1, 2, 3
Part = tuple[int, int, int]  # first call, calls, how they stand


class FinalLog:
    """The log that counts for one partition at one moment; ``replicas``: every copy of it, dead brokers' too."""

    def __init__(self, account: PartitionCounters, replicas: list[Partition]) -> None:
        self.leader = account.leader()
        self._account = account
        self._now = int(account.cluster.sim.now)
        self.log = account.whole_log()
        self._batches = {} if self.log is None else batches_by_client(self.log)
        account.copies.look(self.leader)
        # what a leader without an office holds is as good as gone: it cuts its log when it learns of the next one
        brokers = account.cluster.by_id
        self._live = [one for one in replicas if is_running(brokers[int(one.broker.id)]) and one.role != LEADER]

    def parts(self, run: CallRun) -> list[Part]:
        """The calls of a run in order, by how they stand."""
        if self.leader is None:
            return self._without_leader(run)
        found = segments(self._batches.get(int(run.client), []), int(run.n), int(run.count))
        return self._under_way(run, found) if run.outcome == HANDED_OVER else found

    def _under_way(self, run: CallRun, parts: list[Part]) -> list[Part]:
        """Of calls handed over with acks=0 that are not there, the newest may be under way: undetermined."""
        start = int(self._account.calls_of(run.client).handed_over.open_from(self._now))
        found: list[Part] = []
        for first, count, stands in parts:
            early = max(0, min(count, start - first)) if stands == ABSENT else count
            found += [(first, early, stands)] if early else []
            found += [(first + early, count - early, UNDETERMINED)] if early < count else []
        return found

    def _without_leader(self, run: CallRun) -> list[Part]:
        """The calls of a run while no leader's log can tell.

        What was acknowledged and not lost went with a deleted topic; what was handed over and is in no log vanished.
        """
        is_kept = run.outcome == ACKED and self._account.deleted_by > 0
        rest = ONCE if is_kept else UNDETERMINED
        first, end = int(run.n), int(run.n + run.count)
        found: list[Part] = []
        gaps: Spans = [(first, end)]
        told = [(low, high, TWICE) for low, high in self._account.copies.twice.get(int(run.client), [])]
        if run.outcome == ACKED:
            shift = first - int(run.offset)
            for lost in self._account.losses.lost:
                if lost.epoch == run.epoch and lost.client == run.client:
                    told.append((int(lost.base) + shift, int(lost.base + lost.count) + shift, ABSENT))
        elif run.outcome == HANDED_OVER:
            calls = self._account.calls_of(run.client)
            told += [(low, high, ABSENT) for low, high in self._account.nowhere(calls, self._now)]
        for low, high, stands in told:
            found += [(start, stop - start, stands) for start, stop in within(gaps, low, high)]
            gaps = cut_out(gaps, low, high)
        return sorted(found + [(start, stop - start, rest) for start, stop in gaps])

    def held_by_live(self, run: CallRun) -> int:
        """The number of a run's acknowledged records in the live copy that has most of them."""
        return max((held(one.log, run) for one in self._live), default=0)

    def unread(self, run: CallRun) -> int:
        """The number of a run's calls that the leader has had at or above its high watermark for longer than theta."""
        leader = self.leader
        if leader is None or leader.hw >= leader.log.leo:
            return 0
        newest = leader.log.offset_at(self._now - THETA_US, leader.log.leo)
        above = leader.log.leo if newest < 0 else newest
        count = 0
        for batch in self._batches.get(int(run.client), []):
            low = int(batch.n + max(0, leader.hw - batch.base))
            high = int(batch.n + min(batch.count, above - batch.base))
            count += max(0, min(high, int(run.n + run.count)) - max(low, int(run.n)))
        return count

    def moved(self, run: CallRun, there: int) -> int:
        """Of the records of an acknowledged run that are in the leader's log, those not at their offset and epoch."""
        return 0 if self.log is None else max(0, there - held(self.log, run))


def held(log: Log, run: CallRun) -> int:
    """The number of a run's acknowledged records that the log holds at their offsets and epoch."""
    start, end = present_range(log, run.epoch)
    return max(0, int(min(end, run.offset + run.count) - max(start, run.offset)))


def batches_by_client(log: Log) -> dict[int, list[Batch]]:
    """The producers' batches in a log, by client, in order of their first call."""
    found: dict[int, list[Batch]] = {}
    for batch in log.batches:
        if batch.client >= 0:
            found.setdefault(int(batch.client), []).append(batch)
    for batches in found.values():
        batches.sort(key=first_call)
    return found


def first_call(batch: Batch) -> tuple[int, int]:
    """Order of batches by call."""
    return int(batch.n), int(batch.base)


def segments(batches: list[Batch], n: int, count: int) -> list[Part]:
    """The calls n .. n+count-1 by how often each stands in batches sorted by call; ``TWICE`` is twice or more."""
    low, high = 0, len(batches)
    while low < high:
        middle = (low + high) // 2
        if batches[middle].n < n:
            low = middle + 1
        else:
            high = middle
    i = low
    while i > 0 and batches[i - 1].n + batches[i - 1].count > n:
        i -= 1
    steps: dict[int, int] = {n: 0, n + count: 0}  # by call: how many more copies from there on
    while i < len(batches) and batches[i].n < n + count:
        start = max(int(batches[i].n), n)
        end = min(int(batches[i].n + batches[i].count), n + count)
        if end > start:
            steps[start] = steps.get(start, 0) + 1
            steps[end] = steps.get(end, 0) - 1
        i += 1
    found: list[Part] = []
    copies = 0
    marks = sorted(steps)
    for k in range(len(marks) - 1):
        copies += steps[marks[k]]
        stands = min(copies, TWICE)
        if found and found[-1][2] == stands:
            found[-1] = (found[-1][0], found[-1][1] + marks[k + 1] - marks[k], stands)
        else:
            found.append((marks[k], marks[k + 1] - marks[k], stands))
    return found
