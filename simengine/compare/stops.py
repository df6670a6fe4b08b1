"""The stops of a run as events: writes or reads of a topic stand still, and go on (STOP-3).

No decisive fact states them. Writes stand still while some producer has no response in some partition; reads, while
some reader has no record though one is there.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from simengine.verdict.account import PartitionCounters
from simengine.verdict.presence import Spans, joined
from simengine.world.world import World

SHORTEST_US: Final = 1_000_000  # a shorter stop may begin and end within the time in which events count as the same


class StopEvent(NamedTuple):
    """The beginning or the end of a stop: its time, us, and its sentence."""

    t_us: int
    text: str


def stop_events(world: World) -> Iterator[StopEvent]:
    """The times at which writes and reads of each topic of people stand still, and go on."""
    for run in world.cluster_runs:
        for topic in run.cluster.own_topics():
            if topic.internal or topic.is_made:
                continue
            accounts = run.book.accounts_of(topic.index)
            name = f"{topic.site.prefix}{topic.title}"
            yield from _events(f"Writes to {name}", _writes(accounts, world.now_us), world.now_us)
            yield from _events(f"Reads of {name}", _reads(accounts, world.now_us), world.now_us)


def _events(what: str, spans: Spans, now_us: int) -> Iterator[StopEvent]:
    for since, until in joined(spans):
        if until - since < SHORTEST_US:
            continue
        yield StopEvent(since, f"{what} stand still.")
        if until < now_us:
            yield StopEvent(until, f"{what} go on.")


def _writes(accounts: list[PartitionCounters], now_us: int) -> Spans:
    calls = [calls for account in accounts for calls in account.calls]
    return [span for one in calls for mode in one.modes for span in mode.spans(now_us)]


def _reads(accounts: list[PartitionCounters], now_us: int) -> Spans:
    return [
        span
        for account in accounts
        for reader in account.reading.readers
        for span in account.reading.starved(reader, now_us)
    ]
