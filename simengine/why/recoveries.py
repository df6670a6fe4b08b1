"""How writes came through again after each incident: the first success of a call that counts (RTO, section 5)."""

from dataclasses import dataclass, field
from typing import Final

from simengine.kernel.errors import ERR_NONE
from simengine.kernel.facts import APPENDED, CALLS_MADE, CALLS_SETTLED, CLIENT_CHANGED
from simengine.kernel.trace import Decisive
from simengine.verdict.account import Account
from simengine.verdict.outage import THETA_US
from simengine.verdict.presence import Spans, joined, within
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
    acked_us: int = NOBODY
    # from an append to its acknowledgement: of these calls, and of earlier ones that they wait behind
    settling: list[tuple[int, int]] = field(default_factory=list)


class Appends:
    """When leaders appended the calls of one producer to one partition that have had no answer yet."""

    def __init__(self) -> None:
        self._seen: dict[int, list[tuple[Records, int]]] = {}  # by first call: where its records stand, moment
        self._handed_over = 0  # calls below this have had all the answer that they get (acks=0)

    def add(self, n: int, records: Records, t: int) -> None:
        """A leader appended the records of call ``n`` and those after it."""
        if n >= self._handed_over:
            self._seen.setdefault(n, []).append((records, t))

    def settle(self, n: int, end: int, records: Records, t: int) -> int:
        """When did the leader append what is answered at ``t``; what it appended in another epoch came to nothing.

        Calls n .. end-1 have had their answer; without idempotence earlier ones may still wait for theirs.
        """
        seen = [one for call in range(n, end) for one in self._seen.pop(call, [])]
        return min((at for stands, at in seen if stands.overlaps(records)), default=t)

    def handed_over(self, end: int) -> None:
        """Calls before ``end`` wait for no answer (PROD-4)."""
        self._handed_over = end


class Lost:
    """What is lost, and stays so, as time goes on."""

    def __init__(self, losses: list[Loss]) -> None:
        facts = (fact for loss in losses for fact in loss.facts)
        self._to_come = sorted(((fact.t, lost_records(fact)) for fact in facts), key=lambda one: -one[0])
        self._spans: dict[tuple[int, int], Spans] = {}  # by partition and epoch, in order and apart

    def is_lost(self, records: Records, t: int) -> bool:
        """Whether some of the records are lost at ``t``, which is never earlier than when it was last asked."""
        while self._to_come and self._to_come[-1][0] <= t:
            _, one = self._to_come.pop()
            known = self._spans.get((one.p, one.epoch), [])
            self._spans[one.p, one.epoch] = joined([*known, (one.base, one.end)])
        return bool(within(self._spans.get((records.p, records.epoch), []), records.base, records.end))


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
        self._lost = Lost(losses)
        self._appends: dict[tuple[int, int], Appends] = {}
        self._leaders: dict[tuple[int, int], int] = {}  # by partition and epoch
        self.by_incident: list[dict[tuple[int, int], Recovery]] = [{} for _ in faults]

    def feed(self, row: Row) -> None:
        """Note a call, an append or an answer."""
        t, kind = row[1:3]
        if kind == CALLS_MADE:
            client, p, n, _ = row[4:8]
            self._made(t, (client, p), n)
        elif kind == APPENDED:
            broker, p, base, count, epoch, client, n = row[4:11]
            if self._leaders.setdefault((p, epoch), broker) == broker:  # who appends first in an epoch leads it (LOG-1)
                self._appends_of(client, p).add(n, Records(p, base, base + count, epoch), t)
        elif kind == CALLS_SETTLED:
            client, p, n, count, offset, epoch, error = row[4:11]
            records = Records(p, offset, offset + count, epoch)
            since = self._appends_of(client, p).settle(n, n + count, records, t)
            is_acked = error == ERR_NONE and offset >= 0
            if error == ERR_NONE and offset < 0:
                self._appends_of(client, p).handed_over(n + count)
            if is_acked and not self._lost.is_lost(records, t):
                self._acked(client, p, n + count, (since, t))

    def _appends_of(self, client: int, p: int) -> Appends:
        return self._appends.setdefault((client, p), Appends())

    def _made(self, t: int, key: tuple[int, int], n: int) -> None:
        for fault, waits in zip(self._faults, self.by_incident, strict=True):
            if t >= fault and key not in waits:
                waits[key] = Recovery(n, t)

    def _acked(self, client: int, p: int, end: int, settling: tuple[int, int]) -> None:
        """Calls before ``end`` were acknowledged: a success for the recoveries that began with an earlier one."""
        t = settling[1]
        for fault, waits in zip(self._faults, self.by_incident, strict=True):
            wait = waits.get((client, p))
            if wait is not None and wait.acked_us < 0:
                if settling[0] < t:
                    wait.settling.append(settling)
                if end > wait.first_call and t >= self._ends.of(fault, client, p, t):
                    wait.acked_us = t


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
