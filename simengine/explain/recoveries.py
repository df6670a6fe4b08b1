"""The recovery of writes after each incident: the first success of a call that counts (STOP-6)."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from simengine.explain.evidence import Records, WantedRecords
from simengine.explain.losses import Loss
from simengine.explain.settings import Modes
from simengine.explain.write_outages import Ends
from simengine.facts.errors import ERR_NONE
from simengine.facts.traffic import Appended, CallsMade, CallsSettled, HwMoved
from simengine.verdict.outage import NEVER, THETA_US
from simengine.verdict.presence import Spans

NOBODY: Final = -1


@dataclass(slots=True)
class Recovery:
    """The recovery of one producer's calls to one partition after an incident.

    A success while the servers are out does not end it: a broker that shuts down responds until it has left. But if no
    call waits for longer than theta after it, nothing was felt besides.
    """

    first_call: int  # number of the first call made after it
    made_us: int
    acked_us: int = NEVER
    asked_us: int = NEVER  # since when calls wait for a success
    is_over: bool = False
    # from an append to the high watermark's passing: of these calls, and of earlier ones that they wait behind
    settling: Spans = field(default_factory=list)

    def called(self, at_us: int) -> None:
        """A call was made."""
        self.asked_us = min(self.asked_us, at_us)

    def succeeded(self, at_us: int, is_waiting: bool, is_over: bool) -> None:
        """A call had a success; ``is_waiting``: a later one waits; ``is_over``: the servers are back."""
        if self.acked_us == NEVER or at_us - self.asked_us > THETA_US:
            self.acked_us = at_us
        self.asked_us = at_us if is_waiting else NEVER
        self.is_over = is_over

    def back_us(self, now_us: int) -> int:
        """The moment (us) of the success that ended it; NEVER if there is none so far."""
        return self.acked_us if self.is_over or now_us - self.asked_us <= THETA_US else NEVER


@dataclass(slots=True)
class Append:
    """Records that a leader appended, and when the high watermark passed them (HW-1)."""

    records: Records
    since_us: int
    until_us: int = NEVER


class Recoveries:
    """Watches the calls made after each incident until one of their mode succeeds; ``faults``: their moments."""

    kinds: tuple[int, ...] = (CallsMade.KIND, CallsSettled.KIND, Appended.KIND, HwMoved.KIND)

    def __init__(self, faults: list[int], losses: list[Loss], ends: Ends, modes: Modes) -> None:
        self._faults = faults
        self._ends = ends
        self._modes = modes
        # what is acknowledged later stands where those stood that were lost (REG-5)
        self._lost = [(ends.lost_us(loss), loss.facts[-1].t, one) for loss in losses for one in loss.records]
        self._any_lost = WantedRecords(records for _, _, records in self._lost)
        self._called: dict[tuple[int, int], list[tuple[int, str]]] = {}  # from which call on in which mode
        self._made_to: dict[tuple[int, int], int] = {}  # by producer and partition, below which number calls were made
        self._appends: dict[tuple[int, int], dict[int, list[Append]]] = {}  # by producer and partition, by first call
        self._uncommitted: dict[int, list[Append]] = {}  # by partition
        self._leaders: dict[tuple[int, int], int] = {}  # by partition and epoch
        # by producer, partition and mode
        self.by_incident: list[dict[tuple[int, int, str], Recovery]] = [{} for _ in faults]

    def feed(self, fact: object) -> None:
        """Note a call, an append, an answer or how far the replicas agree."""
        if isinstance(fact, CallsMade):
            self._made(fact)
        elif isinstance(fact, Appended):
            leader = self._leaders.setdefault((fact.p, fact.epoch), fact.broker)
            # who appends first in an epoch leads it (LOG-1); what is sent with acks=0 waits for no answer (PROD-4)
            if leader == fact.broker and fact.client >= 0 and self._modes.at(fact.client, fact.t) != "0":
                append = Append(Records(fact.p, fact.base, fact.base + fact.count, fact.epoch), fact.t)
                self._appends.setdefault((fact.client, fact.p), {}).setdefault(fact.n, []).append(append)
                self._uncommitted.setdefault(fact.p, []).append(append)
        elif isinstance(fact, HwMoved):
            self._moved(fact.p, fact.hw, fact.t)
        elif isinstance(fact, CallsSettled):
            self._settled(fact)

    def _made(self, fact: CallsMade) -> None:
        t, client, p, n = fact.t, fact.client, fact.p, fact.n
        mode = self._modes.at(client, t)
        self._made_to[client, p] = n + fact.count
        called = self._called.setdefault((client, p), [])
        if not called or called[-1][1] != mode:
            called.append((n, mode))
        for fault, waits in zip(self._faults, self.by_incident, strict=True):
            if t >= fault and (client, p, mode) not in waits:
                waits[client, p, mode] = Recovery(n, t)
            if (client, p, mode) in waits:
                waits[client, p, mode].called(t)

    def _moved(self, p: int, hw: int, t: int) -> None:
        """The high watermark is there on some replica: on none is it beyond the leader's (HW-4)."""
        waiting = self._uncommitted.get(p, [])
        for append in waiting:
            if append.records.end <= hw:
                append.until_us = t
        self._uncommitted[p] = [append for append in waiting if append.records.end > hw]

    def _settled(self, fact: CallsSettled) -> None:
        """Calls have their answer; what another epoch's leader had appended of them waited in vain."""
        records = Records(fact.p, fact.offset, fact.offset + fact.count, fact.epoch)
        mine = self._appends.get((fact.client, fact.p), {})
        seen = [one for n in range(fact.n, fact.n + fact.count) for one in mine.pop(n, [])]
        if fact.error == ERR_NONE and fact.offset >= 0:
            settling = [(one.since_us, min(one.until_us, fact.t)) for one in seen if one.records.overlaps(records)]
            self._acked(fact, records, settling)

    def _acked(self, fact: CallsSettled, records: Records, settling: Spans) -> None:
        """A success for the recoveries that began with an earlier call, unless it is lost by what they recover from."""
        client, p, end = fact.client, fact.p, fact.n + fact.count
        mode = next((mode for n, mode in reversed(self._called.get((client, p), [])) if n < end), "")
        is_lost = self._any_lost.overlap(records)
        found = (us for us, last_us, one in self._lost if is_lost and fact.t <= last_us and one.overlaps(records))
        lost_us = min(found, default=NEVER)
        for (fault, following), waits in zip(pairwise([*self._faults, NEVER]), self.by_incident, strict=True):
            wait = waits.get((client, p, mode))
            if wait is not None and not wait.is_over:
                wait.settling += settling
                if end > wait.first_call and lost_us > fact.t and lost_us >= following:
                    wait.succeeded(fact.t, end < self._made_to[client, p], fact.t >= self._ends.of(fault, p, mode))
