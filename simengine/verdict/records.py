"""The fates of records where an application has sent some again (FATE-1): a record goes by its first call.

Over all calls that sent it a record is acknowledged when one of them was, *duplicated* when its copies in the final log
are two or more, though each call may have only one (then the application doubled it, which idempotence cannot prevent,
IDEM-7), and *recovered* when one call was acknowledged and lost, and another one's copy is there.
"""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from simengine.verdict.fates import CALL_FATES, Counts, call_fates, put
from simengine.verdict.final_log import ABSENT, TWICE, UNDETERMINED, FinalLog
from simengine.verdict.outcomes import ACKED, HANDED_OVER, OPEN_CALLS, REFUSED, UNKNOWN, CallOutcomes
from simengine.verdict.presence import Spans, joined, within

RECORD_FATES = (*CALL_FATES, "resent", "by_application", "recovered", "lost_again")
GRAVITY = (ACKED, HANDED_OVER, OPEN_CALLS, UNKNOWN, REFUSED)  # what is known of a record: the first of its calls' ends
Sent = tuple[int, int, int]  # outcome, acks and how it stands, of one call
SentRecords = tuple[int, list[Sent]]  # so many records, and what became of each one's calls, in their order


def record_counts(calls: CallOutcomes, final_log: FinalLog) -> Counts:
    """Every record of one producer to one partition in its cell; ``resent``: calls that sent a record again."""
    counts: Counts = dict.fromkeys(RECORD_FATES, 0) | call_fates(calls, final_log)
    counts["resent"] = sum(int(again.count) for again in calls.again)
    for count, sent in sent_again(calls, final_log):
        for outcome, acks, stands in sent:
            put(counts, outcome, acks, stands, -count)
        outcome, acks = min(((one[0], one[1]) for one in sent), key=lambda one: GRAVITY.index(one[0]))
        put(counts, outcome, acks, stands_in_all(sent), count)
        counts["by_application"] += count * is_doubled_by_application(sent)
        counts["recovered"] += count * is_recovered(sent)
        counts["lost_again"] += count * max(0, lost_calls(sent) - 1)
    return counts


class SentAgain(NamedTuple):
    """Records that were sent again: all, doubled by it, back after a loss, gone; and lost calls beyond the first."""

    records: int
    by_application: int
    recovered: int
    lost: int
    lost_again: int


def of_sent_again(calls: CallOutcomes, final_log: FinalLog) -> SentAgain:
    """The figures of one producer's records in one partition that were sent again."""
    records = sent_again(calls, final_log)
    recovered = sum(count * is_recovered(sent) for count, sent in records)
    return SentAgain(
        sum(count for count, _ in records),
        sum(count * is_doubled_by_application(sent) for count, sent in records),
        recovered,
        sum(count for count, sent in records if lost_calls(sent)) - recovered,
        sum(count * max(0, lost_calls(sent) - 1) for count, sent in records),
    )


def lost_calls(sent: list[Sent]) -> int:
    """The number of a record's calls that were acknowledged and are lost."""
    return sum(outcome == ACKED and stands == ABSENT for outcome, _, stands in sent)


def is_recovered(sent: list[Sent]) -> bool:
    """True if an acknowledged call of a record is lost, and another call's copy is there."""
    return lost_calls(sent) > 0 and stands_in_all(sent) not in (ABSENT, UNDETERMINED)


def is_doubled_by_application(sent: list[Sent]) -> bool:
    """True if a record has two copies by all its calls together, but not by one of them."""
    return stands_in_all(sent) == TWICE and not any(stands == TWICE for _, _, stands in sent)


def stands_in_all(sent: list[Sent]) -> int:
    """The copies of a record by all its calls, ABSENT to TWICE; UNDETERMINED if an unknown one could matter."""
    copies = sum(stands for _, _, stands in sent if stands != UNDETERMINED)
    if copies < TWICE and any(stands == UNDETERMINED for _, _, stands in sent):
        return UNDETERMINED
    return min(copies, TWICE)


def sent_again(calls: CallOutcomes, final_log: FinalLog) -> list[SentRecords]:
    """All calls of each record that was sent again; neighbours of equal fate together, in their order."""
    pieces = pieces_of(calls, final_log)
    marks = [(low, i) for i, (low, _, _) in enumerate(pieces)]
    marks += [(high, -1 - i) for i, (_, high, _) in enumerate(pieces)]
    found: list[SentRecords] = []
    sent: dict[int, Sent] = {}
    before = 0
    for at, i in sorted(marks):
        if sent and at > before:
            found.append((at - before, [sent[k] for k in sorted(sent)]))
        before = at
        if i >= 0:
            sent[i] = pieces[i][2]
        else:
            del sent[-1 - i]
    return found


def pieces_of(calls: CallOutcomes, final_log: FinalLog) -> list[tuple[int, int, Sent]]:
    """The outcome of the calls of records that were sent again, as (first record, end, fate), in order of the calls."""
    again = [(int(one.n), int(one.n + one.count), int(one.of)) for one in calls.again]
    if not again:
        return []
    starts = [n for n, _, _ in again]
    records = joined([(of, of + end - n) for n, end, of in again])
    spans = joined([(n, end) for n, end, _ in again] + records)
    found: list[tuple[int, int, Sent]] = []
    for run in [*calls.runs, *calls.open_runs()]:
        if not within(spans, int(run.n), int(run.n + run.count)):
            continue
        for low, count, stands in final_log.parts(run):
            one = int(run.outcome), int(run.acks), stands
            firsts: Spans = []
            at = low
            for k in range(max(0, bisect_right(starts, low) - 1), bisect_left(starts, low + count)):
                n, end, of = again[k]
                start, end = max(n, low), min(end, low + count)
                if start < end:
                    found.append((of + start - n, of + end - n, one))
                    firsts.append((at, start))
                    at = end
            firsts.append((at, low + count))
            found += [(a, b, one) for first, end in firsts for a, b in within(records, first, end)]
    return found
