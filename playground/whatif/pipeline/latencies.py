"""Latencies up to the horizon of a run that was closed at rest, projected from its last seconds.

The records of the last seconds at rest are a sample of those to come. A percentile is told where it would be less than
`TOLERANCE` off if the shares of the sample were `DEVIATIONS` standard deviations off. Where records wait for an earlier
request of their producer there is a queue. It grows and shrinks over minutes, so the sample says little of it: the
latencies to come may all be those of the fastest or of the slowest records of the sample.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from math import sqrt
from typing import Final, NamedTuple

from simengine.verdict.latency import middle_of

TOLERANCE: Final = 0.03
DEVIATIONS: Final = 2.0

SLOWEST_TIMES: Final = 2
"""No record to come is slower than this many times the slowest of the sample: at rest nothing fails or is retried."""

PER_THOUSAND: Final = {"latency_p50_us": 500, "latency_p99_us": 990}


class Projected(NamedTuple):
    """A percentile of a topic's latencies up to the horizon, with its lower and its upper bound, microseconds."""

    low: int
    us: int
    high: int


def projected(so_far: Sequence[int], at_rest: Sequence[int], to_come: int, has_queue: bool) -> dict[str, Projected]:
    """The percentiles of a topic, by column; empty without records.

    ``so_far``: records of the run by bucket; ``at_rest``: those of the sample in it, which stands for ``to_come`` more;
    ``has_queue``: records wait for an earlier request.
    """
    sample = list(accumulate(at_rest))
    if not sum(so_far):
        return {}
    times = to_come / sample[-1] if sample[-1] else 0.0
    total = [known + round(seen * times) for known, seen in zip(accumulate(so_far), sample, strict=True)]
    found = {}
    for name, per_thousand in PER_THOUSAND.items():
        rank = (total[-1] * per_thousand + 999) // 1000
        bucket = bisect_left(total, rank)
        off = DEVIATIONS * _deviation(sample, bucket, times, has_queue)
        ends = (bisect_left(total, max(1, rank - off)), bucket, bisect_left(total, min(total[-1], rank + off)))
        found[name] = Projected(*(int(middle_of(end)) for end in ends))
    return found


def worst(of_topics: Sequence[Projected]) -> int | None:
    """The percentile of the slowest topic; None where it may be more than `TOLERANCE` off, or without topics."""
    if not of_topics:
        return None
    low, us, high = (max(values) for values in zip(*of_topics, strict=True))
    return us if us * (1 - TOLERANCE) <= low and high <= us * (1 + TOLERANCE) else None


def _deviation(sample: Sequence[int], bucket: int, times: float, has_queue: bool) -> float:
    """The standard deviation of how many of the records to come lie in this bucket or below it.

    ``sample``: how many of the sample do.
    """
    records, below = sample[-1], sample[bucket]
    if middle_of(bucket) > SLOWEST_TIMES * middle_of(bisect_left(sample, records)):
        return 0.0
    share = (below + 0.5) / (records + 1)  # a sample in which all are says little of one in a thousand
    variance = share * (1 - share) * records * times * (1 + times)  # chance, of the sample and of what comes
    if has_queue:
        variance += below * (records - below) * times**2
    return sqrt(variance)
