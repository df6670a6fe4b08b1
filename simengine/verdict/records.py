"""The fates of records where an application has sent some again (section 5): a record goes by its first call.

Over all calls that sent it a record is acknowledged when one of them was, *duplicated* when its copies in the final log
are two or more, though each call may have only one (then the application doubled it, which idempotence cannot prevent,
IDEM-7), and *recovered* when one call was acknowledged and lost, and another one's copy is there.
"""

from typing import NamedTuple

from simengine.verdict.fates import CALL_FATES, Counts, call_fates, put
from simengine.verdict.outcomes import ACKED, HANDED_OVER, OPEN_CALLS, REFUSED, UNKNOWN, Calls
from simengine.verdict.presence import Spans, joined, within
from simengine.verdict.standing import ABSENT, TWICE, UNDETERMINED, Standing

RECORD_FATES = (*CALL_FATES, "resent", "by_application", "recovered", "lost_again")
GRAVITY = (ACKED, HANDED_OVER, OPEN_CALLS, UNKNOWN, REFUSED)  # what is known of a record: the first of its calls' ends
Sent = tuple[int, int, int]  # outcome, acks and how it stands, of one call


def record_counts(calls: Calls, standing: Standing) -> Counts:
    """Every record of one producer to one partition in its cell; ``resent``: calls that sent a record again."""
    counts: Counts = dict.fromkeys(RECORD_FATES, 0) | call_fates(calls, standing)
    counts["resent"] = sum(int(again.count) for again in calls.again)
    for sent in sent_again(calls, standing).values():
        for outcome, acks, stands in sent:
            put(counts, outcome, acks, stands, -1)
        outcome, acks = min(((one[0], one[1]) for one in sent), key=lambda one: GRAVITY.index(one[0]))
        put(counts, outcome, acks, stands_in_all(sent), 1)
        counts["by_application"] += is_doubled_by_application(sent)
        counts["recovered"] += is_recovered(sent)
        counts["lost_again"] += max(0, lost_calls(sent) - 1)
    return counts


class SentAgain(NamedTuple):
    """Of records that were sent again, what the running figures tell."""

    by_application: int
    recovered: int
    lost_again: int


def of_sent_again(calls: Calls, standing: Standing) -> SentAgain:
    """The running figures of one producer's records in one partition that were sent again."""
    records = sent_again(calls, standing).values()
    return SentAgain(
        sum(is_doubled_by_application(sent) for sent in records),
        sum(is_recovered(sent) for sent in records),
        sum(max(0, lost_calls(sent) - 1) for sent in records),
    )


def lost_calls(sent: list[Sent]) -> int:
    """How many calls of a record were acknowledged and are lost."""
    return sum(outcome == ACKED and stands == ABSENT for outcome, _, stands in sent)


def is_recovered(sent: list[Sent]) -> bool:
    """Whether an acknowledged call of a record is lost, and another one's copy is there."""
    return lost_calls(sent) > 0 and stands_in_all(sent) not in (ABSENT, UNDETERMINED)


def is_doubled_by_application(sent: list[Sent]) -> bool:
    """Whether only all calls of a record together have two copies."""
    return stands_in_all(sent) == TWICE and not any(stands == TWICE for _, _, stands in sent)


def stands_in_all(sent: list[Sent]) -> int:
    """How a record stands by the copies of all its calls; undetermined where that matters and is not known."""
    copies = sum(stands for _, _, stands in sent if stands != UNDETERMINED)
    if copies < TWICE and any(stands == UNDETERMINED for _, _, stands in sent):
        return UNDETERMINED
    return min(copies, TWICE)


def sent_again(calls: Calls, standing: Standing) -> dict[int, list[Sent]]:
    """All calls of each record that was sent again, by the number of its first call."""
    first = {int(again.n) + i: int(again.of) + i for again in calls.again for i in range(int(again.count))}
    if not first:
        return {}
    starts = [(start, int(again.count)) for again in calls.again for start in (int(again.n), int(again.of))]
    spans: Spans = joined([(start, start + count) for start, count in starts])
    found: dict[int, list[Sent]] = {}
    for run in [*calls.runs, *calls.open_runs()]:
        if not within(spans, int(run.n), int(run.n + run.count)):
            continue
        for low, count, stands in standing.parts(run):
            one = int(run.outcome), int(run.acks), stands
            for start, end in within(spans, low, low + count):
                for n in range(start, end):
                    found.setdefault(first.get(n, n), []).append(one)
    return found
