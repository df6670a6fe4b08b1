"""The fate of every call: outcome as the client knows it, against what stands in the leader's log (section 5).

*moved*: acknowledged and kept, but not at the acknowledged offset and epoch. *stranded*: of a leaderless partition, on
no live broker's log. *refused_written* must be 0: a refused call was never appended (refused_absent).
"""

from typing import TYPE_CHECKING

from simengine.kafka.api import ACKS_ALL
from simengine.verdict.outcomes import ACKED, HANDED_OVER, REFUSED, UNKNOWN, CallRun, Calls
from simengine.verdict.presence import present_range

if TYPE_CHECKING:
    from simengine.kafka.log import Batch
    from simengine.kafka.replica import Replica

Counts = dict[str, int]

OUTCOME_NAMES = {ACKED: "acked", HANDED_OVER: "handed over", REFUSED: "refused", UNKNOWN: "unknown"}
PRESENCE_NAMES = {
    ACKED: ("lost", "kept", "duplicated"),
    HANDED_OVER: ("vanished", "arrived", "duplicated"),
    UNKNOWN: ("not written", "late success", "duplicated"),
}
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
        parts = segments(batches, n, count)
        absent = sum(length for _, length, copies in parts if copies == 0)
        once = sum(length for _, length, copies in parts if copies == 1)
        twice = count - absent - once
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


def segments(batches: list["Batch"], n: int, count: int) -> list[tuple[int, int, int]]:
    """(first call, calls, copies) of the calls n .. n+count-1: how often each stands in batches sorted by call."""
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
    found: list[tuple[int, int, int]] = []
    copies = 0
    marks = sorted(steps)
    for k in range(len(marks) - 1):
        copies += steps[marks[k]]
        if found and found[-1][2] == copies:
            found[-1] = (found[-1][0], found[-1][1] + marks[k + 1] - marks[k], copies)
        else:
            found.append((marks[k], marks[k + 1] - marks[k], copies))
    return found


def fate_name(outcome: int, copies: int, has_leader: bool) -> str:
    """The cell of section 5's table: the outcome as the client knows it, and what stands in the final log."""
    if outcome == REFUSED:
        return "refused" if copies == 0 else "refused, but written"
    if not has_leader:
        return f"{OUTCOME_NAMES[outcome]}, undetermined"
    return f"{OUTCOME_NAMES[outcome]}, {PRESENCE_NAMES[outcome][min(copies, 2)]}"


def record_fates(calls: Calls, leader: "Replica | None", batches: list["Batch"]) -> list[dict[str, object]]:
    """The fate of every call of one producer to one partition, calls of equal fate side by side as one row.

    ``offset`` is that of the row's first record as acknowledged, -1 where there was no acknowledgement.
    """
    rows: list[dict[str, object]] = []
    for run in calls.runs:
        for first, count, copies in segments(batches, int(run.n), int(run.count)):
            offset = int(run.offset) + first - int(run.n) if run.outcome == ACKED else -1
            fate = fate_name(int(run.outcome), copies, leader is not None)
            mode = "all" if run.acks < 0 else str(int(run.acks))
            rows.append(
                {"call": first, "count": count, "fate": fate, "acks": mode, "offset": offset, "epoch": int(run.epoch)}
            )
    return rows
