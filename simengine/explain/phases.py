"""The phases of a partition until its writes came back, by the state of its write path (STOP-1, STOP-6).

Without a leader: detect (until a commit takes the leadership from the one that is gone), nobody (nobody may lead) and
elect (until the elected one acts, and takes connections). With acks=all besides: detect (until a commit rids the ISR of
a member that cannot fetch), isr (fewer in-sync replicas than it asks for) and settle (a new leader's followers have yet
to fetch in its epoch, HW-5). What was back before any commit found it out is back.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from simengine.explain.fact_index import SILENT, FactIndex
from simengine.facts.decisive import LeaderActivated, LinkChanged, PartitionChanged, ProcessChanged
from simengine.facts.kinds import (
    PROCESS_RUNNING,
    PROCESS_STARTING,
    REASON_FENCED,
)
from simengine.facts.trace import Decisive
from simengine.kafka.shared.standing import BELOW_MIN_ISR, LEADERLESS, STALLED
from simengine.verdict.account import PartitionCounters

DETECT, NOBODY, ELECT, BACK, ISR, SETTLE = NAMES = ("detect", "nobody", "elect", "back", "isr", "settle")
GONE: Final = ""  # a leader that is gone: detect or back, by how it ends
OF_LEADERS: Final = (PartitionChanged, LeaderActivated, ProcessChanged)
OF_MEMBERS: Final = (PartitionChanged, ProcessChanged, LinkChanged)  # and of the leader that they fetch from
AWAY: Final = (*SILENT, PROCESS_STARTING)  # a member of the ISR in such a state fetches nothing


class Phase(NamedTuple):
    """A phase of a partition from a moment to another, in us."""

    name: str
    since: int
    until: int


def spent_in(phases: list[Phase]) -> dict[str, int]:
    """The time that each kind of phase took, in us."""
    return {name: sum(phase.until - phase.since for phase in phases if phase.name == name) for name in NAMES}


class PartitionPhases:
    """The phases of one partition."""

    def __init__(self, account: PartitionCounters, past: FactIndex, now_us: int) -> None:
        self._p = int(account.p)
        self._past = past
        self._now_us = now_us
        ends = [*(since for since, _, _ in account.states[1:]), now_us]
        self._states = [(state, since, end) for (since, state, _), end in zip(account.states, ends, strict=False)]

    def of(self, mode: str, since: int, until: int) -> list[Phase]:
        """Those between two moments in which calls of a mode were not taken, or not answered; cut to them."""
        told = (LEADERLESS, STALLED, BELOW_MIN_ISR) if mode == "all" else (LEADERLESS,)
        found: list[Phase] = []
        for state, start, end in self._states:
            if state in told and start < until and end > since:
                phases = (Phase(name, max(a, since), min(b, until)) for name, a, b in self._in(state, start, end))
                found += [phase for phase in phases if phase.since < phase.until]
        return found

    def _in(self, state: int, start: int, end: int) -> list[Phase]:
        if state == LEADERLESS:
            return self._leaderless(start, end)
        return self._stalled(start, end) if state == STALLED else [Phase(ISR, start, end)]

    def _steps(self, kinds: tuple[type[Decisive], ...], start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """From each fact of some kinds to the next: number below which it is known, and the two moments."""
        moments = sorted({fact.t for kind in kinds for fact in self._past.of(kind) if start < fact.t < end})
        for since, until in pairwise([start, *moments, end]):
            yield self._past.after(since), since, until

    # -- without a leader

    def _leaderless(self, start: int, end: int) -> list[Phase]:
        """The phases without a leader: nobody is registered as one, or the registered one does not lead."""
        found: list[Phase] = []
        for seq, since, until in self._steps(OF_LEADERS, start, end):
            name = self._without(seq)
            if found and found[-1].name == name:
                found[-1] = Phase(name, found[-1].since, until)
            else:
                found.append(Phase(name, since, until))
        is_over = end < self._now_us
        return [Phase(_ended(one, is_over and one.until == end), one.since, one.until) for one in found]

    def _without(self, before: int) -> str:
        """The phase of a partition without leader: until an election, or until the elected one acts and listens."""
        now = self._past.registration(self._p, before)
        if now is None:
            return GONE
        leader, epoch = now.leader, now.epoch
        if leader < 0:
            return NOBODY
        state, _ = self._past.process(leader, before)
        if state in SILENT:
            return GONE
        first = self._past.next_of(LeaderActivated, 0, lambda f: f.p == self._p and f.epoch == epoch, before)
        if first is None:
            return ELECT
        silent = self._past.fell_silent(leader, before)
        has_led = silent is not None and silent.seq > first.seq
        return GONE if has_led or state == PROCESS_RUNNING else ELECT

    # -- with members of the ISR that do not fetch

    def _stalled(self, start: int, end: int) -> list[Phase]:
        """Members of the ISR fetch not, or not yet."""
        return [Phase(self._waits(seq), since, until) for seq, since, until in self._steps(OF_MEMBERS, start, end)]

    def _waits(self, before: int) -> str:
        """The phase of a wait of acks=all: until members that cannot fetch are out or back, or all have fetched."""
        away = [member for member in self._past.isr(self._p, before) if self._is_away(member, before)]
        if not away:
            return SETTLE
        return DETECT if any(self._is_found_out(member, before) for member in away) else BACK

    def _is_away(self, member: int, before: int) -> bool:
        """True if a broker cannot fetch from the leader."""
        return self._is_cut_off(member, before) or self._past.process(member, before)[0] in AWAY

    def _is_cut_off(self, member: int, before: int) -> bool:
        return self._past.are_apart(self._past.leader(self._p, before), member, before)

    def _is_found_out(self, member: int, before: int) -> bool:
        """True if a commit removes a member from the ISR before it can fetch again; or nothing has happened to it yet.

        True also if the leader at the other end of a cut link is fenced.
        """
        leader, is_cut_off = self._past.leader(self._p, before), self._is_cut_off(member, before)
        for fact in self._past.since(before):
            if isinstance(fact, PartitionChanged) and fact.p == self._p:
                is_fenced = fact.reason == REASON_FENCED and leader not in fact.isr
                if member not in fact.isr or (is_cut_off and is_fenced):
                    return True
            if isinstance(fact, OF_MEMBERS) and self._can_fetch(member, fact.seq + 1):
                return False
        return True

    def _can_fetch(self, member: int, before: int) -> bool:
        """True if a broker can fetch again: a healed link to a leader that is gone does not bring it back."""
        leader = self._past.leader(self._p, before)
        is_led = leader < 0 or self._past.process(leader, before)[0] not in AWAY
        return is_led and not self._is_away(member, before)


def _ended(gone: Phase, is_back: bool) -> str:
    """The name of a phase: DETECT while nobody has noticed that a leader is gone, BACK if it was back by itself."""
    if gone.name != GONE:
        return gone.name
    return BACK if is_back else DETECT
