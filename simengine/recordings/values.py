"""The value that each call carries: the engine counts calls, the script names values.

The k-th call of a producer to a partition is the k-th in the merged order of the script's ``rate`` and ``send``
actions on it, for the calls of both come at their own times whatever the cluster does.
"""

from heapq import merge
from typing import Final, NamedTuple

from simengine.recordings.errors import RecordingError
from simengine.recordings.model import RecordedAction, Recording, SetupStep

Pair = tuple[str, str]  # client, partition

CALLS_MAX: Final = 2_000_000  # of one producer to one partition


class Writing(NamedTuple):
    """A ``rate`` or ``send`` of one producer on one partition; ``per_s`` 0 is the end of a rate."""

    t: float
    pair: Pair
    per_s: float | None  # None: a send
    prefix: str
    values: tuple[str, ...]


def writing(step: RecordedAction | SetupStep, t: float) -> Writing | None:
    """The writing of a step at time t (s), or None for other steps."""
    details = step.details
    if step.verb not in ("rate", "send") or not step.named:
        return None
    client = str(step.named[0])
    pair = (client, f"{details.get('topic')}-{details.get('partition', 0)}")
    if step.verb == "send":
        sent = details.get("values")
        return Writing(t, pair, None, "", tuple(str(value) for value in sent) if isinstance(sent, list) else ())
    per_s = details.get("per_s")
    return Writing(t, pair, float(per_s) if isinstance(per_s, int | float) else 0.0, _prefix(details, client), ())


def _prefix(details: dict[str, object], client: str) -> str:
    return str(details.get("prefix", client))


def values_of(recording: Recording, writings: list[Writing], end: float) -> dict[Pair, list[str]]:
    """The values of each producer's calls to each partition, in order, up to ``end`` (s)."""
    by_pair: dict[Pair, list[Writing]] = {}
    for written in sorted(writings, key=lambda one: one.t):
        by_pair.setdefault(written.pair, []).append(written)
    return {pair: _merged(of_one, end) for pair, of_one in by_pair.items()}


def _merged(writings: list[Writing], end: float) -> list[str]:
    sends = [(one.t, i, value) for one in writings if one.per_s is None for i, value in enumerate(one.values)]
    rates = [one for one in writings if one.per_s is not None]
    ticks: list[tuple[float, int, str]] = []
    counted: dict[str, int] = {}
    for i, one in enumerate(rates):
        until = rates[i + 1].t if i + 1 < len(rates) else end
        per_s = one.per_s or 0.0
        calls = 0
        while per_s and one.t + calls / per_s < until:
            number = counted.get(one.prefix, 0)
            if len(ticks) == CALLS_MAX:
                raise RecordingError("actions", "a producer sends too much", one.pair[0], f"{CALLS_MAX} calls")
            ticks.append((one.t + calls / per_s, 0, f"{one.prefix}-{number}"))
            counted[one.prefix] = number + 1
            calls += 1
    return [value for _, _, value in merge(sends, ticks)]
