"""The copies of a partition that starts from a state: logs, leader-epoch caches and high watermarks.

Copies with a common history share its batches, as replicas do that fetched them from one leader. Batches are cut
wherever some copy's log or epoch begins or ends, so that each copy, and each truncation, ends between two of them.
"""

from itertools import pairwise

from simengine.kafka.group.coordinator import NO_CLIENT
from simengine.kafka.log.log import BEFORE_RUN, Batch, Log
from simengine.kafka.replica.replica import Partition
from simengine.scenario.model import InitialLog, InitialPartition


def fill(copies: dict[int, Partition], initial: InitialPartition) -> None:
    """Give every copy of a partition its log and the high watermark that goes with the ISR's logs."""
    logs = {member: log_of(initial, member) for member in copies}
    cuts = sorted({place for log in logs.values() for place in places(log)})
    shared: dict[tuple[int, int], Batch] = {}
    for member, replica in copies.items():
        write(replica.log, logs[member], cuts, shared)
    reference = reference_copy(initial, logs)
    committed = min(logs[member].leo for member in initial.isr) if initial.isr else logs[reference].leo
    for replica in copies.values():
        replica.hw = min(committed, common_end(replica.log, copies[reference].log))
        replica.hw_saved = replica.hw
    for member in initial.failed:
        copies[member].has_failed = True


def log_of(initial: InitialPartition, member: int) -> InitialLog:
    """The log of a copy: as written out, or all in one epoch and `lag` records behind the longest copy."""
    if member in initial.logs:
        return initial.logs[member]
    leo = max(0, initial.leo - initial.lag.get(member, 0))
    epoch = max(0, initial.epoch - (1 if initial.leader < 0 else 0))  # the last election found nobody: E + 1 (ELEC-8)
    return InitialLog(leo=leo, epochs=[(epoch, 0)] if leo else [])


def places(log: InitialLog) -> list[int]:
    """The offsets at which a copy's log and its epochs begin and end."""
    return [log.start, log.leo, *(start for _, start in log.epochs)]


def reference_copy(initial: InitialPartition, logs: dict[int, InitialLog]) -> int:
    """The copy whose log counts: the leader's, else the first that may lead again, else the longest."""
    candidates = [initial.leader, *initial.isr, *initial.last_known, *initial.elr]
    longest = max(logs, key=lambda member: logs[member].leo)
    return next((member for member in candidates if member in logs), longest)


def write(log: Log, written: InitialLog, cuts: list[int], shared: dict[tuple[int, int], Batch]) -> None:
    """Append a copy's batches, and enter the epochs in which nothing was written."""
    log.reset(written.start)
    ends = [start for _, start in written.epochs[1:]] + [written.leo] * bool(written.epochs)
    for (epoch, start), end in zip(written.epochs, ends, strict=True):
        log.cache.assign(epoch, start)
        inner = [cut for cut in cuts if max(start, written.start) <= cut <= end]
        for base, until in pairwise(inner):
            batch = shared.get((base, epoch))
            if batch is None:
                batch = shared[base, epoch] = Batch(base, until - base, epoch, BEFORE_RUN, base, -1, -1, -1, 0)
            log.append(batch)


def append_commit(copies: list[Partition], n: int) -> None:
    """Append commit ``n``, made before the run, to the copies of ``__consumer_offsets`` that have the whole log."""
    end = max(int(copy.log.leo) for copy in copies)
    whole = [copy for copy in copies if copy.log.leo == end]
    epoch = max(0, *(int(copy.log.cache.last()) for copy in whole))
    batch = Batch(end, 1, epoch, NO_CLIENT, n, -1, -1, -1, 0)
    for copy in whole:
        copy.log.cache.assign(epoch, end)
        copy.log.append(batch)
        if copy.hw == end:
            copy.hw = copy.hw_saved = end + 1


def common_end(log: Log, other: Log) -> int:
    """The offset where two logs cease to be equal (a log that begins later counts as equal before its start)."""
    end = max(int(log.start), int(other.start)) if log.batches or other.batches else 0
    ours = {int(batch.base): batch for batch in log.batches}
    for batch in other.batches:
        if int(batch.base) >= end and ours.get(int(batch.base)) is batch:
            end = int(batch.end)
        elif int(batch.base) >= end:
            break
    return min(end, int(log.leo))
