"""Intervals in which a partition could not be written, by acks mode, and those that a fault began (STOP-1)."""

from simengine.explain.fact_index import FactIndex
from simengine.explain.losses import Loss
from simengine.kafka.shared.standing import LEADERLESS, OPEN
from simengine.verdict.account import PartitionCounters
from simengine.verdict.outage import NEVER, THETA_US
from simengine.verdict.presence import Spans
from simengine.world.world import World


def stretches(account: PartitionCounters, mode: str, now_us: int) -> Spans:
    """The spans in which a partition accepted no writes of a mode; one that goes on ends after now."""
    found: Spans = []
    ends = [*(since for since, _, _ in account.states[1:]), now_us + 1]
    for (since, state, _), end in zip(account.states, ends, strict=False):
        if state == OPEN or (mode != "all" and state != LEADERLESS):
            continue
        start = found.pop()[0] if found and found[-1][1] == since else since
        found.append((start, end))
    return [(start, end) for start, end in found if end - start > THETA_US or end > now_us]


def stop_of(
    account: PartitionCounters, past: FactIndex, mode: str, fault_us: int, now_us: int
) -> tuple[int, int] | None:
    """The span in which a partition was out in a mode from a fault on, or from soon after it if the fault caused it."""
    for start, stop in stretches(account, mode, now_us):
        if start == fault_us:
            return start, stop
        if fault_us < start <= fault_us + THETA_US:
            causes = (past.action(past.fact(cause)) for since, _, cause in account.states if since == start)
            if any(done is not None and done.t == fault_us for done in causes):
                return start, stop
    return None


class Ends:
    """The ends of the stops of writes that faults began."""

    def __init__(self, world: World, past: FactIndex) -> None:
        self._world = world
        self._past = past

    def of(self, fault_us: int, p: int, mode: str) -> int:
        """For calls of a mode: the fault's own moment where it began none.

        What was acknowledged before tells nothing: as by a broker that shuts down in order, until it has left.
        """
        stop = stop_of(self._world.book.account(p), self._past, mode, fault_us, self._world.now_us)
        return fault_us if stop is None else stop[1]

    def lost_us(self, loss: Loss) -> int:
        """The moment when an election, a cut of the leader's log or the last copy's end lost the records."""
        fact = self._past.fact(loss.taken_by)
        return int(NEVER) if fact is None else fact.t
