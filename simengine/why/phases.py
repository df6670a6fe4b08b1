"""What a partition went through until its writes came back, by the state of its write path (section 5).

Without a leader: detect (until a commit takes the leadership from the one that is gone), nobody (nobody may lead) and
elect (until the elected one acts). With acks=all besides: detect (until the ISR is rid of a member that fetches no
more), isr (fewer in-sync replicas than it asks for) and settle (a new leader's followers have yet to fetch in its
epoch, HW-5). What was back before anybody found it out is back.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from simengine.kernel.facts import ELECTION_NONE, LEADER_ACTIVATED, PARTITION_CHANGED, PROCESS_CHANGED
from simengine.verdict.account import Account
from simengine.verdict.write_path import BELOW_MIN_ISR, LEADERLESS, OPEN, STALLED
from simengine.why.past import SILENT, Past

DETECT, NOBODY, ELECT, BACK, ISR, SETTLE = NAMES = ("detect", "nobody", "elect", "back", "isr", "settle")
GONE: Final = ""  # a leader that is gone: detect or back, by how it ends


class Phase(NamedTuple):
    """What a partition went through from a moment to another, in us."""

    name: str
    since: int
    until: int


def spent_in(phases: list[Phase]) -> dict[str, int]:
    """The time that each kind of phase took, in us."""
    return {name: sum(phase.until - phase.since for phase in phases if phase.name == name) for name in NAMES}


class Phases:
    """The phases of one partition."""

    def __init__(self, account: Account, past: Past, now_us: int) -> None:
        self._p = int(account.p)
        self._past = past
        moments = [*((since, state) for since, state, _ in account.states), (now_us, -1)]
        self._states = [(state, since, end, then) for (since, state), (end, then) in pairwise(moments)]

    def of(self, mode: str, since: int, until: int) -> list[Phase]:
        """Those between two moments in which calls of a mode were not taken, or not answered; cut to them."""
        told = (LEADERLESS, STALLED, BELOW_MIN_ISR) if mode == "all" else (LEADERLESS,)
        found: list[Phase] = []
        for state, start, end, then in self._states:
            if state in told and start < until and end > since:
                phases = (Phase(name, max(a, since), min(b, until)) for name, a, b in self._in(state, start, end, then))
                found += [phase for phase in phases if phase.since < phase.until]
        return found

    def _in(self, state: int, start: int, end: int, then: int) -> list[Phase]:
        if state == LEADERLESS:
            return self._leaderless(start, end)
        return self._stalled(start, end, then) if state == STALLED else [Phase(ISR, start, end)]

    def _leaderless(self, start: int, end: int) -> list[Phase]:
        """Who leads by the registration, and whether it does, from each fact to the next."""
        found: list[Phase] = []
        for fact, since, until in self._steps(start, end):
            name = self._without(fact)
            if found and found[-1].name == name:
                found[-1] = Phase(name, found[-1].since, until)
            else:
                found.append(Phase(name, since, until))
        return [Phase(_ended(one, end) if one.name == GONE else one.name, one.since, one.until) for one in found]

    def _steps(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """The facts that may tell something else of who leads: number below which they are known, and their times."""
        kinds = (PARTITION_CHANGED, LEADER_ACTIVATED, PROCESS_CHANGED)
        moments = sorted({fact.t for kind in kinds for fact in self._past.of(kind) if start < fact.t < end})
        for since, until in zip([start, *moments], [*moments, end], strict=True):
            yield self._past.after(since), since, until

    def _without(self, before: int) -> str:
        """What a partition that has no leader waits for: an election, or an elected one that has yet to act."""
        now = self._past.registration(self._p, before)
        if now is None:
            return GONE
        _, leader, epoch = now.values[:3]
        if leader < 0:
            return NOBODY
        is_silent = self._past.process(leader, before)[0] in SILENT
        return GONE if is_silent or self._past.activation(self._p, epoch, before) is not None else ELECT

    def _stalled(self, start: int, end: int, then: int) -> list[Phase]:
        """A member of the ISR fetches not, or not yet; ``then``: the state that follows."""
        shrunk = [at for at in self._shrinks if start < at <= end]
        if shrunk:
            return [Phase(DETECT, start, shrunk[-1]), Phase(SETTLE, shrunk[-1], end)]
        if any(fact.kind == LEADER_ACTIVATED and fact.values[1] == self._p for fact in self._past.at(start)):
            return [Phase(SETTLE, start, end)]
        return [Phase(BACK if then == OPEN else DETECT, start, end)]

    @cached_property
    def _shrinks(self) -> list[int]:
        """When the ISR lost a member by a commit that elected nobody."""
        changes = (fact for fact in self._past.isr_changes(self._p, 0, 1 << 62) if fact.values[5] == ELECTION_NONE)
        return [fact.t for fact in changes if set(self._past.isr(self._p, fact.seq)).difference(fact.lists[1])]


def _ended(gone: Phase, end: int) -> str:
    """Whether it was found out that a leader is gone, or whether it was back by itself, at the end of it all."""
    return BACK if gone.until == end else DETECT
