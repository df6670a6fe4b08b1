"""The servers of a partition's clients and its readers' stops, by a recount of a run's times."""

from typing import TYPE_CHECKING

from simengine.facts import kinds as f
from simengine.verdict.outage import THETA_US
from simengine.verdict.presence import joined, length
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
    """For how long one reader had nothing at least, and at most: its fetches may have had no response."""
    unowned = times.unowned.spans(p)
    clients = {*unowned, *(reader for reader, q in times.reader_out if q == p)}
    found = [(0, 0)]
    for client in sorted(clients):
        without = unowned.get(client, [])
        out = times.reader_out.get((client, p))
        spans = [] if out is None else out.all(now)
        waits = [(start, min(end, times.until)) for start, end in times.fetches.waits(client, now)]
        least = length(joined([*(one for one in spans if one[1] - one[0] > THETA_US), *without]))
        most = length(joined([*long([*spans, *waits]), *without])) if waits else least
        found.append((least, max(least, most)))
    return max(one[0] for one in found), max(one[1] for one in found)
