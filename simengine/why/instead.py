"""Why a leader's log does not have the lost records: it ends before them, or holds other records at their offsets."""

from typing import Final

from simengine.facts.decisive import LeaderActivated, RecordsLost
from simengine.verdict.presence import Spans, joined, length, within
from simengine.verdict.sentence import listed
from simengine.why.evidence import Evidence
from simengine.why.sentences import Clause, offsets

BEYOND: Final = 1 << 62  # every offset


def instead(led: LeaderActivated, lost: Spans, facts: list[RecordsLost], evidence: Evidence) -> Clause:
    """What a log has at the offsets ``lost``: that of the broker which ``led`` says leads, at the last of ``facts``.

    Up to its end at the beginning of the leadership what it had appended by then stands there; beyond that, what it has
    appended since (TRUNC-6). Other epochs are named where the run tells of all of them.
    """
    broker, p, end = led.broker, led.p, led.leo
    held = evidence.standing(broker, p, within(lost, 0, end), 0, facts[-1].seq)
    for epoch, spans in evidence.standing(broker, p, within(lost, end, BEYOND), led.seq, facts[-1].seq).items():
        held.setdefault(epoch, []).extend(spans)
    others = joined([span for spans in held.values() for span in spans])
    of = f", of epoch{'s' * (len(held) > 1)} {listed([str(epoch) for epoch in sorted(held)])}"
    if length(others) == length(lost):
        return f"holds other records there{of}", ("TRUNC-6", "LOG-4")
    if length(within(others, 0, end)) < length(within(lost, 0, end)):
        return "has no records of that epoch there", ("TRUNC-6", "LOG-4")
    ends = f"ends at {end}" if facts[0].t == led.t else f"ended at {end} when it began to lead"
    if not others:
        return ends, ("TRUNC-6",)
    return f"holds other records at {offsets(others)}{of}, and {ends}", ("TRUNC-6", "LOG-4")
