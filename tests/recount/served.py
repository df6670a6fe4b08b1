"""The servers of a partition's clients and its readers' stops, by a recount of a run's times."""

from typing import TYPE_CHECKING

from simengine.facts import kinds as f
from tests.recount.clocks import UP, long

if TYPE_CHECKING:
    from tests.recount.times import Times


def serving(times: "Times", p: int) -> int:
    """The broker that leads, or until somebody takes over the last one, if some client reaches it; -1: none."""
    recount = times.recount
    leader = recount.leader(p)
    if leader >= 0:
        return leader
    clients = [client for client, q in recount.calls if q == p]
    clients += [reader for reader, position in times.readers[p].items() if position >= 0]
    for (q, broker), epoch in recount.leads.items():
        if q == p and epoch == recount.led.get(p) and recount.process.get(broker, f.PROCESS_RUNNING) in UP:
            if not clients or any(times.answers(broker, client) for client in clients):
                return broker
    return -1


def reader_us(times: "Times", p: int, now: int) -> tuple[int, int]:
    """For how long one reader had no records at least, and at most: its fetches may have had no response."""
    least = most = 0
    for (reader, q), out in times.reader_out.items():
        if q == p:
            waits = [(start, min(end, times.until)) for start, end in times.fetches.waits(reader, now)]
            us = out.us(now)
            least = max(least, us)
            most = max(most, us, sum(end - start for start, end in long([*out.all(now), *waits])) if waits else 0)
    return least, most
