"""incremental_equals_full: the slow, whole evaluation of what the checkers keep event by event."""

from typing import TYPE_CHECKING

from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import LEADER, Partition
from tests.invariants.checks import Parts
from tests.invariants.ghost import Branch, has_prefix, is_early
from tests.invariants.log_checks import where_of
from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster

NAME = "incremental_equals_full"


def check_all(cluster: "Cluster", parts: Parts) -> None:
    """Everything anew: logs against shadows and each other, caches, ghosts, ISRs."""
    for r in cluster.quorum.image.partitions:
        if r is None:
            continue
        copies: list[Partition] = []
        for broker in cluster.brokers:
            copy = broker.replica(r.p)
            if copy is not None:
                copies.append(copy)
                check_copy(copy, parts)
        # REG-5, LOG-3, FET-3: a log with wrong epochs, or none, may go on where it differs
        check_pairs([copy for copy in copies if not parts.logs.shadow(copy).is_mislabelled])
        check_ghost(copies, parts)
        parts.hws.strong_isr(r.p)
        parts.isrs.quorum_superset(r)


def check_copy(copy: Partition, parts: Parts) -> None:
    """A shadow is what the log holds; the epoch cache is the one that the records give (LOG-2..5)."""
    where = where_of(copy)
    log = copy.log
    shadow = parts.logs.shadow(copy).batches
    same = len(shadow) == len(log.batches)
    for i in range(len(shadow) if same else 0):
        same = same and shadow[i] is log.batches[i]
    demand(same, NAME, where, "the shadow is not the log")
    if not copy.broker.up or parts.logs.shadow(copy).is_mislabelled:
        return  # what is on disk may be ahead of what recovery keeps (LOG-10)
    rebuilt = rebuilt_cache(log)
    cached = list(zip(log.cache.epochs, log.cache.starts))  # noqa: B905 - both of one length, or the check fails
    missing = [entry for entry in rebuilt if entry not in cached]
    extra = [entry for entry in cached if entry not in rebuilt and entry[1] < log.leo]
    empty = [entry for entry in extra if not starts_nothing(entry, cached)]
    ok = not missing and not empty and len(log.cache.epochs) == len(log.cache.starts)
    demand(ok, "epoch_cache_exact", where, f"cache {cached}, records give {rebuilt}")


def starts_nothing(entry: tuple[int, int], cached: list[tuple[int, int]]) -> bool:
    """True if an entry is that of an epoch in which nothing was written: the next one starts at the same offset."""
    return any(other[0] > entry[0] and other[1] == entry[1] for other in cached)


def rebuilt_cache(log: Log) -> list[tuple[int, int]]:
    """The epochs of the records that retention has left, each with the offset where it begins."""
    found: list[tuple[int, int]] = []
    for batch in log.batches:
        if batch.end > log.start and (not found or found[-1][0] != batch.epoch):
            found.append((int(batch.epoch), int(max(batch.base, log.start))))
    return found


def check_pairs(copies: list[Partition]) -> None:
    """log_matching of every pair: where two logs share (offset, epoch) they are equal up to there."""
    for i in range(len(copies)):
        for j in range(i):
            one, other = kept_by_both(copies[i].log, copies[j].log)
            k = min(len(one), len(other))
            while k > 0 and one[k - 1] is not other[k - 1]:
                k -= 1
            demand(
                differ_after(one, other, k), "log_matching", where_of(copies[i]), f"differs from {where_of(copies[j])}"
            )


def kept_by_both(one: Log, other: Log) -> tuple[list[Batch], list[Batch]]:
    """The batches of two logs, from the later of their starts on, which retention moves (LOG-7)."""
    first = max(one.start, other.start)
    if first == 0:
        return one.batches, other.batches
    return [b for b in one.batches if b.end > first], [b for b in other.batches if b.end > first]


def differ_after(one: list[Batch], other: list[Batch], k: int) -> bool:
    """True if two logs share no (offset, epoch) after their k common batches, which must be their beginning."""
    for i in range(k):
        if one[i] is not other[i]:
            return False
    rest = {(int(batch.base), int(batch.epoch)) for batch in one[k:]}
    return all((int(batch.base), int(batch.epoch)) not in rest for batch in other[k:])


def check_ghost(copies: list[Partition], parts: Parts) -> None:
    """Every branch is a log of its own, and no registered leader's high watermark is beyond it."""
    for copy in copies:
        ghost = parts.ghosts.of(copy.p)
        branch = ghost.of_epoch(copy.epoch)
        demand(is_whole(branch), NAME, where_of(copy), f"the committed log of length {int(branch.length)} has a gap")
        if copy.role != LEADER or not copy.broker.up or is_early(copy.broker) or copy.broker.id in ghost.early:
            continue
        story = f"HW {int(copy.hw)} T {int(branch.length)}"
        demand(copy.hw <= branch.length, "hw_le_true", where_of(copy), story)
        known = min(int(copy.hw), int(branch.length))
        demand(has_prefix(copy.log, branch.batches, known), "true_hw_monotonic", where_of(copy), story)


def is_whole(branch: Branch) -> bool:
    """True if the batches of a branch follow each other, from where its log begins (LOG-7), and reach its length."""
    end = int(branch.batches[0].base) if branch.batches else 0
    for batch in branch.batches:
        if batch.base != end:
            return False
        end = int(batch.end)
    return end >= branch.length
