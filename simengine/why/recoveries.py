"""How writes came through again after each incident: the first success of a call that counts (RTO, section 5)."""

from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final

from simengine.facts.decisive import RecordsLost
from simengine.facts.errors import ERR_NONE
from simengine.facts.traffic import Appended, CallsMade, CallsSettled, HwMoved
from simengine.verdict.outage import NEVER
from simengine.verdict.presence import Spans, joined, within
from simengine.why.evidence import Records
from simengine.why.losses import Loss
from simengine.why.modes import Modes
from simengine.why.outs import Ends

NOBODY: Final = -1


@dataclass(slots=True)
class Recovery:
    """How one producer's calls to one partition came through again after an incident."""

    first_call: int  # number of the first call made after it
    made_us: int
    acked_us: int = NOBODY
    # from an append to the high watermark's passing: of these calls, and of earlier ones that they wait behind
    settling: Spans = field(default_factory=list)


@dataclass(slots=True)
class Append:
    """Records that a leader appended, and when the high watermark passed them (HW-1)."""

    records: Records
    since_us: int
    until_us: int = NOBODY


class Appends:
    """The calls of one producer to one partition that leaders have appended and that have had no answer yet."""

    def __init__(self) -> None:
        self._seen: dict[int, list[Append]] = {}  # by first call
        self._handed_over = 0  # calls below this have had all the answer that they get (acks=0)

    def add(self, n: int, append: Append) -> None:
        """A leader appended the records of call ``n`` and those after it."""
        if n >= self._handed_over:
            self._seen.setdefault(n, []).append(append)

    def settle(self, n: int, end: int, records: Records, t: int) -> Spans:
        """From when to when what is answered at ``t`` waited for the high watermark; in another epoch it was in vain.

        Calls n .. end-1 have had their answer; without idempotence earlier ones may still wait for theirs.
        """
        seen = [one for call in range(n, end) for one in self._seen.pop(call, []) if one.records.overlaps(records)]
        return [(one.since_us, t if one.until_us < 0 else one.until_us) for one in seen]

    def handed_over(self, end: int) -> None:
        """Calls before ``end`` wait for no answer (PROD-4)."""
        self._handed_over = end


class Uncommitted:
    """What leaders have appended to one partition and the high watermark has not passed."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Append]] = []  # a heap by log end offset
        self._count = 0

    def add(self, append: Append) -> None:
        """A leader appended it."""
        self._count += 1
        heappush(self._waiting, (append.records.end, self._count, append))

    def moved(self, hw: int, t: int) -> None:
        """The high watermark is there on some replica: on none is it beyond the leader's (HW-4)."""
        while self._waiting and self._waiting[0][0] <= hw:
            heappop(self._waiting)[2].until_us = t


class Lost:
    """What is lost, and stays so, as time goes on."""

    def __init__(self, losses: list[Loss], ends: Ends) -> None:
        self._doomed = [(ends.moment_of(loss.cause), one) for loss in losses for one in loss.records]
        facts = (fact for loss in losses for fact in loss.facts)
        self._to_come = sorted(((fact.t, lost_records(fact)) for fact in facts), key=lambda one: -one[0])
        self._all: dict[tuple[int, int], Spans] = {}
        for _, one in self._to_come:
            self._all.setdefault((one.p, one.epoch), []).append((one.base, one.end))
        self._all = {key: joined(spans) for key, spans in self._all.items()}
        self._spans: dict[tuple[int, int], Spans] = {}  # by partition and epoch, in order and apart

    def is_lost(self, records: Records, t: int) -> bool:
        """Whether some of the records are lost at ``t``, which is never earlier than when it was last asked."""
        while self._to_come and self._to_come[-1][0] <= t:
            _, one = self._to_come.pop()
            known = self._spans.get((one.p, one.epoch), [])
            self._spans[one.p, one.epoch] = joined([*known, (one.base, one.end)])
        return bool(within(self._spans.get((records.p, records.epoch), []), records.base, records.end))

    def is_doomed(self, records: Records, t: int) -> bool:
        """Whether some of the records are lost by what was done up to ``t``: a replaced leader acknowledged them."""
        return any(moment <= t and one.overlaps(records) for moment, one in self._doomed)

    def is_lost_later(self, records: Records) -> bool:
        """Whether some of the records are lost in the end."""
        return bool(within(self._all.get((records.p, records.epoch), []), records.base, records.end))


class Recoveries:
    """Watches the calls made after each incident until one of their mode succeeds; ``faults``: their moments."""

    kinds: tuple[int, ...] = (CallsMade.KIND, CallsSettled.KIND, Appended.KIND, HwMoved.KIND)

    def __init__(self, faults: list[int], losses: list[Loss], ends: Ends, modes: Modes) -> None:
        self._faults = faults
        self._ends = ends
        self._modes = modes
        self._called: dict[tuple[int, int], list[tuple[int, str]]] = {}  # from which call on in which mode
        self._lost = Lost(losses, ends)
        self._appends: dict[tuple[int, int], Appends] = {}
        self._uncommitted: dict[int, Uncommitted] = {}
        self._leaders: dict[tuple[int, int], int] = {}  # by partition and epoch
        # by producer, partition and mode
        self.by_incident: list[dict[tuple[int, int, str], Recovery]] = [{} for _ in faults]

    def feed(self, fact: object) -> None:
        """Note a call, an append, an answer or how far the replicas agree."""
        if isinstance(fact, CallsMade):
            self._made(fact.t, fact.client, fact.p, fact.n)
        elif isinstance(fact, Appended):
            leader = self._leaders.setdefault((fact.p, fact.epoch), fact.broker)
            if leader == fact.broker:  # who appends first in an epoch leads it (LOG-1)
                records = Records(fact.p, fact.base, fact.base + fact.count, fact.epoch)
                self._appended(fact.client, fact.n, Append(records, fact.t))
        elif isinstance(fact, HwMoved):
            if fact.p in self._uncommitted:
                self._uncommitted[fact.p].moved(fact.hw, fact.t)
        elif isinstance(fact, CallsSettled):
            self._settled(fact)

    def _appended(self, client: int, n: int, append: Append) -> None:
        p = append.records.p
        self._appends_of(client, p).add(n, append)
        self._uncommitted.setdefault(p, Uncommitted()).add(append)

    def _settled(self, fact: CallsSettled) -> None:
        end = fact.n + fact.count
        records = Records(fact.p, fact.offset, fact.offset + fact.count, fact.epoch)
        appends = self._appends_of(fact.client, fact.p)
        settling = appends.settle(fact.n, end, records, fact.t)
        if fact.error != ERR_NONE:
            return
        if fact.offset < 0:
            appends.handed_over(end)
        elif not self._lost.is_lost(records, fact.t):
            self._acked(fact.client, records, end, settling, fact.t)

    def _appends_of(self, client: int, p: int) -> Appends:
        return self._appends.setdefault((client, p), Appends())

    def _made(self, t: int, client: int, p: int, n: int) -> None:
        mode = self._modes.at(client, t)
        called = self._called.setdefault((client, p), [])
        if not called or called[-1][1] != mode:
            called.append((n, mode))
        for fault, waits in zip(self._faults, self.by_incident, strict=True):
            if t >= fault and (client, p, mode) not in waits:
                waits[client, p, mode] = Recovery(n, t)

    def _acked(self, client: int, records: Records, end: int, settling: Spans, t: int) -> None:
        """Calls before ``end`` were acknowledged: a success for the recoveries that began with an earlier one."""
        p = records.p
        mode = next((mode for n, mode in reversed(self._called.get((client, p), [])) if n < end), "")
        is_lost_later = self._lost.is_lost_later(records)
        is_doomed = is_lost_later and self._lost.is_doomed(records, t)
        for fault, waits in zip(self._faults, self.by_incident, strict=True):
            wait = waits.get((client, p, mode))
            if wait is not None and wait.acked_us < 0:
                wait.settling += settling
                is_over = end > wait.first_call and t >= self._ends.of(fault, p, mode)
                if is_lost_later and self._ends_it(fault, p, records.epoch, t):
                    continue
                if is_over and not is_doomed:
                    wait.acked_us = t

    def _ends_it(self, fault: int, p: int, epoch: int, t: int) -> bool:
        """Whether a leadership ended after ``t`` by a fault, and by none after it: what it loses was no recovery.

        What a later leader acknowledged of its records, as a retry, is not lost with it.
        """
        replaced_us = self._ends.replaced_us(p, epoch)
        later = min((other for other in self._faults if other > fault), default=NEVER)
        return t <= replaced_us < later


def lost_records(fact: RecordsLost) -> Records:
    """What a RecordsLost fact names."""
    return Records(fact.p, fact.base, fact.base + fact.count, fact.epoch)
