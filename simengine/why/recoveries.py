"""How writes came through again after each incident: the first success of a call that counts (RTO, section 5)."""

from dataclasses import dataclass, field
from typing import Final

from simengine.kernel.errors import ERR_NONE
from simengine.kernel.facts import APPENDED, CALLS_MADE, CALLS_SETTLED, CLIENT_CHANGED
from simengine.kernel.trace import Decisive
from simengine.verdict.account import Account
from simengine.verdict.outage import THETA_US
from simengine.why.evidence import Records, Row
from simengine.why.losses import Loss
from simengine.why.past import Past
from simengine.why.sentences import acks_word
from simengine.world import World

NOBODY: Final = -1
ACKS_BY_NAME: Final = {"all": -1, "0": 0, "1": 1}


@dataclass(slots=True)
class Recovery:
    """How one producer's calls to one partition came through again after an incident."""

    first_call: int  # number of the first call made after it
    made_us: int
    appended_us: int = NOBODY  # of the call that was acknowledged: its last append, an earlier one came to nothing
    acked_us: int = NOBODY
    appends: list[tuple[int, int, int]] = field(default_factory=list)  # first call, one past the last, moment

    def acked(self, n: int, end: int, t: int) -> None:
        """Calls n .. end-1 were acknowledged."""
        self.acked_us = t
        self.appended_us = max((at for first, last, at in self.appends if first < end and n < last), default=NOBODY)
        self.appends = []


class Ends:
    """When the stops of writes that faults began are over."""

    def __init__(self, world: World, past: Past) -> None:
        self._world = world
        self._past = past

    def of(self, fault_us: int, client: int, p: int, t: int) -> int:
        """For a producer in the mode it has at ``t``: the fault's own moment where it began none.

        What was acknowledged before tells nothing: as by a broker that shuts down in order, until it has left.
        """
        mode = acks_word(acks_at(self._world, self._past, client, t))
        stop = stop_of(self._world.book.account(p), mode, fault_us, self._world.now_us)
        return fault_us if stop is None else stop[1]


class Recoveries:
    """Watches the calls made after each incident until one of them succeeds; ``faults``: their moments."""

    kinds: tuple[int, ...] = (CALLS_MADE, CALLS_SETTLED, APPENDED)

    def __init__(self, faults: list[int], losses: list[Loss], ends: Ends) -> None:
        self._faults = faults
        self._ends = ends
        self._lost = [(fact.t, lost_records(fact)) for loss in losses for fact in loss.facts]
        self.by_incident: list[dict[tuple[int, int], Recovery]] = [{} for _ in faults]

    def feed(self, row: Row) -> None:
        """Note a call, an append or an answer."""
        t, kind = row[1:3]
        if kind == CALLS_MADE:
            client, p, n, _ = row[4:8]
            self._made(t, (client, p), n)
        elif kind == APPENDED:
            _, p, _, count, _, client, n = row[4:11]
            for _, wait in self._waiting((client, p), n + count):
                wait.appends.append((n, n + count, t))
        elif kind == CALLS_SETTLED:
            client, p, n, count, offset, epoch, error = row[4:11]
            records = Records(p, offset, offset + count, epoch)
            is_acked = error == ERR_NONE and offset >= 0
            if is_acked and not any(lost_at <= t and lost.overlaps(records) for lost_at, lost in self._lost):
                for fault, wait in self._waiting((client, p), n + count):
                    if t >= self._ends.of(fault, client, p, t):
                        wait.acked(max(n, wait.first_call), n + count, t)

    def _made(self, t: int, key: tuple[int, int], n: int) -> None:
        for fault, waits in zip(self._faults, self.by_incident, strict=True):
            if t >= fault and key not in waits:
                waits[key] = Recovery(n, t)

    def _waiting(self, key: tuple[int, int], end: int) -> list[tuple[int, Recovery]]:
        """Of the recoveries that wait for a success, those that calls before ``end`` belong to, and their faults."""
        waits = [
            (fault, waits[key]) for fault, waits in zip(self._faults, self.by_incident, strict=True) if key in waits
        ]
        return [(fault, wait) for fault, wait in waits if wait.acked_us < 0 and end > wait.first_call]


def acks_at(world: World, past: Past, client: int, at_us: int) -> int:
    """The mode in which a producer made its calls at a moment."""
    every = world.trace.seq + 1
    fact = past.newest(CLIENT_CHANGED, every, lambda f: f.values[0] == client and f.t <= at_us)
    return ACKS_BY_NAME[world.doc.producers[client].acks] if fact is None else int(fact.values[2])


def stretches(account: Account, mode: str, now_us: int) -> list[tuple[int, int]]:
    """When a partition took no calls of a mode; what goes on ends after now."""
    outage = account.out_all if mode == "all" else account.out_1
    return [*outage.intervals, *([(int(outage.since), now_us + 1)] if outage.since >= 0 else [])]


def stop_of(account: Account, mode: str, fault_us: int, now_us: int) -> tuple[int, int] | None:
    """When a partition was out in a mode from a fault on, or from so soon after it that the fault is why."""
    out = stretches(account, mode, now_us)
    return next(((start, stop) for start, stop in out if fault_us <= start <= fault_us + THETA_US), None)


def lost_records(fact: Decisive) -> Records:
    """What a RecordsLost fact names."""
    p, base, count, epoch = fact.values[:4]
    return Records(p, base, base + count, epoch)
