"""The fate of every call: outcome as the client knows it, against what stands in the leader's log (section 5).

*moved*: acknowledged and kept, but not at the acknowledged offset and epoch. *stranded*: of a leaderless partition, on
no live broker's log. *refused_written* must be 0: a refused call was never appended (refused_absent).
"""

from typing import TYPE_CHECKING

from simengine.kafka.api import ACKS_ALL
from simengine.verdict.outcomes import ACKED, HANDED_OVER, REFUSED, CallRun, Calls
from simengine.verdict.presence import present_range

if TYPE_CHECKING:
    from simengine.kafka.log import Batch
    from simengine.kafka.replica import Replica

Counts = dict[str, int]

CALL_FATES = (
    "calls",
    "acked",
    "kept",
    "lost",
    "lost_all",
    "lost_1",
    "moved",
    "duplicated",
    "duplicated_acked",
    "undetermined",
    "stranded",
    "handed_over",
    "arrived",
    "vanished",
    "refused",
    "refused_written",
    "unknown",
    "unknown_written",
    "open",
)


def call_fates(calls: Calls, leader: "Replica | None", batches: list["Batch"], live: list["Replica"]) -> Counts:
    """Every call of one producer to one partition in its cell; ``live``: replicas of live brokers."""
    counts: Counts = dict.fromkeys(CALL_FATES, 0)
    counts["calls"] = int(calls.made)
    counts["open"] = int(calls.made - calls.settled)
    for run in calls.runs:
        n, count = int(run.n), int(run.count)
        once, twice = presence(batches, n, count)
        absent = count - once - twice
        if run.outcome == ACKED:
            counts["acked"] += count
            if leader is None:
                counts["undetermined"] += count
                counts["stranded"] += count - max((held(one, run) for one in live), default=0)
                continue
            counts["kept"] += once
            counts["duplicated"] += twice
            counts["duplicated_acked"] += twice
            counts["lost"] += absent
            counts["lost_all" if run.acks == ACKS_ALL else "lost_1"] += absent
            counts["moved"] += max(0, once + twice - held(leader, run))
        elif run.outcome == HANDED_OVER:
            counts["handed_over"] += count
            counts["arrived"] += once
            counts["duplicated"] += twice
            counts["vanished"] += absent if leader is not None else 0
        elif run.outcome == REFUSED:
            counts["refused"] += count
            counts["refused_written"] += once + twice
        else:
            counts["unknown"] += count
            counts["unknown_written"] += once + twice
            counts["duplicated"] += twice
    return counts


def held(replica: "Replica", run: CallRun) -> int:
    """How many acknowledged records of a run a replica holds at their offsets and epoch."""
    start, end = present_range(replica.log, run.epoch)
    return max(0, int(min(end, run.offset + run.count) - max(start, run.offset)))


def is_balanced(counts: dict[str, int]) -> bool:
    """fate_total: every call has one outcome, the fates of each outcome sum to it, and so do deliveries."""
    outcomes = counts["acked"] + counts["handed_over"] + counts["refused"] + counts["unknown"] + counts["open"]
    fates = counts["kept"] + counts["lost"] + counts["duplicated_acked"] + counts["undetermined"]
    reads = counts["seen"] + counts["phantoms"] + counts["reread"] + counts["reads_undetermined"]
    return (
        outcomes == counts["calls"]
        and fates == counts["acked"]
        and reads == counts["delivered"]
        and counts["refused_written"] == 0
    )


def copies_in(leader: "Replica") -> dict[int, list["Batch"]]:
    """The producers' batches in the leader's log, by client, in order of their first call."""
    found: dict[int, list[Batch]] = {}
    for batch in leader.log.batches:
        if batch.client >= 0:
            found.setdefault(int(batch.client), []).append(batch)
    for batches in found.values():
        batches.sort(key=first_call)
    return found


def first_call(batch: "Batch") -> tuple[int, int]:
    """Order of batches by call."""
    return int(batch.n), int(batch.base)


def presence(batches: list["Batch"], n: int, count: int) -> tuple[int, int]:
    """How many of the calls n .. n+count-1 stand once, and how many more than once, in batches sorted by call."""
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
    once = twice = 0
    covered = doubled = n
    while i < len(batches) and batches[i].n < n + count:
        start = max(int(batches[i].n), n)
        end = min(int(batches[i].n + batches[i].count), n + count)
        repeated = max(0, min(end, covered) - max(start, doubled))
        twice += repeated
        doubled = max(doubled, min(end, covered))
        once += max(0, end - max(start, covered))
        covered = max(covered, end)
        i += 1
    return once - twice, twice
