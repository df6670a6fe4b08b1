"""The fates of records where an application has sent some again (section 5): a record goes by its first call.

Over all calls that sent it a record is acknowledged when one of them was, *duplicated* when its copies in the final log
are two or more, though each call may have only one (then the application doubled it, which idempotence cannot prevent,
IDEM-7), and *recovered* when one call was acknowledged and lost, and another one's copy is there.
"""

from simengine.verdict.fates import CALL_FATES, Counts, call_fates, put
from simengine.verdict.outcomes import ACKED, HANDED_OVER, OPEN_CALLS, REFUSED, UNKNOWN, Calls
from simengine.verdict.presence import Spans, joined
from simengine.verdict.standing import ABSENT, TWICE, UNDETERMINED, Standing

RECORD_FATES = (*CALL_FATES, "resent", "by_application", "recovered")
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
        lost = any(one[0] == ACKED and one[2] == ABSENT for one in sent)
        counts["recovered"] += lost and stands_in_all(sent) not in (ABSENT, UNDETERMINED)
    return counts


def doubled_by_application(calls: Calls, standing: Standing) -> int:
    """Records that stand twice or more though no call of theirs does."""
    return sum(is_doubled_by_application(sent) for sent in sent_again(calls, standing).values())


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
    spans: Spans = joined([(n, n + 1) for pair in first.items() for n in pair])
    found: dict[int, list[Sent]] = {}
    for run in [*calls.runs, *calls.open_runs()]:
        for low, count, stands in standing.parts(run):
            for start, end in spans:
                for n in range(max(start, low), min(end, low + count)):
                    found.setdefault(first.get(n, n), []).append((int(run.outcome), int(run.acks), stands))
    return found
