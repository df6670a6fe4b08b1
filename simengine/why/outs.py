"""When a partition took no calls of a mode of acks for longer than theta, and which of it a fault began (section 5)."""

from simengine.standing import LEADERLESS, OPEN
from simengine.verdict.account import Account
from simengine.verdict.outage import NEVER, THETA_US
from simengine.verdict.presence import Spans
from simengine.why.losses import Loss
from simengine.why.past import Past
from simengine.world import World


def stretches(account: Account, mode: str, now_us: int) -> Spans:
    """When a partition took no calls of a mode; what goes on ends after now."""
    found: Spans = []
    ends = [*(since for since, _, _ in account.states[1:]), now_us + 1]
    for (since, state, _), end in zip(account.states, ends, strict=False):
        if state == OPEN or (mode != "all" and state != LEADERLESS):
            continue
        start = found.pop()[0] if found and found[-1][1] == since else since
        found.append((start, end))
    return [(start, end) for start, end in found if end - start > THETA_US or end > now_us]


def stop_of(account: Account, past: Past, mode: str, fault_us: int, now_us: int) -> tuple[int, int] | None:
    """When a partition was out in a mode from a fault on, or from soon after it if what began it goes back to that."""
    for start, stop in stretches(account, mode, now_us):
        if start == fault_us:
            return start, stop
        if fault_us < start <= fault_us + THETA_US:
            causes = (past.action(past.fact(cause)) for since, _, cause in account.states if since == start)
            if any(done is not None and done.t == fault_us for done in causes):
                return start, stop
    return None


class Ends:
    """When the stops of writes that faults began are over."""

    def __init__(self, world: World, past: Past) -> None:
        self._world = world
        self._past = past

    def of(self, fault_us: int, p: int, mode: str) -> int:
        """For calls of a mode: the fault's own moment where it began none.

        What was acknowledged before tells nothing: as by a broker that shuts down in order, until it has left.
        """
        stop = stop_of(self._world.book.account(p), self._past, mode, fault_us, self._world.now_us)
        return fault_us if stop is None else stop[1]

    def lost_us(self, loss: Loss) -> int:
        """When somebody was to lead without records, or their last copy went; NEVER: their leader came back so."""
        fact = self._past.fact(loss.cause)
        return int(NEVER) if fact is None else fact.t
