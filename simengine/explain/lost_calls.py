"""The lost records of a run, named so that two runs of nearly the same document can be compared.

An offset means another record where an earlier loss did not happen. So a record is named by its topic, its partition,
its producer and the number of the ``send()`` call.
"""

from collections.abc import Iterable
from typing import Any

from simengine.facts.decisive import RecordsLost
from simengine.verdict.outcomes import ACKED
from simengine.verdict.presence import Spans, cut_out, joined, length, within
from simengine.world.world import World

Records = dict[tuple[str, int, str], Spans]  # numbers of calls, by topic, partition and producer
LostAt = tuple[int, Records]  # the moment (us) of a loss, and its records


def lost_calls(world: World) -> Records:
    """Every acknowledged record that is lost at the moment that a world has reached."""
    return together(records for _, records in lost_moments(world))


def lost_moments(world: World) -> list[LostAt]:
    """Every acknowledged record that is lost at the moment that a world has reached, with the moment of its loss."""
    still: dict[tuple[int, int], Spans] = {}
    for account in world.book.accounts:
        for run in account.losses.lost:
            still.setdefault((int(account.p), int(run.epoch)), []).append((int(run.base), int(run.base + run.count)))
    still = {key: joined(spans) for key, spans in still.items()}
    found: list[LostAt] = []
    for fact in (fact for fact in reversed(world.trace.decisive) if isinstance(fact, RecordsLost)):
        key, end = (fact.p, fact.epoch), fact.base + fact.count
        if offsets := within(still.get(key, []), fact.base, end):
            found.append((fact.t, calls_at(world, *key, offsets)))
            still[key] = cut_out(still[key], fact.base, end)
    return found


def together(some: Iterable[Records]) -> Records:
    """The records of all of these."""
    found: Records = {}
    for records in some:
        for key, spans in records.items():
            found[key] = joined([*found.get(key, []), *spans])
    return found


def calls_at(world: World, p: int, epoch: int, offsets: Spans) -> Records:
    """The calls whose records were acknowledged at some offsets of a partition, in one leader epoch."""
    names: Any = world.names()
    topic, number = names["partitions"][p]
    found: Records = {}
    for calls in world.book.account(p).calls:
        spans = [
            (low - run.offset + run.n, high - run.offset + run.n)
            for run in calls.runs
            if run.outcome == ACKED and run.epoch == epoch
            for low, high in within(offsets, run.offset, run.offset + run.count)
        ]
        if spans:
            found[names["topics"][topic], number, names["clients"][calls.client]["id"]] = joined(spans)
    return found


def without(records: Records, others: Records) -> Records:
    """The records that are not among others."""
    left: Records = {}
    for key, spans in records.items():
        rest = spans
        for low, high in others.get(key, []):
            rest = cut_out(rest, low, high)
        if rest:
            left[key] = rest
    return left


def of_topic(records: Records, topic: str) -> Records:
    """The records of one topic, "" for all."""
    return {key: spans for key, spans in records.items() if topic in ("", key[0])}


def count(records: Records) -> int:
    """Records in all."""
    return sum(length(spans) for spans in records.values())
